/* The scores of actions by UCB1, UCB1-tuned and PUCT, and which score is the highest. */
#include "reference/inside.h"

#include "base/numeric.h"

#include <math.h>

/* Whether the other search played what follows from the score of edge i being the highest. */
static bool was_told(const struct plain *r, struct plain_node *node, int i)
{
    const struct plain_told *told = r->told_next < r->told_count ? &r->told[r->told_next] : NULL;
    return told &&
           node->edges[plain_instead_of_proven(node, r->contenders, i)]->action == told->action;
}

/* The index of the highest score, the first of equal ones; the other search's choice is taken if
 * its score is within 1e-9. -1: all are -INFINITY. */
int plain_best_of(struct plain *r, struct plain_node *node, const double *scores)
{
    int best = -1;
    for (int i = 0; i < node->count; ++i)
        if (scores[i] > (best < 0 ? -INFINITY : scores[best]))
            best = i;
    if (best < 0 || was_told(r, node, best))
        return best;
    for (int i = 0; i < node->count; ++i)
        if ((scores[i] >= scores[best] || scores[best] - scores[i] < 1e-9) &&
            was_told(r, node, i)) {
            ++r->ties;
            return i;
        }
    return best;
}

/* Progressive widening (Coulom 2007): whether one more action may be tried. */
static bool widening_admits(const struct plain_node *node)
{
    const struct banyan_search_options *options = &node->search->options;
    int tried = 0;
    while (tried < node->count && node->edges[tried]->tried)
        ++tried;
    return options->widen_factor <= 0 || tried == 0 ||
           tried < options->widen_factor *
                       numeric_pow((double)plain_node_visits(node), options->widen_power);
}

int plain_next_untried(struct plain *r, struct plain_node *node, uint64_t offered)
{
    double scores[PLAIN_ACTIONS];
    int first = 0;
    if (!widening_admits(node))
        return -1;
    for (int i = 0; i < node->count; ++i) {
        bool may = !node->edges[i]->tried && plain_is_offered(node->edges[i], offered);
        scores[i] = !may ? -INFINITY : r->priors ? (double)node->edges[i]->prior : -(double)i;
        first += node->edges[i]->tried;
    }
    int next = plain_best_of(r, node, scores);
    if (next < 0 || ~offered & (UINT64_MAX >> (64 - node->count)))
        return next;
    struct plain_edge *edge = node->edges[next];
    node->edges[next] = node->edges[first];
    node->edges[first] = edge;
    return first;
}

/* UCB1 (Auer et al. 2002): mean + 2 Cp sqrt(ln n / n_j), and the progressive bias of Chaslot et al.
 * 2008. */
static double ucb1(const struct plain_edge *edge, double mean, double visits, double edge_visits)
{
    const struct plain *r = edge->node->search;
    double ln = visits > 1 ? numeric_ln(visits) : 0, width = sqrt(1 / edge_visits);
    width = r->short_ucb1 && !r->is_narrowed ? (double)(float)width : width;
    return plain_reward(r, mean) + 2 * r->options.exploration * sqrt(ln) * width +
           r->options.progressive_bias * (double)edge->prior / (edge_visits + 1) +
           (r->options.progressive_history > 0 ? plain_history(r, edge, mean, edge_visits) : 0);
}

/* UCB1-tuned (Auer et al. 2002, section 4): the variance bounds the exploration. */
static double tuned(const struct plain_edge *edge, double mean, double visits, double edge_visits)
{
    const struct plain *r = edge->node->search;
    double ln = visits > 1 ? numeric_ln(visits) : 0, variance = 0.25;
    double done = (double)plain_edge_visits(edge), width = plain_reward_width(r);
    if (done > 0) {
        double own = plain_edge_sum(edge) / done;
        variance = (plain_edge_squares(edge) / done - own * own) / (width * width);
    }
    double bound = (variance > 0 ? variance : 0) + sqrt(2 * ln / edge_visits);
    return plain_reward(r, mean) + sqrt(ln / edge_visits * (bound < 0.25 ? bound : 0.25));
}

