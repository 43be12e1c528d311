/* Tic-tac-toe against exact figures: its game tree is small enough to walk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "games/tictactoe/tictactoe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_BYTES = 8, MAX_STATES = 8192 };

static const struct banyan_game *game;

struct census {
    long nodes[10];    /* nodes of the game tree, by ply */
    long ended[10];    /* games that end at this ply */
    long results[3];   /* games that X won, drawn games, games that O won */
    double chances[3]; /* probabilities of these results under random play */
    double length;     /* mean length under random play */
};

static void test_every_set_of_squares(void **unused)
{
    static const unsigned lines[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    (void)unused;
    for (unsigned marks = 0; marks <= TICTACTOE_FULL; ++marks) {
        bool wins = false;
        for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i)
            wins = wins || (marks & lines[i]) == lines[i];
        assert_int_equal(tictactoe_wins(marks), wins);
    }
}

static int result_of(const void *state)
{
    float values[2];
    game->returns(game, state, values);
    assert_true(values[0] == -values[1]);
    return values[0] > 0 ? 0 : values[0] < 0 ? 2 : 1;
}

static void walk(const void *state, int ply, double chance, struct census *census)
{
    unsigned movers = game->movers(game, state);
    ++census->nodes[ply];
    if (!movers) {
        int result = result_of(state);
        ++census->ended[ply];
        ++census->results[result];
        census->chances[result] += chance;
        census->length += chance * ply;
        return;
    }
    assert_int_equal(movers, 1u << (ply & 1));
    banyan_action actions[9];
    int count = game->legal(game, state, ply & 1, actions);
    assert_int_equal(count, 9 - ply);
    for (int i = 0; i < count; ++i) {
        unsigned char next[STATE_BYTES];
        memcpy(next, state, sizeof next);
        game->apply(game, next, (banyan_action[2]){actions[i], actions[i]}, NULL);
        walk(next, ply + 1, chance / count, census);
    }
}

static struct census census_after(const char *setup)
{
    unsigned char state[STATE_BYTES];
    struct census census = {0};
    assert_int_equal(game->init(game, state, setup, NULL, NULL), BANYAN_OK);
    walk(state, strlen(setup) ? 1 : 0, 1, &census);
    return census;
}

static void test_game_tree(void **unused)
{
    (void)unused;
    static const long nodes[10] = {1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872};
    static const long ended[10] = {0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872};
    struct census census = census_after("");
    for (int ply = 0; ply < 10; ++ply) {
        assert_int_equal(census.nodes[ply], nodes[ply]);
        assert_int_equal(census.ended[ply], ended[ply]);
    }
    assert_int_equal(census.results[0], 131184);
    assert_int_equal(census.results[1], 46080);
    assert_int_equal(census.results[2], 77904);
}

static void test_random_play_exactly(void **unused)
{
    (void)unused;
    struct census census = census_after("");
    assert_true(fabs(census.chances[0] - 0.584921) < 5e-7);
    assert_true(fabs(census.chances[1] - 0.126984) < 5e-7);
    assert_true(fabs(census.chances[2] - 0.288095) < 5e-7);
    assert_true(fabs(census.length - 7.626190) < 5e-7);
    static const struct {
        const char *setup;
        double mean;
    } first[] = {{"moves:b2", 0.5}, {"moves:c1", 0.342857}, {"moves:b3", 0.2}};
    for (int i = 0; i < 3; ++i) {
        struct census after = census_after(first[i].setup);
        assert_true(fabs(after.chances[0] - after.chances[2] - first[i].mean) < 5e-7);
    }
}

/* All distinct states, found breadth first; their keys must be distinct too. */
struct states {
    unsigned char bytes[MAX_STATES][STATE_BYTES];
    uint64_t keys[MAX_STATES];
    int count;
};

static void states_add(struct states *states, const void *state)
{
    uint64_t key = game->key(game, state, 0);
    for (int i = 0; i < states->count; ++i) {
        bool same = memcmp(states->bytes[i], state, STATE_BYTES) == 0;
        assert_int_equal(same, states->keys[i] == key);
        if (same)
            return;
    }
    assert_true(states->count < MAX_STATES);
    states->keys[states->count] = key;
    memcpy(states->bytes[states->count++], state, STATE_BYTES);
}

