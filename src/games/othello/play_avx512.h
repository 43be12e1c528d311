/* Random play for AVX-512.  Each ply needs the result of the ply before, so joining the lanes takes
 * as few steps as possible.  Lines are found by shifts, as with AVX2: rotations that find three discs
 * at once make a shorter chain of instructions, but more of them, and are slower on Zen 4. */
#ifndef OTHELLO_PLAY_AVX512_H
#define OTHELLO_PLAY_AVX512_H

#include "games/othello/board.h"

/* A position during random play.  All lanes of own are equal, and all lanes of other and empty.
 * up, down: the opponent's discs in lines that lead from an own disc to higher squares, to lower
 * squares; they give the legal squares, and then the discs that a move turns. */
struct play_lanes {
    __m256i own, other, empty;
    __m256i up, down;
    uint64_t moves;
};

/* What vpternlogq computes from its operands a, b and c. */
enum play_logic {
    PLAY_ANY = 0xfe,       /* a | b | c */
    PLAY_EITHER_IN = 0xa8, /* (a | b) & c */
    PLAY_TURN = 0x1e,      /* a ^ (b | c) */
    PLAY_BELOW = 0x20,     /* a & ~b & c */
    PLAY_OR_REST = 0xf2,   /* a | (~b & c) */
};
#define PLAY_LOGIC(a, b, c, logic) _mm256_ternarylogic_epi64(a, b, c, logic)

/* Four lanes of board_all_inner(). */
static inline __m256i play_inner(void)
{
    return _mm512_castsi512_si256(board_all_inner());
}

/* The union of all lanes is, in each lane, three | last. */
struct play_union {
    __m256i three, last;
};

static inline struct play_union play_unite(__m256i lanes)
{
    return (struct play_union){PLAY_LOGIC(lanes, _mm256_shuffle_epi32(lanes, 0x4e),
                                          _mm256_shuffle_i64x2(lanes, lanes, 1), PLAY_ANY),
                               _mm256_permute4x64_epi64(lanes, 0x1b)};
}

static inline void play_look(struct play_lanes *lanes)
{
    __m256i over = _mm256_and_si256(lanes->other, board_inner());
    lanes->up = board_fill_up(lanes->own, over);
    lanes->down = board_fill_down(lanes->own, over);
    struct play_union ends =
        play_unite(_mm256_or_si256(_mm256_sllv_epi64(lanes->up, board_steps()),
                                   _mm256_srlv_epi64(lanes->down, board_steps())));
    __m256i moves = PLAY_LOGIC(ends.three, ends.last, lanes->empty, PLAY_EITHER_IN);
    lanes->moves = (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(moves));
}

/* The rays from a square: four lanes towards higher squares, four towards lower ones.  Beyond an
 * edge a ray goes on at the opposite edge, but no line of discs does. */
#define PLAY_RAYS(square)                                                                   \
    {                                                                                       \
        0xfffffffffffffffeu << (square), 0x0102040810204080u << (square),                   \
            0x0101010101010100u << (square), 0x8040201008040200u << (square),               \
            0x7fffffffffffffffu >> (63 - (square)), 0x0102040810204080u >> (63 - (square)), \
            0x0080808080808080u >> (63 - (square)), 0x0040201008040201u >> (63 - (square))  \
    }
#define PLAY_ROW(square)                                                                          \
    PLAY_RAYS(square), PLAY_RAYS((square) + 1), PLAY_RAYS((square) + 2), PLAY_RAYS((square) + 3), \
        PLAY_RAYS((square) + 4), PLAY_RAYS((square) + 5), PLAY_RAYS((square) + 6),                \
        PLAY_RAYS((square) + 7)
static const _Alignas(64) uint64_t play_rays[64][8] = {PLAY_ROW(0),  PLAY_ROW(8),  PLAY_ROW(16),
                                                       PLAY_ROW(24), PLAY_ROW(32), PLAY_ROW(40),
                                                       PLAY_ROW(48), PLAY_ROW(56)};

/* The discs that a move turns, by lane: a ray's squares before the first one that belongs to no
 * line. */
static inline __m256i play_flips(const struct play_lanes *lanes, uint64_t move)
{
    const __m256i ones = _mm256_set1_epi64x(-1);
    const uint64_t *rays = play_rays[bits_first64(move)];
    __m256i above = _mm256_load_si256((const void *)rays);
    __m256i below = _mm256_load_si256((const void *)(rays + 4));
    __m256i stops = _mm256_andnot_si256(lanes->down, above);
    __m256i turned = PLAY_LOGIC(above, stops, _mm256_add_epi64(stops, ones), PLAY_BELOW);
    __m256i last = _mm256_lzcnt_epi64(_mm256_andnot_si256(lanes->up, below));
    return PLAY_LOGIC(turned, _mm256_srlv_epi64(ones, last), below, PLAY_OR_REST);
}

/* Places a disc and turns the discs of all lanes of `turned`. */
static inline void play_turn(struct play_lanes *lanes, uint64_t move, __m256i turned)
{
    __m256i from = _mm256_set1_epi64x((long long)move);
    struct play_union flips = play_unite(turned);
    __m256i placed = _mm256_xor_si256(lanes->own, from);
    lanes->own = PLAY_LOGIC(lanes->other, flips.three, flips.last, PLAY_TURN);
    lanes->other = PLAY_LOGIC(placed, flips.three, flips.last, PLAY_TURN);
    lanes->empty = _mm256_xor_si256(lanes->empty, from);
    play_look(lanes);
}

static inline void play_move(struct play_lanes *lanes, uint64_t move)
{
    play_turn(lanes, move, play_flips(lanes, move));
}

/* play_flips() for lanes without up and down: a ray's squares before the first one that is not
 * `over`, if this square holds an own disc. */
static inline __m256i play_flips_anew(const struct play_lanes *lanes, uint64_t move)
{
    const __m256i ones = _mm256_set1_epi64x(-1), zero = _mm256_setzero_si256();
    const __m256i top = _mm256_slli_epi64(ones, 63);
    const uint64_t *rays = play_rays[bits_first64(move)];
    __m256i over = _mm256_and_si256(lanes->other, play_inner());
    __m256i above = _mm256_load_si256((const void *)rays);
    __m256i below = _mm256_load_si256((const void *)(rays + 4));
    __m256i stops = _mm256_andnot_si256(over, above), before = _mm256_add_epi64(stops, ones);
    __m256i last = _mm256_lzcnt_epi64(_mm256_andnot_si256(over, below));
    __m256i open_up = _mm256_cmpeq_epi64(PLAY_LOGIC(lanes->own, before, stops, PLAY_BELOW), zero);
    __m256i open_down =
        _mm256_cmpeq_epi64(_mm256_and_si256(lanes->own, _mm256_srlv_epi64(top, last)), zero);
    __m256i up = PLAY_LOGIC(above, stops, before, PLAY_BELOW);
    __m256i down = _mm256_andnot_si256(_mm256_srlv_epi64(ones, last), below);
    return _mm256_or_si256(_mm256_andnot_si256(open_up, up), _mm256_andnot_si256(open_down, down));
}

static inline struct play_lanes play_lanes_of(struct board board, uint64_t area)
{
    return (struct play_lanes){
        .own = _mm256_set1_epi64x((long long)board.own),
        .other = _mm256_set1_epi64x((long long)board.other),
        .empty = _mm256_set1_epi64x((long long)board_empty(board, area)),
    };
}

#endif
