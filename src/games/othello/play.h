/* One ply of Othello, and random play to the end of the game.  Each file that includes this header
 * compiles it for its own instruction set; tests compare the results. */
#ifndef OTHELLO_PLAY_H
#define OTHELLO_PLAY_H

#include "games/othello/othello.h"

#include "base/rng.h"

#include <stdbool.h>

/* The state of a board whose legal squares are known.  Only the mover and the size are taken from
 * flags. */
static inline struct othello_state play_known(struct board board, uint64_t moves, uint64_t flags,
                                              uint64_t area)
{
    struct othello_state state = {.own = board.own, .other = board.other};
    state.moves = moves | (flags & BOARD_CENTRE & ~OTHELLO_OVER);
    if (!moves && !board_legal(board_pass(board), area))
        state.moves |= OTHELLO_OVER;
    return state;
}

static inline struct othello_state play_state(struct board board, uint64_t flags, uint64_t area)
{
    return play_known(board, board_legal(board, area), flags, area);
}

#if defined(__AVX512VBMI2__)
static inline __m512i play_numbers(void)
{
    return _mm512_set_epi64(0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928,
                            0x2726252423222120, 0x1f1e1d1c1b1a1918, 0x1716151413121110,
                            0x0f0e0d0c0b0a0908, 0x0706050403020100);
}
#endif

static inline int play_legal_count(const struct othello_state *state)
{
    uint64_t moves = othello_legal(state);
    return moves ? bits_count64(moves) : 1; /* a pass */
}

/* Writes the legal actions, lowest square first; returns how many. */
static inline int play_legal(const struct othello_state *state, uint64_t *out)
{
    uint64_t left = othello_legal(state);
    int count = bits_count64(left);
    if (count == 0) {
        out[0] = OTHELLO_PASS;
        return 1;
    }
#if defined(__AVX512VBMI2__)
    /* gathers the numbers of the set bits, then widens them to 64 bits, eight at a time */
    __m512i squares = _mm512_maskz_compress_epi8(left, play_numbers());
    for (int i = 0; i < count; i += 8) {
        __mmask8 kept = (__mmask8)(count - i < 8 ? (1 << (count - i)) - 1 : 255);
        _mm512_mask_storeu_epi64(out + i, kept,
                                 _mm512_cvtepu8_epi64(_mm512_castsi512_si128(squares)));
        squares = _mm512_alignr_epi64(squares, squares, 1);
    }
#else
    for (int i = 0; i < count; ++i, left &= left - 1)
        out[i] = (uint64_t)bits_first64(left);
#endif
    return count;
}

#if defined(__AVX512CD__) && defined(__AVX512VL__)
#include "games/othello/play_avx512.h"
#elif defined(__AVX2__)

/* A position during random play.  All lanes of own are equal, and all lanes of other.  The fills
 * that find the legal squares are stored, because they also give the discs that a move turns. */
struct play_lanes {
    __m256i own, other;
    __m256i up, down; /* discs of the opponent in lines that lead from an own disc to higher
                       * squares, to lower squares */
    uint64_t empty, moves;
};

static inline void play_look(struct play_lanes *lanes)
{
    __m256i over = _mm256_and_si256(lanes->other, board_inner());
    lanes->up = board_fill_up(lanes->own, over);
    lanes->down = board_fill_down(lanes->own, over);
    lanes->moves = lanes->empty &
                   board_or_lanes(_mm256_or_si256(_mm256_sllv_epi64(lanes->up, board_steps()),
                                                  _mm256_srlv_epi64(lanes->down, board_steps())));
}

/* Sets every lane to the union of all lanes. */
static inline __m256i play_union(__m256i lanes)
{
    lanes = _mm256_or_si256(lanes, _mm256_permute4x64_epi64(lanes, 0x4e));
    return _mm256_or_si256(lanes, _mm256_shuffle_epi32(lanes, 0x4e));
}

static inline void play_move(struct play_lanes *lanes, uint64_t move)
{
    __m256i from = _mm256_set1_epi64x((long long)move);
    __m256i flips = play_union(
        _mm256_or_si256(board_fill_up(from, lanes->down), board_fill_down(from, lanes->up)));
    __m256i own = _mm256_xor_si256(lanes->own, _mm256_or_si256(flips, from));
    lanes->own = _mm256_xor_si256(lanes->other, flips);
    lanes->other = own;
    lanes->empty ^= move;
    play_look(lanes);
}

