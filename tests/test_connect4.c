/* Connect Four against computed node counts and a second, naive implementation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "small_position.h"

#include <banyan/game.h>

#include <stdlib.h>
#include <string.h>

static float result_of(const struct position *position)
{
    float values[2];
    game->returns(game, position, values);
    assert_true(values[0] == -values[1]);
    return values[0];
}

static uint64_t perft(const struct position *position, int depth)
{
    unsigned movers = game->movers(game, position);
    if (!movers)
        return 0;
    banyan_action actions[7];
    int count = game->legal(game, position, (int)movers >> 1, actions);
    uint64_t sum = 0;
    if (depth == 1)
        return (uint64_t)count;
    for (int i = 0; i < count; ++i) {
        struct position next = after(*position, actions[i]);
        sum += perft(&next, depth - 1);
    }
    return sum;
}

static void test_perft(void **unused)
{
    (void)unused;
    static const uint64_t counts[] = {7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572};
    struct position start = setup(NULL);
    for (int depth = 1; depth <= 9; ++depth)
        assert_int_equal(perft(&start, depth), counts[depth - 1]);
}

/* The rules once more, square by square, on the text of a position. */
static bool naive_four(const char *board, int row, int column, int down, int right)
{
    char disc = board[8 * row + column];
    for (int i = 1; i < 4; ++i) {
        int r = row + i * down, c = column + i * right;
        if (r < 0 || r > 5 || c < 0 || c > 6 || board[8 * r + c] != disc)
            return false;
    }
    return disc != '.';
}

static bool naive_wins(const char *board, char disc)
{
    for (int row = 0; row < 6; ++row)
        for (int column = 0; column < 7; ++column)
            if (board[8 * row + column] == disc &&
                (naive_four(board, row, column, 0, 1) || naive_four(board, row, column, 1, 0) ||
                 naive_four(board, row, column, 1, 1) || naive_four(board, row, column, 1, -1)))
                return true;
    return false;
}

static void check_against_naive(const struct position *position)
{
    char board[64];
    assert_int_equal(game->format(game, position, board, sizeof board), 49);
    bool x_won = naive_wins(board, 'x'), o_won = naive_wins(board, 'o');
    banyan_action actions[7], expected[7];
    int count = 0;
    for (int column = 0; column < 7; ++column)
        if (board[column] == '.')
            expected[count++] = (banyan_action)column;
    bool over = x_won || o_won || count == 0;
    assert_int_equal(over, game->movers(game, position) == 0);
    if (over) {
        assert_true(result_of(position) == (float)x_won - (float)o_won);
        return;
    }
    int player = board[48] == 'o';
    assert_int_equal(game->movers(game, position), 1u << player);
    assert_int_equal(game->legal(game, position, player, actions), count);
    assert_memory_equal(actions, expected, (size_t)count * sizeof *actions);
}

static void test_random_games_follow_the_rules(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    int drawn = 0;
    for (int n = 0; n < 5000; ++n) {
        struct position position = setup(NULL);
        int plies = 0;
        for (; game->movers(game, &position); ++plies) {
            char text[64];
            game->format(game, &position, text, sizeof text);
            struct position back = setup(text);
            assert_memory_equal(&back, &position, sizeof back);
            check_against_naive(&position);
            game->rollout(game, &position, 0, 1, &rng);
        }
        check_against_naive(&position);
        drawn += plies == 42 && result_of(&position) == 0;
    }
    assert_true(drawn > 0);
}

/* Exact mean of random play. */
static double expectation(const struct position *position)
{
    unsigned movers = game->movers(game, position);
    if (!movers)
        return (double)result_of(position);
    banyan_action actions[7];
    int count = game->legal(game, position, (int)movers >> 1, actions);
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        struct position next = after(*position, actions[i]);
        sum += expectation(&next);
    }
    return sum / count;
}

static void test_rollouts_have_the_exact_mean(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 2);
    for (int found = 0; found < 4;) {
        enum { GAMES = 400000 };
        struct position start = setup(NULL);
        banyan_action actions[7];
        game->rollout(game, &start, 0, 29, &rng);
        if (!game->movers(game, &start) || game->legal(game, &start, 1, actions) == 7)
            continue; /* the random game is over or has a full column: try another one */
        ++found;
        double mean = expectation(&start), sum = 0;
        for (int n = 0; n < GAMES; ++n) {
            struct position position = start;
            game->rollout(game, &position, 0, 100, &rng);
            assert_int_equal(game->movers(game, &position), 0);
            sum += (double)result_of(&position);
        }
        double error = sum / GAMES - mean;
        assert_true(error * error < 9.0 / GAMES); /* one result has a standard deviation below 1 */
    }
}

