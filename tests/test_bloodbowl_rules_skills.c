/* Blood Bowl: where botbowl departs from the rules (docs/games/bloodbowl.md) in skills, paths and fouls, played
 * both ways, each compared with the words of the rule.  The two ways differ in one bit only. */
#include "bloodbowl_deviation.h"

/* A coach decides whether a skill is used; if it is not used, the team's reroll still may be
 * (22). */
static void test_asked_skill(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(22, rules, "home={3 3 1 1 0 0; 1 6 3 3 8 DODGE}");
        int runner = stand(&s, BB_HOME, 1, 14, 8);
        stand(&s, BB_AWAY, 6, 13, 8);
        CHOOSE(&s, START_MOVE, runner, BB_NOWHERE);
        if (rules) {
            PLAY(&s, MOVE, BB_NONE, bb_square(15, 8), DIE(DODGE, 6, 1));
            struct bb_state no = s;
            CHOOSE(&no, DONT_USE_SKILL, BB_NONE, BB_NOWHERE);
            PLAY(&no, USE_REROLL, BB_NONE, BB_NOWHERE, DIE(DODGE, 6, 6));
            assert_int_equal(no.team[BB_HOME].rerolls, 2);
            assert_int_equal(no.player[runner].used, 0);
            PLAY(&s, USE_SKILL, BB_NONE, BB_NOWHERE, DIE(DODGE, 6, 6));
        } else {
            PLAY(&s, MOVE, BB_NONE, bb_square(15, 8), DIE(DODGE, 6, 1), DIE(DODGE, 6, 6));
        }
        assert_int_equal(s.player[runner].used, BB_USED_DODGE);
        assert_int_equal(s.team[BB_HOME].rerolls, 3);
    }
}

/* Diving Tackle: "after an opposing player attempts to dodge ... he must subtract 2", and "may be used on a
 * re-rolled dodge if not declared for use on the first" (23): once the die is seen. */
static void test_diving_tackle(void **state)
{
    (void)state;
    const char *setup = "away={0 3 1 1 0 0; 1 6 3 3 8 DIVING_TACKLE}";
    struct bb_state s = deviation(23, 0, setup), rules = deviation(23, 1, setup);
    int runner = stand(&s, BB_HOME, 6, 14, 8), diver = stand(&s, BB_AWAY, 1, 13, 8);
    stand(&rules, BB_HOME, 6, 14, 8);
    stand(&rules, BB_AWAY, 1, 13, 8);
    CHOOSE(&s, START_MOVE, runner, BB_NOWHERE);
    CHOOSE(&s, MOVE, BB_NONE, bb_square(15, 8)); /* asked before the roll */
    assert_int_equal(bb_asked(&s), BB_AWAY);

    CHOOSE(&rules, START_MOVE, runner, BB_NOWHERE);
    struct bb_state high = rules, low = rules;
    PLAY(&high, MOVE, BB_NONE, bb_square(15, 8),
         DIE(DODGE, 6, 5)); /* 5 + 1 - 2 is enough, so the coach is not asked */
    assert_int_equal(high.player[runner].square, bb_square(15, 8));
    PLAY(&low, MOVE, BB_NONE, bb_square(15, 8), DIE(DODGE, 6, 1));
    PLAY(&low, USE_REROLL, BB_NONE, BB_NOWHERE, DIE(DODGE, 6, 4)); /* declared on the reroll */
    assert_int_equal(bb_asked(&low), BB_AWAY);
    PLAY(&low, USE_SKILL, diver, BB_NOWHERE, DIE(ARMOR, 6, 1), DIE(ARMOR, 6, 1));
    assert_int_equal(low.current, BB_AWAY);
    assert_int_equal(low.player[diver].square, bb_square(14, 8));
    assert_false(bb_is(&low, diver, BB_UP));
    PLAY(&rules, MOVE, BB_NONE, bb_square(15, 8), DIE(DODGE, 6, 4));
    CHOOSE(&rules, DONT_USE_SKILL, diver, BB_NOWHERE);
    assert_int_equal(rules.player[runner].square, bb_square(15, 8));
    assert_true(bb_is(&rules, runner, BB_UP));
}

