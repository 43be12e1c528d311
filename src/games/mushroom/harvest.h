/* What a move changes in the state. */
#ifndef MUSHROOM_HARVEST_H
#define MUSHROOM_HARVEST_H

#include "games/mushroom/mushroom.h"

#if defined(__AVX512BW__)
#include <immintrin.h>
#endif

/* The number of cells by which the mover's lead grows: a free cell counts one, a cell of the
 * opponent two. */
static inline int play_swing(struct cells inside, const struct cells *own,
                             const struct cells *other)
{
    return cells_count(cells_less(inside, *own)) + cells_count(cells_and(inside, *other));
}

static inline void play_clear(uint8_t *digits, struct cells inside, struct rectangle x)
{
#if defined(__AVX512BW__)
    (void)x;
    for (int k = 0; k < 3; ++k)
        if (inside.word[k])
            _mm512_mask_storeu_epi8(digits + 64 * k, inside.word[k], _mm512_setzero_si512());
#else
    (void)inside;
    for (int r = x.r1; r <= x.r2; ++r)
        for (int c = x.c1; c <= x.c2; ++c)
            digits[BOARD_STRIDE * r + c] = 0;
#endif
}

/* Makes the mover the owner of the cells. */
static inline void play_own(struct mushroom_state *state, struct cells inside)
{
    state->owned[state->mover] = cells_or(state->owned[state->mover], inside);
    state->owned[1 - state->mover] = cells_less(state->owned[1 - state->mover], inside);
}

/* Harvests rectangle x for the mover; the mover stays the same. */
static inline void play_harvest(struct mushroom_state *state, struct rectangle x)
{
    struct cells inside = rectangle_cells(x);
    play_clear(state->digits, inside, x);
    state->live = cells_less(state->live, inside);
    play_own(state, inside);
}

static inline void play_action(struct mushroom_state *state, int action)
{
    if (action == BOARD_PASS) {
        ++state->passes;
    } else {
        state->passes = 0;
        play_harvest(state, rectangle_of(action));
    }
    state->last = (uint16_t)action;
    state->mover ^= 1;
}

#endif
