/* The windows of a position for AVX-512, kept from ply to ply during a playout.
 *
 * A rectangle in rows a to b changes only the bands that contain one of these rows, about half of
 * all bands.  Of the state, only the owners are updated at each ply.
 *
 * A slot is a vector of three bands; slots are in the order of the list of rectangles:
 *
 *     slot 0 ... 9     bands from rows 0, 1, 2 on, 1 to 10 rows high
 *          10 ... 16   from rows 3, 4, 5 on
 *          17 ... 20   from rows 6, 7, 8 on
 *          21          row 9
 */
#ifndef MUSHROOM_WINDOWS_KEPT_H
#define MUSHROOM_WINDOWS_KEPT_H

#include "games/mushroom/harvest.h"
#include "games/mushroom/windows_vbmi.inc.h"

#include <stdalign.h>

enum { KEPT_SLOTS = 22 };

/* rows[r] holds the digits of the three rows from row r on, and reach[r] their reach.  They are
 * whole vectors, because a load across two stored vectors is slower. */
struct windows_kept {
    alignas(64) uint8_t rows[BOARD_ROWS][64];
    alignas(64) uint8_t reach[BOARD_ROWS][64];
    alignas(64) uint8_t width[KEPT_SLOTS][64];
    uint64_t hits[KEPT_SLOTS];
    int count[WINDOWS_VECTORS]; /* of hits, for each vector */
};

/* kept_slot[v] + row: the slot of vector v whose first band ends at this row. */
static const uint8_t kept_slot[WINDOWS_VECTORS] = {0, 7, 11, 12};

/* Finds the windows of all bands that contain one of the rows a to b. */
static inline void kept_renew(struct windows_kept *kept, int a, int b)
{
    for (int v = 0; v <= b / WINDOWS_ROWS; ++v) {
        int row = WINDOWS_ROWS * v, from = a - (WINDOWS_ROWS - 1), count = 0;
        __m512i sums = _mm512_setzero_si512();
        __m512i top = _mm512_load_si512(kept->reach[row]);
        for (; row < from; ++row) {
            sums = _mm512_adds_epu8(sums, _mm512_load_si512(kept->rows[row]));
            count += bits_count64(kept->hits[kept_slot[v] + row]);
        }
        for (; row < BOARD_ROWS; ++row) {
            int slot = kept_slot[v] + row;
            sums = _mm512_adds_epu8(sums, _mm512_load_si512(kept->rows[row]));
            if (!vbmi_small(sums))
                break; /* higher bands have larger sums; their hits are 0 already */
            struct vbmi_band band = vbmi_band(sums, top, _mm512_load_si512(kept->reach[row]));
            uint64_t hits = band.hits;
            kept->hits[slot] = hits;
            count += bits_count64(hits);
            _mm512_store_si512(kept->width[slot], band.width);
        }
        kept->count[v] = count;
    }
}

static inline void kept_row(struct windows_kept *kept, int r, __m512i rows)
{
    _mm512_store_si512(kept->rows[r], rows);
    _mm512_store_si512(kept->reach[r], vbmi_reach(rows));
}

static inline void windows_keep(const struct mushroom_state *state, struct windows_kept *out)
{
    for (int r = 0; r < BOARD_ROWS; ++r)
        kept_row(out, r, vbmi_load(state->digits, r));
    memset(out->hits, 0, sizeof out->hits);
    kept_renew(out, 0, BOARD_ROWS - 1);
}

static inline int windows_count(const struct windows_kept *kept)
{
    return kept->count[0] + kept->count[1] + kept->count[2] + kept->count[3];
}

static inline struct rectangle windows_pick(const struct windows_kept *kept, int index)
{
    int v = 0, here;
    for (; index >= kept->count[v]; ++v)
        index -= kept->count[v];
    int slot = kept_slot[v] + WINDOWS_ROWS * v, first = slot;
    for (; index >= (here = bits_count64(kept->hits[slot])); ++slot)
        index -= here;
    int bit = windows_bit(kept->hits[slot], index), below = bit / BOARD_STRIDE;
    int row = WINDOWS_ROWS * v + below, column = bit - BOARD_STRIDE * below;
    return (struct rectangle){(uint8_t)row, (uint8_t)column, (uint8_t)(row + slot - first),
                              (uint8_t)(column + kept->width[slot][bit])};
}

/* The lanes that the rectangle covers in the three rows from r on. */
static inline uint64_t kept_lanes(struct rectangle x, int r)
{
    uint64_t span = ((uint64_t)2 << x.c2) - ((uint64_t)1 << x.c1);
    uint64_t lanes = span | span << BOARD_STRIDE | span << 2 * BOARD_STRIDE;
    int above = x.r1 - r, inside = x.r2 - r + 1;
    if (above > 0)
        lanes &= ~(uint64_t)0 << BOARD_STRIDE * above;
    if (inside < WINDOWS_ROWS)
        lanes &= ((uint64_t)1 << BOARD_STRIDE * inside) - 1;
    return lanes;
}

/* The mover harvests x.  Only the owners of the state change before windows_leave. */
static inline void windows_harvest(struct windows_kept *kept, struct mushroom_state *state,
                                   struct rectangle x)
{
    play_own(state, rectangle_cells(x));
    int first = x.r1 < WINDOWS_ROWS ? 0 : x.r1 - (WINDOWS_ROWS - 1);
    for (int r = first; r <= x.r2; ++r) {
        __m512i rows = _mm512_load_si512(kept->rows[r]);
        kept_row(kept, r, _mm512_maskz_mov_epi8(~kept_lanes(x, r), rows));
    }
    kept_renew(kept, x.r1, x.r2);
}

static inline void windows_leave(const struct windows_kept *kept, struct mushroom_state *state)
{
    (void)kept;
    struct cells gone = cells_or(state->owned[0], state->owned[1]);
    state->live = cells_less(state->live, gone);
    play_clear(state->digits, gone, (struct rectangle){0, 0, BOARD_ROWS - 1, BOARD_COLUMNS - 1});
}

#endif