/* Searches to this depth: 1: the mover wins, -1: the mover loses, 0: neither within depth. */
static int solve(const struct position *position, int depth)
{
    unsigned movers = game->movers(game, position);
    int player = movers >> 1 & 1;
    if (!movers) {
        char text[64];
        game->format(game, position, text, sizeof text);
        float value = result_of(position);
        return (int)(text[48] == 'o' ? -value : value);
    }
    if (depth == 0)
        return 0;
    banyan_action actions[7];
    int best = -1, count = game->legal(game, position, player, actions);
    for (int i = 0; i < count && best < 1; ++i) {
        struct position next = after(*position, actions[i]);
        int value = -solve(&next, depth - 1);
        best = value > best ? value : best;
    }
    return best;
}

/* An estimate of 1 or -1 must come true within the next plies. */
static void test_decided_estimates(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 3);
    int decided = 0;
    for (int n = 0; n < 20000; ++n) {
        struct position position = setup(NULL);
        game->rollout(game, &position, 0, (int)banyan_rng_below(&rng, 30), &rng);
        unsigned movers = game->movers(game, &position);
        if (!movers)
            continue;
        float value = game->heuristic(game, &position, (int)movers >> 1);
        assert_true(value >= -1 && value <= 1);
        assert_true(value == -game->heuristic(game, &position, 1 - ((int)movers >> 1)));
        if (value == 1 || value == -1) {
            assert_int_equal(solve(&position, 2), (int)value);
            ++decided;
        } else {
            assert_int_not_equal(solve(&position, 1), 1);
        }
    }
    assert_true(decided > 1000);
}

static banyan_action greedy(const struct position *position, int player)
{
    banyan_action actions[7], best = 0;
    float most = -2;
    int count = game->legal(game, position, player, actions);
    for (int i = 0; i < count; ++i) {
        struct position next = after(*position, actions[i]);
        float value = game->heuristic(game, &next, player);
        if (value > most) {
            most = value;
            best = actions[i];
        }
    }
    return best;
}

static void test_heuristic_beats_random_play(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 4);
    float sum = 0;
    for (int n = 0; n < 1000; ++n) {
        struct position position = setup(NULL);
        for (unsigned movers; (movers = game->movers(game, &position)) != 0;) {
            if ((int)movers >> 1 == n % 2)
                position = after(position, greedy(&position, n % 2));
            else
                game->rollout(game, &position, 0, 1, &rng);
        }
        sum += n % 2 ? -result_of(&position) : result_of(&position);
    }
    assert_true(sum > 950);
}

static void test_bounds_hold(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 5);
    int narrowed = 0;
    for (int n = 0; n < 20000; ++n) {
        struct position position = setup(NULL);
        float lo = -1, hi = 1, next_lo, next_hi, other_lo, other_hi;
        for (;;) {
            game->bounds(game, &position, 0, &next_lo, &next_hi);
            game->bounds(game, &position, 1, &other_lo, &other_hi);
            assert_true(next_lo == -other_hi && next_hi == -other_lo);
            assert_true(lo <= next_lo && next_lo <= next_hi && next_hi <= hi);
            if (!game->movers(game, &position))
                break;
            lo = next_lo;
            hi = next_hi;
            game->rollout(game, &position, 0, 1, &rng);
        }
        assert_true(next_lo == result_of(&position) && next_hi == next_lo);
        narrowed += lo > -1 || hi < 1;
    }
    assert_true(narrowed > 20);
}

static void test_symmetries(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 6);
    for (int n = 0; n < 2000; ++n) {
        struct position position = setup(NULL), image, next_image, mirrored;
        game->rollout(game, &position, 0, (int)banyan_rng_below(&rng, 30), &rng);
        unsigned movers = game->movers(game, &position);
        if (!movers)
            continue;
        banyan_action actions[7];
        int player = (int)movers >> 1, count = game->legal(game, &position, player, actions);
        banyan_action action = actions[banyan_rng_below(&rng, (uint32_t)count)];
        game->symmetry(game, &position, 1, &image);
        struct position next = after(position, action);
        struct position moved = after(image, game->symmetry_action(game, &position, 1, action));
        game->symmetry(game, &next, 1, &next_image);
        assert_memory_equal(&moved, &next_image, sizeof moved);
        assert_true(game->heuristic(game, &image, player) ==
                    game->heuristic(game, &position, player));
        game->mirror(game, &position, &mirrored);
        assert_int_equal(game->movers(game, &mirrored), 2u >> player);
        assert_true(game->heuristic(game, &mirrored, 1 - player) ==
                    game->heuristic(game, &position, player));
        assert_int_not_equal(game->key(game, &mirrored, 0), game->key(game, &position, 0));
    }
}

