/* Backup: passes the values of a leaf up its path. */
#include "search/amaf.h"
#include "search/workers.h"

/* Columns that few searches have: one test shows that there are none. */
#define UPDATE_SELDOM \
    (TREE_COLUMN_BIT(TREE_SQUARES) | TREE_COLUMN_BIT(TREE_IN_FLIGHT) | TREE_COLUMN_BIT(TREE_VECTOR))

static void update_seldom(struct banyan_search *search, const struct simulation *simulation,
                          const struct path_step *step, double utility)
{
    struct tree *tree = &search->tree;
    struct tree_node *node = tree_node(tree, step->node);
    if (tree_has(tree, TREE_SQUARES))
        ((double *)tree_column(tree, node, TREE_SQUARES))[step->edge] += utility * utility;
    if (tree_has(tree, TREE_IN_FLIGHT)) {
        --node->in_flight;
        --((uint32_t *)tree_column(tree, node, TREE_IN_FLIGHT))[step->edge];
    }
    if (tree_has(tree, TREE_VECTOR)) {
        double *vector = tree_column(tree, node, TREE_VECTOR);
        for (int p = 0; p < tree->layout.players; ++p)
            vector[step->edge * tree->layout.players + p] += simulation->values[p];
    }
}

static inline void update_step(struct banyan_search *search, const struct simulation *simulation,
                               int i)
{
    const struct path_step *step = &simulation->path[i];
    struct tree *tree = &search->tree;
    struct tree_node *node = tree_node(tree, step->node);
    const unsigned columns = tree->layout.columns;
    double utility = search_utility(search, simulation->values, step->mover);
    if (columns & TREE_COLUMN_BIT(TREE_REGRET)) {
        struct offer offer = search_step_offer(search, simulation, i);
        select_regret_update(search, node, step, &offer, utility);
    }
    tree_visit_edge(tree, node, step->edge, utility);
    tree_count(&node->visits);
    search_keep_sqrt_ln(search, node);
    search_keep_roots(tree, node, step->edge);
    if (columns & UPDATE_SELDOM)
        update_seldom(search, simulation, step, utility);
}

static inline void update_shared_step(struct banyan_search *search,
                                      const struct simulation *simulation, int i)
{
    const struct path_step *step = &simulation->path[i];
    struct tree_node *node = tree_node(&search->tree, step->node);
    bool is_private = search_is_private(node);
    if (!is_private)
        search_take(node);
    update_step(search, simulation, i);
    uint32_t visits = node->visits;
    if (!is_private)
        word_give(&node->forward, TREE_LOOSE);
    if (is_private) {
        worker_count(search, step->node);
        return;
    }
    worker_stay(search, simulation, i, visits);
    if (visits >= WORKER_COPY_VISITS && search->worker->copies)
        worker_make_copy(search, simulation, i);
}

/* Replaces the values by what the user's backup computes at step number i. */
static void update_own(struct banyan_search *search, struct simulation *simulation, int i)
{
    const struct path_step *step = &simulation->path[i];
    struct tree_node *node = tree_node(&search->tree, step->node);
    search_hold(search, node);
    const struct tree_edge *edge = &tree_edges(&search->tree, node)[step->edge];
    const struct banyan_backup_step seen = {
        .game = search->game,
        .player = step->mover,
        .action = tree_action(&search->tree, node, step->edge),
        .depth = i,
        .is_last = i == simulation->length - 1,
        .visits = edge->visits,
        .mean = edge->mean,
    };
    search_let_go(search, node);
    search->own_backup.back(search->own_backup.ctx, &seen, simulation->values);
}

/* Other threads have taken cache lines of the path meanwhile: all are fetched at once. */
static void update_fetch(const struct banyan_search *search, const struct simulation *simulation)
{
    for (int i = simulation->length - 1; i >= 0; --i)
        memory_prefetch_write(tree_node(&search->tree, simulation->path[i].node));
}

/* Updates the steps number `from`, `from` - 1, ..., `to`, for a thread that shares the tree. */
static void update_shared(struct banyan_search *search, const struct simulation *simulation,
                          int from, int to)
{
    for (int i = from; i >= to; --i)
        update_shared_step(search, simulation, i);
}

static void update_own_path(struct banyan_search *search, struct simulation *simulation)
{
    for (int i = simulation->length - 1; i >= 0; --i) {
        update_own(search, simulation, i);
        if (search->worker)
            update_shared(search, simulation, i, i);
        else
            update_step(search, simulation, i);
    }
}

static void update_path(struct banyan_search *search, const struct simulation *simulation)
{
    int last = simulation->length - 1;
    if (search->worker) {
        update_fetch(search, simulation);
        update_shared(search, simulation, last, 0);
        return;
    }
    for (int i = last; i >= 0; --i)
        update_step(search, simulation, i);
}

/* The tree sees results relative to their worlds, the root's values are the results themselves. */
static void update_by_worlds(struct banyan_search *search, struct simulation *simulation)
{
    float values[BANYAN_MAX_PLAYERS];
    memcpy(values, simulation->values, sizeof values);
    search_take_baseline(search, simulation);
    update_path(search, simulation);
    memcpy(simulation->values, values, sizeof values);
}

/* Counts this visit in the nodes made at the leaf, and gives them the evaluator's priors. */
static void update_made(struct banyan_search *search, struct simulation *simulation)
{
    for (int p = 0; p < search->game->players; ++p) {
        if (!simulation->made[p])
            continue;
        struct tree_node *node = tree_node(&search->tree, simulation->made[p]);
        search_hold(search, node);
        tree_count(&node->visits);
        if (node->flags & TREE_PENDING)
            search_receive_priors(search, simulation->made[p], simulation, simulation->priors[p]);
        search_let_go(search, node);
    }
}

void search_backup(struct banyan_search *search, struct simulation *simulation, enum leaf_kind kind)
{
    update_made(search, simulation);
    if (search->own_backup.back)
        update_own_path(search, simulation);
    else if (search->root.worths)
        update_by_worlds(search, simulation);
    else
        update_path(search, simulation);
    if (tree_has(&search->tree, TREE_IMPLICIT))
        search_backup_implicit(search, simulation, kind);
    if (search->amaf)
        amaf_backup(search, simulation);
    for (int t = 0; t < search->trees; ++t)
        tree_count(&search->root.edges[t].visits);
    for (int p = 0; p < search->game->players; ++p)
        search->root.sum[p] += simulation->values[p];
    ++search->root.visits;
    ++search->simulations;
    if (search->solver)
        search_backup_bounds(search, simulation, kind);
    search->depth_sum += (unsigned)simulation->depth;
    if (simulation->depth > search->max_depth)
        search->max_depth = simulation->depth;
}