/* Leap: "to any empty square within 2 squares", which the rules mean as the leap over something (24). */
static void test_leap(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(24, rules, "home={0 3 1 1 0 0; 1 6 3 3 8 LEAP}");
        int leaper = stand(&s, BB_HOME, 1, 14, 8);
        CHOOSE(&s, START_MOVE, leaper, BB_NOWHERE);
        assert_true(offered(&s, BB_DO_LEAP, bb_square(16, 8)));
        assert_int_equal(offered(&s, BB_DO_LEAP, bb_square(15, 8)), !rules);
    }
}

/* A player who lies on the ground has no Disturbing Presence (25). */
static void test_prone_presence(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(
            25, rules, "away={0 3 1 1 0 0; 1 6 3 3 8 DISTURBING_PRESENCE PREHENSILE_TAIL}");
        int runner = stand(&s, BB_HOME, 6, 14, 8), foul = stand(&s, BB_AWAY, 1, 13, 8);
        assert_int_equal(bb_presence(&s, runner), 1);
        assert_int_equal(bb_dodge_modifier(&s, runner, bb_square(15, 8)), 0);
        bb_prone(&s, foul);
        assert_int_equal(bb_presence(&s, runner), !rules);
        assert_int_equal(bb_dodge_modifier(&s, runner, bb_square(15, 8)), rules ? 1 : 0);
    }
}

/* A bone-headed player "loses his tackle zones and may not assist", Guard or not (26). */
static void test_guard(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(26, rules, "home={0 3 1 1 0 0; 1 6 3 3 8; 2 6 3 3 8 GUARD}");
        int attacker = stand(&s, BB_HOME, 1, 14, 8), guard = stand(&s, BB_HOME, 2, 13, 7);
        int victim = stand(&s, BB_AWAY, 6, 13, 8);
        bb_set(&s, guard, BB_BONE_HEADED);
        assert_int_equal(bb_block_dice(&s, attacker, victim, bb_square(14, 8), false, false),
                         rules ? 1 : 2);
    }
}

/* Take Root: "if he fails the roll as part of a Blitz Action he may not block that turn" (31). */
static void test_rooted_blitz(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(31, rules, "home={0 3 1 1 0 0; 1 6 3 3 8 TAKE_ROOT}");
        int tree = stand(&s, BB_HOME, 1, 14, 8);
        stand(&s, BB_AWAY, 6, 13, 8);
        PLAY(&s, START_BLITZ, tree, BB_NOWHERE, DIE(TAKE_ROOT, 6, 1));
        assert_int_equal(offered(&s, BB_DO_BLOCK, bb_square(13, 8)), !rules);
    }
}

/* A player assists at a foul "if he is not in the tackle zone of any other opponent" than the
 * victim, who lies on the ground and has no tackle zone (34). */
static void test_foul_assist(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(34, rules, "");
        int fouler = stand(&s, BB_HOME, 6, 14, 8), victim = stand(&s, BB_AWAY, 6, 13, 8);
        stand(&s, BB_HOME, 7, 12, 8);
        stand(&s, BB_AWAY, 7, 11, 8); /* takes away the helper's assist alone */
        bb_prone(&s, victim);
        assert_int_equal(bb_foul_modifier(&s, fouler, victim), rules ? 0 : 1);
    }
}

/* A player held by Tentacles does not jump over the square that was not reached (35). */
static void test_held_on_a_path(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s =
            deviation(35, rules, "mode=path away={0 3 1 1 0 0; 1 6 3 3 8 TENTACLES}");
        int runner = stand(&s, BB_HOME, 6, 14, 8);
        stand(&s, BB_AWAY, 1, 13, 8);
        s.team[BB_HOME].rerolls = 0;
        CHOOSE(&s, START_MOVE, runner, BB_NOWHERE);
        struct bb_action path = {.type = BB_DO_MOVE, .length = 2, .path = 4 | 4 << 3};
        const struct banyan_die list[] = {DIE(TENTACLES, 6, 1), DIE(TENTACLES, 6, 1),
                                          DIE(TENTACLES, 6, 6), DIE(TENTACLES, 6, 6),
                                          DIE(DODGE, 6, 6)};
        struct banyan_dice dice;
        banyan_dice_recorded(&dice, list, rules ? 2 : 5);
        bb_apply(&s, &path, &dice);
        assert_false(dice.failed);
        assert_int_equal(s.player[runner].square, rules ? bb_square(14, 8) : bb_square(16, 8));
    }
}

