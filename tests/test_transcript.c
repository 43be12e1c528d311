/* Games as people write them down: how actions are recognised, and what the messages say about
 * mistakes. */
#include "records/transcript.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Plays text from the setup; out: the position, or the error message. */
static enum banyan_status play(const char *name, const char *setup, const char *text,
                               uint64_t *steps, char out[BANYAN_TEXT_MAX])
{
    const struct banyan_game *game;
    struct banyan_rng rng;
    struct banyan_error err = {.message = ""};
    banyan_rng_seed(&rng, 1);
    *steps = 0;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    void *state = calloc(1, game->state_size);
    assert_int_equal(game->init(game, state, setup, &rng, NULL), BANYAN_OK);
    enum banyan_status status = transcript_play(game, state, text, &rng, steps, &err);
    if (status == BANYAN_OK)
        game->format(game, state, out, BANYAN_TEXT_MAX);
    else
        snprintf(out, BANYAN_TEXT_MAX, "%s", err.message);
    free(state);
    return status;
}

static void check_same(const char *game, const char *one, const char *other, uint64_t steps)
{
    char first[BANYAN_TEXT_MAX], second[BANYAN_TEXT_MAX];
    uint64_t n, m;
    if (play(game, NULL, one, &n, first) != BANYAN_OK)
        fail_msg("'%s': %s", one, first);
    if (play(game, NULL, other, &m, second) != BANYAN_OK)
        fail_msg("'%s': %s", other, second);
    assert_string_equal(first, second);
    assert_int_equal(n, steps);
    assert_int_equal(m, steps);
}

/* Blanks, commas, numbers of moves, no blanks at all. */
static void ways_of_writing(void **unused)
{
    (void)unused;
    static const char *const ways[] = {
        "f5 d6 c3 d3", "f5d6c3d3",          "1. f5 d6 2. c3 d3", "1.f5 d6 2.c3 d3",
        "f5,d6,c3,d3", " f5, d6\n c3\td3 ", "f5; d6; c3; d3",    "12... f5d6 13... c3d3",
        "f5d6 c3d3"};
    for (size_t i = 1; i < sizeof ways / sizeof *ways; ++i)
        check_same("othello", ways[0], ways[i], 4);
    check_same("tictactoe", "a1 b2 c3", "a1b2c3", 3);
    check_same("tictactoe", "", "  ", 0);
    check_same("rps", "rock|paper", " rock|paper ", 1);
}

/* Mushroom's actions have commas themselves.  All cells of the board are 5. */
static void commas_inside_of_actions(void **unused)
{
    (void)unused;
    static const char *const ways[] = {"0,0,0,1; 0,3,1,3; pass",  "0,0,0,1 0,3,1,3 pass",
                                       "0,0,0,1;0,3,1,3;pass;",   "0,0,0,1,0,3,1,3,pass",
                                       "0,0,0,1, 0,3,1,3, pass",  "1. 0,0,0,1 0,3,1,3 2. pass",
                                       "1.0,0,0,1,0,3,1,3,2.pass"};
    char board[10 * 18], first[BANYAN_TEXT_MAX], same[BANYAN_TEXT_MAX];
    uint64_t steps;
    for (size_t i = 0; i < sizeof board; ++i)
        board[i] = i % 18 == 17 ? '/' : '5';
    board[sizeof board - 1] = 0;
    assert_int_equal(play("mushroom", board, ways[0], &steps, first), BANYAN_OK);
    for (size_t i = 1; i < sizeof ways / sizeof *ways; ++i) {
        if (play("mushroom", board, ways[i], &steps, same) != BANYAN_OK)
            fail_msg("'%s': %s", ways[i], same);
        assert_string_equal(same, first);
        assert_int_equal(steps, 3);
    }
    assert_int_equal(play("mushroom", board, "0,0,0,1,0,0,0,1", &steps, same), BANYAN_ILLEGAL);
    assert_non_null(strstr(same, "after 1 actions"));
}

/* A position by its own text: X a1 and c3, O b2. */
static void actions_are_played(void **unused)
{
    (void)unused;
    char text[BANYAN_TEXT_MAX], same[BANYAN_TEXT_MAX];
    uint64_t steps;
    assert_int_equal(play("tictactoe", NULL, "a1 b2 c3", &steps, text), BANYAN_OK);
    assert_int_equal(play("tictactoe", text, "", &steps, same), BANYAN_OK);
    assert_string_equal(text, same);
    assert_int_equal(play("tictactoe", "moves:a1 b2 c3", "", &steps, same), BANYAN_OK);
    assert_string_equal(text, same);
}

