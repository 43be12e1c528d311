/* Tables of options: what is read, refused, written and shown as help. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/options.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct settings {
    int depth;
    int64_t simulations;
    uint64_t memory_bytes;
    double exploration;
    bool solver;
    int rule;
    char evaluator[24];
    double time_ms;
    uint64_t seed;
};

static const char *const rules[] = {"ucb1", "ucb1-tuned", "puct", NULL};

static const struct banyan_option table[] = {
    {"depth", BANYAN_OPTION_INT, offsetof(struct settings, depth), -5, 60, NULL, 0, "plies"},
    {"simulations", BANYAN_OPTION_INT64, offsetof(struct settings, simulations), 0, 1e15, NULL, 0,
     "simulations per decision"},
    {"memory", BANYAN_OPTION_SIZE, offsetof(struct settings, memory_bytes), 1024, 0x1p40, NULL, 0,
     "cap of the tree"},
    {"exploration", BANYAN_OPTION_REAL, offsetof(struct settings, exploration), 0, 100, NULL, 0,
     "Cp"},
    {"solver", BANYAN_OPTION_BOOL, offsetof(struct settings, solver), 0, 0, NULL, 0, "prove"},
    {"rule", BANYAN_OPTION_CHOICE, offsetof(struct settings, rule), 0, 0, rules, 0, "selection"},
    {"evaluator", BANYAN_OPTION_TEXT, offsetof(struct settings, evaluator), 0, 0, NULL, 24,
     "leaf values"},
    {"move-time", BANYAN_OPTION_TIME, offsetof(struct settings, time_ms), 0, 3600e3, NULL, 0,
     "per decision"},
    {"seed", BANYAN_OPTION_SEED, offsetof(struct settings, seed), 0, 1e18, NULL, 0, "of dice"},
    {NULL, BANYAN_OPTION_INT, 0, 0, 0, NULL, 0, NULL},
};

static const struct settings defaults = {
    .depth = 4,
    .simulations = 1000,
    .memory_bytes = 1 << 20,
    .exploration = 0.7071067811865476,
    .evaluator = "rollout",
};

static struct banyan_error err;

static void fails(const char *text, enum banyan_status status, const char *part)
{
    struct settings settings = defaults;
    err.message[0] = 0;
    enum banyan_status got = banyan_options_parse(table, &settings, text, &err);
    if (got != status || !strstr(err.message, part) || strchr(err.message, '\n'))
        fail_msg("'%s': status %d, message '%s' lacks '%s'", text, (int)got, err.message, part);
}

static struct settings parsed(const char *text)
{
    struct settings settings = defaults;
    if (banyan_options_parse(table, &settings, text, &err) != BANYAN_OK)
        fail_msg("'%s': %s", text, err.message);
    return settings;
}

static void reads_values(void **state)
{
    (void)state;
    struct settings s = parsed("depth=-3,simulations=20k,memory=3M,exploration=1e-3,solver,"
                               "rule=puct,evaluator=(mix:a,b)");
    assert_int_equal(s.depth, -3);
    assert_int_equal(s.simulations, 20000);
    assert_int_equal(s.memory_bytes, 3 << 20);
    assert_true(s.exploration == 1e-3);
    assert_true(s.solver);
    assert_int_equal(s.rule, 2);
    assert_string_equal(s.evaluator, "mix:a,b");
    assert_int_equal(parsed("simulations=2G").simulations, 2000000000);
    assert_int_equal(parsed("memory=1G").memory_bytes, 1 << 30);
    assert_int_equal(parsed("").depth, 4);
    assert_string_equal(parsed("evaluator=").evaluator, "");
    assert_string_equal(parsed("evaluator=f(a,b)").evaluator, "f(a,b)");
    assert_string_equal(parsed("evaluator=(a,b)|(c)").evaluator, "(a,b)|(c)");
    assert_string_equal(parsed("evaluator=a=b").evaluator, "a=b");
}

static void reads_booleans(void **state)
{
    (void)state;
    static const char *const on[] = {"solver", "solver=on", "solver=true", "solver=yes",
                                     "solver=1"};
    static const char *const off[] = {"solver=off", "solver=false", "solver=no", "solver=0"};
    for (int i = 0; i < 5; ++i)
        assert_true(parsed(on[i]).solver);
    for (int i = 0; i < 4; ++i)
        assert_false(parsed(off[i]).solver);
}

static void refuses_bad_values(void **state)
{
    (void)state;
    static const char *const ints[] = {
        "depth=",   "depth=4x", "depth= 4", "depth=0x4", "depth=4.0",
        "depth=4k", "depth=61", "depth=-6", "depth=--3", "depth=99999999999999999999"};
    for (unsigned i = 0; i < sizeof ints / sizeof *ints; ++i)
        fails(ints[i], BANYAN_INVALID, "-5..60");
    fails("simulations=10m0", BANYAN_INVALID, "from 0 up (k, M, G");
    fails("simulations=9223372036854775807k", BANYAN_INVALID, "whole number");
    fails("simulations=-1", BANYAN_INVALID, "from 0 up");
    fails("memory=512", BANYAN_INVALID, "a size 1K..1024G (bytes; K, M, G: powers of 1024)");
    fails("seed=-1", BANYAN_INVALID, "must be a whole number from 0 up");
    fails("exploration=nan", BANYAN_INVALID, "0..100");
    fails("exploration=inf", BANYAN_INVALID, "0..100");
    fails("exploration=0x1p3", BANYAN_INVALID, "0..100");
    fails("exploration=1.5.5", BANYAN_INVALID, "0..100");
    fails("solver=maybe", BANYAN_INVALID, "on or off");
    fails("rule=ucb", BANYAN_INVALID, "ucb1, ucb1-tuned, puct; did you mean 'ucb1'?");
    fails("rule=zzzzzzzzz", BANYAN_INVALID, "one of ucb1");
    fails("evaluator=123456789012345678901234", BANYAN_INVALID, "at most 23");
}

static void reads_times(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double ms;
        const char *written;
    } times[] = {{"50ms", 50, "50ms"},   {"2s", 2000, "2s"},      {"1m", 60000, "1m"},
                 {"1h", 3.6e6, "1h"},    {"0.25s", 250, "250ms"}, {"0.125ms", 0.125, "0.125ms"},
                 {"9e1s", 90000, "90s"}, {"0", 0, "0ms"},         {"0ms", 0, "0ms"},
                 {"2.0s", 2000, "2s"},   {"1.5m", 90000, "90s"},  {"1500ms", 1500, "1500ms"}};
    for (unsigned i = 0; i < sizeof times / sizeof *times; ++i) {
        char text[60], dump[100];
        snprintf(text, sizeof text, "move-time=%s", times[i].text);
        struct settings s = parsed(text), before = defaults;
        assert_true(s.time_ms == times[i].ms);
        before.time_ms = -1;
        banyan_options_dump(table + 7, &s, &before, dump, sizeof dump);
        snprintf(text, sizeof text, "move-time=%s", times[i].written);
        assert_string_equal(dump, text);
    }
    fails("move-time=50", BANYAN_INVALID, "move-time=50: a time has a unit: write 50ms or 2s");
    fails("move-time=-1ms", BANYAN_INVALID, "must be a time 0ms..1h (such as 50ms, 2s, 1m)");
    fails("move-time=61m", BANYAN_INVALID, "must be a time 0ms..1h");
    fails("move-time=5min", BANYAN_INVALID, "must be a time");
    fails("move-time=ms", BANYAN_INVALID, "must be a time");
    fails("move-time=infs", BANYAN_INVALID, "must be a time");
    fails("move-time=", BANYAN_INVALID, "must be a time");
    fails("move-time", BANYAN_INVALID, "needs a value");
}

/* Spellings that early states of version 0.1 wrote into files and that people have in scripts. */
static void reads_earlier_spellings(void **state)
{
    (void)state;
    assert_true(parsed("move_time=5ms").time_ms == 5);
    assert_true(parsed("move-time_ms=1500").time_ms == 1500);
    assert_true(parsed("move_time-ms=0.5").time_ms == 0.5);
    assert_int_equal(parsed("memory_mb=64").memory_bytes, 64 << 20);
    assert_int_equal(parsed("seed=4K").seed, 4096);
    char dump[200];
    struct settings s = parsed("move_time_ms=2000,memory-mb=8,seed=1M");
    banyan_options_dump(table, &s, &defaults, dump, sizeof dump);
    assert_string_equal(dump, "memory=8M,move-time=2s,seed=1048576");
    fails("move_time_ms=5ms", BANYAN_INVALID, "must be a time");
    fails("move-timems=5", BANYAN_NOT_FOUND, "did you mean 'move-time'?");
    fails("depth_ms=5", BANYAN_NOT_FOUND, "depth");
    fails("move-time-mb=5", BANYAN_NOT_FOUND, "move-time");
}

