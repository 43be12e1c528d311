/* The selection rule UCB1.
 *
 * Textbook form (Browne et al. 2012, section 3.3): mean + 2 Cp sqrt(ln n / n_j)
 * with rewards in [0,1], n visits of the node and n_j of the action; Cp is option exploration.
 * Here means stay in the game's return units, so the second term is multiplied by the width of the
 * return range; the order is the same.  With rewards in [0,1], Cp = 1/sqrt 2 is the form
 * c sqrt(ln n / n_j) with c = sqrt 2 of Kocsis and Szepesvari 2006.
 */
#include "base/least.h"
#include "base/numeric.h"
#include "search/amaf.h"
#include "search/select.h"

/* 2 Cp range sqrt(ln n): the exploration term of a child visited once. */
static double ucb1_spread(const struct banyan_search *search, double visits)
{
    return visits > 1 ? search->ucb_factor * sqrt(numeric_ln(visits)) : 0;
}

/* A short function for the common case: no visits in flight, no proofs, no hidden cards, no bias,
 * no widening.  Creating the search decides whether this is the case. */
static int ucb1_pick_plain(struct banyan_search *search, struct tree_node *node,
                           struct select_choice *choice)
{
    if (node->tried < node->count)
        return tree_next(&search->tree, node);
    int unvisited = node->flags & TREE_UNVISITED ? select_unvisited(search, node) : -1;
    if (unvisited >= 0)
        return unvisited;
    const struct tree_edge *edges = tree_edges(&search->tree, node);
    const float *explore = tree_column(&search->tree, node, TREE_EXPLORE);
    double spread = search->ucb_factor * node->sqrt_ln_visits, best_score = -INFINITY;
    int best = 0;
    for (int i = 0, tried = node->tried; i < tried; ++i) {
        double score = edges[i].mean + spread * (double)explore[i];
        best = score > best_score ? i : best;
        best_score = most_double(best_score, score);
    }
    return best;
}

/* Progressive history (Nijssen and Winands 2010, "Enhancements for multi-player Monte-Carlo tree search"):
 * a move that did well anywhere gets a bonus, which shrinks with each loss after it here. */
static double ucb1_history(const struct banyan_search *search, const struct select_view *view,
                           int i, double mean, double n)
{
    const struct banyan_game *game = search->game;
    const struct amaf_entry *entry = amaf_entries(search->amaf, search->amaf->root, view->mover);
    double low = game->return_min, width = (double)game->return_max - low;
    if (!entry || !(entry += tree_action(&search->tree, view->node, i))->visits)
        return 0;
    double history = ((double)entry->sum / entry->visits - low) / width;
    double losses = n * (1 - (mean - low) / width);
    return search->options.progressive_history * history * search->reward_width / (losses + 1);
}

/* The score of an action whose mean is known, or assumed, after n visits. */
static inline double ucb1_bound(const struct banyan_search *search, const struct select_view *view,
                                int i, double mean, double n, double spread)
{
    if (select_missed(view, i))
        spread = ucb1_spread(search, select_chances(view, i));
    double score = mean + spread * sqrt(1 / n);
    if (search->options.progressive_bias > 0 && view->priors)
        score +=
            search->options.progressive_bias * view->priors[i] / (search->reward_scale * (n + 1));
    return search->amaf ? score + ucb1_history(search, view, i, mean, n) : score;
}

static inline double ucb1_score(const struct banyan_search *search, const struct select_view *view,
                                int i, double spread)
{
    double n = select_arrivals(view, i);
    if (n > 0)
        return ucb1_bound(search, view, i, select_mean(view, i), n, spread);
    return search->options.children_first
               ? INFINITY
               : ucb1_bound(search, view, i, select_node_mean(view), 1, spread);
}