/* Random games of Othello, written with and without their passes: a pass that is not written is
 * played when it is the only legal action, and counts as an action. */
static void passes_may_be_left_out(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    struct banyan_rng rng;
    int passes = 0;
    banyan_rng_seed(&rng, 5);
    assert_int_equal(banyan_game_find("othello", &game, NULL), BANYAN_OK);
    void *state = calloc(1, game->state_size);
    for (int n = 0; n < 30; ++n) {
        char all[512] = "", brief[512] = "", one[16];
        uint64_t steps = 0;
        assert_int_equal(game->init(game, state, NULL, NULL, NULL), BANYAN_OK);
        for (unsigned movers; (movers = game->movers(game, state)) != 0; ++steps) {
            banyan_action legal[64], joint[BANYAN_MAX_PLAYERS] = {0};
            int player = movers == 2, count = game->legal(game, state, player, legal);
            joint[player] = legal[banyan_rng_below(&rng, (uint32_t)count)];
            game->action_format(game, state, player, joint[player], one, sizeof one);
            strcat(strcat(all, one), " ");
            if (strcmp(one, "pass") != 0)
                strcat(brief, one);
            passes += strcmp(one, "pass") == 0;
            game->apply(game, state, joint, NULL);
        }
        /* at the end of a text no action follows that would need the pass */
        if (strcmp(all + strlen(all) - 5, "pass ") != 0)
            check_same("othello", all, brief, steps);
    }
    free(state);
    assert_true(passes >= 10);
}

/* A pass that is not forced is never added. */
static void nothing_is_invented(void **unused)
{
    (void)unused;
    char text[BANYAN_TEXT_MAX];
    uint64_t steps;
    assert_int_not_equal(play("othello", NULL, "f5 pass", &steps, text), BANYAN_OK);
    assert_non_null(strstr(text, "after 1 actions"));
    assert_int_equal(steps, 1);
}

static void what_is_wrong_where(void **unused)
{
    (void)unused;
    static const struct {
        const char *game, *text, *says;
        uint64_t steps;
    } cases[] = {{"tictactoe", "a1 a1", "after 1 actions", 1},
                 {"tictactoe", "a1 b1 a2 b2 a3 b3", "the game is over", 5},
                 {"tictactoe", "z9", "after 0 actions", 0},
                 {"tictactoe", "a1b2x", "after 2 actions", 2},
                 {"othello", "f5 d6 a1", "after 2 actions", 2},
                 {"rps", "rock", "player 2 chooses too", 0},
                 {"rps", "|rock", "player 1 chooses too", 0},
                 {"rps", "rock|", "player 2 chooses too", 0},
                 {"rps", "rock|paper|rock", "the game is over", 1},
                 {"rps", "rock|well", "well", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[BANYAN_TEXT_MAX];
        uint64_t steps;
        if (play(cases[i].game, NULL, cases[i].text, &steps, text) == BANYAN_OK)
            fail_msg("'%s' was taken", cases[i].text);
        if (!strstr(text, cases[i].says))
            fail_msg("'%s': '%s' lacks '%s'", cases[i].text, text, cases[i].says);
        assert_int_equal(steps, cases[i].steps);
    }
}

/* Movers who choose at the same time have their own actions, which need not be legal for each
 * other. */
static void actions_at_once(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0}, rock[2], paper[2];
    assert_int_equal(banyan_game_find("rps", &game, NULL), BANYAN_OK);
    void *state = calloc(1, game->state_size);
    assert_int_equal(game->init(game, state, NULL, NULL, NULL), BANYAN_OK);
    for (int p = 0; p < 2; ++p) {
        assert_int_equal(game->action_parse(game, state, p, "rock", &rock[p], NULL), BANYAN_OK);
        assert_int_equal(game->action_parse(game, state, p, "paper", &paper[p], NULL), BANYAN_OK);
    }
    assert_int_equal(transcript_parse(game, state, "rock|paper", joint, NULL), BANYAN_OK);
    assert_true(joint[0] == rock[0] && joint[1] == paper[1]);
    assert_int_equal(transcript_parse(game, state, "paper|rock", joint, NULL), BANYAN_OK);
    assert_true(joint[0] == paper[0] && joint[1] == rock[1]);
    struct banyan_error err;
    assert_int_equal(transcript_parse(game, state, "paper|rock|rock", joint, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "more actions than players"));
    free(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_of_writing),     cmocka_unit_test(commas_inside_of_actions),
        cmocka_unit_test(actions_are_played),  cmocka_unit_test(passes_may_be_left_out),
        cmocka_unit_test(nothing_is_invented), cmocka_unit_test(what_is_wrong_where),
        cmocka_unit_test(actions_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