/* The engine's paths by the exact rule are at least as likely as botbowl's, and some are
 * likelier, since of two paths one may keep the reroll of Dodge for later (37). */
static void test_exact_paths(void **state)
{
    (void)state;
    struct banyan_rng rng;
    int better = 0;
    banyan_rng_seed(&rng, 4);
    for (int game = 0; game < 2000 || (better == 0 && game < 20000); ++game) {
        static struct bb_choices one, exact;
        struct bb_state s = position("mode=path home={3 3 1 1 0 0; 1 7 3 3 8 DODGE}");
        int runner = stand(&s, BB_HOME, 1, 8 + (int)banyan_rng_below(&rng, 6), 8);
        for (int i = 1; i <= 11; ++i) {
            int x = 5 + (int)banyan_rng_below(&rng, 13), y = 3 + (int)banyan_rng_below(&rng, 11);
            if (bb_at(&s, bb_square(x, y)) == BB_NONE)
                stand(&s, BB_AWAY, i, x, y);
        }
        CHOOSE(&s, START_BLITZ, runner, BB_NOWHERE);
        bb_list(&s, &one, true);
        s.quirks &= ~((uint64_t)1 << 37);
        bb_list(&s, &exact, true);
        assert_int_equal(one.count, exact.count);
        for (int i = 0; i < one.options; ++i) {
            int k = 0;
            while (k < exact.options && exact.option[k].square != one.option[i].square)
                ++k;
            assert_int_not_equal(k, exact.options);
            assert_true(exact.option[k].probability >= one.option[i].probability - 1e-12);
            better += exact.option[k].probability > one.option[i].probability + 1e-9;
        }
    }
    assert_true(better > 0);
}

/* A player who was hurt in flight is on a square like any other when set up again (38). */
static void test_airborne(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(38, rules, "");
        bb_set(&s, 5, BB_IN_AIR);
        stand(&s, BB_HOME, 6, 14, 8);
        assert_int_equal(bb_at(&s, bb_square(14, 8)), rules ? 5 : BB_NONE);
    }
}

/* Squares before the leap for which the player went for it are not rolled for again (39). */
static void test_leap_gfi(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(39, rules, "home={0 3 1 1 0 0; 1 6 3 3 8 LEAP SPRINT}");
        int leaper = stand(&s, BB_HOME, 1, 14, 8);
        CHOOSE(&s, START_MOVE, leaper, BB_NOWHERE);
        s.player[leaper].moves = 7;
        if (rules)
            PLAY(&s, LEAP, BB_NONE, bb_square(16, 8), DIE(GFI, 6, 6), DIE(GFI, 6, 6),
                 DIE(LEAP, 6, 6));
        else
            PLAY(&s, LEAP, BB_NONE, bb_square(16, 8), DIE(GFI, 6, 6), DIE(GFI, 6, 6),
                 DIE(GFI, 6, 6), DIE(LEAP, 6, 6));
    }
}

/* "Not ejected for rolling doubles on the Armour roll unless the Armour roll was successful" says nothing of
 * the injury roll (40).  AV 8 breaks on 4 + 5; 2 + 2 stuns, 2 + 3 is no double. */
