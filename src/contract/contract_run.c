/* The contract: all checks on one random game, and the checks over all games. */
#include "contract/contract.h"

/* Checks the actions of one mover; false: they cannot be used. */
static bool contract_check_mover(struct contract *c, int player)
{
    const struct banyan_game *g = c->game;
    const void *state = c->slot[SLOT_STATE];
    if (!contract_check_legal(c, state, player))
        return false;
    if (g->legal_count)
        contract_check_legal_count(c, state, player);
    if (g->legal_count_after && (c->index < 4 || (c->index + c->ply) % 4 == 0))
        contract_check_legal_count_after(c, state, player);
    if (g->priors)
        contract_check_priors(c, state, player);
    if (g->policy_index)
        contract_check_policy_index(c, state, player);
    if (g->decisive)
        contract_check_decisive(c, state, player);
    if (contract_sometimes(c, 4) || c->index < 2)
        contract_check_actions(c, state, player);
    if (g->board_cells && c->index < 8)
        contract_check_board_cells(c, state, player);
    return true;
}

/* Cheap checks of the position in SLOT_STATE, at every ply. */
static void contract_check_position(struct contract *c, unsigned movers)
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
        contract_check_mirror_look(c, movers);
    }
}

/* Slow checks: at some plies, at the ends, and at the beginning of the first games. */
static void contract_check_closely(struct contract *c, unsigned movers)
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

static void contract_check_end(struct contract *c)
{
    const void *state = c->slot[SLOT_STATE];
    bool right = contract_check_returns(c, state);
    if (c->game->bounds && right)
        contract_check_bounds_kept(c, state);
    if (c->game->targets)
        contract_check_targets(c, state);
}

/* All checks of the position in SLOT_STATE; false: the game cannot be played on from it. */
static bool contract_check_state(struct contract *c, unsigned *movers)
{
    contract_keep(c);
    if (!contract_check_movers(c, c->slot[SLOT_STATE], movers))
        return false;
    contract_check_kept(c, "movers()");
    for (int p = 0; p < c->game->players; ++p)
        if ((*movers >> p & 1) && !contract_check_mover(c, p))
            return false;
    contract_check_position(c, *movers);
    bool first = c->index < 2 && c->ply < 16;
    if (first || contract_sometimes(c, 16 + (uint32_t)c->ply / 4) ||
        (*movers == 0 && c->index < 64))
        contract_check_closely(c, *movers);
    if (*movers == 0)
        contract_check_end(c);
    contract_check_kept(c, "a function without dice or stream");
    for (int s = 0; s < SLOTS; ++s)
        contract_check_guard(c, (enum contract_slot)s, "a function");
    return true;
}

/* One ply: all checks, then a random joint action.  False when the game is over or cannot go on. */
static bool contract_ply(struct contract *c)
{
    const struct banyan_game *g = c->game;
    banyan_action joint[BANYAN_MAX_PLAYERS];
    unsigned movers;
    ++c->positions;
    if (!contract_check_state(c, &movers) || movers == 0 || contract_stopped(c))
        return false;
    contract_choose(c, c->slot[SLOT_STATE], &c->rng, joint);
    bool dice = contract_check_apply(c, joint) > 0;
    if (g->symmetry && !dice)
        contract_check_image_apply(c, joint,
                                   (int)banyan_rng_below(&c->rng, (uint32_t)g->symmetries));
    if (g->mirror && !dice)
        contract_check_image_apply(c, joint, CONTRACT_MIRROR);
    contract_copy(c, SLOT_STATE, c->slot[SLOT_NEXT]);
    if (contract_stopped(c))
        return false;
    c->endless = ++c->ply == CONTRACT_PLIES;
    c->too_long = c->too_long || c->ply > g->max_plies;
    return contract_check(c, c->ply <= g->max_plies,
                          "the game is longer than max_plies, which is %d", g->max_plies);
}

/* Whether the check goes on. */
static bool contract_goes_on(struct contract *c)
{
    return contract_check(c, !c->endless, "apply() was called %d times, and the game does not end",
                          CONTRACT_PLIES) &&
           c->faults < CONTRACT_FAULTS && !contract_stopped(c);
}

void contract_game(struct contract *c, int index)
{
    c->index = index;
    c->ply = 0;
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p) {
        c->low[p] = (struct contract_bounds){c->game->return_min, c->game->return_max, 0};
        c->high[p] = c->low[p];
    }
    banyan_rng_seed(&c->rng, banyan_rng_child(c->options->seed, c->game->name, (uint64_t)index));
    if (!contract_check_init(c))
        return;
    if (index < 2 && c->game->rollout)
        contract_check_random_policy(c);
    while (contract_goes_on(c) && contract_ply(c))
        ;
}

/* Whether this number of games is enough. */
static bool contract_played(const struct contract *c, int games)
{
    enum { LEAST = 5 };
    double bytes = (double)c->positions * (double)c->game->state_size;
    return games >= c->options->games ||
           (games >= LEAST && c->options->state_bytes > 0 && bytes >= c->options->state_bytes);
}

int contract_run(struct contract *c)
{
    int games = 0;
    if (!contract_check_starts(c))
        return 0;
    contract_check_garbage_setups(c);
    while (contract_goes_on(c) && !contract_played(c, games))
        contract_game(c, c->options->first + games++);
    if (contract_stopped(c))
        return games;
    c->index = c->ply = -1;
    contract_check(c, !c->too_long || c->faults > 0,
                   "the game is longer than max_plies, which is %d", c->game->max_plies);
    contract_check_rolls(c);
    contract_check_keys(c);
    if (c->game->traits & BANYAN_HIDDEN)
        contract_check_deals(c);
    return games;
}
