/* 64 bytes at once, as two vectors of AVX2. */
#ifndef MUSHROOM_LANES_AVX2_H
#define MUSHROOM_LANES_AVX2_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

struct lanes_pair {
    __m256i lo, hi;
};

#define lanes     struct lanes_pair
#define lanes_set struct lanes_pair /* bytes of all ones or zeros */

static inline lanes lanes_load(const uint8_t *at)
{
    return (lanes){_mm256_loadu_si256((const void *)at),
                   _mm256_loadu_si256((const void *)(at + 32))};
}

static inline void lanes_store(uint8_t *at, lanes x)
{
    _mm256_storeu_si256((void *)at, x.lo);
    _mm256_storeu_si256((void *)(at + 32), x.hi);
}

static inline lanes lanes_byte(uint8_t value)
{
    return (lanes){_mm256_set1_epi8((char)value), _mm256_set1_epi8((char)value)};
}

static inline lanes lanes_add(lanes a, lanes b)
{
    return (lanes){_mm256_adds_epu8(a.lo, b.lo), _mm256_adds_epu8(a.hi, b.hi)};
}

static inline lanes_set lanes_equal(lanes x, uint8_t value)
{
    lanes y = lanes_byte(value);
    return (lanes){_mm256_cmpeq_epi8(x.lo, y.lo), _mm256_cmpeq_epi8(x.hi, y.hi)};
}

/* Whether x <= value - 1: AVX2 has no such comparison of unsigned bytes, so the smaller of the two
 * is compared with x. */
static inline lanes_set lanes_below(lanes x, uint8_t value)
{
    lanes y = lanes_byte((uint8_t)(value - 1));
    return (lanes){_mm256_cmpeq_epi8(_mm256_min_epu8(x.lo, y.lo), x.lo),
                   _mm256_cmpeq_epi8(_mm256_min_epu8(x.hi, y.hi), x.hi)};
}

static inline lanes_set lanes_none(void)
{
    return lanes_byte(0);
}

static inline lanes_set lanes_both(lanes_set a, lanes_set b)
{
    return (lanes){_mm256_and_si256(a.lo, b.lo), _mm256_and_si256(a.hi, b.hi)};
}

static inline lanes_set lanes_union(lanes_set a, lanes_set b)
{
    return (lanes){_mm256_or_si256(a.lo, b.lo), _mm256_or_si256(a.hi, b.hi)};
}

static inline lanes_set lanes_without(lanes_set a, lanes_set b)
{
    return (lanes){_mm256_andnot_si256(b.lo, a.lo), _mm256_andnot_si256(b.hi, a.hi)};
}

static inline bool lanes_some(lanes_set a)
{
    __m256i any = _mm256_or_si256(a.lo, a.hi);
    return !_mm256_testz_si256(any, any);
}

static inline uint64_t lanes_bits(lanes_set a)
{
    return (uint32_t)_mm256_movemask_epi8(a.lo) | (uint64_t)(uint32_t)_mm256_movemask_epi8(a.hi)
                                                      << 32;
}

/* x, with value in the lanes that set contains. */
static inline lanes lanes_put(lanes x, lanes_set set, uint8_t value)
{
    lanes y = lanes_byte(value);
    return (lanes){_mm256_blendv_epi8(x.lo, y.lo, set.lo), _mm256_blendv_epi8(x.hi, y.hi, set.hi)};
}

#endif
