/* Numbers computed from lists of results: visits, sums, means and proven bounds. */
#include "reference/inside.h"

#include <math.h>

/* --- what players want --- */

struct plain_bounds plain_all_returns(const struct plain *r)
{
    return (struct plain_bounds){r->game->return_min, r->game->return_max};
}

/* The sum of two players' returns; half of it is the middle of the range. */
double plain_constant_sum(const struct plain *r)
{
    return (double)r->game->return_min + (double)r->game->return_max;
}

/* The number that player maximises, in return units. max^n: the own return; paranoid: the other
 * players minimise the return of the player who searches; coalition: the mean return of the own
 * side.  It is computed as a float, as values are. */
double plain_utility(const struct plain *r, const float *values, int player)
{
    const int *side = r->options.side;
    double sum = 0, friends = 0;
    if (r->options.opponents == BANYAN_OPPONENTS_PARANOID && player != r->viewer)
        return (float)(plain_constant_sum(r) - (double)values[r->viewer]);
    if (r->options.opponents != BANYAN_OPPONENTS_COALITION)
        return values[player];
    for (int q = 0; q < r->game->players; ++q)
        friends += side[q] == side[player];
    for (int q = 0; q < r->game->players; ++q)
        sum += side[q] == side[player] ? 1.0 / friends * (double)values[q] : 0;
    return (float)sum;
}

double plain_reward_width(const struct plain *r)
{
    double range = (double)r->game->return_max - (double)r->game->return_min;
    return r->options.raw_rewards || range <= 0 ? 1 : range;
}

/* Utility scaled to [0,1], unless options.raw_rewards. */
double plain_reward(const struct plain *r, double value)
{
    return r->options.raw_rewards ? value : (value - r->game->return_min) / plain_reward_width(r);
}

/* --- what lists of results say --- */

uint64_t plain_edge_visits(const struct plain_edge *edge)
{
    uint64_t visits = 0;
    for (const struct plain_result *i = edge->back.first; i; i = i->next)
        visits += i->visits;
    return visits;
}

double plain_edge_sum(const struct plain_edge *edge)
{
    double sum = 0;
    for (const struct plain_result *i = edge->back.first; i; i = i->next)
        sum += (double)i->visits * plain_utility(edge->node->search, i->values, edge->node->mover);
    return sum;
}

/* The sum of the squared values.  The visits of a book's line are taken to have the largest
 * variance that their mean allows: every return is at an end of the range. */
double plain_edge_squares(const struct plain_edge *edge)
{
    const struct plain *r = edge->node->search;
    double sum = 0, ends = (double)r->game->return_min * (double)r->game->return_max;
    for (const struct plain_result *i = edge->back.first; i; i = i->next) {
        double value = plain_utility(r, i->values, edge->node->mover);
        sum += (double)i->visits *
               (i->from_book ? value * plain_constant_sum(r) - ends : value * value);
    }
    return sum;
}

uint64_t plain_node_visits(const struct plain_node *node)
{
    uint64_t visits = node->before + node->ended;
    for (const struct plain_result *i = node->back.first; i; i = i->next)
        visits += i->visits;
    return visits;
}

/* Finished visits and those in flight, which exploration counts (WU-UCT, Liu et al. 2020). */
double plain_edge_arrivals(const struct plain_edge *edge)
{
    return (double)(plain_edge_visits(edge) + edge->in_flight);
}

double plain_node_arrivals(const struct plain_node *node)
{
    return (double)(plain_node_visits(node) + node->in_flight);
}

/* --- proven bounds (Cazenave and Saffidine 2010) --- */

bool plain_proven(struct plain_bounds bounds)
{
    return bounds.lo >= bounds.hi;
}

/* The bounds that the mover can enforce and the others cannot prevent: the best over all
 * actions; an untried action may have any value. */
