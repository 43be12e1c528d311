/* The value of a finished game by its returns and its score. */
#include "search/search.h"

#include <banyan/evaluator.h>

/* Values are rounded to multiples of (half the return range) / SCORE_STEPS. */
#define SCORE_STEPS 0x1p16

/* Mixes the values of a finished game with its score. */
static void score_mix(const struct banyan_game *game, const struct banyan_score *score,
                      const void *final, float *values)
{
    float points[BANYAN_MAX_PLAYERS];
    double half = ((double)game->return_max - game->return_min) / 2;
    double middle = game->return_min + half;
    if (half <= 0)
        return;
    game->points(game, final, points);
    double lead = (double)points[0] - (double)points[1];
    double share = score->weight * lead / (fabs(lead) + score->scale);
    for (int p = 0; p < 2; ++p) {
        double own = (1 - score->weight) * (values[p] - middle) / half + (p == 0 ? share : -share);
        values[p] = (float)(middle + half * (rint(own * SCORE_STEPS) / SCORE_STEPS));
    }
}

void banyan_score_returns(const struct banyan_game *game, const struct banyan_score *score,
                          const void *final, float *values)
{
    game->returns(game, final, values);
    if (score)
        score_mix(game, score, final, values);
}
