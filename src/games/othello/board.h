/* Othello bitboards as plain values; the functions keep no state.
 *
 *       a  b  c  d  e  f  g  h
 *    1  0  1  2  3  4  5  6  7      square = 8 * row + column is the bit
 *    2  8  9 10 ...                 number in a board word
 *    ...
 *    8 56 57 ...            63
 *
 * A board is stored from the view of the side to move: its own discs, and the other discs.  6x6 and
 * 4x4 boards are in the middle of the 8x8 board (b2..g7, c3..f6), so the four centre squares are
 * the same in all sizes, and every function works for every size.  There are never discs outside
 * the area, so only functions that look for empty squares need to know the area.
 *
 * All rays of a direction are followed at once by parallel prefix (Kogge and Stone 1973): a fill
 * over the opponent's discs reaches 1, 2, 4, 6 steps.  A file compiled for AVX2 gets the same
 * functions with four directions in one vector, one compiled for AVX-512 with all eight.
 */
#ifndef OTHELLO_BOARD_H
#define OTHELLO_BOARD_H

#include "base/compiler.h"

#include <assert.h>
#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define BOARD_AREA_8 0xffffffffffffffffu
#define BOARD_AREA_6 0x007e7e7e7e7e7e00u
#define BOARD_AREA_4 0x00003c3c3c3c0000u
#define BOARD_CENTRE 0x0000001818000000u /* d4 e4 d5 e5: occupied from the start of every game */

struct board {
    uint64_t own;   /* discs of the side to move */
    uint64_t other; /* discs of the opponent */
};

/* The squares that are not on the columns a and h.  A horizontal or diagonal ray ends at a disc on
 * the columns a and h. */
#define BOARD_INNER 0x7e7e7e7e7e7e7e7eu

#if defined(__AVX2__)

/* The step of each lane: horizontal, one diagonal, vertical, the other diagonal. */
static inline __m256i board_steps(void)
{
    return _mm256_set_epi64x(9, 8, 7, 1);
}

static inline __m256i board_inner(void)
{
    return _mm256_set_epi64x((long long)BOARD_INNER, -1, (long long)BOARD_INNER,
                             (long long)BOARD_INNER);
}

static inline uint64_t board_or_lanes(__m256i lanes)
{
    __m128i two = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two)));
}

/* The discs of `over` that form an unbroken line from a bit of `from` towards higher squares. */
static inline __m256i board_fill_up(__m256i from, __m256i over)
{
    const __m256i step = board_steps(), twice = _mm256_add_epi64(step, step);
    __m256i pairs = _mm256_and_si256(over, _mm256_sllv_epi64(over, step));
    __m256i fill = _mm256_and_si256(over, _mm256_sllv_epi64(from, step));
    fill = _mm256_or_si256(fill, _mm256_and_si256(over, _mm256_sllv_epi64(fill, step)));
    fill = _mm256_or_si256(fill, _mm256_and_si256(pairs, _mm256_sllv_epi64(fill, twice)));
    return _mm256_or_si256(fill, _mm256_and_si256(pairs, _mm256_sllv_epi64(fill, twice)));
}

/* As board_fill_up, but towards lower squares. */
static inline __m256i board_fill_down(__m256i from, __m256i over)
{
    const __m256i step = board_steps(), twice = _mm256_add_epi64(step, step);
    __m256i pairs = _mm256_and_si256(over, _mm256_srlv_epi64(over, step));
    __m256i fill = _mm256_and_si256(over, _mm256_srlv_epi64(from, step));
    fill = _mm256_or_si256(fill, _mm256_and_si256(over, _mm256_srlv_epi64(fill, step)));
    fill = _mm256_or_si256(fill, _mm256_and_si256(pairs, _mm256_srlv_epi64(fill, twice)));
    return _mm256_or_si256(fill, _mm256_and_si256(pairs, _mm256_srlv_epi64(fill, twice)));
}

#endif

#if defined(__AVX512VL__)

