/* The functions of other files that the table of the game in table.c needs. */
#ifndef BLOODBOWL_TABLE_H
#define BLOODBOWL_TABLE_H

#include "games/bloodbowl/bloodbowl.h"

/* A bound on the number of legal actions; the small variants have lower ones. */
enum { BB_MAX_LEGAL = BB_TEAM_MAX * 196 + 200 };
int bb_legal(const struct bb_state *state, banyan_action *out);

/* Whether the action, which may come from outside the program, is one of the choices, so that
 * bb_apply accepts it. */
bool bb_possible(const struct bb_state *state, const struct bb_action *action);

/* Draws one of the legal actions; all are equally likely. */
struct bb_action bb_random_action(const struct bb_state *state, struct banyan_rng *rng);

/* Exchanges the two teams and left and right: the same game for the other coach. */
void bb_mirror(const struct bb_state *state, struct bb_state *out);
banyan_action bb_mirror_action(const struct bb_state *state, banyan_action action);

#endif
