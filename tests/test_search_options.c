/* Which values of a search's options are refused, and which options exclude each other. */
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

/* --- defaults and bounds, as docs/search.md and search.h give them --- */

struct number_option {
    const char *name;
    double usual, least, most, beyond; /* beyond: how far outside is refused */
};

static const struct number_option number_options[] = {
    {"exploration", 0.5, 0, 1e6, 0.5},
    {"cpuct", 1.25, 0, 1e6, 0.5},
    {"fpu", 0.2, -10, 10, 0.5},
    {"puct-log-base", 0, 0, 1e9, 0.5},
    {"expand-visits", 0, 0, 1e6, 1},
    {"widen-factor", 0, 0, 1e6, 0.5},
    {"widen-power", 0.5, 0, 1, 0.25},
    {"progressive-bias", 0, 0, 1e6, 0.5},
    {"implicit-minimax", 0, 0, 1, 0.25},
    {"score-weight", 0, 0, 1, 0.25},
    {"score-scale", 10, 1e-6, 1e9, 1},
    {"gumbel-actions", 16, 1, 65535, 1},
    {"gumbel-visit", 50, 0, 1e6, 0.5},
    {"gumbel-scale", 1, 0, 1e6, 0.5},
    {"regret-explore", 0.2, 0, 1, 0.125},
    {"grave-visits", 50, 0, 1e6, 1},
    {"grave-bias", 1e-4, 0, 1e6, 0.5},
    {"grave-exploration", 0, 0, 1e6, 0.5},
    {"grave-prior", 0, 0, 1e6, 20},
    {"noise-weight", 0, 0, 1, 0.25},
    {"noise-alpha", 0.3, 0.001, 1000, 0.0005},
    {"prior-temperature", 1, 0.01, 100, 0.005},
    {"root-prior-temperature", 1, 0.01, 100, 0.005},
    {"root-pruning", 0, 0, 100, 0.5},
    {"side0", 0, 0, 7, 1},
    {"side1", 1, 0, 7, 1},
    {"side2", 2, 0, 7, 1},
    {"side3", 3, 0, 7, 1},
    {"side4", 4, 0, 7, 1},
    {"side5", 5, 0, 7, 1},
    {"side6", 6, 0, 7, 1},
    {"side7", 7, 0, 7, 1},
    {"worlds", 0, 0, 65535, 1},
    {"prebuild-depth", 0, 0, 64, 1},
    {"w1", 1, 0, 1e6, 0.5},
    {"w2", 1, 0, 1e6, 0.5},
    {"temperature", 1, 0, 1000, 0.5},
    {"secure-z", 1, 0, 1000, 0.5},
    {"memory", 256 << 20, 1 << 17, 1e12, 1},
    {"batch", 1, 1, 4096, 1},
    {"threads", 1, 0, 256, 1},
    {"ensemble", 1, 1, 256, 1},
};

static const struct banyan_option *option_called(const char *name)
{
    const struct banyan_option *option = banyan_search_option_table();
    while (option->name && strcmp(option->name, name) != 0)
        ++option;
    if (!option->name)
        fail_msg("there is no option '%s'", name);
    return option;
}

static double number_of(const struct banyan_search_options *options, const char *name)
{
    const struct banyan_option *option = option_called(name);
    const char *at = (const char *)options + option->offset;
    double real;
    uint64_t size;
    int number;
    switch (option->type) {
    case BANYAN_OPTION_REAL:
        memcpy(&real, at, sizeof real);
        return real;
    case BANYAN_OPTION_SIZE:
        memcpy(&size, at, sizeof size);
        return (double)size;
    default:
        memcpy(&number, at, sizeof number);
        return number;
    }
}

static void check_bound(const struct number_option *row, double value, bool good)
{
    struct banyan_search_options options;
    struct banyan_error err;
    char text[40];
    banyan_search_options_default(&options);
    snprintf(text, sizeof text, "%.15g", value);
    enum banyan_status status =
        banyan_options_set(banyan_search_option_table(), &options, row->name, text, &err);
    if ((status == BANYAN_OK) != good)
        fail_msg("%s=%s is %s", row->name, text, good ? "refused" : "taken");
    if (good && fabs(number_of(&options, row->name) - value) > 1e-9)
        fail_msg("%s=%s sets %g", row->name, text, number_of(&options, row->name));
}

