/* What ends a run, or keeps it from beginning. */
#include "search_stopping.h"

#include "search/search.h"

#include <math.h>
#include <stdio.h>

/* --- limits --- */

static void a_run_needs_limits(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    static const struct banyan_search_limits none = {.struct_size =
                                                         sizeof(struct banyan_search_limits),
                                                     .simulations = 0},
                                             early = {.early = true},
                                             not_a_time = {.time_ms = (double)NAN};
    assert_int_equal(banyan_search_run(s.search, &none, &s.err), BANYAN_INVALID);
    assert_int_equal(banyan_search_run(s.search, &early, &s.err), BANYAN_INVALID);
    assert_int_equal(banyan_search_run(s.search, &not_a_time, &s.err), BANYAN_INVALID);
    assert_int_equal(banyan_search_run(s.search, NULL, &s.err), BANYAN_INVALID);
    assert_non_null(strstr(s.err.message, "limit"));
    searching_close(&s);
}

/* A tree of an ensemble that gets no share of few simulations must not run without a limit. */
static void few_simulations_are_enough_for_many_trees(void **unused)
{
    (void)unused;
    for (int simulations = 1; simulations <= 4; ++simulations) {
        struct searching s;
        struct stopping stopping = {.at = 100};
        struct banyan_evaluator evaluator = stopping_evaluator(&stopping);
        struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                              .simulations = simulations,
                                              .stop = &stopping.stop};
        struct banyan_search_stats stats;
        open_with(&s, "othello", "ensemble=3", &evaluator);
        searching_check(&s, banyan_search_run(s.search, &limits, &s.err));
        banyan_search_stats(s.search, &stats, sizeof stats);
        assert_int_equal(stats.simulations, simulations);
        searching_close(&s);
    }
}

/* A run that is stopped early may have reached only some trees of an ensemble. */
static void any_tree_of_an_ensemble_is_enough_for_a_choice(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_move chosen;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = 1};
    searching_open(&s, "othello", NULL, "ensemble=2", "rollout");
    assert_int_equal(banyan_search_choose(s.search, 0, &chosen, &s.err), BANYAN_INVALID);
    struct banyan_search *second = s.search->parallel.members[0];
    searching_check(&s, banyan_search_run(second, &limits, &s.err));
    searching_check(&s, banyan_search_choose(s.search, 0, &chosen, &s.err));
    assert_int_equal(chosen.visits, 0); /* the root has no node yet */
    searching_close(&s);
}

/* Opens a search but does not set its root. */
static void open_without_root(struct searching *s, const char *game, const char *options)
{
    searching_open(s, game, NULL, options, "uniform");
    banyan_search_destroy(s->search);
    searching_check(s,
                    banyan_search_create(&s->search, s->game, &s->options, &s->evaluator, &s->err));
}

static void without_a_root_nothing_is_searched(void **unused)
{
    (void)unused;
    static const char *const games[] = {"othello", "kuhn", "pig"};
    static const struct banyan_search_limits limits = {
        .struct_size = sizeof(struct banyan_search_limits), .simulations = 10};
    for (int g = 0; g < 3; ++g) {
        struct searching s;
        struct banyan_search_move row;
        struct banyan_leaf leaf;
        banyan_action action = 0;
        int mover;
        open_without_root(&s, games[g], "");
        assert_int_equal(banyan_search_run(s.search, &limits, &s.err), BANYAN_INVALID);
        assert_non_null(strstr(s.err.message, "root"));
        assert_int_equal(banyan_search_choose(s.search, 0, &row, &s.err), BANYAN_INVALID);
        assert_non_null(strstr(s.err.message, "root"));
        assert_int_equal(banyan_search_add_line(s.search, &action, 1, 1, 0, &s.err),
                         BANYAN_INVALID);
        assert_int_equal(banyan_search_select(s.search, &leaf, 1), 0);
        assert_int_equal(banyan_search_root_moves(s.search, 0, &row, 1), 0);
        assert_int_equal(banyan_search_pv(s.search, &action, &mover, 1), 0);
        assert_false(banyan_search_advance(s.search, &action, s.state));
        searching_close(&s);
    }
}

static void without_simulations_there_is_nothing_to_choose_by(void **unused)
{
    (void)unused;
    static const char *const games[] = {"othello", "kuhn", "pig", "rps"};
    for (int g = 0; g < 4; ++g) {
        struct searching s;
        struct banyan_search_move row;
        searching_open(&s, games[g], NULL, "", "rollout");
        assert_int_equal(banyan_search_choose(s.search, 0, &row, &s.err), BANYAN_INVALID);
        assert_non_null(strstr(s.err.message, "simulation"));
        searching_run(&s, 1);
        searching_check(&s, banyan_search_choose(s.search, 0, &row, &s.err));
        searching_run(&s, 100);
        searching_check(&s, banyan_search_choose(s.search, 0, &row, &s.err));
        searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
        assert_int_equal(banyan_search_choose(s.search, 0, &row, &s.err), BANYAN_INVALID);
        searching_close(&s);
    }
}

