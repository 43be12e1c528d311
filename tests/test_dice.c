/* Dice drawn, recorded and enumerated. */
#include <banyan/dice.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ATTACK, DAMAGE, LUCK, ORDER };

static struct banyan_rng stream(uint64_t seed)
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, seed);
    return rng;
}

static bool near(double a, double b, double slack)
{
    return fabs(a - b) < slack;
}

/* --- drawn --- */

static void test_drawn_shares(void **unused)
{
    (void)unused;
    struct banyan_rng rng = stream(1);
    struct banyan_dice dice;
    int face[7] = {0}, index[4] = {0}, tests = 0, chances = 0, n = 60000;
    banyan_dice_drawn(&dice, &rng);
    for (int i = 0; i < n; ++i) {
        int rolled = banyan_dice_roll(&dice, ATTACK, 6), picked = banyan_dice_pick(&dice, LUCK, 4);
        assert_in_range(rolled, 1, 6);
        assert_in_range(picked, 0, 3);
        ++face[rolled];
        ++index[picked];
        tests += banyan_dice_test(&dice, ATTACK, 6, 5);
        chances += banyan_dice_chance(&dice, LUCK, 3, 10);
    }
    for (int f = 1; f <= 6; ++f)
        assert_true(near(face[f], n / 6.0, 500));
    for (int i = 0; i < 4; ++i)
        assert_true(near(index[i], n / 4.0, 600));
    assert_true(near(tests, n / 3.0, 600));
    assert_true(near(chances, 0.3 * n, 600));
}

static void test_drawn_certainties(void **unused)
{
    (void)unused;
    struct banyan_rng rng = stream(2);
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, &rng);
    for (int i = 0; i < 1000; ++i) {
        assert_true(banyan_dice_test(&dice, ATTACK, 6, 1));
        assert_true(banyan_dice_test(&dice, ATTACK, 6, -3));
        assert_false(banyan_dice_test(&dice, ATTACK, 6, 7));
        assert_false(banyan_dice_chance(&dice, LUCK, 0, 5));
        assert_true(banyan_dice_chance(&dice, LUCK, 5, 5));
        assert_int_equal(banyan_dice_roll(&dice, ATTACK, 1), 1);
        assert_int_equal(banyan_dice_pick(&dice, LUCK, 1), 0);
    }
}

static int order_number(const uint8_t ids[4])
{
    return ids[0] * 64 + ids[1] * 16 + ids[2] * 4 + ids[3];
}

static void test_drawn_shuffle_is_even(void **unused)
{
    (void)unused;
    struct banyan_rng rng = stream(3);
    struct banyan_dice dice;
    int count[256] = {0}, orders = 0, n = 48000;
    banyan_dice_drawn(&dice, &rng);
    for (int i = 0; i < n; ++i) {
        uint8_t ids[4] = {0, 1, 2, 3};
        banyan_dice_shuffle(&dice, ORDER, ids, 4);
        ++count[order_number(ids)];
    }
    for (int i = 0; i < 256; ++i) {
        orders += count[i] > 0;
        assert_true(count[i] == 0 || near(count[i], n / 24.0, 225));
    }
    assert_int_equal(orders, 24);
}

/* --- recorded --- */

/* Rolls, tests, picks, chances and a shuffle; returns a number that tells the outcomes apart. */
static long play(struct banyan_dice *dice)
{
    uint8_t ids[4] = {0, 1, 2, 3};
    long sum = banyan_dice_roll(dice, ATTACK, 6);
    sum = 2 * sum + banyan_dice_test(dice, ATTACK, 6, 4);
    if (sum % 2)
        sum = 16 * sum + banyan_dice_pick(dice, DAMAGE, 16);
    sum = 2 * sum + banyan_dice_chance(dice, LUCK, 1, 3);
    banyan_dice_shuffle(dice, ORDER, ids, 4);
    return 256 * sum + order_number(ids);
}

