/* Kuhn poker against its solution by hand (Kuhn 1950): value -1/18, a known family of equilibria,
 * and counterfactual regret minimisation on the game's own rules. */
#include "games/kuhn/kuhn.h"
#include "nashconv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEALS = 6 };

static const char *const deals[DEALS] = {"JQ", "JK", "QJ", "QK", "KJ", "KQ"};

static const struct banyan_game *game(void)
{
    return kuhn_variant(0);
}

static struct kuhn position(const char *text)
{
    struct kuhn kuhn;
    struct banyan_error err;
    if (game()->init(game(), &kuhn, text, NULL, &err) != BANYAN_OK)
        fail_msg("%s: %s", text, err.message);
    return kuhn;
}

static struct nashconv walk(struct kuhn *states, struct nashconv_start *starts,
                            nashconv_strategy *strategy, void *ctx)
{
    for (int i = 0; i < DEALS; ++i) {
        states[i] = position(deals[i]);
        starts[i] = (struct nashconv_start){&states[i], 1.0 / DEALS};
    }
    return (struct nashconv){game(), starts, DEALS, strategy, ctx};
}

static void test_payoffs(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        float first;
    } rows[] = {{"KQ check check", 1},     {"JQ check check", -1},    {"JQ check bet fold", -1},
                {"KQ check bet fold", -1}, {"KQ check bet call", 2},  {"QK check bet call", -2},
                {"JK bet fold", 1},        {"deal=J Q bet call", -2}, {"QJ bet call", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct kuhn kuhn = position(rows[i].text);
        float out[2];
        assert_int_equal(game()->movers(game(), &kuhn), 0);
        game()->returns(game(), &kuhn, out);
        assert_true(out[0] == rows[i].first && out[1] == -rows[i].first);
    }
}

