/* The search of botbowl's published MCTS tutorial, with its defects
 * (docs/games/bloodbowl-agents.md):
 *
 *    root --action--> chance node --hash of the state--> outcome ... value, or random play first
 *
 *    children   tried from left to right: actions far right in a long list are never visited
 *    outcomes   keyed by a hash that never repeats: no outcome is visited twice, so the tree is
 *               one action deep, however many simulations are made
 *    values     0.5 + what one side has - what the other has; the opponent gets 1 - value; a lost
 *               game is -1 (2 for the opponent), but the exploration term assumes 0..1
 *
 * Each of these defects has an option that corrects it.  The player uses the library's search: the
 * game of this file differs from Blood Bowl in its actions (teams are set up by formations only),
 * its keys and its returns.
 */
#ifndef BLOODBOWL_TUTORIAL_H
#define BLOODBOWL_TUTORIAL_H

#include "games/bloodbowl/bloodbowl.h"

#include <banyan/player.h>

enum banyan_status tutorial_player(const struct banyan_game *game, const char *args,
                                   const struct banyan_offer *offers, uint64_t seed,
                                   struct banyan_player *out, struct banyan_error *err);

struct tutorial_rate {
    double per_s; /* simulations per second of wall clock */
    uint64_t iterations, nodes;
    int actions; /* at the root */
};

/* Searches the first ordinary turn of a scripted game in path mode for this number of seconds.
 * args: the player's options. */
enum banyan_status tutorial_measure(int variant, const char *args, double seconds,
                                    struct tutorial_rate *out, struct banyan_error *err);

#endif