static const double first_of_all = 1e200, before_all_tried = 1e100;

/* Visits every action once before any twice; with children-first=off an unvisited action has its
 * node's mean as if it had been visited once.  A rule of one's own never sees an edge that has no visits, since its leaf
 * was taken back or a book named it: that edge comes first. */
void plain_score_bandit(struct plain *r, struct plain_node *node, uint64_t offered, double *scores)
{
    bool is_tuned = r->options.rule == BANYAN_RULE_UCB1_TUNED;
    bool children_first = r->options.children_first || is_tuned;
    double unvisited = plain_node_mean(node);
    int next = plain_next_untried(r, node, offered);
    for (int i = 0; i < node->count; ++i) {
        const struct plain_edge *edge = node->edges[i];
        double visits = plain_chances(edge), arrivals = plain_edge_arrivals(edge);
        double mean = plain_edge_mean(edge, unvisited);
        bool may =
            plain_is_offered(edge, offered) && (edge->tried || i == next) && !plain_pruned(edge);
        if (!may)
            scores[i] = -INFINITY;
        else if (arrivals == 0 && (children_first || (edge->tried && r->options.own_rule)))
            scores[i] = edge->tried ? before_all_tried : first_of_all;
        else if (arrivals == 0)
            scores[i] = ucb1(edge, unvisited, visits, 1);
        else
            scores[i] = (is_tuned ? tuned : ucb1)(edge, mean, visits, arrivals);
    }
}

/* The factor of the prior in PUCT. */
static double urge(const struct plain *r, double visits)
{
    double base = r->options.puct_log_base;
    double c = r->options.cpuct + (base > 0 ? numeric_ln((visits + base + 1) / base) : 0);
    return c * sqrt(visits);
}

/* KataGo's forced playouts (Wu 2019, section 3.2): at the root, n_j >= sqrt(2 P n). */
static bool forced(const struct plain_edge *edge, double visits)
{
    const struct plain *r = edge->node->search;
    double arrivals = plain_edge_arrivals(edge);
    return r->options.forced_playouts && r->explores && arrivals > 0 &&
           arrivals * arrivals < 2 * (double)edge->prior * visits;
}

/* PUCT (Silver et al. 2017): Q + c(n) P sqrt(n) / (1 + n_j).  A child that was never visited has the
 * mean of its node less fpu * sqrt(sum of the priors of the visited ones) (Leela Chess Zero).  With rare-share, what
 * could be chosen at a share s of the visits is explored sqrt(s) times as much. */
void plain_score_puct(struct plain *r, struct plain_node *node, uint64_t offered, bool is_root,
                      double *scores)
{
    const struct banyan_search_options *options = &r->options;
    double mass = 0;
    for (int i = 0; i < node->count; ++i)
        if (plain_is_offered(node->edges[i], offered) && plain_edge_arrivals(node->edges[i]) > 0)
            mass += (double)node->edges[i]->prior;
    double unvisited = plain_reward(r, plain_node_mean(node)) - options->fpu * sqrt(mass);
    int next = plain_next_untried(r, node, offered);
    for (int i = 0; i < node->count; ++i) {
        const struct plain_edge *edge = node->edges[i];
        double q = plain_edge_visits(edge) ? plain_reward(r, plain_edge_mean(edge, 0)) : unvisited;
        double visits = plain_chances(edge);
        double share = options->rare_share ? sqrt(visits / plain_node_arrivals(node)) : 1;
        scores[i] =
            q + urge(r, visits) * share * (double)edge->prior / (1 + plain_edge_arrivals(edge));
        if (!plain_is_offered(edge, offered) || (!edge->tried && i != next) || plain_pruned(edge))
            scores[i] = -INFINITY;
        else if (is_root && forced(edge, visits))
            scores[i] = first_of_all;
    }
}
