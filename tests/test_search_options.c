/* What the options of a search are refused for, and what does not go together. */
#include "searching.h"

#include <math.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_out_of_range_are_refused),
        cmocka_unit_test(structs_of_other_versions),
        cmocka_unit_test(a_struct_of_zeros_is_refused),
        cmocka_unit_test(every_seed_is_taken),
        cmocka_unit_test(solver_and_transpositions_do_not_go_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
