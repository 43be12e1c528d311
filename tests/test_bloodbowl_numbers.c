/* Blood Bowl: the passing table and fouls against values computed by hand from the rules (Competition
 * Rules Pack, LRB 6). */
#include "bloodbowl_position.h"
#include "games/bloodbowl/words.h"

#include <stdlib.h>

/* The range ruler as a formula: a square dx and dy away is within reach when its distance is, in
 * squares: quick pass 3.46 (square 12), short pass 6.93 (48), long pass 10.25 (105), long bomb 12.96
 * (168); straight ahead a long bomb reaches 13.  For example (3,1): 10, quick; (3,2): 13, short; (6,3):
 * 45, short; (5,5): 50, long; (10,2): 104, long; (9,5): 106, bomb; (12,4): 160, bomb; (12,5): 169, too
 * far. */
static int ruler(int dx, int dy)
{
    int square = dx * dx + dy * dy;
    if ((dx == 13 && dy <= 1) || (dy == 13 && dx <= 1))
        return 4;
    return square <= 12 ? 1 : square <= 48 ? 2 : square <= 105 ? 3 : square <= 168 ? 4 : 5;
}

static void ranges_of_passes(void **unused)
{
    (void)unused;
    for (int dy = 0; dy <= 14; ++dy)
        for (int dx = 0; dx <= 20; ++dx) {
            if (dx == 0 && dy == 0)
                continue;
            int range = bb_pass_range(bb_square(1, 1), bb_square(1 + dx, 1 + dy));
            int back = bb_pass_range(bb_square(1 + dx, 1), bb_square(1, 1 + dy));
            if (range != ruler(dx, dy) || back != range)
                fail_msg(
                    "%d squares on and %d aside: range %d, and %d the other way; the ruler says "
                    "%d",
                    dx, dy, range, back, ruler(dx, dy));
        }
}

/* "Quick pass +1, short pass 0, long pass -1, long bomb -2; -1 for each opposing tackle zone"; Very
 * Sunny -1; Accurate +1; Strong Arm +1 to short and long passes and long bombs; Stunty -1 (to passes);
 * Nerves of Steel ignores tackle zones. */
