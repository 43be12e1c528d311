/* Several simulations in a row below the same private copies (workers.h).
 *
 * The copies know only from time to time what other threads find, so the choices in them may wait for a few visits,
 * too, if these are few beside the visits that the choices rest on.
 */
#include "search/workers.h"

enum {
    STAY_MOST = 16,   /* a way is taken at most so many times more, */
    STAY_ABOVE = 256, /* once for so many visits of the last copy on it, */
    STAY_BELOW = 4    /* and once for so many visits of the node below that copy */
};

void worker_set_out(struct worker *worker)
{
    if (worker->stays > 0)
        --worker->stays;
    else
        worker->way = 0;
}

/* Whether the edge's value is proven, so that more visits tell nothing. */
static bool stay_is_idle(const struct banyan_search *search, const struct tree_node *node, int edge)
{
    return node->flags & TREE_NARROWED && search_proven(search_edge_bounds(search, node, edge));
}

int worker_again(struct banyan_search *search, const struct simulation *simulation, uint32_t ref)
{
    struct worker *worker = search->worker;
    /* with batch=1 there is one struct simulation, whose path still has the steps of the one before */
    const struct path_step *step = &simulation->path[simulation->length];
    if (simulation->length >= worker->way)
        return -1;
    const struct tree_node *node = tree_node(&search->tree, ref);
    if (step->node == ref && search_is_private(node) && !stay_is_idle(search, node, step->edge))
        return step->edge;
    worker->way = worker->stays = 0;
    return -1;
}

void worker_stay(struct banyan_search *search, const struct simulation *simulation, int i,
                 uint32_t visits)
{
    struct worker *worker = search->worker;
    if (i == 0 || worker->way > 0)
        return;
    const struct tree_node *above = tree_node(&search->tree, simulation->path[i - 1].node);
    if (!search_is_private(above))
        return;
    uint32_t most = visits / STAY_BELOW, share = above->visits / STAY_ABOVE;
    most = most < share ? most : share;
    worker->stays = most < STAY_MOST ? (int)most : STAY_MOST;
    worker->way = worker->stays > 0 ? i : 0;
}
