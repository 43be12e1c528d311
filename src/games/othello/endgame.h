/* Exact Othello endgames.
 *
 * The score of a position is the disc difference after best play by both sides, seen by the side to
 * move; empty squares count for the winner.  It is always even, -64..64.
 *
 *    board --> null-window searches, stronger moves first --> score, best moves
 *                      |                     ^
 *                      +--> table of bounds -+   (kept between solves)
 *
 * Nothing is random, and only a deadline depends on time: equal calls on a fresh solver give equal
 * results and equal node counts on every machine.  A solver serves one thread at a time.  One core
 * searches about 20 million positions a second: 20 empty squares take half a second, 24 about ten
 * seconds.
 */
#ifndef GAMES_OTHELLO_ENDGAME_H
#define GAMES_OTHELLO_ENDGAME_H

#include "games/othello/board.h"

#include <banyan/status.h>
#include <banyan/stop.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ENDGAME_MIN_BYTES = 256 * 1024,          /* fixed tables, and a very small table of bounds */
    ENDGAME_DEFAULT_BYTES = 64 * 1024 * 1024 /* enough for 24 empty squares */
};

struct endgame_solver;

struct endgame_limits {
    const banyan_flag *stop; /* set by another thread or a signal handler; may be NULL */
    uint64_t max_nodes;      /* 0: no limit */
    double deadline_ms;      /* by CLOCK_MONOTONIC; 0: none */
};

struct endgame_result {
    int score; /* disc difference, seen by the side to move */
    uint64_t
        best; /* squares of moves that reach the score; 0: the side to move has no legal move */
    uint64_t nodes; /* positions searched */
};

/* Makes a solver that uses size_bytes in all (at least ENDGAME_MIN_BYTES), for boards of one area
 * (BOARD_AREA_8, _6 or _4).  The caller frees it with endgame_destroy.  BANYAN_INVALID: size_bytes
 * is too small.  BANYAN_NO_MEMORY: the memory cannot be allocated. */
enum banyan_status endgame_create(size_t size_bytes, uint64_t area, struct endgame_solver **out,
                                  struct banyan_error *err);
void endgame_destroy(struct endgame_solver *solver);

/* Removes all bounds, so that the next solve does the same as with a fresh solver. */
void endgame_clear(struct endgame_solver *solver);

/* Computes the exact score and all best moves.  limits may be NULL.  BANYAN_INTERRUPTED: a limit
 * was reached; then only result->nodes is valid. */
enum banyan_status endgame_solve(struct endgame_solver *solver, struct board board,
                                 const struct endgame_limits *limits,
                                 struct endgame_result *result);

/* Computes the exact score and one best move.  This is cheaper, because it need not find out which
 * other moves are equally good. */
enum banyan_status endgame_score(struct endgame_solver *solver, struct board board,
                                 const struct endgame_limits *limits,
                                 struct endgame_result *result);

/* Computes only the outcome, -1, 0 or 1 in result->score, and one move that reaches it.  This is
 * cheaper still. */
enum banyan_status endgame_outcome(struct endgame_solver *solver, struct board board,
                                   const struct endgame_limits *limits,
                                   struct endgame_result *result);

#endif
