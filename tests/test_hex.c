/* Hex against a second, naive implementation on the text of a position, and the swap rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "games/hex/hex.h"

#include <banyan/game.h>
#include <banyan/rng.h>

#include <stdlib.h>
#include <string.h>

static const struct banyan_game *game; /* the 5x5 board unless a test takes another one */

static const struct banyan_game *find(const char *name)
{
    const struct banyan_game *found = NULL;
    assert_int_equal(banyan_game_find(name, &found, NULL), BANYAN_OK);
    return found;
}

static struct hex_state setup(const char *text)
{
    struct hex_state state;
    struct banyan_error err = {.message = ""};
    memset(&state, 0, sizeof state);
    if (game->init(game, &state, text, NULL, &err) != BANYAN_OK)
        fail_msg("%s: %s", text, err.message);
    return state;
}

static struct hex_state after(struct hex_state state, banyan_action action)
{
    game->apply(game, &state, (banyan_action[2]){action, action}, NULL);
    return state;
}

static const char *text_of(const struct hex_state *state)
{
    static char text[BANYAN_TEXT_MAX];
    game->format(game, state, text, sizeof text);
    return text;
}

/* --- the rules once more, cell by cell --- */

static char naive_cell(const char *board, int size, int row, int column)
{
    bool inside = row >= 0 && row < size && column >= 0 && column < size;
    return inside ? board[(size + 1) * row + column] : ' ';
}

/* Marks the chain of `stone` from this cell on by '#'; true: it comes to the far edge. */
static bool naive_chain(char *board, int size, char stone, int row, int column)
{
    if (naive_cell(board, size, row, column) != stone)
        return false;
    board[(size + 1) * row + column] = '#';
    bool there = (stone == 'x' ? row : column) == size - 1;
    for (int down = -1; down <= 1; ++down)
        for (int right = -1; right <= 1; ++right)
            if (down != right) /* (1, 1) and (-1, -1) are no neighbours */
                there = naive_chain(board, size, stone, row + down, column + right) || there;
    return there;
}

static bool naive_wins(const char *text, int size, char stone)
{
    char board[BANYAN_TEXT_MAX];
    bool won = false;
    strcpy(board, text);
    for (int i = 0; i < size; ++i)
        won = naive_chain(board, size, stone, stone == 'x' ? 0 : i, stone == 'x' ? i : 0) || won;
    return won;
}

static void check_against_naive(const struct hex_state *state)
{
    const char *text = text_of(state);
    bool black = naive_wins(text, state->size, 'x'), white = naive_wins(text, state->size, 'o');
    float values[2];
    assert_false(black && white);
    assert_int_equal(game->movers(game, state) == 0, black || white);
    if (black || white) {
        game->returns(game, state, values);
        assert_true(values[0] == (black ? 1 : -1) && values[1] == -values[0]);
    }
}

static void check_legal(const struct hex_state *state)
{
    banyan_action actions[HEX_CELLS_MAX];
    const char *text = text_of(state);
    int empty = 0, count = game->legal(game, state, state->mover, actions);
    for (const char *at = text; *at != ' '; ++at)
        empty += *at == '.';
    assert_int_equal(count, empty);
    for (int i = 0; i < count; ++i) {
        int cell = (int)actions[i];
        assert_int_equal(naive_cell(text, state->size, cell / state->size, cell % state->size),
                         '.');
        assert_true(i == 0 || actions[i - 1] < actions[i]);
    }
}

static void play_random_game(struct banyan_rng *rng)
{
    struct hex_state state = setup(NULL);
    while (game->movers(game, &state)) {
        struct hex_state back = setup(text_of(&state));
        assert_memory_equal(&back, &state, game->state_size);
        check_legal(&state);
        game->rollout(game, &state, 0, 1, rng);
        check_against_naive(&state);
    }
}

static void test_random_games_follow_the_rules(void **unused)
{
    (void)unused;
    static const char *const names[] = {"hex-5x5", "hex-8x8", "hex", "hex-16x16", "hex-19x19"};
    static const int games[] = {300, 60, 20, 5, 4};
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        game = find(names[i]);
        for (int n = 0; n < games[i]; ++n)
            play_random_game(&rng);
    }
    game = find("hex-5x5");
}

/* A board that is filled at random has one winner, who is found by following the border between
 * the colours. */