static void test_log_replays(void **unused)
{
    (void)unused;
    struct banyan_rng rng = stream(4);
    for (int i = 0; i < 2000; ++i) {
        struct banyan_die log[16], again[16];
        struct banyan_dice dice;
        banyan_dice_drawn(&dice, &rng);
        dice.log = log;
        dice.log_max = 16;
        long drawn = play(&dice);
        int n = dice.log_count;
        banyan_dice_recorded(&dice, log, n);
        dice.log = again;
        dice.log_max = 16;
        assert_int_equal(play(&dice), drawn);
        assert_false(dice.failed);
        assert_int_equal(dice.next, n);
        assert_int_equal(dice.log_count, n);
        assert_memory_equal(log, again, (size_t)n * sizeof *log);
    }
}

static void test_log_stops_when_full(void **unused)
{
    (void)unused;
    struct banyan_rng rng = stream(5);
    struct banyan_die log[3] = {{0}};
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, &rng);
    dice.log = log;
    dice.log_max = 2;
    for (int i = 0; i < 5; ++i)
        banyan_dice_roll(&dice, DAMAGE, 6);
    assert_int_equal(dice.log_count, 2);
    assert_int_equal(log[2].kind + log[2].sides + log[2].value, 0);
}

/* A record may have the face of a test's die, or only whether the test succeeded; the number of
 * sides may be unknown. */
static void test_recorded_forms(void **unused)
{
    (void)unused;
    static const struct banyan_die list[] = {
        {ATTACK, 6, 4}, {ATTACK, 6, 3}, {ATTACK, 2, 1}, {ATTACK, 2, 0}, {ATTACK, 0, 1},
        {DAMAGE, 0, 9}, {ATTACK, 2, 1}, {LUCK, 2, 1},   {LUCK, 3, 2},
    };
    struct banyan_dice dice;
    banyan_dice_recorded(&dice, list, 9);
    assert_true(banyan_dice_test(&dice, ATTACK, 6, 4));
    assert_false(banyan_dice_test(&dice, ATTACK, 6, 4));
    assert_true(banyan_dice_test(&dice, ATTACK, 6, 4));
    assert_false(banyan_dice_test(&dice, ATTACK, 6, 4));
    assert_true(banyan_dice_test(&dice, ATTACK, 6, 4));
    assert_int_equal(banyan_dice_roll(&dice, DAMAGE, 10), 9);
    assert_true(banyan_dice_test(&dice, ATTACK, 2, 2)); /* a D2 is recorded as 0/1 */
    assert_true(banyan_dice_chance(&dice, LUCK, 1, 1000));
    assert_int_equal(banyan_dice_pick(&dice, LUCK, 3), 2);
    assert_false(dice.failed);
    assert_int_equal(dice.next, dice.count);
}