static int ucb1_pick(struct banyan_search *search, struct tree_node *node,
                     struct select_choice *choice)
{
    int fresh = select_fresh(search, node, &choice->offer);
    if (fresh >= 0 && search->options.children_first)
        return fresh;
    struct select_view view;
    select_open(search, node, &choice->offer, &view);
    double spread = ucb1_spread(search, view.visits);
    int best = -1;
    double best_score = -INFINITY;
    for (int k = 0; k < view.offered_tried; ++k) {
        int i = select_at(&view, k);
        if (select_skip(&view, i))
            continue;
        double score = ucb1_score(search, &view, i, spread);
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    if (fresh >= 0 && (best < 0 || ucb1_bound(search, &view, fresh, select_node_mean(&view), 1,
                                              spread) > best_score))
        return fresh;
    return select_or_any(&view, best);
}

/* The edge of the highest score, the first of equal ones, in a node without proven edges. */
static int ucb1_highest(const struct tree_edge *edges, int tried, double spread)
{
    double best_score = -INFINITY;
    int best = 0;
    for (int i = 0; i < tried; ++i) {
        double score = edges[i].mean + spread * numeric_inverse_sqrt(edges[i].visits);
        best = score > best_score ? i : best;
        best_score = most_double(best_score, score);
    }
    return best;
}

/* The short form with a solver: an edge that cannot be the best is left out, a proven one has its value. */
static int ucb1_pick_bounded(struct banyan_search *search, struct tree_node *node,
                             struct select_choice *choice)
{
    if (node->tried < node->count)
        return tree_next(&search->tree, node);
    if (node->flags & TREE_UNVISITED && select_unvisited(search, node) >= 0)
        return ucb1_pick(search, node, choice);
    const struct tree_edge *edges = tree_edges(&search->tree, node);
    double spread = search->ucb_factor * node->sqrt_ln_visits, best_score = -INFINITY;
    if (!(node->flags & TREE_NARROWED))
        return ucb1_highest(edges, node->tried, spread);
    const struct tree_bounds *bounds = tree_column(&search->tree, node, TREE_BOUNDS);
    float guaranteed = search_guaranteed(bounds, node);
    int best = -1;
    for (int i = 0, tried = node->tried; i < tried; ++i) {
        double lo = (double)bounds[i].lo, mean = edges[i].mean;
        if (search_pruned(&bounds[i], node->mover, guaranteed))
            continue;
        if (search_proven(&bounds[i]))
            mean = node->mover == 0 ? lo : search->constant_sum - lo;
        double score = mean + spread * numeric_inverse_sqrt(edges[i].visits);
        best = score > best_score ? i : best;
        best_score = most_double(best_score, score);
    }
    return best >= 0 ? best : 0;
}

/* The mean that stands for edges without finished visits: that of their node. */
static double ucb1_node_mean(const struct banyan_search *search, const struct tree_edge *edges,
                             int tried)
{
    struct select_view view = {
        .edges = edges, .tried = tried, .constant_sum = search->constant_sum};
    return select_node_mean(&view);
}

/* The short form with visits in flight, at nodes where bounds tell nothing. */
static int ucb1_pick_in_flight(struct banyan_search *search, struct tree_node *node,
                               struct select_choice *choice)
{
    if (node->tried < node->count)
        return tree_next(&search->tree, node);
    if (node->flags & TREE_NARROWED)
        return ucb1_pick(search, node, choice);
    const struct tree_edge *edges = tree_edges(&search->tree, node);
    const uint32_t *in_flight = tree_column(&search->tree, node, TREE_IN_FLIGHT);
    uint32_t visits = tree_counted((uint64_t)node->visits + node->in_flight);
    double spread = search->ucb_factor * numeric_sqrt_ln(visits), best_score = -INFINITY;
    double node_mean = NAN; /* not computed yet */
    int best = 0;
    for (int i = 0, tried = node->tried; i < tried; ++i) {
        uint32_t n = tree_counted((uint64_t)edges[i].visits + in_flight[i]);
        double mean = edges[i].mean;
        if (n == 0)
            return i;
        if (!edges[i].visits)
            mean = node_mean = isnan(node_mean) ? ucb1_node_mean(search, edges, tried) : node_mean;
        double score = mean + spread * numeric_inverse_sqrt(n);
        best = score > best_score ? i : best;
        best_score = most_double(best_score, score);
    }
    return best;
}

static double ucb1_row_score(const struct banyan_search *search, const struct tree_node *node,
                             int index, const struct offer *offer)
{
    struct select_view view;
    select_open(search, node, offer, &view);
    return ucb1_score(search, &view, index, ucb1_spread(search, view.visits));
}

const struct select_rule select_ucb1_plain = {.pick = ucb1_pick_plain,
                                              .pick_offered = ucb1_pick,
                                              .score = ucb1_row_score,
                                              .columns = TREE_COLUMN_BIT(TREE_EXPLORE),
                                              .keeps_sqrt_ln = true};
const struct select_rule select_ucb1_bounded = {.pick = ucb1_pick_bounded,
                                                .pick_offered = ucb1_pick,
                                                .score = ucb1_row_score,
                                                .keeps_sqrt_ln = true};
const struct select_rule select_ucb1_in_flight = {
    .pick = ucb1_pick_in_flight, .pick_offered = ucb1_pick, .score = ucb1_row_score};
const struct select_rule select_ucb1 = {.pick = ucb1_pick, .score = ucb1_row_score};
