/* Moves and playouts, compiled once for each instruction set.  windows_portable.h,
 * windows_lanes.inc.h or windows_kept.inc.h must be included before. */
#ifndef MUSHROOM_PLAY_H
#define MUSHROOM_PLAY_H

#include "games/mushroom/harvest.h"
#include "games/mushroom/windows.h"

#include "base/rng.h"

#include <banyan/game.h>

enum play_policy {
    PLAY_RANDOM,     /* every legal action is equally likely, the pass included */
    PLAY_RECTANGLES, /* every rectangle is equally likely; passes when there is none */
    PLAY_GREEDY      /* takes the largest swing, a tie at random; passes when there is no
                      * rectangle */
};

static inline int play_legal(const struct mushroom_state *state, banyan_action *out)
{
    struct windows_list list;
    windows_enumerate(state, &list);
    windows_number(&list, out);
    out[list.count] = BOARD_PASS;
    return list.count + 1;
}

/* Priors in proportion to the cells that a rectangle gains, an opponent's cell counting twice; the
 * pass counts as half a cell. */
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

/* Plays uniform random actions without making a list of them.  passes: 1 if the pass may be drawn,
 * otherwise 0. */
static inline void play_uniform(struct mushroom_state *state, int passes, int max_plies,
                                struct banyan_rng *rng)
{
    struct windows_kept kept;
    struct rectangle x = {0, 0, 0, 0};
    bool harvest = false;
    int ply = 0;
    windows_keep(state, &kept);
    for (; ply < max_plies && state->passes < 2; ++ply) {
        int count = windows_count(&kept), index = 0;
        if (count > 0)
            index = (int)rng_below(rng, (uint32_t)(count + passes));
        harvest = index < count;
        state->passes = harvest ? 0 : (uint8_t)(state->passes + 1);
        if (harvest) {
            x = windows_pick(&kept, index);
            windows_harvest(&kept, state, x);
        }
        state->mover ^= 1;
    }
    windows_leave(&kept, state);
    if (ply > 0)
        state->last = (uint16_t)(harvest ? rectangle_action(x) : BOARD_PASS);
}

/* Finds the rectangle with the largest swing, the number of cells by which it changes the lead;
 * returns false when there is none.  Each further rectangle of the same swing replaces the one so
 * far with such a probability that all are equally likely. */
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

static inline void play_greedily(struct mushroom_state *state, int max_plies,
                                 struct banyan_rng *rng)
{
    struct rectangle x;
    for (int ply = 0; ply < max_plies && state->passes < 2; ++ply) {
        bool harvest = play_greedy(state, &x, rng);
        state->passes = harvest ? 0 : (uint8_t)(state->passes + 1);
        if (harvest)
            play_harvest(state, x);
        state->last = (uint16_t)(harvest ? rectangle_action(x) : BOARD_PASS);
        state->mover ^= 1;
    }
}

static inline void play_rollout(struct mushroom_state *state, int policy, int max_plies,
                                struct banyan_rng *rng)
{
    if (policy == PLAY_GREEDY)
        play_greedily(state, max_plies, rng);
    else
        play_uniform(state, policy == PLAY_RANDOM, max_plies, rng);
}

#endif
