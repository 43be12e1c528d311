/* Othello's perft. */
#ifndef OTHELLO_PERFT_H
#define OTHELLO_PERFT_H

#include <banyan/game.h>

#include "games/othello/othello.h"

/* Positions exactly `depth` plies on; a pass is a ply.  Counts games that ended before in *ended. */
static inline uint64_t perft(const struct banyan_game *game, const struct othello_state *state,
                             int depth, uint64_t *ended)
{
    unsigned movers = game->movers(game, state);
    if (!movers) {
        ++*ended;
        return 0;
    }
    banyan_action actions[60];
    int count = game->legal(game, state, (int)movers >> 1, actions);
    if (depth == 1)
        return (uint64_t)count;
    uint64_t sum = 0;
    for (int i = 0; i < count; ++i) {
        struct othello_state next = *state;
        game->apply(game, &next, (banyan_action[2]){actions[i], actions[i]}, NULL);
        sum += perft(game, &next, depth - 1, ended);
    }
    return sum;
}

#endif
