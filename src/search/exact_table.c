/* The hash table in which the exact solver keeps its states. */
#include "search/exact.h"

#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

enum { EXACT_FIRST_ROWS = 1024 };

static uint64_t exact_table_hash(const void *state, size_t size)
{
    const unsigned char *bytes = state;
    uint64_t hash = 0x9e3779b97f4a7c15u;
    while (size) {
        uint64_t word = 0;
        size_t part = size < sizeof word ? size : sizeof word;
        memcpy(&word, bytes, part);
        hash = rng_mix(hash ^ word) + 0x9e3779b97f4a7c15u;
        bytes += part;
        size -= part;
    }
    return rng_mix(hash);
}

/* The row of state, or the empty row where state belongs. */
static size_t exact_table_probe(const struct exact_table *table, const void *state)
{
    size_t row = (size_t)exact_table_hash(state, table->state_size) & (table->rows - 1);
    while (table->marks[row] != EXACT_EMPTY &&
           memcmp(table->states + row * table->state_size, state, table->state_size) != 0)
        row = (row + 1) & (table->rows - 1);
    return row;
}

size_t exact_table_find(const struct exact_table *table, const void *state)
{
    if (!table->rows)
        return SIZE_MAX;
    size_t row = exact_table_probe(table, state);
    return table->marks[row] == EXACT_EMPTY ? SIZE_MAX : row;
}

double *exact_table_values(const struct exact_table *table, size_t row)
{
    return table->values + row * (size_t)table->players;
}

static void exact_table_move(struct exact_table *to, const struct exact_table *from)
{
    for (size_t i = 0; i < from->rows; ++i) {
        if (from->marks[i] == EXACT_EMPTY)
            continue;
        const uint8_t *state = from->states + i * from->state_size;
        size_t row = exact_table_probe(to, state);
        to->marks[row] = from->marks[i];
        memcpy(to->states + row * to->state_size, state, to->state_size);
        memcpy(exact_table_values(to, row), exact_table_values(from, i),
               (size_t)to->players * sizeof(double));
    }
}

size_t exact_table_bytes(const struct exact_table *table)
{
    return table->rows * (1 + table->state_size + (size_t)table->players * sizeof(double));
}

static bool exact_table_grow(struct exact_table *table)
{
    struct exact_table larger = *table;
    larger.rows = table->rows ? 2 * table->rows : EXACT_FIRST_ROWS;
    if (exact_table_bytes(&larger) + exact_table_bytes(table) > table->memory_bytes)
        return false;
    larger.marks = calloc(larger.rows, 1);
    larger.states = malloc(larger.rows * table->state_size);
    larger.values = malloc(larger.rows * (size_t)table->players * sizeof(double));
    if (!larger.marks || !larger.states || !larger.values) {
        exact_table_free(&larger);
        table->refused = true;
        return false;
    }
    exact_table_move(&larger, table);
    exact_table_free(table);
    *table = larger;
    return true;
}

size_t exact_table_add(struct exact_table *table, const void *state)
{
    if (table->used >= table->rows / 4 * 3 && !exact_table_grow(table))
        return SIZE_MAX;
    size_t row = exact_table_probe(table, state);
    table->marks[row] = EXACT_OPEN;
    memcpy(table->states + row * table->state_size, state, table->state_size);
    ++table->used;
    return row;
}

void exact_table_free(struct exact_table *table)
{
    free(table->marks);
    free(table->states);
    free(table->values);
    table->marks = table->states = NULL;
    table->values = NULL;
    table->rows = table->used = 0;
}
