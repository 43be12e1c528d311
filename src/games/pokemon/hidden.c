/* What a player knows, and what the rest may be. */
#include "games/pokemon/battle.h"
#include "games/pokemon/belief.h"

#include "base/rng.h"

#include <string.h>

/* --- the key --- */

static uint64_t hidden_mix(uint64_t key, uint64_t value)
{
    return rng_mix(key * 0x9e3779b97f4a7c15u ^ value);
}

static uint64_t hidden_bytes(uint64_t key, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        key = hidden_mix(key, word);
    }
    return key;
}

/* hp as it is shown to the other player. */
static int hidden_percent(const struct pokemon_mon *mon)
{
    int percent = (100 * mon->hp + mon->max_hp - 1) / mon->max_hp;
    return percent == 100 && mon->hp < mon->max_hp ? 99 : percent;
}

static uint64_t hidden_key_foe_mon(uint64_t key, const struct pokemon_mon *mon)
{
    if (!(mon->seen & SEEN_SPECIES))
        return hidden_mix(key, 0);
    key = hidden_mix(key, (uint64_t)mon->species << 32 | (uint64_t)mon->set_species << 16 |
                              (uint64_t)hidden_percent(mon) << 8 | mon->status);
    /* Whether it can Gigantamax shows no sooner than when it does. */
    key = hidden_mix(key, (uint64_t)(mon->flags & ~MON_GIGANTAMAX) << 8 | mon->seen);
    if (mon->seen & SEEN_ITEM)
        key = hidden_mix(key, (uint64_t)mon->item << 8 | mon->last_item);
    if (mon->seen & SEEN_ABILITY)
        key = hidden_mix(key, mon->ability);
    uint64_t moves = 0; /* in any order: slots are not seen */
    for (int i = 0; i < mon->slots.count; ++i)
        if (mon->seen >> i & 1)
            moves += rng_mix((uint64_t)mon->slots.id[i] << 8 | mon->slots.pp[i]);
    return hidden_mix(key, moves);
}

/* What of the active Pokémon can be seen by both. */
static uint64_t hidden_key_active(uint64_t key, const struct pokemon_active *a)
{
    const uint64_t secret = (uint64_t)1 << VOLATILE_CHOICELOCK;
    key = hidden_mix(key, a->volatiles & ~secret);
    key = hidden_bytes(key, a->boosts, sizeof a->boosts);
    key = hidden_mix(key, (uint64_t)a->types[0] << 8 | a->types[1]);
    key = hidden_mix(key, (uint64_t)a->last_move << 16 | a->encore_move);
    key = hidden_mix(key, (uint64_t)a->disable_move << 32 | (uint64_t)a->charge_move << 16 |
                              a->locked_move);
    return hidden_mix(key, (uint64_t)a->dynamax_turns << 16 | (uint64_t)a->taunt_turns << 8 |
                               a->encore_turns);
}

uint64_t hidden_key(const void *state, int viewer)
{
    const struct pokemon *s = state;
    const struct pokemon_side *own = &s->sides[viewer], *foe = &s->sides[!viewer];
    uint64_t key = hidden_mix((uint64_t)viewer + 1, s->turn);
    key = hidden_bytes(key, own->mons, sizeof own->mons);
    key = hidden_bytes(key, own->order, sizeof own->order);
    key = hidden_key_active(key, &own->active);
    key = hidden_mix(key, own->active.choice_move);
    int shown = foe->active.illusion ? foe->active.illusion - 1 : foe->order[0];
    key = hidden_mix(key, foe->mons[shown].species);
    key = hidden_mix(key, (uint64_t)hidden_percent(&foe->mons[foe->order[0]]));
    uint64_t bench = 0;
    for (int i = 0; i < POKEMON_TEAM; ++i)
        bench += hidden_key_foe_mon(0, &foe->mons[i]);
    key = hidden_mix(key, bench);
    key = hidden_key_active(key, &foe->active);
    for (int side = 0; side < 2; ++side) {
        key = hidden_bytes(key, s->sides[side].condition, SIDE_COUNT);
        key = hidden_mix(key, (uint64_t)s->sides[side].dynamax_used << 16 |
                                  (uint64_t)s->sides[side].wish_there << 8 |
                                  s->sides[side].future_move);
    }
    key = hidden_mix(key, (uint64_t)s->weather << 40 | (uint64_t)s->weather_turns << 32 |
                              (uint64_t)s->terrain << 24 | (uint64_t)s->terrain_turns << 16 |
                              (uint64_t)s->trick_room << 8 | s->winner);
    if (s->request[viewer] == REQUEST_MOVE) /* the request tells */
        key = hidden_mix(key, legal_trapped(s, viewer));
    return hidden_mix(key, (uint64_t)s->request[0] << 8 | s->request[1]);
}

/* --- drawing what is not seen --- */

void hidden_determinize(void *state, int viewer, struct banyan_rng *rng)
{
    struct belief belief;
    belief_start(&belief, viewer);
    belief_draw(&belief, state, state, rng);
}
