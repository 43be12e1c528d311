/* Regret matching (Hart and Mas-Colell 2000; Lanctot et al. 2013). */
#include "reference/inside.h"

#include "base/numeric.h"
#include "base/rng.h"

#include <math.h>
#include <string.h>

/* In proportion to positive regret, by id. */
void plain_match_regrets(const double *regrets, int count, uint64_t offered, double *strategy)
{
    double sum = 0, allowed = 0;
    for (int i = 0; i < count; ++i) {
        strategy[i] = offered >> i & 1 && regrets[i] > 0 ? regrets[i] : 0;
        sum += strategy[i];
        allowed += (double)(offered >> i & 1);
    }
    for (int i = 0; i < count; ++i)
        strategy[i] = !(offered >> i & 1) ? 0 : sum > 0 ? strategy[i] / sum : 1 / allowed;
}

/* Adds a result: the regret of every action on offer grows by its value minus the value of the
 * strategy.  The value of an action that was not played is its mean.  The value of the one that was
 * played is its mean plus (result - mean) / probability of the action: an importance weighted sample
 * with the mean as control variate (Schmid et al. 2019). */
static void add_regret(const struct plain_result *result, double earned, int count,
                       const double *means, double *regrets)
{
    double strategy[PLAIN_ACTIONS], values[PLAIN_ACTIONS], expected = 0;
    plain_match_regrets(regrets, count, result->offered, strategy);
    for (int i = 0; i < count; ++i) {
        values[i] = means[i];
        if (i == result->edge->id)
            values[i] += (earned - means[i]) / (double)result->probability;
        expected += strategy[i] * values[i];
    }
    for (int i = 0; i < count; ++i)
        regrets[i] += result->offered >> i & 1 ? values[i] - expected : 0;
}

/* Computes the regrets anew from all results, beginning with the first. */
void plain_regrets(const struct plain_node *node, double *out)
{
    double sums[PLAIN_ACTIONS] = {0}, visits[PLAIN_ACTIONS] = {0}, means[PLAIN_ACTIONS] = {0};
    memset(out, 0, (size_t)node->count * sizeof *out);
    for (const struct plain_result *i = node->back.first; i; i = i->next) {
        int id = i->edge->id;
        double earned = plain_utility(node->search, i->values, node->mover);
        add_regret(i, earned, node->count, means, out);
        sums[id] += earned;
        means[id] = sums[id] / ++visits[id];
    }
}

/* Draws an index with these probabilities from a number in [0,1), or in [0, their sum). */
static int draw_index(const float *probabilities, int count, double draw)
{
    int chosen = -1;
    for (int i = 0; i < count && draw >= 0; ++i)
        if (probabilities[i] > 0) {
            chosen = i;
            draw -= (double)probabilities[i];
        }
    return chosen;
}

/* Draws an action: the strategy, mixed with a share of uniform play that falls with the visits. */
int plain_sample_regret(struct plain *r, struct plain_node *node, uint64_t offered,
                        float *probability)
{
    double regrets[PLAIN_ACTIONS], allowed = 0;
    float mixed[PLAIN_ACTIONS];
    struct plain_play *play =
        plain_take(r, sizeof *play + (size_t)node->count * sizeof *play->strategy);
    plain_regrets(node, regrets);
    plain_match_regrets(regrets, node->count, offered, play->strategy);
    play->next = node->plays;
    play->count = node->count;
    node->plays = play;
    for (int i = 0; i < node->count; ++i) {
        node->edges[i]->tried = true;
        allowed += (double)(offered >> i & 1);
    }
    double explore = r->options.regret_explore *
                     numeric_pow(1 + (double)plain_node_visits(node) * 1e-3, -1.0 / 3);
    for (int i = 0; i < node->count; ++i) {
        int id = node->edges[i]->id;
        mixed[i] =
            offered >> id & 1 ? (float)((1 - explore) * play->strategy[id] + explore / allowed) : 0;
    }
    int chosen = draw_index(mixed, node->count, rng_unit(&r->rng));
    *probability = mixed[chosen];
    return chosen;
}

/* The mean of the strategies that were played; uniform, if none was. */
void plain_average_strategy(const struct plain_node *node, double *out)
{
    double total = 0;
    memset(out, 0, (size_t)node->count * sizeof *out);
    for (const struct plain_play *play = node->plays; play; play = play->next)
        for (int i = 0; i < play->count; ++i)
            total += play->strategy[i], out[i] += play->strategy[i];
    for (int i = 0; i < node->count; ++i)
        out[i] = total > 0 ? out[i] / total : 1.0 / node->count;
}
