/* Rectangles with their swings: what the search asks of a position.
 *
 * The swing is by how much the lead of the side to move grows: free cells count
 * one, the opponent's two.  Compiled once for each instruction set, after
 * windows_portable.h, windows_lanes.h or windows_vbmi.h, and play.h.
 */
#ifndef MUSHROOM_SWINGS_H
#define MUSHROOM_SWINGS_H

#include "games/mushroom/play.h"

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

#if defined(__AVX512VBMI__)

/* The list and its swings; the largest of them, 0: the list is empty. */
static inline int swings_list(const struct mushroom_state *state, struct swings *out)
{
    uint8_t bytes[BOARD_MAX_LEGAL + 64];
    if (!vbmi_exact(&state->owned[1 - state->mover]))
        return swings_fill(state, out);
    int largest = windows_swings(state, &out->list, bytes);
    for (int i = 0; i < out->list.count; i += 32)
        _mm512_storeu_si512(out->swing + i,
                            _mm512_cvtepu8_epi16(_mm256_loadu_si256((const void *)(bytes + i))));
    return largest;
}

/* Only the largest swing. */
static inline int swings_largest(const struct mushroom_state *state)
{
    struct swings swings;
    if (!vbmi_exact(&state->owned[1 - state->mover]))
        return swings_fill(state, &swings);
    return windows_swings(state, NULL, NULL);
}

#else

static inline int swings_list(const struct mushroom_state *state, struct swings *out)
{
    return swings_fill(state, out);
}

static inline int swings_largest(const struct mushroom_state *state)
{
    struct swings swings;
    return swings_fill(state, &swings);
}

#endif

#endif
