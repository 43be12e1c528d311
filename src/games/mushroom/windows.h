/* The legal rectangles of a position, all at once.
 *
 * A band is a run of rows; its windows are runs of columns.  With the left
 * column fixed at most one window of a band has the sum 10 and mushrooms in its
 * first and last column, so "which cells begin a rectangle of this height" is a
 * set of cells, and the width of each a byte:
 *
 *      starts[h - 1]    set of upper left corners of rectangles h rows high
 *      width[h - 1][i]  columns - 1 of the one that begins at cell i
 *
 * windows_find gives exactly the legal ones; windows_guess leaves out the test
 * that the top and the bottom row have a mushroom, for those who draw one of
 * many and test that one.
 */
#ifndef MUSHROOM_WINDOWS_H
#define MUSHROOM_WINDOWS_H

#include "games/mushroom/mushroom.h"

struct windows {
    struct cells starts[BOARD_ROWS];
    uint8_t width[BOARD_ROWS][BOARD_BYTES];
    int heights; /* no rectangle is higher; entries from here on are not written */
};

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

/* The rectangle of this height (less one) that begins at cell. */
static inline struct rectangle windows_rectangle(const struct windows *windows, int down, int cell)
{
    int row = cell / BOARD_STRIDE, column = cell - BOARD_STRIDE * row;
    return (struct rectangle){(uint8_t)row, (uint8_t)column, (uint8_t)(row + down),
                              (uint8_t)(column + windows->width[down][cell])};
}

static inline int windows_action(const struct windows *windows, int down, int cell)
{
    return board_first_action[cell] + down * board_columns_left[cell] + windows->width[down][cell];
}

static inline int windows_count(const struct windows *windows)
{
    int count = 0;
    for (int down = 0; down < windows->heights; ++down)
        count += cells_count(windows->starts[down]);
    return count;
}

#endif
