/* Liar's dice of examples/, an outside game with hidden dice: how far regret matching is from an
 * equilibrium, by a best response that does not know the search. */
#include "../examples/liars_dice.c"
#include "nashconv.h"

#include <banyan/check.h>
#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

enum { SIDES = 3, DEALS = SIDES * SIDES };

static const struct banyan_game *const game = &liars_dice_3;

static void test_keeps_the_contract(void **unused)
{
    (void)unused;
    for (int i = 0; banyan_plugin.games[i]; ++i) {
        struct banyan_error err;
        if (banyan_game_check(banyan_plugin.games[i], NULL, NULL, &err) != BANYAN_OK)
            fail_msg("%s", err.message);
    }
}

static struct liars_state position(const char *text)
{
    struct liars_state state;
    struct banyan_error err;
    if (game->init(game, &state, text, NULL, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return state;
}

static void test_who_wins(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        float first;
    } rows[] = {{"3 1 1x3 liar", 1},      {"2 1 1x3 liar", -1},        {"3 1 1x3 2x3 liar", 1},
                {"3 3 1x3 2x3 liar", -1}, {"1 1 1x1 1x3 2x1 liar", 1}, {"2 1 1x1 1x2 liar", -1},
                {"3 1 2x1 liar", 1},      {"3 2 2x1 liar", -1},        {"1 2 1x1 1x3 liar", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct liars_state state = position(rows[i].text);
        float out[2];
        assert_int_equal(game->movers(game, &state), 0);
        game->returns(game, &state, out);
        assert_true(out[0] == rows[i].first && out[1] == -out[0]);
    }
}

/* What each player loses by the strategy on the average against a best response. */
static double exploitability(nashconv_strategy *strategy, void *ctx)
{
    struct liars_state states[DEALS];
    struct nashconv_start starts[DEALS];
    for (int i = 0; i < DEALS; ++i) {
        char text[8];
        snprintf(text, sizeof text, "%d %d", i / SIDES + 1, i % SIDES + 1);
        states[i] = position(text);
        starts[i] = (struct nashconv_start){&states[i], 1.0 / DEALS};
    }
    struct nashconv nc = {game, starts, DEALS, strategy, ctx};
    return nashconv(&nc) / 2;
}

static void test_even_play(void **unused)
{
    (void)unused;
    struct nashconv_table even = {.count = 0};
    double far = exploitability(nashconv_from_table, &even); /* 5/9 by a separate program */
    printf("even play: %.6f\n", far);
    assert_true(fabs(far - 5.0 / 9) < 1e-6);
}

static void average_of_search(void *ctx, const struct banyan_game *of, const void *state,
                              int player, const banyan_action *actions, int n, double *out)
{
    banyan_action found[NASHCONV_ACTIONS];
    double p[NASHCONV_ACTIONS];
    int m = banyan_search_average_strategy(ctx, state, player, found, p, NASHCONV_ACTIONS);
    for (int i = 0; i < n; ++i) {
        out[i] = m > 0 ? 0 : 1.0 / n; /* never visited: evenly */
        for (int k = 0; k < m; ++k)
            if (found[k] == actions[i])
                out[i] = p[k];
    }
}

/* The exploitability after n simulations with this share of even play, or n walks. */
static double after(int64_t n, bool walks, double explore)
{
    struct banyan_search_options options;
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = n};
    struct banyan_evaluator evaluator;
    struct banyan_search *search;
    struct liars_state state = position("");
    banyan_search_options_default(&options);
    options.rule = BANYAN_RULE_REGRET;
    options.regret_explore = explore;
    assert_int_equal(banyan_evaluator_create(game, "rollout", NULL, &evaluator, NULL), BANYAN_OK);
    assert_int_equal(banyan_search_create(&search, game, &options, &evaluator, NULL), BANYAN_OK);
    assert_int_equal(banyan_search_set_root(search, &state, 0, NULL), BANYAN_OK);
    if (walks)
        assert_int_equal(banyan_search_walk(search, n, NULL, NULL), BANYAN_OK);
    else
        assert_int_equal(banyan_search_run(search, &limits, NULL), BANYAN_OK);
    double result = exploitability(average_of_search, search);
    banyan_search_destroy(search);
    banyan_evaluator_close(&evaluator);
    return result;
}

static void test_walks_find_an_equilibrium(void **unused)
{
    (void)unused;
    double far = after(100, true, 0.1), near = after(20000, true, 0.1);
    printf("walks: %.4f after 100, %.4f after 20000\n", far, near);
    assert_true(near <= 0.01 && near < far / 2);
}

/* A simulation updates one path, a walk all actions of one player: simulations come near more slowly. */
static void test_simulations_come_near(void **unused)
{
    (void)unused;
    double near = after(100000, false, 0.1), nearest = after(400000, false, 0.5);
    printf("simulations: %.4f after 100000, %.4f after 400000 with regret-explore=0.5\n", near,
           nearest);
    assert_true(near < 0.15 && nearest <= 0.01);
}

/* With this seed an action that few simulations reach kept a spoiled regret when the share of uniform play fell with
 * the square root of the visits: 0.04. */
static void test_no_regret_stays_spoiled(void **unused)
{
    (void)unused;
    double far = after(1000000, false, 0.2);
    printf("simulations: %.4f after 1000000 with regret-explore=0.2\n", far);
    assert_true(far <= 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keeps_the_contract),
                                       cmocka_unit_test(test_who_wins),
                                       cmocka_unit_test(test_even_play),
                                       cmocka_unit_test(test_walks_find_an_equilibrium),
                                       cmocka_unit_test(test_simulations_come_near),
                                       cmocka_unit_test(test_no_regret_stays_spoiled)};
    return cmocka_run_group_tests_name("Liar's dice, outside", tests, NULL, NULL);
}
