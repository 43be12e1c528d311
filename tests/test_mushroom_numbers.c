/* The mushroom game: estimates, priors, planes and bounds by hand. */
#include <banyan/board.h>
#include <banyan/game.h>
#include <banyan/rng.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LEGAL = 9000, ROWS = 16, COLUMNS = 32, CELLS = ROWS * COLUMNS };

struct board {
    const struct banyan_game *game;
    void *state;
};

static struct board board_of(const char *name, const char *setup)
{
    struct board b;
    struct banyan_error err = {.message = ""};
    assert_int_equal(banyan_game_find(name, &b.game, NULL), BANYAN_OK);
    b.state = calloc(1, b.game->state_size);
    assert_non_null(b.state);
    if (b.game->init(b.game, b.state, setup, NULL, &err) != BANYAN_OK)
        fail_msg("%s: %s", setup, err.message);
    return b;
}

/* The lead over the best of the others, divided by the number of owned cells and one. */
static void estimates_by_hand(void **unused)
{
    static const struct {
        const char *game, *setup;
        int player;
        double value;
    } rows[] = {{"mushroom-n2", "AAB.5", 0, 1 / 4.0}, {"mushroom-n2", "AAB.5", 1, -1 / 4.0},
                {"mushroom-n2", "55", 0, 0},          {"mushroom-n3", "AABCC", 1, -1 / 6.0},
                {"mushroom-n3", "AABCC", 0, 0},       {"mushroom-n3", "ACC/CCC", 2, 4 / 7.0},
                {"mushroom-n4", "ABCDD", 3, 1 / 6.0}, {"mushroom-n4", "ABCDD", 0, -1 / 6.0},
                {"mushroom-n4", "DDDDD", 0, -5 / 6.0}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct board b = board_of(rows[i].game, rows[i].setup);
        double value = (double)b.game->heuristic(b.game, b.state, rows[i].player);
        if (fabs(value - rows[i].value) > 1e-6)
            fail_msg("%s for player %d: %g, not %g", rows[i].setup, rows[i].player, value,
                     rows[i].value);
        free(b.state);
    }
}

/* A rectangle counts its cells, an opponent's twice and the own not; the pass counts half a cell. */
static void priors_by_hand(void **unused)
{
    static const struct {
        const char *setup;
        double cells; /* of the only rectangle */
    } rows[] = {{"55", 2},  {"5B5", 4},   {"5A5", 2},     {"5BA5", 4},  {"5.5", 3},
                {"5/5", 2}, {"5B/A5", 4}, {"5.B/.A5", 6}, {"5/B/5", 4}, {"1B9/...", 4}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct board b = board_of("mushroom-n2", rows[i].setup);
        static banyan_action legal[LEGAL];
        float priors[4];
        int count = b.game->legal(b.game, b.state, 0, legal);
        assert_int_equal(count, 2); /* and the pass, the last */
        b.game->priors(b.game, b.state, 0, legal, count, priors);
        double right = rows[i].cells / (rows[i].cells + 0.5);
        if (fabs((double)priors[0] - right) > 1e-6 || fabs((double)priors[1] - 1 + right) > 1e-6)
            fail_msg("%s: %g and %g, not %g", rows[i].setup, (double)priors[0], (double)priors[1],
                     right);
        free(b.state);
    }
}

/* Nine planes of digits, the board, owners from the viewer on, the mover, and passes as a share. */
static void planes_by_hand(void **unused)
{
    (void)unused;
    static float planes[32 * CELLS];
    struct board b = board_of("mushroom-n3", "19.A/BC.5 B 2");
    for (int viewer = 0; viewer < 3; ++viewer) {
        const struct {
            int plane, row, column;
        } ones[] = {{0, 0, 0},
                    {8, 0, 1},
                    {4, 1, 3},
                    {10 + (3 - viewer) % 3, 0, 3},
                    {10 + (4 - viewer) % 3, 1, 0},
                    {10 + (5 - viewer) % 3, 1, 1}};
        double sum = 0;
        b.game->encode(b.game, b.state, viewer, planes);
        for (size_t i = 0; i < sizeof ones / sizeof *ones; ++i)
            assert_true(planes[ones[i].plane * CELLS + ones[i].row * COLUMNS + ones[i].column] ==
                        1.0f);
        for (int i = 0; i < 9 * CELLS; ++i)
            sum += (double)planes[i];
        for (int i = 10 * CELLS; i < 13 * CELLS; ++i)
            sum += (double)planes[i];
        assert_true(sum == 6);
        for (int row = 0; row < ROWS; ++row)
            for (int column = 0; column < COLUMNS; ++column) {
                int at = row * COLUMNS + column;
                assert_true(planes[9 * CELLS + at] == (row < 2 && column < 4 ? 1.0f : 0.0f));
                for (int p = 0; p < 3; ++p)
                    assert_true(planes[(13 + p) * CELLS + at] ==
                                (p == (4 - viewer) % 3 ? 1.0f : 0.0f));
                assert_true(fabs((double)planes[16 * CELLS + at] - 2 / 3.0) < 1e-6);
            }
    }
    free(b.state);
}

