/* A player chooses actions for one seat of a game: a search, a random mover, a network, an outside
 * program, a person.
 *
 *     create --> open (a game begins) --> choose | observe ... --> open ... --> close
 *
 * The program that runs a game (a match, a server, a contest) has one player for each seat.  It
 * calls choose of the movers, applies their actions, and calls observe of every player with the
 * actions and the states before and after.  examples/player.c is such a program in 67 lines.
 *
 * Ownership: the game and the list of offers are borrowed as long as the player lives, a state for the
 * call.  The player that banyan_player_create makes belongs to the caller, who closes it.
 *
 * Threads: a player belongs to one thread at a time; different players are independent of each other.  The
 * player may have threads of its own (mcts: with threads=N while it chooses, with ponder=on between observe
 * and the next call); close ends them.
 *
 * Times are milliseconds of CLOCK_MONOTONIC.
 */
#ifndef BANYAN_PLAYER_H
#define BANYAN_PLAYER_H

#include <banyan/evaluator.h>
#include <banyan/game.h>
#include <banyan/status.h>
#include <banyan/stop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The time that is left.  A player plans with it; the program that runs the game checks whether
 * a player has taken too long. */
struct banyan_player_clock {
    double left_ms[BANYAN_MAX_PLAYERS]; /* by seat, for the rest of the game; negative: no limit */
    double
        increment_ms; /* added after every decision.  left_ms <= increment_ms: each decision has a
                            fixed time, and may use all of it */
    const banyan_flag *stop; /* once it is set, choose returns soon: BANYAN_INTERRUPTED, or the
                                best action found so far; NULL: choose is never stopped */
};

/* The action that a player has chosen, and how the player values it. */
struct banyan_player_move {
    banyan_action action; /* legal for the seat */
    double value;         /* expected return of the seat, in the game's units; NaN: no opinion */
    uint64_t simulations; /* made for this decision; 0: none */
    uint64_t visits;      /* of the chosen action, including those from before this decision; 0:
                             not counted */
    double elapsed_ms;    /* time that this decision took; 0: not measured */
    bool exact;           /* value is that of perfect play, and so is score */
    double score; /* exact only: what the seat ends with in the game's own points (discs, ...); NaN:
                     the player does not know it */
};

/* Every function gets ctx as its first argument. open and choose are never NULL; observe and
 * close may be NULL. */
struct banyan_player {
    size_t struct_size; /* sizeof(struct banyan_player) */
    char name[96]; /* to show: the text of which the player was made, unless it has another name */
    void *ctx;     /* owned; freed by close */

    /* A game begins in `state`, and this player has `seat`, 0..players-1.  The caller may leave a
     * game at any time by opening the next one.  Choices depend on the seed and the states only:
     * with equal seeds a player makes equal choices, whatever it has played before, unless it stops
     * by time, ponders, or searches with several threads. */
    enum banyan_status (*open)(void *ctx, const void *state, int seat, uint64_t seed,
                               struct banyan_error *err);

    /* Chooses for the seat, which is a mover of state.  clock: NULL: no limit.  The state hides nothing: in a
     * game with hidden information the player may use only what its seat can see (it calls determinize() first,
     * or reads only key()).  BANYAN_INTERRUPTED: clock->stop was set. */
    enum banyan_status (*choose)(void *ctx, const void *state,
                                 const struct banyan_player_clock *clock,
                                 struct banyan_player_move *out, struct banyan_error *err);

    /* Every mover has chosen: joint[p] was played by the movers p of `before`, and `after` is the
     * result.  Called for every step of the game, also for those in which this seat did not choose, so
     * that the player can keep its tree, pass the actions on, or ponder.  A player for which this was
     * not called must still be able to choose, from the state alone.  NULL: the player does not need
     * these calls. */
    enum banyan_status (*observe)(void *ctx, const void *before, const banyan_action joint[],
                                  const void *after, struct banyan_error *err);

    void (*close)(void *ctx);
};

/* Makes a player from text, NAME or NAME:ARGS:
 *
 *   random                    any legal action, all equally likely
 *   first                     the legal action whose text comes first
 *   perfect[:memory=256M]     exact play in small games, any of the best actions
 *   mcts[:simulations=1000,rule=ucb1,evaluator=rollout,...]
 *                             Monte Carlo tree search, by simulations, a time for each decision, or the
 *                             clock; takes all options of banyan_search_option_table() too.  With an
 *                             evaluator that gives priors the default of rule is puct, unless an option of
 *                             ucb1 is set
 *   best[:time=500ms,...]     the strongest player of this game, which banyan_game.best names.  It keeps to
 *                             the clock, or without a clock takes `time` for each decision.  All other options
 *                             are those of the player that is named there; if any is given, `time` has no default
 *   level:N                   a player of this strength, 1 is the weakest (banyan_game.levels)
 *   or an offer of the caller or of the game (struct banyan_offer says which name wins)
 *
 * offers: the caller's offers, also for evaluators that the text names; NULL: none. seed: used for
 * random choices before the first open.  On failure *out is all 0, and there is nothing to close.
 * BANYAN_NOT_FOUND: no player, evaluator or option has a name that the text contains; the message
 * names those that there are, or the nearest.  BANYAN_INVALID and BANYAN_UNSUPPORTED: the message names
 * the option that is wrong, or the two things that cannot be combined. */
enum banyan_status banyan_player_create(const struct banyan_game *game, const char *text,
                                        const struct banyan_offer *offers, uint64_t seed,
                                        struct banyan_player *out, struct banyan_error *err);

/* The players that every game has; static storage. */
const struct banyan_offer *banyan_player_list(void);

/* Ends what the player does in the background and frees it.  Does nothing to a player that is closed already, or
 * all 0. */
void banyan_player_close(struct banyan_player *player);

#ifdef __cplusplus
}
#endif
#endif
