/* A 64-bit checksum for files.  A bijection mixes eight bytes at a time into the sum, so a single
 * damaged word always changes the sum.  It is not meant for cryptography. */
#ifndef NN_CHECKSUM_H
#define NN_CHECKSUM_H

#include "base/rng.h"

#include <stddef.h>
#include <string.h>

static inline uint64_t checksum_add(uint64_t sum, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        sum = rng_mix(sum ^ word) + 0x9e3779b97f4a7c15u;
    }
    uint64_t last = size;
    for (size_t i = 0; i < size; ++i)
        last = last << 8 | at[i];
    return rng_mix(sum ^ last);
}

#endif