static void test_sneaky_git(void **state)
{
    (void)state;
    BOTH(rules)
    for (int second = 2; second <= 3; ++second) {
        struct bb_state s = deviation(40, rules,
                                      "home={0 3 1 1 0 0; 1 6 3 3 8 SNEAKY_GIT} "
                                      "away={0 3 1 1 0 0; 1 6 3 3 8; 2 6 3 3 8}");
        int fouler = stand(&s, BB_HOME, 1, 14, 8), victim = stand(&s, BB_AWAY, 1, 13, 8);
        stand(&s, BB_AWAY, 2, 3, 3);
        bb_prone(&s, victim);
        CHOOSE(&s, START_FOUL, fouler, BB_NOWHERE);
        PLAY(&s, FOUL, BB_NONE, bb_square(13, 8), DIE(ARMOR, 6, 4), DIE(ARMOR, 6, 5),
             DIE(INJURY, 6, 2), DIE(INJURY, 6, second));
        assert_int_equal(bb_is(&s, fouler, BB_EJECTED), rules && second == 2);
    }
}

/* Mighty Blow: "add 1 to any Armour or Injury roll": to the injury where Claws have broken the armour (41).  4 + 4
 * breaks AV 8 by Claws; 3 + 4 and 1 knock out. */
static void test_mighty_claws(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = deviation(41, rules,
                                      "home={0 3 1 1 0 0; 1 6 3 3 8 MIGHTY_BLOW CLAWS} "
                                      "away={0 3 1 1 0 0; 1 6 3 3 8; 2 6 3 3 8}");
        int killer = stand(&s, BB_HOME, 1, 14, 8), victim = stand(&s, BB_AWAY, 1, 13, 8);
        struct bb_play p = {.s = &s};
        bb_run_knock_down(&p, victim, killer, 0);
        PLAY(&s, NOTHING, BB_NONE, BB_NOWHERE, DIE(ARMOR, 6, 4), DIE(ARMOR, 6, 4),
             DIE(INJURY, 6, 3), DIE(INJURY, 6, 4));
        assert_int_equal(bb_is(&s, victim, BB_KNOCKED_OUT), rules);
        assert_int_equal(bb_is(&s, victim, BB_STUNNED), !rules);
    }
}

/* As botbowl does it and as the rule has it (27, 30, 33): an interception is rerolled by Catch; a kick may
 * be aimed at the end zone; a player who is only stunned by the crowd goes to the reserves. */
static void test_the_same(void **state)
{
    (void)state;
    BOTH(rules)
    {
        struct bb_state s = position(rules ? "quirks=rules" : "quirks=botbowl");
        s.kick_drive = BB_AWAY;
        start(&s, BB_PLACE_BALL, BB_NOBODY);
        assert_true(offered(&s, BB_DO_PLACE_BALL, bb_square(26, 8)));

        s = position(rules ? "quirks=rules" : "quirks=botbowl");
        int pusher = stand(&s, BB_HOME, 6, 14, 2), victim = stand(&s, BB_AWAY, 6, 14, 1);
        s.team[BB_HOME].rerolls = 0;
        CHOOSE(&s, START_BLOCK, pusher, BB_NOWHERE);
        PLAY(&s, BLOCK, BB_NONE, bb_square(14, 1), DIE(BLOCK, 6, 3));
        CHOOSE(&s, SELECT_PUSH, BB_NONE, BB_NOWHERE);
        CHOOSE(&s, PUSH, BB_NONE, bb_square(14, 0));
        PLAY(&s, FOLLOW_UP, BB_NONE, bb_square(14, 1), DIE(INJURY, 6, 1), DIE(INJURY, 6, 2));
        assert_int_equal(s.team[BB_AWAY].list[BB_RESERVES][s.team[BB_AWAY].listed[BB_RESERVES] - 1],
                         victim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_asked_skill),  cmocka_unit_test(test_diving_tackle),
        cmocka_unit_test(test_leap),         cmocka_unit_test(test_prone_presence),
        cmocka_unit_test(test_guard),        cmocka_unit_test(test_rooted_blitz),
        cmocka_unit_test(test_foul_assist),  cmocka_unit_test(test_held_on_a_path),
        cmocka_unit_test(test_exact_paths),  cmocka_unit_test(test_airborne),
        cmocka_unit_test(test_leap_gfi),     cmocka_unit_test(test_sneaky_git),
        cmocka_unit_test(test_mighty_claws), cmocka_unit_test(test_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
