/* Exact values on the smallest pitch: expectimax with memory over what is left of a drive.
 *
 *     home chooses: the highest | away chooses: the lowest | dice: the mean over all outcomes
 *
 * from a position in the middle of a drive to the touchdown (+1 home's, -1 away's) or the end of
 * the half (0).  The state is whole, every die is enumerated; only how badly somebody is hurt who is
 * out anyway is left open.  Passes,
 * hand-offs (a lone player has nobody to give the ball to) and fouls are not looked at.
 *
 * A position may come back by itself: a ball that is dropped, bounces to the crowd, is thrown in and
 * dropped again while the coach keeps his reroll.  Then it counts 0, some thousandths of its value.
 */
#ifndef BLOODBOWL_SOLVE_H
#define BLOODBOWL_SOLVE_H

#include "games/bloodbowl/bloodbowl.h"

#include <banyan/status.h>

struct solve;

/* entries: of the memory, 16 bytes each, a power of two.  least: a line of dice less likely than
 * this within one action is not split further but drawn (the ball may fly from crowd to crowd for
 * ever). */
enum banyan_status solve_create(struct solve **out, size_t entries, double least,
                                struct banyan_error *err);
void solve_destroy(struct solve *solve);

/* The value for home of a state of bloodbowl-1 in step mode with the ball in play.
 * BANYAN_NO_MEMORY: the memory is full. */
enum banyan_status solve_value(struct solve *solve, const struct bb_state *state, double *value,
                               struct banyan_error *err);

/* The value for home after an action. */
enum banyan_status solve_action(struct solve *solve, const struct bb_state *state,
                                banyan_action action, double *value, struct banyan_error *err);

/* Positions in memory. */
size_t solve_count(const struct solve *solve);

#endif
