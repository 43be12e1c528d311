/* Blood Bowl: actions, rolls, events and players in words, the text board, and the bounds of texts. */
#include "bloodbowl_position.h"
#include "games/bloodbowl/board.h"
#include "games/bloodbowl/words.h"

#include <banyan/board.h>

/* --- words --- */

static void actions_in_words(void **unused)
{
    static const struct {
        int type, player, x, y; /* x 0: no square */
        const char *words;
    } rows[] = {{BB_DO_BLOCK, 0, 13, 8, "block A1"},
                {BB_DO_STAB, 0, 13, 8, "stab A1"},
                {BB_DO_FOUL, 0, 13, 8, "foul A1"},
                {BB_DO_HANDOFF, 0, 15, 8, "hand off to H2"},
                {BB_DO_HYPNOTIC_GAZE, 0, 13, 8, "gaze at A1"},
                {BB_DO_PICKUP_TEAM_MATE, 0, 15, 8, "pick up H2"},
                {BB_DO_BLOCK, 0, 20, 8, "block 20,8"}, /* nobody is there */
                {BB_DO_MOVE, 0, 20, 8, "move to 20,8"},
                {BB_DO_MOVE, 0, 15, 8, "move to 15,8"},
                {BB_DO_LEAP, 0, 13, 8, "leap to 13,8"},
                {BB_DO_PASS, 0, 15, 8, "pass to 15,8"},
                {BB_DO_PUSH, 0, 15, 8, "push to 15,8"},
                {BB_DO_FOLLOW_UP, 0, 13, 8, "follow up to 13,8"},
                {BB_DO_THROW_TEAM_MATE, 0, 15, 8, "throw the team-mate to 15,8"},
                {BB_DO_PLACE_PLAYER, 1, 0, 0, "place H1 off the pitch"},
                {BB_DO_PLACE_PLAYER, 1, 20, 8, "place H1 at 20,8"},
                {BB_DO_SELECT_PLAYER, 1, 0, 0, "choose H1"},
                {BB_DO_SELECT_NONE, 0, 0, 0, "choose nobody"},
                {BB_DO_SELECT_BOTH_DOWN, 0, 0, 0, "both down"},
                {BB_DO_DONT_USE_REROLL, 0, 0, 0, "do not use the reroll"},
                {BB_DO_END_SETUP, 0, 0, 0, "end the set-up"},
                {BB_DO_END_PLAYER_TURN, 0, 0, 0, "end the player's turn"},
                {BB_DO_END_TURN, 0, 0, 0, "end the turn"}};
    (void)unused;
    struct bb_state s = position("");
    stand(&s, BB_HOME, 1, 14, 8);
    stand(&s, BB_HOME, 2, 15, 8);
    stand(&s, BB_AWAY, 1, 13, 8);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char text[BANYAN_TEXT_MAX];
        struct bb_action action = {
            .type = (uint8_t)rows[i].type,
            .player = rows[i].player ? 0 : BB_NONE,
            .square = (uint16_t)(rows[i].x ? bb_square(rows[i].x, rows[i].y) : BB_NOWHERE)};
        bb_describe(&s, &action, text, sizeof text);
        assert_string_equal(text, rows[i].words);
    }
}

static void expect_words(const struct bb_state *s, int type, int x, int y, const char *words)
{
    char text[BANYAN_TEXT_MAX];
    struct bb_action action = {
        .type = (uint8_t)type, .player = BB_NONE, .square = (uint16_t)bb_square(x, y)};
    bb_describe(s, &action, text, sizeof text);
    assert_string_equal(text, words);
}

/* AG 3 dodges with 4 or more: 1 less for every dodge, 1 more for each tackle zone on the new
 * square; going for it needs 2.  A foul needs more than AV 8 from two dice: 10 of 36 ways; an
 * assist helps by 1: 15. */
