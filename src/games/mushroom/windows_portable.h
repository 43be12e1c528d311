/* The functions of windows.h for any processor: the two ends of a window move along each band. */
#ifndef MUSHROOM_WINDOWS_PORTABLE_H
#define MUSHROOM_WINDOWS_PORTABLE_H

#include "games/mushroom/harvest.h"
#include "games/mushroom/windows.h"

#include <string.h>

/* Finds all windows of the band whose column sums are given; row is the band's top row. */
static inline void windows_slide(const int *sums, int row, int down, struct spans *spans,
                                 struct windows *out)
{
    int left = 0, total = 0;
    for (int right = 0; right < BOARD_COLUMNS; ++right) {
        total += sums[right];
        while (total > BOARD_TARGET || (left < right && sums[left] == 0))
            total -= sums[left++];
        if (total != BOARD_TARGET || sums[right] == 0)
            continue;
        int cell = BOARD_STRIDE * row + left, d = right - left;
        uint64_t bit = (uint64_t)1 << (cell & 63);
        if (!spans_keep(spans, bit, cell >> 6, down + 1, d))
            continue;
        int vector = row / WINDOWS_ROWS;
        out->hits[vector][down] |= (uint64_t)1 << (cell - WINDOWS_BITS * vector);
        out->width[down][cell] = (uint8_t)d;
    }
}

static inline void windows_fill(const struct mushroom_state *state, struct windows *out)
{
    struct spans spans;
    spans_start(&spans, state->live);
    memset(out->hits, 0, sizeof out->hits);
    for (int row = 0; row < BOARD_ROWS; ++row) {
        int sums[BOARD_COLUMNS] = {0};
        for (int down = 0; row + down < BOARD_ROWS; ++down) {
            const uint8_t *digits = state->digits + BOARD_STRIDE * (row + down);
            int least = BOARD_PAD;
            for (int c = 0; c < BOARD_COLUMNS; ++c) {
                sums[c] += digits[c];
                least = sums[c] < least ? sums[c] : least;
            }
            if (least > BOARD_TARGET)
                break; /* sums only grow with the height of the band */
            windows_slide(sums, row, down, &spans, out);
        }
    }
}

static inline void windows_enumerate(const struct mushroom_state *state, struct windows_list *out)
{
    struct windows windows;
    windows_fill(state, &windows);
    windows_write(&windows, out);
}

#include "games/mushroom/windows_anew.inc.h"

#endif
