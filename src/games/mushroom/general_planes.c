/* Input planes of the mushroom game on other boards and for more players.
 *
 * Policy: one output for each band of rows and left column of the largest board, because the
 * position determines the right column; the last output is the pass.
 */
#include "games/mushroom/general.h"

#include <banyan/observe.h>

#include <string.h>

/* The planes of a game for n players; owners and movers begin with the viewer, others follow in
 * turn. */
enum planes_planes {
    PLANES_DIGIT = 0, /* nine: mushrooms of 1, 2, ... 9 */
    PLANES_BOARD = 9, /* where the board is */
    PLANES_OWNER = 10 /* n planes; then n planes for the mover; then the passes, as a share of n */
};

static void planes_fill(float *planes, int plane, float value)
{
    for (int i = 0; i < GENERAL_CELLS; ++i)
        planes[plane * GENERAL_CELLS + i] = value;
}

void general_encode(const struct banyan_game *game, const void *at, int viewer, float *planes)
{
    const struct general_state *state = at;
    int n = state->players;
    memset(planes, 0, sizeof(float) * (size_t)(GENERAL_PLANES(n) * GENERAL_CELLS));
    for (int i = 0; i < state->rows * state->columns; ++i) {
        int value = state->cell[i];
        int to = i / state->columns * GENERAL_COLUMNS + i % state->columns;
        planes[PLANES_BOARD * GENERAL_CELLS + to] = 1;
        if (value >= GENERAL_OWNED)
            planes[(PLANES_OWNER + (value - GENERAL_OWNED + n - viewer) % n) * GENERAL_CELLS + to] =
                1;
        else if (value > 0 && value < 10)
            planes[(PLANES_DIGIT + value - 1) * GENERAL_CELLS + to] = 1;
    }
    planes_fill(planes, PLANES_OWNER + n + (state->mover + n - viewer) % n, 1);
    planes_fill(planes, PLANES_OWNER + 2 * n, (float)state->passes / (float)n);
}

#define FEATURES(n)                                                                \
    const struct banyan_feature general_features_##n[] = {                         \
        {.name = "digits",                                                         \
         .help = "nine planes: 1 where a mushroom of 1, 2, ... 9 stands",          \
         .shape = {9},                                                             \
         .max = 1},                                                                \
        {.name = "board", .help = "1 where the board is", .shape = {1}, .max = 1}, \
        {.name = "owners",                                                         \
         .help = "1 where a player's cells are, the viewer first",                 \
         .shape = {n},                                                             \
         .max = 1},                                                                \
        {.name = "mover",                                                          \
         .help = "1 everywhere for the player to move, the viewer first",          \
         .shape = {n},                                                             \
         .max = 1},                                                                \
        {.name = "passes",                                                         \
         .help = "passes since the last rectangle / number of players",            \
         .kind = BANYAN_FEATURE_REAL,                                              \
         .shape = {1},                                                             \
         .max = 1},                                                                \
        {0}}

FEATURES(2);
FEATURES(3);
FEATURES(4);

int general_policy_index(const struct banyan_game *game, const void *state, int player,
                         banyan_action action)
{
    (void)state, (void)player;
    if (action == GENERAL_PASS)
        return GENERAL_POLICY - 1;
    struct general_rectangle x = general_rectangle_of(action);
    int band = GENERAL_ROWS * x.r1 - x.r1 * (x.r1 - 1) / 2 + (x.r2 - x.r1);
    return band * GENERAL_COLUMNS + x.c1;
}
