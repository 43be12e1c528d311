/* The legal rectangles of a position, found all at once.
 *
 * A band is a set of neighbouring rows; its windows are runs of columns.  For each left column a
 * band has at most one window with the sum 10 and mushrooms in its first and last column.  So the
 * rectangles of one height are a set of cells (their upper left corners), and a byte for the width
 * of each.  Cells are stored in four vectors of three rows, each 54 bits of a word:
 *
 *     hits[v][h - 1]   upper left corners in rows 3v to 3v + 2 of rectangles h rows high
 *     width[h - 1][i]  number of columns minus 1 of the rectangle that begins at cell i
 *
 * Each instruction set has a function that lists the windows (windows_enumerate).  Playouts draw
 * one window at a time; for them it has functions that keep the windows from ply to ply:
 *
 *     windows_keep      finds all windows of a state
 *     windows_count     returns the number of windows
 *     windows_pick      returns the window with a given index, in the order of the list
 *     windows_harvest   changes the windows when the mover takes a rectangle
 *     windows_leave     completes the state after the last windows_harvest
 */
#ifndef MUSHROOM_WINDOWS_H
#define MUSHROOM_WINDOWS_H

#include "games/mushroom/mushroom.h"

#if defined(__BMI2__)
#include <immintrin.h>
#endif

enum {
    WINDOWS_ROWS = 3, /* of a vector */
    WINDOWS_BITS = BOARD_STRIDE * WINDOWS_ROWS,
    WINDOWS_VECTORS = 4,
    WINDOWS_WIDTHS = 256 /* the cells, and room for whole vectors after them */
};

struct windows {
    uint64_t hits[WINDOWS_VECTORS][BOARD_ROWS]; /* 0 where the band would leave the board */
    uint8_t width[BOARD_ROWS][WINDOWS_WIDTHS];  /* valid where the bit is set; other bytes have
                                                 * no meaning */
};

/* The largest height of bands that begin in this vector. */
static inline int windows_heights(int vector)
{
    return BOARD_ROWS - WINDOWS_ROWS * vector;
}

/* word[d]: the cells from which a run of d + 1 cells to the right contains a mushroom.  Each d is
 * computed when it is first needed. */
struct spans {
    uint64_t word[BOARD_COLUMNS][6]; /* three words, and zeros to shift in */
    int ready;
};

static inline void spans_start(struct spans *spans, struct cells live)
{
    for (int k = 0; k < 6; ++k)
        spans->word[0][k] = k < 3 ? live.word[k] : 0;
    spans->ready = 0;
}

static inline void spans_extend(struct spans *spans, int d)
{
    while (spans->ready < d) {
        const uint64_t *from = spans->word[0], *last = spans->word[spans->ready];
        uint64_t *to = spans->word[++spans->ready];
        int shift = spans->ready;
        for (int k = 0; k < 3; ++k)
            to[k] = last[k] | from[k] >> shift | from[k + 1] << (64 - shift);
        to[3] = to[4] = to[5] = 0;
    }
}

/* The candidates in word k that have a mushroom in the top row and in the bottom row. */
static inline uint64_t spans_keep(struct spans *spans, uint64_t candidates, int k, int height,
                                  int d)
{
    spans_extend(spans, d);
    const uint64_t *any = spans->word[d];
    int down = BOARD_STRIDE * (height - 1), at = k + (down >> 6), shift = down & 63;
    uint64_t bottom = shift ? any[at] >> shift | any[at + 1] << (64 - shift) : any[at];
    return candidates & any[k] & bottom;
}

static inline int windows_hits(const struct windows *windows)
{
    int count = 0;
    for (int v = 0; v < WINDOWS_VECTORS; ++v)
        for (int down = 0; down < windows_heights(v); ++down)
            count += bits_count64(windows->hits[v][down]);
    return count;
}

/* The position of the set bit that has `index` set bits below it. */
static inline int windows_bit(uint64_t bits, int index)
{
#if defined(__BMI2__)
    return bits_first64(_pdep_u64((uint64_t)1 << index, bits));
#else
    while (index-- > 0)
        bits &= bits - 1;
    return bits_first64(bits);
#endif
}

/* The rectangle that begins at cell and has down + 1 rows. */
static inline struct rectangle windows_rectangle(const struct windows *windows, int down, int cell)
{
    int row = cell / BOARD_STRIDE, column = cell - BOARD_STRIDE * row;
    return (struct rectangle){(uint8_t)row, (uint8_t)column, (uint8_t)(row + down),
                              (uint8_t)(column + windows->width[down][cell])};
}

/* The rectangle with this index in the order of the list. */
static inline struct rectangle windows_nth(const struct windows *windows, int index)
{
    for (int v = 0;; ++v)
        for (int down = 0; down < windows_heights(v); ++down) {
            uint64_t hits = windows->hits[v][down];
            int here = bits_count64(hits);
            if (index < here)
                return windows_rectangle(windows, down,
                                         WINDOWS_BITS * v + windows_bit(hits, index));
            index -= here;
        }
}

/* Windows as a list with three columns, ordered by vector, then height, then cell. */
struct windows_list {
    int count;
    uint8_t cell[BOARD_MAX_LEGAL + 64], down[BOARD_MAX_LEGAL + 64], width[BOARD_MAX_LEGAL + 64];
};

static inline int windows_action(const struct windows_list *list, int i)
{
    int cell = list->cell[i];
    return board_first_action[cell] + list->down[i] * board_columns_left[cell] + list->width[i];
}

static inline struct rectangle windows_corners(const struct windows_list *list, int i)
{
    int row = list->cell[i] / BOARD_STRIDE, column = list->cell[i] - BOARD_STRIDE * row;
    return (struct rectangle){(uint8_t)row, (uint8_t)column, (uint8_t)(row + list->down[i]),
                              (uint8_t)(column + list->width[i])};
}

/* Writes the list from the sets of cells; the AVX-512 version makes the list without them. */
static inline void windows_write(const struct windows *windows, struct windows_list *out)
{
    out->count = 0;
    for (int v = 0; v < WINDOWS_VECTORS; ++v)
        for (int down = 0; down < windows_heights(v); ++down)
            for (uint64_t bits = windows->hits[v][down]; bits; bits &= bits - 1) {
                int cell = WINDOWS_BITS * v + bits_first64(bits), n = out->count++;
                out->cell[n] = (uint8_t)cell;
                out->down[n] = (uint8_t)down;
                out->width[n] = windows->width[down][cell];
            }
}

/* Writes the actions of the whole list. */
static inline void windows_number_plain(const struct windows_list *list, uint64_t *out)
{
    for (int i = 0; i < list->count; ++i)
        out[i] = (uint64_t)windows_action(list, i);
}

#endif
