/* The tests of test_mushroom.c over a million positions. */
#define POSITIONS 1000000
#include "test_mushroom.c"
