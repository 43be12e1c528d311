/* The final choice at the root. */
#include "base/numeric.h"
#include "search/search.h"

/* A mean as a reward in [0,1]; unvisited: the least. */
static double final_reward(const struct banyan_search *search, const struct banyan_root_move *row)
{
    double range = search->game->return_max - search->game->return_min;
    if (!row->visits || range <= 0)
        return row->visits ? 0.5 : 0;
    return (row->mean - search->game->return_min) / range;
}

static double final_score(const struct banyan_search *search, const struct banyan_root_move *row,
                          double total)
{
    double reward = final_reward(search, row), visits = row->visits;
    const struct banyan_search_options *options = &search->options;
    switch (options->final) {
    case BANYAN_FINAL_MAX:
        return visits > 0 ? reward : -INFINITY;
    case BANYAN_FINAL_MAX_ROBUST:
        return options->final_w1 * reward + options->final_w2 * visits / total;
    case BANYAN_FINAL_SECURE:
        return visits > 0 ? reward - options->secure_z / sqrt(visits) : -INFINITY;
    default:
        return visits;
    }
}

/* Proven values first: an action that is certainly at least as good as any other can be is taken;
 * one that is certainly worse than what another guarantees never is. */
static bool final_dominated(const struct banyan_root_move *rows, int count, int i)
{
    for (int j = 0; j < count; ++j)
        if (j != i && rows[j].lo >= rows[i].hi && rows[j].lo > rows[i].lo)
            return true;
    return false;
}

/* Whether a proven action is better than an open one: a proven win is, a proven loss is not, and a
 * proven draw is unless the open one has both more visits and a better mean. */
static bool final_proven_better(const struct banyan_search *search,
                                const struct banyan_root_move *proven,
                                const struct banyan_root_move *open)
{
    double middle = ((double)search->game->return_min + search->game->return_max) / 2;
    if (proven->lo != middle)
        return proven->lo > middle;
    return proven->visits > open->visits || !(open->mean >= middle);
}

/* Ties: higher mean, then the order of the rows. */
static bool final_better(const struct banyan_search *search, const struct banyan_root_move *a,
                         const struct banyan_root_move *b, double total)
{
    bool a_proven = a->lo >= a->hi, b_proven = b->lo >= b->hi;
    if (a_proven && b_proven && a->lo != b->lo)
        return a->lo > b->lo;
    if (a_proven && !b_proven)
        return final_proven_better(search, a, b);
    if (b_proven && !a_proven)
        return !final_proven_better(search, b, a);
    double score_a = final_score(search, a, total), score_b = final_score(search, b, total);
    if (score_a != score_b)
        return score_a > score_b;
    return final_reward(search, a) > final_reward(search, b);
}

int search_final_best(const struct banyan_search *search, const struct banyan_root_move *rows,
                      int count)
{
    double total = 0;
    for (int i = 0; i < count; ++i)
        total += rows[i].visits;
    int best = -1;
    for (int i = 0; i < count; ++i)
        if (!final_dominated(rows, count, i) &&
            (best < 0 || final_better(search, &rows[i], &rows[best], total > 0 ? total : 1)))
            best = i;
    return best < 0 ? 0 : best;
}

/* In proportion to weight(row); falls back to the first row. */
static int final_sample(struct banyan_search *search, const double *weights, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += weights[i];
    double draw = rng_unit(&search->rng) * sum;
    for (int i = 0; i < count; ++i)
        if ((draw -= weights[i]) < 0)
            return i;
    return 0;
}

static int final_by_temperature(struct banyan_search *search, const struct banyan_root_move *rows,
                                int count)
{
    double temperature = search->options.temperature;
    if (temperature < 1e-3)
        return search_final_best(search, rows, count);
    for (int i = 0; i < count; ++i)
        search->strategy[i] = numeric_pow(
            (double)rows[i].visits / (rows[0].visits ? rows[0].visits : 1), 1 / temperature);
    return final_sample(search, search->strategy, count);
}

/* Gumbel: among the actions that survived the halving, and proofs, the best by noise, logit and
 * value. */