static struct states *states_all(void)
{
    struct states *states = calloc(1, sizeof *states);
    assert_non_null(states);
    assert_int_equal(game->init(game, states->bytes[0], NULL, NULL, NULL), BANYAN_OK);
    states->keys[0] = game->key(game, states->bytes[0], 0);
    states->count = 1;
    for (int i = 0; i < states->count; ++i) {
        banyan_action actions[9];
        unsigned movers = game->movers(game, states->bytes[i]);
        int count = movers ? game->legal(game, states->bytes[i], (int)movers >> 1, actions) : 0;
        for (int j = 0; j < count; ++j) {
            unsigned char next[STATE_BYTES];
            memcpy(next, states->bytes[i], sizeof next);
            game->apply(game, next, (banyan_action[2]){actions[j], actions[j]}, NULL);
            states_add(states, next);
        }
    }
    return states;
}

static void test_distinct_states(void **unused)
{
    (void)unused;
    struct states *states = states_all();
    int ended[3] = {0};
    assert_int_equal(states->count, 5478);
    for (int i = 0; i < states->count; ++i) {
        char text[64];
        unsigned char back[STATE_BYTES];
        memset(back, 0xee, sizeof back);
        assert_int_equal(game->format(game, states->bytes[i], text, sizeof text), 13);
        assert_int_equal(game->init(game, back, text, NULL, NULL), BANYAN_OK);
        assert_memory_equal(back, states->bytes[i], STATE_BYTES);
        if (!game->movers(game, back))
            ++ended[result_of(back)];
    }
    assert_int_equal(ended[0], 626);
    assert_int_equal(ended[1], 16);
    assert_int_equal(ended[2], 316);
    free(states);
}

static int minimax(const void *state)
{
    unsigned movers = game->movers(game, state);
    if (!movers)
        return 1 - result_of(state);
    banyan_action actions[9];
    int player = (int)movers >> 1, best = -2, count = game->legal(game, state, player, actions);
    for (int i = 0; i < count; ++i) {
        unsigned char next[STATE_BYTES];
        memcpy(next, state, sizeof next);
        game->apply(game, next, (banyan_action[2]){actions[i], actions[i]}, NULL);
        int value = player ? -minimax(next) : minimax(next);
        best = value > best ? value : best;
    }
    return player ? -best : best;
}

static void test_minimax_is_a_draw(void **unused)
{
    (void)unused;
    static const char *const setups[] = {"", "moves:b2", "moves:a1", "moves:b1"};
    for (int i = 0; i < 4; ++i) {
        unsigned char state[STATE_BYTES];
        assert_int_equal(game->init(game, state, setups[i], NULL, NULL), BANYAN_OK);
        assert_int_equal(minimax(state), 0);
    }
}

static void test_rollouts_have_the_exact_mean(void **unused)
{
    (void)unused;
    static const struct {
        const char *setup;
        double mean;
    } cases[] = {
        {"", 0.584921 - 0.288095}, {"moves:b2", 0.5}, {"moves:a1", 0.342857}, {"moves:a2", 0.2}};
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    for (int i = 0; i < 4; ++i) {
        enum { GAMES = 400000 };
        unsigned char start[STATE_BYTES], state[STATE_BYTES];
        double sum = 0;
        assert_int_equal(game->init(game, start, cases[i].setup, NULL, NULL), BANYAN_OK);
        for (int n = 0; n < GAMES; ++n) {
            memcpy(state, start, sizeof state);
            game->rollout(game, state, 0, 100, &rng);
            assert_int_equal(game->movers(game, state), 0);
            sum += 1 - result_of(state);
        }
        /* one result has a standard deviation below 1 */
        assert_true(fabs(sum / GAMES - cases[i].mean) < 3 / sqrt(GAMES));
    }
}

static void test_rollout_stops_after_max_plies(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 2);
    for (int plies = 0; plies <= 4; ++plies) {
        unsigned char state[STATE_BYTES];
        banyan_action actions[9];
        game->init(game, state, "", NULL, NULL);
        game->rollout(game, state, 0, plies, &rng);
        assert_int_equal(game->legal(game, state, plies & 1, actions), 9 - plies);
    }
}

