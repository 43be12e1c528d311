/* Plays a drawing with the search of the library and with the reference, side by side, and compares
 * every node. */
#ifndef TESTS_REFERENCE_COMPARE_H
#define TESTS_REFERENCE_COMPARE_H

#include "reference/draw.h"
#include "reference/reference.h"

struct comparison {
    uint64_t simulations, nodes, choices, ties;
    char message[4096]; /* of the first difference */
};

/* Whether both agree in everything; adds to the counts of *comparison. */
bool compare_drawing(const struct drawing *drawing, struct comparison *comparison);

/* Compares the drawings of seeds first .. first + count - 1, which *table counts; the first seed
 * that differs is described in comparison->message and ends it. */
bool compare_many(uint64_t first, uint64_t count, draw_table table, struct comparison *comparison);

#endif