static void test_planes(void **unused)
{
    (void)unused;
    struct position position = setup("112");
    float planes[3][6][7];
    game->encode(game, &position, 1, &planes[0][0][0]);
    assert_true(planes[0][4][0] == 1 && planes[1][5][0] == 1 && planes[1][5][1] == 1);
    assert_true(planes[0][5][0] == 0 && planes[2][0][0] == 1);
    game->encode(game, &position, 0, &planes[0][0][0]);
    assert_true(planes[1][4][0] == 1 && planes[0][5][0] == 1 && planes[2][0][0] == 0);
}

static void test_bad_setups_say_why(void **unused)
{
    (void)unused;
    static const char *const bad[][2] = {
        {"448", "'8' is not a column"},
        {"4444444", "column 4 is full"},
        {"12121213", "over before"},
        {"moves:4x", "'x' is not a column"},
        {"......./......./......./......./......./...x... x", "O is to move"},
        {"......./......./......./......./......./...o... x", "0 X and 1 O"},
        {"......./......./......./......./...x.../....... o", "column 4 a disc lies on an empty"},
        {"......./......./......./......./ooo..../xxxxo.. x", "has four in a row, but"},
        {"......./......./......./......./oooo.../xxxx...", "both X and O"},
        {"......./......./......./......./......../....... x", "6 rows of 7"},
        {"......./......./......./.......", "42 squares"},
        {"......./......./......./......./......./...z... x", "'z'"},
        {"......./......./......./......./......./....... y", "'y' is not a side"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct position position;
        struct banyan_error err = {.message = ""};
        assert_int_not_equal(game->init(game, &position, bad[i][0], NULL, &err), BANYAN_OK);
        if (!strstr(err.message, bad[i][1]))
            fail_msg("\"%s\" was refused with: %s", bad[i][0], err.message);
    }
}

static void test_texts_and_pictures(void **unused)
{
    (void)unused;
    struct position position = setup("4453");
    char text[BANYAN_TEXT_MAX];
    game->format(game, &position, text, sizeof text);
    assert_string_equal(text, "......./......./......./......./...o.../..oxx.. x");
    game->draw(game, &position, -1, text, sizeof text);
    assert_string_equal(text, "| . . . . . . . |\n"
                              "| . . . . . . . |\n"
                              "| . . . . . . . |\n"
                              "| . . . . . . . |\n"
                              "| . . . O . . . |\n"
                              "| . . O X X . . |\n"
                              "+---------------+\n"
                              "  1 2 3 4 5 6 7\n"
                              "X to move\n");
    assert_true(game->svg(game, &position, -1, text, sizeof text) < BANYAN_TEXT_MAX);
    assert_non_null(strstr(text, "</svg>"));
    position = setup("444444");
    banyan_action action;
    assert_int_equal(game->action_parse(game, &position, 0, "7", &action, NULL), BANYAN_OK);
    assert_int_equal(action, 6);
    assert_int_equal(game->action_parse(game, &position, 0, "4", &action, NULL), BANYAN_ILLEGAL);
    assert_int_equal(game->action_parse(game, &position, 0, "0", &action, NULL), BANYAN_INVALID);
    assert_int_equal(game->action_parse(game, &position, 0, "11", &action, NULL), BANYAN_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_random_games_follow_the_rules),
        cmocka_unit_test(test_rollouts_have_the_exact_mean),
        cmocka_unit_test(test_decided_estimates),
        cmocka_unit_test(test_heuristic_beats_random_play),
        cmocka_unit_test(test_bounds_hold),
        cmocka_unit_test(test_symmetries),
        cmocka_unit_test(test_planes),
        cmocka_unit_test(test_bad_setups_say_why),
        cmocka_unit_test(test_texts_and_pictures),
    };
    if (banyan_game_find("connect4", &game, NULL) != BANYAN_OK)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