static void test_full_boards_have_one_winner(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 2);
    int black = 0;
    for (int n = 0; n < 2000; ++n) {
        game = find(n % 2 ? "hex-6x6" : "hex-13x13");
        struct hex_state state = setup(NULL);
        game->rollout(game, &state, 0, game->max_plies, &rng);
        const char *text = text_of(&state);
        assert_null(strchr(text, '.'));
        check_against_naive(&state);
        assert_int_equal(hex_full_result(&state), state.result);
        black += state.result == HEX_BLACK_WON;
    }
    assert_true(black > 900 && black < 1200);
    game = find("hex-5x5");
}

/* Every way to go on from a position with few empty cells. */
static void count_ways(const struct hex_state *state, int ways[2], double weight, double *mean)
{
    banyan_action actions[25];
    if (!game->movers(game, state)) {
        ++ways[state->result == HEX_WHITE_WON];
        *mean += state->result == HEX_BLACK_WON ? weight : -weight;
        return;
    }
    int count = game->legal(game, state, state->mover, actions);
    for (int i = 0; i < count; ++i) {
        struct hex_state next = after(*state, actions[i]);
        count_ways(&next, ways, weight / count, mean);
    }
}

/* Filling the board is the same as playing at random until somebody has won. */
static void test_rollouts_have_the_exact_mean(void **unused)
{
    (void)unused;
    struct hex_state start = setup("xoo.x/.x.o./o.x.o/xxo.x/o.xoo x");
    int ways[2] = {0, 0};
    double mean = 0, sum = 0;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 3);
    count_ways(&start, ways, 1, &mean);
    assert_true(ways[0] > 100 && ways[1] > 100);
    for (int n = 0; n < 100000; ++n) {
        struct hex_state state = start;
        game->rollout(game, &state, 0, game->max_plies, &rng);
        sum += state.result == HEX_BLACK_WON ? 1 : -1;
    }
    assert_true(sum / 1e5 - mean < 0.015 && mean - sum / 1e5 < 0.015); /* 4.5 standard errors */
}

static uint64_t perft(const struct hex_state *state, int depth)
{
    banyan_action actions[HEX_CELLS_MAX];
    if (!game->movers(game, state))
        return 0;
    int count = game->legal(game, state, state->mover, actions);
    uint64_t sum = 0;
    for (int i = 0; i < count && depth > 1; ++i) {
        struct hex_state next = after(*state, actions[i]);
        sum += perft(&next, depth - 1);
    }
    return depth == 1 ? (uint64_t)count : sum;
}

/* Nobody can have won before ply 9.  With the swap rule there is one answer more to each first
 * move, after which 24 cells are empty and one stone stands, as before the answer. */
static void test_perft(void **unused)
{
    (void)unused;
    struct hex_state plain = setup(NULL), swap = setup("swap");
    assert_int_equal(perft(&plain, 4), 25 * 24 * 23 * 22);
    assert_int_equal(perft(&swap, 2), 25 * 25);
    assert_int_equal(perft(&swap, 4), 25 * (24 * 23 * 22 + 24 * 23));
    game = find("hex");
    plain = setup(NULL);
    assert_int_equal(perft(&plain, 3), 121 * 120 * 119);
    game = find("hex-5x5");
}

static void test_swap(void **unused)
{
    (void)unused;
    struct hex_state state = setup("swap b1");
    banyan_action actions[25], swap;
    assert_int_equal(game->legal(game, &state, 1, actions), 25);
    assert_int_equal(game->action_parse(game, &state, 1, "swap", &swap, NULL), BANYAN_OK);
    assert_int_equal(swap, 25);
    struct hex_state swapped = after(state, swap);
    assert_string_equal(text_of(&swapped), "...../o..../...../...../..... x");
    assert_int_equal(game->action_parse(game, &swapped, 0, "swap", &swap, NULL), BANYAN_ILLEGAL);
    assert_int_equal(game->legal(game, &swapped, 0, actions), 24);
    struct hex_state refused = setup("swap b1 c3");
    assert_string_equal(text_of(&refused), ".x.../...../..o../...../..... x");
    struct hex_state same = setup("b1 c3");
    assert_memory_equal(&refused, &same, game->state_size);
    state = setup("swap moves:b1 swap a1");
    assert_string_equal(text_of(&state), "x..../o..../...../...../..... o");
    state = setup("b1");
    assert_int_equal(game->action_parse(game, &state, 1, "swap", &swap, NULL), BANYAN_ILLEGAL);
    struct hex_state start = setup("swap"), plain = setup(NULL);
    assert_int_not_equal(game->key(game, &start, 0), game->key(game, &plain, 0));
}

