/* Othello: the estimate of a position, counted square by square. */
#include <banyan/game.h>
#include <banyan/rng.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8 };

struct squares {
    int size, at[MOST][MOST]; /* 1 the side whose part is counted, -1 the other, 0 empty */
};

static bool is_on(const struct squares *b, int row, int column)
{
    return row >= 0 && column >= 0 && row < b->size && column < b->size;
}

/* Whether side may put a disc there: a line of the other's discs ends with an own one. */
static bool is_legal(const struct squares *b, int side, int row, int column)
{
    for (int i = 0; b->at[row][column] == 0 && i < 9; ++i) {
        int dy = i / 3 - 1, dx = i % 3 - 1, y = row + dy, x = column + dx, turned = 0;
        for (; i != 4 && is_on(b, y, x) && b->at[y][x] == -side; y += dy, x += dx)
            ++turned;
        if (turned && is_on(b, y, x) && b->at[y][x] == side)
            return true;
    }
    return false;
}

static bool is_corner(const struct squares *b, int row, int column)
{
    return (row == 0 || row == b->size - 1) && (column == 0 || column == b->size - 1);
}

/* The distance, rows plus columns, from a square to the corner that it touches, if that is empty: 1
 * beside it, 2 diagonally; 0: the square touches no empty corner. */
static int touched_corner(const struct squares *b, int row, int column)
{
    for (int i = 0; i < 4; ++i) {
        int y = i / 2 * (b->size - 1), x = i % 2 * (b->size - 1);
        int dy = abs(row - y), dx = abs(column - x);
        if (dy <= 1 && dx <= 1 && b->at[y][x] == 0)
            return dy + dx;
    }
    return 0;
}

static bool is_frontier(const struct squares *b, int side, int row, int column)
{
    for (int i = 0; b->at[row][column] == 0 && i < 9; ++i)
        if (is_on(b, row + i / 3 - 1, column + i % 3 - 1) &&
            b->at[row + i / 3 - 1][column + i % 3 - 1] == -side)
            return true;
    return false;
}

/* 700 for a corner, 250 for one in reach, -250 and -100 for discs diagonally next to and beside an empty corner,
 * 80 for a legal move, 40 for an empty square next to a disc of the other. */
static int part_of(const struct squares *b, int side)
{
    int sum = 0;
    for (int row = 0; row < b->size; ++row)
        for (int column = 0; column < b->size; ++column) {
            bool own = b->at[row][column] == side, legal = is_legal(b, side, row, column);
            bool corner = is_corner(b, row, column);
            int touched = touched_corner(b, row, column);
            sum += own && corner ? 700 : 0;
            sum += legal && corner ? 250 : 0;
            sum -= own && touched == 2 ? 250 : own && touched == 1 ? 100 : 0;
            sum += legal ? 80 : 0;
            sum += is_frontier(b, side, row, column) ? 40 : 0;
        }
    return sum;
}

static double estimate_of(const struct squares *b)
{
    int discs = 0, empty = 0;
    for (int row = 0; row < b->size; ++row)
        for (int column = 0; column < b->size; ++column) {
            discs += b->at[row][column];
            empty += b->at[row][column] == 0;
        }
    int estimate = part_of(b, 1) - part_of(b, -1) + 1500 * discs / (10 + 3 * empty);
    double x = estimate / 1000.0;
    return x / (1 + fabs(x));
}

static void read_squares(const struct banyan_game *game, const void *state, int viewer,
                         struct squares *b)
{
    static float planes[3 * MOST * MOST];
    int size = game->planes[1];
    b->size = size;
    game->encode(game, state, viewer, planes);
    for (int i = 0; i < size * size; ++i)
        b->at[i / size][i % size] = (int)planes[i] - (int)planes[size * size + i];
}

static void estimates_by_counting(void **unused)
{
    static const char *const names[] = {"othello", "othello-6x6", "othello-4x4"};
    (void)unused;
    int compared = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const struct banyan_game *game;
        struct banyan_rng rng;
        banyan_rng_seed(&rng, i);
        assert_int_equal(banyan_game_find(names[i], &game, NULL), BANYAN_OK);
        void *state = calloc(1, game->state_size);
        assert_non_null(state);
        for (int n = 0; n < 300; ++n) {
            struct squares b;
            float lo, hi;
            assert_int_equal(game->init(game, state, NULL, &rng, NULL), BANYAN_OK);
            game->rollout(game, state, 0, n % (game->planes[1] * game->planes[1] - 6), &rng);
            unsigned movers = game->movers(game, state);
            game->bounds(game, state, 0, &lo, &hi);
            if (!movers || lo >= hi)
                continue;
            int mover = movers & 1 ? 0 : 1;
            read_squares(game, state, mover, &b);
            double value = (double)game->heuristic(game, state, mover), right = estimate_of(&b);
            if (fabs(value - right) > 1e-6)
                fail_msg("%s, position %d: %g, not %g", names[i], n, value, right);
            assert_true(fabs((double)game->heuristic(game, state, 1 - mover) + right) < 1e-6);
            ++compared;
        }
        free(state);
    }
    assert_true(compared > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(estimates_by_counting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
