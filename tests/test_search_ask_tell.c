/* A search by ask and tell in special cases: priors that the caller did not write, simulations that
 * fail or are taken back, a full tree; and rows of the root. */
#include "search_stopping.h"

#include <math.h>

/* --- priors that the caller did not write --- */

/* Asks and tells until so many simulations are made. Values are drawn; priors are those of the
 * evaluator, or not written. */
static void tell(struct searching *s, uint64_t simulations, int batch, bool priors)
{
    struct banyan_leaf leaves[8];
    struct banyan_search_stats before, after = {.simulations = 0};
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    while (after.simulations < simulations) {
        before = after;
        int n = banyan_search_select(s->search, leaves, batch);
        if (priors)
            searching_check(s, s->evaluator.evaluate(s->evaluator.ctx, leaves, n, &s->err));
        for (int i = 0; i < n; ++i) {
            leaves[i].values[0] = (float)banyan_rng_below(&rng, 201) / 100 - 1;
            leaves[i].values[1] = -leaves[i].values[0];
        }
        banyan_search_update(s->search, leaves, n);
        banyan_search_stats(s->search, &after, sizeof after);
        if (after.simulations == before.simulations)
            fail_msg("no leaf is out, and select makes none after %d simulations",
                     (int)after.simulations);
    }
}

static void priors_that_nobody_wrote_are_no_opinion(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_move rows[9];
    searching_open(&s, "tictactoe", NULL, "rule=puct,solver=off", "uniform");
    tell(&s, 2000, 1, false);
    int count = banyan_search_root_moves(s.search, 0, rows, 9);
    assert_int_equal(count, 9);
    for (int i = 0; i < count; ++i) {
        assert_true(fabsf(rows[i].prior - 1.0f / 9) < 1e-6f);
        assert_true(rows[i].visits > 0);
    }
    searching_close(&s);
}

/* --- a simulation that fails leaves nothing behind --- */

static enum banyan_status failing_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                           struct banyan_error *err)
{
    int *failures = ctx;
    if ((*failures)-- > 0)
        return banyan_fail(err, BANYAN_IO, "not now");
    for (int i = 0; i < n; ++i) {
        memset(leaves[i].values, 0, sizeof leaves[i].values);
        for (int p = 0; p < leaves[i].game->players; ++p)
            for (int a = 0; (leaves[i].movers >> p & 1) && a < leaves[i].count[p]; ++a)
                leaves[i].priors[p][a] = 1.0f / (float)leaves[i].count[p];
    }
    return BANYAN_OK;
}

static void a_search_goes_on_after_its_evaluator_failed(void **unused)
{
    (void)unused;
    struct searching s;
    int failures = 1;
    struct banyan_leaf leaf;
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = "failing",
                                         .wants_actions = true,
                                         .ctx = &failures,
                                         .evaluate = failing_evaluate};
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = 50};
    struct banyan_search_stats stats;
    open_with(&s, "tictactoe", "rule=puct", &evaluator);
    assert_int_equal(banyan_search_run(s.search, &limits, &s.err), BANYAN_IO);
    assert_int_equal(banyan_search_select(s.search, &leaf, 1), 1); /* no node waits for ever */
    memset(leaf.values, 0, sizeof leaf.values);
    banyan_search_update(s.search, &leaf, 1);
    searching_check(&s, banyan_search_run(s.search, &limits, &s.err));
    banyan_search_stats(s.search, &stats, sizeof stats);
    assert_int_equal(stats.simulations, 51);
    searching_close(&s);
}

/* Two players choose at the same time, three times, and see only their own choices; player 0 has
 * one action. */
enum { BLIND_ACTIONS = 3 };

struct blind {
    uint8_t ply, played[2];
};

static enum banyan_status blind_init(const struct banyan_game *game, void *state, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err)
{
    (void)setup, (void)rng, (void)err;
    memset(state, 0, sizeof(struct blind));
    return BANYAN_OK;
}

static unsigned blind_movers(const struct banyan_game *game, const void *state)
{
    return ((const struct blind *)state)->ply < 3 ? 3 : 0;
}

static int blind_legal(const struct banyan_game *game, const void *state, int player,
                       banyan_action *out)
{
    (void)state;
    for (int i = 0; i < BLIND_ACTIONS; ++i)
        out[i] = (banyan_action)i;
    return player ? BLIND_ACTIONS : 1;
}

static void blind_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                        struct banyan_dice *dice)
{
    struct blind *blind = state;
    (void)dice;
    ++blind->ply;
    for (int p = 0; p < 2; ++p)
        blind->played[p] = (uint8_t)((BLIND_ACTIONS + 1) * blind->played[p] + joint[p] + 1);
}

static void blind_returns(const struct banyan_game *game, const void *state, float *out)
{
    const struct blind *blind = state;
    out[0] = (float)(blind->played[1] % 3) - 1;
    out[1] = -out[0];
}

