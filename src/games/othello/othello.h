/* The state of an Othello game, 24 bytes.
 *
 * `moves` holds the legal squares of the side to move, so that the functions movers and legal need
 * not compute anything.  The four centre squares are occupied from the start of every game and so
 * never legal; their bits are used for flags:
 *
 *    d4 white moves    e4 the game is over    d5, e5 board size: 8, 6, 4
 *
 * If there is no legal square and the game is not over, the side to move must pass.
 */
#ifndef OTHELLO_OTHELLO_H
#define OTHELLO_OTHELLO_H

#include "games/othello/board.h"

#include <assert.h>
#include <stdint.h>

enum { OTHELLO_PASS = 64 }; /* the other actions are squares, 0..63 */

#define OTHELLO_WHITE ((uint64_t)1 << 27) /* player 1 is to move */
#define OTHELLO_OVER  ((uint64_t)1 << 28) /* neither side can move */

enum { OTHELLO_SIZE_SHIFT = 35 }; /* two bits: 0, 1, 2 for boards of 8, 6, 4 */

struct othello_state {
    uint64_t own, other; /* discs of the side to move and of the opponent */
    uint64_t moves;      /* legal squares, and the flags above */
};

static_assert(sizeof(struct othello_state) == 24, "24 bytes");

static inline struct board othello_board(const struct othello_state *state)
{
    return (struct board){.own = state->own, .other = state->other};
}

static inline uint64_t othello_legal(const struct othello_state *state)
{
    return state->moves & ~BOARD_CENTRE;
}

static inline int othello_mover(const struct othello_state *state)
{
    return (state->moves & OTHELLO_WHITE) != 0;
}

/* 8, 6 or 4 squares to a side. */
static inline int othello_size(const struct othello_state *state)
{
    return 8 - 2 * (int)(state->moves >> OTHELLO_SIZE_SHIFT & 3);
}

static inline uint64_t othello_area(const struct othello_state *state)
{
    static const uint64_t areas[4] = {BOARD_AREA_8, BOARD_AREA_6, BOARD_AREA_4, 0};
    return areas[state->moves >> OTHELLO_SIZE_SHIFT & 3];
}

#endif
