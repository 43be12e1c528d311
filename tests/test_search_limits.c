/* What a search refuses, where it ends, and which functions may read it. */
#include "searching.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

/* --- options --- */

struct bad_option {
    const char *name, *value; /* as an error message writes them */
    void (*set)(struct banyan_search_options *options);
};

#define SETS(function, assignment)                              \
    static void function(struct banyan_search_options *options) \
    {                                                           \
        options->assignment;                                    \
    }
SETS(no_threads, threads = 0)
SETS(less_than_no_threads, threads = -5)
SETS(too_many_threads, threads = 100000)
SETS(no_batch, batch = 0)
SETS(negative_batch, batch = -1)
SETS(no_trees, ensemble = 0)
SETS(unknown_rule, rule = 77)
SETS(negative_rule, rule = (enum banyan_search_rule) - 1)
SETS(unknown_final, final = 99)
SETS(unknown_opponents, opponents = 3)
SETS(unknown_order, order = 2)
SETS(nan_exploration, exploration = (double)NAN)
SETS(nan_cpuct, cpuct = (double)NAN)
SETS(infinite_temperature, temperature = (double)INFINITY)
SETS(negative_side, side[3] = -1)
SETS(negative_worlds, worlds = -1)
SETS(deep_prebuild, prebuild_depth = 65)
SETS(heavy_noise, noise_weight = 1.5)
SETS(no_gumbel_actions, gumbel_actions = 0)
SETS(negative_expand_visits, expand_visits = -3)
SETS(little_memory, memory_bytes = 1000)
#undef SETS

static const struct bad_option bad_options[] = {
    {"threads", "0", no_threads},
    {"threads", "-5", less_than_no_threads},
    {"threads", "100000", too_many_threads},
    {"batch", "0", no_batch},
    {"batch", "-1", negative_batch},
    {"ensemble", "0", no_trees},
    {"rule", "77", unknown_rule},
    {"rule", "-1", negative_rule},
    {"final", "99", unknown_final},
    {"opponents", "3", unknown_opponents},
    {"order", "2", unknown_order},
    {"exploration", "nan", nan_exploration},
    {"cpuct", "nan", nan_cpuct},
    {"temperature", "inf", infinite_temperature},
    {"side3", "-1", negative_side},
    {"worlds", "-1", negative_worlds},
    {"prebuild-depth", "65", deep_prebuild},
    {"noise-weight", "1.5", heavy_noise},
    {"gumbel-actions", "0", no_gumbel_actions},
    {"expand-visits", "-3", negative_expand_visits},
    {"memory", "1000", little_memory},
};

/* The range of an option, as the message of banyan_options_set gives it. */
static const char *range_of(const char *name, struct banyan_error *err)
{
    struct banyan_search_options options;
    assert_int_equal(
        banyan_options_set(banyan_search_option_table(), &options, name, "nonsense", err),
        BANYAN_INVALID);
    const char *range = strstr(err->message, "must be");
    assert_non_null(range);
    return range;
}

static void options_out_of_range_are_refused(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_error told;
    char expected[80];
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    for (size_t i = 0; i < sizeof bad_options / sizeof *bad_options; ++i) {
        const struct bad_option *bad = &bad_options[i];
        struct banyan_search *search = NULL;
        struct banyan_search_options options;
        banyan_search_options_default(&options);
        bad->set(&options);
        s.err.message[0] = 0;
        enum banyan_status status =
            banyan_search_create(&search, s.game, &options, &s.evaluator, &s.err);
        if (status != BANYAN_INVALID)
            fail_msg("%s=%s: status %d", bad->name, bad->value, (int)status);
        assert_null(search);
        snprintf(expected, sizeof expected, "option %s=%s: ", bad->name, bad->value);
        if (strncmp(s.err.message, expected, strlen(expected)) != 0 ||
            strcmp(s.err.message + strlen(expected), range_of(bad->name, &told)) != 0)
            fail_msg("'%s' is not '%s%s'", s.err.message, expected, told.message);
    }
    searching_close(&s);
}