static void test_planes_show_both_players_the_same(void **unused)
{
    (void)unused;
    struct hex_state state = setup("b1 e3");
    float planes[4][5][5];
    game->encode(game, &state, 0, &planes[0][0][0]);
    assert_true(planes[0][0][1] == 1 && planes[1][2][4] == 1 && planes[2][4][4] == 1);
    game->encode(game, &state, 1, &planes[0][0][0]);
    assert_true(planes[0][4][2] == 1 && planes[1][1][0] == 1 && planes[2][4][4] == 0);
    assert_true(planes[3][0][0] == 0);
    assert_int_equal(game->policy_index(game, &state, 0, 14), 14);
    assert_int_equal(game->policy_index(game, &state, 1, 14), 22);
    state = setup("swap b1");
    game->encode(game, &state, 1, &planes[0][0][0]);
    assert_true(planes[3][0][0] == 1);
    assert_int_equal(game->policy_index(game, &state, 1, 25), 25);
}

static void test_texts_and_pictures(void **unused)
{
    (void)unused;
    static char text[100000];
    struct hex_state state = setup("b1 e3 a5");
    game->draw(game, &state, -1, text, sizeof text);
    assert_string_equal(text, "   a b c d e\n"
                              " 1 . X . . .\n"
                              "  2 . . . . .\n"
                              "   3 . . . . O\n"
                              "    4 . . . . .\n"
                              "     5 X . . . .\n"
                              "X links top and bottom, O left and right.\n"
                              "O to move\n");
    assert_true(game->svg(game, &state, -1, text, sizeof text) < (int)sizeof text);
    assert_non_null(strstr(text, ">white to move</text>\n</svg>"));
    game = find("hex-19x19");
    state = setup(NULL);
    assert_true(game->draw(game, &state, -1, text, sizeof text) < BANYAN_TEXT_MAX);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 80);
    state = setup("s19 a1");
    assert_true(hex_has(&state, HEX_STONES, 360) && hex_has(&state, HEX_STONES + 1, 0));
    game = find("hex-5x5");
}

static void test_bad_setups_say_why(void **unused)
{
    (void)unused;
    static const char *const bad[][2] = {
        {"b1 b1", "b1 is occupied"},
        {"b1 f1", "'f1' is not a move: write a1 to e5"},
        {"b6", "'b6' is not a move"},
        {"moves:b0", "'b0' is not a move"},
        {"b1 swap", "only the second move"},
        {"a1 b1 a2 b2 a3 b3 a4 b4 a5 b5", "the game is over"},
        {"...../...../...../...../....", "25 cells, the text has 24"},
        {"...../...../...../...../....z x", "'z'"},
        {".../..", "'/' stands between rows only"},
        {"...../...../...../...../..... y", "expected the side to move"},
        {"...../...../...../...../..... x swop", "expected the side to move"},
        {"...../...../...../...../..... ", "expected the side to move"},
        {"xx.../...../...../...../..... o", "2 stones of black and 0 of white"},
        {"xo.../...../...../...../..... x swap", "nobody can swap any more"},
        {"x..../...../...../...../..... x", "1 stones of black and 0 of white"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct hex_state state;
        struct banyan_error err = {.message = ""};
        assert_int_not_equal(game->init(game, &state, bad[i][0], NULL, &err), BANYAN_OK);
        if (!strstr(err.message, bad[i][1]))
            fail_msg("\"%s\" was refused with: %s", bad[i][0], err.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_games_follow_the_rules),
        cmocka_unit_test(test_full_boards_have_one_winner),
        cmocka_unit_test(test_rollouts_have_the_exact_mean),
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_planes_show_both_players_the_same),
        cmocka_unit_test(test_texts_and_pictures),
        cmocka_unit_test(test_bad_setups_say_why),
    };
    if (banyan_game_find("hex-5x5", &game, NULL) != BANYAN_OK)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
