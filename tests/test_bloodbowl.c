/* Blood Bowl: recorded games replay die by die; skills that botbowl cannot play; texts. */
#include "bloodbowl_position.h"
#include "records/records.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- recorded games --- */

static const struct banyan_game *find_game(const char *name)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    return game;
}

static struct records_report verify(const char *path)
{
    struct records_report report = {.out = stderr, .shown = 5};
    struct banyan_error err = {0};
    if (records_verify(find_game("bloodbowl"), NULL, path, &report, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return report;
}

static void test_recorded_steps(void **state)
{
    (void)state;
    struct records_report report = verify(TEST_DATA "/bloodbowl/step.jsonl.gz");
    assert_int_equal(report.games, 28);
    assert_int_equal(report.differences, 0);
    assert_true(report.steps > 8000);
}

static void test_recorded_paths(void **state)
{
    (void)state;
    struct records_report report = verify(TEST_DATA "/bloodbowl/path.jsonl.gz");
    assert_int_equal(report.games, 17);
    assert_int_equal(report.differences, 0);
    assert_true(report.steps > 3000);
}

static const struct records_format *find_format(void)
{
    const struct records_format *format;
    for (int i = 0; (format = records_format_at(i)); ++i)
        if (strcmp(format->name, "bloodbowl") == 0)
            return format;
    fail_msg("no reader of Blood Bowl");
    return NULL;
}

/* The first game of a file as one text; caller frees. */
static char *first_game(void)
{
    struct records_source *source;
    char *line, *game = calloc(1, 4u << 20);
    size_t length, used = 0;
    assert_non_null(game);
    assert_int_equal(records_open(TEST_DATA "/bloodbowl/step.jsonl.gz", &source, NULL), BANYAN_OK);
    do {
        assert_int_equal(records_line(source, &line, &length, NULL), BANYAN_OK);
        assert_non_null(line);
        assert_true(used + length + 2 < 4u << 20);
        memcpy(game + used, line, length);
        used += length;
        game[used++] = '\n';
    } while (!strstr(line, "\"t\":\"end\""));
    records_close(source);
    return game;
}

static struct records_report verify_text(const char *text, enum banyan_status expected)
{
    struct records_report report = {.out = NULL};
    struct records_source *source;
    struct banyan_error err;
    assert_int_equal(records_open_memory("text", text, strlen(text), &source, NULL), BANYAN_OK);
    assert_int_equal(find_format()->read(find_game("bloodbowl"), source, &report, &err), expected);
    records_close(source);
    return report;
}

/* One wrong field is one difference, and the reader goes on from the next turn. */
static void test_difference_is_found(void **state)
{
    (void)state;
    char *game = first_game();
    uint64_t steps = verify_text(game, BANYAN_OK).steps;
    char *moves = strstr(strstr(game, "\"START_MOVE\"") + 1, "\"fame\":[");
    assert_non_null(moves);
    moves[8] = moves[8] == '9' ? '8' : '9';
    struct records_report report = verify_text(game, BANYAN_OK);
    assert_int_equal(report.differences, 1);
    assert_true(report.steps > steps / 2 && report.steps <= steps);
    free(game);
}

static void test_broken_records(void **state)
{
    (void)state;
    char *game = first_game();
    for (size_t length = strlen(game); length > 400; length = length / 3) {
        char *end = game + length;
        *end = 0;
        struct records_report report = {.out = NULL};
        struct records_source *source;
        struct banyan_error err;
        assert_int_equal(records_open_memory("text", game, length, &source, NULL), BANYAN_OK);
        find_format()->read(find_game("bloodbowl"), source, &report, &err);
        records_close(source);
    }
    free(game);
    verify_text("{\"t\":\"head\",\"game\":\"botbowl\",\"variant\":4}\n", BANYAN_NOT_FOUND);
    verify_text("{\"t\":\"head\",\"game\":\"botbowl\",\"variant\":3}\n", BANYAN_CORRUPT);
    verify_text("{\"i\":0}\n", BANYAN_CORRUPT);
    verify_text("not json\n", BANYAN_CORRUPT);
}

/* Juggernaut and Wrestle, which botbowl cannot answer (spec 17). */
static void test_both_down_answers(void **state)
{
    (void)state;
    struct bb_state s = position("home={0 3 1 1 0 0; 1 6 3 3 8 JUGGERNAUT} "
                                 "away={0 3 1 1 0 0; 1 6 3 3 8 WRESTLE}");
    int attacker = stand(&s, BB_HOME, 1, 14, 8), defender = stand(&s, BB_AWAY, 1, 13, 8);
    CHOOSE(&s, START_BLITZ, attacker, BB_NOWHERE);
    PLAY(&s, BLOCK, BB_NONE, bb_square(13, 8), DIE(BLOCK, 6, 2));
    CHOOSE(&s, SELECT_BOTH_DOWN, BB_NONE, BB_NOWHERE);
    struct bb_state no = s;
    CHOOSE(&s, USE_SKILL, BB_NONE, BB_NOWHERE); /* a push instead */
    CHOOSE(&s, PUSH, BB_NONE, bb_square(12, 8));
    assert_int_equal(s.player[defender].square, bb_square(12, 8));
    PLAY(&no, DONT_USE_SKILL, BB_NONE, BB_NOWHERE, DIE(ARMOR, 6, 1), DIE(ARMOR, 6, 2),
         DIE(ARMOR, 6, 1), DIE(ARMOR, 6, 2)); /* Wrestle is no help against it */
    assert_int_equal(no.current, BB_AWAY);

    s = position("away={0 3 1 1 0 0; 1 6 3 3 8 WRESTLE}");
    attacker = stand(&s, BB_HOME, 6, 14, 8);
    defender = stand(&s, BB_AWAY, 1, 13, 8);
    s.team[BB_HOME].rerolls = 0;
    CHOOSE(&s, START_BLOCK, attacker, BB_NOWHERE);
    PLAY(&s, BLOCK, BB_NONE, bb_square(13, 8), DIE(BLOCK, 6, 2));
    CHOOSE(&s, SELECT_BOTH_DOWN, BB_NONE, BB_NOWHERE);
    assert_int_equal(bb_asked(&s), BB_AWAY);
    CHOOSE(&s, USE_SKILL, BB_NONE, BB_NOWHERE);
    assert_false(bb_is(&s, attacker, BB_UP) || bb_is(&s, defender, BB_UP));
    assert_int_equal(s.current, BB_HOME); /* no turnover */
}

/* Pro: once a turn, on 4 or more. */
static void test_pro(void **state)
{
    (void)state;
    struct bb_state s = position("home={0 3 1 1 0 0; 1 6 3 3 8 PRO}");
    int runner = stand(&s, BB_HOME, 1, 14, 8);
    stand(&s, BB_AWAY, 6, 13, 8);
    CHOOSE(&s, START_MOVE, runner, BB_NOWHERE);
    PLAY(&s, MOVE, BB_NONE, bb_square(15, 8), DIE(DODGE, 6, 1));
    PLAY(&s, USE_SKILL, BB_NONE, BB_NOWHERE, DIE(PRO, 6, 4), DIE(DODGE, 6, 3));
    assert_int_equal(s.player[runner].square, bb_square(15, 8));
    assert_true(s.player[runner].used & BB_USED_PRO);
}

/* --- small things --- */

static void test_block_dice(void **state)
{
    (void)state;
    static const int expected[][3] = {/* attacker, defender, dice */
                                      {3, 3, 1},  {4, 3, 2},  {6, 3, 2}, {7, 3, 3},
                                      {3, 4, -2}, {3, 6, -2}, {3, 7, -3}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
        struct bb_state s = position("");
        int attacker = stand(&s, BB_HOME, 6, 14, 8), defender = stand(&s, BB_AWAY, 6, 13, 8);
        s.player[attacker].st = (uint8_t)expected[i][0];
        s.player[defender].st = (uint8_t)expected[i][1];
        assert_int_equal(bb_block_dice(&s, attacker, defender, bb_square(14, 8), false, false),
                         expected[i][2]);
    }
    struct bb_state s = position("");
    int attacker = stand(&s, BB_HOME, 6, 14, 8), defender = stand(&s, BB_AWAY, 6, 13, 8);
    stand(&s, BB_HOME, 7, 12, 7);
    assert_int_equal(bb_block_dice(&s, attacker, defender, bb_square(14, 8), false, false), 2);
    stand(&s, BB_AWAY, 7, 11, 6); /* marks the helper */
    assert_int_equal(bb_block_dice(&s, attacker, defender, bb_square(14, 8), false, false), 1);
}

static void test_touchdown(void **state)
{
    (void)state;
    struct bb_state s = position("");
    int runner = stand(&s, BB_HOME, 6, 2, 8);
    give_ball(&s, runner);
    CHOOSE(&s, START_MOVE, runner, BB_NOWHERE);
    CHOOSE(&s, MOVE, BB_NONE, bb_square(1, 8));
    assert_int_equal(s.team[BB_HOME].score, 1);
    assert_int_equal(s.kick_drive, BB_HOME);
    assert_int_equal(bb_asked(&s), BB_HOME); /* sets up first */
}

static void refuse(const char *setup)
{
    struct bb_state s;
    struct banyan_error err = {0};
    memset(&s, 0x5a, sizeof s);
    struct bb_state before = s;
    assert_int_equal(bb_parse(&s, 4, setup, &err), BANYAN_INVALID);
    assert_true(strlen(err.message) > 0);
    assert_memory_equal(&s, &before, sizeof s); /* nothing half-applied */
}

static void test_bad_setups(void **state)
{
    (void)state;
    refuse("home=elfs");
    refuse("mode=fly");
    refuse("ask=me");
    refuse("quirks=some");
    refuse("weather=FOG");
    refuse("home={3 3 1 1 0 0}");
    refuse("home={3 3 1 1 0; 1 6 3 3 8}");
    refuse("home={3 3 1 1 0 0; 1 6 3 3 8 FLY}");
    refuse("home={3 3 1 1 0 0; 1 6 3 3 11}");
    refuse("home={3 3 1 1 0 0; 1 6 3 3 8; 1 6 3 3 8}");
    refuse("home={3 3 1 1 0 0; 1 6 3 3 8");
    refuse("game 1 2 3");
}

/* Text of a game that was changed by hand is refused. */
static void test_edited_game(void **state)
{
    (void)state;
    char text[BANYAN_TEXT_MAX];
    struct bb_state s = position("");
    stand(&s, BB_HOME, 6, 14, 8);
    assert_in_range(bb_format(&s, text, sizeof text), 1, sizeof text - 1);
    struct bb_state copy;
    assert_int_equal(bb_parse(&copy, 4, text, NULL), BANYAN_OK);
    assert_memory_equal(&copy, &s, sizeof s);
    char *player = strstr(text, " p ");
    player[3] = player[3] == '1' ? '2' : '1';
    refuse(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded_steps),      cmocka_unit_test(test_recorded_paths),
        cmocka_unit_test(test_difference_is_found), cmocka_unit_test(test_broken_records),
        cmocka_unit_test(test_both_down_answers),   cmocka_unit_test(test_pro),
        cmocka_unit_test(test_block_dice),          cmocka_unit_test(test_touchdown),
        cmocka_unit_test(test_bad_setups),          cmocka_unit_test(test_edited_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
