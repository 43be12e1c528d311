/* The full key of a battle: a hash of everything that a player knows.  It is a hash of what
 * conceal() would leave, computed without changing the state.
 *
 *     own side    every byte, but random lengths become the turns that have passed
 *     other side  as it looks: hp in percent; moves, items and abilities that were seen
 *     the field   every byte; of the queue, own actions, and whether the foe has yet to act
 */
#include "games/pokemon/battle.h"

#include "base/rng.h"

#include <stddef.h>
#include <string.h>

static uint64_t full_mix(uint64_t key, uint64_t value)
{
    key = (key ^ value) * 0x9fb21c651e98df25u;
    return key ^ key >> 32;
}

/* Hashes in four independent streams, which is faster than one chain of multiplications. */
static uint64_t full_bytes(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t keys[4] = {1, 2, 3, 4}, words[4];
    for (; size >= sizeof words; at += sizeof words, size -= sizeof words) {
        memcpy(words, at, sizeof words);
        for (int i = 0; i < 4; ++i)
            keys[i] = full_mix(keys[i], words[i]);
    }
    memset(words, 0, sizeof words);
    memcpy(words, at, size);
    for (int i = 0; i < 4; ++i)
        keys[i] = full_mix(keys[i], words[i]);
    return full_mix(full_mix(full_mix(keys[0], keys[1]), keys[2]), keys[3]);
}

/* --- the own side --- */

static uint64_t full_own(const struct pokemon *s, int viewer)
{
    const struct pokemon_side *foe = &s->sides[!viewer];
    struct pokemon_side own = s->sides[viewer];
    conceal_own(&own);
    if (disguise_holds(foe))
        disguise_pass_foe(&own.active, foe->order[0], foe->active.illusion - 1);
    return full_bytes(&own, sizeof own);
}

/* --- the other side --- */

/* Hashes the moves that were seen, in any order.  at: the arrival of the Pokémon if it is active, else
 * NULL. */
static uint64_t full_moves(const struct pokemon_mon *mon, const struct pokemon_arrival *at)
{
    const struct pokemon_slots *slots = &mon->slots;
    uint64_t sum = 0;
    for (int i = 0; i < slots->count; ++i) {
        if (!(mon->seen >> i & 1))
            continue;
        uint64_t move =
            slots->id[i] | (uint64_t)slots->pp[i] << 16 | (uint64_t)slots->max_pp[i] << 24;
        if (at)
            move |= (uint64_t)at->spent[i] << 32 | (uint64_t)(slots->used >> i & 1) << 40 |
                    (uint64_t)(at->seen >> i & 1) << 41;
        sum += full_mix(move, 1);
    }
    return sum;
}

static uint64_t full_ability(const struct pokemon_mon *mon)
{
    if (!conceal_hides_ability(mon))
        return mon->ability | (uint64_t)mon->base_ability << 8 | (uint64_t)mon->set_ability << 16;
    return (uint64_t)1 << 24 | (mon->ability == mon->set_ability ? 0 : mon->ability);
}

/* Hashes a Pokémon that was seen.  Whether it can Gigantamax is visible only while it is Dynamaxed.
 */
static uint64_t full_mon(const struct pokemon_mon *mon, const struct pokemon_arrival *at)
{
    bool large = mon->max_hp > mon->base_max_hp, item = mon->seen & SEEN_ITEM;
    unsigned flags = large ? mon->flags : mon->flags & ~(unsigned)MON_GIGANTAMAX;
    uint64_t key = full_mix(
        mon->species | (uint64_t)mon->base_species << 16 | (uint64_t)mon->set_species << 32 |
            (uint64_t)hp_percent(mon->hp, mon->max_hp) << 48 | (uint64_t)mon->status << 56,
        full_moves(mon, at));
    key = full_mix(key, mon->level | (uint64_t)(unsigned char)mon->gender << 8 |
                            (uint64_t)flags << 16 | (uint64_t)(mon->seen & 0xf0) << 24 |
                            (uint64_t)mon->status_time << 32 | (uint64_t)mon->status_start << 40 |
                            (uint64_t)large << 48);
    return full_mix(key, full_ability(mon) | (item ? (uint64_t)mon->item << 32 : 0) |
                             (item ? (uint64_t)mon->last_item << 40 : 0));
}

