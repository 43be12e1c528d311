/* The legal rectangles of a position with their swings.
 *
 * The swing of a rectangle is the number of cells by which it changes the lead of the side to move:
 * a free cell counts one, a cell of the opponent two.  This file is compiled once for each
 * instruction set, after windows_portable.h, windows_lanes.inc.h or windows_vbmi.inc.h.
 */
#ifndef MUSHROOM_SWINGS_H
#define MUSHROOM_SWINGS_H

#include "games/mushroom/harvest.h"
#include "games/mushroom/windows.h"

struct swings {
    struct windows_list list;
    uint16_t swing[BOARD_MAX_LEGAL + 64];
};

static inline int swings_fill(const struct mushroom_state *state, struct swings *out)
{
    const struct cells *own = &state->owned[state->mover], *other = &state->owned[1 - state->mover];
    int largest = 0;
    windows_enumerate(state, &out->list);
    for (int i = 0; i < out->list.count; ++i) {
        struct cells inside = rectangle_cells(windows_corners(&out->list, i));
        int swing = play_swing(inside, own, other);
        out->swing[i] = (uint16_t)swing;
        largest = swing > largest ? swing : largest;
    }
    return largest;
}

static inline int swings_fill_tilt(const struct mushroom_state *state, struct swings *out,
                                   int *tilt)
{
    int largest = swings_fill(state, out), sum = 0;
    for (int i = 0; i < out->list.count; ++i)
        sum += out->swing[i] - (out->list.down[i] + 1) * (out->list.width[i] + 1);
    *tilt = sum;
    return largest;
}

#if defined(__AVX512VBMI__)

static inline int swings_vector(const struct mushroom_state *state, struct swings *out, int *tilt)
{
    uint8_t bytes[BOARD_MAX_LEGAL + 64];
    int largest = windows_swings(state, &out->list, bytes, tilt);
    for (int i = 0; i < out->list.count; i += 32)
        _mm512_storeu_si512(out->swing + i,
                            _mm512_cvtepu8_epi16(_mm256_loadu_si256((const void *)(bytes + i))));
    return largest;
}

/* Whether the vectors count correctly. */
static inline bool swings_exact(const struct mushroom_state *state)
{
    return vbmi_exact(&state->owned[1 - state->mover]);
}

/* Lists the rectangles and their swings; returns the largest swing, 0 when the list is empty. */
static inline int swings_list(const struct mushroom_state *state, struct swings *out)
{
    return swings_exact(state) ? swings_vector(state, out, NULL) : swings_fill(state, out);
}

/* The same, and the tilt of the position.  The tilt counts, over all rectangles, the opponent's
 * cells minus the mover's own cells that they cover. */
static inline int swings_list_tilt(const struct mushroom_state *state, struct swings *out,
                                   int *tilt)
{
    return swings_exact(state) ? swings_vector(state, out, tilt)
                               : swings_fill_tilt(state, out, tilt);
}

/* Returns the largest swing without the list, and the tilt. */
static inline int swings_tilt(const struct mushroom_state *state, int *tilt)
{
    struct swings swings;
    return swings_exact(state) ? windows_swings(state, NULL, NULL, tilt)
                               : swings_fill_tilt(state, &swings, tilt);
}

#else

static inline int swings_list(const struct mushroom_state *state, struct swings *out)
{
    return swings_fill(state, out);
}

static inline int swings_list_tilt(const struct mushroom_state *state, struct swings *out,
                                   int *tilt)
{
    return swings_fill_tilt(state, out, tilt);
}

static inline int swings_tilt(const struct mushroom_state *state, int *tilt)
{
    struct swings swings;
    return swings_fill_tilt(state, &swings, tilt);
}

#endif

#endif
