/* The state of a mushroom game, 272 bytes.
 *
 * A cell with digit 0 has been harvested and has an owner; only a board that was set up with holes
 * has cells with digit 0 and no owner (a small board has holes around it).  `live` follows from the
 * digits; it is stored because almost every function needs it.
 */
#ifndef MUSHROOM_MUSHROOM_H
#define MUSHROOM_MUSHROOM_H

#include "games/mushroom/board.h"

#include <assert.h>

enum { MUSHROOM_NONE = 0xffff }; /* no last action: the start, or not known */

struct mushroom_state {
    uint8_t digits[BOARD_BYTES]; /* one per cell; BOARD_PAD in bytes that are no cell */
    struct cells live;           /* cells that still have a mushroom */
    struct cells owned[2];       /* by player */
    uint16_t last;               /* the last action, for the picture, or MUSHROOM_NONE */
    uint8_t mover;               /* player to move */
    uint8_t passes;              /* number of passes since the last rectangle; 2: the game is
                                  * over */
    uint8_t zero[4];
};

static_assert(sizeof(struct mushroom_state) == 272, "272 bytes");

static inline int mushroom_difference(const struct mushroom_state *state, int player)
{
    return cells_count(state->owned[player]) - cells_count(state->owned[1 - player]);
}

/* Sum of the mushrooms inside. */
static inline int mushroom_sum(const struct mushroom_state *state, struct rectangle x)
{
    int sum = 0;
    for (int r = x.r1; r <= x.r2; ++r)
        for (int c = x.c1; c <= x.c2; ++c)
            sum += state->digits[BOARD_STRIDE * r + c];
    return sum;
}

/* Whether each side of the rectangle has a mushroom. */
static inline bool mushroom_fits(const struct mushroom_state *state, struct rectangle x)
{
    struct cells inside = cells_and(rectangle_cells(x), state->live);
    return cells_any(cells_and(inside, board_to_row[x.r1])) &&
           cells_any(cells_and(inside, board_from_row[x.r2])) &&
           cells_any(cells_and(inside, board_to_column[x.c1])) &&
           cells_any(cells_and(inside, board_from_column[x.c2]));
}

#endif
