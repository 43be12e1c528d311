/* Backup: passes the values of a leaf up its path. */
#include "search/amaf.h"
#include "search/workers.h"

static inline void update_step(struct banyan_search *search, const struct simulation *simulation,
                               int i)
{
    const struct path_step *step = &simulation->path[i];
    struct tree *tree = &search->tree;
    struct tree_node *node = tree_node(tree, step->node);
    struct tree_edge *edge = &tree_edges(tree, node)[step->edge];
    double utility = search_utility(search, simulation->values, step->mover);
    if (tree_has(tree, TREE_REGRET)) {
        struct offer offer = search_step_offer(search, simulation, i);
        select_regret_update(search, node, step, &offer, utility);
    }
    tree_visit_edge(tree, node, step->edge, utility);
    tree_count(&node->visits);
    search_keep_sqrt_ln(search, node);
    if (tree_has(tree, TREE_EXPLORE))
        ((float *)tree_column(tree, node, TREE_EXPLORE))[step->edge] =
            (float)numeric_inverse_sqrt(edge->visits);
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

static void update_shared_step(struct banyan_search *search, const struct simulation *simulation,
                               int i)
{
    uint32_t ref = simulation->path[i].node;
    struct tree_node *node = tree_node(&search->tree, ref);
    search_hold(search, node);
    update_step(search, simulation, i);
    uint32_t visits = node->visits;
    search_let_go(search, node);
    if (visits >= WORKER_COPY_VISITS && search->worker->copies)
        worker_count(search, ref);
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

static void update_own_path(struct banyan_search *search, struct simulation *simulation)
{
    for (int i = simulation->length - 1; i >= 0; --i) {
        update_own(search, simulation, i);
        if (search->worker)
            update_shared_step(search, simulation, i);
        else
            update_step(search, simulation, i);
    }
}

static void update_path(struct banyan_search *search, const struct simulation *simulation)
{
    for (int i = simulation->length - 1; search->worker && i >= 0; --i)
        update_shared_step(search, simulation, i);
    for (int i = simulation->length - 1; !search->worker && i >= 0; --i)
        update_step(search, simulation, i);
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
            search_receive_priors(search, simulation->made[p], simulation->state,
                                  simulation->priors[p]);
        search_let_go(search, node);
    }
}

void search_backup(struct banyan_search *search, struct simulation *simulation, enum leaf_kind kind)
{
    update_made(search, simulation);
    if (search->own_backup.back)
        update_own_path(search, simulation);
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
