/* Switching: a Pokémon leaves, another comes in, and the effects of coming in. */
#include "games/pokemon/effects.h"

#include <string.h>

/* What happens before a Pokémon leaves, unless it is dragged out: its Dynamax ends. */
void entry_leave_ready(struct battle *b, int side)
{
    volatile_end(b, side, VOLATILE_DYNAMAX);
}

static void entry_leave(struct battle *b, int side, bool drag)
{
    struct pokemon_active *active = active_of(b, side);
    active->flags |= ACTIVE_CALLED_BACK;
    if (!(active->flags & ACTIVE_SWITCH_READY) && !drag) {
        entry_leave_ready(b, side);
        update_all(b);
    }
    int ability = state_ability(b, side);
    if (ability_hooks[ability].leave)
        ability_hooks[ability].leave(b, side);
    ability_end(b, side, mon_of(b, side)->ability);
    turn_cancel(b, side);
    disguise_leave(side_of(b, side));
    forme_clear(b, side, true);
}

static void entry_illusion(struct battle *b, int side)
{
    const struct pokemon_side *s = side_of(b, side);
    if (mon_of(b, side)->ability != ABILITY_ILLUSION)
        return;
    for (int i = POKEMON_TEAM - 1; i > 0; --i)
        if (!(s->mons[s->order[i]].flags & MON_FAINTED)) {
            active_of(b, side)->illusion = (uint8_t)(s->order[i] + 1);
            return;
        }
}

void entry_arrive(struct battle *b, int side)
{
    struct pokemon_mon *mon = mon_of(b, side);
    struct pokemon_active *active = active_of(b, side);
    memset(active, 0, sizeof *active);
    disguise_arrival(mon, &active->arrival);
    active->flags = ACTIVE_NEW;
    mon->slots.used = 0;
    forme_species(b, side, mon->species, false);
    entry_illusion(b, side);
    int shown = active->illusion ? active->illusion - 1 : side_of(b, side)->order[0];
    if (!active->illusion)
        side_of(b, side)->mons[shown].seen |= SEEN_SPECIES;
}

/* mon: index of the Pokémon that comes in. */
bool entry_switch(struct battle *b, int side, int mon, bool drag)
{
    struct pokemon_side *s = side_of(b, side);
    int slot = 1;
    while (slot < POKEMON_TEAM && s->order[slot] != mon)
        ++slot;
    if (slot == POKEMON_TEAM)
        return false;
    struct pokemon_mon *old = mon_of(b, side);
    if (old->hp)
        entry_leave(b, side, drag);
    if (old->flags & MON_FAINTED)
        status_clear(old);
    s->order[slot] = s->order[0];
    s->order[0] = (uint8_t)mon;
    entry_arrive(b, side);
    if (drag)
        entry_run(b, 1u << side);
    else
        turn_insert(b, CHOICE_RUN_SWITCH, side);
    return true;
}

/* --- effects of coming in --- */

struct entry_guest {
    uint8_t side, ability, item;
    uint8_t hazards[SIDE_HAZARDS], hazard_count;
};

static void entry_list(const struct battle *b, int side, struct entry_guest *guest)
{
    const struct pokemon_side *s = side_of(b, side);
    memset(guest, 0, sizeof *guest);
    guest->side = (uint8_t)side;
    guest->ability = mon_of(b, side)->ability;
    guest->item = mon_of(b, side)->item;
    for (int stamp = 1; stamp <= 2 * SIDE_HAZARDS; ++stamp)
        for (int i = 1; i < SIDE_HAZARDS; ++i)
            if (s->condition[i] && s->stamp[i] == stamp)
                guest->hazards[guest->hazard_count++] = (uint8_t)i;
}

static void entry_ability(struct battle *b, const struct entry_guest *guest, int priority)
{
    int side = guest->side, ability = state_ability(b, side);
    if (ability != guest->ability || ability_hooks[ability].start_priority != priority)
        return;
    if (state_ability_unbroken(b, side) == ability)
        ability_start(b, side);
}

static void entry_healing_wish(struct battle *b, int side)
{
    struct pokemon_mon *mon = mon_of(b, side);
    if (is_fainted(b, side) || (mon->hp >= mon->max_hp && !mon->status))
        return;
    hp_restore(mon, mon->max_hp);
    status_clear(mon);
    side_of(b, side)->healing_wish = 0;
}

/* Returns true when the battle is over. */
static bool entry_guest_run(struct battle *b, const struct entry_guest *guest)
{
    int side = guest->side;
    if (mon_of(b, side)->status == STATUS_TOX)
        mon_of(b, side)->status_time = 0;
    if (side_of(b, side)->healing_wish)
        entry_healing_wish(b, side);
    for (int i = 0; i < guest->hazard_count; ++i) {
        if (is_fainted(b, side))
            return false;
        if (side_of(b, side)->condition[guest->hazards[i]])
            field_hazard(b, side, guest->hazards[i]);
        if (hp_faints(b, true))
            return true;
    }
    if (is_fainted(b, side))
        return false;
    entry_ability(b, guest, 0);
    if (hp_faints(b, true))
        return true;
    int item = mon_of(b, side)->item;
    if (item == guest->item && item != ITEM_WHITEHERB && item_hooks[item].start &&
        !is_fainted(b, side))
        item_hooks[item].start(b, side);
    return hp_faints(b, true);
}

static bool entry_late(struct battle *b, const struct entry_guest *guests, int count, int priority)
{
    for (int i = 0; i < count; ++i) {
        if (!is_fainted(b, guests[i].side))
            entry_ability(b, &guests[i], priority);
        if (hp_faints(b, true))
            return true;
    }
    return false;
}

/* White Herb restores lowered stats after a Pokémon has come in, also on the side that stayed. */
static void entry_white_herb(struct battle *b, const int first[2])
{
    for (int i = 0; i < 2; ++i)
        if (!is_fainted(b, first[i]) && mon_of(b, first[i])->item == ITEM_WHITEHERB)
            item_hooks[ITEM_WHITEHERB].start(b, first[i]);
}

/* sides: the set of sides whose active Pokémon has just come in. */
void entry_run(struct battle *b, unsigned sides)
{
    struct entry_guest guests[2];
    int first[2], count = 0;
    state_order(b, first, DIE_ORDER_SWITCH);
    for (int i = 0; i < 2; ++i)
        if (sides >> first[i] & 1)
            entry_list(b, first[i], &guests[count++]);
    if (entry_late(b, guests, count, 1))
        return;
    for (int i = 0; i < count; ++i)
        if (entry_guest_run(b, &guests[i]))
            return;
    if (entry_late(b, guests, count, -1) || entry_late(b, guests, count, -2))
        return;
    entry_white_herb(b, first);
}