static void rolls_in_words(void **unused)
{
    (void)unused;
    struct bb_state s = position("home={0 3 1 1 0 0; 1 6 3 3 8; 2 6 3 3 8} "
                                 "away={0 3 1 1 0 0; 1 6 3 3 8; 2 6 3 3 8; 3 6 3 3 8}");
    int runner = stand(&s, BB_HOME, 1, 14, 8);
    stand(&s, BB_AWAY, 1, 13, 8);
    stand(&s, BB_AWAY, 2, 16, 9);
    struct bb_state foul = s;
    CHOOSE(&s, START_MOVE, runner, BB_NOWHERE);
    expect_words(&s, BB_DO_MOVE, 14, 7, "move to 14,7\trolls 4+: 50 %");
    expect_words(&s, BB_DO_MOVE, 15, 7, "move to 15,7\trolls 3+: 67 %");
    expect_words(&s, BB_DO_MOVE, 15, 8, "move to 15,8\trolls 4+: 50 %");
    s.player[runner].moves = 6;
    expect_words(&s, BB_DO_MOVE, 15, 7, "move to 15,7\trolls 2+ 3+: 56 %");
    bb_prone(&foul, BB_TEAM_MAX);
    struct bb_state helped = foul;
    CHOOSE(&foul, START_FOUL, runner, BB_NOWHERE);
    expect_words(&foul, BB_DO_FOUL, 13, 8, "foul A1\tarmour 9+: 28 %");
    stand(&helped, BB_HOME, 2, 12, 8);
    CHOOSE(&helped, START_FOUL, runner, BB_NOWHERE);
    expect_words(&helped, BB_DO_FOUL, 13, 8, "foul A1\tarmour 8+: 42 %");
}

static void check_told(const struct bb_state *before, const struct bb_state *after,
                       const char *words)
{
    char text[BANYAN_TEXT_MAX];
    bb_tell(before, after, text, sizeof text);
    assert_string_equal(text, words);
}