static int final_by_gumbel(const struct banyan_root_move *rows, int count)
{
    int best = -1;
    for (int i = 0; i < count; ++i) {
        if (final_dominated(rows, count, i))
            continue;
        if (best < 0 || (rows[i].visits == rows[best].visits && rows[i].score > rows[best].score))
            best = i; /* rows stand most visited first */
    }
    return best < 0 ? 0 : best;
}

/* The node of this key anywhere below a child reference of a keyed tree. */
static struct tree_node *final_find_node(const struct tree *tree, uint32_t child, uint64_t key)
{
    if (!child)
        return NULL;
    const struct tree_outcome *outcome = tree_outcome(tree, child);
    struct tree_node *node = outcome->node ? tree_node(tree, outcome->node) : NULL;
    if (node && node->key == key)
        return node;
    struct tree_node *found = final_find_node(tree, outcome->left, key);
    if (!found)
        found = final_find_node(tree, outcome->right, key);
    for (int i = 0; node && !found && i < node->tried; ++i)
        found = final_find_node(tree, tree_edges(tree, node)[i].child, key);
    return found;
}

int banyan_search_average_strategy(const struct banyan_search *search, const void *state,
                                   int player, banyan_action *actions, double *out, int max)
{
    if (!search->tree.layout.strategy)
        return 0;
    struct tree_node *node =
        state ? final_find_node(&search->tree, search->root[search->trees > 1 ? player : 0].child,
                                search_node_key(search, state, player))
              : search_root_node(search, player);
    if (!node)
        return 0;
    const double *sums = tree_column(&search->tree, node, search->tree.layout.strategy);
    int count = node->tried < max ? node->tried : max;
    double total = 0;
    for (int i = 0; i < count; ++i)
        total += sums[i];
    for (int i = 0; i < count; ++i) {
        actions[i] = tree_action(&search->tree, node, i);
        out[i] = total > 0 ? sums[i] / total : 1.0 / count;
    }
    return count;
}

static int final_by_average(struct banyan_search *search, int player,
                            const struct banyan_root_move *rows, int count)
{
    banyan_action *actions = search->legal;
    int known = banyan_search_average_strategy(search, NULL, player, actions, search->strategy,
                                               search->game->max_legal);
    if (known == 0)
        return search_final_best(search, rows, count);
    banyan_action action = actions[final_sample(search, search->strategy, known)];
    for (int i = 0; i < count; ++i)
        if (rows[i].action == action)
            return i;
    return 0;
}

static enum banyan_status final_without_tree(struct banyan_search *search, int player,
                                             struct banyan_root_move *out)
{
    int count = search->game->legal(search->root_state, player, search->legal);
    uint32_t pick = rng_below(&search->rng, (uint32_t)count);
    *out = (struct banyan_root_move){.action = search->legal[pick],
                                     .mean = NAN,
                                     .prior = NAN,
                                     .lo = search->game->return_min,
                                     .hi = search->game->return_max,
                                     .score = NAN};
    return BANYAN_OK;
}

enum banyan_status banyan_search_choose(struct banyan_search *search, int player,
                                        struct banyan_root_move *out, struct banyan_error *err)
{
    if (player < 0 || !(search->game->movers(search->root_state) >> player & 1))
        return banyan_fail(err, BANYAN_INVALID, "player %d does not move here", player);
    int count =
        banyan_search_root_moves(search, player, search->trace_rows, search->game->max_legal);
    if (count == 0)
        return final_without_tree(search, player, out);
    const struct banyan_root_move *rows = search->trace_rows;
    int chosen;
    if (search->options.final == BANYAN_FINAL_SAMPLE)
        chosen = final_by_temperature(search, rows, count);
    else if (search->options.final == BANYAN_FINAL_AVERAGE)
        chosen = final_by_average(search, player, rows, count);
    else if (search->options.rule == BANYAN_RULE_GUMBEL && rows[0].visits > 0)
        chosen = final_by_gumbel(rows, count);
    else
        chosen = search_final_best(search, rows, count);
    *out = rows[chosen];
    return BANYAN_OK;
}