static void test_bad_setups_say_why(void **unused)
{
    (void)unused;
    static const char *const bad[][2] = {
        {"xx./.../... x", "2 X and 0 O"},
        {".../.o./... x", "0 X and 1 O"},
        {"xxx/ooo/... x", "both X and O have three"},
        {"xxx/oo./o.. x", "X has three in a row, but O moved"},
        {"ooo/xx./x.x o", "O has three in a row, but X moved"},
        {"x?o/.../... x", "'?'"},
        {"x.o/.../.. x", "has 8"},
        {"x.o/..../... x", "3 rows of 3 squares"},
        {"x.o/../.... x", "3 rows of 3 squares"},
        {"x.o/.../.... x", "3 rows of 3 squares"},
        {"x.o/.../... o", "X is to move here"},
        {"x.o/.../... z", "'z' is not a side"},
        {"x.o/.../... x x", "'x x' is not a side"},
        {"moves:d4", "'d4' is not a square"},
        {"moves:b2 b2", "marked already"},
        {"moves:a1 a2 b1 b2 c1 c2", "over before 'c2'"},
        {"move:b2", "'m'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        unsigned char state[STATE_BYTES];
        struct banyan_error err = {.status = BANYAN_OK};
        assert_int_not_equal(game->init(game, state, bad[i][0], NULL, &err), BANYAN_OK);
        if (!strstr(err.message, bad[i][1]))
            fail_msg("\"%s\" was refused with: %s", bad[i][0], err.message);
    }
}

static void test_actions_as_text(void **unused)
{
    (void)unused;
    unsigned char state[STATE_BYTES];
    assert_int_equal(game->init(game, state, "moves:b2", NULL, NULL), BANYAN_OK);
    banyan_action actions[9], back;
    int count = game->legal(game, state, 1, actions);
    for (int i = 0; i < count; ++i) {
        char text[8];
        assert_int_equal(game->action_format(game, state, 1, actions[i], text, sizeof text), 2);
        assert_int_equal(game->action_parse(game, state, 1, text, &back, NULL), BANYAN_OK);
        assert_int_equal(back, actions[i]);
    }
    assert_int_equal(game->action_parse(game, state, 1, "C3", &back, NULL), BANYAN_OK);
    assert_int_equal(back, 8);
    assert_int_equal(game->action_parse(game, state, 1, "b2", &back, NULL), BANYAN_ILLEGAL);
    assert_int_equal(game->action_parse(game, state, 1, "b22", &back, NULL), BANYAN_INVALID);
    assert_int_equal(game->action_parse(game, state, 1, "", &back, NULL), BANYAN_INVALID);
    assert_int_equal(game->action_parse(game, state, 1, "b", &back, NULL), BANYAN_INVALID);
}

static void test_pictures(void **unused)
{
    (void)unused;
    unsigned char state[STATE_BYTES];
    char text[BANYAN_TEXT_MAX];
    assert_int_equal(game->init(game, state, "moves:b2 a1", NULL, NULL), BANYAN_OK);
    assert_true(game->draw(game, state, -1, text, sizeof text) < BANYAN_TEXT_MAX);
    assert_string_equal(text, "    a   b   c\n"
                              "1   O |   |  \n"
                              "   ---+---+---\n"
                              "2     | X |  \n"
                              "   ---+---+---\n"
                              "3     |   |  \n"
                              "X to move\n");
    assert_true(game->svg(game, state, -1, text, sizeof text) < BANYAN_TEXT_MAX);
    assert_non_null(strstr(text, "</svg>"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_set_of_squares),
        cmocka_unit_test(test_game_tree),
        cmocka_unit_test(test_random_play_exactly),
        cmocka_unit_test(test_distinct_states),
        cmocka_unit_test(test_minimax_is_a_draw),
        cmocka_unit_test(test_rollouts_have_the_exact_mean),
        cmocka_unit_test(test_rollout_stops_after_max_plies),
        cmocka_unit_test(test_bad_setups_say_why),
        cmocka_unit_test(test_actions_as_text),
        cmocka_unit_test(test_pictures),
    };
    if (banyan_game_find("tictactoe", &game, NULL) != BANYAN_OK)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
