/* The contract: all checks on one random game, and the checks over all games. */
#ifndef TESTS_CONTRACT_RUN_H
#define TESTS_CONTRACT_RUN_H

#include "contract_hooks.h"

/* Checks of one mover's options. */
static inline bool contract_check_mover(struct contract *c, int player)
{
    const struct banyan_game *g = c->game;
    const void *state = c->slot[SLOT_STATE];
    if (!contract_check_legal(c, state, player))
        return false;
    if (g->legal_count)
        contract_check(c, g->legal_count(g, state, player) == c->count[player],
                       "legal_count() is %d, legal() names %d actions",
                       g->legal_count(g, state, player), c->count[player]);
    if (g->priors)
        contract_check_priors(c, state, player);
    if (g->policy_index)
        contract_check_policy_index(c, state, player);
    if (g->decisive)
        contract_check_decisive(c, state, player);
    if (contract_sometimes(c, 4) || c->index < 2)
        contract_check_actions(c, state, player);
    return true;
}

/* Cheap checks of the position in SLOT_STATE, at every ply. */
static inline void contract_check_position(struct contract *c, unsigned movers)
{
    const struct banyan_game *g = c->game;
    const void *state = c->slot[SLOT_STATE];
    contract_check_key(c, state, movers);
    if (g->bounds)
        contract_check_bounds(c, state);
    if (g->heuristic)
        contract_check_heuristic(c, state);
    int viewer = (int)banyan_rng_below(&c->rng, (uint32_t)g->players);
    if (g->encode)
        contract_check_encode(c, state, viewer);
    contract_check_observation(c, state, viewer);
    if (g->symmetry) {
        int k = (int)banyan_rng_below(&c->rng, (uint32_t)g->symmetries);
        contract_check_image(c, movers, k);
        contract_check_image_values(c, k, movers == 0);
    }
    if (g->mirror) {
        contract_check_image(c, movers, CONTRACT_MIRROR);
        contract_check_image_values(c, CONTRACT_MIRROR, movers == 0);
    }
}

/* Slow checks: at some plies, at the ends, and at the beginning of the first games. */
static inline void contract_check_closely(struct contract *c, unsigned movers)
{
    const struct banyan_game *g = c->game;
    const void *state = c->slot[SLOT_STATE];
    contract_check_format(c, state);
    contract_check_pictures(c, state);
    contract_check_spoiled_setups(c, 2);
    for (int viewer = 0; viewer < g->players && g->determinize && movers; ++viewer)
        contract_check_determinize(c, state, movers, viewer);
    for (int policy = 0; g->rollout && movers && policy < contract_policies(g); ++policy) {
        contract_check_rollout(c, state, policy);
        contract_check_rollout_ply(c, state, policy);
    }
}

static inline void contract_check_end(struct contract *c)
{
    const void *state = c->slot[SLOT_STATE];
    contract_check_returns(c, state);
    if (c->game->bounds)
        contract_check_bounds_kept(c, state);
    if (c->game->targets)
        contract_check_targets(c, state);
}

/* One ply: all checks, then a random joint action.  False when the game is over or cannot go on. */
static inline bool contract_ply(struct contract *c)
{
    const struct banyan_game *g = c->game;
    banyan_action joint[BANYAN_MAX_PLAYERS];
    unsigned movers = contract_check_movers(c, c->slot[SLOT_STATE]);
    ++c->positions;
    for (int p = 0; p < g->players; ++p)
        if ((movers >> p & 1) && !contract_check_mover(c, p))
            return false;
    contract_check_position(c, movers);
    bool first = c->index < 2 && c->ply < 16;
    if (first || contract_sometimes(c, 16 + (uint32_t)c->ply / 4) || (movers == 0 && c->index < 64))
        contract_check_closely(c, movers);
    if (movers == 0) {
        contract_check_end(c);
        return false;
    }
    contract_choose(c, c->slot[SLOT_STATE], &c->rng, joint);
    bool dice = contract_check_apply(c, joint) > 0;
    if (g->symmetry && !dice)
        contract_check_image_apply(c, joint,
                                   (int)banyan_rng_below(&c->rng, (uint32_t)g->symmetries));
    if (g->mirror && !dice)
        contract_check_image_apply(c, joint, CONTRACT_MIRROR);
    contract_copy(c, SLOT_STATE, c->slot[SLOT_NEXT]);
    return contract_check(c, ++c->ply <= g->max_plies, "the game is longer than max_plies");
}

/* Plays game number index.  The same index always is the same game. */
static inline void contract_game(struct contract *c, int index)
{
    c->index = index;
    c->ply = 0;
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p) {
        c->lo[p] = c->game->return_min;
        c->hi[p] = c->game->return_max;
    }
    banyan_rng_seed(&c->rng, banyan_rng_child(2026, c->game->name, (uint64_t)index));
    if (!contract_check_init(c))
        return;
    if (index < 4 && c->game->rollout)
        contract_check_random_policy(c);
    while (contract_ply(c) && c->failures < 20)
        ;
    contract_check_guards(c);
}

/* Checks the keys: most different positions have different keys, and every bit is set in about half
 * of the keys.
 */
static inline void contract_check_keys(struct contract *c)
{
    int bits[64] = {0}, n = 0;
    for (int i = 0; i < CONTRACT_KEYS; ++i) {
        if (!c->seen[i].name)
            continue;
        ++n;
        for (int b = 0; b < 64; ++b)
            bits[b] += (int)(c->seen[i].key >> b & 1);
    }
    c->index = c->ply = -1;
    contract_check(c, (c->game->traits & BANYAN_HIDDEN) || c->merged * 4 <= c->keyed * 3,
                   "key() of %ld in %ld positions is that of a different one", c->merged, c->keyed);
    for (int b = 0; b < 64 && n >= 500; ++b)
        contract_check(c, fabs(bits[b] - n / 2.0) < 6 * sqrt(n) / 2,
                       "bit %d is set in %d of %d different keys: no good mix", b, bits[b], n);
}

static inline void contract_close(struct contract *c)
{
    contract_check_keys(c);
    contract_check(c, !(c->game->traits & BANYAN_HIDDEN) || c->determinized_changed > 0,
                   "determinize() never changed anything in %ld calls", c->determinized);
}

/* Plays at least `least` and at most `most` games, and stops when their states have so many
 * bytes together.  Returns the number of games. */
static inline int contract_run(struct contract *c, int least, int most, double bytes)
{
    int index = 0;
    contract_check_card(c);
    contract_check_garbage_setups(c);
    while (index < most &&
           (index < least || (double)c->positions * (double)c->game->state_size < bytes) &&
           c->failures < 20)
        contract_game(c, index++);
    contract_close(c);
    return index;
}

#endif
