/* Exact values on the smallest pitch: expectimax with a table of positions over the rest of a
 * drive.
 *
 *    home chooses: the highest | away chooses: the lowest | dice: the mean over all outcomes
 *
 * The value of a position with the ball in play is the mean of +1 for a touchdown of home, -1 for
 * one of away and 0 for the end of the half.  The whole state counts and every die is enumerated,
 * except the casualty roll, which only concerns a player who is out of play.  Passes, hand-offs (a
 * lone player has no team-mate) and fouls are not considered.
 *
 * A position may repeat itself: a ball is dropped, bounces to the crowd, is thrown in and dropped
 * again while the coach keeps the reroll.  A repeated position counts 0, which changes
 * the computed values by some thousandths.
 */
#ifndef BLOODBOWL_SOLVE_H
#define BLOODBOWL_SOLVE_H

#include "games/bloodbowl/bloodbowl.h"

#include <banyan/status.h>

struct solve;

/* entries: size of the table, 16 bytes each, a power of two.  least: when a sequence of dice within
 * one action is less likely than this, its further dice are drawn instead of enumerated (a ball may
 * be thrown in and bounce into the crowd again without end). */
enum banyan_status solve_create(struct solve **out, size_t entries, double least,
                                struct banyan_error *err);
void solve_destroy(struct solve *solve);

/* The value for home of a state of bloodbowl-1 in step mode with the ball in play.
 * BANYAN_NO_MEMORY: the table is full. */
enum banyan_status solve_value(struct solve *solve, const struct bb_state *state, double *value,
                               struct banyan_error *err);

/* The value for home after an action. */
enum banyan_status solve_action(struct solve *solve, const struct bb_state *state,
                                banyan_action action, double *value, struct banyan_error *err);

/* Number of positions in the table. */
size_t solve_count(const struct solve *solve);

#endif
