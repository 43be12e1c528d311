/* Matrix games: the language, textbook equilibria, and regret matching on the game's own rules. */
#include "games/matrix/matrix.h"
#include "nashconv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct banyan_game *find(const char *name)
{
    const struct banyan_game *game = NULL;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    return game;
}

static void test_language(void **unused)
{
    (void)unused;
    static const char *const rows[][3] = {
        {"matrix", "", "2 -1;-1 1"},
        {"matrix", " 0.5 ;-.25;3 played=2,1", "0.5;-0.25;3 played=2,1"},
        {"matrix", "1 2 3 4 5 6 7 8", "1 2 3 4 5 6 7 8"},
        {"bimatrix", "", "-1 -3;0 -2|-1 0;-3 -2"},
        {"bimatrix", "1 2 3 | 4 5 6 played=1,3", "1 2 3|4 5 6 played=1,3"},
        {"rps", "", "usual"},
        {"rps", "played=rock, scissors", "usual played=rock,scissors"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct matrix matrix;
        char text[BANYAN_TEXT_MAX];
        assert_int_equal(find(rows[i][0])->init(find(rows[i][0]), &matrix, rows[i][1], NULL, NULL),
                         BANYAN_OK);
        find(rows[i][0])->format(find(rows[i][0]), &matrix, text, sizeof text);
        assert_string_equal(text, rows[i][2]);
    }
}

static void test_errors(void **unused)
{
    (void)unused;
    static const char *const rows[][3] = {
        {"matrix", "x", "column 1: expected a row"},
        {"matrix", "1 2;3", "column 6: expected all rows to be of the same length"},
        {"matrix", "1 2;3 101", "column 7: expected all rows to be of the same length"},
        {"matrix", "1 2;", "column 5: expected a row"},
        {"matrix", "1 2 3 4 5 6 7 8 9", "expected a row of 1..8"},
        {"matrix", "1;1;1;1;1;1;1;1;1", "expected no more than 8 rows"},
        {"matrix", "1 2 played=1,3", "column 14: expected a choice"},
        {"matrix", "1 2 played=1", "column 13: expected ','"},
        {"matrix", "1 2|3 4", "column 4: expected a payoff, ';'"},
        {"bimatrix", "1 2", "column 4: expected '|'"},
        {"bimatrix", "1 2|1", "column 6: expected all rows to be of the same length"},
        {"bimatrix", "1 2|1 2;3 4", "column 12: expected a table with as many rows"},
        {"rps", "1 2", "column 1: expected"},
        {"rps", "played=rock,well", "column 13: expected a choice"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct matrix matrix;
        struct banyan_error err = {.message = ""};
        assert_int_equal(find(rows[i][0])->init(find(rows[i][0]), &matrix, rows[i][1], NULL, &err),
                         BANYAN_INVALID);
        if (!strstr(err.message, rows[i][2]))
            fail_msg("'%s' said '%s'", rows[i][1], err.message);
    }
}

/* A mixed strategy for each player: the weights of the rows and of the columns. */
struct mix {
    double row[MATRIX_SIDE], column[MATRIX_SIDE];
};

static void play_mix(void *ctx, const struct banyan_game *game, const void *state, int player,
                     const banyan_action *actions, int n, double *out)
{
    (void)game, (void)state;
    const struct mix *mix = ctx;
    for (int i = 0; i < n; ++i)
        out[i] = (player == 0 ? mix->row : mix->column)[actions[i]];
}

static void test_textbook_equilibria(void **unused)
{
    (void)unused;
    static const struct {
        const char *game, *setup;
        struct mix mix;
        double value[2], nashconv;
    } rows[] = {
        {"rps", "", {{1. / 3, 1. / 3, 1. / 3}, {1. / 3, 1. / 3, 1. / 3}}, {0, 0}, 0},
        {"rps", "", {{1}, {1}}, {0, 0}, 2},
        {"rps", "", {{1}, {0, 1}}, {-1, 1}, 2},
        {"matrix", "2 -1;-1 1", {{0.4, 0.6}, {0.4, 0.6}}, {0.2, -0.2}, 0},
        {"matrix", "2 -1;-1 1", {{0.5, 0.5}, {0.5, 0.5}}, {0.25, -0.25}, 0.5},
        {"matrix", "3 1 4;1 5 9;2 6 5", {{0, 1}, {1}}, {1, -1}, 2},
        {"bimatrix", "", {{0, 1}, {0, 1}}, {-2, -2}, 0}, /* both players confess */
        {"bimatrix", "", {{1}, {1}}, {-1, -1}, 2}, /* both are silent: each gains 1 by confessing */
        {"bimatrix", "2 0;0 1|1 0;0 2", {{2. / 3, 1. / 3}, {1. / 3, 2. / 3}}, {2. / 3, 2. / 3}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct matrix matrix;
        struct mix mix = rows[i].mix;
        struct nashconv_start start = {&matrix, 1};
        struct nashconv nc = {find(rows[i].game), &start, 1, play_mix, &mix};
        assert_int_equal(nc.game->init(nc.game, &matrix, rows[i].setup, NULL, NULL), BANYAN_OK);
        for (int p = 0; p < 2; ++p)
            assert_true(fabs(nashconv_value(&nc, p) - rows[i].value[p]) < 1e-9);
        assert_true(fabs(nashconv(&nc) - rows[i].nashconv) < 1e-9);
    }
}

/* --- regret matching (Hart and Mas-Colell 2000): its average play approaches an equilibrium --- */

struct learner {
    double regret[MATRIX_SIDE], sum[MATRIX_SIDE], now[MATRIX_SIDE];
};

static void choose(struct learner *learner, int n)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += fmax(learner->regret[i], 0);
    for (int i = 0; i < n; ++i) {
        learner->now[i] = sum > 0 ? fmax(learner->regret[i], 0) / sum : 1.0 / n;
        learner->sum[i] += learner->now[i];
    }
}

static void learn(struct learner *learner, int n, const double *value)
{
    double mean = 0;
    for (int i = 0; i < n; ++i)
        mean += learner->now[i] * value[i];
    for (int i = 0; i < n; ++i)
        learner->regret[i] += value[i] - mean;
}

static void round_of_play(const struct banyan_game *game, const struct matrix *matrix,
                          struct learner learners[2])
{
    double value[2][MATRIX_SIDE] = {{0}};
    choose(&learners[0], matrix->rows);
    choose(&learners[1], matrix->columns);
    for (banyan_action i = 0; i < matrix->rows; ++i)
        for (banyan_action j = 0; j < matrix->columns; ++j) {
            struct matrix end = *matrix;
            float out[2];
            game->apply(game, &end, (banyan_action[2]){i, j}, NULL);
            game->returns(game, &end, out);
            value[0][i] += learners[1].now[j] * out[0];
            value[1][j] += learners[0].now[i] * out[1];
        }
    learn(&learners[0], matrix->rows, value[0]);
    learn(&learners[1], matrix->columns, value[1]);
}

static void test_regret_matching(void **unused)
{
    (void)unused;
    static const char *const setups[] = {"2 -1;-1 1", "3 1 4;1 5 9;2 6 5", "0 -2 1;1 0 -1;-1 1 0",
                                         "4 -7 2 0;-3 5 -1 2;1 1 -2 3;0.5 -0.5 2.25 -4;3 -2 0 1"};
    for (size_t i = 0; i < sizeof setups / sizeof *setups; ++i) {
        const struct banyan_game *game = find("matrix");
        struct matrix matrix;
        struct learner learners[2] = {{.regret = {1}}, {.regret = {0}}}; /* not uniform play */
        struct mix mix;
        int rounds = 100000;
        assert_int_equal(game->init(game, &matrix, setups[i], NULL, NULL), BANYAN_OK);
        for (int t = 0; t < rounds; ++t)
            round_of_play(game, &matrix, learners);
        for (int a = 0; a < MATRIX_SIDE; ++a) {
            mix.row[a] = learners[0].sum[a] / rounds;
            mix.column[a] = learners[1].sum[a] / rounds;
        }
        struct nashconv_start start = {&matrix, 1};
        struct nashconv nc = {game, &start, 1, play_mix, &mix};
        assert_true(nashconv(&nc) < 0.02);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_language),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_textbook_equilibria),
        cmocka_unit_test(test_regret_matching),
    };
    return cmocka_run_group_tests_name("matrix", tests, NULL, NULL);
}
