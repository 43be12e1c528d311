/* Blood Bowl: where botbowl departs from the rules (docs/games/bloodbowl.md) in the course of a game and in dice, played
 * both ways, each compared with the words of the rule.  The two ways differ in one bit only. */
#include "bloodbowl_deviation.h"

/* Blizzard: going for it needs 3; botbowl subtracts the 1 that makes it harder (deviation 12). */
static void test_blizzard(void **state)
{
    (void)state;
    for (int rules = 0; rules < 2; ++rules) {
        struct bb_state s = deviation(12, rules, "");
        int runner = stand(&s, BB_HOME, 6, 14, 8);
        s.weather = BB_BLIZZARD;
        s.player[runner].moves = 0;
        s.team[BB_HOME].rerolls = 0;
        CHOOSE(&s, START_MOVE, runner, BB_NOWHERE);
        s.player[runner].moves = 6;
        if (rules) {
            PLAY(&s, MOVE, BB_NONE, bb_square(14, 9), DIE(GFI, 6, 2), DIE(ARMOR, 6, 1),
                 DIE(ARMOR, 6, 1));
            assert_int_equal(s.current, BB_AWAY); /* turnover */
        } else {
            PLAY(&s, MOVE, BB_NONE, bb_square(14, 9), DIE(GFI, 6, 2));
            assert_int_equal(s.player[runner].moves, 7);
        }
        assert_int_equal(s.player[runner].square, bb_square(14, 9));
    }
}

/* A stab hurts from AV + 1 on, in botbowl from AV on (deviation 20). */
static void test_stab(void **state)
{
    (void)state;
    for (int rules = 0; rules < 2; ++rules) {
        struct bb_state s = deviation(20, rules, "home={3 3 1 1 0 0; 1 6 3 3 8 STAB}");
        int killer = stand(&s, BB_HOME, 1, 14, 8), victim = stand(&s, BB_AWAY, 6, 13, 8);
        CHOOSE(&s, START_BLOCK, killer, BB_NOWHERE);
        if (rules)
            PLAY(&s, STAB, BB_NONE, bb_square(13, 8), DIE(STAB, 6, 4), DIE(STAB, 6, 4));
        else
            PLAY(&s, STAB, BB_NONE, bb_square(13, 8), DIE(STAB, 6, 4), DIE(STAB, 6, 4),
                 DIE(INJURY, 6, 1), DIE(INJURY, 6, 1));
        assert_int_equal(bb_is(&s, victim, BB_STUNNED), !rules);
        assert_true(bb_is(&s, killer, BB_USED));
    }
}

/* Tentacles hold on 5 or less, and end the activation; in botbowl 5 gets away (deviation 11). */
static void test_tentacles(void **state)
{
    (void)state;
    for (int rules = 0; rules < 2; ++rules) {
        struct bb_state s = deviation(11, rules, "away={3 3 1 1 0 0; 1 6 3 3 8 TENTACLES}");
        int runner = stand(&s, BB_HOME, 6, 14, 8);
        stand(&s, BB_AWAY, 1, 13, 8);
        s.team[BB_HOME].rerolls = 0;
        CHOOSE(&s, START_MOVE, runner, BB_NOWHERE);
        if (rules) {
            PLAY(&s, MOVE, BB_NONE, bb_square(15, 8), DIE(TENTACLES, 6, 2), DIE(TENTACLES, 6, 3));
            assert_int_equal(s.player[runner].square, bb_square(14, 8));
            assert_true(bb_is(&s, runner, BB_USED));
        } else {
            PLAY(&s, MOVE, BB_NONE, bb_square(15, 8), DIE(TENTACLES, 6, 2), DIE(TENTACLES, 6, 3),
                 DIE(DODGE, 6, 3));
            assert_int_equal(s.player[runner].square, bb_square(15, 8));
            assert_false(bb_is(&s, runner, BB_USED));
        }
    }
}

/* An apothecary's second roll is a D68, in botbowl the sum of the dice (deviation 16); a patched-up
 * player is ready again. */
