/* The random number generator xoshiro256++ and its child streams (<banyan/rng.h>). */
#include "base/rng.h"

/* splitmix64 (Steele 2014) fills the state from one word; its four words are never all zero. */
void banyan_rng_seed(struct banyan_rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; ++i)
        rng->s[i] = rng_mix(seed += 0x9e3779b97f4a7c15u);
}

uint64_t banyan_rng_child(uint64_t seed, const char *label, uint64_t index)
{
    uint64_t hash = rng_mix(seed ^ 0x6a09e667f3bcc909u);
    for (; *label; ++label)
        hash = rng_mix(hash ^ (unsigned char)*label) + 0x9e3779b97f4a7c15u;
    return rng_mix(hash ^ rng_mix(index + 0x9e3779b97f4a7c15u));
}

uint64_t banyan_rng_next(struct banyan_rng *rng)
{
    return rng_next(rng);
}

uint32_t banyan_rng_below(struct banyan_rng *rng, uint32_t n)
{
    return rng_below(rng, n);
}

double banyan_rng_unit(struct banyan_rng *rng)
{
    return rng_unit(rng);
}