static inline struct play_lanes play_lanes_of(struct board board, uint64_t area)
{
    return (struct play_lanes){.own = _mm256_set1_epi64x((long long)board.own),
                               .other = _mm256_set1_epi64x((long long)board.other),
                               .empty = board_empty(board, area)};
}

#endif

#if defined(__AVX2__)

static inline void play_pass(struct play_lanes *lanes)
{
    __m256i own = lanes->own;
    lanes->own = lanes->other;
    lanes->other = own;
    play_look(lanes);
}

static inline struct board play_board(const struct play_lanes *lanes)
{
    return (struct board){.own = (uint64_t)_mm256_extract_epi64(lanes->own, 0),
                          .other = (uint64_t)_mm256_extract_epi64(lanes->other, 0)};
}

#endif

/* The state after a disc was placed on the square number `action`. */
static inline struct othello_state play_place(struct othello_state state, uint64_t action)
{
    uint64_t area = othello_area(&state), flags = state.moves ^ OTHELLO_WHITE;
    uint64_t move = (uint64_t)1 << action;
#if defined(OTHELLO_PLAY_AVX512_H)
    struct play_lanes lanes = play_lanes_of(othello_board(&state), area);
    play_turn(&lanes, move, play_flips_anew(&lanes, move));
    return play_known(play_board(&lanes), lanes.moves, flags, area);
#else
    return play_state(board_play(othello_board(&state), move), flags, area);
#endif
}

/* The state after a legal action. */
static inline struct othello_state play_action(struct othello_state state, uint64_t action)
{
    if (action != OTHELLO_PASS)
        return play_place(state, action);
    return play_state(board_pass(othello_board(&state)), state.moves ^ OTHELLO_WHITE,
                      othello_area(&state));
}

/* The state of a board on which neither side can move. */
static inline struct othello_state play_over(struct board board, uint64_t flags)
{
    return (struct othello_state){board.own, board.other, (flags & BOARD_CENTRE) | OTHELLO_OVER};
}

#if defined(__AVX2__)

/* Plays at most max_plies random plies; a pass counts as one. */
static inline struct othello_state play_random(struct othello_state state, int max_plies,
                                               struct banyan_rng *rng)
{
    uint64_t area = othello_area(&state), flags = state.moves;
    struct banyan_rng stream = *rng;
    struct play_lanes lanes = play_lanes_of(othello_board(&state), area);
    bool over = false;
    play_look(&lanes);
    for (; max_plies > 0; --max_plies, flags ^= OTHELLO_WHITE) {
        if (lanes.moves) {
            uint32_t drawn = rng_below(&stream, (uint32_t)bits_count64(lanes.moves));
            play_move(&lanes, _pdep_u64((uint64_t)1 << drawn, lanes.moves));
            continue;
        }
        play_pass(&lanes);
        over = !lanes.moves;
        if (over)
            break;
    }
    *rng = stream;
    struct board board = play_board(&lanes);
    return over ? play_over(board_pass(board), flags) : play_state(board, flags, area);
}

#else

/* The set bit with n set bits below it. */
static inline uint64_t play_nth(uint64_t bits, uint32_t n)
{
    while (n--)
        bits &= bits - 1;
    return bits & (0 - bits);
}

/* Plays at most max_plies random plies; a pass counts as one. */
static inline struct othello_state play_random(struct othello_state state, int max_plies,
                                               struct banyan_rng *rng)
{
    uint64_t area = othello_area(&state), flags = state.moves;
    struct banyan_rng stream = *rng;
    struct board board = othello_board(&state);
    uint64_t moves = othello_legal(&state);
    for (; max_plies > 0; --max_plies) {
        if (moves) {
            uint32_t drawn = rng_below(&stream, (uint32_t)bits_count64(moves));
            board = board_play(board, play_nth(moves, drawn));
        } else {
            uint64_t replies = board_legal(board_pass(board), area);
            if (!replies) {
                *rng = stream;
                return play_over(board, flags);
            }
            board = board_pass(board);
        }
        moves = board_legal(board, area);
        flags ^= OTHELLO_WHITE;
    }
    *rng = stream;
    return play_state(board, flags, area);
}

#endif
#endif
