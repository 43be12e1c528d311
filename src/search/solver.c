/* Proven results and score bounds (Winands et al. 2008; Cazenave and Saffidine
 * 2010), in games of one player or of two with a constant sum, without luck.
 *
 * Every edge carries bounds on player 0's return.  A finished game gives exact
 * ones; a node passes up the best result that its mover can force and the best
 * that is still possible.  An edge that cannot beat what another one
 * guarantees is not visited any more; a proven edge is not descended into.
 */
#include "base/least.h"
#include "search/search.h"
#include "search/select.h"

void search_new_bounds(struct banyan_search *search, const void *state, struct tree_bounds *bounds)
{
    bounds->lo = search->game->return_min;
    bounds->hi = search->game->return_max;
    if (search->game->bounds)
        search->game->bounds(search->game, state, 0, &bounds->lo, &bounds->hi);
}

float search_guaranteed(const struct tree_bounds *column, const struct tree_node *node)
{
    bool first = node->mover == 0;
    float best = first ? -INFINITY : INFINITY;
    for (int i = 0; i < node->tried; ++i)
        best = first ? most_float(best, column[i].lo) : least_float(best, column[i].hi);
    return best;
}

/* Another visit of a proven edge tells nothing new, but the rules, which see its value only,
 * would visit a proven draw for ever.  So every second of these visits goes to the least
 * visited edge that may still be better: tic-tac-toe is proven after some thousands of simulations instead
 * of more than 30 million, and play is no weaker (docs/results.md).  If all tried edges are proven, an
 * untried one is next: PUCT would never come to one of small prior whose tried sisters are lost. */
int search_least_certain(struct banyan_search *search, struct tree_node *node, int index,
                         const struct offer *offer)
{
    const struct tree_bounds *column = search_edge_bounds(search, node, 0);
    if (!search_proven(&column[index]) || node->visits % 2)
        return index;
    const struct tree_edge *edges = tree_edges(&search->tree, node);
    float guaranteed = search_guaranteed(column, node);
    int least = -1;
    for (int k = 0; k < offer->count; ++k) {
        int i = offer_at(offer, k);
        if (i < node->tried && !search_proven(&column[i]) &&
            !search_pruned(&column[i], node->mover, guaranteed) &&
            (least < 0 || edges[i].visits < edges[least].visits))
            least = i;
    }
    if (least < 0 && search->rule == &select_puct)
        least = select_fresh(search, node, offer);
    return least < 0 ? index : least;
}

/* The bounds of a node from those of its edges; an untried edge may have any value. */
struct tree_bounds search_node_bounds(struct banyan_search *search, struct tree_node *node)
{
    const struct tree_bounds *column = search_edge_bounds(search, node, 0);
    float low = search->game->return_min, high = search->game->return_max;
    bool first = node->mover == 0, open = node->tried < node->count;
    float worst = first ? low : high;
    struct tree_bounds all = {worst, worst};
    for (int i = 0; i < node->tried; ++i) {
        all.lo = first ? most_float(all.lo, column[i].lo) : least_float(all.lo, column[i].lo);
        all.hi = first ? most_float(all.hi, column[i].hi) : least_float(all.hi, column[i].hi);
    }
    if (open && first)
        all.hi = high;
    else if (open)
        all.lo = low;
    return all;
}

bool search_narrow_bounds(struct tree_bounds *old, struct tree_bounds known)
{
    bool narrower = known.lo > old->lo || known.hi < old->hi;
    old->lo = most_float(old->lo, known.lo);
    old->hi = least_float(old->hi, known.hi);
    return narrower;
}

bool search_narrow_edge(const struct banyan_search *search, struct tree_node *node, int index,
                        struct tree_bounds known)
{
    bool narrower = search_narrow_bounds(search_edge_bounds(search, node, index), known);
    if (narrower)
        node->flags |= TREE_NARROWED;
    return narrower;
}

/* Narrows the bounds of the edge that leads to step number i, or those of the root. */
static bool solver_narrow_above(struct banyan_search *search, const struct simulation *simulation,
                                int i, struct tree_bounds known)
{
    if (i == 0)
        return search_narrow_bounds(&search->root.bounds, known);
    const struct path_step *above = &simulation->path[i - 1];
    struct tree_node *node = tree_node(&search->tree, above->node);
    search_hold(search, node);
    bool narrower = search_narrow_edge(search, node, above->edge, known);
    search_let_go(search, node);
    return narrower;
}

/* Passes the new bounds of a path's last edge up, as long as bounds change.  Threads lock
 * one node at a time: the last thread at a node sees what all have found, and passes it on. */
static void solver_raise(struct banyan_search *search, const struct simulation *simulation)
{
    for (int i = simulation->length - 1; i >= 0; --i) {
        struct tree_node *node = tree_node(&search->tree, simulation->path[i].node);
        search_hold(search, node);
        struct tree_bounds bounds = search_node_bounds(search, node);
        search_let_go(search, node);
        if (!solver_narrow_above(search, simulation, i, bounds))
            return;
    }
}

/* Bounds that the rules give go up immediately, while the simulation is in flight: other simulations
 * that finish before it may use them. */
struct tree_bounds search_first_bounds(struct banyan_search *search,
                                       const struct simulation *simulation)
{
    struct tree_bounds known;
    search_new_bounds(search, simulation->state, &known);
    if (search->game->bounds && solver_narrow_above(search, simulation, simulation->length, known))
        solver_raise(search, simulation);
    return known;
}

void search_backup_bounds(struct banyan_search *search, const struct simulation *simulation,
                          enum leaf_kind kind)
{
    if (simulation->length == 0)
        return; /* a root of known value must still find the action that reaches it */
    float value = simulation->values[0];
    if (kind == LEAF_FINISHED || simulation->exact) {
        if (solver_narrow_above(search, simulation, simulation->length,
                                (struct tree_bounds){value, value}))
            solver_raise(search, simulation);
    } else if (kind == LEAF_KNOWN && search->worker) {
        /* several threads may have proven the node together, and none of them passed that on */
        solver_raise(search, simulation);
    }
}
