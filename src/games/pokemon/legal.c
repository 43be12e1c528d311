/* Lists the actions that a player may choose. */
#include "games/pokemon/effects.h"

static bool legal_is_trapped(const struct battle *b, int side)
{
    if (use_locked_move(b, side))
        return true;
    const uint64_t traps = (uint64_t)1 << VOLATILE_TRAPPED | (uint64_t)1 << VOLATILE_NORETREAT |
                           (uint64_t)1 << VOLATILE_PARTIALLYTRAPPED;
    const struct ability_hooks *foe = &ability_hooks[state_ability(b, !side)];
    if (!(active_of(b, side)->volatiles & traps) && !foe->traps)
        return false; /* the usual case */
    if (status_immune(b, side, IMMUNE_TRAPPED))
        return false;
    if (has_volatile(b, side, VOLATILE_TRAPPED) || has_volatile(b, side, VOLATILE_NORETREAT))
        return true;
    if (has_volatile(b, side, VOLATILE_PARTIALLYTRAPPED) &&
        side_of(b, !side)->order[0] == active_of(b, side)->trap_source)
        return true;
    return foe->traps && foe->traps(b, !side, side);
}

bool legal_trapped(const struct pokemon *s, int player)
{
    struct battle b;
    battle_open(&b, (struct pokemon *)(uintptr_t)s, NULL);
    return legal_is_trapped(&b, player);
}

static int legal_switches(const struct pokemon_side *side, banyan_action *out)
{
    int count = 0;
    for (int i = 1; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &side->mons[side->order[i]];
        if (!(mon->flags & MON_FAINTED))
            out[count++] = POKEMON_ACTION(ACTION_SWITCH, mon->set_species);
    }
    return count;
}

/* Whether the Max move of a slot may be used. */
static bool legal_max(const struct battle *b, int side, const struct pokemon_slots *slots, int i)
{
    bool status = dex_moves[slots->id[i]].category == CATEGORY_STATUS;
    return slots->pp[i] && !(status && (mon_of(b, side)->item == ITEM_ASSAULTVEST ||
                                        has_volatile(b, side, VOLATILE_TAUNT)));
}

static bool legal_may_dynamax(const struct battle *b, int side)
{
    const struct pokemon_side *s = side_of(b, side);
    const struct pokemon_active *active = active_of(b, side);
    if (s->dynamax_used || (dex_species[mon_of(b, side)->species].flags & SPECIES_IS_NO_DYNAMAX))
        return false;
    return !active->illusion ||
           !(dex_species[s->mons[active->illusion - 1].species].flags & SPECIES_IS_NO_DYNAMAX);
}

static int legal_moves(const struct battle *b, int side, banyan_action *out)
{
    const struct pokemon_slots *slots = state_slots(side_of(b, side));
    int count = 0, locked = use_locked_move(b, side);
    if (locked) {
        out[0] = POKEMON_ACTION(ACTION_MOVE, locked);
        return 1;
    }
    bool large = is_dynamaxed(b, side);
    for (int i = 0; i < slots->count; ++i) {
        bool off = large ? !legal_max(b, side, slots, i) || (slots->hard >> i & 1)
                         : !slots->pp[i] || (slots->disabled >> i & 1);
        if (!off)
            out[count++] = POKEMON_ACTION(ACTION_MOVE, slots->id[i]);
    }
    if (!count) {
        out[0] = POKEMON_ACTION(ACTION_MOVE, MOVE_STRUGGLE);
        return 1;
    }
    if (large || !legal_may_dynamax(b, side))
        return count;
    for (int i = 0; i < slots->count; ++i)
        if (legal_max(b, side, slots, i))
            out[count++] = POKEMON_ACTION(ACTION_DYNAMAX, slots->id[i]);
    return count;
}

int legal_actions(const struct pokemon *s, int player, banyan_action *out)
{
    struct battle b;
    battle_open(&b, (struct pokemon *)(uintptr_t)s, NULL);
    if (s->request[player] == REQUEST_SWITCH)
        return legal_switches(&s->sides[player], out);
    int count = legal_moves(&b, player, out);
    if (!legal_is_trapped(&b, player))
        count += legal_switches(&s->sides[player], out + count);
    return count;
}
