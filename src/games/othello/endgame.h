/* Exact Othello endgames.
 *
 * The score of a position is the disc difference at the end of best play as the
 * side to move sees it, where empty squares go to the winner: always even,
 * -64..64.
 *
 *     board --> null-window searches, stronger moves first --> score, best moves
 *                       |                     ^
 *                       +--> table of bounds -+   (kept between solves)
 *
 * Nothing here is random and nothing but a deadline depends on time: equal calls on a fresh
 * solver give equal results and equal node counts, on every machine.  A solver
 * serves one thread at a time.  One core looks at about 20 million positions a
 * second: 20 empty squares take half a second, 24 some ten.
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
    int score; /* discs, side to move */
    uint64_t
        best; /* squares of moves that reach it; 0: no move, the side to move passes or is done */
    uint64_t nodes; /* positions looked at */
};

/* Makes a solver of size_bytes in all (at least ENDGAME_MIN_BYTES) for boards of one area
 * (BOARD_AREA_8, _6 or _4); destroyed with endgame_destroy.  BANYAN_INVALID: too small.
 * BANYAN_NO_MEMORY: the system has no such block. */
enum banyan_status endgame_create(size_t size_bytes, uint64_t area, struct endgame_solver **out,
                                  struct banyan_error *err);
void endgame_destroy(struct endgame_solver *solver);

/* Forgets all bounds, so that the next solve is that of a fresh solver. */
void endgame_clear(struct endgame_solver *solver);

/* The exact score and all best moves.  limits may be NULL.  BANYAN_INTERRUPTED: a limit was
 * reached; then only result->nodes means something. */
enum banyan_status endgame_solve(struct endgame_solver *solver, struct board board,
                                 const struct endgame_limits *limits,
                                 struct endgame_result *result);

/* The exact score and one best move: cheaper, because no other move is told from an equal one. */
enum banyan_status endgame_score(struct endgame_solver *solver, struct board board,
                                 const struct endgame_limits *limits,
                                 struct endgame_result *result);

/* Only the outcome, -1, 0 or 1 in result->score, and one move that reaches it: cheaper still. */
enum banyan_status endgame_outcome(struct endgame_solver *solver, struct board board,
                                   const struct endgame_limits *limits,
                                   struct endgame_result *result);

#endif