static void refuses_bad_lists(void **state)
{
    (void)state;
    fails("simulation=5", BANYAN_NOT_FOUND, "did you mean 'simulations'?");
    fails("qqqqqqqqqqqq=5", BANYAN_NOT_FOUND, "there are: depth, simulations");
    fails("depth", BANYAN_INVALID, "needs a value");
    fails("depth=4,", BANYAN_INVALID, "comma at the end");
    fails("depth=4,,solver", BANYAN_INVALID, "empty option");
    fails("=4", BANYAN_INVALID, "empty option");
    fails("evaluator=(a,b", BANYAN_INVALID, "parentheses");
    fails("evaluator=a)", BANYAN_INVALID, "parentheses");
    struct settings s = defaults;
    assert_int_equal(banyan_options_set(table, &s, "evaluator", "a(b", &err), BANYAN_INVALID);
    assert_int_equal(banyan_options_set(table, &s, "evaluator", "a)(b", &err), BANYAN_INVALID);
    assert_string_equal(s.evaluator, "rollout");
}

static void survives_long_text(void **state)
{
    (void)state;
    static char text[20000];
    memset(text, 'a', sizeof text - 1);
    fails(text, BANYAN_INVALID, "too long");
    memcpy(text, "evaluator=", 10);
    fails(text, BANYAN_INVALID, "too long");
    text[4000] = 0;
    fails(text, BANYAN_INVALID, "at most 23");
    text[10] = '(';
    fails(text, BANYAN_INVALID, "parentheses");
    struct settings s = defaults;
    assert_int_equal(banyan_options_parse(table, &s, "depth=x", NULL), BANYAN_INVALID);
}