static void test_apothecary(void **state)
{
    (void)state;
    for (int rules = 0; rules < 2; ++rules) {
        struct bb_state s = deviation(16, rules, "home={3 3 1 1 1 0; 1 6 3 3 8; 2 6 3 3 8}");
        int runner = stand(&s, BB_HOME, 1, 14, 8);
        stand(&s, BB_AWAY, 6, 13, 8);
        s.team[BB_HOME].rerolls = 0;
        CHOOSE(&s, START_MOVE, runner, BB_NOWHERE);
        PLAY(&s, MOVE, BB_NONE, bb_square(15, 8), DIE(DODGE, 6, 1), DIE(ARMOR, 6, 5),
             DIE(ARMOR, 6, 6), DIE(INJURY, 6, 5), DIE(INJURY, 6, 5), DIE(CASUALTY, 6, 6),
             DIE(CASUALTY, 8, 1));
        PLAY(&s, USE_APOTHECARY, BB_NONE, BB_NOWHERE, DIE(APOTHECARY, 6, 5), DIE(APOTHECARY, 8, 8));
        CHOOSE(&s, SELECT_SECOND_ROLL, BB_NONE, BB_NOWHERE);
        assert_int_equal(s.player[runner].injuries,
                         rules ? BB_INJURY_MNG | BB_INJURY_ST << 4 : BB_INJURY_NONE);
        assert_int_equal(s.team[BB_HOME].apothecaries, 0);
    }
}

/* A wild animal that does nothing has used the blitz all the same, but not in botbowl (8). */
static void test_failed_trait(void **state)
{
    (void)state;
    for (int rules = 0; rules < 2; ++rules) {
        struct bb_state s =
            deviation(8, rules, "home={0 3 1 1 0 0; 1 6 3 3 8 BONE_HEAD; 2 6 3 3 8}");
        int ogre = stand(&s, BB_HOME, 1, 14, 8);
        stand(&s, BB_HOME, 2, 16, 8);
        PLAY(&s, START_BLITZ, ogre, BB_NOWHERE, DIE(BONE_HEAD, 6, 1));
        assert_true(bb_is(&s, ogre, BB_BONE_HEADED));
        assert_int_equal((bb_turn_frame(&s)->bits & BB_TURN_BLITZ) != 0, !rules);
    }
}

/* A kick scatters as far as a die says; in botbowl it never scatters on the smallest pitch (1). */
static void test_kick(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s;
        assert_int_equal(bb_parse(&s, 0, "", NULL), BANYAN_OK);
        s.quirks = BB_ALL_QUIRKS & ~(rules ? (uint64_t)2 : 0);
        s.depth = 0;
        s.kick_drive = BB_AWAY; /* so home, on the right, receives */
        s.ball_out = 1;
        s.ball = (uint16_t)bb_square(3, 2);
        start(&s, BB_END_GAME, BB_NOBODY);
        start(&s, BB_PLACE_BALL, BB_NOBODY);
        start(&s, BB_SCATTER, BB_NOBODY);
        s.frame[s.depth - 1].bits |= BB_BALL_KICK;
        PLAY(&s, NOTHING, BB_NONE, BB_NOWHERE, DIE(SCATTER, 8, 5), DIE(SCATTER, 6, 1));
        assert_int_equal(s.ball, bb_square(rules ? 4 : 3, 2));
    }
}

/* Sweltering heat: "roll a D6 for each player on the pitch at the end of a drive; on a 1 the player
 * collapses and may not be set up for the next kick-off" (3). */
static void test_heat(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(3, rules, "");
        int runner = stand(&s, BB_HOME, 6, 14, 8);
        s.weather = BB_SWELTERING_HEAT;
        start(&s, BB_SETUP, BB_HOME);
        start(&s, BB_CLEAR_BOARD, BB_NOBODY);
        PLAY(&s, NOTHING, BB_NONE, BB_NOWHERE, DIE(HEAT, 6, 1));
        assert_true(bb_is(&s, runner, BB_HEATED));
        static struct bb_choices list;
        bb_list(&s, &list, false);
        bool may = false;
        for (int i = 0; i < list.choice[0].player_count; ++i)
            may |= list.option[list.choice[0].first_player + i].player == runner;
        assert_int_equal(may, !rules);
    }
}

/* "Each coach sets up eleven players, or all he has if they are fewer" (4). */
static void test_short_team(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(4, rules, "");
        s.kick_drive = BB_AWAY;
        for (int i = 1; i <= 10; ++i)
            stand(&s, BB_HOME, i, i < 6 ? 14 : 17, 5 + i % 5);
        assert_int_equal(bb_setup_legal(&s, BB_HOME), !rules);
        stand(&s, BB_HOME, 11, 20, 8);
        assert_true(bb_setup_legal(&s, BB_HOME));
    }
}

