/* The view of a node that all selection rules use. */
#ifndef SEARCH_SELECT_H
#define SEARCH_SELECT_H

#include "search/search.h"

struct select_view {
    const struct tree_node *node;
    const struct tree_edge *edges;
    const double *squares;
    const uint32_t *in_flight;        /* NULL: no simulation is in flight */
    const struct tree_bounds *bounds; /* NULL: no solver */
    const float *implicit;            /* NULL: no implicit minimax */
    const float *priors;              /* NULL: no priors */
    const uint32_t *legal; /* TREE_LEGAL; NULL: all actions count as legal at all visits */
    /* indices of the legal actions; NULL: all actions are legal */
    const uint16_t *offered;
    int offered_count; /* number of legal actions */
    int offered_tried; /* this many of them, the first ones, have edges */
    int tried, count, mover;
    double visits;       /* of the node, those in flight included */
    double constant_sum; /* sum of both players' returns */
    double implicit_weight;
    float guaranteed; /* solver: what the mover can force, as player 0's return */
};

static inline void select_open_offer(const struct offer *offer, struct select_view *view)
{
    view->offered = offer ? offer->at : NULL;
    view->offered_count = view->offered ? offer->count : view->count;
    view->offered_tried = view->tried;
    if (!view->offered)
        return;
    for (view->offered_tried = 0; view->offered_tried < view->offered_count &&
                                  view->offered[view->offered_tried] < view->tried;)
        ++view->offered_tried;
}

/* The index of legal action number k; the first offered_tried of them have edges. */
static inline int select_at(const struct select_view *view, int k)
{
    return view->offered ? view->offered[k] : k;
}

/* Fills view; offer NULL: all actions are legal. */
static inline void select_open(const struct banyan_search *search, const struct tree_node *node,
                               const struct offer *offer, struct select_view *view)
{
    const struct tree *tree = &search->tree;
    view->node = node;
    view->edges = tree_edges(tree, node);
    view->squares = tree_column_or_null(tree, node, TREE_SQUARES);
    view->in_flight = tree_column_or_null(tree, node, TREE_IN_FLIGHT);
    view->bounds = tree_column_or_null(tree, node, TREE_BOUNDS);
    view->implicit = tree_column_or_null(tree, node, TREE_IMPLICIT);
    view->implicit_weight = search->options.implicit_minimax;
    view->priors = tree_has(tree, TREE_PRIORS) ? tree_priors(tree, node) : NULL;
    view->legal = tree_has(tree, TREE_LEGAL) ? tree_legal(tree, node) : NULL;
    view->tried = node->tried;
    view->count = node->count;
    select_open_offer(offer, view);
    view->mover = node->mover;
    view->visits = (double)node->visits + node->in_flight;
    view->guaranteed = view->bounds ? search_guaranteed(view->bounds, node) : 0;
    view->constant_sum = search->constant_sum;
}

/* The number of visits at which the action was not legal; 0 if that is not counted. */
static inline uint32_t select_missed(const struct select_view *view, int i)
{
    return view->legal ? view->node->partial - view->legal[i] : 0;
}

/* How often an action could be chosen: its availability if that is counted, else the visits of
 * the node, those in flight included. */
static inline double select_chances(const struct select_view *view, int i)
{
    return view->visits - select_missed(view, i);
}

/* The visits of an edge, those in flight included, which exploration counts (WU-UCT, Liu et al.
 * 2020). */
static inline double select_arrivals(const struct select_view *view, int i)
{
    return (double)view->edges[i].visits + (view->in_flight ? view->in_flight[i] : 0);
}

/* Mean utility over all tried edges, the node's estimate of its value; before any visit has come
 * back, the middle of the range. */
static inline double select_node_mean(const struct select_view *view)
{
    double sum = 0, visits = 0;
    for (int i = 0; i < view->tried; ++i) {
        sum += tree_edge_sum(&view->edges[i]);
        visits += view->edges[i].visits;
    }
    return visits > 0 ? sum / visits : view->constant_sum / 2;
}

/* A return of player 0 as the mover sees it. */
static inline double select_own(const struct select_view *view, float value)
{
    return view->mover == 0 ? value : view->constant_sum - value;
}

/* Mean utility of the finished visits of an edge; with implicit minimax, the weighted mean of that and
 * of the minimax value.  A proven edge has its proven value, and one whose first visit is still in
 * flight the mean of its node. */
static inline double select_mean(const struct select_view *view, int i)
{
    if (view->bounds && search_proven(&view->bounds[i]))
        return select_own(view, view->bounds[i].lo);
    if (!view->edges[i].visits)
        return select_node_mean(view);
    double mean = view->edges[i].mean;
    return view->implicit && !isnan(view->implicit[i])
               ? mean + view->implicit_weight * (select_own(view, view->implicit[i]) - mean)
               : mean;
}

/* Whether the edge is proven to be no better than another one and may be worse, so that it gets no visit. */
static inline bool select_skip(const struct select_view *view, int i)
{
    return view->bounds && search_pruned(&view->bounds[i], view->mover, view->guaranteed);
}

/* Returns best, or if every action was skipped (-1) the first legal one. */
static inline int select_or_any(const struct select_view *view, int best)
{
    return best >= 0 ? best : select_at(view, 0);
}

/* The first edge without visits, such as one that an opening book named; -1: all edges have some. */
int select_unvisited(struct banyan_search *search, struct tree_node *node);

/* The next untried action; -1: there is none, or progressive widening does not allow another one
 * yet. */
int select_fresh(struct banyan_search *search, struct tree_node *node, const struct offer *offer);

/* select_gumbel_inside.c: the choice below the root. */
int select_gumbel_inside(struct banyan_search *search, const struct tree_node *node,
                         const struct offer *offer);

#endif
