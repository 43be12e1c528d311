#include "games/pokemon/hooks.h"

int state_slot_of(const struct pokemon_slots *slots, int move)
{
    for (int i = 0; i < slots->count; ++i)
        if (slots->id[i] == move)
            return i;
    return -1;
}

uint32_t state_types(const struct battle *b, int side)
{
    const struct pokemon_active *active = active_of(b, side);
    uint32_t set = 1u << active->types[0] | 1u << active->types[1];
    set &= ~(1u << TYPE_NONE);
    if (has_volatile(b, side, VOLATILE_ROOST))
        set &= ~(1u << TYPE_FLYING);
    return set ? set : 1u << TYPE_NORMAL;
}

bool state_has_type(const struct battle *b, int side, int type)
{
    return (state_types(b, side) >> type & 1) != 0;
}

bool state_grounded(const struct battle *b, int side)
{
    if (has_volatile(b, side, VOLATILE_SMACKDOWN))
        return true;
    if (state_has_type(b, side, TYPE_FLYING))
        return false;
    if (state_ability(b, side) == ABILITY_LEVITATE && !state_breaks(b, side))
        return false;
    return !has_volatile(b, side, VOLATILE_MAGNETRISE);
}

bool state_hidden(const struct battle *b, int side)
{
    const uint64_t hidden = (uint64_t)1 << VOLATILE_FLY | (uint64_t)1 << VOLATILE_BOUNCE |
                            (uint64_t)1 << VOLATILE_PHANTOMFORCE;
    return (active_of(b, side)->volatiles & hidden) != 0;
}

static bool state_suppresses_weather(const struct battle *b, int side)
{
    int ability = state_ability(b, side);
    return (ability == ABILITY_AIRLOCK || ability == ABILITY_CLOUDNINE) &&
           !(active_of(b, side)->ability_flags & ABILITY_ENDING);
}

int state_weather(const struct battle *b)
{
    if (b->s->weather == WEATHER_NONE || state_suppresses_weather(b, 0) ||
        state_suppresses_weather(b, 1))
        return WEATHER_NONE;
    return b->s->weather;
}

int state_terrain(const struct battle *b)
{
    return b->s->terrain;
}

/* hp as it would be without Dynamax, rounded up. */
int state_undynamaxed(const struct battle *b, int side, int hp)
{
    const struct pokemon_mon *mon = mon_of(b, side);
    if (!is_dynamaxed(b, side))
        return hp;
    return (hp * mon->base_max_hp + mon->max_hp - 1) / mon->max_hp;
}

int state_switches(const struct pokemon_side *side)
{
    int count = 0;
    for (int i = 1; i < POKEMON_TEAM; ++i)
        count += !(side->mons[side->order[i]].flags & MON_FAINTED);
    return side->left ? count : 0;
}

const struct pokemon_action *state_move_action(const struct battle *b, int side)
{
    if (is_fainted(b, side))
        return NULL;
    for (int i = 0; i < b->s->queued; ++i) {
        const struct pokemon_action *action = &b->s->queue[i];
        if (action->choice == CHOICE_MOVE && action->side == side &&
            action->mon == side_of(b, side)->order[0])
            return action;
    }
    return NULL;
}

bool state_will_move(const struct battle *b, int side)
{
    return state_move_action(b, side) != NULL;
}

bool state_will_act(const struct battle *b)
{
    for (int i = 0; i < b->s->queued; ++i) {
        int choice = b->s->queue[i].choice;
        if (choice == CHOICE_MOVE || choice == CHOICE_SWITCH || choice == CHOICE_INSTASWITCH)
            return true;
    }
    return false;
}

/* die < 0: equally fast Pokémon act in the order of the sides, where it makes no difference. */
void state_order(const struct battle *b, int first[2], int die)
{
    int a = active_of(b, 0)->speed, c = active_of(b, 1)->speed;
    int lead = a >= c ? 0 : 1;
    if (a == c && die >= 0)
        lead = banyan_dice_pick(b->dice, die, 2);
    first[0] = lead;
    first[1] = !lead;
}