/* A throw-in ends with the ball over home's runner in the end zone, in the other side's turn. */
static struct bb_state away_turn(int bit, int rules)
{
    struct bb_state s = deviation(bit, rules, "");
    static const bool all[4] = {true, true, true, true};
    int runner = stand(&s, BB_HOME, 6, 1, 8), pusher = stand(&s, BB_AWAY, 6, 3, 8);
    s.current = BB_AWAY;
    s.team[BB_AWAY].turn = 1;
    bb_state_resume(&s, 0, all);
    s.ball_out = s.ball_on_ground = 1;
    s.ball = (uint16_t)bb_square(1, 8);
    (void)pusher;
    struct bb_play p = {.s = &s};
    struct bb_frame *f = bb_run_for(&p, BB_CATCH, runner);
    f->bits = BB_STARTED;
    return s;
}

static void set_up(struct bb_state *s)
{
    for (int i = 0; i < 2; ++i) {
        int type = bb_asked(s) == s->kick_drive ? BB_DO_SETUP_FORMATION_SPREAD
                                                : BB_DO_SETUP_FORMATION_WEDGE;
        play(s, type, BB_NONE, BB_NOWHERE, no_dice, 0);
        CHOOSE(s, END_SETUP, BB_NONE, BB_NOWHERE);
    }
}

/* "If a team scores in the opponent's turn, it moves its turn marker one space along: the players are
 * too busy celebrating" (5).  Home plays first: it would be on turn after this one. */
static void test_scoring_turn(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = away_turn(5, rules);
        PLAY(&s, NOTHING, BB_NONE, BB_NOWHERE, DIE(CATCH, 6, 6));
        assert_int_equal(s.team[BB_HOME].score, 1);
        set_up(&s);
        PLAY(&s, PLACE_BALL, BB_NONE, bb_square(5, 8), DIE(SCATTER, 8, 2), DIE(SCATTER, 6, 1),
             DIE(KICKOFF, 6, 1), DIE(KICKOFF, 6, 1), DIE(BOUNCE, 8, 2));
        assert_int_equal(s.current, rules ? BB_AWAY : BB_HOME);
        assert_int_equal(s.round, 2);
        assert_int_equal(s.team[BB_HOME].turn, 2);
    }
}

/* No drive begins without a turn left.  Here both teams have played their eighth turn; botbowl
 * checks only the counter of the team that was not on turn (36). */
static void test_next_drive(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = away_turn(36, rules);
        s.round = s.team[BB_AWAY].turn = 8;
        s.team[BB_HOME].turn = 7; /* as after a riot */
        PLAY(&s, NOTHING, BB_NONE, BB_NOWHERE, DIE(CATCH, 6, 6));
        assert_int_equal(s.team[BB_HOME].score, 1);
        assert_int_equal(s.half, rules ? 2 : 1);
    }
}

static struct bb_state kick_off(int bit, int rules)
{
    struct bb_state s = deviation(bit, rules, "");
    s.kick_drive = BB_AWAY;
    s.ball_out = 1;
    s.ball = (uint16_t)bb_square(20, 8);
    stand(&s, BB_HOME, 6, 20, 8);
    start(&s, BB_LAND_KICK, BB_NOBODY);
    start(&s, BB_KICKOFF_TABLE, BB_NOBODY);
    return s;
}

/* Riot: "roll a D6; on 1-3 both turn markers move forward, on 4-6 back" (6). */
static void test_riot(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = kick_off(6, rules);
        s.round = s.team[BB_HOME].turn = s.team[BB_AWAY].turn = 3;
        PLAY(&s, NOTHING, BB_NONE, BB_NOWHERE, DIE(KICKOFF, 6, 1), DIE(KICKOFF, 6, 2),
             DIE(RIOT, 6, 5), DIE(CATCH, 6, 6));
        assert_int_equal(s.round, rules ? 2 : 3);
    }
}

/* Changing Weather: "if the new result was Nice, a gentle gust makes the ball scatter one extra square"
 * (7): also when it was not nice before. */
static void test_gust(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = kick_off(7, rules);
        s.weather = BB_BLIZZARD;
        if (rules)
            PLAY(&s, NOTHING, BB_NONE, BB_NOWHERE, DIE(KICKOFF, 6, 3), DIE(KICKOFF, 6, 4),
                 DIE(WEATHER, 6, 3), DIE(WEATHER, 6, 4), DIE(SCATTER, 8, 5), DIE(BOUNCE, 8, 2));
        else
            PLAY(&s, NOTHING, BB_NONE, BB_NOWHERE, DIE(KICKOFF, 6, 3), DIE(KICKOFF, 6, 4),
                 DIE(WEATHER, 6, 3), DIE(WEATHER, 6, 4), DIE(CATCH, 6, 6));
        assert_int_equal(s.ball, rules ? bb_square(21, 7) : bb_square(20, 8));
    }
}

