/* The search of botbowl's published MCTS tutorial, its defects included (docs/games/bloodbowl-agents.md):
 *
 *     root --action--> chance node --hash of the state--> outcome ... value, or random play first
 *
 *     children   tried from left to right: those far right of a long list are never seen
 *     outcomes   keyed by a hash that never repeats: no outcome is ever met again, so that the tree
 *                is one action deep however long it grows
 *     values     0.5 + what one side has - what the other has; a lost game is -1, the opponent's
 *                view 1 - value: neither is in [0, 1], for which the exploration is meant
 *
 * Each can be put right by an option.  It runs on the common search: the game of this file differs
 * from Blood Bowl in its actions (set-up by formations alone), its keys and its returns.
 */
#ifndef BLOODBOWL_TUTORIAL_H
#define BLOODBOWL_TUTORIAL_H

#include "games/bloodbowl/bloodbowl.h"

#include <banyan/player.h>

enum banyan_status tutorial_player(const struct banyan_game *game, const char *args,
                                   const struct banyan_offer *offers, uint64_t seed,
                                   struct banyan_player *out, struct banyan_error *err);

struct tutorial_rate {
    double per_s; /* iterations per second of wall clock */
    uint64_t iterations, nodes;
    int actions; /* at the root */
};

/* Searches the first ordinary turn of a scripted game in path mode for so long.  args: as the
 * player's. */
enum banyan_status tutorial_measure(int variant, const char *args, double seconds,
                                    struct tutorial_rate *out, struct banyan_error *err);

#endif
