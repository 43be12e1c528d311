/* Go against a second implementation on boards of characters, and rules by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "games/go/go.h"
#include "players/player.h"

#include <banyan/game.h>
#include <banyan/rng.h>

#include <stdlib.h>
#include <string.h>

enum { STATE_WORDS = BANYAN_STATE_MAX / 8 };

struct position {
    uint64_t words[STATE_WORDS];
};

static const struct banyan_game *game; /* 9x9 unless a test takes another one */

static void take(const char *name)
{
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
}

static int take_9x9(void **unused)
{
    (void)unused;
    take("go-9x9");
    return 0;
}

static struct position setup(const char *text)
{
    struct position at = {{0}};
    struct banyan_error err = {.message = ""};
    if (game->init(game, &at, text, NULL, &err) != BANYAN_OK)
        fail_msg("%s: %s", text, err.message);
    return at;
}

static const struct go_state *state_of(const struct position *at)
{
    return (const struct go_state *)at;
}

static void refuses(const char *text, const char *why)
{
    struct position at = {{0}};
    struct banyan_error err = {.message = ""};
    assert_int_not_equal(game->init(game, &at, text, NULL, &err), BANYAN_OK);
    if (!strstr(err.message, why))
        fail_msg("%s: '%s' does not say '%s'", text, err.message, why);
}

/* --- the rules once more: boards of characters with a frame, and every board so far --- */

enum { NAIVE_SIDE = 11, NAIVE_AREA = NAIVE_SIDE * NAIVE_SIDE, NAIVE_BOARDS = 256 };

struct naive {
    char board[NAIVE_AREA + 1]; /* '#' is the frame, '.' empty, 'x', 'o' */
    char past[NAIVE_BOARDS][NAIVE_AREA + 1];
    int boards;
};

static int naive_square(int cell)
{
    return NAIVE_SIDE * (cell / 9 + 1) + cell % 9 + 1;
}

static void naive_start(struct naive *naive)
{
    memset(naive, 0, sizeof *naive);
    memset(naive->board, '#', NAIVE_AREA);
    for (int cell = 0; cell < 81; ++cell)
        naive->board[naive_square(cell)] = '.';
    strcpy(naive->past[naive->boards++], naive->board);
}

/* Changes the letter of all squares that are connected with this one; true: one of them is beside `wanted`. */
static bool naive_flood(char *board, int square, char from, char to, char wanted)
{
    static const int steps[4] = {-NAIVE_SIDE, -1, 1, NAIVE_SIDE};
    bool met = false;
    board[square] = to;
    for (int i = 0; i < 4; ++i) {
        int near = square + steps[i];
        met = met || board[near] == wanted;
        if (board[near] == from)
            met = naive_flood(board, near, from, to, wanted) || met;
    }
    return met;
}

/* Removes the chain on a square if it has no liberty. */
static void naive_capture(char *board, int square)
{
    char copy[NAIVE_AREA + 1], stone = board[square];
    strcpy(copy, board);
    if (!naive_flood(copy, square, stone, '?', '.'))
        naive_flood(board, square, stone, '.', '!');
}

/* Writes the board after a stone; false: it is not legal. */
static bool naive_after(const struct naive *naive, int cell, int player, char *board)
{
    static const int steps[4] = {-NAIVE_SIDE, -1, 1, NAIVE_SIDE};
    int square = naive_square(cell);
    strcpy(board, naive->board);
    if (board[square] != '.')
        return false;
    board[square] = "xo"[player];
    for (int i = 0; i < 4; ++i)
        if (board[square + steps[i]] == "ox"[player])
            naive_capture(board, square + steps[i]);
    naive_capture(board, square);
    if (board[square] == '.')
        return false;
    for (int i = 0; i < naive->boards; ++i)
        if (strcmp(naive->past[i], board) == 0)
            return false;
    return true;
}

