/* Private copies of nodes that all threads visit often (workers.h). */
#include "search/workers.h"

/* Adds what an edge of the copy has gained to the edge of the node.  Columns (tree.h) are added by
 * copies_add_columns. */
static void copies_add_edge(struct tree_edge *edge, const struct tree_edge *copy,
                            const struct tree_edge *base)
{
    uint64_t visits = (uint64_t)edge->visits + copy->visits - base->visits;
    double sum = tree_edge_sum(edge) + (tree_edge_sum(copy) - tree_edge_sum(base));
    edge->mean = sum / (double)visits;
    edge->visits = tree_counted(visits);
}

/* Edges that have not changed are not written, so that their cache lines stay in all caches. */
static void copies_add_edges(const struct tree *tree, const struct tree_node *node,
                             const struct tree_node *copy, const struct tree_node *base)
{
    struct tree_edge *to = tree_edges(tree, node);
    const struct tree_edge *from = tree_edges(tree, copy), *old = tree_edges(tree, base);
    for (int i = 0; i < copy->tried; ++i) {
        if (from[i].visits == old[i].visits)
            continue;
        copies_add_edge(&to[i], &from[i], &old[i]);
        search_keep_roots(tree, node, i);
    }
}

static void copies_add_doubles(double *to, const double *copy, const double *base, int n)
{
    for (int i = 0; i < n; ++i)
        if (copy[i] > base[i] || copy[i] < base[i])
            to[i] += copy[i] - base[i];
}

static void copies_narrow(struct tree_bounds *to, const struct tree_bounds *copy, int n)
{
    for (int i = 0; i < n; ++i)
        if (copy[i].lo > to[i].lo || copy[i].hi < to[i].hi)
            search_narrow_bounds(&to[i], copy[i]);
}

/* The place of an action of the copy in the node, most likely `at`. */
static int copies_find(const struct tree *tree, const struct tree_node *node, int at,
                       banyan_action action)
{
    return at < node->count && tree_action(tree, node, at) == action
               ? at
               : tree_find_action(tree, node, action);
}

/* Adds the visits at which actions were legal.  Tried actions stay in their places; the others may have moved
 * in the node, which may also have actions that the copy does not have: those were legal at none of the copy's
 * visits. */
static void copies_add_legal(const struct tree *tree, struct tree_node *node,
                             const struct tree_node *copy, const struct tree_node *base)
{
    uint32_t *to = tree_legal(tree, node);
    const uint32_t *from = tree_legal(tree, copy), *old = tree_legal(tree, base);
    uint32_t partial = copy->partial - base->partial, visits = copy->visits - base->visits;
    for (int i = copy->tried; i < node->count; ++i)
        to[i] += partial - visits;
    for (int i = 0, at = -1; i < copy->count; ++i) {
        at = copies_find(tree, node, at + 1, tree_action(tree, copy, i));
        to[at] += from[i] - old[i] - (i < copy->tried ? 0 : partial - visits);
    }
    node->partial += partial;
}

/* Adds what the columns of edges have gained. */
static void copies_add_columns(const struct tree *tree, const struct tree_node *node,
                               const struct tree_node *copy, const struct tree_node *base)
{
    int n = copy->tried;
    for (int i = 0; i < tree->layout.edge_columns; ++i) {
        enum tree_column column = tree->layout.places[i].column;
        void *to = tree_column(tree, node, column);
        const void *from = tree_column(tree, copy, column), *old = tree_column(tree, base, column);
        if (column == TREE_SQUARES)
            copies_add_doubles(to, from, old, n);
        else if (column == TREE_VECTOR)
            copies_add_doubles(to, from, old, n * tree->layout.players);
        else if (column == TREE_BOUNDS)
            copies_narrow(to, from, n);
    }
}

/* Finds the node's next action to try before the node is copied, because a copy must not reorder its actions. */
static void copies_order(struct tree *tree, struct tree_node *node)
{
    if (node->tried < node->count)
        tree_next(tree, node);
}

/* Writes the node to its copy and the copy's base.  If there is no room, the copy stays as it is. */
static void copies_refresh(struct tree *tree, struct tree_node *copy, struct tree_node *base,
                           struct tree_node *node)
{
    copies_order(tree, node);
    if (!tree_copy_node(tree, base, node) || !tree_copy_node(tree, copy, node))
        tree_copy_node(tree, base,
                       copy); /* restores base: its old block is free, so there is room */
}

/* After how many visits a copy is synchronised. */
static uint32_t copies_period(uint32_t visits)
{
    uint32_t share = visits / WORKER_SYNC_SHARE, small = visits / WORKER_SYNC_SMALL;
    uint32_t period = share < WORKER_SYNC_MOST ? share : WORKER_SYNC_MOST;
    period = period > small ? period : small;
    return period < WORKER_SYNC_END ? period : WORKER_SYNC_END;
}

