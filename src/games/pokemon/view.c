/* What a player can tell apart, as one number.
 *
 * Coarser than equality, since the tree hangs one node on each key: hp counts in steps (finer for the
 * active Pokémon), PP and turns that fields last do not count at all.  Otherwise every roll of damage
 * would make another node, and none would be seen twice.  Legal choices may differ within a key; the
 * search masks them.
 */
#include "games/pokemon/battle.h"

#include "base/rng.h"

#include <stddef.h>
#include <string.h>

enum { VIEW_ACTIVE_STEPS = 12, VIEW_BENCH_STEPS = 6 };

static uint64_t view_mix(uint64_t key, uint64_t value)
{
    key = (key ^ value) * 0x9fb21c651e98df25u;
    return key ^ key >> 32;
}

/* 0 only at 0 hp, the last step only at full hp. */
static uint64_t view_hp(const struct pokemon_mon *mon, int steps)
{
    if (mon->hp >= mon->max_hp)
        return (uint64_t)steps + 1;
    return (uint64_t)((mon->hp * steps + mon->max_hp - 1) / mon->max_hp);
}

/* Seen by both. */
static uint64_t view_mon(const struct pokemon_mon *mon, int steps)
{
    return (uint64_t)mon->species << 32 | (uint64_t)mon->set_species << 16 |
           view_hp(mon, steps) << 8 | mon->status;
}

static uint64_t view_secret(const struct pokemon_mon *mon)
{
    uint64_t moves = 0;
    for (int i = 0; i < 4; ++i)
        moves = moves << 16 | mon->slots.id[i];
    return view_mix(moves, (uint64_t)mon->item << 8 | mon->ability);
}

/* What of the active Pokémon can be seen by both. */
static uint64_t view_active(const struct pokemon_active *a)
{
    const uint64_t secret = (uint64_t)1 << VOLATILE_CHOICELOCK;
    uint64_t boosts = 0;
    const size_t at = offsetof(struct pokemon_active, boosts);
    static_assert(offsetof(struct pokemon_active, types) ==
                          offsetof(struct pokemon_active, boosts) + 7 &&
                      BOOST_COUNT == 7,
                  "the boosts and the first type are one word");
    memcpy(&boosts, (const char *)a + at, sizeof boosts);
    uint64_t key = view_mix(a->volatiles & ~secret, boosts);
    key += (uint64_t)a->types[1] << 8 | a->dynamax_turns;
    return view_mix(key, (uint64_t)a->encore_move << 48 | (uint64_t)a->disable_move << 32 |
                             (uint64_t)a->charge_move << 16 | a->locked_move);
}

static uint64_t view_conditions(const struct pokemon_side *side)
{
    uint64_t there = 0;
    for (int i = 1; i < SIDE_HAZARDS; ++i)
        there |= (uint64_t)side->condition[i] << (8 + 2 * i);
    for (int i = SIDE_HAZARDS; i < SIDE_COUNT; ++i)
        there |= (uint64_t)(side->condition[i] != 0) << (i - SIDE_HAZARDS);
    there = there << 1 | side->dynamax_used;
    there = there << 1 | side->wish_there;
    return there << 1 | side->future_move;
}

/* The bench in any order; mons of the other side only as far as they were seen. */
static uint64_t view_side(const struct pokemon_side *side, bool own)
{
    uint64_t bench = 0;
    int active = side->order[0];
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &side->mons[i];
        if (i == active || (!own && !(mon->seen & SEEN_SPECIES)))
            continue;
        uint64_t key = view_mix(view_mon(mon, VIEW_BENCH_STEPS), 1);
        bench += own ? view_mix(key, view_secret(mon)) : key;
    }
    const struct pokemon_mon *out = &side->mons[active];
    int shown = !own && side->active.illusion ? side->active.illusion - 1 : active;
    uint64_t key = view_mon(out, VIEW_ACTIVE_STEPS) & 0xffff;
    key |= (uint64_t)side->mons[shown].species << 32 | (uint64_t)side->mons[shown].set_species
                                                           << 16;
    key = view_mix(view_mix(key, bench), view_active(&side->active));
    if (own)
        key = view_mix(key, view_secret(out) + side->active.choice_move);
    return view_mix(key, view_conditions(side));
}

uint64_t view_key(const void *state, int viewer)
{
    const struct pokemon *s = state;
    uint64_t key = view_side(&s->sides[viewer], false);
    key = view_mix(key, view_side(&s->sides[!viewer], false));
    key = view_mix(key, (uint64_t)s->weather << 40 | (uint64_t)s->terrain << 32 |
                            (uint64_t)(s->trick_room != 0) << 24 | (uint64_t)s->request[0] << 16 |
                            (uint64_t)s->request[1] << 8 | s->winner);
    if (s->request[viewer] == REQUEST_MOVE) /* the request tells */
        key = view_mix(key, legal_trapped(s, viewer));
    return rng_mix(key);
}
