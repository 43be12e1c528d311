/* Pruning of root actions that cannot catch up: where the most visited action is played, the simulations
 * that are left go to actions that may still become the most visited one (Leela Chess Zero's smart pruning). */
#include "search/select.h"

/* How many more visits an action is assumed to get in this run: the simulations left, divided by
 * options.root_pruning; INFINITY: it is not known. */
static double pruning_left(const struct banyan_search *search)
{
    uint64_t done = search->simulations + (search->in_flight ? search->flights.waiting : 0);
    return search->run.end > done ? (double)(search->run.end - done) / search->options.root_pruning
                                  : INFINITY;
}

static bool pruning_is_proven(const struct select_view *view, int i)
{
    return view->bounds && i < view->tried && search_proven(&view->bounds[i]);
}

/* The most visits of an action that is neither proven nor refuted: the favourite is one of these actions. */
static double pruning_most(const struct select_view *view)
{
    double most = 0;
    for (int k = 0; k < view->offered_tried; ++k) {
        int i = select_at(view, k);
        bool is_open = !pruning_is_proven(view, i) && !select_skip(view, i);
        if (is_open && select_arrivals(view, i) > most)
            most = select_arrivals(view, i);
    }
    return most;
}

struct offer search_contenders(struct banyan_search *search, const struct tree_node *node,
                               struct offer offer)
{
    double left = pruning_left(search), most;
    uint16_t *kept = search->scratch.contenders;
    struct select_view view;
    int count = 0;
    if (node->mover != search->root.viewer || left == INFINITY)
        return offer;
    select_open(search, node, &offer, &view);
    most = pruning_most(&view);
    for (int k = 0; k < view.offered_count; ++k) {
        int i = select_at(&view, k);
        double visits = i < view.tried ? select_arrivals(&view, i) : 0;
        if (visits + left >= most || pruning_is_proven(&view, i))
            kept[count++] = (uint16_t)i;
    }
    return count < offer.count ? (struct offer){kept, count} : offer;
}
