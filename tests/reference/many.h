/* Many comparisons, in several processes side by side, and what came of them. */
#ifndef TESTS_REFERENCE_MANY_H
#define TESTS_REFERENCE_MANY_H

#include "reference/compare.h"

struct many {
    uint64_t games, disagreements;
    struct comparison comparison; /* counts of all; the message of the first disagreement */
    draw_table table;
};

/* Compares the drawings of seeds first .. first + count - 1 in `jobs` processes.  Each says on the
 * standard error how far it is, every `progress` games (0: never), and describes its first disagreements. */
void compare_many(uint64_t first, uint64_t count, int jobs, uint64_t progress, struct many *out);

/* The table of options and traits, the pairs that cannot meet with the reason, and all counts. */
void many_print(struct many *many);

#endif
