/* Matrix games as input of a network. */
#include "games/matrix/matrix.h"

#include <banyan/observe.h>

#include <string.h>

enum { PLANES_CELLS = MATRIX_SIDE * MATRIX_SIDE };

/* Four planes, in which the rows are the viewer's choices: what the viewer gets, what the opponent
 * gets, where the table is, and the cell that was played. */
void matrix_encode(const struct banyan_game *game, const void *state, int viewer, float *planes)
{
    const struct matrix *matrix = state;
    memset(planes, 0, sizeof(float) * 4 * PLANES_CELLS);
    for (int i = 0; i < matrix->rows; ++i)
        for (int j = 0; j < matrix->columns; ++j) {
            int cell = viewer ? j * MATRIX_SIDE + i : i * MATRIX_SIDE + j;
            planes[cell] = (float)matrix->payoff[viewer][i][j] / MATRIX_CENTS;
            planes[PLANES_CELLS + cell] = (float)matrix->payoff[!viewer][i][j] / MATRIX_CENTS;
            planes[2 * PLANES_CELLS + cell] = 1;
            planes[3 * PLANES_CELLS + cell] =
                matrix->played && matrix->choice[0] == i && matrix->choice[1] == j;
        }
}

const struct banyan_feature matrix_features[] = {
    {.name = "own",
     .help = "what the viewer gets, by own and opponent's choice",
     .kind = BANYAN_FEATURE_REAL,
     .shape = {1},
     .min = -100,
     .max = 100},
    {.name = "other",
     .help = "what the opponent gets",
     .kind = BANYAN_FEATURE_REAL,
     .shape = {1},
     .min = -100,
     .max = 100},
    {.name = "cells", .help = "1 where the table is", .shape = {1}, .max = 1},
    {.name = "played", .help = "1 for the cell that was played", .shape = {1}, .max = 1},
    {0}};
