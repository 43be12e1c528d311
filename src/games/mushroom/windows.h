/* The legal rectangles of a position, all at once.
 *
 * A band is a run of rows; its windows are runs of columns.  With the left
 * column fixed at most one window of a band has the sum 10 and mushrooms in its
 * first and last column, so "which cells begin a rectangle of this height" is a
 * set of cells, and the width of each a byte.  Cells stand in four vectors of
 * three rows, 54 bits of a word:
 *
 *      hits[v][h - 1]   upper left corners in rows 3v to 3v + 2 of rectangles h rows high
 *      width[h - 1][i]  columns - 1 of the one that begins at cell i
 *
 * windows_find gives exactly the legal ones.  Inside the folder windows_fill may
 * also guess: without the test that the top and the bottom row have a mushroom,
 * for those who draw one of many and test that one.
 */
#ifndef MUSHROOM_WINDOWS_H
#define MUSHROOM_WINDOWS_H

#include "games/mushroom/mushroom.h"

enum {
    WINDOWS_ROWS = 3, /* of a vector */
    WINDOWS_BITS = BOARD_STRIDE * WINDOWS_ROWS,
    WINDOWS_VECTORS = 4,
    WINDOWS_WIDTHS = 256 /* cells, and room for whole vectors behind them */
};

struct windows {
    uint64_t hits[WINDOWS_VECTORS][BOARD_ROWS]; /* 0 where the band would leave the board */
    uint8_t width[BOARD_ROWS][WINDOWS_WIDTHS];  /* written where the bit is set, maybe elsewhere */
};

/* Bands that begin in this vector are at most so many rows high. */
static inline int windows_heights(int vector)
{
    return BOARD_ROWS - WINDOWS_ROWS * vector;
}

/* Sets of cells from which a run of d + 1 cells to the right has a mushroom; d grows on demand. */
struct spans {
    uint64_t word[BOARD_COLUMNS][6]; /* three of them, and zeros to shift in */
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

/* Of the candidates in word k, those with a mushroom in the top and in the bottom row. */
static inline uint64_t spans_keep(struct spans *spans, uint64_t candidates, int k, int height,
                                  int d)
{
    spans_extend(spans, d);
    const uint64_t *any = spans->word[d];
    int down = BOARD_STRIDE * (height - 1), at = k + (down >> 6), shift = down & 63;
    uint64_t bottom = shift ? any[at] >> shift | any[at + 1] << (64 - shift) : any[at];
    return candidates & any[k] & bottom;
}

void windows_find_portable(const struct mushroom_state *state, struct windows *out);
void windows_find_avx2(const struct mushroom_state *state, struct windows *out);
void windows_find_avx512(const struct mushroom_state *state, struct windows *out);

/* The rectangle `down` rows more than one high that begins at cell. */
static inline struct rectangle windows_rectangle(const struct windows *windows, int down, int cell)
{
    int row = cell / BOARD_STRIDE, column = cell - BOARD_STRIDE * row;
    return (struct rectangle){(uint8_t)row, (uint8_t)column, (uint8_t)(row + down),
                              (uint8_t)(column + windows->width[down][cell])};
}

static inline int windows_count(const struct windows *windows)
{
    int count = 0;
    for (int v = 0; v < WINDOWS_VECTORS; ++v)
        for (int down = 0; down < windows_heights(v); ++down)
            count += bits_count64(windows->hits[v][down]);
    return count;
}

/* The same as a list, in order of vector, height, cell: three columns. */
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

/* The list from the sets; vectors have a faster way. */
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

/* The actions of the whole list. */
static inline void windows_number_plain(const struct windows_list *list, uint64_t *out)
{
    for (int i = 0; i < list->count; ++i)
        out[i] = (uint64_t)windows_action(list, i);
}

#endif
