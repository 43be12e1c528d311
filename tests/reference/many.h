/* Makes many comparisons, in several processes at the same time, and adds their results. */
#ifndef TESTS_REFERENCE_MANY_H
#define TESTS_REFERENCE_MANY_H

#include "reference/compare.h"

struct many {
    uint64_t games, disagreements;
    struct comparison comparison; /* the sums of all counts; the message of the first
                                     disagreement */
    draw_table table;
};

/* Compares the drawings of seeds first .. first + count - 1 in `jobs` processes.  Each process
 * prints its progress on the standard error after every `progress` games (0: never), and describes
 * its first disagreements. */
void compare_many(uint64_t first, uint64_t count, int jobs, uint64_t progress, struct many *out);

/* Prints the table of options and traits, the pairs that cannot be combined with the reasons,
 * and all counts. */
void many_print(struct many *many);

#endif
