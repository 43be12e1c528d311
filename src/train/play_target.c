/* Turns a finished search into training targets, and draws the action to play. */
#include "train/play_target.h"

#include "base/numeric.h"
#include "base/rng.h"

#include <math.h>

static double target_reward(const struct banyan_game *game, double value)
{
    return (value - game->return_min) / ((double)game->return_max - game->return_min);
}

/* Takes forced visits away from every action but the most visited one, as long as the action's
 * score stays below that of the most visited one.  An action that is left with one visit gets
 * weight 0. */
static void target_prune(const struct banyan_game *game,
                         const struct banyan_search_options *options,
                         const struct banyan_search_move *rows, int count, uint32_t *weights)
{
    double visits = 0;
    for (int i = 0; i < count; ++i)
        visits += (double)rows[i].visits;
    double spread = options->cpuct * sqrt(visits);
    double best =
        target_reward(game, rows[0].mean) + spread * rows[0].prior / (1.0 + (double)rows[0].visits);
    for (int i = 1; i < count; ++i) {
        if (!rows[i].visits)
            continue;
        double q = target_reward(game, rows[i].mean);
        uint32_t forced = (uint32_t)sqrt(2 * (double)rows[i].prior * visits);
        while (forced-- && weights[i] > 0 && q + spread * rows[i].prior / weights[i] < best)
            --weights[i];
        if (weights[i] <= 1)
            weights[i] = 0;
    }
}

/* What a root's actions have in common: the value of an action without visits (`mean`), and the
 * factor of values (`scale`). */
struct target_scale {
    const struct banyan_game *game;
    double mean, scale;
};

static double target_logit(const struct target_scale *of, const struct banyan_search_move *row)
{
    double q = row->visits ? target_reward(of->game, row->mean) : of->mean;
    return numeric_ln((double)row->prior + 1e-30) + of->scale * q;
}

/* The weights are softmax(logit + scale * q), where q is an action's value.  An action without
 * visits gets the value of the position: the mean of the visited actions, weighted by priors. */
static void target_gumbel(const struct banyan_game *game,
                          const struct banyan_search_options *options,
                          const struct banyan_search_move *rows, int count, uint32_t *weights)
{
    double most = (double)rows[0].visits, mass = 0, mean = 0, top = -INFINITY, sum = 0;
    for (int i = 0; i < count; ++i)
        if (rows[i].visits) {
            mass += rows[i].prior;
            mean += rows[i].prior * target_reward(game, rows[i].mean);
        }
    const struct target_scale of = {game, mass > 0 ? mean / mass : 0.5,
                                    (options->gumbel_visit + most) * options->gumbel_scale};
    for (int i = 0; i < count; ++i)
        top = fmax(top, target_logit(&of, &rows[i]));
    for (int i = 0; i < count; ++i)
        sum += numeric_exp(target_logit(&of, &rows[i]) - top);
    for (int i = 0; i < count; ++i)
        weights[i] = (uint32_t)(65536 * numeric_exp(target_logit(&of, &rows[i]) - top) / sum + 0.5);
}

void play_target_weights(const struct banyan_game *game,
                         const struct banyan_search_options *options, bool prune,
                         const struct banyan_search_move *rows, int count, uint32_t *weights)
{
    for (int i = 0; i < count; ++i)
        weights[i] = (uint32_t)rows[i].visits; /* the tree counts visits in 32 bits */
    if (options->rule == BANYAN_RULE_GUMBEL)
        target_gumbel(game, options, rows, count, weights);
    else if (prune && options->forced_playouts && options->rule == BANYAN_RULE_PUCT)
        target_prune(game, options, rows, count, weights);
}

int play_target_draw(const struct banyan_search_move *rows, int count, double temperature,
                     struct banyan_rng *rng)
{
    if (temperature <= 0.01 || !rows[0].visits)
        return 0;
    double sum = 0, most = (double)rows[0].visits;
    for (int i = 0; i < count; ++i)
        sum += numeric_pow((double)rows[i].visits / most, 1 / temperature);
    double left = rng_unit(rng) * sum;
    for (int i = 0; i < count; ++i) {
        left -= numeric_pow((double)rows[i].visits / most, 1 / temperature);
        if (left < 0)
            return i;
    }
    return 0;
}