/* After a move an action can be chosen by the visits that were kept. */
static void kept_visits_are_enough_to_choose_by(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_move row;
    searching_open(&s, "othello", NULL, "", "rollout");
    searching_run(&s, 500);
    banyan_action joint[2] = {searching_choice(&s, 0)};
    s.game->apply(s.game, s.state, joint, NULL);
    assert_true(banyan_search_advance(s.search, joint, s.state));
    searching_check(&s, banyan_search_choose(s.search, 1, &row, &s.err));
    assert_true(row.visits > 0);
    searching_close(&s);
}

/* --- a flag that says stop --- */

static enum banyan_status stopped_run(const char *options, int at, int64_t simulations,
                                      uint64_t *made)
{
    struct searching s;
    struct stopping stopping = {.at = at};
    struct banyan_evaluator evaluator = stopping_evaluator(&stopping);
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = simulations,
                                          .stop = &stopping.stop};
    struct banyan_search_stats stats;
    if (at == 0)
        banyan_flag_set(&stopping.stop);
    open_with(&s, "othello", options, &evaluator);
    enum banyan_status status = banyan_search_run(s.search, &limits, &s.err);
    banyan_search_stats(s.search, &stats, sizeof stats);
    *made = stats.simulations;
    searching_close(&s);
    return status;
}

static void a_run_says_that_it_was_stopped(void **unused)
{
    (void)unused;
    uint64_t made;
    assert_int_equal(stopped_run("", 0, 1000, &made), BANYAN_INTERRUPTED);
    assert_int_equal(made, 0);
    assert_int_equal(stopped_run("", 100, 1000, &made), BANYAN_INTERRUPTED);
    assert_int_equal(made, 100);
    /* the flag was set by the last evaluation */
    assert_int_equal(stopped_run("", 100, 100, &made), BANYAN_OK);
    assert_int_equal(made, 100);
    assert_int_equal(stopped_run("", 1001, 1000, &made), BANYAN_OK);
    assert_int_equal(stopped_run("", 50, 0, &made), BANYAN_INTERRUPTED); /* no limit but the flag */
    assert_int_equal(stopped_run("ensemble=2", 0, 1000, &made), BANYAN_INTERRUPTED);
    assert_int_equal(stopped_run("final=max-robust,agree=on", 100, 1000, &made),
                     BANYAN_INTERRUPTED);
    assert_int_equal(made, 100);
}

static void a_walk_says_that_it_was_stopped(void **unused)
{
    (void)unused;
    struct searching s;
    banyan_flag stop = {1};
    searching_open(&s, "kuhn", NULL, "rule=regret", "uniform");
    assert_int_equal(banyan_search_walk(s.search, 10, &stop, &s.err), BANYAN_INTERRUPTED);
    banyan_flag_clear(&stop);
    searching_check(&s, banyan_search_walk(s.search, 10, &stop, &s.err));
    searching_close(&s);
}

static void a_walk_through_too_long_a_game_is_an_error(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_game game;
    searching_open(&s, "kuhn", NULL, "rule=regret", "uniform");
    game = *s.game;
    game.max_plies = 1;
    banyan_search_destroy(s.search);
    searching_check(&s, banyan_search_create(&s.search, &game, &s.options, &s.evaluator, &s.err));
    searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
    assert_int_equal(banyan_search_walk(s.search, 10, NULL, &s.err), BANYAN_INVALID);
    assert_non_null(strstr(s.err.message, "max_plies is too small"));
    searching_close(&s);
}

/* --- a rollout without an end --- */

static void a_rollout_that_does_not_end_is_an_error(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_game game;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = 100};
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    banyan_search_destroy(s.search);
    banyan_evaluator_close(&s.evaluator);
    game = *s.game;
    game.max_plies = 2; /* a wrong constant: the game is longer */
    game.heuristic = NULL;
    searching_check(&s, banyan_evaluator_create(&game, "rollout", NULL, &s.evaluator, &s.err));
    searching_check(&s, banyan_search_create(&s.search, &game, &s.options, &s.evaluator, &s.err));
    searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
    assert_int_equal(banyan_search_run(s.search, &limits, &s.err), BANYAN_INVALID);
    assert_non_null(strstr(s.err.message, "max_plies=2"));
    searching_close(&s);
}

