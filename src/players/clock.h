/* Time: reading it, and how much of it a decision may have. */
#ifndef PLAYERS_CLOCK_H
#define PLAYERS_CLOCK_H

#include <banyan/player.h>
#include <banyan/rng.h>

/* Monotonic milliseconds. */
double clock_now_ms(void);

/* Whether player's time is limited. */
bool clock_limited(const struct banyan_clock *clock, int player);

/* A clock for a fixed time per decision: what is left is what comes back. */
struct banyan_clock clock_per_move(double time_ms);

/* Decisions with a real choice that player may still expect from state on, this one included:
 * mean over a few random games, at least 1. */
double clock_decisions_left(const struct banyan_game *game, const void *state, int player,
                            struct banyan_rng *rng);

/* Milliseconds for the decision at hand: the increment, and of the rest an equal share per expected
 * decision; never so much that the flag falls. */
double clock_budget_ms(const struct banyan_clock *clock, int player, double decisions_left);

#endif
