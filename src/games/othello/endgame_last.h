/* The search of the last four empty squares, where most of the time is spent.  It uses no lists of
 * moves and no table; moves are ordered only by parity.  endgame_search.c includes this file.
 *
 * Every function tells whether the score is above alpha for the side to move, and returns a bound
 * as endgame_search does.  A function whose name ends in _try tries one move, one whose name ends
 * in _move all moves; both return LAST_NO_MOVE when none of their moves is legal.
 */
#ifndef GAMES_OTHELLO_ENDGAME_LAST_H
#define GAMES_OTHELLO_ENDGAME_LAST_H

#include "base/compiler.h"
#include "games/othello/board.h"
#include "games/othello/endgame_search.h"

enum { LAST_NO_MOVE = -128 }; /* below every score */

static inline int last_better(int a, int b)
{
    return a > b ? a : b;
}

/* The number of discs that a move of `own` on `square`, the only empty square, turns: four
 * look-ups.  A multiplication gathers the bits of a column or a diagonal in the highest byte. */
static inline int last_count(const struct endgame_tables *tables, uint64_t own, int square)
{
    const uint64_t first_file = 0x0101010101010101;
    const uint64_t *diagonals = tables->diagonals[square];
    const uint8_t *by_column = tables->line_flips[square & 7];
    const uint8_t *by_row = tables->line_flips[square >> 3];
    return by_column[own >> (square & 56) & 255] +
           by_column[(own & diagonals[0]) * first_file >> 56] +
           by_column[(own & diagonals[1]) * first_file >> 56] +
           by_row[(own >> (square & 7) & first_file) * 0x0102040810204080 >> 56];
}

static inline int last_one(struct endgame_solver *solver, struct board board, int square)
{
    solver->nodes++;
    int mine = bits_count64(board.own);
    int flips = last_count(&solver->tables, board.own, square);
    if (flips)
        return 2 * (mine + flips + 1) - solver->squares;
    flips = last_count(&solver->tables, board.other, square);
    if (flips)
        return 2 * (mine - flips) - solver->squares;
    return board_score(board, solver->area);
}

/* The discs that a move on `square` turns.  The quick test comes first: a move beside no disc of
 * the opponent turns nothing. */
static inline uint64_t last_flips(const struct endgame_solver *solver, struct board board,
                                  int square)
{
    if (!(solver->tables.neighbours[square] & board.other))
        return 0;
    return board_flips(board, (uint64_t)1 << square);
}

static inline int last_two_try(struct endgame_solver *solver, struct board board, int square,
                               int left)
{
    uint64_t flips = last_flips(solver, board, square);
    if (!flips)
        return LAST_NO_MOVE;
    return -last_one(solver, board_turn(board, (uint64_t)1 << square, flips), left);
}

static inline int last_two_move(struct endgame_solver *solver, struct board board, int alpha, int a,
                                int b)
{
    int best = last_two_try(solver, board, a, b);
    return best > alpha ? best : last_better(best, last_two_try(solver, board, b, a));
}

static int last_two(struct endgame_solver *solver, struct board board, int alpha, int a, int b)
{
    solver->nodes++;
    int best = last_two_move(solver, board, alpha, a, b);
    if (best != LAST_NO_MOVE)
        return best;
    best = last_two_move(solver, board_pass(board), -alpha - 1, a, b);
    return best != LAST_NO_MOVE ? -best : board_score(board, solver->area);
}

static inline int last_three_try(struct endgame_solver *solver, struct board board, int alpha,
                                 int square, int a, int b)
{
    uint64_t flips = last_flips(solver, board, square);
    if (!flips)
        return LAST_NO_MOVE;
    return -last_two(solver, board_turn(board, (uint64_t)1 << square, flips), -alpha - 1, a, b);
}

static inline int last_three_move(struct endgame_solver *solver, struct board board, int alpha,
                                  const int at[3])
{
    int best = last_three_try(solver, board, alpha, at[0], at[1], at[2]);
    if (best <= alpha)
        best = last_better(best, last_three_try(solver, board, alpha, at[1], at[0], at[2]));
    if (best <= alpha)
        best = last_better(best, last_three_try(solver, board, alpha, at[2], at[0], at[1]));
    return best;
}

/* Lists the empty squares; squares in quadrants with an odd number of empty squares come first,
 * because the player who moves there now can expect to make the last move of the quadrant.  Returns
 * the number of empty squares. */
static inline int last_list(uint64_t empty, uint64_t odd, int *at)
{
    int n = 0;
    for (uint64_t rest = empty & odd; rest; rest &= rest - 1)
        at[n++] = bits_first64(rest);
    for (uint64_t rest = empty & ~odd; rest; rest &= rest - 1)
        at[n++] = bits_first64(rest);
    return n;
}

static int last_three(struct endgame_solver *solver, struct board board, int alpha, uint64_t odd)
{
    int at[3];
    solver->nodes++;
    last_list(board_empty(board, solver->area), odd, at);
    int best = last_three_move(solver, board, alpha, at);
    if (best != LAST_NO_MOVE)
        return best;
    best = last_three_move(solver, board_pass(board), -alpha - 1, at);
    return best != LAST_NO_MOVE ? -best : board_score(board, solver->area);
}

static inline int last_four_move(struct endgame_solver *solver, struct board board, int alpha,
                                 uint64_t odd, const int at[4])
{
    int best = LAST_NO_MOVE;
    for (int i = 0; i < 4 && best <= alpha; ++i) {
        uint64_t flips = last_flips(solver, board, at[i]);
        if (!flips)
            continue;
        struct board next = board_turn(board, (uint64_t)1 << at[i], flips);
        best = last_better(
            best, -last_three(solver, next, -alpha - 1, odd ^ solver->tables.quadrant[at[i]]));
    }
    return best;
}

static int last_four(struct endgame_solver *solver, struct board board, int alpha, uint64_t odd)
{
    int at[4];
    solver->nodes++;
    last_list(board_empty(board, solver->area), odd, at);
    int best = last_four_move(solver, board, alpha, odd, at);
    if (best != LAST_NO_MOVE)
        return best;
    best = last_four_move(solver, board_pass(board), -alpha - 1, odd, at);
    return best != LAST_NO_MOVE ? -best : board_score(board, solver->area);
}

#endif
