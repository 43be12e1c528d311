/* Moves, flips and the last flip, for any processor.  endgame_board_avx2.h has
 * the same functions in vector instructions; the solver is built once with
 * each, and a test holds the two against each other.
 */
#ifndef GAMES_OTHELLO_ENDGAME_BOARD_H
#define GAMES_OTHELLO_ENDGAME_BOARD_H

#include "games/othello/endgame_tables.h"

/* The squares that discs of `own` can reach over an unbroken run of `through`, in one direction. */
static inline uint64_t board_run_up(uint64_t own, uint64_t through, int step)
{
    uint64_t run = through & (own << step);
    run |= through & (run << step);
    through &= through << step;
    run |= through & (run << (2 * step));
    run |= through & (run << (2 * step));
    return run << step;
}

static inline uint64_t board_run_down(uint64_t own, uint64_t through, int step)
{
    uint64_t run = through & (own >> step);
    run |= through & (run >> step);
    through &= through >> step;
    run |= through & (run >> (2 * step));
    run |= through & (run >> (2 * step));
    return run >> step;
}

/* The squares where `own` may move. */
static inline uint64_t board_moves(uint64_t own, uint64_t other)
{
    uint64_t inner = other & 0x7e7e7e7e7e7e7e7e;
    uint64_t moves = board_run_up(own, inner, 1) | board_run_down(own, inner, 1) |
                     board_run_up(own, inner, 7) | board_run_down(own, inner, 7) |
                     board_run_up(own, inner, 9) | board_run_down(own, inner, 9) |
                     board_run_up(own, other, 8) | board_run_down(own, other, 8);
    return moves & ~(own | other);
}

/* The discs that `own` turns by moving to `square`; 0: no move. */
static inline uint64_t board_flips(const struct endgame_tables *tables, uint64_t own,
                                   uint64_t other, int square)
{
    const uint64_t *rays = tables->rays[square];
    uint64_t flips = 0;
    for (int d = 0; d < 4; ++d) { /* towards H8: the nearest disc that is not the other's */
        uint64_t stop = rays[d] & ~other;
        uint64_t end = stop & (0 - stop) & own;
        flips |= end ? rays[d] & (end - 1) : 0;
    }
    for (int d = 4; d < 8; ++d) { /* towards A1 */
        uint64_t stop = rays[d] & ~other;
        uint64_t end = stop ? (uint64_t)1 << (63 - __builtin_clzll(stop)) & own : 0;
        flips |= end ? rays[d] & (0 - 2 * end) : 0;
    }
    return flips;
}

/* How many discs `own` turns on `square`, the only empty square of the board. */
static inline int board_count_last(const struct endgame_tables *tables, uint64_t own, int square)
{
    const uint64_t column = 0x0101010101010101;
    const uint64_t spread = 0x0102040810204080; /* gathers column A, bit of row r at r, on top */
    int file = square & 7, rank = square >> 3;
    const uint64_t *lines = tables->lines[square];
    const uint8_t *by_file = tables->flips_in_line[file];
    const uint8_t *by_rank = tables->flips_in_line[rank];
    int count = by_file[(own >> (8 * rank)) & 255];
    count += by_rank[(((own >> file) & column) * spread) >> 56];
    count += by_file[((own & lines[0]) * column) >> 56];
    count += by_file[((own & lines[1]) * column) >> 56];
    return count;
}

#endif
