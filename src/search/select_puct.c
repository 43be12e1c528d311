/* PUCT: Q + c(n) P sqrt(n) / (1 + n_j)  (Silver et al. 2017), rewards in [0,1].
 *
 * Q is the mean of an action, P its prior, n_j its visits, n the visits of the node; c(n) is
 * puct_factor().
 *
 * A child that was never visited has the value of its parent less fpu * sqrt(sum of the priors of
 * the visited children) (Leela Chess Zero's "first play urgency" reduction), so that the priors
 * decide which unvisited child is next. Of the untried actions only the one of highest prior can
 * have the best score.
 */
#include "base/numeric.h"
#include "search/select.h"

struct puct {
    double scale, low; /* utility to reward */
    double spread;     /* c(n) sqrt(n) */
    const struct banyan_search_options *options;
    double unvisited; /* reward assumed for unvisited children; NAN: not computed yet */
};

static double puct_factor(const struct banyan_search_options *options, double visits)
{
    double c = options->cpuct;
    if (options->puct_log_base > 0)
        c += numeric_ln((visits + options->puct_log_base + 1) / options->puct_log_base);
    return c;
}

static double puct_spread(const struct banyan_search_options *options, double visits)
{
    return puct_factor(options, visits) * sqrt(visits);
}

/* The sum of the priors of the visited actions that are legal in this state. */
static double puct_mass(const struct select_view *view)
{
    double mass = 0;
    for (int k = 0; k < view->offered_tried; ++k) {
        int i = select_at(view, k);
        /* otherwise the edge came from a book, and is unvisited */
        mass += select_arrivals(view, i) > 0 ? view->priors[i] : 0;
    }
    return mass;
}

static void puct_open(const struct banyan_search *search, const struct select_view *view,
                      struct puct *puct)
{
    puct->options = &search->options;
    puct->scale = search->reward_scale;
    puct->low = search->reward_low;
    puct->spread = puct_spread(&search->options, view->visits);
    puct->unvisited = NAN;
}

/* The reward assumed for unvisited children: computed when the first of them needs it. */
static double puct_unvisited(const struct select_view *view, struct puct *puct)
{
    if (!isnan(puct->unvisited))
        return puct->unvisited;
    double sum = 0, visits = 0;
    for (int i = 0; i < view->tried; ++i) {
        sum += tree_edge_sum(&view->edges[i]);
        visits += view->edges[i].visits;
    }
    double mean = visits > 0 ? (sum / visits - puct->low) * puct->scale : 0.5;
    return puct->unvisited = mean - puct->options->fpu * sqrt(puct_mass(view));
}

/* c(n) P sqrt(n), where n is how often the action could be chosen; with rare_share times the root of n's share of the
 * node's visits. */
static inline double puct_urge(const struct select_view *view, const struct puct *puct, int i)
{
    if (!select_missed(view, i))
        return puct->spread * view->priors[i];
    double chances = select_chances(view, i), spread = puct_spread(puct->options, chances);
    if (puct->options->rare_share)
        spread *= sqrt(chances / view->visits);
    return spread * view->priors[i];
}

static inline double puct_score(const struct select_view *view, struct puct *puct, int i)
{
    double q = view->edges[i].visits ? (select_mean(view, i) - puct->low) * puct->scale
                                     : puct_unvisited(view, puct);
    return q + puct_urge(view, puct, i) / (1 + select_arrivals(view, i));
}

/* KataGo's forced playouts (Wu 2019, section 3.2): at the root, n_j >= sqrt(2 P n). */
static bool puct_forced(const struct banyan_search *search, const struct tree_node *node,
                        const struct select_view *view, int i)
{
    if (!search->options.forced_playouts || search->root.without_noise ||
        !search_is_root(search, node))
        return false;
    double n = select_arrivals(view, i);
    return n > 0 && n * n < 2 * view->priors[i] * select_chances(view, i);
}

/* The tried action of highest score, -1: none may be visited. */
static inline int puct_best(const struct banyan_search *search, const struct tree_node *node,
                            const struct select_view *view, struct puct *puct, bool forced,
                            double *best_score)
{
    int best = -1;
    for (int k = 0; k < view->offered_tried; ++k) {
        int i = select_at(view, k);
        if (select_skip(view, i))
            continue;
        double score =
            forced && puct_forced(search, node, view, i) ? INFINITY : puct_score(view, puct, i);
        if (score > *best_score) {
            *best_score = score;
            best = i;
        }
    }
    return best;
}

/* The same for the usual case without visits in flight and without proofs, which the loop then
 * need not check. */
static int puct_best_plain(const struct banyan_search *search, const struct tree_node *node,
                           const struct select_view *view, struct puct *puct, double *best_score)
{
    struct select_view plain = *view;
    plain.in_flight = NULL;
    plain.bounds = NULL;
    return puct_best(search, node, &plain, puct, false, best_score);
}

static int puct_pick(struct banyan_search *search, struct tree_node *node,
                     struct select_choice *choice)
{
    struct select_view view;
    struct puct puct;
    select_open(search, node, &choice->offer, &view);
    puct_open(search, &view, &puct);
    double best_score = -INFINITY;
    bool plain = !view.in_flight && !view.bounds && !search->options.forced_playouts;
    int best = plain ? puct_best_plain(search, node, &view, &puct, &best_score)
                     : puct_best(search, node, &view, &puct, true, &best_score);
    int fresh = select_fresh(search, node, &choice->offer);
    if (fresh >= 0 &&
        (best < 0 || puct_unvisited(&view, &puct) + puct_urge(&view, &puct, fresh) > best_score))
        return fresh;
    return select_or_any(&view, best);
}

static double puct_row_score(const struct banyan_search *search, const struct tree_node *node,
                             int index, const struct offer *offer)
{
    struct select_view view;
    struct puct puct;
    select_open(search, node, offer, &view);
    puct_open(search, &view, &puct);
    return puct_score(&view, &puct, index);
}

const struct select_rule select_puct = {
    .pick = puct_pick, .score = puct_row_score, .columns = TREE_COLUMN_BIT(TREE_PRIORS)};
