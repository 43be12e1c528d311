/* Exact values of small games.
 *
 * Every reachable state is solved once and remembered: the mover takes an
 * action that is best for him (max^n; with two players of a zero-sum game that
 * is minimax), dice are enumerated (expectimax).  States are remembered by
 * their bytes, not by key(), which may be coarser than equality: these values
 * are the yardstick for everything else.
 *
 *      value(state) = returns(state)                              at the end
 *                   = max by the mover over actions of E over dice of value(next)
 *
 * Where several actions are best for the mover, the first in legal order says
 * what the others get; with more than two players other choices may be as
 * rational.  Games that may come back to a state, that hide something or where
 * players choose at once are BANYAN_UNSUPPORTED.
 */
#ifndef BANYAN_EXACT_H
#define BANYAN_EXACT_H

#include <banyan/game.h>
#include <banyan/status.h>
#include <banyan/stop.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct banyan_exact; /* one at a time */

/* One action of the mover. */
struct banyan_exact_action {
    banyan_action action;
    double value; /* return of the mover, expected over dice */
    bool optimal; /* no other action is better (by more than rounding) */
};

/* game is borrowed and must outlive *out.  memory_bytes: hard cap on what solving may allocate; reaching it
 * is BANYAN_NO_MEMORY.  BANYAN_UNSUPPORTED: hidden cards or simultaneous moves, or the game's struct_size is
 * not this library's. */
enum banyan_status banyan_exact_create(struct banyan_exact **out, const struct banyan_game *game,
                                       size_t memory_bytes, struct banyan_error *err);
void banyan_exact_destroy(struct banyan_exact *exact);

/* From now on solving ends with BANYAN_INTERRUPTED once *stop is set, and what it had solved is
 * forgotten.  stop is borrowed; NULL: it goes on to the end, as after create. */
void banyan_exact_set_stop(struct banyan_exact *exact, const banyan_flag *stop);

/* The value of state: values[players]. */
enum banyan_status banyan_exact_value(struct banyan_exact *exact, const void *state, double *values,
                                      struct banyan_error *err);

/* The mover's actions at state in legal order: rows[game->max_legal], *count of them.  state must
 * not be finished. */
enum banyan_status banyan_exact_actions(struct banyan_exact *exact, const void *state,
                                        struct banyan_exact_action *rows, int *count,
                                        struct banyan_error *err);

/* How many different states were solved so far, finished ones among them. */
uint64_t banyan_exact_states(const struct banyan_exact *exact);

#ifdef __cplusplus
}
#endif
#endif
