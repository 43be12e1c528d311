/* The final choice at the root.
 *
 * A rule of options.final ranks the open actions (those without a proven value); the solver's
 * bounds may overrule it:
 *
 *   1. An action that cannot be better than another one and may be worse is not chosen: the other's
 *      lo >= its hi, and they are not proven equal.  If an action is proven to have the best result,
 *      only actions with the same result are left.
 *   2. The rule's favourite among the open actions has its mean as value, clipped to its bounds.
 *   3. It is played unless another action guarantees more than that (a proven one its value, an open
 *      one its lower bound); then the action with the highest guarantee is played.
 *
 * Where visits rank the open actions (all rules but max, max-robust and secure) a proven action
 * with more visits than the favourite is considered as well, if its value is not below the root's
 * mean. Otherwise its visits do not count: they were made before its value was known.
 */
#include "base/numeric.h"
#include "search/search.h"

#include <stdlib.h>

#define FINAL_COLD 1e-3 /* a lower temperature counts as 0 */

static bool final_proven(const struct banyan_search_move *row)
{
    return row->lo >= row->hi;
}

/* The value of an action as a return of the mover, kept within lo and hi; unvisited: the lowest. */
static double final_value(const struct banyan_search *search, const struct banyan_search_move *row)
{
    if (!row->visits)
        return row->lo;
    if (!search->solver) /* no bounds: an evaluator's values may exceed the returns */
        return row->mean;
    return row->mean < row->lo ? row->lo : row->mean > row->hi ? row->hi : row->mean;
}

/* The same value as a reward in [0,1]. */
static double final_reward(const struct banyan_search *search, const struct banyan_search_move *row)
{
    double range = search->game->return_max - search->game->return_min;
    if (!row->visits || range <= 0)
        return row->visits ? 0.5 : 0;
    return (final_value(search, row) - search->game->return_min) / range;
}