/* The steps of eight lanes: the four of board_steps, and the same towards lower squares.  A step of
 * n towards lower squares is a rotation by 64 - n. */
static inline __m512i board_all_steps(void)
{
    return _mm512_set_epi64(55, 56, 57, 63, 9, 8, 7, 1);
}

/* For each lane the squares from which a line may go on: those at the edge where lines of this
 * direction end are left out, so a disc that was rotated past an edge never counts. */
static inline __m512i board_all_inner(void)
{
    const long long rows = 0x00ffffffffffff00, columns = BOARD_INNER, both = rows & columns;
    return _mm512_set_epi64(both, rows, both, columns, both, rows, both, columns);
}

static inline uint64_t board_or_all(__m512i lanes)
{
    __m256i low = _mm512_castsi512_si256(lanes);
    return board_or_lanes(_mm256_or_si256(low, _mm512_extracti64x4_epi64(lanes, 1)));
}

/* The discs of `over` that form an unbroken line from a bit of `from`, in each lane in the
 * direction of its step. */
static inline __m512i board_fill_along(__m512i from, __m512i over, __m512i step)
{
    const __m512i twice = _mm512_add_epi64(step, step);
    __m512i pairs = _mm512_and_si512(over, _mm512_rolv_epi64(over, step));
    __m512i fill = _mm512_and_si512(over, _mm512_rolv_epi64(from, step));
    fill = _mm512_or_si512(fill, _mm512_and_si512(over, _mm512_rolv_epi64(fill, step)));
    fill = _mm512_or_si512(fill, _mm512_and_si512(pairs, _mm512_rolv_epi64(fill, twice)));
    return _mm512_or_si512(fill, _mm512_and_si512(pairs, _mm512_rolv_epi64(fill, twice)));
}

/* The squares on which the side to move may place a disc. */
static inline uint64_t board_legal(struct board board, uint64_t area)
{
    __m512i own = _mm512_set1_epi64((long long)board.own);
    __m512i over = _mm512_and_si512(_mm512_set1_epi64((long long)board.other), board_all_inner());
    __m512i ends =
        _mm512_rolv_epi64(board_fill_along(own, over, board_all_steps()), board_all_steps());
    return board_or_all(ends) & area & ~(board.own | board.other);
}

/* The discs that turn when the side to move places a disc on `move`, one bit on an empty square. */
static inline uint64_t board_flips(struct board board, uint64_t move)
{
    __m512i own = _mm512_set1_epi64((long long)board.own);
    __m512i over = _mm512_and_si512(_mm512_set1_epi64((long long)board.other), board_all_inner());
    __m512i fill = board_fill_along(_mm512_set1_epi64((long long)move), over, board_all_steps());
    __mmask8 closed = _mm512_test_epi64_mask(own, _mm512_rolv_epi64(fill, board_all_steps()));
    return board_or_all(_mm512_maskz_mov_epi64(closed, fill));
}

#elif defined(__AVX2__)

/* The squares on which the side to move may place a disc. */
static inline uint64_t board_legal(struct board board, uint64_t area)
{
    __m256i own = _mm256_set1_epi64x((long long)board.own);
    __m256i over = _mm256_and_si256(_mm256_set1_epi64x((long long)board.other), board_inner());
    __m256i up = _mm256_sllv_epi64(board_fill_up(own, over), board_steps());
    __m256i down = _mm256_srlv_epi64(board_fill_down(own, over), board_steps());
    return board_or_lanes(_mm256_or_si256(up, down)) & area & ~(board.own | board.other);
}

/* The discs that turn when the side to move places a disc on `move`, one bit on an empty square. */
static inline uint64_t board_flips(struct board board, uint64_t move)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i own = _mm256_set1_epi64x((long long)board.own);
    __m256i over = _mm256_and_si256(_mm256_set1_epi64x((long long)board.other), board_inner());
    __m256i from = _mm256_set1_epi64x((long long)move);
    __m256i up = board_fill_up(from, over), down = board_fill_down(from, over);
    __m256i up_open =
        _mm256_cmpeq_epi64(_mm256_and_si256(own, _mm256_sllv_epi64(up, board_steps())), zero);
    __m256i down_open =
        _mm256_cmpeq_epi64(_mm256_and_si256(own, _mm256_srlv_epi64(down, board_steps())), zero);
    return board_or_lanes(
        _mm256_or_si256(_mm256_andnot_si256(up_open, up), _mm256_andnot_si256(down_open, down)));
}