static void events_in_words(void **unused)
{
    (void)unused;
    struct bb_state s = position("home={0 3 1 1 0 0; 1 6 3 3 8; 2 6 3 3 8} "
                                 "away={0 3 1 1 0 0; 1 6 3 3 8; 2 6 3 3 8}");
    stand(&s, BB_HOME, 1, 14, 8);
    stand(&s, BB_AWAY, 1, 13, 8);
    struct bb_state t = s;
    check_told(&s, &t, "");
    bb_prone(&t, 0);
    check_told(&s, &t, "  H1 falls\n");
    bb_set(&t, 0, BB_STUNNED);
    check_told(&s, &t, "  H1 is stunned\n");
    static const struct {
        int place;
        const char *words;
    } places[] = {{BB_RESERVES, ""},
                  {BB_KO, "  A1 is knocked out\n"},
                  {BB_CASUALTIES, "  A1 is injured\n"},
                  {BB_DUNGEON, "  A1 is sent off\n"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        t = s;
        bb_remove(&t, BB_TEAM_MAX);
        bb_to_list(&t, BB_TEAM_MAX, (enum bb_place)places[i].place);
        check_told(&s, &t, places[i].words);
        check_told(&t, &t, "");
    }
    for (int team = BB_HOME; team <= BB_AWAY; ++team) {
        t = s;
        t.team[team].score = 2;
        check_told(&s, &t,
                   team ? "  TOUCHDOWN for away: 0 to 2\n" : "  TOUCHDOWN for home: 2 to 0\n");
        check_told(&t, &s, "");
        t = s;
        t.team[team].turn = (uint8_t)(s.team[team].turn + 1);
        check_told(&s, &t, team ? "half 1, turn 1 of away\n" : "half 1, turn 2 of home\n");
    }
    t = s;
    t.ball_out = t.ball_on_ground = 1;
    t.ball = (uint16_t)bb_square(10, 9);
    check_told(&s, &t, "  the ball is at 10,9\n");
    struct bb_state carried = t;
    give_ball(&carried, 0);
    check_told(&t, &carried, "  H1 has the ball\n");
    check_told(&carried, &carried, "");
    check_told(&carried, &t, "  the ball is at 10,9\n");
}

static void sheets_in_words(void **unused)
{
    (void)unused;
    static char text[BANYAN_TEXT_MAX];
    struct bb_state s = position("home={4 3 1 1 1 0; 1 6 3 4 8 DODGE SURE_HANDS; 2 5 2 3 7} "
                                 "away={2 3 1 1 0 0; 7 4 5 1 10}");
    int runner = stand(&s, BB_HOME, 1, 14, 8), giant = stand(&s, BB_AWAY, 1, 13, 8);
    give_ball(&s, runner);
    bb_set(&s, runner, BB_USED);
    bb_prone(&s, giant);
    s.team[BB_AWAY].bribes = 2;
    bb_sheet(&s, text, sizeof text);
    assert_non_null(strstr(text, "home: 4 rerolls, 1 apothecaries, 0 bribes\n"));
    assert_non_null(strstr(text, "away: 2 rerolls, 0 apothecaries, 2 bribes\n"));
    assert_non_null(strstr(text, "H1   MA 6 ST 3 AG 4 AV  8  14,8 standing, has acted, has the "
                                 "ball; dodge, sure hands\n"));
    assert_non_null(strstr(text, "H2   MA 5 ST 2 AG 3 AV  7  reserve\n"));
    assert_non_null(strstr(text, "A7   MA 4 ST 5 AG 1 AV 10  13,8 prone\n"));
}

/* The note on a player: numbers, state, and skills in lower case with blanks; the first and the last of all skills, too. */
static void notes_on_players(void **unused)
{
    (void)unused;
    static struct banyan_board board;
    struct bb_state s = position("home={4 3 1 1 1 0; 1 6 3 4 8 DODGE SURE_HANDS; "
                                 "2 5 2 3 7 THICK_SKULL TIMMMBER} "
                                 "away={2 3 1 1 0 0; 7 4 5 1 10 MIGHTY_BLOW}");
    const struct banyan_game *game;
    stand(&s, BB_HOME, 2, 12, 8);
    bb_prone(&s, stand(&s, BB_AWAY, 1, 13, 8));
    bb_set(&s, stand(&s, BB_HOME, 1, 14, 8), BB_USED);
    assert_int_equal(banyan_game_find("bloodbowl", &game, NULL), BANYAN_OK);
    bb_board(game, &s, -1, &board);
    int found = 0;
    for (int i = 0; i < board.rows * board.cols; ++i) {
        const char *note = board.cells[i].note;
        found += strcmp(note, "MA 5 ST 2 AG 3 AV 7, standing; thick skull, timmmber") == 0;
        found += strcmp(note, "MA 4 ST 5 AG 1 AV 10, prone; mighty blow") == 0;
        found += strcmp(note, "MA 6 ST 3 AG 4 AV 8, standing, has acted; dodge, sure hands") == 0;
    }
    assert_int_equal(found, 3);
}

/* The smallest pitch whole: the columns' numbers, a row for each line of squares, and what stands there. */
static void pitches_are_drawn(void **unused)
{
    (void)unused;
    static char text[BANYAN_TEXT_MAX];
    static const char right[] = "    0  1  2   3  4  5 \n"
                                " 0  #  #  # | #  #  # \n"
                                " 1  # -H2 , | , *A1 # \n"
                                " 2  #  :  . | .  :  # \n"
                                " 3  #  : oh1|>A2 :  # \n"
                                " 4  #  #  # | #  #  # \n"
                                "o ball";
    struct bb_state s;
    struct banyan_error err = {.message = ""};
    const char *setup =
        "home={0 3 1 1 0 0; 1 6 3 3 8; 2 6 3 3 8} away={0 3 1 1 0 0; 1 6 3 3 8; 2 6 "
        "3 3 8}";
    if (bb_parse(&s, 0, setup, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    int carrier = stand(&s, BB_HOME, 1, 2, 3), lying = stand(&s, BB_HOME, 2, 1, 1);
    int stunned = stand(&s, BB_AWAY, 1, 4, 1), active = stand(&s, BB_AWAY, 2, 3, 3);
    give_ball(&s, carrier);
    bb_set(&s, carrier, BB_USED);
    bb_prone(&s, lying);
    bb_prone(&s, stunned);
    bb_set(&s, stunned, BB_STUNNED);
    s.active = (uint8_t)active;
    bb_draw(&s, text, sizeof text);
    if (strncmp(text, right, strlen(right)) != 0)
        fail_msg("drawn:\n%s", text);
    s.weather = BB_VERY_SUNNY;
    bb_draw(&s, text, sizeof text);
    assert_non_null(strstr(text, ", very sunny; away decides: start game\n"));
}

/* --- texts --- */

static void texts_of_teams(void **unused)
{
    static const struct {
        const char *setup;
        bool good;
    } rows[] = {{"home={0 3 1 1 0 0; 1 6 3 3 8}", true},
                {"home={0 3 1 1 0 0; 99 6 3 3 8}", true},
                {"home={0 3 1 1 0 0; 0 6 3 3 8}", false},
                {"home={0 3 1 1 0 0; 100 6 3 3 8}", false},
                {"home={0 3 1 1 0 0; 1 10 10 10 10}", true},
                {"home={0 3 1 1 0 0; 1 1 1 1 1}", true},
                {"home={0 3 1 1 0 0; 1 0 3 3 8}", false},
                {"home={0 3 1 1 0 0; 1 6 3 3 11}", false},
                {"home={16 16 16 16 16 16; 1 6 3 3 8}", true},
                {"home={17 3 1 1 0 0; 1 6 3 3 8}", false},
                {"home={0 3 1 1 0; 1 6 3 3 8}", false},
                {"home={0 3 1 1 0 0}", false},
                {"home={0 3 1 1 0 0; 1 6 3 3 8; 1 6 3 3 8}", false},
                {"home={0 3 1 1 0 0; 1 6 3 3 8 DODGES}", false},
                {"home={0 3 1 1 0 0; 1 6 3 3 8", false},
                {"home=nobody", false},
                {"home=orc away=human", true}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bb_state s;
        struct banyan_error err = {.message = ""};
        bool good = bb_parse(&s, 4, rows[i].setup, &err) == BANYAN_OK;
        if (good != rows[i].good)
            fail_msg("'%s' is %s: %s", rows[i].setup, good ? "taken" : "refused", err.message);
    }
    struct bb_state s = position("home={1 2 3 4 5 6; 7 1 2 3 4 DODGE BLOCK} away={6 5 4 3 2 0; 9 "
                                 "8 7 6 5}");
    const struct bb_team *home = &s.team[BB_HOME], *away = &s.team[BB_AWAY];
    assert_true(home->start_rerolls == 1 && home->rerolls == 1 && home->fan_factor == 2);
    assert_true(home->coaches == 3 && home->cheerleaders == 4 && home->apothecaries == 5);
    assert_true(home->undead == 1 && home->players == 1);
    assert_true(away->start_rerolls == 6 && away->fan_factor == 5 && away->coaches == 4);
    assert_true(away->cheerleaders == 3 && away->apothecaries == 2 && away->undead == 0);
    const struct bb_player *one = &s.player[0];
    assert_true(one->number == 7 && one->ma == 1 && one->st == 2 && one->ag == 3 && one->av == 4);
    assert_true(bb_skilled(&s, 0, BB_SKILL_DODGE) && bb_skilled(&s, 0, BB_SKILL_BLOCK));
    assert_false(bb_skilled(&s, 0, BB_SKILL_CATCH) || bb_skilled(&s, BB_TEAM_MAX, BB_SKILL_BLOCK));
    assert_int_equal(one->skill_count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actions_in_words),  cmocka_unit_test(rolls_in_words),
        cmocka_unit_test(events_in_words),   cmocka_unit_test(sheets_in_words),
        cmocka_unit_test(pitches_are_drawn), cmocka_unit_test(notes_on_players),
        cmocka_unit_test(texts_of_teams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