static double final_score(const struct banyan_search *search, const struct banyan_search_move *row,
                          double total)
{
    double reward = final_reward(search, row), visits = (double)row->visits;
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

/* Whether row i cannot be better than another one and may be worse. */
static bool final_dominated(const struct banyan_search_move *rows, int count, int i)
{
    for (int j = 0; j < count; ++j)
        if (rows[j].lo >= rows[i].hi && (rows[j].lo > rows[i].lo || rows[j].hi > rows[i].hi))
            return true;
    return false;
}

/* The row that guarantees most; of equal ones the one with the higher upper bound, then the most
 * visited. */
static int final_safest(const struct banyan_search_move *rows, int count)
{
    int best = 0;
    for (int i = 1; i < count; ++i) {
        const struct banyan_search_move *row = &rows[i], *other = &rows[best];
        if (row->lo != other->lo   ? row->lo > other->lo
            : row->hi != other->hi ? row->hi > other->hi
                                   : row->visits > other->visits)
            best = i;
    }
    return best;
}

/* The open row that options.final ranks highest, -1: none. Ties: the higher value, then the order of
 * the rows. */
static int final_best_open(const struct banyan_search *search,
                           const struct banyan_search_move *rows, int count)
{
    double total = 0, best_score = 0;
    int best = -1;
    for (int i = 0; i < count; ++i)
        total += (double)rows[i].visits;
    for (int i = 0; i < count; ++i) {
        if (final_proven(&rows[i]) || final_dominated(rows, count, i))
            continue;
        double score = final_score(search, &rows[i], total > 0 ? total : 1);
        if (best >= 0 &&
            (score < best_score || (score == best_score && final_value(search, &rows[i]) <=
                                                               final_value(search, &rows[best]))))
            continue;
        best = i;
        best_score = score;
    }
    return best;
}

/* Whether a proven row has more visits than the favourite and a value that justifies them. */
static bool final_visits_stand(const struct banyan_search *search,
                               const struct banyan_search_move *rows, int count,
                               const struct banyan_search_move *proven, uint64_t favourite_visits)
{
    enum banyan_search_final rule = search->options.final;
    double sum = 0, visits = 0;
    if (rule == BANYAN_FINAL_MAX || rule == BANYAN_FINAL_MAX_ROBUST ||
        rule == BANYAN_FINAL_SECURE || proven->visits <= favourite_visits)
        return false;
    for (int i = 0; i < count; ++i) {
        sum += rows[i].visits ? rows[i].mean * (double)rows[i].visits : 0;
        visits += (double)rows[i].visits;
    }
    return proven->lo >= sum / visits;
}

/* The rule's favourite (-1: no action is open), unless another row guarantees more, or the row that
 * guarantees most is proven and has more visits that count (final_visits_stand). */
static int final_or_safest(const struct banyan_search *search,
                           const struct banyan_search_move *rows, int count, int favourite)
{
    int safest = final_safest(rows, count);
    if (favourite < 0 || final_value(search, &rows[favourite]) < rows[safest].lo)
        return safest;
    bool stands = final_proven(&rows[safest]) &&
                  final_visits_stand(search, rows, count, &rows[safest], rows[favourite].visits);
    return stands ? safest : favourite;
}

int search_final_best(const struct banyan_search *search, const struct banyan_search_move *rows,
                      int count)
{
    return final_or_safest(search, rows, count, final_best_open(search, rows, count));
}

/* Draws a row in proportion to weights[row]; takes the first row if all weights are 0. */
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

/* Draws in proportion to visits^(1/temperature); rows that are no better than another one and may be worse are not
 * drawn. */
static int final_by_temperature(struct banyan_search *search, const struct banyan_search_move *rows,
                                int count)
{
    double temperature = search->options.temperature;
    int best = search_final_best(search, rows, count);
    if (temperature < FINAL_COLD)
        return best;
    for (int i = 0; i < count; ++i)
        search->scratch.policy[i] =
            final_dominated(rows, count, i)
                ? 0
                : numeric_pow((double)rows[i].visits /
                                  (rows[0].visits ? (double)rows[0].visits : 1),
                              1 / temperature);
    int drawn = final_sample(search, search->scratch.policy, count);
    /* false: no row that may be drawn had a weight */
    bool visited = search->scratch.policy[drawn] > 0;
    return visited ? drawn : best;
}

/* How often halving has visited a row's action, in all trees together. */
static double final_halved(const struct banyan_search *search, int player,
                           const struct banyan_search_move *row)
{
    double visits = search_gumbel_visits(search, player, row->action);
    for (int i = 0; i < search->parallel.member_count; ++i)
        visits += search_gumbel_visits(search->parallel.members[i], player, row->action);
    return visits;
}

/* The least number of visits of the actions that halving considered last.  Visits kept from
 * earlier decisions do not count.  In the middle of a round some actions have one visit more. */
static double final_considered(const struct banyan_search *search, int player,
                               const struct banyan_search_move *rows, int count)
{
    double most = 0;
    for (int i = 0; i < count; ++i) {
        double visits = final_halved(search, player, &rows[i]);
        if (visits > most && !final_proven(&rows[i]) && !final_dominated(rows, count, i))
            most = visits;
    }
    bool between = player == search->root.viewer &&
                   search->gumbel->halving.picked < search->gumbel->halving.alive;
    return between && most > 1 ? most - 1 : most;
}

/* Gumbel: among the open actions that halving considered last, the best by noise, logit and value
 * (Danihelka et al. 2022, algorithm 2). */
static int final_by_gumbel(const struct banyan_search *search, int player,
                           const struct banyan_search_move *rows, int count)
{
    double least = final_considered(search, player, rows, count);
    int best = -1;
    for (int i = 0; i < count; ++i) {
        if (final_proven(&rows[i]) || final_dominated(rows, count, i) ||
            final_halved(search, player, &rows[i]) < least)
            continue;
        if (best < 0 || rows[i].score > rows[best].score)
            best = i;
    }
    return final_or_safest(search, rows, count, best);
}

/* A look for a node in a keyed tree. */
struct final_look {
    const struct tree *tree;
    uint64_t key;
    unsigned char *seen; /* marks of nodes that were looked at; NULL: without transpositions */
};

/* The node of this key anywhere below a reference. */
static struct tree_node *final_find_node(const struct final_look *look, uint32_t child)
{
    if (!child)
        return NULL;
    const struct tree *tree = look->tree;
    const struct tree_outcome *outcome = tree_outcome(tree, child);
    struct tree_node *node = outcome->node ? tree_node(tree, outcome->node) : NULL;
    if (node && node->key == look->key)
        return node;
    struct tree_node *found = final_find_node(look, outcome->left);
    if (!found)
        found = final_find_node(look, outcome->right);
    if (node && !found && look->seen && tree_mark(look->seen, outcome->node))
        return NULL;
    for (int i = 0; node && !found && i < node->tried; ++i)
        found = final_find_node(look, tree_edges(tree, node)[i].child);
    return found;
}

/* The node of a state in one tree, NULL: there is none, or no memory to look for it; state NULL: the root. */
static const struct tree_node *final_strategy_node(const struct banyan_search *one,
                                                   const void *state, int player)
{
    const struct tree *tree = &one->tree;
    struct final_look look = {.tree = tree};
    if (!tree_has(tree, TREE_STRATEGY))
        return NULL;
    if (!state)
        return search_root_node(one, player);
    if (tree->table && !(look.seen = calloc(tree->used / 8 + 1, 1)))
        return NULL;
    look.key = search_node_key(one, state, player);
    const struct tree_node *node =
        final_find_node(&look, one->root.edges[one->trees > 1 ? player : 0].child);
    free(look.seen);
    return node;
}

/* A strategy while the trees of an ensemble are added up. */
struct final_strategy {
    banyan_action *actions;
    double *sums;
    double total; /* of all actions, listed or not */
    int count, max;
};

/* Adds a sum to that of the action, which is listed if there is room. */
static void final_strategy_add(struct final_strategy *strategy, banyan_action action, double sum)
{
    int i = 0;
    strategy->total += sum;
    while (i < strategy->count && strategy->actions[i] != action)
        ++i;
    if (i == strategy->max)
        return;
    if (i == strategy->count) {
        strategy->actions[strategy->count++] = action;
        strategy->sums[i] = 0;
    }
    strategy->sums[i] += sum;
}

int banyan_search_average_strategy(const struct banyan_search *search, const void *state,
                                   int player, banyan_action *actions, double *out, int max)
{
    struct final_strategy strategy = {.actions = actions, .sums = out, .max = max};
    int most = 0; /* actions of a node */
    for (int t = 0; t <= search->parallel.member_count; ++t) {
        const struct banyan_search *one = t ? search->parallel.members[t - 1] : search;
        const struct tree_node *node = final_strategy_node(one, state, player);
        const double *sums = node ? tree_column(&one->tree, node, TREE_STRATEGY) : NULL;
        for (int i = 0; node && i < node->tried; ++i)
            final_strategy_add(&strategy, tree_action(&one->tree, node, i), sums[i]);
        most = node && node->tried > most ? node->tried : most;
    }
    most = strategy.count > most ? strategy.count : most;
    for (int i = 0; i < strategy.count; ++i)
        out[i] = strategy.total > 0 ? out[i] / strategy.total : 1.0 / most;
    return strategy.count;
}

/* The sum of an action's shares of the strategies at the root, over all trees; negative: no tree has
 * the action. */
static double final_strategy_sum(const struct banyan_search *search, int player,
                                 banyan_action action)
{
    double sum = -1;
    for (int t = 0; t <= search->parallel.member_count; ++t) {
        const struct banyan_search *one = t ? search->parallel.members[t - 1] : search;
        const struct tree_node *node = final_strategy_node(one, NULL, player);
        int i = node ? tree_find_action(&one->tree, node, action) : -1;
        if (i < 0 || i >= node->tried)
            continue;
        const double *sums = tree_column(&one->tree, node, TREE_STRATEGY);
        sum = (sum < 0 ? 0 : sum) + sums[i];
    }
    return sum;
}

/* Draws from the average strategy, limited to the rows: where cards are hidden, nodes have
 * actions of other states too. */
static int final_by_average(struct banyan_search *search, int player,
                            const struct banyan_search_move *rows, int count)
{
    double *weights = search->scratch.policy, total = 0;
    bool any_listed = false;
    for (int i = 0; i < count; ++i) {
        double sum = final_strategy_sum(search, player, rows[i].action);
        any_listed |= sum >= 0;
        weights[i] = sum > 0 ? sum : 0;
        total += weights[i];
    }
    if (!any_listed)
        return search_final_best(search, rows, count);
    /* no strategy was summed yet: all actions are equally likely */
    for (int i = 0; i < count && total <= 0; ++i)
        weights[i] = 1;
    return final_sample(search, weights, count);
}

static enum banyan_status final_without_tree(struct banyan_search *search, int player,
                                             struct banyan_search_move *out)
{
    int count = search_root_legal(search, search->root.state, player, search->scratch.legal);
    uint32_t pick = rng_below(&search->rng, (uint32_t)count);
    *out = (struct banyan_search_move){.action = search->scratch.legal[pick],
                                       .mean = NAN,
                                       .prior = NAN,
                                       .lo = search->game->return_min,
                                       .hi = search->game->return_max,
                                       .score = NAN};
    return BANYAN_OK;
}

/* --- whether simulations still to come can change the choice --- */

/* The row after `left` more simulations.  If best, all of them visit it and return the most; else
 * they return the least and do not count as visits. */
static struct banyan_search_move final_after(const struct banyan_search *search,
                                             const struct banyan_search_move *row, double left,
                                             bool best)
{
    struct banyan_search_move after = *row;
    double extreme = best ? search->game->return_max : search->game->return_min;
    double sum = row->visits ? row->mean * (double)row->visits : 0;
    after.mean = (sum + left * extreme) / ((double)row->visits + left);
    after.visits = best ? tree_counted((uint64_t)((double)row->visits + left)) : row->visits;
    return after;
}

/* Whether `left` more simulations cannot rank row above first.  Gumbel chooses among the
 * actions that halving visits most; in the middle of a round their visits may differ by one. */
static bool final_stays_behind(const struct banyan_search *search,
                               const struct banyan_search_move *row,
                               const struct banyan_search_move *first, double left, double total)
{
    if (search->options.rule == BANYAN_RULE_GUMBEL)
        return final_halved(search, search->root.viewer, first) >
               final_halved(search, search->root.viewer, row) + left + 1;
    struct banyan_search_move low = final_after(search, first, left, false);
    struct banyan_search_move high = final_after(search, row, left, true);
    return final_score(search, &low, total) > final_score(search, &high, total);
}

/* Whether the choice is random or the user's function makes it, or the run may go on past its limit. */
static bool final_is_open(const struct banyan_search *search)
{
    const struct banyan_search_options *options = &search->options;
    return search->own_final.choose ||
           (options->final == BANYAN_FINAL_SAMPLE && options->temperature >= FINAL_COLD) ||
           (options->final == BANYAN_FINAL_AVERAGE && tree_has(&search->tree, TREE_STRATEGY)) ||
           (options->final == BANYAN_FINAL_MAX_ROBUST && options->final_agree);
}

bool search_final_decided(const struct banyan_search *search, const struct banyan_search_move *rows,
                          int count, uint64_t left)
{
    if (count == 1)
        return true;
    if (count == 0 || left > UINT32_MAX || final_is_open(search))
        return false;
    double total = (double)left;
    for (int i = 0; i < count; ++i)
        total += (double)rows[i].visits;
    int first = search->options.rule == BANYAN_RULE_GUMBEL
                    ? final_by_gumbel(search, search->root.viewer, rows, count)
                    : search_final_best(search, rows, count);
    struct banyan_search_move low = final_after(search, &rows[first], (double)left, false);
    for (int i = 0; i < count; ++i) {
        if (final_dominated(rows, count, i))
            continue;
        if (final_proven(&rows[i])) /* then the rule compares means, too */
            return false;
        if (i != first &&
            (final_value(search, &low) < rows[i].lo ||
             !final_stays_behind(search, &rows[i], &rows[first], (double)left, total)))
            return false;
    }
    return true;
}

/* Whether there are simulations from this root, or visits kept from an earlier root or given by a book, in
 * any tree of an ensemble: an ensemble that was stopped may have none in its first tree. */
static bool final_knows(const struct banyan_search *search, int count)
{
    bool known = search->simulations > 0 || search->root.visits > 0;
    for (int i = 0; i < search->parallel.member_count && !known; ++i)
        known = final_knows(search->parallel.members[i], 0);
    for (int i = 0; i < count && !known; ++i)
        known = search->scratch.rows[i].visits > 0;
    return known;
}

/* Moves the rows that may be chosen to the front and lets the user's function choose among them. */
static int final_by_own(struct banyan_search *search, struct banyan_search_move *rows, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
        search->scratch.policy[i] = final_dominated(rows, count, i);
    for (int i = 0; i < count; ++i)
        if (search->scratch.policy[i] <= 0)
            rows[kept++] = rows[i];
    int chosen = search->own_final.choose(search->own_final.ctx, rows, kept, &search->rng);
    /* an index out of range stands for the first */
    return (unsigned)chosen < (unsigned)kept ? chosen : 0;
}

enum banyan_status banyan_search_choose(struct banyan_search *search, int player,
                                        struct banyan_search_move *out, struct banyan_error *err)
{
    if (search_needs_root(search, err) != BANYAN_OK)
        return BANYAN_INVALID;
    if (!search_chooses(search, player))
        return banyan_fail(err, BANYAN_INVALID, "%s does not choose at the root",
                           banyan_game_player_name(search->game, player));
    int count = search_choice_rows(search, player, search->scratch.rows);
    if (!final_knows(search, count))
        return banyan_fail(err, BANYAN_INVALID,
                           "no simulation has been made from this root: run the search first");
    if (count == 0)
        return final_without_tree(search, player, out);
    struct banyan_search_move *rows = search->scratch.rows;
    int chosen;
    if (search->own_final.choose)
        chosen = final_by_own(search, rows, count);
    else if (search->options.final == BANYAN_FINAL_SAMPLE)
        chosen = final_by_temperature(search, rows, count);
    else if (search->options.final == BANYAN_FINAL_AVERAGE)
        chosen = final_by_average(search, player, rows, count);
    else if (search->options.rule == BANYAN_RULE_GUMBEL && rows[0].visits > 0)
        chosen = final_by_gumbel(search, player, rows, count);
    else
        chosen = search_final_best(search, rows, count);
    *out = rows[chosen];
    return BANYAN_OK;
}
