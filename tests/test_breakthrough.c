/* Breakthrough against a second, naive implementation on the text of a position. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "small_position.h"

#include <banyan/game.h>
#include <banyan/rng.h>

#include <stdlib.h>
#include <string.h>

enum { ACTIONS_MAX = 48 };

static int mover_of(const struct position *position)
{
    return game->movers(game, position) == 2;
}

/* --- the rules once more, on the text: 8 rows of 9 characters, row 8 first --- */

struct naive {
    char squares[80];
    bool white;
};

static struct naive naive_of(const struct position *position)
{
    struct naive naive;
    assert_int_equal(game->format(game, position, naive.squares, sizeof naive.squares), 73);
    naive.white = naive.squares[72] == 'w';
    return naive;
}

static bool naive_may(const struct naive *naive, int row, int column, int right)
{
    char own = naive->white ? 'w' : 'b', other = naive->white ? 'b' : 'w';
    int ahead = row + (naive->white ? -1 : 1), beside = column + right;
    if (naive->squares[9 * row + column] != own || ahead < 0 || ahead > 7 || beside < 0 ||
        beside > 7)
        return false;
    char target = naive->squares[9 * ahead + beside];
    return target == '.' || (target == other && right != 0);
}

/* Who has won: 'b', 'w' or '.'. */
static char naive_winner(const struct naive *naive)
{
    bool black = strchr(naive->squares, 'b') != NULL, white = false;
    for (int i = 0; i < 71; ++i)
        white = white || naive->squares[i] == 'w';
    black = black && strchr(naive->squares, 'b') < naive->squares + 71;
    if (memchr(naive->squares, 'w', 8) || !black)
        return 'w';
    return memchr(naive->squares + 63, 'b', 8) || !white ? 'b' : '.';
}

static void check_against_naive(const struct position *position)
{
    struct naive naive = naive_of(position);
    char winner = naive_winner(&naive);
    banyan_action actions[ACTIONS_MAX];
    float values[2];
    assert_int_equal(game->movers(game, position), winner != '.' ? 0 : naive.white ? 2 : 1);
    if (winner != '.') {
        game->returns(game, position, values);
        assert_true(values[0] == (winner == 'b' ? 1 : -1) && values[1] == -values[0]);
        return;
    }
    int count = game->legal(game, position, naive.white, actions), expected = 0;
    for (int row = 7; row >= 0; --row) /* from a1 on */
        for (int column = 0; column < 8; ++column)
            for (int right = -1; right <= 1; ++right)
                if (naive_may(&naive, row, column, right)) {
                    assert_true(expected < count);
                    assert_int_equal(actions[expected++], 3 * (8 * (7 - row) + column) + right + 1);
                }
    assert_int_equal(count, expected);
}

static void test_random_games_follow_the_rules(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    for (int n = 0; n < 500; ++n) {
        struct position position = setup(NULL);
        int plies = 0;
        for (; game->movers(game, &position); ++plies) {
            struct naive naive = naive_of(&position);
            struct position back = setup(naive.squares);
            assert_memory_equal(&back, &position, sizeof back);
            check_against_naive(&position);
            game->rollout(game, &position, 0, 1, &rng);
        }
        check_against_naive(&position);
        assert_true(plies <= game->max_plies);
    }
}

static uint64_t perft(const struct position *position, int depth)
{
    banyan_action actions[ACTIONS_MAX];
    if (!game->movers(game, position))
        return 0;
    int count = game->legal(game, position, mover_of(position), actions);
    uint64_t sum = 0;
    for (int i = 0; i < count && depth > 1; ++i) {
        struct position next = after(*position, actions[i]);
        sum += perft(&next, depth - 1);
    }
    return depth == 1 ? (uint64_t)count : sum;
}

/* The first four counts were computed with OpenSpiel, too. */
static void test_perft(void **unused)
{
    (void)unused;
    static const uint64_t counts[] = {22, 484, 11132, 256036, 6182818};
    struct position start = setup(NULL);
    for (int depth = 1; depth <= (int)(sizeof counts / sizeof *counts); ++depth)
        assert_int_equal(perft(&start, depth), counts[depth - 1]);
}

static void test_last_piece_and_far_row(void **unused)
{
    (void)unused;
    struct position position =
        setup("......../......../......../...b..../....w.../......../......../........ b");
    banyan_action action;
    char text[16];
    assert_int_equal(game->action_parse(game, &position, 0, "d5e4", &action, NULL), BANYAN_OK);
    game->action_format(game, &position, 0, action, text, sizeof text);
    assert_string_equal(text, "d5xe4");
    position = after(position, action);
    check_against_naive(&position);
    assert_int_equal(game->movers(game, &position), 0);
    position = setup("b......./......../......../......../......../......../.b....../.......w b");
    assert_int_equal(game->action_parse(game, &position, 0, "b2c1", &action, NULL), BANYAN_OK);
    position = after(position, action);
    check_against_naive(&position);
    assert_int_equal(game->movers(game, &position), 0);
}

