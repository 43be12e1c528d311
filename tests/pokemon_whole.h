/* Whole battles of Pokémon for tests, by seed, and what is often looked at in them. */
#ifndef TESTS_POKEMON_WHOLE_H
#define TESTS_POKEMON_WHOLE_H

#include "games/pokemon/battle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { FOE = 1 };

static inline const struct banyan_game *game(void)
{
    const struct banyan_game *found;
    assert_int_equal(banyan_game_find("pokemon", &found, NULL), BANYAN_OK);
    return found;
}

static inline void start(struct pokemon *s, uint64_t seed)
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, seed);
    assert_int_equal(game()->init(game(), s, NULL, &rng, NULL), BANYAN_OK);
}

static inline struct pokemon_mon *lead(struct pokemon *s, int side)
{
    return &s->sides[side].mons[s->sides[side].order[0]];
}

static inline uint64_t bit(int id)
{
    return (uint64_t)1 << id;
}
/* All Pokémon of a side but the first `left` have fainted. */
static inline void keep_only(struct pokemon_side *side, int left)
{
    for (int i = left; i < POKEMON_TEAM; ++i) {
        side->mons[i].hp = 0;
        side->mons[i].flags |= MON_FAINTED;
    }
    side->left = (uint8_t)left;
}

/* The turn has stopped because the first side's Pokémon leaves; the foe has n actions left. */
static inline void wait_for_foe(struct pokemon *s, int n)
{
    s->mid_turn = 1;
    s->request[0] = REQUEST_SWITCH;
    s->request[FOE] = REQUEST_NONE;
    s->queued = (uint8_t)n;
    for (int i = 0; i < n; ++i)
        s->queue[i] = (struct pokemon_action){
            .choice = CHOICE_MOVE, .side = FOE, .move = lead(s, FOE)->slots.id[0]};
}

#endif
