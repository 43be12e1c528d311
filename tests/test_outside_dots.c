/* Dots and boxes of examples/, an outside game: its values against a brute force that knows the grid
 * only. */
#include "../examples/dots_and_boxes.c"

#include <banyan/check.h>
#include <banyan/evaluator.h>
#include <banyan/exact.h>
#include <banyan/search.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_keeps_the_contract(void **unused)
{
    (void)unused;
    for (int i = 0; banyan_plugin.games[i]; ++i) {
        struct banyan_error err;
        if (banyan_game_check(banyan_plugin.games[i], NULL, NULL, &err) != BANYAN_OK)
            fail_msg("%s", err.message);
    }
}

/* --- brute force: the mover's boxes minus the other's from every set of edges on --- */

struct grid {
    int edges, boxes;
    uint32_t box[9]; /* the edges of each box */
};

/* The edges in another order than the game's: box by box, each new edge gets the next number. */
static void grid_open(struct grid *grid, int rows, int columns)
{
    int number[7][7]; /* of the edge at the middle between two points, in half steps */
    memset(number, -1, sizeof number);
    *grid = (struct grid){.edges = 0};
    for (int y = 1; y < 2 * rows; y += 2)
        for (int x = 1; x < 2 * columns; x += 2) {
            const int side[4][2] = {{y - 1, x}, {y + 1, x}, {y, x - 1}, {y, x + 1}};
            uint32_t box = 0;
            for (int i = 0; i < 4; ++i) {
                int *at = &number[side[i][0]][side[i][1]];
                if (*at < 0)
                    *at = grid->edges++;
                box |= 1u << *at;
            }
            grid->box[grid->boxes++] = box;
        }
}

static int grid_value(const struct grid *grid)
{
    uint32_t all = (1u << grid->edges) - 1;
    signed char *value = calloc((size_t)all + 1, 1);
    assert_non_null(value);
    for (uint32_t set = all; set-- > 0;) {
        int best = -100;
        for (int edge = 0; edge < grid->edges; ++edge) {
            uint32_t bit = 1u << edge;
            int closed = 0;
            if (set & bit)
                continue;
            for (int box = 0; box < grid->boxes; ++box)
                closed += (grid->box[box] & bit) && !(grid->box[box] & ~(set | bit));
            int next = value[set | bit], here = closed ? closed + next : -next;
            best = here > best ? here : best;
        }
        value[set] = (signed char)best;
    }
    int root = value[0];
    free(value);
    return root;
}

static double solver_value(const struct banyan_game *game)
{
    struct dots_state state;
    struct banyan_exact *exact;
    double values[2] = {0};
    assert_int_equal(banyan_exact_create(&exact, game, 1u << 29, NULL), BANYAN_OK);
    assert_int_equal(game->init(game, &state, NULL, NULL, NULL), BANYAN_OK);
    assert_int_equal(banyan_exact_value(exact, &state, values, NULL), BANYAN_OK);
    banyan_exact_destroy(exact);
    return values[0];
}

static void test_values(void **unused)
{
    (void)unused;
    const struct {
        const struct banyan_game *game;
        int rows, columns, value;
    } rows[] = {
        {&dots_1x1, 1, 1, -1}, {&dots_2x1, 2, 1, 0}, {&dots_2x2, 2, 2, 2}, {&dots_3x2, 3, 2, -2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct grid grid;
        grid_open(&grid, rows[i].rows, rows[i].columns);
        assert_int_equal(grid.edges, rows[i].game->max_plies);
        assert_int_equal(grid_value(&grid), rows[i].value);
        assert_true(solver_value(rows[i].game) == rows[i].value);
    }
}

/* 16.8 million sets of edges. */
static void test_value_of_nine_boxes(void **unused)
{
    (void)unused;
    struct grid grid;
    grid_open(&grid, 3, 3);
    assert_int_equal(grid_value(&grid), -3);
}

/* The solver of the search proves the value that banyan_exact computes. */
static void test_search_proves(void **unused)
{
    (void)unused;
    const struct {
        const struct banyan_game *game;
        const char *setup;
        float value; /* of the mover */
    } rows[] = {{&dots_1x1, "", -1}, {&dots_2x1, "", 0}, {&dots_2x2, "0,6,7 0-0 2", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const struct banyan_game *game = rows[i].game;
        struct banyan_search_options options;
        struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = 300000};
        struct banyan_evaluator evaluator;
        struct banyan_search *search;
        struct banyan_search_move best;
        struct dots_state state;
        banyan_search_options_default(&options);
        assert_int_equal(game->init(game, &state, rows[i].setup, NULL, NULL), BANYAN_OK);
        assert_int_equal(banyan_evaluator_create(game, "rollout", NULL, &evaluator, NULL),
                         BANYAN_OK);
        assert_int_equal(banyan_search_create(&search, game, &options, &evaluator, NULL),
                         BANYAN_OK);
        assert_int_equal(banyan_search_set_root(search, &state, -1, NULL), BANYAN_OK);
        assert_int_equal(banyan_search_run(search, &limits, NULL), BANYAN_OK);
        assert_int_equal(banyan_search_choose(search, state.mover, &best, NULL), BANYAN_OK);
        printf("%s '%s': %g..%g\n", game->name, rows[i].setup, (double)best.lo, (double)best.hi);
        struct banyan_exact *exact;
        double values[2];
        assert_int_equal(banyan_exact_create(&exact, game, 1u << 28, NULL), BANYAN_OK);
        assert_int_equal(banyan_exact_value(exact, &state, values, NULL), BANYAN_OK);
        assert_true(best.lo == best.hi && (double)best.lo == values[state.mover]);
        assert_true(best.lo == rows[i].value);
        banyan_exact_destroy(exact);
        banyan_search_destroy(search);
        banyan_evaluator_close(&evaluator);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps_the_contract), cmocka_unit_test(test_values),
        cmocka_unit_test(test_value_of_nine_boxes), cmocka_unit_test(test_search_proves)};
    return cmocka_run_group_tests_name("dots and boxes, outside", tests, NULL, NULL);
}