static void full_arrival(struct pokemon_arrival *at, const struct pokemon_mon *mon)
{
    at->hp = (uint16_t)hp_percent(at->hp, mon->base_max_hp);
    at->seen &= (uint8_t)~15;
    memset(at->spent, 0, sizeof at->spent); /* full_moves hashes these and the seen moves */
}

/* Hashes what else can be seen of the active Pokémon. */
static uint64_t full_active(const struct pokemon_side *side)
{
    const struct pokemon_mon *mon = &side->mons[side->order[0]];
    struct pokemon_active a = side->active;
    bool whole = a.substitute >= mon->max_hp / 4;
    conceal_active(&a, mon);
    full_arrival(&a.arrival, mon);
    a.hurt = (uint16_t)hp_percent(a.hurt, mon->max_hp);
    a.substitute = a.volatiles >> VOLATILE_SUBSTITUTE & 1 ? (uint16_t)(1 + whole) : 0;
    a.slots.disabled = a.slots.hard = 0;
    if (!(a.flags & ACTIVE_TRANSFORMED))
        memset(a.stats, 0, sizeof a.stats);
    return full_bytes(&a, sizeof a);
}

static uint64_t full_foe(const struct pokemon_side *truth)
{
    struct pokemon_side side, face;
    side = *disguise_face(truth, &face);
    conceal_lengths(&side);
    uint64_t bench = 0;
    int active = side.order[0];
    for (int i = 0; i < POKEMON_TEAM; ++i)
        if (i != active && ((side.mons[i].seen & SEEN_SPECIES) || i + 1 == side.active.illusion))
            bench += full_mix(full_mon(&side.mons[i], NULL), 1);
    uint64_t key = full_mix(full_mon(&side.mons[active], &side.active.arrival), bench);
    const size_t begin = offsetof(struct pokemon_side, left);
    const size_t end = offsetof(struct pokemon_side, wish_hp);
    key = full_mix(key, full_bytes((const char *)&side + begin, end - begin));
    return full_mix(key, full_active(&side));
}

/* --- the field --- */

static uint64_t full_queue(const struct pokemon *s, int viewer)
{
    uint64_t key = 0;
    bool foe = false;
    for (int i = 0; i < s->queued; ++i) {
        const struct pokemon_action *action = &s->queue[i];
        bool own = action->side == viewer || action->choice == CHOICE_RESIDUAL;
        if (own)
            key = full_mix(key, action->move | (uint64_t)action->choice << 16 |
                                    (uint64_t)action->mon << 24 | (uint64_t)action->target << 32 |
                                    (uint64_t)action->max << 40 | (uint64_t)action->side << 48);
        else if (!foe)
            key = full_mix(key, 1);
        foe = foe || !own;
    }
    return key;
}

static uint64_t full_field(const struct pokemon *s)
{
    uint64_t key = full_mix(s->turn | (uint64_t)s->last_success << 16 |
                                (uint64_t)s->request[0] << 32 | (uint64_t)s->request[1] << 40 |
                                (uint64_t)s->mid_turn << 48 | (uint64_t)s->winner << 56,
                            2);
    return full_mix(key, s->weather | (uint64_t)s->weather_turns << 8 | (uint64_t)s->terrain << 16 |
                             (uint64_t)s->terrain_turns << 24 | (uint64_t)s->trick_room << 32 |
                             (uint64_t)s->ion_deluge << 40);
}

uint64_t key_full(const struct banyan_game *game, const void *state, int viewer)
{
    const struct pokemon *s = state;
    uint64_t key = full_mix(full_own(s, viewer), full_foe(&s->sides[!viewer]));
    key = full_mix(full_mix(key, full_field(s)), full_queue(s, viewer));
    if (s->request[viewer] == REQUEST_MOVE) /* the request says whether the viewer is trapped */
        key = full_mix(key, legal_trapped(s, viewer));
    return rng_mix(key + (uint64_t)viewer);
}
