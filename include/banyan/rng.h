/* One small explicit random generator: xoshiro256++ (Blackman and Vigna 2019).
 *
 * It is passed by pointer, never global.  Child streams come from hashing
 * (seed, label, index), so that results do not depend on how work is spread
 * over threads.  Not for cryptography.
 *
 * Threads: a generator belongs to one thread at a time.
 */
#ifndef BANYAN_RNG_H
#define BANYAN_RNG_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct banyan_rng {
    uint64_t s[4]; /* never all zero */
};

/* Starts the stream of `seed`; every seed is good, 0 too. */
void banyan_rng_seed(struct banyan_rng *rng, uint64_t seed);

/* The seed of a child stream: hash of (seed, label, index).  Label is a short
 * word for what the stream is for ("deal", "rollout"). */
uint64_t banyan_rng_child(uint64_t seed, const char *label, uint64_t index);

/* 64 uniform bits. */
uint64_t banyan_rng_next(struct banyan_rng *rng);

/* Uniform on 0..n-1, n >= 1, n < 2^32; without bias. */
uint32_t banyan_rng_below(struct banyan_rng *rng, uint32_t n);

/* Uniform on [0, 1), 53 bits. */
double banyan_rng_unit(struct banyan_rng *rng);

#ifdef __cplusplus
}
#endif
#endif
