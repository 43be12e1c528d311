/* How a game of self-play begins: by the rules, and perhaps some random plies. */
#include "train/play_start.h"

#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

/* A game that goes on at random after its first position has a result that says little about that
 * position; random plies before it make positions as varied, and the result is that of good play. */
static enum banyan_status start_at_random(const struct play_job *job, struct opening *opening,
                                          void *state, struct banyan_rng *rng,
                                          struct banyan_error *err)
{
    const struct banyan_game *game = job->game;
    struct banyan_rng dice_rng;
    struct banyan_dice dice;
    struct opening_wish wish;
    wish.plies = (int)rng_below(rng, (uint32_t)job->options->random_plies + 1);
    wish.seed = rng_next(rng);
    wish.dice_seed = rng_next(rng);
    enum banyan_status status = opening_random(opening, game, state, &wish, err);
    banyan_rng_seed(&dice_rng, wish.dice_seed);
    banyan_dice_drawn(&dice, &dice_rng);
    for (int i = 0; status == BANYAN_OK && i < opening->plies; ++i)
        game->apply(game, state, opening->joints + (size_t)i * BANYAN_MAX_PLAYERS, &dice);
    return status;
}

enum banyan_status play_start(const struct play_job *job, struct opening *opening, void *state,
                              struct banyan_rng *rng, struct record *record,
                              struct banyan_error *err)
{
    const struct banyan_game *game = job->game;
    struct banyan_rng deal;
    banyan_rng_seed(&deal, rng_next(rng));
    memset(state, 0, game->state_size);
    enum banyan_status status = game->init(game, state, job->setup, &deal, err);
    if (status == BANYAN_OK && job->options->random_plies > 0)
        status = start_at_random(job, opening, state, rng, err);
    if (status != BANYAN_OK)
        return status;
    int length = game->format(game, state, NULL, 0);
    record->start = malloc((size_t)length + 1);
    if (!record->start)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
    game->format(game, state, record->start, (size_t)length + 1);
    return BANYAN_OK;
}