/* Standing up costs three squares, the block of a blitz one.  MA 6 and two squares of going for it
 * are eight, of which four are left; botbowl charges seven (9). */
static void test_blitz_stand_up(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(9, rules, "");
        int runner = stand(&s, BB_HOME, 6, 14, 8), victim = stand(&s, BB_AWAY, 6, 13, 8);
        bb_prone(&s, runner);
        s.team[BB_HOME].rerolls = 0;
        CHOOSE(&s, START_BLITZ, runner, BB_NOWHERE);
        PLAY(&s, BLOCK, BB_NONE, s.player[victim].square, DIE(BLOCK, 6, 3));
        assert_int_equal(s.player[runner].moves, rules ? 4 : 7);
    }
}

/* "A player who is prone may do nothing but stand up" (10). */
static void test_crawl(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(10, rules, "");
        int runner = stand(&s, BB_HOME, 6, 14, 8);
        bb_prone(&s, runner);
        CHOOSE(&s, START_MOVE, runner, BB_NOWHERE);
        assert_int_equal(offered(&s, BB_DO_MOVE, bb_square(15, 8)), !rules);
        assert_true(offered(&s, BB_DO_STAND_UP, BB_NOWHERE));
    }
}

/* Frenzy: "if the first block pushed him back and he still stands, the player must follow up and throw a
 * second block; in a blitz it costs a square" (13, 14). */
static void test_frenzy(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(13, rules, "home={0 3 1 1 0 0; 1 6 3 3 8 FRENZY}");
        int killer = stand(&s, BB_HOME, 1, 14, 8);
        stand(&s, BB_AWAY, 6, 13, 8);
        CHOOSE(&s, START_BLITZ, killer, BB_NOWHERE);
        PLAY(&s, BLOCK, BB_NONE, bb_square(13, 8), DIE(BLOCK, 6, 3));
        CHOOSE(&s, SELECT_PUSH, BB_NONE, BB_NOWHERE);
        PLAY(&s, PUSH, BB_NONE, bb_square(12, 8), DIE(BLOCK, 6, 3));
        assert_int_equal(s.player[killer].moves, rules ? 2 : 1);
    }
    BOTH(rules)
    {
        struct bb_state s = deviation(14, rules,
                                      "home={0 3 1 1 0 0; 1 6 3 3 8 FRENZY BLOCK} "
                                      "away={0 3 1 1 0 0; 1 6 3 3 8 BLOCK}");
        int killer = stand(&s, BB_HOME, 1, 14, 8);
        stand(&s, BB_AWAY, 1, 13, 8);
        CHOOSE(&s, START_BLITZ, killer, BB_NOWHERE);
        PLAY(&s, BLOCK, BB_NONE, bb_square(13, 8), DIE(BLOCK, 6, 2));
        if (rules)
            CHOOSE(&s, SELECT_BOTH_DOWN, BB_NONE, BB_NOWHERE);
        else
            PLAY(&s, SELECT_BOTH_DOWN, BB_NONE, BB_NOWHERE, DIE(BLOCK, 6, 1));
        assert_int_equal(s.frame[s.depth - 1].procedure, rules ? BB_BLITZ_ACTION : BB_BLOCK);
    }
}

/* Dirty Player: "+1 to the armour roll or to the injury roll": kept for the injury where the armour breaks
 * anyway (15).  4 + 4 on AV 7 breaks it; 3 + 4 and 1 knock out. */
static void test_dirty_player(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(15, rules,
                                      "home={0 3 1 1 0 0; 1 6 3 3 8 DIRTY_PLAYER} "
                                      "away={0 3 1 1 0 0; 1 6 3 3 7}");
        int fouler = stand(&s, BB_HOME, 1, 14, 8), victim = stand(&s, BB_AWAY, 1, 13, 8);
        bb_prone(&s, victim);
        CHOOSE(&s, START_FOUL, fouler, BB_NOWHERE);
        PLAY(&s, FOUL, BB_NONE, bb_square(13, 8), DIE(ARMOR, 6, 3), DIE(ARMOR, 6, 5),
             DIE(INJURY, 6, 3), DIE(INJURY, 6, 4));
        assert_int_equal(bb_is(&s, victim, BB_KNOCKED_OUT), rules);
        assert_int_equal(bb_is(&s, victim, BB_STUNNED), !rules);
    }
}

/* A ball thrown back by the crowd belongs to no team (17); this shows while a catcher decides about
 * a reroll. */
