/* Counts the legal actions in all positions that are one ply later; perft needs only this count for
 * its last two plies.  Each file that includes this header compiles it for its own instruction set;
 * tests compare the results.
 *
 * With AVX-512 eight positions are counted at once: each position is a lane of the vectors, and a
 * loop takes one direction after the other.  So no vector must be reduced to one word, which takes
 * long.  Elsewhere in this folder the lanes are the directions, because there is one position only.
 */
#ifndef OTHELLO_AFTER_H
#define OTHELLO_AFTER_H

#include "games/othello/play.h"

/* The number of actions on a board whose legal squares are `legal`.  Adds 1 to *ended if the game
 * is over. */
static inline unsigned after_actions(struct board board, uint64_t legal, uint64_t area, int *ended)
{
    if (legal)
        return (unsigned)bits_count64(legal);
    bool over = !board_legal(board_pass(board), area);
    *ended += over;
    return !over; /* a pass */
}

#if defined(__AVX512VBMI2__)

enum { AFTER_WAYS = 8, AFTER_LANES = 8 };

/* The step of each direction, and the squares from which a line may go on: the lanes of
 * board_all_steps() and board_all_inner(). */
struct after_ways {
    uint64_t step[AFTER_WAYS], inner[AFTER_WAYS];
};

static inline struct after_ways after_ways(void)
{
    struct after_ways ways;
    _mm512_storeu_si512(ways.step, board_all_steps());
    _mm512_storeu_si512(ways.inner, board_all_inner());
    return ways;
}

/* The same number in all lanes. */
static inline __m512i after_all(uint64_t bits)
{
    return _mm512_set1_epi64((long long)bits);
}

/* The squares on which the side to move may place a disc; the set also has squares that are not
 * empty. */
static inline __m512i after_ends(const struct after_ways *ways, __m512i own, __m512i other)
{
    __m512i ends = _mm512_setzero_si512();
    for (int way = 0; way < AFTER_WAYS; ++way) {
        __m512i step = after_all(ways->step[way]);
        __m512i over = _mm512_and_si512(other, after_all(ways->inner[way]));
        __m512i line = board_fill_along(own, over, step);
        ends = _mm512_or_si512(ends, _mm512_rolv_epi64(line, step));
    }
    return ends;
}

/* The discs that turn when the side to move places a disc on `move`. */
static inline __m512i after_flips(const struct after_ways *ways, __m512i own, __m512i other,
                                  __m512i move)
{
    __m512i flips = _mm512_setzero_si512();
    for (int way = 0; way < AFTER_WAYS; ++way) {
        __m512i step = after_all(ways->step[way]);
        __m512i over = _mm512_and_si512(other, after_all(ways->inner[way]));
        __m512i line = board_fill_along(move, over, step);
        __mmask8 closed = _mm512_test_epi64_mask(own, _mm512_rolv_epi64(line, step));
        flips = _mm512_mask_or_epi64(flips, closed, flips, line);
    }
    return flips;
}

/* The sum of after_actions() over the boards after `count` moves, 1..AFTER_LANES: the first lanes
 * of `move`, one bit each. */
static inline unsigned after_eight(const struct after_ways *ways, struct board board, __m512i move,
                                   int count, uint64_t area, int *ended)
{
    uint64_t own[AFTER_LANES], other[AFTER_LANES], legal[AFTER_LANES];
    unsigned sum = 0;
    __m512i mover = after_all(board.own), opponent = after_all(board.other);
    __m512i flips = after_flips(ways, mover, opponent, move);
    mover = _mm512_or_si512(_mm512_xor_si512(mover, flips), move);
    opponent = _mm512_xor_si512(opponent, flips);
    __m512i empty = _mm512_andnot_si512(_mm512_or_si512(mover, opponent), after_all(area));
    _mm512_storeu_si512(legal, _mm512_and_si512(after_ends(ways, opponent, mover), empty));
    _mm512_storeu_si512(own, opponent);
    _mm512_storeu_si512(other, mover);
    for (int i = 0; i < count; ++i)
        sum += after_actions((struct board){own[i], other[i]}, legal[i], area, ended);
    return sum;
}

/* The sum of after_actions() over the boards after each of these moves. */
static inline unsigned after_moves(struct board board, uint64_t moves, uint64_t area, int *ended)
{
    struct after_ways ways = after_ways();
    __m512i squares = _mm512_maskz_compress_epi8(moves, play_numbers());
    unsigned sum = 0;
    for (int left = bits_count64(moves); left > 0; left -= AFTER_LANES) {
        __m512i square = _mm512_cvtepu8_epi64(_mm512_castsi512_si128(squares));
        sum += after_eight(&ways, board, _mm512_sllv_epi64(after_all(1), square),
                           left < AFTER_LANES ? left : AFTER_LANES, area, ended);
        squares = _mm512_alignr_epi64(squares, squares, 1);
    }
    return sum;
}

#elif defined(__AVX2__)

/* The sum of after_actions() over the boards after each of these moves. */
static inline unsigned after_moves(struct board board, uint64_t moves, uint64_t area, int *ended)
{
    struct play_lanes lanes = play_lanes_of(board, area);
    unsigned sum = 0;
    play_look(&lanes);
    for (; moves; moves &= moves - 1) {
        struct play_lanes next = lanes;
        play_move(&next, moves & (0 - moves));
        sum += after_actions(play_board(&next), next.moves, area, ended);
    }
    return sum;
}

#else

/* The sum of after_actions() over the boards after each of these moves. */
static inline unsigned after_moves(struct board board, uint64_t moves, uint64_t area, int *ended)
{
    unsigned sum = 0;
    for (; moves; moves &= moves - 1) {
        struct board next = board_play(board, moves & (0 - moves));
        sum += after_actions(next, board_legal(next, area), area, ended);
    }
    return sum;
}

#endif

/* What legal_count_after() of <banyan/game.h> returns. */
static inline unsigned after_count(const struct othello_state *state, int *ended)
{
    struct board board = othello_board(state), passed = board_pass(board);
    uint64_t moves = othello_legal(state), area = othello_area(state);
    *ended = 0;
    return moves ? after_moves(board, moves, area, ended)
                 : after_actions(passed, board_legal(passed, area), area, ended);
}

#endif
