/* The board of the mushroom game: cells, sets of cells, rectangles, actions.
 *
 *     cell 0  1  2 ... 16 |17         10 rows of 17 cells and one pad; cell (r, c)
 *         18 19 20 ... 34 |35         has number 18 r + c.  The arrays of bytes (digits)
 *          :                          and of bits (owners) have the same numbering.
 *        162 ...      178 |179
 *
 * A rectangle is given by its corners.  As an action it is its number in the list of all 8,245
 * rectangles of at least two cells, in order of (r1, c1, r2, c2).
 */
#ifndef MUSHROOM_BOARD_H
#define MUSHROOM_BOARD_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    BOARD_ROWS = 10,
    BOARD_COLUMNS = 17,
    BOARD_STRIDE = 18,
    BOARD_CELLS = 170,
    BOARD_BYTES = 192, /* three vectors of 64; bytes that are no cell hold BOARD_PAD */
    BOARD_PAD = 255,
    BOARD_TARGET = 10,
    BOARD_RECTANGLES = 8245,
    BOARD_PASS = BOARD_RECTANGLES, /* the action after the last rectangle */
    BOARD_MAX_LEGAL = 935          /* at most one rectangle for each band of rows and left column */
};

/* A set of cells. */
struct cells {
    uint64_t word[3];
};

/* board_data.c: the cells of rows 0 to r, of rows r to the last, of columns 0 to c, of columns c to
 * the last. */
extern const struct cells board_to_row[BOARD_ROWS], board_from_row[BOARD_ROWS];
extern const struct cells board_to_column[BOARD_COLUMNS], board_from_column[BOARD_COLUMNS];

/* For each cell and pad: the first action whose upper left corner is this cell, minus one because
 * the single cell is not an action; and the number of columns from this cell to the right border.
 */
extern const int16_t board_first_action[BOARD_ROWS * BOARD_STRIDE + 1];
extern const uint8_t board_columns_left[BOARD_ROWS * BOARD_STRIDE];

/* 2^16 / n rounded up: x * board_reciprocal[n] >> 16 is x / n for x < 3855. */
extern const uint32_t board_reciprocal[BOARD_COLUMNS + 1];

struct rectangle {
    uint8_t r1, c1, r2, c2;
};

static inline struct cells cells_and(struct cells a, struct cells b)
{
    return (struct cells){{a.word[0] & b.word[0], a.word[1] & b.word[1], a.word[2] & b.word[2]}};
}

static inline struct cells cells_or(struct cells a, struct cells b)
{
    return (struct cells){{a.word[0] | b.word[0], a.word[1] | b.word[1], a.word[2] | b.word[2]}};
}

/* The cells of a that are not in b. */
static inline struct cells cells_less(struct cells a, struct cells b)
{
    return (struct cells){{a.word[0] & ~b.word[0], a.word[1] & ~b.word[1], a.word[2] & ~b.word[2]}};
}

static inline int cells_count(struct cells a)
{
    return bits_count64(a.word[0]) + bits_count64(a.word[1]) + bits_count64(a.word[2]);
}

static inline bool cells_any(struct cells a)
{
    return (a.word[0] | a.word[1] | a.word[2]) != 0;
}

static inline bool cells_has(const struct cells *a, int cell)
{
    return a->word[cell >> 6] >> (cell & 63) & 1;
}

static inline void cells_put(struct cells *a, int cell)
{
    a->word[cell >> 6] |= (uint64_t)1 << (cell & 63);
}

static inline struct cells rectangle_cells(struct rectangle x)
{
    struct cells rows = cells_and(board_from_row[x.r1], board_to_row[x.r2]);
    return cells_and(rows, cells_and(board_from_column[x.c1], board_to_column[x.c2]));
}

static inline int rectangle_action(struct rectangle x)
{
    int cell = BOARD_STRIDE * x.r1 + x.c1;
    return board_first_action[cell] + (x.r2 - x.r1) * board_columns_left[cell] + (x.c2 - x.c1);
}

/* The rectangle of an action other than the pass. */
static inline struct rectangle rectangle_of(int action)
{
    int row = 0, column = 0;
    for (int r = 1; r < BOARD_ROWS; ++r)
        row += action > board_first_action[BOARD_STRIDE * r];
    const int16_t *first = board_first_action + BOARD_STRIDE * row;
    for (int c = 1; c < BOARD_COLUMNS; ++c)
        column += action > first[c];
    int rest = action - first[column], width = BOARD_COLUMNS - column;
    int down = (int)((unsigned)rest * board_reciprocal[width] >> 16);
    return (struct rectangle){(uint8_t)row, (uint8_t)column, (uint8_t)(row + down),
                              (uint8_t)(column + rest - down * width)};
}

#endif
