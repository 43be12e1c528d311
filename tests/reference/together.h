/* Several threads in one tree: no two runs are equal, but the totals are, and what is proven is true. */
#ifndef TESTS_REFERENCE_TOGETHER_H
#define TESTS_REFERENCE_TOGETHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs the drawing of a seed with threads, twice if it goes on, and looks at every node: visits in
 * flight, sums of visits, priors; bounds against the exact value in small games, counted in *values.
 * False: something is wrong, described in message[size]. */
bool together_holds(uint64_t seed, uint64_t *values, char *message, size_t size);

#endif