/* A program that was compiled for a library with shorter or longer structs than these. */
static void structs_of_other_versions(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search *search = NULL;
    struct banyan_search_stats stats;
    struct banyan_search_limits limits = {.struct_size =
                                              offsetof(struct banyan_search_limits, stop),
                                          .simulations = 100,
                                          .early = true};
    searching_open(&s, "tictactoe", NULL, "solver=off", "rollout");
    s.options.struct_size = offsetof(struct banyan_search_options, threads);
    s.options.threads = -1; /* this member is beyond the shorter struct: one thread */
    searching_check(&s, banyan_search_create(&search, s.game, &s.options, &s.evaluator, &s.err));
    searching_check(&s, banyan_search_set_root(search, s.state, -1, &s.err));
    searching_check(&s, banyan_search_run(search, &limits, &s.err));
    memset(&stats, 0xa5, sizeof stats);
    banyan_search_stats(search, &stats, sizeof stats.simulations);
    assert_int_equal(stats.simulations, 100); /* the run does not end early */
    assert_int_equal(stats.nodes, 0xa5a5a5a5a5a5a5a5);
    banyan_search_destroy(search);
    limits.struct_size = sizeof limits + 8;
    assert_int_equal(banyan_search_run(s.search, &limits, &s.err), BANYAN_UNSUPPORTED);
    s.options.struct_size = sizeof s.options + 8;
    assert_int_equal(banyan_search_create(&search, s.game, &s.options, &s.evaluator, &s.err),
                     BANYAN_UNSUPPORTED);
    struct banyan_game game = *s.game;
    s.options.struct_size = sizeof s.options;
    s.options.threads = 1;
    game.struct_size -= 8;
    assert_int_equal(banyan_search_create(&search, &game, &s.options, &s.evaluator, &s.err),
                     BANYAN_UNSUPPORTED);
    assert_non_null(strstr(s.err.message, "struct banyan_game"));
    searching_close(&s);
}

static void a_struct_of_zeros_is_refused(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search *search = NULL;
    struct banyan_search_options zeros;
    memset(&zeros, 0, sizeof zeros);
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    assert_int_equal(banyan_search_create(&search, s.game, &zeros, &s.evaluator, &s.err),
                     BANYAN_INVALID);
    assert_non_null(strstr(s.err.message, "struct banyan_search_options: struct_size is 0"));
    zeros.struct_size = sizeof zeros;
    assert_int_equal(banyan_search_create(&search, s.game, &zeros, &s.evaluator, &s.err),
                     BANYAN_INVALID);
    assert_int_equal(strncmp(s.err.message, "option ", 7), 0);
    assert_int_equal(banyan_search_create(&search, s.game, NULL, &s.evaluator, &s.err),
                     BANYAN_INVALID);
    assert_null(search);
    searching_close(&s);
}

/* Any 64 bits are a valid seed: seeds may be drawn from a stream of random numbers. */
static void every_seed_is_taken(void **unused)
{
    (void)unused;
    static const uint64_t seeds[] = {0, 1, UINT64_MAX, (uint64_t)1 << 63};
    struct searching s;
    char text[64];
    searching_open(&s, "tictactoe", NULL, "", "rollout");
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; ++i) {
        struct banyan_search *search = NULL;
        struct banyan_search_options options, defaults, again;
        banyan_search_options_default(&options);
        defaults = again = options;
        options.seed = seeds[i];
        searching_check(&s, banyan_search_create(&search, s.game, &options, &s.evaluator, &s.err));
        banyan_search_destroy(search);
        banyan_options_dump(banyan_search_option_table(), &options, &defaults, text, sizeof text);
        searching_check(&s,
                        banyan_options_parse(banyan_search_option_table(), &again, text, &s.err));
        assert_true(again.seed == seeds[i]);
    }
    searching_close(&s);
}

/* --- solver and what it does not go with --- */

