/* The bandit game: its setup language, its coin, and the regret of the textbook's UCB1 on it. */
#include "games/bandit/bandit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct banyan_game *game(void)
{
    return bandit_variant(0);
}

static void test_setup(void **unused)
{
    (void)unused;
    struct bandit bandit;
    char text[BANYAN_TEXT_MAX];
    assert_int_equal(game()->init(game(), &bandit, NULL, NULL, NULL), BANYAN_OK);
    game()->format(game(), &bandit, text, sizeof text);
    assert_string_equal(text, "0.9 0.6");
    assert_int_equal(
        game()->init(game(), &bandit, " 1 0 0.25\n.000001 # the last is poor", NULL, NULL),
        BANYAN_OK);
    game()->format(game(), &bandit, text, sizeof text);
    assert_string_equal(text, "1 0 0.25 0.000001");
    assert_int_equal(game()->init(game(), &bandit, "0.5 0.5 pulled=2 won", NULL, NULL), BANYAN_OK);
    assert_int_equal(game()->movers(game(), &bandit), 0);
    float won;
    game()->returns(game(), &bandit, &won);
    assert_true(won == 1);
}

static void test_bad_setups(void **unused)
{
    (void)unused;
    static const char *const bad[][2] = {
        {"x", "expected each arm"},        {"1.1", "expected each arm"},
        {"0.5 -0.1", "at column 5"},       {"0.5 0.1234567", "at column 5"},
        {"0.5 pulled=2 won", "at column"}, {"0.5 pulled=1 drawn", "'won' or 'lost' at column 14"},
        {"0.5 pulled=1 won 3", "column"},  {"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "more than 16"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct bandit bandit;
        struct banyan_error err;
        assert_int_equal(game()->init(game(), &bandit, bad[i][0], NULL, &err), BANYAN_INVALID);
        if (!strstr(err.message, bad[i][1]))
            fail_msg("'%s' said: %s", bad[i][0], err.message);
    }
}

static void test_exact_chances(void **unused)
{
    (void)unused;
    struct bandit bandit, next;
    assert_int_equal(game()->init(game(), &bandit, "0.9 0.6 1 0", NULL, NULL), BANYAN_OK);
    static const double expected[] = {0.9, 0.6, 1, 0};
    for (banyan_action arm = 0; arm < 4; ++arm) {
        struct banyan_dice dice;
        double mean = 0, total = 0;
        banyan_dice_enumerated(&dice, NULL, 0);
        do {
            float won;
            next = bandit;
            game()->apply(game(), &next, &arm, &dice);
            game()->returns(game(), &next, &won);
            mean += dice.probability * won;
            total += dice.probability;
        } while (banyan_dice_advance(&dice));
        assert_true(fabs(mean - expected[arm]) < 1e-12);
        assert_true(fabs(total - 1) < 1e-12);
    }
}

/* Pulls an arm of a fresh copy. */
static double pull(const struct bandit *bandit, int arm, struct banyan_rng *rng)
{
    struct bandit next = *bandit;
    struct banyan_dice dice;
    banyan_action action = (banyan_action)arm;
    float won;
    banyan_dice_drawn(&dice, rng);
    game()->apply(game(), &next, &action, &dice);
    game()->returns(game(), &next, &won);
    return won;
}

/* Auer, Cesa-Bianchi and Fischer 2002: mean + sqrt(2 ln t / n). */
static int ucb1(const double *sum, const int *n, int arms, int t)
{
    int best = 0;
    double best_score = -1;
    for (int arm = 0; arm < arms; ++arm) {
        double score = n[arm] ? sum[arm] / n[arm] + sqrt(2 * log(t) / n[arm]) : 1e9;
        if (score > best_score) {
            best_score = score;
            best = arm;
        }
    }
    return best;
}

/* Pseudo-regret of one run of 10 000 pulls. */
static double regret(const struct bandit *bandit, struct banyan_rng *rng)
{
    double sum[BANDIT_MAX_ARMS] = {0}, lost = 0;
    int n[BANDIT_MAX_ARMS] = {0};
    for (int t = 1; t <= 10000; ++t) {
        int arm = ucb1(sum, n, bandit->arms, t);
        sum[arm] += pull(bandit, arm, rng);
        ++n[arm];
        lost += (double)(bandit->chance[0] - bandit->chance[arm]) / BANDIT_UNIT;
    }
    return lost;
}

static void test_ucb1_regret(void **unused)
{
    (void)unused;
    /* published mean over 200 runs; here 40 runs, so 5 standard errors of their mean are allowed */
    static const struct {
        const char *arms;
        double regret, error;
    } rows[] = {{"0.9 0.6", 46.5, 1.8}, {"0.9 0.8", 85.6, 2.5}, {"0.55 0.45", 89.3, 3.4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct bandit bandit;
        struct banyan_rng rng;
        assert_int_equal(game()->init(game(), &bandit, rows[i].arms, NULL, NULL), BANYAN_OK);
        banyan_rng_seed(&rng, banyan_rng_child(1, "bandit", i));
        double mean = 0;
        for (int run = 0; run < 40; ++run)
            mean += regret(&bandit, &rng) / 40;
        if (fabs(mean - rows[i].regret) > 5 * rows[i].error)
            fail_msg("%s: regret %.1f, expected %.1f", rows[i].arms, mean, rows[i].regret);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_setup),
        cmocka_unit_test(test_bad_setups),
        cmocka_unit_test(test_exact_chances),
        cmocka_unit_test(test_ucb1_regret),
    };
    return cmocka_run_group_tests_name("bandit", tests, NULL, NULL);
}