static uint64_t blind_key(const struct banyan_game *game, const void *state, int viewer)
{
    return (((const struct blind *)state)->played[viewer] + 1u) * 0x9e3779b97f4a7c15u;
}

static const struct banyan_game blind_game = {.struct_size = sizeof(struct banyan_game),
                                              .name = "blind",
                                              .players = 2,
                                              .state_size = sizeof(struct blind),
                                              .action_bytes = 1,
                                              .max_legal = BLIND_ACTIONS,
                                              .max_plies = 3,
                                              .return_min = -1,
                                              .return_max = 1,
                                              .traits = BANYAN_SIMULTANEOUS | BANYAN_ZERO_SUM,
                                              .init = blind_init,
                                              .movers = blind_movers,
                                              .legal = blind_legal,
                                              .apply = blind_apply,
                                              .returns = blind_returns,
                                              .key = blind_key};

/* If one player's node waits for its priors, the simulation is taken back; the node that was
 * just made for the other player must not wait for ever. */
static void simulations_taken_back_leave_no_node_waiting(void **unused)
{
    (void)unused;
    struct searching s = {.game = &blind_game};
    struct blind root = {.ply = 0};
    banyan_search_options_default(&s.options);
    s.options.rule = BANYAN_RULE_PUCT;
    s.options.batch = 8;
    searching_check(&s, banyan_evaluator_create(s.game, "uniform", NULL, &s.evaluator, &s.err));
    searching_check(&s, banyan_search_create(&s.search, s.game, &s.options, &s.evaluator, &s.err));
    searching_check(&s, banyan_search_set_root(s.search, &root, 0, &s.err));
    tell(&s, 500, 8, true);
    tell(&s, 1000, 1, true);
    searching_close(&s);
}

/* --- a full tree --- */

static uint64_t compactions(const struct searching *s)
{
    struct banyan_search_stats stats;
    banyan_search_stats(s->search, &stats, sizeof stats);
    return stats.compactions;
}

static void tell_zeros(struct searching *s, struct banyan_leaf *leaves, int n)
{
    for (int i = 0; i < n; ++i)
        memset(leaves[i].values, 0, sizeof leaves[i].values);
    banyan_search_update(s->search, leaves, n);
}

/* While one leaf always waits for its value, the tree fills; then select waits for that leaf,
 * and the tree is compacted. */
static void a_full_tree_waits_for_its_leaves(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_leaf out, next;
    uint64_t made = 0, waits = 0;
    searching_open(&s, "othello", NULL, "memory=512K,batch=4,solver=off", "rollout");
    assert_int_equal(banyan_search_select(s.search, &out, 1), 1);
    while (made < 40000) {
        if (banyan_search_select(s.search, &next, 1) == 0) {
            uint64_t before = compactions(&s);
            tell_zeros(&s, &out, 1);
            assert_int_equal(banyan_search_select(s.search, &out, 1), 1);
            assert_int_equal(compactions(&s), before + 1);
            ++waits;
            continue;
        }
        tell_zeros(&s, &out, 1);
        out = next;
        ++made;
    }
    assert_true(waits > 2);
    assert_int_equal(compactions(&s), waits);
    tell_zeros(&s, &out, 1);
    searching_choice(&s, 0);
    searching_close(&s);
}

/* --- rows --- */

/* The first `max` rows are the most visited ones, whatever the order in the node. */
static void fewer_rows_are_the_most_visited_ones(void **unused)
{
    (void)unused;
    static const char *const options[] = {"", "ensemble=3", "rule=puct", "solver=off,threads=2"};
    for (int o = 0; o < 4; ++o) {
        struct searching s;
        struct banyan_search_move all[64], some[64];
        searching_open(&s, "othello", "moves:f5 d6 c3 d3 c4", options[o], "rollout");
        searching_run(&s, 3000);
        int count = banyan_search_root_moves(s.search, 1, all, 64);
        assert_true(count > 5);
        for (int i = 1; i < count; ++i)
            assert_true(all[i - 1].visits >= all[i].visits);
        for (int max = 0; max <= count + 1; ++max) {
            int known = banyan_search_root_moves(s.search, 1, some, max);
            assert_int_equal(known, max < count ? max : count);
            for (int i = 0; i < known; ++i) {
                assert_int_equal(some[i].action, all[i].action);
                assert_int_equal(some[i].visits, all[i].visits);
            }
        }
        searching_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(priors_that_nobody_wrote_are_no_opinion),
        cmocka_unit_test(a_search_goes_on_after_its_evaluator_failed),
        cmocka_unit_test(simulations_taken_back_leave_no_node_waiting),
        cmocka_unit_test(a_full_tree_waits_for_its_leaves),
        cmocka_unit_test(fewer_rows_are_the_most_visited_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