/* Compares legal actions; returns their number. */
static int naive_compare(const struct naive *naive, const struct go_state *state,
                         banyan_action actions[])
{
    char board[NAIVE_AREA + 1];
    int count = game->legal(game, state, state->mover, actions), k = 0;
    for (int cell = 0; cell < 81; ++cell) {
        bool legal = naive_after(naive, cell, state->mover, board);
        assert_int_equal(legal, go_forbidden(state, cell) == NULL);
        assert_int_equal(legal, k < count && actions[k] == (banyan_action)cell);
        k += legal;
        assert_int_equal(naive->board[naive_square(cell)], ".xo"[go_stones(state)[cell]]);
    }
    assert_int_equal(actions[k], 81);
    assert_int_equal(k + 1, count);
    return count;
}

/* Black's area minus white's: an empty region counts for the only colour that it touches. */
static int naive_area(const struct naive *naive)
{
    int difference = 0;
    for (int cell = 0; cell < 81; ++cell) {
        int square = naive_square(cell);
        char one[NAIVE_AREA + 1], two[NAIVE_AREA + 1], stone = naive->board[square];
        strcpy(one, naive->board);
        strcpy(two, naive->board);
        bool black = stone == '.' && naive_flood(one, square, '.', '?', 'x');
        bool white = stone == '.' && naive_flood(two, square, '.', '?', 'o');
        difference += (stone == 'x') - (stone == 'o') + (black && !white) - (white && !black);
    }
    return difference;
}

static void test_random_games_agree(void **unused)
{
    (void)unused;
    static struct naive naive;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 21);
    for (int n = 0; n < 30; ++n) {
        struct position at = setup(n % 2 ? "" : "komi=0.5");
        const struct go_state *state = state_of(&at);
        naive_start(&naive);
        while (game->movers(game, &at)) {
            banyan_action actions[82], joint[2];
            int count = naive_compare(&naive, state, actions), mover = state->mover;
            uint8_t owner[81];
            assert_int_equal(go_area(state, owner), naive_area(&naive));
            joint[mover] = actions[banyan_rng_below(&rng, (uint32_t)count)];
            char board[NAIVE_AREA + 1];
            if (joint[mover] != 81) {
                assert_true(naive_after(&naive, (int)joint[mover], mover, board));
                strcpy(naive.board, board);
            }
            game->apply(game, &at, joint, NULL);
            strcpy(naive.past[naive.boards++], naive.board);
        }
    }
}

/* --- by hand --- */

static void test_ko_and_superko(void **unused)
{
    (void)unused;
    /* black C5 D6 D4, white E6 F5 E4 and D5: black captures at E5, and D5 would bring back the board */
    struct position at = setup("black=C5,D6,D4 white=E6,F5,E4,D5 moves:E5");
    banyan_action action;
    struct banyan_error err;
    assert_int_equal(go_stones(state_of(&at))[9 * 4 + 3], GO_EMPTY);
    assert_int_equal(game->action_parse(game, &at, 1, "D5", &action, &err), BANYAN_ILLEGAL);
    assert_non_null(strstr(err.message, "superko"));
    /* after two other moves it is allowed */
    at = setup("black=C5,D6,D4 white=E6,F5,E4,D5 moves:E5 A1 A9 D5");
    assert_int_equal(go_stones(state_of(&at))[9 * 4 + 4], GO_EMPTY);
    /* passes change nothing: the board is the same one */
    refuses("black=C5,D6,D4 white=E6,F5,E4,D5 moves:E5 pass pass D5", "the game is over");
}

static void test_suicide_and_capture(void **unused)
{
    (void)unused;
    refuses("black=A2,B1 first=white moves:A1", "no liberty");
    refuses("black=A2,B2,C1 white=B1 first=white moves:A1", "no liberty");
    struct position at = setup("black=A2,B1 white=A3,B2,C1 first=white moves:A1");
    for (int i = 0; i < 2; ++i)
        assert_int_equal(go_stones(state_of(&at))[i ? 9 * 7 : 9 * 8 + 1], GO_EMPTY);
    refuses("black=A2,B1 white=A1", "A1 have no liberty");
}

