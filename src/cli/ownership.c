/* Estimates owners of cells by playouts. */
#include "cli/ownership.h"

#include <stdlib.h>
#include <string.h>

static int ownership_policy(const struct banyan_game *game)
{
    int policy = 0;
    while (game->rollout_policies && game->rollout_policies[policy] &&
           game->rollout_policies[policy + 1])
        ++policy;
    return policy;
}

static void ownership_add(const struct banyan_game *game, const void *final, struct ownership *out)
{
    float score, owner[OWNERSHIP_CELLS_MAX], points[BANYAN_MAX_PLAYERS];
    game->targets(game, final, 0, &score, owner);
    for (int i = 0; i < out->cells; ++i)
        out->owner[i] += owner[i] / OWNERSHIP_PLAYOUTS;
    if (!out->has_points)
        return;
    game->points(game, final, points);
    for (int p = 0; p < game->players; ++p)
        out->points[p] += (double)points[p] / OWNERSHIP_PLAYOUTS;
}

enum banyan_status ownership_check(const struct banyan_game *game, struct banyan_error *err)
{
    int cells = game->planes[1] * game->planes[2];
    if (game->targets && !(game->traits & BANYAN_HIDDEN) && cells >= 1 &&
        cells <= OWNERSHIP_CELLS_MAX)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_UNSUPPORTED, "%s does not say who owns the cells", game->name);
}

enum banyan_status ownership_estimate(const struct banyan_game *game, const void *state,
                                      uint64_t seed, struct ownership *out,
                                      struct banyan_error *err)
{
    struct banyan_rng rng;
    int policy = ownership_policy(game);
    memset(out, 0, sizeof *out);
    enum banyan_status status = ownership_check(game, err);
    if (status != BANYAN_OK)
        return status;
    void *copy = malloc(game->state_size);
    if (!copy)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state of %s", game->name);
    out->cells = game->planes[1] * game->planes[2];
    out->has_points = game->points != NULL;
    banyan_rng_seed(&rng, banyan_rng_child(seed, "ownership", 0));
    for (int i = 0; i < OWNERSHIP_PLAYOUTS; ++i) {
        memcpy(copy, state, game->state_size);
        banyan_game_rollout(game, copy, policy, game->max_plies, &rng);
        ownership_add(game, copy, out);
    }
    free(copy);
    return BANYAN_OK;
}
