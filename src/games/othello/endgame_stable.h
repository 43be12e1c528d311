/* Finds stable discs: discs that can never be turned again.  It does not find all of them, but
 * those it finds are certainly stable. */
#ifndef GAMES_OTHELLO_ENDGAME_STABLE_H
#define GAMES_OTHELLO_ENDGAME_STABLE_H

#include "games/othello/board.h"
#include "games/othello/endgame_tables.h"

#define STABLE_NOT_A 0xfefefefefefefefeu
#define STABLE_NOT_H 0x7f7f7f7f7f7f7f7fu
#define STABLE_ALL   0xffffffffffffffffu

/* Squares whose line in one direction has no empty square.  up, down: the squares that a step in
 * the direction can reach without leaving the board. */
static inline uint64_t stable_full(uint64_t empty, int step, uint64_t up, uint64_t down)
{
    uint64_t gap = empty | (empty << step & up) | (empty >> step & down);
    up &= up << step;
    down &= down >> step;
    gap |= (gap << 2 * step & up) | (gap >> 2 * step & down);
    up &= up << 2 * step;
    down &= down >> 2 * step;
    return ~(gap | (gap << 4 * step & up) | (gap >> 4 * step & down));
}

/* Converts the discs of a column to a row (bit r for row r), and a row to a column. */
static inline unsigned stable_row(uint64_t discs, int column)
{
    return (unsigned)((discs >> column & 0x0101010101010101) * 0x0102040810204080 >> 56);
}

static inline uint64_t stable_column(uint64_t row, int column)
{
    uint64_t spread = (row & 0x7f) * 0x0002040810204081 & 0x0101010101010101;
    return (spread | row >> 7 << 56) << column;
}

/* The mover's discs on the four edges that no move on the edge can turn (8x8 only). */
static inline uint64_t stable_edges(const struct endgame_tables *tables, struct board board)
{
    const uint8_t(*edge)[256] = tables->edge_stable;
    uint64_t own = board.own, other = board.other;
    return edge[own & 255][other & 255] | (uint64_t)edge[own >> 56][other >> 56] << 56 |
           stable_column(edge[stable_row(own, 0)][stable_row(other, 0)], 0) |
           stable_column(edge[stable_row(own, 7)][stable_row(other, 7)], 7);
}

/* The mover's stable discs.  A disc is stable if for each of its four lines one of these holds: the
 * line is full, or a neighbour on it is a stable disc of the mover, or the border is next to the
 * disc. */
static inline uint64_t stable_discs(const struct endgame_tables *tables, struct board board,
                                    uint64_t area)
{
    uint64_t empty = board_empty(board, area), outside = ~area;
    uint64_t full1 = stable_full(empty, 1, STABLE_NOT_A, STABLE_NOT_H);
    uint64_t full7 = stable_full(empty, 7, STABLE_NOT_H, STABLE_NOT_A);
    uint64_t full8 = stable_full(empty, 8, STABLE_ALL, STABLE_ALL);
    uint64_t full9 = stable_full(empty, 9, STABLE_NOT_A, STABLE_NOT_H);
    uint64_t inner = board.own & 0x007e7e7e7e7e7e00;
    uint64_t stable = board.own & full1 & full7 & full8 & full9;
    stable |= outside | stable_edges(tables, board);
    for (uint64_t before = 0; before != stable;) {
        before = stable;
        stable |= inner & (full1 | stable << 1 | stable >> 1) &
                  (full7 | stable << 7 | stable >> 7) & (full8 | stable << 8 | stable >> 8) &
                  (full9 | stable << 9 | stable >> 9);
    }
    return stable & area;
}

#endif
