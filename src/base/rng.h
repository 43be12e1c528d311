/* The generator of <banyan/rng.h> as inline functions, for code inside the library that draws
 * random numbers in its innermost loop.  They give the same numbers as the public functions. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <banyan/rng.h>

static inline uint64_t rng_rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t rng_next(struct banyan_rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rng_rotate(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rng_rotate(s[3], 45);
    return result;
}

/* A number of 0..n-1 without bias (Lemire 2019): multiplies, and draws again in the few cases that
 * would favour some numbers. */
static inline uint32_t rng_below(struct banyan_rng *rng, uint32_t n)
{
    uint64_t product = (rng_next(rng) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t threshold = (0u - n) % n;
        while ((uint32_t)product < threshold)
            product = (rng_next(rng) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}

static inline double rng_unit(struct banyan_rng *rng)
{
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

/* A bijection of 64 bits that mixes well (Stafford 2011, variant 13; the finalizer of splitmix64).
 */
static inline uint64_t rng_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

#endif