static void test_scores(void **unused)
{
    (void)unused;
    float values[2], points[2];
    struct position at = setup("moves:pass pass"); /* nobody owns the empty board */
    game->returns(game, &at, values);
    assert_true(values[0] == -1 && values[1] == 1);
    at = setup("moves:E5 pass pass"); /* all 81 are black's */
    game->returns(game, &at, values);
    game->points(game, &at, points);
    assert_true(values[0] == 1 && points[0] == 81 && points[1] == 7.5f);
    at = setup("komi=81 moves:E5 pass pass");
    game->returns(game, &at, values);
    assert_true(values[0] == 0 && values[1] == 0);
    /* each side has a row of nine stones and the three rows behind it; row 5 is nobody's */
    at = setup("komi=0 black=A4,B4,C4,D4,E4,F4,G4,H4,J4 white=A6,B6,C6,D6,E6,F6,G6,H6,J6");
    game->points(game, &at, points);
    assert_true(points[0] == 36 && points[1] == 36);
}

static void test_handicap(void **unused)
{
    (void)unused;
    struct position at = setup("handicap=2");
    assert_int_equal(go_stones(state_of(&at))[9 * 6 + 2], GO_BLACK); /* C3 */
    assert_int_equal(go_stones(state_of(&at))[9 * 2 + 6], GO_BLACK); /* G7 */
    assert_int_equal(game->movers(game, &at), 2);
    at = setup("handicap=5");
    assert_int_equal(go_stones(state_of(&at))[9 * 4 + 4], GO_BLACK);
    take("go");
    at = setup("handicap=9 komi=0.5");
    const char *text = "komi=0.5 first=white black=D16,K16,Q16,D10,K10,Q10,D4,K4,Q4 moves:";
    char out[BANYAN_TEXT_MAX];
    game->format(game, &at, out, sizeof out);
    assert_string_equal(out, text);
    refuses("handicap=1", "2 to 9");
}

static void test_bad_texts(void **unused)
{
    (void)unused;
    refuses("I5", "there is no column I");
    refuses("K1", "A1 to J9");
    refuses("E10", "A1 to J9");
    refuses("E5 E5", "a stone stands there");
    refuses("komi=7.3", "in halves");
    refuses("komi=82", "-81 to 81");
    refuses("first=red", "black or white");
    refuses("black=C3,C3", "two stones at C3");
    refuses("white=C3 handicap=2", "two stones at C3");
    refuses("handicap=9 black=E5", "two stones at E5");
    refuses("black=pass", "not a move");
    refuses("pass pass pass", "the game is over");
}

/* In a light playout nobody fills their own eyes: at the end no stone can be taken, and area decides. */
static void test_light_playouts_end(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 3);
    for (int i = 0; i < 300; ++i) {
        struct position at = setup("");
        uint8_t owner[81];
        int nobody = 0;
        game->rollout(game, &at, 1, 1000, &rng);
        go_area(state_of(&at), owner);
        for (int cell = 0; cell < 81; ++cell)
            nobody += owner[cell] == GO_EMPTY;
        assert_int_equal(game->movers(game, &at), 0);
        assert_true(state_of(&at)->plies < GO_PLIES(9));
        assert_true(nobody <= 4); /* only sekis share cells */
    }
}

/* Every level is a player, and is described by another text than the one before. */
static void test_levels(void **unused)
{
    (void)unused;
    const char *const *texts;
    int count = player_levels(game, &texts);
    assert_int_equal(count, 5);
    for (int i = 0; i < count; ++i) {
        struct banyan_player player;
        assert_int_equal(banyan_player_create(game, texts[i], NULL, 1, &player, NULL), BANYAN_OK);
        banyan_player_close(&player);
        assert_true(i == 0 || strcmp(texts[i], texts[i - 1]) != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_random_games_agree, take_9x9),
        cmocka_unit_test_setup(test_ko_and_superko, take_9x9),
        cmocka_unit_test_setup(test_suicide_and_capture, take_9x9),
        cmocka_unit_test_setup(test_scores, take_9x9),
        cmocka_unit_test_setup(test_handicap, take_9x9),
        cmocka_unit_test_setup(test_bad_texts, take_9x9),
        cmocka_unit_test_setup(test_light_playouts_end, take_9x9),
        cmocka_unit_test_setup(test_levels, take_9x9),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