static enum banyan_status opens(const char *options, bool *proves)
{
    struct searching s;
    struct banyan_search *search = NULL;
    struct banyan_search_move row;
    searching_open(&s, "tictactoe", "moves:b2 a1 c3 b1", "", "rollout");
    banyan_search_options_default(&s.options);
    searching_check(
        &s, banyan_options_parse(banyan_search_option_table(), &s.options, options, &s.err));
    enum banyan_status status =
        banyan_search_create(&search, s.game, &s.options, &s.evaluator, &s.err);
    *proves = false;
    if (status == BANYAN_OK) {
        banyan_search_destroy(s.search);
        s.search = search;
        searching_check(&s, banyan_search_set_root(search, s.state, -1, &s.err));
        searching_run(&s, 5000);
        searching_check(&s, banyan_search_choose(search, 0, &row, &s.err));
        *proves = row.lo >= row.hi;
    }
    searching_close(&s);
    return status;
}

static void solver_and_transpositions_do_not_go_together(void **unused)
{
    (void)unused;
    bool proves;
    assert_int_equal(opens("", &proves), BANYAN_OK);
    assert_true(proves);
    assert_int_equal(opens("solver=on", &proves), BANYAN_OK);
    assert_true(proves);
    assert_int_equal(opens("transpositions=on", &proves), BANYAN_OK);
    assert_false(proves);
    assert_int_equal(opens("transpositions=on,solver=off", &proves), BANYAN_OK);
    assert_int_equal(opens("transpositions=on,solver=on", &proves), BANYAN_UNSUPPORTED);
    assert_int_equal(opens("rule=regret,solver=on", &proves), BANYAN_UNSUPPORTED);
    assert_int_equal(opens("rule=regret", &proves), BANYAN_OK);
}

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

/* Sets the flag during evaluation number `at`. */
struct stopping {
    banyan_flag stop;
    atomic_int calls;
    int at;
};

static enum banyan_status stopping_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                            struct banyan_error *err)
{
    struct stopping *stopping = ctx;
    (void)err;
    for (int i = 0; i < n; ++i)
        leaves[i].values[0] = leaves[i].values[1] = 0;
    if (++stopping->calls == stopping->at)
        banyan_flag_set(&stopping->stop);
    return BANYAN_OK;
}

/* Opens a search with this test's evaluator. */
static void open_with(struct searching *s, const char *game, const char *options,
                      struct banyan_evaluator *evaluator)
{
    searching_open(s, game, NULL, options, "uniform");
    banyan_search_destroy(s->search);
    searching_check(s, banyan_search_create(&s->search, s->game, &s->options, evaluator, &s->err));
    searching_check(s, banyan_search_set_root(s->search, s->state, -1, &s->err));
}

/* A tree of an ensemble that gets no share of few simulations must not run without a limit. */
static void few_simulations_are_enough_for_many_trees(void **unused)
{
    (void)unused;
    for (int simulations = 1; simulations <= 4; ++simulations) {
        struct searching s;
        struct stopping stopping = {.at = 100};
        struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                             .name = "stopping",
                                             .ctx = &stopping,
                                             .reentrant = true,
                                             .evaluate = stopping_evaluate};
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
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = "stopping",
                                         .ctx = &stopping,
                                         .reentrant = true,
                                         .evaluate = stopping_evaluate};
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

/* --- sequential halving without a number of simulations --- */

/* The visits of the root's `count` actions, in ascending order; returns their sum. */
static uint64_t root_visits(const struct searching *s, uint64_t visits[], int count)
{
    struct banyan_search_move rows[9];
    uint64_t sum = 0;
    assert_int_equal(banyan_search_root_moves(s->search, 0, rows, 9), count);
    for (int i = 0; i < count; ++i)
        sum += visits[i] = rows[count - 1 - i].visits;
    return sum;
}

/* A run with a limit of time: nine actions, then four, then two are considered, and each of the
 * four phases has a fair share of the simulations. */