struct plain_bounds plain_node_bounds(const struct plain_node *node)
{
    const struct plain *r = node->search;
    bool first = node->mover == 0;
    float worst = first ? r->game->return_min : r->game->return_max;
    struct plain_bounds best = {worst, worst};
    for (int i = 0; i < node->count; ++i) {
        bool tried = node->edges[i]->tried;
        struct plain_bounds edge = tried ? plain_edge_bounds(node->edges[i]) : plain_all_returns(r);
        best.lo = first ? fmaxf(best.lo, edge.lo) : fminf(best.lo, edge.lo);
        best.hi = first ? fmaxf(best.hi, edge.hi) : fminf(best.hi, edge.hi);
    }
    return best;
}

struct plain_bounds plain_edge_bounds(const struct plain_edge *edge)
{
    struct plain_bounds bounds = edge->known;
    bool solver = edge->node->search->solver;
    if (!solver || plain_proven(bounds) || !edge->outcomes || !edge->outcomes->node)
        return bounds;
    struct plain_bounds below = plain_node_bounds(edge->outcomes->node);
    return (struct plain_bounds){fmaxf(bounds.lo, below.lo), fminf(bounds.hi, below.hi)};
}

struct plain_bounds plain_root_bounds(const struct plain *r)
{
    const struct plain_outcome *outcome = r->root[0].outcomes;
    return outcome && outcome->node ? plain_node_bounds(outcome->node) : plain_all_returns(r);
}

/* The bounds on the mover's own return. */
struct plain_bounds plain_own_bounds(const struct plain_edge *edge)
{
    struct plain_bounds bounds = plain_edge_bounds(edge);
    double sum = plain_constant_sum(edge->node->search);
    if (edge->node->mover == 0)
        return bounds;
    return (struct plain_bounds){(float)(sum - (double)bounds.hi),
                                 (float)(sum - (double)bounds.lo)};
}

/* Whether another edge that was tried guarantees at least as much as `edge` can give. */
bool plain_pruned(const struct plain_edge *edge)
{
    struct plain_bounds own = plain_own_bounds(edge);
    float sure = -INFINITY;
    for (int i = 0; i < edge->node->count; ++i)
        if (edge->node->edges[i]->tried)
            sure = fmaxf(sure, plain_own_bounds(edge->node->edges[i]).lo);
    return edge->node->search->solver && edge->tried &&
           (own.hi < sure || (own.hi <= sure && own.lo < sure));
}

/* --- means --- */

/* The mean of all simulations that went on from here; without any, the middle of the range. */
double plain_node_mean(const struct plain_node *node)
{
    double sum = 0, visits = 0;
    for (int i = 0; i < node->count; ++i) {
        sum += plain_edge_sum(node->edges[i]);
        visits += (double)plain_edge_visits(node->edges[i]);
    }
    return visits > 0 ? sum / visits : plain_constant_sum(node->search) / 2;
}

/* The proven value; else the mean of the simulations, with its share of the implicit minimax value;
 * else the value that the rule gives to unvisited edges. */
double plain_edge_mean(const struct plain_edge *edge, double unvisited)
{
    if (edge->node->search->solver && edge->tried && plain_proven(plain_own_bounds(edge)))
        return plain_own_bounds(edge).lo;
    const struct plain *r = edge->node->search;
    uint64_t visits = plain_edge_visits(edge);
    double mean = visits ? plain_edge_sum(edge) / (double)visits : unvisited;
    double value = edge->node->mover == 0 ? (double)edge->implicit
                                          : plain_constant_sum(r) - (double)edge->implicit;
    return visits ? mean + r->options.implicit_minimax * (value - mean) : mean;
}

/* --- what was on offer --- */

bool plain_is_offered(const struct plain_edge *edge, uint64_t offered)
{
    return offered >> edge->id & 1;
}

bool plain_counts_availability(const struct plain *r)
{
    return r->options.availability && r->game->traits & BANYAN_HIDDEN;
}

/* How many times an action could be chosen: the visits of the node, or with availability the
 * visits at which the action was on offer. */
double plain_chances(const struct plain_edge *edge)
{
    double missed = plain_counts_availability(edge->node->search) ? (double)edge->missed : 0;
    return plain_node_arrivals(edge->node) - missed;
}
