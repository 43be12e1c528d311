/* The coarse key of a battle: a hash of what both players see, rounded.
 *
 * The tree has one node for each key.  hp are rounded to steps (finer for the active Pokémon); PP,
 * the remaining turns of field effects, and everything that only one player knows are left out.
 * Otherwise every damage roll and every drawn set would make a new node, and no node would be
 * visited twice.  Legal actions may differ between states with the same key; the search masks them.
 */
#include "games/pokemon/battle.h"

#include "base/rng.h"

#include <stddef.h>
#include <string.h>

enum { VIEW_ACTIVE_STEPS = 12, VIEW_BENCH_STEPS = 6 };

static uint64_t key_mix(uint64_t key, uint64_t value)
{
    key = (key ^ value) * 0x9fb21c651e98df25u;
    return key ^ key >> 32;
}

/* The hp that the other player sees, in steps: 0 only at 0 hp, the last step only at full hp. */
static uint64_t key_hp(const struct pokemon_mon *mon, int steps)
{
    int percent = hp_percent(mon->hp, mon->max_hp);
    return (uint64_t)(percent == 100 ? steps + 1 : (percent * steps + 99) / 100);
}

/* What both players see of a Pokémon. */
static uint64_t key_mon(const struct pokemon_mon *mon, int steps)
{
    return (uint64_t)mon->species << 32 | (uint64_t)mon->set_species << 16 |
           key_hp(mon, steps) << 8 | mon->status;
}

/* What both players see of the active Pokémon. */
static uint64_t key_active(const struct pokemon_active *a)
{
    uint64_t boosts = 0;
    const size_t at = offsetof(struct pokemon_active, boosts);
    static_assert(offsetof(struct pokemon_active, types) ==
                          offsetof(struct pokemon_active, boosts) + 7 &&
                      BOOST_COUNT == 7,
                  "the boosts and the first type are one word");
    memcpy(&boosts, (const char *)a + at, sizeof boosts);
    uint64_t key = key_mix(a->volatiles & ~CONCEALED_VOLATILES, boosts);
    key += (uint64_t)a->types[1] << 8 | a->dynamax_turns;
    return key_mix(key, (uint64_t)a->encore_move << 48 | (uint64_t)a->disable_move << 32 |
                            (uint64_t)a->charge_move << 16 | a->locked_move);
}

static uint64_t key_conditions(const struct pokemon_side *side)
{
    static const uint8_t none[SIDE_COUNT];
    uint64_t there = 0;
    if (memcmp(side->condition, none, sizeof none) != 0) {
        for (int i = 1; i < SIDE_HAZARDS; ++i)
            there |= (uint64_t)side->condition[i] << (8 + 2 * i);
        for (int i = SIDE_HAZARDS; i < SIDE_COUNT; ++i)
            there |= (uint64_t)(side->condition[i] != 0) << (i - SIDE_HAZARDS);
    }
    there = there << 1 | side->dynamax_used;
    there = there << 1 | side->wish_there;
    return there << 1 | side->future_move;
}

/* What both players know of a side: the bench in any order, as far as it was seen, and the Pokémon
 * that the active one looks like. */
static uint64_t key_side(const struct pokemon_side *side)
{
    uint64_t bench = 0;
    int active = side->order[0];
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *mon = &side->mons[i];
        if (i != active && (mon->seen & SEEN_SPECIES))
            bench += key_mix(key_mon(mon, VIEW_BENCH_STEPS), 1);
    }
    const struct pokemon_mon *out = &side->mons[active];
    int shown = side->active.illusion ? side->active.illusion - 1 : active;
    uint64_t key = key_mon(out, VIEW_ACTIVE_STEPS) & 0xffff;
    key |= (uint64_t)side->mons[shown].species << 32 | (uint64_t)side->mons[shown].set_species
                                                           << 16;
    key = key_mix(key_mix(key, bench), key_active(&side->active));
    return key_mix(key, key_conditions(side));
}

/* sides: the hashes of both sides by key_side. */
static uint64_t key_whole(const struct pokemon *s, int viewer, const uint64_t sides[2])
{
    uint64_t key = key_mix(sides[viewer], sides[!viewer]);
    key = key_mix(key, (uint64_t)s->weather << 40 | (uint64_t)s->terrain << 32 |
                           (uint64_t)(s->trick_room != 0) << 24 | (uint64_t)s->request[0] << 16 |
                           (uint64_t)s->request[1] << 8 | s->winner);
    if (s->request[viewer] == REQUEST_MOVE) /* the request says whether the viewer is trapped */
        key = key_mix(key, legal_trapped(s, viewer));
    return rng_mix(key);
}

/* The side as the other player sees it. */
static uint64_t key_face(const struct pokemon_side *side)
{
    struct pokemon_side face;
    return key_side(disguise_face(side, &face));
}

/* The keys of both players consist of the same two halves, except for a disguise, which its owner
 * knows. */
void key_coarse(const struct banyan_game *game, const void *state, unsigned viewers, uint64_t out[])
{
    const struct pokemon *s = state;
    uint64_t own[2], face[2];
    for (int side = 0; side < 2; ++side) {
        own[side] = key_side(&s->sides[side]);
        face[side] = s->sides[side].active.illusion ? key_face(&s->sides[side]) : own[side];
    }
    for (int viewer = 0; viewer < 2; ++viewer) {
        const uint64_t sides[2] = {viewer ? face[0] : own[0], viewer ? own[1] : face[1]};
        if (viewers >> viewer & 1)
            out[viewer] = key_whole(s, viewer, sides);
    }
}
