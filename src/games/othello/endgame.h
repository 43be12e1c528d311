/* Exact Othello endgames on the 8x8 board.
 *
 * A position is two bitboards, the discs of the side to move and those of the
 * other side; bit 0 is A1, bit 7 is H1, bit 8 is A2.  Its score is the disc
 * difference at the end of best play as the side to move sees it, where empty
 * squares go to the winner: always even, -64..64.
 *
 *     own, other --> null-window searches, stronger moves first --> score, best moves
 *                       |                     ^
 *                       +--> table of bounds -+   (kept between solves)
 *
 * Nothing here is random and nothing depends on time: equal calls on a fresh
 * solver give equal results and equal node counts, on every machine.  A solver
 * serves one thread at a time.
 */
#ifndef GAMES_OTHELLO_ENDGAME_H
#define GAMES_OTHELLO_ENDGAME_H

#include <banyan/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ENDGAME_MIN_BYTES     = 256 * 1024,       /* the fixed tables and a very small table of bounds */
    ENDGAME_DEFAULT_BYTES = 64 * 1024 * 1024, /* enough for 24 empties */
    ENDGAME_TEXT_SQUARES  = 64
};

struct endgame_solver;

struct endgame_limits {
    const volatile bool *stop; /* set by another thread or a signal handler; may be NULL */
    uint64_t max_nodes;        /* 0: no limit */
};

struct endgame_result {
    int score;      /* discs, side to move; empties count for the winner */
    uint64_t best;  /* squares of all moves that reach it; 0: the side to move must pass or is done */
    uint64_t nodes; /* positions looked at */
};

/* Allocates a solver of at most size_bytes in all (at least ENDGAME_MIN_BYTES; destroyed with
 * endgame_destroy).  BANYAN_INVALID: too small.  BANYAN_NO_MEMORY: the system has no such block. */
enum banyan_status endgame_create(size_t size_bytes, struct endgame_solver **out,
                                  struct banyan_error *err);
void endgame_destroy(struct endgame_solver *solver);

/* Forgets all bounds, so that the next solve is that of a fresh solver. */
void endgame_clear(struct endgame_solver *solver);

/* The exact score and all best moves.  limits may be NULL.  BANYAN_INTERRUPTED: a limit was reached;
 * then only result->nodes means something. */
enum banyan_status endgame_solve(struct endgame_solver *solver, uint64_t own, uint64_t other,
                                 const struct endgame_limits *limits,
                                 struct endgame_result *result);

/* The exact score and one best move: cheaper, the other moves need not be told apart. */
enum banyan_status endgame_score(struct endgame_solver *solver, uint64_t own, uint64_t other,
                                 const struct endgame_limits *limits,
                                 struct endgame_result *result);

/* Only the sign of the score, in result->score as -1, 0 or 1, and one move that reaches it: cheaper
 * still. */
enum banyan_status endgame_outcome(struct endgame_solver *solver, uint64_t own, uint64_t other,
                                   const struct endgame_limits *limits,
                                   struct endgame_result *result);

#endif
