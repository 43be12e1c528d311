/* The functions of windows.h with vectors.  Byte i of a vector belongs to the window that begins at
 * cell i:
 *
 *     sums[h]   column sums of all bands h + 1 rows high, added with saturation
 *     acc       sum of the window so far; each step adds the next column to the right
 *     alive     lanes whose first column is not empty and whose sum is below 10
 *
 * The pad at the end of each row holds 255 and so ends every window.  A file that includes this
 * header must define `lanes` (64 bytes), `lanes_set` (64 flags) and their operations before.
 */
#ifndef MUSHROOM_WINDOWS_LANES_H
#define MUSHROOM_WINDOWS_LANES_H

#include "games/mushroom/harvest.h"
#include "games/mushroom/windows.h"

#include <string.h>

enum { WINDOWS_BYTES = 320 }; /* bytes that loads of 64 bytes from any cell may read */

/* Number of vectors that bands of this height need: such bands have 10 - down top rows. */
static inline int windows_vectors(int down)
{
    return (BOARD_STRIDE * (BOARD_ROWS - down) + 63) / 64;
}

/* Computes the column sums of the bands one row higher; returns false when all windows of these
 * bands have sums above 10. */
static inline bool windows_grow(const uint8_t *digits, const uint8_t *sums, int down, uint8_t *out)
{
    lanes_set small = lanes_none();
    for (int k = 0; k < windows_vectors(down); ++k) {
        lanes sum =
            lanes_add(lanes_load(sums + 64 * k), lanes_load(digits + 64 * k + BOARD_STRIDE * down));
        lanes_store(out + 64 * k, sum);
        small = lanes_union(small, lanes_below(sum, BOARD_TARGET + 1));
    }
    return lanes_some(small);
}

/* Finds all windows that begin in vector k of the bands of one height. */
static inline uint64_t windows_scan(const uint8_t *sums, int k, int down, struct spans *spans,
                                    struct windows *out)
{
    lanes acc = lanes_load(sums + 64 * k), width = lanes_byte(0);
    uint64_t found = 0;
    lanes_set alive = lanes_without(lanes_below(acc, BOARD_TARGET + 1), lanes_equal(acc, 0));
    for (int d = 0;;) {
        lanes_set hit = lanes_both(alive, lanes_equal(acc, BOARD_TARGET));
        if (lanes_some(hit)) {
            uint64_t bits = lanes_bits(hit);
            width = lanes_put(width, hit, (uint8_t)d);
            found |= spans_keep(spans, bits, k, down + 1, d);
        }
        alive = lanes_both(alive, lanes_below(acc, BOARD_TARGET));
        if (!lanes_some(alive))
            break;
        acc = lanes_add(acc, lanes_load(sums + 64 * k + ++d));
    }
    lanes_store(out->width[down] + 64 * k, width);
    return found;
}

/* Converts words of 64 cells to vectors of 54 cells. */
static inline void windows_put(const uint64_t found[4], int down, struct windows *out)
{
    for (int v = 0; v < WINDOWS_VECTORS; ++v) {
        int at = WINDOWS_BITS * v, k = at >> 6, shift = at & 63;
        uint64_t bits = found[k] >> shift | (shift ? found[k + 1] << (64 - shift) : 0);
        out->hits[v][down] = bits & (((uint64_t)1 << WINDOWS_BITS) - 1);
    }
}

static inline void windows_fill(const struct mushroom_state *state, struct windows *out)
{
    uint8_t digits[WINDOWS_BYTES], sums[BOARD_ROWS][WINDOWS_BYTES];
    struct spans spans;
    memcpy(digits, state->digits, BOARD_BYTES);
    memset(digits + BOARD_BYTES, BOARD_PAD, WINDOWS_BYTES - BOARD_BYTES);
    memset(out->hits, 0, sizeof out->hits);
    const uint8_t *last = digits;
    int heights = 1;
    while (heights < BOARD_ROWS && windows_grow(digits, last, heights, sums[heights]))
        last = sums[heights++];
    spans_start(&spans, state->live);
    for (int down = 0; down < heights; ++down) {
        uint64_t found[4] = {0};
        for (int k = 0; k < windows_vectors(down); ++k)
            found[k] = windows_scan(down ? sums[down] : digits, k, down, &spans, out);
        windows_put(found, down, out);
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
