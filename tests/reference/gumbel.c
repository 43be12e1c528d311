/* The rule of Danihelka et al. 2022: Gumbel noise and sequential halving at the root, the improved
 * policy inside. */
#include "reference/inside.h"

#include "base/numeric.h"
#include "base/rng.h"

#include <math.h>

/* logit + sigma(q), sigma(q) = (visit + most visits) * scale * q; q of unvisited actions is the mean
 * of the node.  1e-30 is added to priors, so that the logarithm of 0 is a number. */
double plain_improved_logit(const struct plain_edge *edge)
{
    const struct plain_node *node = edge->node;
    const struct banyan_search_options *options = &node->search->options;
    double logit = numeric_ln((double)edge->prior + 1e-30), most = 0;
    for (int i = 0; i < node->count; ++i)
        most = fmax(most, (double)plain_edge_visits(node->edges[i]));
    bool visited = plain_edge_visits(edge) > 0;
    double q =
        plain_reward(node->search, visited ? plain_edge_mean(edge, 0) : plain_node_mean(node));
    return logit + (options->gumbel_visit + most) * options->gumbel_scale * q;
}

/* Sequential halving: how many visits each action under consideration has when simulation number
 * `index` of `planned` begins, if `considered` actions began. */
static uint64_t halving_visits(int considered, int64_t planned, int64_t index)
{
    int halvings = 0;
    while (1 << halvings < considered)
        ++halvings;
    if (halvings == 0)
        return (uint64_t)index;
    uint64_t visits = 0;
    for (int64_t begin = 0, alive = considered;; alive = alive / 2 > 2 ? alive / 2 : 2) {
        int64_t rounds = planned / (halvings * alive);
        for (int64_t k = 0; k < (rounds > 1 ? rounds : 1); ++k, ++visits, begin += alive)
            if (index < begin + alive)
                return visits;
    }
}

/* Where cards are hidden, actions may be added to the root later; their noise is drawn at that
 * time. */
void plain_draw_gumbel(struct plain *r, const struct plain_node *node)
{
    for (; r->gumbel_count < node->count; ++r->gumbel_count) {
        int id = node->edges[r->gumbel_count]->id;
        r->gumbel[id] = -numeric_ln(-numeric_ln(rng_unit(&r->rng) * (1 - 0x1p-52) + 0x1p-60));
        r->gumbel_before[id] = r->gumbel_kept[id] = 0;
    }
}

/* Where the number of simulations is not known, halving starts anew each time it ends, each time
 * with twice as many simulations. */
static void begin_halving(struct plain *r, const struct plain_node *node)
{
    int most = r->options.gumbel_actions, doubled = r->gumbel_done > 0;
    r->gumbel_considered = most < node->count ? most : node->count;
    r->gumbel_budget = r->planned > 0 ? r->planned
                       : doubled      ? 2 * r->gumbel_budget
                                      : 16 * (int64_t)r->gumbel_considered;
    r->gumbel_done = 0;
    for (int i = 0; i < node->count; ++i) {
        int id = node->edges[i]->id;
        r->gumbel_before[id] = (uint64_t)plain_edge_arrivals(node->edges[i]);
        if (!doubled)
            r->gumbel_kept[id] = r->gumbel_before[id];
    }
}

double plain_visits_by_halving(const struct plain *r, int player, banyan_action action)
{
    const struct plain_node *node = plain_root(r, player);
    bool halved = r->gumbel_done > 0 && player == r->viewer;
    for (int i = 0; node && i < node->count; ++i) {
        const struct plain_edge *edge = node->edges[i];
        if (edge->action == action && edge->tried)
            return plain_edge_arrivals(edge) - (halved ? (double)r->gumbel_kept[edge->id] : 0);
    }
    return 0;
}

bool plain_is_in_round(const struct plain *r)
{
    return r->gumbel_done > 0 &&
           halving_visits(r->gumbel_considered, r->gumbel_budget, r->gumbel_done) ==
               halving_visits(r->gumbel_considered, r->gumbel_budget, r->gumbel_done - 1);
}

/* The action with the highest score, with noise, among those with as many visits as the present
 * round asks for. */
void plain_score_gumbel_root(struct plain *r, const struct plain_node *node, uint64_t offered,
                             double *scores)
{
    plain_draw_gumbel(r, node);
    if (r->gumbel_done == 0 || (r->planned <= 0 && r->gumbel_done == r->gumbel_budget))
        begin_halving(r, node);
    double target =
        (double)halving_visits(r->gumbel_considered, r->gumbel_budget, r->gumbel_done++);
    bool any = false;
    for (int pass = 0; pass < 2 && !any; ++pass) /* second: those with fewer visits */
        for (int i = 0; i < node->count; ++i) {
            const struct plain_edge *edge = node->edges[i];
            double visits = plain_edge_arrivals(edge) - (double)r->gumbel_before[edge->id];
            bool may = plain_is_offered(edge, offered) && !plain_pruned(edge) &&
                       (visits == target || (pass && visits < target));
            scores[i] = may ? r->gumbel[edge->id] + plain_improved_logit(edge) : -INFINITY;
            any = any || may;
        }
}

/* Inside the tree: the improved policy (a softmax), less the action's share of the visits. */
void plain_score_gumbel_inside(const struct plain_node *node, uint64_t offered, double *scores)
{
    double top = -INFINITY, sum = 0, visits = 0;
    for (int i = 0; i < node->count; ++i) {
        visits += plain_edge_arrivals(node->edges[i]);
        if (plain_is_offered(node->edges[i], offered))
            top = fmax(top, plain_improved_logit(node->edges[i]));
    }
    for (int i = 0; i < node->count; ++i) {
        scores[i] = numeric_exp(plain_improved_logit(node->edges[i]) - top);
        sum += plain_is_offered(node->edges[i], offered) ? scores[i] : 0;
    }
    for (int i = 0; i < node->count; ++i) {
        bool may = plain_is_offered(node->edges[i], offered) && !plain_pruned(node->edges[i]);
        double of =
            plain_counts_availability(node->search) ? plain_chances(node->edges[i]) : visits;
        double share = plain_edge_arrivals(node->edges[i]) / (1 + of);
        scores[i] = may ? scores[i] / sum - share : -INFINITY;
    }
}
