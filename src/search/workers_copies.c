/* Private copies of nodes that all threads visit often (workers.h). */
#include "search/workers.h"

/* Adds what an edge of the copy has gained to the edge of the node, but for columns. */
static void copies_add_edge(struct tree_edge *edge, const struct tree_edge *copy,
                            const struct tree_edge *base)
{
    uint64_t visits = (uint64_t)edge->visits + copy->visits - base->visits;
    double sum = tree_edge_sum(edge) + (tree_edge_sum(copy) - tree_edge_sum(base));
    if (copy->visits == base->visits)
        return;
    edge->mean = sum / (double)visits;
    edge->visits = tree_counted(visits);
}

static void copies_add_doubles(double *to, const double *copy, const double *base, int n)
{
    for (int i = 0; i < n; ++i)
        to[i] += copy[i] - base[i];
}

static void copies_narrow(struct tree_bounds *to, const struct tree_bounds *copy, int n)
{
    for (int i = 0; i < n; ++i)
        search_narrow_bounds(&to[i], copy[i]);
}

static void copies_explore(float *to, const struct tree_edge *edges, int n)
{
    for (int i = 0; i < n; ++i)
        to[i] = edges[i].visits ? (float)numeric_inverse_sqrt(edges[i].visits) : 0;
}

/* Adds what the columns of edges have gained.  There are no others where nodes are copied. */
static void copies_add_columns(const struct tree *tree, const struct tree_node *node,
                               const struct tree_node *copy, const struct tree_node *base)
{
    int n = node->tried;
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
        else if (column == TREE_EXPLORE)
            copies_explore(to, tree_edges(tree, node), n);
    }
}

/* Adds what the copy has gained to the node, and takes what others have added. */
static void copies_sync(struct worker *worker, struct worker_copy *place)
{
    struct banyan_search *search = &worker->search;
    struct tree *tree = &search->tree;
    struct tree_node *node = tree_node(tree, place->shared), *copy = tree_node(tree, place->copy),
                     *base = tree_node(tree, place->base);
    search_hold(search, node);
    for (int i = 0; i < node->tried; ++i)
        copies_add_edge(&tree_edges(tree, node)[i], &tree_edges(tree, copy)[i],
                        &tree_edges(tree, base)[i]);
    copies_add_columns(tree, node, copy, base);
    node->visits = tree_counted((uint64_t)node->visits + copy->visits - base->visits);
    node->flags |= copy->flags & TREE_NARROWED;
    search_keep_sqrt_ln(search, node);
    tree_copy_node(tree, copy, node);
    tree_copy_node(tree, base, node);
    search_let_go(search, node);
    copy->key = place->shared;
}

/* Whether a node gains by a copy: it is visited often, and its block stays where it is. */
static bool copies_wanted(const struct tree *tree, const struct tree_node *node)
{
    if (node->visits < WORKER_COPY_VISITS || node->tried < node->count ||
        node->flags & TREE_PENDING)
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
    uint32_t copy = copies_wanted(tree, node) ? tree_make_copy(tree, node) : 0;
    uint32_t base = copy ? tree_make_copy(tree, node) : 0;
    search_let_go(search, node);
    if (copy && !base)
        tree_drop_copy(tree, copy);
    if (!base)
        return;
    tree_node(tree, copy)->key = ref;
    *place = (struct worker_copy){.shared = ref, .copy = copy, .base = base};
}

/* The place that holds ref, 0: a free one; NULL: there is none. */
static struct worker_copy *copies_place(const struct worker *worker, uint32_t node, uint32_t ref)
{
    struct worker_copy *places = worker_places(worker, node);
    for (int i = 0; i < WORKER_WAYS; ++i)
        if (places[i].shared == ref)
            return &places[i];
    return NULL;
}

/* After how many visits a copy is synchronised. */
static uint32_t copies_period(uint32_t visits)
{
    uint32_t share = visits / WORKER_SYNC_SHARE, small = visits / WORKER_SYNC_SMALL;
    uint32_t period = share < WORKER_SYNC_MOST ? share : WORKER_SYNC_MOST;
    period = period > small ? period : small;
    return period < WORKER_SYNC_END ? period : WORKER_SYNC_END;
}

void worker_count(struct banyan_search *search, uint32_t ref)
{
    struct worker *worker = search->worker;
    struct tree_node *node = tree_node(&search->tree, ref);
    if (word_load_relaxed(&node->forward) == TREE_PRIVATE) {
        uint32_t shared = (uint32_t)node->key;
        node->key += (uint64_t)1 << 32;
        if (node->key >> 32 >= copies_period(node->visits))
            copies_sync(worker, copies_place(worker, shared, shared));
        return;
    }
    struct worker_copy *place = copies_place(worker, ref, 0);
    if (place)
        copies_make(search, place, ref);
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