static void halving_by_time_uses_all_of_it(void **unused)
{
    (void)unused;
    static const int alive[4] = {9, 4, 2, 2}, drops[3] = {0, 5, 7};
    struct searching s;
    uint64_t visits[9];
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .time_ms = 300};
    searching_open(&s, "tictactoe", NULL, "rule=gumbel,solver=off", "rollout");
    searching_check(&s, banyan_search_run(s.search, &limits, &s.err));
    double all = (double)root_visits(&s, visits, 9);
    assert_true(visits[4] - visits[0] <= 1); /* the five actions that dropped out first */
    for (int phase = 0; phase < 2; ++phase) {
        uint64_t before = phase ? visits[drops[phase] - 1] : 0;
        double share = (double)(visits[drops[phase]] - before) * alive[phase] / all;
        if (share < 0.1 || share > 0.5) /* 0.25 in a run with a number of simulations */
            fail_msg("phase %d has %.3f of %.0f simulations", phase, share, all);
    }
    assert_true((double)(visits[7] - visits[6]) * 2 / all > 0.2); /* the last two phases */
    searching_close(&s);
}

/* A run until a flag is set: halving begins again with twice as many simulations, so no action
 * is ignored for ever. */
static void halving_without_a_limit_begins_again(void **unused)
{
    (void)unused;
    struct searching s;
    struct stopping stopping = {.at = 40000};
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = "stopping",
                                         .ctx = &stopping,
                                         .reentrant = true,
                                         .evaluate = stopping_evaluate};
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .stop = &stopping.stop};
    uint64_t visits[7];
    open_with(&s, "connect4", "rule=gumbel,solver=off", &evaluator);
    banyan_search_run(s.search, &limits, NULL);
    uint64_t all = root_visits(&s, visits, 7);
    /* the first seven actions share a third of the simulations */
    assert_true(visits[0] * 50 > all);
    assert_true(visits[6] * 7 > all);
    searching_close(&s);
}

/* Simulates one at a time, and records the mean of each action (by number) after so many visits. */
enum { LUCK_VISITS = 300 };

static void simulate_as_planned(int64_t planned, int simulations, double means[9][LUCK_VISITS])
{
    struct searching s;
    struct banyan_leaf leaf;
    struct banyan_search_move rows[9];
    searching_open(&s, "tictactoe", NULL, "rule=gumbel,solver=off", "rollout");
    banyan_search_plan(s.search, planned, true);
    for (int i = 0; i < simulations; ++i) {
        if (banyan_search_select(s.search, &leaf, 1) == 1) {
            searching_check(&s, s.evaluator.evaluate(s.evaluator.ctx, &leaf, 1, &s.err));
            banyan_search_update(s.search, &leaf, 1);
        }
        int count = banyan_search_root_moves(s.search, 0, rows, 9);
        for (int r = 0; r < count; ++r)
            if (rows[r].visits && rows[r].visits < LUCK_VISITS)
                means[rows[r].action][rows[r].visits] = rows[r].mean;
    }
    searching_close(&s);
}

/* What happens below an action of the root depends on its own visits only, so another schedule
 * gives the same results for equal visits. */
static void luck_does_not_depend_on_the_schedule(void **unused)
{
    (void)unused;
    static double even[9][LUCK_VISITS], halved[9][LUCK_VISITS];
    int compared = 0;
    for (int action = 0; action < 9; ++action)
        for (int visits = 0; visits < LUCK_VISITS; ++visits)
            even[action][visits] = halved[action][visits] = (double)NAN;
    simulate_as_planned(1000000, 1500, even); /* all actions in turn */
    simulate_as_planned(360, 360, halved);
    for (int action = 0; action < 9; ++action)
        for (int visits = 1; visits < LUCK_VISITS; ++visits)
            if (!isnan(even[action][visits]) && !isnan(halved[action][visits])) {
                assert_true(even[action][visits] == halved[action][visits]);
                ++compared;
            }
    assert_in_range(compared, 350, 360);
}