static void test_throw_in(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(17, rules, "");
        stand(&s, BB_HOME, 6, 14, 3);
        s.ball_out = s.ball_on_ground = s.ball_carried = 1;
        struct bb_play p = {.s = &s};
        bb_run(&p, BB_THROW_IN)->square = (uint16_t)bb_square(14, 1);
        PLAY(&s, NOTHING, BB_NONE, BB_NOWHERE, DIE(THROW_IN, 3, 2), DIE(THROW_IN, 6, 1),
             DIE(THROW_IN, 6, 1), DIE(CATCH, 6, 1));
        assert_int_equal(s.frame[s.depth - 1].procedure, BB_REROLL);
        assert_int_equal(s.ball_carried, !rules);
    }
}

/* Safe Throw: "a fumble not on a 1 is no turnover, the player keeps the ball" (18).  A long bomb in two
 * tackle zones: 3 - 2 - 2. */
static void test_safe_throw(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(18, rules, "home={0 3 1 1 0 0; 1 6 3 3 8 SAFE_THROW}");
        int thrower = stand(&s, BB_HOME, 1, 14, 8);
        stand(&s, BB_AWAY, 6, 15, 7);
        stand(&s, BB_AWAY, 7, 15, 9);
        give_ball(&s, thrower);
        CHOOSE(&s, START_PASS, thrower, BB_NOWHERE);
        PLAY(&s, PASS, BB_NONE, bb_square(4, 8), DIE(PASS, 6, 3));
        assert_int_equal(bb_carries(&s, thrower), rules);
        assert_int_equal(s.current, BB_HOME);
    }
}

/* Landing: "-1 for each opposing tackle zone on the square" (19). */
static void test_landing(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(19, rules, "home={0 3 1 1 0 0; 1 6 3 3 8 RIGHT_STUFF}");
        int flyer = stand(&s, BB_HOME, 1, 14, 8);
        stand(&s, BB_AWAY, 6, 15, 8);
        struct bb_play p = {.s = &s};
        bb_run_for(&p, BB_LAND, flyer);
        if (rules)
            PLAY(&s, NOTHING, BB_NONE, BB_NOWHERE, DIE(LAND, 6, 4), DIE(ARMOR, 6, 1),
                 DIE(ARMOR, 6, 1));
        else
            PLAY(&s, NOTHING, BB_NONE, BB_NOWHERE, DIE(LAND, 6, 4));
        assert_int_equal(bb_is(&s, flyer, BB_UP), !rules);
    }
}

/* Dump-Off: "a quick pass when he would be blocked": nothing but a quick pass, and the attacker's own
 * pass action is not used up (21). */
static void test_dump_off(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s =
            deviation(21, rules, "away={0 3 1 1 0 0; 1 6 3 3 8 DUMP_OFF; 2 6 3 3 8}");
        int attacker = stand(&s, BB_HOME, 6, 14, 8), runner = stand(&s, BB_AWAY, 1, 13, 8);
        stand(&s, BB_AWAY, 2, 11, 8);
        give_ball(&s, runner);
        CHOOSE(&s, START_BLOCK, attacker, BB_NOWHERE);
        CHOOSE(&s, BLOCK, BB_NONE, bb_square(13, 8));
        CHOOSE(&s, USE_SKILL, BB_NONE, BB_NOWHERE);
        assert_int_equal(bb_asked(&s), BB_AWAY);
        assert_true(offered(&s, BB_DO_PASS, bb_square(11, 8)));
        assert_int_equal(offered(&s, BB_DO_MOVE, BB_NOWHERE), !rules);
        assert_int_equal((bb_turn_frame(&s)->bits & BB_TURN_PASS) != 0, rules);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blizzard),       cmocka_unit_test(test_stab),
        cmocka_unit_test(test_tentacles),      cmocka_unit_test(test_apothecary),
        cmocka_unit_test(test_failed_trait),   cmocka_unit_test(test_kick),
        cmocka_unit_test(test_heat),           cmocka_unit_test(test_short_team),
        cmocka_unit_test(test_scoring_turn),   cmocka_unit_test(test_next_drive),
        cmocka_unit_test(test_riot),           cmocka_unit_test(test_gust),
        cmocka_unit_test(test_blitz_stand_up), cmocka_unit_test(test_crawl),
        cmocka_unit_test(test_frenzy),         cmocka_unit_test(test_dirty_player),
        cmocka_unit_test(test_throw_in),       cmocka_unit_test(test_safe_throw),
        cmocka_unit_test(test_landing),        cmocka_unit_test(test_dump_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
