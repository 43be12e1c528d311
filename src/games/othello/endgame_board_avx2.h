/* The functions of endgame_board.h in AVX2 and BMI2: four directions at a time.
 */
#ifndef GAMES_OTHELLO_ENDGAME_BOARD_AVX2_H
#define GAMES_OTHELLO_ENDGAME_BOARD_AVX2_H

#include "games/othello/endgame_tables.h"

#include <immintrin.h>

static inline uint64_t board_join(__m256i four)
{
    __m128i two = _mm_or_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two)));
}

static inline uint64_t board_moves(uint64_t own, uint64_t other)
{
    const __m256i inner = _mm256_set_epi64x(0x7e7e7e7e7e7e7e7e, -1, 0x7e7e7e7e7e7e7e7e,
                                            0x7e7e7e7e7e7e7e7e);
    const __m256i step = _mm256_set_epi64x(9, 8, 7, 1);
    const __m256i step2 = _mm256_add_epi64(step, step);
    __m256i from = _mm256_set1_epi64x((long long)own);
    __m256i over = _mm256_and_si256(_mm256_set1_epi64x((long long)other), inner);
    __m256i up = _mm256_and_si256(over, _mm256_sllv_epi64(from, step));
    __m256i down = _mm256_and_si256(over, _mm256_srlv_epi64(from, step));
    up = _mm256_or_si256(up, _mm256_and_si256(over, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(over, _mm256_srlv_epi64(down, step)));
    __m256i pair_up = _mm256_and_si256(over, _mm256_sllv_epi64(over, step));
    __m256i pair_down = _mm256_srlv_epi64(pair_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pair_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(down, _mm256_and_si256(pair_down, _mm256_srlv_epi64(down, step2)));
    up = _mm256_or_si256(up, _mm256_and_si256(pair_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(down, _mm256_and_si256(pair_down, _mm256_srlv_epi64(down, step2)));
    return board_join(_mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step))) &
           ~(own | other);
}

static inline uint64_t board_flips(const struct endgame_tables *tables, uint64_t own,
                                   uint64_t other, int square)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i step = _mm256_set_epi64x(9, 8, 7, 1);
    const __m256i *rays = (const __m256i *)tables->rays[square];
    __m256i mine = _mm256_set1_epi64x((long long)own);
    __m256i theirs = _mm256_set1_epi64x((long long)other);
    __m256i ray_up = _mm256_load_si256(rays), ray_down = _mm256_load_si256(rays + 1);
    /* Towards H8: the lowest bit that is not the other's. */
    __m256i stop = _mm256_andnot_si256(theirs, ray_up);
    __m256i end = _mm256_and_si256(_mm256_and_si256(stop, _mm256_sub_epi64(zero, stop)), mine);
    __m256i beyond = _mm256_sub_epi64(_mm256_cmpeq_epi64(end, zero), end);
    __m256i up = _mm256_andnot_si256(beyond, ray_up);
    /* Towards A1: everything from the highest such bit on, by doubling. */
    beyond = _mm256_andnot_si256(theirs, ray_down);
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step));
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, _mm256_slli_epi64(step, 1)));
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, _mm256_slli_epi64(step, 2)));
    end = _mm256_and_si256(_mm256_andnot_si256(_mm256_srlv_epi64(beyond, step), beyond), mine);
    beyond = _mm256_or_si256(beyond, _mm256_cmpeq_epi64(end, zero));
    return board_join(_mm256_or_si256(up, _mm256_andnot_si256(beyond, ray_down)));
}

static inline int board_count_last(const struct endgame_tables *tables, uint64_t own, int square)
{
    const uint64_t *lines = tables->lines[square];
    const uint8_t *place = tables->place[square];
    return tables->flips_in_line[square & 7][(own >> (square & 56)) & 255] +
           tables->flips_in_line[square >> 3][_pext_u64(own, lines[2])] +
           tables->flips_in_line[place[0]][_pext_u64(own, lines[0])] +
           tables->flips_in_line[place[1]][_pext_u64(own, lines[1])];
}

#endif