static void test_recorded_misfits(void **unused)
{
    (void)unused;
    static const struct {
        struct banyan_die die;
        const char *said;
    } rows[] = {
        {{DAMAGE, 6, 3},
         "request 0 asks for dice of kind 0 with 6 values; the record has kind 1 with 6 values, "
         "value 3"},
        {{ATTACK, 8, 3},
         "request 0 asks for dice of kind 0 with 6 values; the record has kind 0 with 8 values, "
         "value 3"},
        {{ATTACK, 6, 7},
         "request 0 asks for dice of kind 0 with 6 values; the record has kind 0 with 6 values, "
         "value 7"},
        {{ATTACK, 0, 0},
         "request 0 asks for dice of kind 0 with 6 values; the record has kind 0 with 0 values, "
         "value 0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct banyan_dice dice;
        banyan_dice_recorded(&dice, &rows[i].die, 1);
        assert_int_equal(banyan_dice_roll(&dice, ATTACK, 6), 1); /* some legal face */
        assert_true(dice.failed);
        assert_string_equal(dice.message, rows[i].said);
        assert_int_equal(dice.next, 0); /* so the die that does not fit is left over */
        banyan_dice_roll(&dice, LUCK, 20);
        assert_string_equal(dice.message, rows[i].said); /* the message is of the first failure */
    }
}

static void test_record_too_short_or_too_long(void **unused)
{
    (void)unused;
    static const struct banyan_die list[] = {{ATTACK, 6, 5}, {ATTACK, 6, 2}};
    struct banyan_dice dice;
    banyan_dice_recorded(&dice, list, 1);
    assert_int_equal(banyan_dice_roll(&dice, ATTACK, 6), 5);
    assert_false(dice.failed);
    banyan_dice_roll(&dice, ATTACK, 6);
    assert_true(dice.failed);
    assert_string_equal(
        dice.message, "request 1 asks for dice of kind 0 with 6 values, but the record ends there");
    banyan_dice_recorded(&dice, list, 2);
    banyan_dice_roll(&dice, ATTACK, 6);
    assert_false(dice.failed);
    assert_true(dice.next < dice.count);
}

/* --- enumerated --- */

static void test_enumerated_two_dice(void **unused)
{
    (void)unused;
    struct banyan_dice dice;
    double p[13] = {0};
    int passes = 0;
    banyan_dice_enumerated(&dice, NULL, 0);
    do {
        int sum = banyan_dice_roll(&dice, ATTACK, 6) + banyan_dice_roll(&dice, ATTACK, 6);
        p[sum] += dice.probability;
        ++passes;
    } while (banyan_dice_advance(&dice));
    assert_int_equal(passes, 36);
    for (int sum = 2; sum <= 12; ++sum)
        assert_true(near(p[sum], (6 - fabs(sum - 7.0)) / 36, 1e-12));
}

/* A request may depend on earlier dice: after a die has changed, the positions of all later wheels
 * are forgotten. */
static void test_enumerated_branches(void **unused)
{
    (void)unused;
    struct banyan_dice dice;
    double mean = 0, total = 0;
    int passes = 0;
    banyan_dice_enumerated(&dice, NULL, 0);
    do {
        int points = 0;
        if (banyan_dice_test(&dice, ATTACK, 6, 4))
            points =
                banyan_dice_chance(&dice, LUCK, 1, 10) ? 20 : banyan_dice_roll(&dice, DAMAGE, 8);
        else if (banyan_dice_pick(&dice, LUCK, 3) == 0)
            points = -1;
        mean += dice.probability * points;
        total += dice.probability;
        ++passes;
    } while (banyan_dice_advance(&dice));
    assert_int_equal(passes, 1 + 8 + 3);
    assert_true(near(total, 1, 1e-12));
    assert_true(near(mean, 0.5 * (0.1 * 20 + 0.9 * 4.5) - 0.5 / 3, 1e-12));
}

static void test_enumerated_certainties_are_no_wheels(void **unused)
{
    (void)unused;
    struct banyan_dice dice;
    banyan_dice_enumerated(&dice, NULL, 0);
    assert_true(banyan_dice_test(&dice, ATTACK, 6, 1));
    assert_false(banyan_dice_test(&dice, ATTACK, 6, 7));
    assert_true(banyan_dice_chance(&dice, LUCK, 4, 4));
    assert_false(banyan_dice_chance(&dice, LUCK, 0, 4));
    assert_int_equal(dice.wheels, 0);
    assert_true(dice.probability == 1);
    assert_false(banyan_dice_advance(&dice));
}

static void test_enumerated_shuffle(void **unused)
{
    (void)unused;
    struct banyan_dice dice;
    int count[256] = {0}, passes = 0;
    banyan_dice_enumerated(&dice, NULL, 0);
    do {
        uint8_t ids[4] = {0, 1, 2, 3};
        banyan_dice_shuffle(&dice, ORDER, ids, 4);
        assert_true(near(dice.probability, 1.0 / 24, 1e-12));
        assert_int_equal(++count[order_number(ids)], 1);
        ++passes;
    } while (banyan_dice_advance(&dice));
    assert_int_equal(passes, 24);
}

/* The enumerated outcomes have the frequencies that drawing gives. */
static void test_enumerated_agrees_with_drawn(void **unused)
{
    (void)unused;
    struct banyan_rng rng = stream(6);
    struct banyan_dice dice;
    double exact = 0, total = 0, sum = 0;
    int n = 200000;
    banyan_dice_enumerated(&dice, NULL, 0);
    do {
        double value = (double)(play(&dice) % 9973) / 9973;
        exact += dice.probability * value;
        total += dice.probability;
    } while (banyan_dice_advance(&dice));
    banyan_dice_drawn(&dice, &rng);
    for (int i = 0; i < n; ++i)
        sum += (double)(play(&dice) % 9973) / 9973;
    assert_true(near(total, 1, 1e-9));
    assert_true(near(sum / n, exact, 4 * 0.3 / sqrt(n)));
}

static void check_faces(const uint8_t *coarse, int kinds, int kind, int n, const char *expected)
{
    struct banyan_dice dice;
    char text[256] = "";
    double total = 0;
    banyan_dice_enumerated(&dice, coarse, kinds);
    do {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%d ", banyan_dice_roll(&dice, kind, n));
        total += dice.probability;
    } while (banyan_dice_advance(&dice));
    assert_string_equal(text, expected);
    assert_true(near(total, 1, 1e-12));
}

static void test_coarse(void **unused)
{
    (void)unused;
    static const uint8_t coarse[] = {[ATTACK] = 0, [DAMAGE] = 3, [LUCK] = 1};
    check_faces(coarse, 3, DAMAGE, 15, "3 8 13 "); /* middles of 1-5, 6-10, 11-15 */
    check_faces(coarse, 3, DAMAGE, 16, "3 9 14 ");
    check_faces(coarse, 3, DAMAGE, 4, "1 3 4 ");
    check_faces(coarse, 3, LUCK, 9, "5 ");
    check_faces(coarse, 3, DAMAGE, 3, "1 2 3 ");       /* as many slices as faces: all faces */
    check_faces(coarse, 3, DAMAGE, 2, "1 2 ");         /* more slices than faces: all faces */
    check_faces(coarse, 3, ATTACK, 6, "1 2 3 4 5 6 "); /* 0 slices: all faces */
    check_faces(coarse, 3, ORDER, 4, "1 2 3 4 ");      /* a kind beyond the table: all faces */
}

/* Whether a rule that rolls until a die of 6 shows `face` comes to an end. */
static bool comes_to_an_end(struct banyan_dice *dice, int face)
{
    for (int i = 0; i < 1000; ++i)
        if (banyan_dice_roll(dice, ATTACK, 6) == face)
            return true;
    return false;
}

static void test_failed_dice_still_change(void **unused)
{
    (void)unused;
    struct banyan_dice dice;
    for (int face = 1; face <= 6; ++face) {
        banyan_dice_enumerated(&dice, NULL, 0);
        assert_true(comes_to_an_end(&dice, face));
        assert_int_equal(dice.failed, face > 1);
        banyan_dice_recorded(&dice, NULL, 0);
        assert_true(comes_to_an_end(&dice, face));
        assert_true(dice.failed);
    }
}

static void test_odometer_overflow(void **unused)
{
    (void)unused;
    struct banyan_dice dice;
    banyan_dice_enumerated(&dice, NULL, 0);
    for (int i = 0; i < BANYAN_DICE_MAX_ODOMETER; ++i)
        banyan_dice_roll(&dice, ATTACK, 2);
    assert_false(dice.failed);
    banyan_dice_roll(&dice, ATTACK, 2);
    assert_true(dice.failed);
    assert_string_equal(dice.message, "one apply() asks for more than 64 dice");
    assert_true(banyan_dice_advance(&dice)); /* the enumeration still goes on */
    assert_true(dice.failed);
}

/* Rules that ask for fewer faces when they are repeated cannot be enumerated. */
static void test_repeated_with_other_dice(void **unused)
{
    (void)unused;
    struct banyan_dice dice;
    banyan_dice_enumerated(&dice, NULL, 0);
    for (int pass = 0; pass < 5; ++pass) {
        assert_int_equal(banyan_dice_roll(&dice, 0, 6), pass + 1);
        assert_true(banyan_dice_advance(&dice));
    }
    int roll = banyan_dice_roll(&dice, 0, 3);
    assert_in_range(roll, 1, 3);
    assert_true(dice.failed);
    assert_non_null(strstr(dice.message, "other dice"));
}

static void test_enumerated_log(void **unused)
{
    (void)unused;
    struct banyan_dice dice;
    struct banyan_die log[2];
    banyan_dice_enumerated(&dice, NULL, 0);
    dice.log = log;
    dice.log_max = 2;
    for (int face = 1; face <= 6; ++face) {
        dice.log_count = 0;
        banyan_dice_roll(&dice, DAMAGE, 6);
        assert_int_equal(log[0].kind, DAMAGE);
        assert_int_equal(log[0].sides, 6);
        assert_int_equal(log[0].value, face);
        assert_int_equal(banyan_dice_advance(&dice), face < 6);
    }
}

/* Two dice as one: 11 sums, or two classes of them. */
static void test_pairs(void **unused)
{
    (void)unused;
    uint8_t coarse[] = {[ATTACK] = BANYAN_DICE_PAIR};
    uint16_t cuts[] = {[ATTACK] = 1 << 9};
    struct banyan_dice dice;
    for (int classes = 0; classes < 2; ++classes) {
        double p[13] = {0};
        int passes = 0;
        banyan_dice_enumerated(&dice, coarse, ATTACK + 1);
        dice.cuts = classes ? cuts : NULL;
        do {
            int first = banyan_dice_roll(&dice, ATTACK, 6);
            int second = banyan_dice_roll(&dice, ATTACK, 6);
            assert_in_range(first, 1, 6);
            assert_in_range(second, 1, 6);
            p[first + second] += dice.probability;
            ++passes;
        } while (banyan_dice_advance(&dice));
        assert_int_equal(passes, classes ? 2 : 11);
        for (int sum = 2; sum <= 12 && !classes; ++sum)
            assert_true(near(p[sum], (6 - fabs(sum - 7.0)) / 36, 1e-12));
        if (classes)
            assert_true(near(p[2], 26 / 36.0, 1e-12) && near(p[9], 10 / 36.0, 1e-12));
    }
}

/* An unlikely pass is continued by one draw only, and all probabilities still sum to 1. */
static void test_unlikely(void **unused)
{
    (void)unused;
    struct banyan_dice dice;
    double total = 0, mean = 0;
    int passes = 0;
    banyan_dice_enumerated(&dice, NULL, 0);
    dice.least = 1e-3;
    do {
        int rolls = 1; /* this enumeration would never end */
        while (banyan_dice_roll(&dice, ATTACK, 6) == 6 && rolls < 1000)
            ++rolls;
        total += dice.probability;
        mean += dice.probability * rolls;
        ++passes;
    } while (banyan_dice_advance(&dice));
    assert_in_range(passes, 6, 100);
    assert_true(near(total, 1, 1e-12));
    assert_true(near(mean, 1.2, 2e-3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_unlikely),
        cmocka_unit_test(test_drawn_shares),
        cmocka_unit_test(test_drawn_certainties),
        cmocka_unit_test(test_drawn_shuffle_is_even),
        cmocka_unit_test(test_log_replays),
        cmocka_unit_test(test_log_stops_when_full),
        cmocka_unit_test(test_recorded_forms),
        cmocka_unit_test(test_recorded_misfits),
        cmocka_unit_test(test_record_too_short_or_too_long),
        cmocka_unit_test(test_enumerated_two_dice),
        cmocka_unit_test(test_enumerated_branches),
        cmocka_unit_test(test_enumerated_certainties_are_no_wheels),
        cmocka_unit_test(test_enumerated_shuffle),
        cmocka_unit_test(test_enumerated_agrees_with_drawn),
        cmocka_unit_test(test_coarse),
        cmocka_unit_test(test_failed_dice_still_change),
        cmocka_unit_test(test_odometer_overflow),
        cmocka_unit_test(test_repeated_with_other_dice),
        cmocka_unit_test(test_enumerated_log),
    };
    return cmocka_run_group_tests_name("dice", tests, NULL, NULL);
}
