/* Plays a drawing with the search of the library and with the reference, side by side, and compares
 * every node. */
#ifndef TESTS_REFERENCE_COMPARE_H
#define TESTS_REFERENCE_COMPARE_H

#include "reference/draw.h"
#include "reference/reference.h"

struct comparison {
    uint64_t simulations, nodes, choices, ties;
    char message[4096]; /* describes the first difference */
};

/* Whether both searches agree in everything; adds to the counts of *comparison. */
bool compare_drawing(const struct drawing *drawing, struct comparison *comparison);

/* Whether the options have the defaults and ranges of the manual. */
bool options_as_documented(char *message, size_t size);

#endif
