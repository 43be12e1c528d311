/* Blood Bowl: recorded games replay die by die; skills that botbowl cannot play; texts. */
#include "bloodbowl_position.h"
#include "records/records.h"

#include <jansson.h>

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
    assert_int_equal(report.whole, 28);
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

/* --- what the recorded games cover --- */

struct covered {
    /* game: by the number of players on the pitch, and by whether paths were used */
    bool run[BB_PROCEDURES], skill[BB_SKILLS], game[12][2];
};

static int find_name(const char *name, const char *const names[], int count)
{
    for (int i = 0; name && i < count; ++i)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

static void cover_team(struct covered *c, const json_t *team)
{
    size_t i, k;
    json_t *player, *skill;
    json_array_foreach(json_object_get(team, "players"), i, player)
    {
        json_array_foreach(json_object_get(player, "skills"), k, skill)
        {
            int found = find_name(json_string_value(skill), bb_skill_names, BB_SKILLS);
            if (found >= 0)
                c->skill[found] = true;
        }
    }
}

static void cover_line(struct covered *c, const json_t *line)
{
    size_t i;
    json_t *name;
    if (json_object_get(line, "variant")) {
        int variant = (int)json_integer_value(json_object_get(line, "variant"));
        c->game[variant][json_is_string(json_object_get(line, "pathfinding"))] = true;
        cover_team(c, json_object_get(line, "home"));
        cover_team(c, json_object_get(line, "away"));
    }
    json_array_foreach(json_object_get(line, "run"), i, name)
    {
        int found = find_name(json_string_value(name), bb_procedure_names, BB_PROCEDURES);
        if (found >= 0)
            c->run[found] = true;
    }
}

static void cover_file(struct covered *c, const char *path)
{
    struct records_source *source;
    char *line;
    size_t length;
    assert_int_equal(records_open(path, &source, NULL), BANYAN_OK);
    while (records_line(source, &line, &length, NULL) == BANYAN_OK && line) {
        json_t *json = json_loadb(line, length, 0, NULL);
        assert_non_null(json);
        cover_line(c, json);
        json_decref(json);
    }
    records_close(source);
}

/* Everything that botbowl can play was played; other skills have tests below, or no effect at
 * all. */
static void test_recorded_coverage(void **state)
{
    (void)state;
    static const char *const other_runs[] = {"ThrowBombAction", "EscapeBeingEaten", "Explode"};
    static const char *const other_skills[] = {
        "BALL_AND_CHAIN",
        "LONG_LEGS",
        "SECRET_WEAPON",
        "BOMBARDIER",
        "CHAINSAW",
        "NURGLES_ROT",
        "KICK",
        "PASS_BLOCK",
        "ANIMOSITY",
        "KICK_OFF_RETURN",
        "PILING_ON",
        "MULTIPLE_BLOCK",
        "SWOOP",
        "PRO",
        "FAN_FAVOURITE",
        "SWIFT_REACTION",
        "MONSTROUS_MOUTH",
    };
    static struct covered c;
    int runs = 0, skills = 0;
    cover_file(&c, TEST_DATA "/bloodbowl/step.jsonl.gz");
    cover_file(&c, TEST_DATA "/bloodbowl/path.jsonl.gz");
    for (int i = 0; i < BB_PROCEDURES; ++i) {
        runs += c.run[i];
        if (!c.run[i] && find_name(bb_procedure_names[i], other_runs, 3) < 0)
            fail_msg("no recorded game has %s", bb_procedure_names[i]);
    }
    for (int i = 0; i < BB_SKILLS; ++i) {
        skills += c.skill[i];
        if (!c.skill[i] && find_name(bb_skill_names[i], other_skills, 17) < 0)
            fail_msg("no player of a recorded game has %s", bb_skill_names[i]);
    }
    for (int i = 0; i < BB_VARIANTS; ++i)
        assert_true(c.game[bb_variants[i].number][0] && c.game[bb_variants[i].number][1]);
    print_message("recorded games cover %d of %d procedures, %d of %d skills, 5 sizes in 2 modes\n",
                  runs, BB_PROCEDURES, skills, BB_SKILLS);
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

/* One wrong field gives one difference, and the reader goes on with the next turn. */
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
    assert_int_equal(report.whole, 0);
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

/* Juggernaut and Wrestle, which botbowl does not implement (docs/games/bloodbowl-rules.md,
 * "Blocking"). */
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
         DIE(ARMOR, 6, 1), DIE(ARMOR, 6, 2)); /* Wrestle cannot be used against it */
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

/* Bombs (BB2016): the player on the square falls, players next to it fall on a 4 or more; it is a
 * turnover if one of the thrower's side falls. */
static void test_bomb(void **state)
{
    (void)state;
    struct bb_state s = position("home={0 3 1 1 0 0; 1 6 3 3 8 BOMBARDIER; 2 6 3 3 8}");
    int bomber = stand(&s, BB_HOME, 1, 14, 8), near = stand(&s, BB_AWAY, 7, 10, 8);
    stand(&s, BB_AWAY, 6, 10, 9);
    CHOOSE(&s, START_THROW_BOMB, bomber, BB_NOWHERE);
    PLAY(&s, THROW_BOMB, BB_NONE, bb_square(11, 8), DIE(PASS, 6, 6), DIE(BOMB, 6, 4),
         DIE(BOMB, 6, 3), DIE(ARMOR, 6, 1), DIE(ARMOR, 6, 1));
    assert_int_equal(s.current, BB_HOME);
    assert_true(bb_is(&s, bomber, BB_USED));
    assert_false(bb_is(&s, near, BB_UP) && bb_is(&s, near - 1, BB_UP));
    assert_false(s.bomb_out);
}

/* Always Hungry: on a 1 the team-mate is eaten, unless that player gets free on 2 or more. */
static void test_eaten(void **state)
{
    (void)state;
    for (int free = 0; free < 2; ++free) {
        struct bb_state s = position("home={0 3 1 1 0 0; 1 4 5 1 9 THROW_TEAM_MATE ALWAYS_HUNGRY; "
                                     "2 6 2 3 7 RIGHT_STUFF}");
        int troll = stand(&s, BB_HOME, 1, 14, 8), goblin = stand(&s, BB_HOME, 2, 15, 8);
        CHOOSE(&s, START_PASS, troll, BB_NOWHERE);
        if (free)
            PLAY(&s, PICKUP_TEAM_MATE, BB_NONE, bb_square(15, 8), DIE(ALWAYS_HUNGRY, 6, 1),
                 DIE(ESCAPE, 6, 2), DIE(LAND, 6, 6));
        else
            PLAY(&s, PICKUP_TEAM_MATE, BB_NONE, bb_square(15, 8), DIE(ALWAYS_HUNGRY, 6, 1),
                 DIE(ESCAPE, 6, 1), DIE(CASUALTY, 6, 1), DIE(CASUALTY, 8, 1));
        assert_int_equal(bb_on_pitch(&s, goblin), free);
        assert_int_equal(s.team[BB_HOME].listed[BB_CASUALTIES], !free);
        assert_true(bb_is(&s, troll, BB_USED));
    }
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
    stand(&s, BB_AWAY, 7, 11, 6); /* takes away the helper's assist */
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
    assert_memory_equal(&s, &before, sizeof s); /* no action is half applied */
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

/* A state's text that was changed by hand is refused. */
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
        cmocka_unit_test(test_recorded_steps),
        cmocka_unit_test(test_recorded_paths),
        cmocka_unit_test(test_recorded_coverage),
        cmocka_unit_test(test_difference_is_found),
        cmocka_unit_test(test_broken_records),
        cmocka_unit_test(test_both_down_answers),
        cmocka_unit_test(test_pro),
        cmocka_unit_test(test_bomb),
        cmocka_unit_test(test_eaten),
        cmocka_unit_test(test_block_dice),
        cmocka_unit_test(test_touchdown),
        cmocka_unit_test(test_bad_setups),
        cmocka_unit_test(test_edited_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