static void modifiers_of_passes(void **unused)
{
    (void)unused;
    const struct {
        const char *skills;
        int zones, sunny, expected[4]; /* by range */
    } cases[] = {{"", 0, 0, {1, 0, -1, -2}},
                 {"", 1, 0, {0, -1, -2, -3}},
                 {"", 2, 1, {-2, -3, -4, -5}},
                 {"ACCURATE", 0, 0, {2, 1, 0, -1}},
                 {"STRONG_ARM", 0, 0, {1, 1, 0, -1}},
                 {"STUNTY", 0, 0, {0, -1, -2, -3}},
                 {"NERVES_OF_STEEL", 2, 0, {1, 0, -1, -2}},
                 {"NERVES_OF_STEEL ACCURATE", 2, 1, {1, 0, -1, -2}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char setup[128];
        snprintf(setup, sizeof setup, "home={0 3 1 1 0 0; 1 6 3 3 8 %s}", cases[i].skills);
        struct bb_state s = position(setup);
        int passer = stand(&s, BB_HOME, 1, 14, 8);
        for (int z = 0; z < cases[i].zones; ++z)
            stand(&s, BB_AWAY, 6 + z, 15, 7 + 2 * z);
        s.weather = cases[i].sunny ? BB_VERY_SUNNY : BB_NICE;
        for (int range = 1; range <= 4; ++range)
            if (bb_pass_modifier(&s, passer, range, false) != cases[i].expected[range - 1])
                fail_msg("%s, %d zones, range %d: %d", cases[i].skills, cases[i].zones, range,
                         bb_pass_modifier(&s, passer, range, false));
    }
}

/* Catching: "+1 accurate pass, +1 hand-off, -1 for each opposing tackle zone"; Pouring Rain -1; Extra Arms +1;
 * Diving Catch +1 to accurate passes; Nerves of Steel ignores tackle zones; an interception -2, with Very Long
 * Legs -1; Disturbing Presence -1.  Picking up: +1, -1 for each zone and for rain; Extra Arms +1; Big Hand ignores
 * zones and rain. */
static void modifiers_of_catches(void **unused)
{
    (void)unused;
    const struct {
        const char *skills;
        int zones, rain, presence;
        int accurate, handoff, scattered, interception, pick_up;
    } cases[] = {{"", 0, 0, 0, 1, 1, 0, -2, 1},
                 {"", 1, 0, 0, 0, 0, -1, -3, 0},
                 {"", 2, 1, 0, -2, -2, -3, -5, -2},
                 {"EXTRA_ARMS", 0, 0, 0, 2, 2, 1, -1, 2},
                 {"DIVING_CATCH", 0, 0, 0, 2, 1, 0, -2, 1},
                 {"NERVES_OF_STEEL", 2, 1, 0, 0, 0, -1, -3, -2},
                 {"VERY_LONG_LEGS", 0, 0, 0, 1, 1, 0, -1, 1},
                 {"BIG_HAND", 2, 1, 0, -2, -2, -3, -5, 1},
                 {"", 0, 0, 1, 0, 0, -1, -3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char setup[200];
        snprintf(setup, sizeof setup,
                 "home={0 3 1 1 0 0; 1 6 3 3 8 %s} away={0 3 1 1 0 0; 1 6 3 3 8; 2 6 3 3 8; 3 6 3 "
                 "3 8 DISTURBING_PRESENCE}",
                 cases[i].skills);
        struct bb_state s = position(setup);
        int catcher = stand(&s, BB_HOME, 1, 14, 8);
        for (int z = 0; z < cases[i].zones; ++z)
            stand(&s, BB_AWAY, 1 + z, 15, 7 + 2 * z);
        if (cases[i].presence)
            stand(&s, BB_AWAY, 3, 11, 8); /* three squares away; two more would be too far */
        s.weather = cases[i].rain ? BB_POURING_RAIN : BB_NICE;
        assert_int_equal(bb_catch_modifier(&s, catcher, BB_CATCH_ACCURATE, false),
                         cases[i].accurate);
        assert_int_equal(bb_catch_modifier(&s, catcher, BB_CATCH_HANDOFF, false), cases[i].handoff);
        assert_int_equal(bb_catch_modifier(&s, catcher, 0, false), cases[i].scattered);
        assert_int_equal(bb_catch_modifier(&s, catcher, 0, true), cases[i].interception);
        assert_int_equal(bb_pickup_modifier(&s, catcher, s.player[catcher].square),
                         cases[i].pick_up);
        assert_int_equal(bb_presence(&s, catcher), cases[i].presence);
        if (!cases[i].presence) {
            stand(&s, BB_AWAY, 3, 10, 8);
            assert_int_equal(bb_presence(&s, catcher), 0);
        }
    }
}

/* Passes to an empty square until the die shows roll: an accurate pass bounces once there, an inaccurate
 * one scatters three times first, a fumble bounces from the passer's square. */
static void check_pass(const struct bb_state *s, int target, int roll, bool accurate, bool fumbled)
{
    struct bb_action action = {.type = BB_DO_PASS, .player = BB_NONE, .square = (uint16_t)target};
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct banyan_die log[32];
    struct bb_state after;
    banyan_rng_seed(&rng, 1);
    banyan_dice_drawn(&dice, &rng);
    do {
        after = *s;
        dice.log = log, dice.log_count = 0, dice.log_max = 32;
        bb_apply(&after, &action, &dice);
        assert_int_equal(log[0].kind, BB_DIE_PASS);
    } while (log[0].value != roll);
    int scatters = 0;
    for (int i = 1; i < dice.log_count; ++i)
        scatters += log[i].kind == BB_DIE_SCATTER;
    bool dropped = scatters == 0 && bb_distance(after.ball, bb_square(14, 8)) <= 1;
    assert_int_equal(scatters, accurate || fumbled ? 0 : 3);
    assert_int_equal(dropped, fumbled);
    assert_int_equal(!dropped && scatters == 0, accurate);
}

/* The agility table: AG 1 needs 6+, 2: 5+, 3: 4+, 4: 3+, 5: 2+, 6: 1+.  A short pass (0) of AG 3 is
 * accurate on 4 and not on 3; a long bomb (-2) of AG 3 fumbles on 3 ("a roll of 1 or less before or
 * after modification": 3 - 2 = 1) and not on 4 (inaccurate: 4 - 2 = 2). */
static void a_pass_by_its_roll(void **unused)
{
    (void)unused;
    for (int ag = 1; ag <= 6; ++ag)
        assert_int_equal(bb_agility(ag), 7 - ag);
    const struct {
        int distance, roll;
        bool accurate, fumbled;
    } cases[] = {{5, 4, true, false},  {5, 3, false, false},  {5, 2, false, false},
                 {3, 3, true, false},  {3, 2, false, false},  {3, 1, false, true},
                 {9, 5, true, false},  {9, 4, false, false},  {9, 2, false, true},
                 {12, 6, true, false}, {12, 5, false, false}, {12, 4, false, false},
                 {12, 3, false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct bb_state s = position("home={0 3 1 1 0 0; 1 6 3 3 8}");
        int passer = stand(&s, BB_HOME, 1, 14, 8);
        int target = bb_square(14 - cases[i].distance, 8);
        s.team[BB_HOME].rerolls = 0;
        s.weather = BB_NICE;
        give_ball(&s, passer);
        CHOOSE(&s, START_PASS, passer, BB_NOWHERE);
        check_pass(&s, target, cases[i].roll, cases[i].accurate, cases[i].fumbled);
    }
}

/* --- fouls --- */

/* The referee: "if the armour roll or the injury roll is a double, the player is sent off".  Sneaky Git:
 * "is not ejected for rolling doubles on the Armour roll unless the Armour roll was successful".  AV 8
 * breaks on 9 or more: 5 + 5 does, 4 + 4 does not.  Injury: 2 + 3 stuns. */
static void who_fouls_is_seen(void **unused)
{
    (void)unused;
    const struct {
        const char *skill;
        int armor[2], injury[2]; /* 0: not rolled */
        bool sent_off;
    } cases[] = {{"", {4, 4}, {0, 0}, true},
                 {"", {3, 5}, {0, 0}, false},
                 {"", {5, 5}, {2, 3}, true},
                 {"", {4, 5}, {2, 3}, false},
                 {"", {4, 5}, {2, 2}, true},
                 {"SNEAKY_GIT", {4, 4}, {0, 0}, false},
                 {"SNEAKY_GIT", {1, 1}, {0, 0}, false},
                 {"SNEAKY_GIT", {5, 5}, {2, 3}, true},
                 {"SNEAKY_GIT", {4, 5}, {2, 3}, false},
                 {"SNEAKY_GIT", {3, 5}, {0, 0}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char setup[128];
        snprintf(setup, sizeof setup,
                 "home={0 3 1 1 0 0; 1 6 3 3 8 %s} away={0 3 1 1 0 0; 1 6 3 3 8; 2 6 3 3 8}",
                 cases[i].skill);
        struct bb_state s = position(setup);
        int fouler = stand(&s, BB_HOME, 1, 14, 8), victim = stand(&s, BB_AWAY, 1, 13, 8);
        stand(&s, BB_AWAY, 2, 3, 3);
        bb_prone(&s, victim);
        CHOOSE(&s, START_FOUL, fouler, BB_NOWHERE);
        const struct banyan_die list[] = {
            DIE(ARMOR, 6, cases[i].armor[0]), DIE(ARMOR, 6, cases[i].armor[1]),
            DIE(INJURY, 6, cases[i].injury[0]), DIE(INJURY, 6, cases[i].injury[1])};
        play(&s, BB_DO_FOUL, BB_NONE, bb_square(13, 8), list, cases[i].injury[0] ? 4 : 2);
        if (bb_is(&s, fouler, BB_EJECTED) != cases[i].sent_off)
            fail_msg("%s, armour %d + %d, injury %d + %d", cases[i].skill, cases[i].armor[0],
                     cases[i].armor[1], cases[i].injury[0], cases[i].injury[1]);
        assert_int_equal(s.current, cases[i].sent_off ? BB_AWAY : BB_HOME); /* a turnover */
        /* a stunned player is face down in the own turn, and may do nothing */
        assert_int_equal(bb_is(&s, victim, cases[i].sent_off ? BB_USED : BB_STUNNED),
                         cases[i].injury[0] != 0);
    }
}

/* --- chances in words --- */

static const char *described(const struct bb_state *s, int type, int square)
{
    static char text[BANYAN_TEXT_MAX];
    struct bb_action action = {
        .type = (uint8_t)type, .player = BB_NONE, .square = (uint16_t)square};
    bb_describe(s, &action, text, sizeof text);
    return text;
}

/* Faces of a block die, of which there are six: attacker down, both down, two pushes, stumbles, down. */
enum { FACE_ATTACKER, FACE_BOTH, FACE_PUSH, FACE_PUSH_TOO, FACE_STUMBLES, FACE_DOWN };

static bool hits(int face, bool block, bool defender_block, bool dodge, bool tackle)
{
    return face == FACE_DOWN || (face == FACE_STUMBLES && (!dodge || tackle)) ||
           (face == FACE_BOTH && block && !defender_block);
}

static bool misses(int face, bool block)
{
    return face == FACE_ATTACKER || (face == FACE_BOTH && !block);
}

/* Of all rolls of n dice: the stronger side takes the face it likes best, so it needs one, the other all. */
static void roll_all(int n, bool strong, const bool hit[6], const bool miss[6], double chances[2])
{
    int rolls = 1, down = 0, fall = 0;
    for (int i = 0; i < n; ++i)
        rolls *= 6;
    for (int roll = 0; roll < rolls; ++roll) {
        int hit_count = 0, miss_count = 0;
        for (int i = 0, left = roll; i < n; ++i, left /= 6) {
            hit_count += hit[left % 6];
            miss_count += miss[left % 6];
        }
        down += strong ? hit_count > 0 : hit_count == n;
        fall += strong ? miss_count == n : miss_count > 0;
    }
    chances[0] = 100.0 * down / rolls;
    chances[1] = 100.0 * fall / rolls;
}

static void check_block(int own, int other, int dice, const char *skills, const char *theirs)
{
    char setup[200], right[96];
    bool block = strstr(skills, "BLOCK"), tackle = strstr(skills, "TACKLE"), hit[6], miss[6];
    double chances[2];
    int n = abs(dice);
    snprintf(setup, sizeof setup,
             "home={0 3 1 1 0 0; 1 6 %d 3 8 %s} away={0 3 1 1 0 0; 1 6 %d 3 8 %s}", own, skills,
             other, theirs);
    struct bb_state s = position(setup);
    int attacker = stand(&s, BB_HOME, 1, 14, 8);
    stand(&s, BB_AWAY, 1, 13, 8);
    CHOOSE(&s, START_BLOCK, attacker, BB_NOWHERE);
    for (int face = 0; face < 6; ++face) {
        hit[face] = hits(face, block, strstr(theirs, "BLOCK"), strstr(theirs, "DODGE"), tackle);
        miss[face] = misses(face, block);
    }
    roll_all(n, dice > 0, hit, miss, chances);
    snprintf(right, sizeof right, "\t%d %s, %s; A1 falls %.0f %%, H1 %.0f %%", n,
             n == 1 ? "die" : "dice",
             n == 1     ? "no choice"
             : dice > 0 ? "you choose"
                        : "they choose",
             chances[0], chances[1]);
    const char *text = described(&s, BB_DO_BLOCK, bb_square(13, 8));
    if (!strstr(text, right) || strlen(strstr(text, right)) != strlen(right))
        fail_msg("%s: '%s' does not end with '%s'", setup, text, right);
}

static void blocks_in_words(void **unused)
{
    static const char *const own[] = {"", "BLOCK", "TACKLE", "BLOCK TACKLE"};
    static const char *const theirs[] = {"", "BLOCK", "DODGE", "BLOCK DODGE"};
    static const int strengths[][3] = {{3, 3, 1},  {4, 3, 2}, {7, 3, 3}, {3, 4, -2},
                                       {3, 7, -3}, {6, 3, 2}, {3, 6, -2}};
    (void)unused;
    for (size_t i = 0; i < sizeof strengths / sizeof *strengths; ++i)
        for (int a = 0; a < 4; ++a)
            for (int d = 0; d < 4; ++d)
                check_block(strengths[i][0], strengths[i][1], strengths[i][2], own[a], theirs[d]);
}

/* AG 3 throws accurately with 4 or more; the range and one tackle zone change what is needed. */
static void passes_in_words(void **unused)
{
    static const struct {
        int x, zones;
        const char *right;
    } cases[] = {{11, 0, "accurate with 3+: 67 %"}, {8, 0, "accurate with 4+: 50 %"},
                 {4, 0, "accurate with 5+: 33 %"},  {2, 0, "accurate with 6+: 17 %"},
                 {11, 1, "accurate with 4+: 50 %"}, {8, 2, "accurate with 6+: 17 %"}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct bb_state s = position("home={0 3 1 1 0 0; 1 6 3 3 8} away={0 3 1 1 0 0; 1 6 3 3 8; "
                                     "2 6 3 3 8}");
        int passer = stand(&s, BB_HOME, 1, 14, 8);
        for (int z = 0; z < cases[i].zones; ++z)
            stand(&s, BB_AWAY, 1 + z, 15, 7 + 2 * z);
        give_ball(&s, passer);
        CHOOSE(&s, START_PASS, passer, BB_NOWHERE);
        const char *text = described(&s, BB_DO_PASS, bb_square(cases[i].x, 8));
        if (!strstr(text, cases[i].right))
            fail_msg("to %d: '%s' lacks '%s'", cases[i].x, text, cases[i].right);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modifiers_of_catches), cmocka_unit_test(ranges_of_passes),
        cmocka_unit_test(modifiers_of_passes),  cmocka_unit_test(a_pass_by_its_roll),
        cmocka_unit_test(who_fouls_is_seen),    cmocka_unit_test(blocks_in_words),
        cmocka_unit_test(passes_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