static void test_errors(void **unused)
{
    (void)unused;
    static const char *const rows[][2] = {
        {"QQ", "both players cannot hold Q"},
        {"QA", "column 2: expected a card"},
        {"QJ call", "column 4: expected 'check' or 'bet'"},
        {"QJ bet raise", "column 8: expected 'fold' or 'call'"},
        {"QJ bet fold check", "column 13: the game ended before 'check'"},
        {"QJ check;", "column 9: expected 'check' or 'bet'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct kuhn kuhn;
        struct banyan_error err = {.message = ""};
        assert_int_equal(game()->init(game(), &kuhn, rows[i][0], NULL, &err), BANYAN_INVALID);
        if (!strstr(err.message, rows[i][1]))
            fail_msg("'%s' said '%s'", rows[i][0], err.message);
    }
}

/* Deals come equally often, and so do the hidden cards. */
static void test_deal_and_determinize(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    int dealt[KUHN_CARDS][KUHN_CARDS] = {{0}}, sampled[KUHN_CARDS] = {0};
    banyan_rng_seed(&rng, 3);
    for (int i = 0; i < 60000; ++i) {
        struct kuhn kuhn;
        assert_int_equal(game()->init(game(), &kuhn, "", &rng, NULL), BANYAN_OK);
        ++dealt[kuhn.card[0]][kuhn.card[1]];
    }
    for (int a = 0; a < KUHN_CARDS; ++a)
        for (int b = 0; b < KUHN_CARDS; ++b)
            assert_true(a == b ? dealt[a][b] == 0 : abs(dealt[a][b] - 10000) < 400);
    for (int i = 0; i < 10000; ++i) {
        struct kuhn kuhn = position("QJ check bet");
        game()->determinize(game(), &kuhn, 0, &rng);
        assert_int_equal(kuhn.card[0], 1);
        ++sampled[kuhn.card[1]];
    }
    assert_true(sampled[1] == 0 && abs(sampled[0] - 5000) < 250);
    struct kuhn shown = position("QJ bet call");
    game()->determinize(game(), &shown, 0, &rng);
    assert_int_equal(shown.card[1], 0);
}

/* Kuhn's family of equilibria, alpha in 0..1/3: the probability that the player on turn bets or
 * calls. */
static double bet_share(double alpha, int card, const char *history)
{
    static const char *const histories[] = {"", " check bet", " check", " bet"};
    const double table[4][KUHN_CARDS] = {
        {alpha, 0, 3 * alpha}, {0, alpha + 1.0 / 3, 1}, {1.0 / 3, 0, 1}, {0, 1.0 / 3, 1}};
    int row = 0;
    while (strcmp(histories[row], history) != 0)
        ++row;
    return table[row][card];
}

static void family(void *ctx, const struct banyan_game *kuhn_game, const void *state, int player,
                   const banyan_action *actions, int n, double *out)
{
    char text[64];
    assert_int_equal(n, 2);
    assert_int_equal(actions[1], KUHN_BET);
    kuhn_game->format(kuhn_game, state, text, sizeof text);
    out[1] = bet_share(*(double *)ctx, ((const struct kuhn *)state)->card[player],
                       text + strlen("deal=XX"));
    out[0] = 1 - out[1];
}

static void test_known_equilibria(void **unused)
{
    (void)unused;
    struct kuhn states[DEALS];
    struct nashconv_start starts[DEALS];
    for (double alpha = 0; alpha < 0.334; alpha += 1.0 / 12) {
        struct nashconv nc = walk(states, starts, family, &alpha);
        assert_true(fabs(nashconv_value(&nc, 0) + 1.0 / 18) < 1e-9);
        assert_true(fabs(nashconv(&nc)) < 1e-9);
    }
}

/* Best responses to uniform play get 1/2 and 5/12. */
static void test_even_play_is_no_equilibrium(void **unused)
{
    (void)unused;
    struct kuhn states[DEALS];
    struct nashconv_start starts[DEALS];
    struct nashconv_table even = {.count = 0};
    struct nashconv nc = walk(states, starts, nashconv_from_table, &even);
    assert_true(fabs(nashconv_value(&nc, 0) - 1.0 / 8) < 1e-9);
    assert_true(fabs(nashconv_best_response(&nc, 0) - 1.0 / 2) < 1e-9);
    assert_true(fabs(nashconv(&nc) - 11.0 / 12) < 1e-9);
}

/* --- counterfactual regret minimisation (Zinkevich 2007) --- */

struct cfr {
    struct nashconv_table regret, average;
};

static void match_regret(const double *regret, double *p)
{
    double sum = 0;
    for (int i = 0; i < 2; ++i)
        sum += fmax(regret[i], 0);
    for (int i = 0; i < 2; ++i)
        p[i] = sum > 0 ? fmax(regret[i], 0) / sum : 0.5;
}

/* reach[p]: probability that player p plays to this position; returns the value for player 0. */
static double cfr_walk(struct cfr *cfr, const struct kuhn *kuhn, const double reach[2])
{
    unsigned movers = game()->movers(game(), kuhn);
    if (movers == 0) {
        float out[2];
        game()->returns(game(), kuhn, out);
        return out[0];
    }
    int mover = movers == 2;
    uint64_t key = game()->key(game(), kuhn, mover);
    double *regret = nashconv_row(&cfr->regret, key, 2);
    double *average = nashconv_row(&cfr->average, key, 2);
    double p[2], value[2], mean = 0;
    match_regret(regret, p);
    for (int a = 0; a < 2; ++a) {
        struct kuhn next = *kuhn;
        banyan_action joint[2] = {(banyan_action)a, (banyan_action)a};
        double further[2] = {reach[0], reach[1]};
        further[mover] *= p[a];
        game()->apply(game(), &next, joint, NULL);
        value[a] = cfr_walk(cfr, &next, further);
        mean += p[a] * value[a];
    }
    for (int a = 0; a < 2; ++a) {
        double gain = value[a] - mean;
        regret[a] += reach[!mover] * (mover == 0 ? gain : -gain);
        average[a] += reach[mover] * p[a];
    }
    return mean;
}

static void test_regret_minimisation(void **unused)
{
    (void)unused;
    static struct cfr cfr;
    struct kuhn states[DEALS];
    struct nashconv_start starts[DEALS];
    struct nashconv nc = walk(states, starts, nashconv_from_table, &cfr.average);
    for (int t = 0; t < 20000; ++t)
        for (int i = 0; i < DEALS; ++i)
            cfr_walk(&cfr, &states[i], (double[2]){1, 1});
    assert_int_equal(cfr.average.count, 12); /* information sets: 3 cards, 4 situations */
    assert_true(fabs(nashconv_value(&nc, 0) + 1.0 / 18) < 1e-3);
    assert_true(nashconv(&nc) < 5e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_payoffs),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_deal_and_determinize),
        cmocka_unit_test(test_known_equilibria),
        cmocka_unit_test(test_even_play_is_no_equilibrium),
        cmocka_unit_test(test_regret_minimisation),
    };
    return cmocka_run_group_tests_name("kuhn", tests, NULL, NULL);
}