/* --- what evaluators get --- */

static struct {
    enum banyan_status (*evaluate)(void *ctx, struct banyan_leaf *leaves, int n,
                                   struct banyan_error *err);
    int calls, least, most; /* leaves in a call */
} seen;

static enum banyan_status evaluate_and_count(void *ctx, struct banyan_leaf *leaves, int n,
                                             struct banyan_error *err)
{
    ++seen.calls;
    seen.least = n < seen.least ? n : seen.least;
    seen.most = n > seen.most ? n : seen.most;
    return seen.evaluate(ctx, leaves, n, err);
}

/* Near the end of a game many simulations end in finished games, which no evaluator gets; there is no call
 * without a leaf, and none with more than a batch. */
static void evaluators_get_one_to_a_batch(void **unused)
{
    (void)unused;
    for (int batch = 1; batch <= 4; batch += 3) {
        struct searching s;
        char options[64];
        snprintf(options, sizeof options, "solver=off,decisive=off,batch=%d", batch);
        searching_open(&s, "tictactoe", "moves:a1 b1 c1 a2 c2", options, "rollout");
        seen.evaluate = s.evaluator.evaluate;
        seen.calls = seen.most = 0;
        seen.least = 100;
        s.evaluator.evaluate = evaluate_and_count;
        searching_run(&s, 500);
        s.evaluator.evaluate = seen.evaluate;
        assert_true(seen.calls > 0 && seen.calls < 500);
        assert_true(seen.least >= 1 && seen.most <= batch);
        searching_close(&s);
    }
}

static enum banyan_status broken_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                          struct banyan_error *err)
{
    (void)ctx, (void)leaves, (void)n;
    return banyan_fail(err, BANYAN_IO, "the line is cut");
}

static enum banyan_status broken_create(const struct banyan_game *game, const char *args,
                                        const struct banyan_offer *offers,
                                        struct banyan_evaluator *out, struct banyan_error *err)
{
    (void)game, (void)args, (void)offers, (void)err;
    out->name = "broken";
    out->reentrant = true;
    out->evaluate = broken_evaluate;
    return BANYAN_OK;
}

/* A run ends with the evaluator's own status and message, also through evaluators around it. */
static void a_run_fails_as_its_evaluator_does(void **unused)
{
    static const struct banyan_offer offers[] = {
        {.name = "broken", .args = "", .help = "fails", .evaluator = broken_create},
        {.name = NULL}};
    static const char *const kinds[][2] = {{"broken", ""},
                                           {"broken", "batch=4"},
                                           {"broken", "threads=2"},
                                           {"broken", "transpositions=on,threads=2"},
                                           {"broken", "ensemble=2"},
                                           {"cache:size=8,broken", ""},
                                           {"mixture:weight=0.5,broken|uniform", ""},
                                           {"mixture:weight=0.5,uniform|broken", "batch=4"}};
    (void)unused;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        struct searching s;
        struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = 50};
        searching_open(&s, "tictactoe", NULL, kinds[i][1], "uniform");
        banyan_search_destroy(s.search);
        banyan_evaluator_close(&s.evaluator);
        s.search = NULL;
        searching_check(&s,
                        banyan_evaluator_create(s.game, kinds[i][0], offers, &s.evaluator, &s.err));
        searching_check(&s,
                        banyan_search_create(&s.search, s.game, &s.options, &s.evaluator, &s.err));
        searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
        s.err.message[0] = 0;
        if (banyan_search_run(s.search, &limits, &s.err) != BANYAN_IO ||
            !strstr(s.err.message, "the line is cut"))
            fail_msg("%s, %s: '%s'", kinds[i][0], kinds[i][1], s.err.message);
        searching_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_needs_limits),
        cmocka_unit_test(few_simulations_are_enough_for_many_trees),
        cmocka_unit_test(any_tree_of_an_ensemble_is_enough_for_a_choice),
        cmocka_unit_test(without_a_root_nothing_is_searched),
        cmocka_unit_test(without_simulations_there_is_nothing_to_choose_by),
        cmocka_unit_test(kept_visits_are_enough_to_choose_by),
        cmocka_unit_test(a_run_says_that_it_was_stopped),
        cmocka_unit_test(a_walk_says_that_it_was_stopped),
        cmocka_unit_test(a_walk_through_too_long_a_game_is_an_error),
        cmocka_unit_test(a_rollout_that_does_not_end_is_an_error),
        cmocka_unit_test(evaluators_get_one_to_a_batch),
        cmocka_unit_test(a_run_fails_as_its_evaluator_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
