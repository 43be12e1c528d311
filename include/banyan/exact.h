/* Exact values of small games.
 *
 * Every reachable state is solved once and remembered: the mover takes an action that is best for
 * the mover (max^n; in a zero-sum game of two players this is minimax), and dice are enumerated
 * (expectimax).  States are remembered by their bytes, not by key(), because different states may
 * have equal keys.  The tests compare all other algorithms with these values.
 *
 *      value(state) = returns(state)                              at the end
 *                   = max by the mover over actions of E over dice of value(next)
 *
 * Where several actions are best for the mover, the first one in legal order is taken.  Unless the
 * game has two players whose returns have a constant sum, another best action may give the other
 * players other values.
 * Games that may come back to a state, hide something, or let players choose at the same time have
 * no exact values here: BANYAN_UNSUPPORTED.
 *
 * Threads: a solver belongs to one thread at a time; solvers are independent of
 * each other.
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

struct banyan_exact;

/* One action of the mover. */
struct banyan_exact_action {
    banyan_action action;
    double value; /* return of the mover, expected over dice */
    bool optimal; /* no other action is better (by more than rounding) */
};

/* game is borrowed and must outlive *out.  memory_bytes: hard cap on what solving may allocate; a function that
 * would need more returns BANYAN_NO_MEMORY.  BANYAN_UNSUPPORTED: the game has hidden cards or simultaneous moves,
 * or its struct_size is not this library's. */
enum banyan_status banyan_exact_create(struct banyan_exact **out, const struct banyan_game *game,
                                       size_t memory_bytes, struct banyan_error *err);
void banyan_exact_destroy(struct banyan_exact *exact);

/* Sets a stop flag: soon after *stop is set, solving ends with BANYAN_INTERRUPTED, and the solver
 * forgets all that it has solved.  stop is borrowed; NULL (as after create): there is no stop
 * flag. */
void banyan_exact_set_stop(struct banyan_exact *exact, const banyan_flag *stop);

/* Writes the return of each player from state on under best play: values[players], in the game's units. */
enum banyan_status banyan_exact_value(struct banyan_exact *exact, const void *state, double *values,
                                      struct banyan_error *err);

/* Writes the mover's actions at state in legal order, *count of them: rows[game->max_legal].  state must not
 * be finished. */
enum banyan_status banyan_exact_actions(struct banyan_exact *exact, const void *state,
                                        struct banyan_exact_action *rows, int *count,
                                        struct banyan_error *err);

/* Returns how many different states are solved so far, finished ones included. */
uint64_t banyan_exact_states(const struct banyan_exact *exact);

#ifdef __cplusplus
}
#endif
#endif
