/* How much time a decision gets. */
#ifndef PLAYERS_BUDGET_H
#define PLAYERS_BUDGET_H

#include <banyan/player.h>
#include <banyan/rng.h>

/* Whether player's time is limited. */
bool budget_limited(const struct banyan_player_clock *clock, int player);

/* For a fixed time per decision: the clock that shows this time for every decision. */
struct banyan_player_clock budget_per_move(double time_ms);

/* The number of decisions with a real choice that player may expect from state on, including one in
 * state: the mean over a few random games, at least 1. */
double budget_decisions_left(const struct banyan_game *game, const void *state, int player,
                             struct banyan_rng *rng);

/* Milliseconds for this decision: the increment, and an equal share of the remaining time per
 * expected decision, but never so much that time runs out. */
double budget_ms(const struct banyan_player_clock *clock, int player, double decisions_left);

#endif
