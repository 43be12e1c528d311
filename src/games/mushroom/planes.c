/* Input planes of the mushroom game for networks, and its symmetries: left-right mirror, top-bottom
 * mirror, half turn, and exchange of the players.
 *
 * Policy: one output for each band of rows and left column, because the position determines the
 * right column; the last output is the pass.
 */
#include "games/mushroom/mushroom.h"
#include "games/mushroom/table.h"

#include <banyan/observe.h>

#include <string.h>

enum planes_planes {
    PLANES_DIGIT = 0,       /* nine: mushrooms of 1, 2, ... 9 */
    PLANES_OWN = 9,         /* cells of the viewer */
    PLANES_OTHER = 10,      /* cells of the opponent */
    PLANES_AFTER_PASS = 11, /* all ones after a pass */
    PLANES_TO_MOVE = 12     /* all ones if the viewer is to move */
};

void mushroom_encode(const struct banyan_game *game, const void *at, int viewer, float *planes)
{
    const struct mushroom_state *state = at;
    memset(planes, 0, sizeof(float) * 13 * BOARD_CELLS);
    for (int i = 0; i < BOARD_CELLS; ++i) {
        int cell = i / BOARD_COLUMNS * BOARD_STRIDE + i % BOARD_COLUMNS;
        int digit = state->digits[cell];
        if (digit > 0)
            planes[(PLANES_DIGIT + digit - 1) * BOARD_CELLS + i] = 1;
        planes[PLANES_OWN * BOARD_CELLS + i] = cells_has(&state->owned[viewer], cell);
        planes[PLANES_OTHER * BOARD_CELLS + i] = cells_has(&state->owned[1 - viewer], cell);
        planes[PLANES_AFTER_PASS * BOARD_CELLS + i] = state->passes > 0;
        planes[PLANES_TO_MOVE * BOARD_CELLS + i] = state->mover == viewer;
    }
}

const struct banyan_feature mushroom_features[] = {
    {.name = "digits",
     .help = "nine planes: 1 where a mushroom of 1, 2, ... 9 stands",
     .shape = {9},
     .max = 1},
    {.name = "own", .help = "1 where the viewer's cells are", .shape = {1}, .max = 1},
    {.name = "other", .help = "1 where the opponent's cells are", .shape = {1}, .max = 1},
    {.name = "after-pass", .help = "1 everywhere after a pass", .shape = {1}, .max = 1},
    {.name = "to-move", .help = "1 everywhere if the viewer is to move", .shape = {1}, .max = 1},
    {0}};

int mushroom_policy_index(const struct banyan_game *game, const void *state, int player,
                          banyan_action action)
{
    (void)state;
    if (action == BOARD_PASS)
        return BOARD_MAX_LEGAL;
    struct rectangle x = rectangle_of((int)action);
    int band = BOARD_ROWS * x.r1 - x.r1 * (x.r1 - 1) / 2 + (x.r2 - x.r1);
    return band * BOARD_COLUMNS + x.c1;
}

void mushroom_targets(const struct banyan_game *game, const void *final, int viewer, float *score,
                      float *ownership)
{
    const struct mushroom_state *state = final;
    *score = (float)mushroom_difference(state, viewer) / BOARD_CELLS;
    for (int i = 0; i < BOARD_CELLS; ++i) {
        int cell = i / BOARD_COLUMNS * BOARD_STRIDE + i % BOARD_COLUMNS;
        ownership[i] = (float)cells_has(&state->owned[viewer], cell) -
                       (float)cells_has(&state->owned[1 - viewer], cell);
    }
}

/* --- symmetries; bit 0 of k exchanges left and right, bit 1 top and bottom --- */

static int planes_turn(int cell, int k)
{
    int row = cell / BOARD_STRIDE, column = cell % BOARD_STRIDE;
    row = k & 2 ? BOARD_ROWS - 1 - row : row;
    column = k & 1 ? BOARD_COLUMNS - 1 - column : column;
    return BOARD_STRIDE * row + column;
}

banyan_action mushroom_symmetry_action(const struct banyan_game *game, const void *state, int k,
                                       banyan_action action)
{
    (void)state;
    if (action == BOARD_PASS)
        return action;
    struct rectangle x = rectangle_of((int)action), y = x;
    if (k & 1) {
        y.c1 = (uint8_t)(BOARD_COLUMNS - 1 - x.c2);
        y.c2 = (uint8_t)(BOARD_COLUMNS - 1 - x.c1);
    }
    if (k & 2) {
        y.r1 = (uint8_t)(BOARD_ROWS - 1 - x.r2);
        y.r2 = (uint8_t)(BOARD_ROWS - 1 - x.r1);
    }
    return (banyan_action)rectangle_action(y);
}

void mushroom_symmetry(const struct banyan_game *game, const void *at, int k, void *out)
{
    const struct mushroom_state *state = at;
    struct mushroom_state *image = out;
    memset(image, 0, sizeof *image);
    memset(image->digits, BOARD_PAD, sizeof image->digits);
    for (int r = 0; r < BOARD_ROWS; ++r)
        for (int c = 0; c < BOARD_COLUMNS; ++c) {
            int cell = BOARD_STRIDE * r + c, to = planes_turn(cell, k);
            image->digits[to] = state->digits[cell];
            if (cells_has(&state->live, cell))
                cells_put(&image->live, to);
            for (int player = 0; player < 2; ++player)
                if (cells_has(&state->owned[player], cell))
                    cells_put(&image->owned[player], to);
        }
    image->last = state->last == MUSHROOM_NONE
                      ? state->last
                      : (uint16_t)mushroom_symmetry_action(game, state, k, state->last);
    image->mover = state->mover;
    image->passes = state->passes;
}

void mushroom_mirror(const struct banyan_game *game, const void *at, void *out)
{
    const struct mushroom_state *state = at;
    struct mushroom_state *image = out;
    memcpy(image, state, sizeof *image);
    image->owned[0] = state->owned[1];
    image->owned[1] = state->owned[0];
    image->mover = state->mover ^ 1;
}

banyan_action mushroom_mirror_action(const struct banyan_game *game, const void *state,
                                     banyan_action action)
{
    (void)state;
    return action;
}