#else

static inline uint64_t board_fill_up(uint64_t from, uint64_t over, int step)
{
    uint64_t pairs = over & (over << step), fill = over & (from << step);
    fill |= over & (fill << step);
    fill |= pairs & (fill << (2 * step));
    return fill | (pairs & (fill << (2 * step)));
}

static inline uint64_t board_fill_down(uint64_t from, uint64_t over, int step)
{
    uint64_t pairs = over & (over >> step), fill = over & (from >> step);
    fill |= over & (fill >> step);
    fill |= pairs & (fill >> (2 * step));
    return fill | (pairs & (fill >> (2 * step)));
}

/* The squares just after an unbroken line of `over` that begins next to an own disc, in both
 * directions. */
static inline uint64_t board_legal_line(uint64_t own, uint64_t over, int step)
{
    return (board_fill_up(own, over, step) << step) | (board_fill_down(own, over, step) >> step);
}

/* The squares on which the side to move may place a disc. */
static inline uint64_t board_legal(struct board board, uint64_t area)
{
    uint64_t inner = board.other & BOARD_INNER;
    uint64_t ends = board_legal_line(board.own, inner, 1) | board_legal_line(board.own, inner, 7) |
                    board_legal_line(board.own, board.other, 8) |
                    board_legal_line(board.own, inner, 9);
    return ends & area & ~(board.own | board.other);
}

/* The discs of `over` between `move` and the nearest own disc, in both directions. */
static inline uint64_t board_flips_line(uint64_t own, uint64_t over, uint64_t move, int step)
{
    uint64_t up = board_fill_up(move, over, step), down = board_fill_down(move, over, step);
    up &= (uint64_t)0 - (uint64_t)((own & (up << step)) != 0);
    down &= (uint64_t)0 - (uint64_t)((own & (down >> step)) != 0);
    return up | down;
}

/* The discs that turn when the side to move places a disc on `move`, one bit on an empty square. */
static inline uint64_t board_flips(struct board board, uint64_t move)
{
    uint64_t inner = board.other & BOARD_INNER;
    return board_flips_line(board.own, inner, move, 1) |
           board_flips_line(board.own, inner, move, 7) |
           board_flips_line(board.own, board.other, move, 8) |
           board_flips_line(board.own, inner, move, 9);
}

#endif

/* The board seen by the opponent, whose turn it is now: a pass. */
static inline struct board board_pass(struct board board)
{
    return (struct board){.own = board.other, .other = board.own};
}

/* The board after `move`, whose flips are known, seen by the opponent. */
static inline struct board board_turn(struct board board, uint64_t move, uint64_t flips)
{
    return (struct board){.own = board.other ^ flips, .other = board.own ^ flips ^ move};
}

/* The board after the legal `move`, seen by the opponent. */
static inline struct board board_play(struct board board, uint64_t move)
{
    assert((move & (board.own | board.other)) == 0);
    return board_turn(board, move, board_flips(board, move));
}

static inline uint64_t board_empty(struct board board, uint64_t area)
{
    return area & ~(board.own | board.other);
}

/* Own discs minus other discs. */
static inline int board_difference(struct board board)
{
    return bits_count64(board.own) - bits_count64(board.other);
}

/* Disc difference of a finished game as tournaments count it: empty squares go to the winner. */
static inline int board_score(struct board board, uint64_t area)
{
    int difference = board_difference(board), empty = bits_count64(board_empty(board, area));
    return difference > 0 ? difference + empty : difference < 0 ? difference - empty : 0;
}

#endif
