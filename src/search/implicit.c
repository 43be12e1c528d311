/* Implicit minimax backups (Lanctot, Winands, Pepels and Sturtevant 2014, "Monte Carlo Tree Search with
 * Heuristic Evaluations using Implicit Minimax Backups", section 3).
 *
 * Beside its mean every edge has the minimax value of the heuristic over the tree below it: at
 * first the heuristic's value of its position, later the best value of the next mover's edges.
 * Rules see (1 - w) mean + w value as the edge's mean (select_mean), where w is option
 * implicit-minimax.  Values are player 0's, as bounds are.
 *
 * A thread that shares the tree holds a node until it has written the node's best value to the edge above.
 * So when all threads have ended, every edge has the best value of the node below it.
 */
#include "search/search.h"

float *search_edge_implicit(const struct banyan_search *search, const struct tree_node *node,
                            int index)
{
    return (float *)tree_column(&search->tree, node, TREE_IMPLICIT) + index;
}

void search_first_implicit(const struct banyan_search *search, const struct tree_node *node,
                           int index, const void *after)
{
    const struct banyan_game *game = search->game;
    float values[BANYAN_MAX_PLAYERS];
    if (game->movers(game, after))
        values[0] = game->heuristic(game, after, 0);
    else
        game->returns(game, after, values);
    *search_edge_implicit(search, node, index) = values[0];
}

/* The best value for the mover of node among its visited edges, of which there is at least one. */
static float implicit_best(const struct banyan_search *search, const struct tree_node *node)
{
    const struct tree_edge *edges = tree_edges(&search->tree, node);
    const float *values = search_edge_implicit(search, node, 0);
    float best = node->mover == 0 ? -INFINITY : INFINITY;
    for (int i = 0; i < node->tried; ++i)
        if (edges[i].visits && (node->mover == 0 ? values[i] > best : values[i] < best))
            best = values[i];
    return best;
}

/* Sets the value of the last edge: an exact value at each visit, a heuristic one only if there is none yet.
 * Returns the edge's node, which the thread holds. */
static struct tree_node *implicit_leaf(struct banyan_search *search,
                                       const struct simulation *simulation, enum leaf_kind kind)
{
    const struct path_step *step = &simulation->path[simulation->length - 1];
    struct tree_node *node = tree_node(&search->tree, step->node);
    search_hold(search, node);
    float *value = search_edge_implicit(search, node, step->edge);
    if (kind != LEAF_OPEN || simulation->exact)
        *value = simulation->values[0];
    else if (isnan(*value) || tree_edges(&search->tree, node)[step->edge].visits == 1)
        search_first_implicit(search, node, step->edge, simulation->state);
    return node;
}

void search_backup_implicit(struct banyan_search *search, const struct simulation *simulation,
                            enum leaf_kind kind)
{
    if (simulation->length == 0)
        return;
    struct tree_node *node = implicit_leaf(search, simulation, kind);
    for (int i = simulation->length - 2; i >= 0; --i) {
        const struct path_step *step = &simulation->path[i];
        struct tree_node *above = tree_node(&search->tree, step->node);
        float best = implicit_best(search, node);
        search_hold(search, above);
        *search_edge_implicit(search, above, step->edge) = best;
        search_let_go(search, node);
        node = above;
    }
    search_let_go(search, node);
}
