/* 64 bytes at a time: AVX-512 BW. */
#ifndef MUSHROOM_LANES_AVX512_H
#define MUSHROOM_LANES_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>

#define lanes     __m512i
#define lanes_set __mmask64

static inline lanes lanes_load(const uint8_t *at)
{
    return _mm512_loadu_si512(at);
}

static inline void lanes_store(uint8_t *at, lanes x)
{
    _mm512_storeu_si512(at, x);
}

static inline lanes lanes_byte(uint8_t value)
{
    return _mm512_set1_epi8((char)value);
}

static inline lanes lanes_add(lanes a, lanes b)
{
    return _mm512_adds_epu8(a, b);
}

static inline lanes_set lanes_equal(lanes x, uint8_t value)
{
    return _mm512_cmpeq_epu8_mask(x, lanes_byte(value));
}

static inline lanes_set lanes_below(lanes x, uint8_t value)
{
    return _mm512_cmplt_epu8_mask(x, lanes_byte(value));
}

static inline lanes_set lanes_none(void)
{
    return 0;
}

static inline lanes_set lanes_both(lanes_set a, lanes_set b)
{
    return a & b;
}

static inline lanes_set lanes_union(lanes_set a, lanes_set b)
{
    return a | b;
}

static inline lanes_set lanes_without(lanes_set a, lanes_set b)
{
    return a & ~b;
}

static inline bool lanes_some(lanes_set a)
{
    return a != 0;
}

static inline uint64_t lanes_bits(lanes_set a)
{
    return a;
}

/* x with value in the lanes of set. */
static inline lanes lanes_put(lanes x, lanes_set set, uint8_t value)
{
    return _mm512_mask_blend_epi8(set, x, lanes_byte(value));
}

#endif