static void dump_reads_back(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "depth=-5,simulations=123456789012345,memory=1025,exploration=0.1,solver=on,rule=puct",
        "exploration=1e-7,memory=5G,evaluator=(a,(b,c))",
        "evaluator=((x))",
        "evaluator=(x)(y)",
        "evaluator=",
    };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) {
        struct settings s = parsed(texts[i]);
        char all[400], some[400];
        banyan_options_dump(table, &s, NULL, all, sizeof all);
        struct settings zeros = {0}, again = zeros;
        assert_int_equal(banyan_options_parse(table, &again, all, &err), BANYAN_OK);
        assert_int_equal(again.depth, s.depth);
        assert_int_equal(again.simulations, s.simulations);
        assert_int_equal(again.memory_bytes, s.memory_bytes);
        assert_true(again.exploration == s.exploration);
        assert_int_equal(again.solver, s.solver);
        assert_int_equal(again.rule, s.rule);
        assert_string_equal(again.evaluator, s.evaluator);
        banyan_options_dump(table, &s, &defaults, some, sizeof some);
        char back[400];
        again = parsed(some);
        banyan_options_dump(table, &again, NULL, back, sizeof back);
        assert_string_equal(all, back);
    }
    struct settings s = parsed("depth=7");
    char dump[100];
    banyan_options_dump(table, &s, &defaults, dump, sizeof dump);
    assert_string_equal(dump, "depth=7");
}

