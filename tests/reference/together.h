/* Several threads in one tree: two runs differ, but their totals are equal, and proven bounds
 * are correct. */
#ifndef TESTS_REFERENCE_TOGETHER_H
#define TESTS_REFERENCE_TOGETHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Draws a game and search options from seed (draw.h), searches with several threads (a second time
 * if the search can continue), and checks every node: visits in flight, sums of visits, priors; in
 * small games also bounds against the exact value, which *values counts.  False: a check has
 * failed, described in message[size]. */
bool together_holds(uint64_t seed, uint64_t *values, char *message, size_t size);

#endif
