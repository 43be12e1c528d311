/* Generalised rapid action value estimation, GRAVE (Cazenave 2015, "Generalized rapid action value
 * estimation", IJCAI, section 3):
 *
 *     (1 - b) mean + b amaf + 2 Cp range sqrt(ln n / (n_j + 1)),  b = a / (a + n_j + bias a n_j)
 *
 * amaf is the mean value of the simulations that played the action there or later, in the table
 * that the node reads (amaf.h), a is their number, n_j the visits of the action and n those of the
 * node; range is the width of the range of returns; bias and Cp are options grave-bias and
 * grave-exploration.  The paper has no third term, and it is 0 by default.  Actions without visits
 * take part with their amaf alone; an action that was never played is chosen immediately.  So a
 * node of many actions need not try them all.
 *
 * With grave-prior=k an action begins with k visits more, whose mean reward is r / (r + 1), where r is
 * its prior divided by the mean prior; then every action has a score from the start (heuristic priors as
 * virtual visits: Gelly and Silver 2007, "Combining online and offline knowledge in UCT", ICML, section 6).
 */
#include "base/numeric.h"
#include "search/amaf.h"
#include "search/select.h"

struct grave_view {
    struct select_view view;
    const struct amaf_entry *entries; /* by the mover's action; NULL: there is no table */
    double spread;                    /* 2 Cp range sqrt(ln n) */
    double bias;
    double prior_visits; /* 0: priors are not read */
};

static void grave_open(const struct banyan_search *search, const struct tree_node *node,
                       const struct offer *offer, struct grave_view *grave)
{
    select_open(search, node, offer, &grave->view);
    uint32_t table = search_is_root(search, node) ? search->amaf->root : search->amaf->closest;
    grave->entries = amaf_entries(search->amaf, table, node->mover);
    double visits = grave->view.visits;
    double factor = 2 * search->options.grave_exploration / search->reward_scale;
    grave->spread = factor > 0 && visits > 1 ? factor * sqrt(numeric_ln(visits)) : 0;
    grave->bias = search->options.grave_bias;
    grave->prior_visits = grave->view.priors ? search->options.grave_prior : 0;
}

/* What an action is worth by its prior alone. */
static double grave_prior_mean(const struct banyan_search *search, const struct select_view *view,
                               int i)
{
    double odds = view->count * (double)view->priors[i];
    return search->reward_low + odds / (odds + 1) / search->reward_scale;
}

static double grave_score(const struct banyan_search *search, const struct tree_node *node,
                          const struct grave_view *grave, int i)
{
    const struct select_view *view = &grave->view;
    static const struct amaf_entry unknown = {0, 0};
    const struct amaf_entry *entry =
        grave->entries ? &grave->entries[tree_action(&search->tree, node, i)] : &unknown;
    double own = i < view->tried ? select_arrivals(view, i) : 0;
    if (view->bounds && i < view->tried && search_proven(&view->bounds[i]))
        return select_mean(view, i);
    double visits = own + grave->prior_visits;
    if (visits <= 0 && entry->visits == 0)
        return INFINITY;
    double mean = own > 0 ? select_mean(view, i) : 0;
    if (grave->prior_visits > 0)
        mean += grave->prior_visits / visits * (grave_prior_mean(search, view, i) - mean);
    if (entry->visits) {
        double share = amaf_share(entry->visits, visits, grave->bias);
        mean += share * ((double)entry->sum / entry->visits - mean);
    }
    return mean + (grave->spread > 0 ? grave->spread * sqrt(1 / (own + 1)) : 0);
}

static int grave_pick(struct banyan_search *search, struct tree_node *node,
                      struct select_choice *choice)
{
    struct grave_view grave;
    grave_open(search, node, &choice->offer, &grave);
    int best = -1;
    double best_score = -INFINITY;
    for (int k = 0; k < grave.view.offered_count; ++k) {
        int i = select_at(&grave.view, k);
        if (i < node->tried && select_skip(&grave.view, i))
            continue;
        double score = grave_score(search, node, &grave, i);
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return select_or_any(&grave.view, best);
}

static double grave_row_score(const struct banyan_search *search, const struct tree_node *node,
                              int index, const struct offer *offer)
{
    struct grave_view grave;
    grave_open(search, node, offer, &grave);
    return grave_score(search, node, &grave, index);
}

const struct select_rule select_grave = {.pick = grave_pick, .score = grave_row_score};