/* What was harvested decides the game when two passes have ended it, and not before. */
static void passes_end_it(void **unused)
{
    (void)unused;
    struct board b = board_of("mushroom", NULL);
    static banyan_action legal[LEGAL];
    banyan_action joint[2];
    struct banyan_rng rng;
    struct banyan_dice dice;
    float lo, hi, points[2], returns[2];
    banyan_rng_seed(&rng, 1);
    banyan_dice_drawn(&dice, &rng);
    assert_int_equal(b.game->init(b.game, b.state, NULL, &rng, NULL), BANYAN_OK);
    int count = b.game->legal(b.game, b.state, 0, legal);
    joint[0] = joint[1] = legal[0];
    b.game->apply(b.game, b.state, joint, &dice);
    for (int pass = 0; pass <= 2; ++pass) {
        int over = pass == 2;
        b.game->points(b.game, b.state, points);
        double value = (double)((points[0] - points[1]) / (points[0] + points[1] + 1));
        assert_true(points[0] >= 2.0f && points[1] == 0.0f);
        assert_true(fabs((double)b.game->heuristic(b.game, b.state, 0) - value) < 1e-6);
        assert_true(fabs((double)b.game->heuristic(b.game, b.state, 1) + value) < 1e-6);
        assert_int_equal(b.game->movers(b.game, b.state) == 0, over);
        for (int player = 0; player < 2; ++player) {
            b.game->bounds(b.game, b.state, player, &lo, &hi);
            float sure = player ? -1.0f : 1.0f;
            assert_true(over ? lo == sure && hi == sure : lo == -1.0f && hi == 1.0f);
        }
        if (over)
            break;
        int mover = b.game->movers(b.game, b.state) & 1 ? 0 : 1;
        count = b.game->legal(b.game, b.state, mover, legal);
        joint[0] = joint[1] = legal[count - 1];
        b.game->apply(b.game, b.state, joint, &dice);
    }
    b.game->returns(b.game, b.state, returns);
    assert_true(returns[0] == 1.0f && returns[1] == -1.0f);
    free(b.state);
}

/* A picture has the 10 x 17 cells of the board, each once, side by side, and nothing outside of its frame. */
static void cells_of_a_picture(void **unused)
{
    enum { HIGH = 10, WIDE = 17, SIDE = 32 };
    struct board b = board_of("mushroom", "seed=1");
    static char text[1 << 16];
    int seen[HIGH][WIDE] = {{0}}, x, y, width, height;
    (void)unused;
    int length = b.game->svg(b.game, b.state, -1, text, sizeof text);
    assert_true(length < (int)sizeof text);
    assert_int_equal(length, strlen(text));
    assert_int_equal(sscanf(strstr(text, "viewBox="), "viewBox='0 0 %d %d'", &width, &height), 2);
    assert_int_equal(width, WIDE * SIDE + 2);
    for (const char *at = text; (at = strstr(at, "<rect ")); ++at) {
        assert_int_equal(sscanf(at, "<rect x='%d' y='%d' width='32' height='32'", &x, &y), 2);
        int column = (x - 1) / SIDE, row = (y - 1) / SIDE;
        assert_true(column >= 0 && column < WIDE && row >= 0 && row < HIGH);
        assert_true(x == SIDE * column + 1 && y == SIDE * row + 1);
        ++seen[row][column];
    }
    for (int i = 0; i < HIGH * WIDE; ++i)
        assert_int_equal(seen[i / WIDE][i % WIDE], 1);
    free(b.state);
}

/* Boards of other sizes: each cell has its number, its owner, or is a hole. */
static void cells_of_a_board(void **unused)
{
    struct board b = board_of("mushroom-n3", "12A/B.C/9C3");
    struct banyan_board board;
    (void)unused;
    b.game->board(b.game, b.state, -1, &board);
    for (int i = 0; i < 9; ++i) {
        char c = "12AB.C9C3"[i];
        bool owned = c >= 'A' && c <= 'C', number = c >= '1' && c <= '9';
        assert_int_equal(board.cells[i].owner, owned ? c - 'A' : -1);
        assert_int_equal(board.cells[i].mark[0], number ? c : 0);
        assert_int_equal(board.cells[i].looks == BANYAN_CELL_DARK, c == '.');
    }
    free(b.state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_by_hand),  cmocka_unit_test(priors_by_hand),
        cmocka_unit_test(planes_by_hand),     cmocka_unit_test(passes_end_it),
        cmocka_unit_test(cells_of_a_picture), cmocka_unit_test(cells_of_a_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
