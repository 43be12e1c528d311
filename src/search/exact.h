/* The table in which the exact solver remembers states.
 *
 *      row:   mark (empty, open, solved) | state bytes | values[players]
 *
 * Open addressing, a power of two rows, doubled when three quarters are in use.
 * A row number is good until the next exact_table_add. */
#ifndef SEARCH_EXACT_H
#define SEARCH_EXACT_H

#include <banyan/exact.h>

enum exact_mark { EXACT_EMPTY, EXACT_OPEN, EXACT_SOLVED };

struct exact_table {
    size_t state_size;
    int players;
    size_t memory_bytes; /* limit on all memory together, also while the table grows */
    bool refused;        /* memory was refused by the system, not by the limit */
    size_t rows, used;
    uint8_t *marks;  /* [rows] enum exact_mark */
    uint8_t *states; /* [rows][state_size] */
    double *values;  /* [rows][players] */
};

/* Row of state, or SIZE_MAX when it is not there. */
size_t exact_table_find(const struct exact_table *table, const void *state);

/* Adds state, which must not be there, with mark EXACT_OPEN; SIZE_MAX: no memory. */
size_t exact_table_add(struct exact_table *table, const void *state);

/* Bytes that the table's rows take. */
size_t exact_table_bytes(const struct exact_table *table);

double *exact_table_values(const struct exact_table *table, size_t row);

void exact_table_free(struct exact_table *table);

#endif
