/* Regret matching (Hart and Mas-Colell 2000) as a selection rule, for nodes
 * where movers choose at the same time or cannot see each other's cards (Lanctot et al.
 * 2013; Tak, Lanctot, Winands 2014).
 *
 * The mover plays in proportion to positive regret, mixed with a falling share of uniform play.
 * After each simulation every action's regret grows by the action's value less the strategy's
 * value.  The value of the action played is an importance weighted sample, with its running mean as
 * a control variate (Schmid et al. 2019); the value of the others is their running mean.  The
 * *average* strategy, summed in a column, is the one that approaches an equilibrium.
 */
#include "base/numeric.h"
#include "search/select.h"

void select_regret_strategy(const struct tree_node *node, const struct offer *offer,
                            const double *regret, double *out)
{
    double sum = 0;
    for (int k = 0; k < offer->count; ++k) {
        int i = offer_at(offer, k);
        out[k] = i < node->tried && regret[i] > 0 ? regret[i] : 0;
        sum += out[k];
    }
    for (int k = 0; k < offer->count; ++k)
        out[k] = sum > 0 ? out[k] / sum : 1.0 / offer->count;
}

/* The share of uniform play falls with the visits, because exploration by the others would
 * otherwise leave a lasting bias in a mover's regrets.  It falls with their cube root: with the square
 * root, an action that few simulations reach was sampled so rarely that one sample of a large weight
 * spoiled its regret for millions of visits. */
static double regret_explore(const struct banyan_search *search, const struct tree_node *node)
{
    return search->options.regret_explore * numeric_pow(1 + node->visits * 1e-3, -1.0 / 3);
}

static int regret_pick(struct banyan_search *search, struct tree_node *node,
                       struct select_choice *choice)
{
    while (node->tried < node->count) /* all actions have regrets from the start */
        if (tree_try(&search->tree, node, node->tried) < 0)
            break;
    const double *regret = tree_column(&search->tree, node, TREE_REGRET);
    double *sums = tree_column(&search->tree, node, TREE_STRATEGY);
    double *strategy = search->scratch.policy, explore = regret_explore(search, node);
    const struct offer *offer = &choice->offer;
    select_regret_strategy(node, offer, regret, strategy);
    double draw = rng_unit(&search->rng);
    int chosen = -1;
    for (int k = 0; k < offer->count; ++k) {
        int i = offer_at(offer, k);
        if (i < node->tried)
            sums[i] += strategy[k];
        if (draw < 0)
            continue;
        chosen = i;
        choice->probability = (float)((1 - explore) * strategy[k] + explore / offer->count);
        draw -= choice->probability;
    }
    return chosen;
}

/* The estimated value of an edge: its mean; for the edge that was played, the importance weighted
 * sample of this result, with the mean as control variate. */
static double regret_earned(const struct tree_edge *edges, const struct path_step *step, int i,
                            double utility)
{
    double mean = edges[i].mean;
    return i == step->edge ? mean + (utility - mean) / step->probability : mean;
}

void select_regret_update(struct banyan_search *search, struct tree_node *node,
                          const struct path_step *step, const struct offer *offer, double utility)
{
    const struct tree_edge *edges = tree_edges(&search->tree, node);
    double *regret = tree_column(&search->tree, node, TREE_REGRET), expected = 0;
    double *strategy = search->scratch.policy;
    select_regret_strategy(node, offer, regret, strategy);
    for (int k = 0; k < offer->count; ++k) {
        int i = offer_at(offer, k);
        if (i < node->tried)
            expected += strategy[k] * regret_earned(edges, step, i, utility);
    }
    for (int k = 0; k < offer->count; ++k) {
        int i = offer_at(offer, k);
        if (i < node->tried)
            regret[i] += regret_earned(edges, step, i, utility) - expected;
    }
}

static double regret_row_score(const struct banyan_search *search, const struct tree_node *node,
                               int index, const struct offer *offer)
{
    return ((double *)tree_column(&search->tree, node, TREE_REGRET))[index];
}

const struct select_rule select_regret = {.pick = regret_pick,
                                          .score = regret_row_score,
                                          .columns = TREE_COLUMN_BIT(TREE_REGRET) |
                                                     TREE_COLUMN_BIT(TREE_STRATEGY)};
