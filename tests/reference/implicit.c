/* Implicit minimax (Lanctot et al. 2014): a position has the value of the heuristic until some
 * of its actions are visited; then it has the best value of the visited actions. */
#include "reference/inside.h"

#include <math.h>

float plain_guess(const struct plain *r, const void *state)
{
    float values[BANYAN_MAX_PLAYERS];
    if (r->game->movers(r->game, state))
        return r->game->heuristic(r->game, state, 0);
    r->game->returns(r->game, state, values);
    return values[0];
}

/* Player 0 wants the highest of the visited actions' values, player 1 the lowest. */
static float best_of(const struct plain_node *node)
{
    float best = node->mover ? INFINITY : -INFINITY;
    for (int i = 0; i < node->count; ++i) {
        const struct plain_edge *edge = node->edges[i];
        if (plain_edge_visits(edge) > 0)
            best = node->mover ? fminf(best, edge->implicit) : fmaxf(best, edge->implicit);
    }
    return best;
}

void plain_back_up_implicit(struct plain *r, const struct plain_simulation *simulation,
                            bool is_sure)
{
    for (int i = simulation->length - 1; i >= 0; --i) {
        struct plain_edge *edge = simulation->steps[i].edge;
        bool is_last = i == simulation->length - 1;
        if (!is_last)
            edge->implicit = best_of(simulation->steps[i + 1].node);
        else if (is_sure)
            edge->implicit = simulation->values[0];
        else if (plain_edge_visits(edge) == 1)
            edge->implicit = plain_guess(r, simulation->state);
    }
}
