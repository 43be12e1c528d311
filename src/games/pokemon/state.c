/* Answers questions about a battle in progress: weather, grounded Pokémon, actions still to come.
 */
#include "games/pokemon/effects.h"

int state_slot_of(const struct pokemon_slots *slots, int move)
{
    for (int i = 0; i < slots->count; ++i)
        if (slots->id[i] == move)
            return i;
    return -1;
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

static bool state_suppresses_weather(const struct battle *b, int side)
{
    int ability = state_ability(b, side);
    return (ability == ABILITY_AIRLOCK || ability == ABILITY_CLOUDNINE) &&
           !(active_of(b, side)->ability_flags & ABILITY_ENDING);
}

int state_weather_unless_suppressed(const struct battle *b)
{
    bool suppressed = state_suppresses_weather(b, 0) || state_suppresses_weather(b, 1);
    return suppressed ? WEATHER_NONE : b->s->weather;
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