/* --- an early end --- */

/* The action chosen after so many simulations, with or without an early end. */
static banyan_action early_choice(const char *options, bool early, uint64_t *made)
{
    struct searching s;
    struct banyan_search_limits limits = {
        .struct_size = sizeof(struct banyan_search_limits), .simulations = 400, .early = early};
    struct banyan_search_stats stats;
    searching_open(&s, "tictactoe", "moves:a1 c2", options, "rollout");
    searching_check(&s, banyan_search_run(s.search, &limits, &s.err));
    banyan_search_stats(s.search, &stats, sizeof stats);
    banyan_action chosen = searching_choice(&s, 0);
    *made = stats.simulations;
    searching_close(&s);
    return chosen;
}

/* With every final rule, an early end does not change the choice; and runs do end early where
 * the choice is certain. */
static void an_early_end_does_not_change_the_choice(void **unused)
{
    (void)unused;
    static const struct {
        const char *options;
        bool drawn, ends; /* drawn: the choice is random; ends: some run of 400 simulations ends
                             early */
    } cases[] = {{"final=robust", false, true},
                 {"final=max", false, false},
                 {"final=max-robust,w1=0.2", false, true},
                 {"final=secure", false, false},
                 {"final=sample", true, false},
                 {"final=sample,temperature=0", false, true},
                 {"final=average,rule=regret", true, false},
                 {"final=max-robust,agree=on", true, false},
                 {"rule=gumbel,gumbel-actions=3", false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bool ended = false;
        for (int seed = 1; seed <= 40; ++seed) {
            char options[120];
            uint64_t made, all;
            snprintf(options, sizeof options, "solver=off,exploration=0.3,seed=%d,%s", seed,
                     cases[i].options);
            banyan_action chosen = early_choice(options, true, &made);
            if (early_choice(options, false, &all) != chosen)
                fail_msg("%s: another choice after %d of %d simulations", options, (int)made,
                         (int)all);
            ended = ended || made < all;
        }
        if (ended && cases[i].drawn)
            fail_msg("%s: ended early", cases[i].options);
        if (!ended && cases[i].ends)
            fail_msg("%s: never ended early", cases[i].options);
    }
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

/* --- priors that nobody wrote --- */

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

/* --- a simulation that comes to nothing leaves nothing behind --- */

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
        cmocka_unit_test(options_out_of_range_are_refused),
        cmocka_unit_test(structs_of_other_versions),
        cmocka_unit_test(a_struct_of_zeros_is_refused),
        cmocka_unit_test(every_seed_is_taken),
        cmocka_unit_test(solver_and_transpositions_do_not_go_together),
        cmocka_unit_test(a_run_needs_limits),
        cmocka_unit_test(few_simulations_are_enough_for_many_trees),
        cmocka_unit_test(without_a_root_nothing_is_searched),
        cmocka_unit_test(without_simulations_there_is_nothing_to_choose_by),
        cmocka_unit_test(kept_visits_are_enough_to_choose_by),
        cmocka_unit_test(a_run_says_that_it_was_stopped),
        cmocka_unit_test(a_walk_says_that_it_was_stopped),
        cmocka_unit_test(halving_by_time_uses_all_of_it),
        cmocka_unit_test(halving_without_a_limit_begins_again),
        cmocka_unit_test(luck_does_not_depend_on_the_schedule),
        cmocka_unit_test(an_early_end_does_not_change_the_choice),
        cmocka_unit_test(a_rollout_that_does_not_end_is_an_error),
        cmocka_unit_test(priors_that_nobody_wrote_are_no_opinion),
        cmocka_unit_test(a_search_goes_on_after_its_evaluator_failed),
        cmocka_unit_test(simulations_taken_back_leave_no_node_waiting),
        cmocka_unit_test(a_full_tree_waits_for_its_leaves),
        cmocka_unit_test(fewer_rows_are_the_most_visited_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