/* The key of a private copy. */
static uint64_t copies_key(uint32_t shared, const struct tree_node *copy)
{
    return (uint64_t)copies_period(copy->visits) << 32 | shared;
}

/* Adds what the copy has gained to the node, and takes what others have added. */
static void copies_sync(struct worker *worker, struct worker_copy *place)
{
    struct banyan_search *search = &worker->search;
    struct tree *tree = &search->tree;
    struct tree_node *node = tree_node(tree, place->shared), *copy = tree_node(tree, place->copy),
                     *base = tree_node(tree, place->base);
    uint32_t visits = copy->visits - base->visits;
    search_hold(search, node);
    copies_add_edges(tree, node, copy, base);
    copies_add_columns(tree, node, copy, base);
    if (tree_has(tree, TREE_LEGAL))
        copies_add_legal(tree, node, copy, base);
    node->visits = tree_counted((uint64_t)node->visits + visits);
    node->flags |= copy->flags & TREE_NARROWED;
    search_keep_sqrt_ln(search, node);
    copies_refresh(tree, copy, base, node);
    place->block = node->block;
    search_let_go(search, node);
    copy->key = copies_key(place->shared, copy);
}

/* Whether a node may have a copy: it is visited often, waits for no priors, and all its edges have visits. */
static bool copies_wanted(const struct tree *tree, const struct tree_node *node)
{
    if (node->visits < WORKER_COPY_VISITS || node->flags & TREE_PENDING)
        return false;
    for (int i = 0; i < node->tried; ++i)
        if (!tree_edges(tree, node)[i].visits)
            return false;
    return true;
}

static void copies_make(struct banyan_search *search, struct worker_copy *place, uint32_t ref)
{
    struct tree *tree = &search->tree;
    struct tree_node *node = tree_node(tree, ref);
    search_hold(search, node);
    bool wanted = copies_wanted(tree, node);
    if (wanted)
        copies_order(tree, node);
    uint32_t copy = wanted ? tree_make_copy(tree, node) : 0;
    uint32_t base = copy ? tree_make_copy(tree, node) : 0, block = node->block;
    search_let_go(search, node);
    if (copy && !base)
        tree_drop_copy(tree, copy);
    if (!base)
        return;
    tree_node(tree, copy)->key = copies_key(ref, tree_node(tree, copy));
    *place = (struct worker_copy){.shared = ref, .copy = copy, .base = base, .block = block};
}

/* The place that holds ref (0: a free place) among those where the copy of node may stand; NULL:
 * there is none. */
static struct worker_copy *copies_place(const struct worker *worker, uint32_t node, uint32_t ref)
{
    struct worker_copy *places = worker_places(worker, node);
    for (int i = 0; i < WORKER_WAYS; ++i)
        if (places[i].shared == ref)
            return &places[i];
    return NULL;
}

void worker_make_copy(struct banyan_search *search, const struct simulation *simulation, int i)
{
    const struct tree *tree = &search->tree;
    const struct path_step *step = &simulation->path[i];
    if (i > 0 && !tree->layout.keyed && !search_is_private(tree_node(tree, step[-1].node)))
        return;
    struct worker_copy *place = copies_place(search->worker, step->node, 0);
    if (place && worker_copy_of(search, step->node) == step->node)
        copies_make(search, place, step->node);
}

void worker_fetch(struct banyan_search *search, uint32_t copy)
{
    enum { LINE = 64, MOST = 16 * LINE };
    struct tree *tree = &search->tree;
    const struct tree_node *node = tree_node(tree, copy);
    uint32_t shared = (uint32_t)node->key;
    const struct worker_copy *place = copies_place(search->worker, shared, shared);
    unsigned char *block = tree_at(tree, place->block);
    size_t bytes = (size_t)node->capacity * tree->layout.edge_bytes;
    memory_prefetch_write(tree_node(tree, shared));
    for (size_t at = 0; at < bytes && at < MOST; at += LINE)
        memory_prefetch_write(block + at);
}

uint32_t worker_sync(struct banyan_search *search, uint32_t copy)
{
    uint32_t shared = (uint32_t)tree_node(&search->tree, copy)->key;
    struct worker_copy *place = copies_place(search->worker, shared, shared);
    copies_sync(search->worker, place);
    return shared;
}

void worker_drop_copies(struct worker *worker)
{
    for (uint32_t i = 0; worker->copies && i < worker->copy_count; ++i) {
        struct worker_copy *place = &worker->copies[i];
        if (!place->shared)
            continue;
        copies_sync(worker, place);
        tree_drop_copy(&worker->search.tree, place->copy);
        tree_drop_copy(&worker->search.tree, place->base);
        *place = (struct worker_copy){0};
    }
}