static void writes_no_more_than_fits(void **state)
{
    (void)state;
    char whole[400], part[12] = "...........";
    int length = banyan_options_dump(table, &defaults, NULL, whole, sizeof whole);
    assert_int_equal(length, strlen(whole));
    assert_int_equal(banyan_options_dump(table, &defaults, NULL, NULL, 0), length);
    assert_int_equal(banyan_options_dump(table, &defaults, NULL, part, 10), length);
    assert_memory_equal(part, whole, 9);
    assert_int_equal(part[9], 0);
    assert_int_equal(part[10], '.');
}

static void options_are_sorted_by_table(void **unused)
{
    (void)unused;
    char own[64], rest[64];
    assert_int_equal(
        options_split(table, "depth=3,name=(a,depth=4),memory_mb=2,x", own, rest, sizeof own, &err),
        BANYAN_OK);
    assert_string_equal(own, "depth=3,memory_mb=2");
    assert_string_equal(rest, "name=(a,depth=4),x");
    assert_int_equal(options_split(table, "", own, rest, sizeof own, &err), BANYAN_OK);
    assert_string_equal(own, "");
    assert_string_equal(rest, "");
    assert_int_equal(options_split(table, "x=(1", own, rest, sizeof own, &err), BANYAN_INVALID);
    assert_int_equal(options_split(table, "x,depth=1,", own, rest, sizeof own, &err),
                     BANYAN_INVALID);
    assert_non_null(strstr(err.message, "a comma at the end"));
    assert_int_equal(options_split(table, "depth=1", own, rest, 7, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "too long"));
}

static void help_names_everything(void **state)
{
    (void)state;
    char help[2000];
    int length = banyan_options_help(table, &defaults, help, sizeof help);
    assert_int_equal(length, strlen(help));
    static const char *const parts[] = {"depth=4",
                                        "-5..60",
                                        "simulations=1000",
                                        "memory=1M",
                                        "exploration=0.7071067811865476",
                                        "solver=off",
                                        "one of ucb1, ucb1-tuned, puct",
                                        "leaf values"};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (!strstr(help, parts[i]))
            fail_msg("help lacks '%s':\n%s", parts[i], help);
}

/* A struct that was filled by the program: the first wrong value is reported with its range. */
static void filled_structs_are_checked(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {
        "option depth=61: must be a whole number -5..60",
        ("option simulations=-1: must be a whole number from 0 up (k, M, G: thousand, million, "
         "billion)"),
        "option memory=1023: must be a size 1K..1024G (bytes; K, M, G: powers of 1024)",
        "option exploration=nan: must be a number 0..100",
        "option solver=7: must be on or off",
        "option rule=3: must be one of ucb1, ucb1-tuned, puct",
        "option evaluator=(text without an end): must be text of at most 23 bytes",
        "option move-time=-1: must be a time 0ms..1h (such as 50ms, 2s, 1m)"};
    assert_int_equal(banyan_options_check(table, &defaults, NULL), BANYAN_OK);
    for (int i = 0; i < 8; ++i) {
        struct settings s = defaults;
        const unsigned char seven = 7;
        s.depth = i == 0 ? 61 : s.depth;
        s.simulations = i == 1 ? -1 : s.simulations;
        s.memory_bytes = i == 2 ? 1023 : s.memory_bytes;
        s.exploration = i == 3 ? (double)NAN : s.exploration;
        if (i == 4)
            memcpy(&s.solver, &seven, 1);
        s.rule = i == 5 ? 3 : s.rule;
        s.time_ms = i == 7 ? -1 : s.time_ms;
        if (i == 6)
            memset(s.evaluator, 'x', sizeof s.evaluator);
        assert_int_equal(banyan_options_check(table, &s, &err), BANYAN_INVALID);
        assert_string_equal(err.message, wrong[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filled_structs_are_checked),
        cmocka_unit_test(reads_values),
        cmocka_unit_test(reads_booleans),
        cmocka_unit_test(reads_times),
        cmocka_unit_test(reads_earlier_spellings),
        cmocka_unit_test(refuses_bad_values),
        cmocka_unit_test(refuses_bad_lists),
        cmocka_unit_test(survives_long_text),
        cmocka_unit_test(dump_reads_back),
        cmocka_unit_test(writes_no_more_than_fits),
        cmocka_unit_test(options_are_sorted_by_table),
        cmocka_unit_test(help_names_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
