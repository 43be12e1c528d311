/* Matrix games: two players choose at the same time, and a table says what each of them gets.
 *
 *                 player 2                 setup  "2 -1;-1 1"            zero sum
 *                  1    2                         "-1 -3;0 -2|-1 0;-3 -2"
 *  player 1   1    2   -1                         table of player 1 | table of player 2
 *             2   -1    1
 *
 * These are the smallest games of simultaneous moves.  In many of them the best strategy is mixed:
 * it chooses at random, with fixed probabilities. */
#ifndef GAMES_MATRIX_H
#define GAMES_MATRIX_H

#include <banyan/observe.h>

#include <assert.h>

enum { MATRIX_SIDE = 8, MATRIX_CENTS = 100 };

struct matrix {
    int16_t payoff[2][MATRIX_SIDE]
                  [MATRIX_SIDE]; /* [player][row][column], -100.00..100.00 in cents */
    uint8_t rows, columns;
    uint8_t played;
    uint8_t choice[2]; /* row of player 0, column of player 1 */
    uint8_t zero;
};

static_assert(sizeof(struct matrix) == 2 * 2 * MATRIX_SIDE * MATRIX_SIDE + 6, "no padding");

const struct banyan_game *matrix_variant(int index);

/* planes.c */
void matrix_encode(const struct banyan_game *game, const void *state, int viewer, float *planes);
extern const struct banyan_feature matrix_features[];

#endif