/* Hand-made positions: the value for the side to move, and which moves are decisive. */
static void test_decided_positions(void **unused)
{
    (void)unused;
    static const struct {
        const char *setup, *moves;
        float value; /* 0: not decided */
    } cases[] = {
        {"bb....../......../......../......../......../......../.b....../......ww b", "b2a1", 1},
        {"b......b/......../......../......../......../......../.b....../w.w....w w", "a1xb2 c1xb2",
         0},
        {"b......b/......../......../......../......../......../.b.b..../w......w w", "a1a2", -1},
        {"b......b/......../......../......../......../......../...b..../w......w w", "a1a2", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct position position = setup(cases[i].setup);
        banyan_action actions[ACTIONS_MAX];
        char moves[64] = "";
        int player = mover_of(&position);
        int count = game->decisive(game, &position, player, actions);
        for (int k = 0; k < count; ++k) {
            char text[16];
            game->action_format(game, &position, player, actions[k], text, sizeof text);
            strcat(strcat(moves, k ? " " : ""), text);
        }
        assert_string_equal(moves, cases[i].moves);
        float value = game->heuristic(game, &position, player);
        assert_true(cases[i].value != 0 ? value == cases[i].value : value > -1 && value < 1);
        assert_true(game->heuristic(game, &position, 1 - player) == -value);
    }
    struct position start = setup(NULL);
    banyan_action actions[ACTIONS_MAX];
    assert_int_equal(game->decisive(game, &start, 0, actions), 0);
}

/* The side with more, or with the farther piece, is thought to be better. */
static void test_heuristic_orders_positions(void **unused)
{
    (void)unused;
    struct position more =
        setup("bb....../......../......../......../......../......../......../w....... w");
    struct position far =
        setup("......../......../b......./......../......../......../w......./........ w");
    assert_true(game->heuristic(game, &more, 0) > 0.1f);
    assert_true(game->heuristic(game, &far, 0) < game->heuristic(game, &more, 0));
    struct position step =
        setup("......../......../......../b......./......../......../w......./........ w");
    assert_true(game->heuristic(game, &step, 0) > game->heuristic(game, &far, 0));
}

/* One side chooses the move whose position has the best estimate, the other plays at random. */
static int play_by_estimate(int by_estimate, struct banyan_rng *rng)
{
    struct position position = setup(NULL);
    float values[2];
    while (game->movers(game, &position)) {
        banyan_action actions[ACTIONS_MAX];
        int mover = mover_of(&position), count = game->legal(game, &position, mover, actions);
        int best = (int)banyan_rng_below(rng, (uint32_t)count);
        for (int i = 0; i < count && mover == by_estimate; ++i) {
            struct position next = after(position, actions[i]),
                            so_far = after(position, actions[best]);
            if (game->heuristic(game, &next, mover) > game->heuristic(game, &so_far, mover))
                best = i;
        }
        position = after(position, actions[best]);
    }
    game->returns(game, &position, values);
    return values[by_estimate] > 0;
}

static void test_heuristic_beats_random_play(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    int won = 0;
    banyan_rng_seed(&rng, 5);
    for (int n = 0; n < 100; ++n)
        won += play_by_estimate(n % 2, &rng);
    assert_true(won >= 95);
}

static void test_planes(void **unused)
{
    (void)unused;
    struct position position = setup("a7b6");
    float planes[3][8][8];
    game->encode(game, &position, 0, &planes[0][0][0]);
    assert_true(planes[0][5][1] == 1 && planes[0][6][0] == 0 && planes[1][0][0] == 1);
    assert_true(planes[2][0][0] == 0);
    game->encode(game, &position, 1, &planes[0][0][0]);
    assert_true(planes[1][2][1] == 1 && planes[1][1][0] == 0 && planes[0][7][0] == 1);
    assert_true(planes[2][7][7] == 1);
    assert_int_equal(game->policy_index(game, &position, 0, 3 * 48 + 1), 145);
    assert_int_equal(game->policy_index(game, &position, 1, 3 * 8 + 1), 145);
}

static void test_bad_setups_say_why(void **unused)
{
    (void)unused;
    static const char *const bad[][2] = {
        {"a7a5", "one row down"},
        {"a2a3", "black has no piece on a2"},
        {"a7c6", "one row down"},
        {"a7", "'a7' is not a move"},
        {"a8a7", "a7 is occupied; pieces capture diagonally"},
        {"a8b7", "b7 is occupied by an own piece"},
        {"moves:x1x2", "'x1x2' is not a move"},
        {"a7a6 b2c3 a6a5 c3c4 a5a4 a2a3 a4b3 b1b2 b3c2 h2h3 c2b1 h3h4", "the game is over"},
        {"bbbbbbbb", "64 squares, the text has 8"},
        {"b.../", "'/'"},
        {"b......./......../......../......../......../......../......../w....... x", "expected"},
        {"b......./......../......../......../......../......../......../b....... b", "far row"},
        {"b......./......../......../......../......../......../......../........ b", "no piece"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct position position;
        struct banyan_error err = {.message = ""};
        assert_int_not_equal(game->init(game, &position, bad[i][0], NULL, &err), BANYAN_OK);
        if (!strstr(err.message, bad[i][1]))
            fail_msg("\"%s\" was refused with: %s", bad[i][0], err.message);
    }
}

static void test_pictures(void **unused)
{
    (void)unused;
    struct position position = setup("a7b6");
    char text[20000];
    game->draw(game, &position, -1, text, sizeof text);
    assert_string_equal(text, "8 B B B B B B B B\n"
                              "7 . B B B B B B B\n"
                              "6 . B . . . . . .\n"
                              "5 . . . . . . . .\n"
                              "4 . . . . . . . .\n"
                              "3 . . . . . . . .\n"
                              "2 W W W W W W W W\n"
                              "1 W W W W W W W W\n"
                              "  a b c d e f g h\n"
                              "white to move, up\n");
    assert_true(game->svg(game, &position, -1, text, sizeof text) < (int)sizeof text);
    assert_non_null(strstr(text, "</svg>"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_games_follow_the_rules),
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_last_piece_and_far_row),
        cmocka_unit_test(test_decided_positions),
        cmocka_unit_test(test_heuristic_orders_positions),
        cmocka_unit_test(test_heuristic_beats_random_play),
        cmocka_unit_test(test_planes),
        cmocka_unit_test(test_bad_setups_say_why),
        cmocka_unit_test(test_pictures),
    };
    if (banyan_game_find("breakthrough", &game, NULL) != BANYAN_OK)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
