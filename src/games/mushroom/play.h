/* Moves and playouts, compiled once for each instruction set: whoever includes
 * this has included windows_portable.h or windows_lanes.h before. */
#ifndef MUSHROOM_PLAY_H
#define MUSHROOM_PLAY_H

#include "games/mushroom/harvest.h"
#include "games/mushroom/windows.h"

#include "base/rng.h"

#include <banyan/game.h>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

enum play_policy {
    PLAY_RANDOM,     /* uniform over legal(), the pass included */
    PLAY_RECTANGLES, /* uniform over rectangles; pass when there is none */
    PLAY_GREEDY      /* most cells, ties at random; pass when there is none */
};

static inline int play_legal(const struct mushroom_state *state, banyan_action *out)
{
    struct windows_list list;
    windows_enumerate(state, &list);
    windows_number(&list, out);
    out[list.count] = BOARD_PASS;
    return list.count + 1;
}

/* In proportion to the cells won, stolen ones twice; the pass like half a cell. */
static inline void play_priors(const struct mushroom_state *state, int player,
                               const banyan_action *actions, int n, float *out)
{
    const struct cells *own = &state->owned[player], *other = &state->owned[1 - player];
    int twice = 0;
    for (int i = 0; i < n; ++i) {
        int worth = 1;
        if (actions[i] != BOARD_PASS)
            worth = 2 * play_swing(rectangle_cells(rectangle_of((int)actions[i])), own, other);
        out[i] = (float)worth;
        twice += worth;
    }
    float share = 1 / (float)twice;
    for (int i = 0; i < n; ++i)
        out[i] *= share;
}

/* --- playouts --- */

/* Number of the bit that is index-th from below. */
static inline int play_bit(uint64_t bits, int index)
{
#if defined(__BMI2__)
    return bits_first64(_pdep_u64((uint64_t)1 << index, bits));
#else
    while (index-- > 0)
        bits &= bits - 1;
    return bits_first64(bits);
#endif
}

/* Takes out candidate number index of the windows. */
static inline struct rectangle play_take(struct windows *windows, int index)
{
    for (int v = 0;; ++v)
        for (int down = 0; down < windows_heights(v); ++down) {
            uint64_t *word = &windows->hits[v][down];
            int here = bits_count64(*word);
            if (index < here) {
                int bit = play_bit(*word, index);
                *word &= ~((uint64_t)1 << bit);
                return windows_rectangle(windows, down, WINDOWS_BITS * v + bit);
            }
            index -= here;
        }
}

static inline bool play_row_stands(const struct mushroom_state *state, struct rectangle x, int row)
{
    struct cells line = cells_and(board_from_row[row], board_to_row[row]);
    struct cells span = cells_and(board_from_column[x.c1], board_to_column[x.c2]);
    return cells_any(cells_and(cells_and(line, span), state->live));
}

/* One uniform draw without a list: a candidate is drawn, and dropped when it has an empty top or
 * bottom row.  passes: 1 if the pass is among the choices.  False: the pass. */
static inline bool play_draw(const struct mushroom_state *state, int passes, struct rectangle *out,
                             struct banyan_rng *rng)
{
    struct windows windows;
    windows_fill(state, false, &windows);
    for (int count = windows_count(&windows); count > 0; --count) {
        int index = (int)rng_below(rng, (uint32_t)(count + passes));
        if (index == count)
            return false;
        *out = play_take(&windows, index);
        if (play_row_stands(state, *out, out->r1) && play_row_stands(state, *out, out->r2))
            return true;
    }
    return false;
}

/* The rectangle of the largest swing; false: there is none.  A tie is broken by a draw for each
 * further equal one, so that all have the same chance. */
static inline bool play_greedy(const struct mushroom_state *state, struct rectangle *out,
                               struct banyan_rng *rng)
{
    const struct cells *own = &state->owned[state->mover], *other = &state->owned[1 - state->mover];
    struct windows_list list;
    int best = 0;
    uint32_t ties = 0;
    windows_enumerate(state, &list);
    for (int i = 0; i < list.count; ++i) {
        struct rectangle x = windows_corners(&list, i);
        int swing = play_swing(rectangle_cells(x), own, other);
        ties = swing > best ? 1 : ties + (swing == best);
        if (swing > best || (swing == best && rng_below(rng, ties) == 0))
            *out = x;
        best = swing > best ? swing : best;
    }
    return best > 0;
}

static inline bool play_choose(const struct mushroom_state *state, int policy,
                               struct rectangle *out, struct banyan_rng *rng)
{
    return policy == PLAY_GREEDY ? play_greedy(state, out, rng)
                                 : play_draw(state, policy == PLAY_RANDOM, out, rng);
}

static inline void play_rollout(struct mushroom_state *state, int policy, int max_plies,
                                struct banyan_rng *rng)
{
    struct rectangle x;
    for (int ply = 0; ply < max_plies && state->passes < 2; ++ply) {
        bool harvest = play_choose(state, policy, &x, rng);
        state->passes = harvest ? 0 : (uint8_t)(state->passes + 1);
        if (harvest)
            play_harvest(state, x);
        state->last = (uint16_t)(harvest ? rectangle_action(x) : BOARD_PASS);
        state->mover ^= 1;
    }
}

#endif
