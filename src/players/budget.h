/* How much time a decision may have. */
#ifndef PLAYERS_BUDGET_H
#define PLAYERS_BUDGET_H

#include <banyan/player.h>
#include <banyan/rng.h>

/* Whether player's time is limited. */
bool budget_limited(const struct banyan_player_clock *clock, int player);

/* A clock for a fixed time per decision: what is left is what comes back. */
struct banyan_player_clock budget_per_move(double time_ms);

/* Decisions with a real choice that player may still expect from state on, this one included:
 * mean over a few random games, at least 1. */
double budget_decisions_left(const struct banyan_game *game, const void *state, int player,
                             struct banyan_rng *rng);

/* Milliseconds for the decision at hand: the increment, and of the rest an equal share per expected
 * decision; never so much that the flag falls. */
double budget_ms(const struct banyan_player_clock *clock, int player, double decisions_left);

#endif
