/* A state as numbers with names, and where actions stand in a policy. */
#ifndef BLOODBOWL_OBSERVE_H
#define BLOODBOWL_OBSERVE_H

#include "games/bloodbowl/bloodbowl.h"

#include <banyan/observe.h>

/* What an action names besides its type; PLACE_PLAYER names a player and a square. */
enum bb_names { BB_NAMES_NOTHING, BB_NAMES_PLAYER, BB_NAMES_SQUARE, BB_NAMES_BOTH };

enum { BB_PLAYER_KINDS = 8, BB_SQUARE_KINDS = 14 };

/* Width of the policy: one index for each type of action; then, for each type that names a player,
 * one for each player; for each type that names a square, one for each square; for PLACE_PLAYER,
 * one for each player of the team with each square, or with none (the reserves). */
#define BB_POLICY(width, height)                                                        \
    (BB_ACTIONS + BB_PLAYER_KINDS * BB_PLAYERS + BB_SQUARE_KINDS * (width) * (height) + \
     BB_TEAM_MAX * ((width) * (height) + 1))

/* The functions and the tables of <banyan/game.h>, by number of players. */
extern const struct banyan_feature bb_features_1[], bb_features_3[], bb_features_5[],
    bb_features_7[], bb_features_11[];
void bb_observe(const struct banyan_game *game, const void *state, int viewer, float *out);
int bb_policy_index(const struct banyan_game *game, const void *state, int player,
                    banyan_action action);

#endif
