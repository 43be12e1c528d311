/* The comparison of test_reference.c over a million games. */
#define SEED_COUNT 1000000
#include "test_reference.c"