static void numbers_have_defaults_and_bounds(void **unused)
{
    (void)unused;
    struct banyan_search_options options;
    banyan_search_options_default(&options);
    for (size_t i = 0; i < sizeof number_options / sizeof *number_options; ++i) {
        const struct number_option *row = &number_options[i];
        if (fabs(number_of(&options, row->name) - row->usual) > 1e-12)
            fail_msg("%s is usually %g, not %g", row->name, number_of(&options, row->name),
                     row->usual);
        check_bound(row, row->least, true);
        check_bound(row, row->most, true);
        check_bound(row, row->least - row->beyond, false);
        check_bound(row, row->most + row->beyond, false);
    }
}

/* Choices by name, the usual one first; and what is on or off. */
static void names_have_defaults(void **unused)
{
    static const struct {
        const char *name, *choices[8]; /* in the order of their numbers */
        int usual;
    } rows[] = {{"rule", {"ucb1", "ucb1-tuned", "puct", "gumbel", "regret", "grave"}, 0},
                {"order", {"random", "first"}, 0},
                {"opponents", {"maxn", "paranoid", "coalition"}, 0},
                {"solver", {"off", "on", "auto"}, 2},
                {"draw", {"auto", "hidden", "all"}, 0},
                {"keys", {"full", "coarse"}, 1},
                {"final", {"max", "robust", "max-robust", "secure", "sample", "average"}, 1}};
    static const struct {
        const char *name;
        bool usual;
    } flags[] = {{"world-baseline", false}, {"raw-rewards", false},
                 {"children-first", true},  {"forced-playouts", false},
                 {"decisive", true},        {"transpositions", false},
                 {"availability", true},    {"rare-share", false},
                 {"agree", false},          {"reuse", true},
                 {"profile", false}};
    (void)unused;
    struct banyan_search_options options;
    struct banyan_error err;
    const struct banyan_option *table = banyan_search_option_table();
    banyan_search_options_default(&options);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        assert_int_equal((int)number_of(&options, rows[i].name), rows[i].usual);
        for (int k = 0; k < 8 && rows[i].choices[k]; ++k) {
            struct banyan_search_options other = options;
            assert_int_equal(
                banyan_options_set(table, &other, rows[i].name, rows[i].choices[k], &err),
                BANYAN_OK);
            assert_int_equal((int)number_of(&other, rows[i].name), k);
        }
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
        for (int on = 0; on < 2; ++on) {
            struct banyan_search_options other = options;
            size_t at = option_called(flags[i].name)->offset;
            assert_int_equal(*((const char *)&options + at), flags[i].usual);
            assert_int_equal(
                banyan_options_set(table, &other, flags[i].name, on ? "on" : "off", &err),
                BANYAN_OK);
            assert_int_equal(*((const char *)&other + at), on);
        }
    assert_true(options.seed == 1);
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

/* --- options and games that exclude the solver --- */

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

/* Where nothing can be proven the default is silent, and what was asked for is refused with the reason. */
static void a_solver_that_proves_nothing_is_refused(void **unused)
{
    static const char *const reasons[][2] = {{"pig", "pig has dice: use solver=auto or off"},
                                             {"kuhn", "kuhn hides cards"},
                                             {"rps", "rps has choices at the same time"}};
    (void)unused;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i) {
        struct searching s;
        struct banyan_search *search = NULL;
        searching_open(&s, reasons[i][0], NULL, "", "rollout");
        s.options.solver = BANYAN_SOLVER_ON;
        assert_int_equal(banyan_search_create(&search, s.game, &s.options, &s.evaluator, &s.err),
                         BANYAN_UNSUPPORTED);
        if (!strstr(s.err.message, reasons[i][1]))
            fail_msg("'%s' does not say '%s'", s.err.message, reasons[i][1]);
        searching_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_out_of_range_are_refused),
        cmocka_unit_test(a_solver_that_proves_nothing_is_refused),
        cmocka_unit_test(numbers_have_defaults_and_bounds),
        cmocka_unit_test(names_have_defaults),
        cmocka_unit_test(structs_of_other_versions),
        cmocka_unit_test(a_struct_of_zeros_is_refused),
        cmocka_unit_test(every_seed_is_taken),
        cmocka_unit_test(solver_and_transpositions_do_not_go_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
