/* What depends on time, with a clock of the test's own: an evaluation takes as long as the test says, and nothing
 * else takes any time.  So what a run must do follows by hand, and no machine is too slow for it.
 *
 * The program is linked with --wrap=clock_gettime (cmake/tests.cmake). */
#include "search_stopping.h"

#include "search/run.h"
#include "search/workers.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

static struct {
    double ms;       /* what evaluations have taken */
    double extra_ms; /* what everything else has taken */
    int readings;
} clock_now;

/* The root of a search by several threads, at each reading of the clock while they search. */
static struct {
    const struct banyan_search *search; /* NULL: nothing is watched */
    int held, loose;
} watched;

static void watch(void)
{
    const struct workers *all = watched.search ? watched.search->parallel.workers : NULL;
    if (!all || !all->run || !all->run->is_shared)
        return;
    uint32_t root = watched.search->root.edges[0].child;
    bool is_held = word_load_relaxed(&tree_node(&watched.search->tree, root)->forward) == TREE_HELD;
    ++*(is_held ? &watched.held : &watched.loose);
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    if (clock != CLOCK_MONOTONIC)
        return __real_clock_gettime(clock, now);
    watch();
    ++clock_now.readings;
    /* a little late, so that rounding does not make it early */
    double ms = (clock_now.ms + clock_now.extra_ms) * (1 + 1e-7);
    now->tv_sec = (time_t)(ms / 1e3);
    now->tv_nsec = (long)((ms - (double)now->tv_sec * 1e3) * 1e6);
    return 0;
}

/* --- an evaluator for which time passes: evaluation n ends at whole * (n / all)^(1 / power) --- */

enum { TIMED_MOST = 20000 };

struct timed {
    double whole_ms, all, power;
    bool is_random;    /* values are -1 or 1; else 0 */
    banyan_flag *stop; /* is set by evaluation number `last` */
    int last;          /* 0: none */
    int calls;
    const struct banyan_search *search;
    int64_t budgets[TIMED_MOST]; /* of halving, as evaluation n saw it */
    uint64_t ends[TIMED_MOST];   /* search->run.end, as evaluation n saw it */
};

static double timed_ms(const struct timed *timed, double evaluations)
{
    return timed->whole_ms * pow(evaluations / timed->all, 1 / timed->power);
}

static enum banyan_status timed_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                         struct banyan_error *err)
{
    struct timed *timed = ctx;
    (void)err;
    assert_true(timed->calls < TIMED_MOST);
    timed->budgets[timed->calls] = timed->search->gumbel->halving.budget;
    timed->ends[timed->calls] = timed->search->run.end;
    for (int i = 0; i < n; ++i) {
        float value = timed->is_random ? (float)banyan_rng_below(leaves[i].rng, 2) * 2 - 1 : 0;
        leaves[i].values[0] = value;
        leaves[i].values[1] = -value;
        if (++timed->calls == timed->last)
            banyan_flag_set(timed->stop);
    }
    clock_now.ms = timed_ms(timed, timed->calls);
    return BANYAN_OK;
}

static struct banyan_evaluator timed_evaluator(struct timed *timed)
{
    return (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "timed",
                                     .ctx = timed,
                                     .evaluate = timed_evaluate};
}

/* Runs a search until `limits` end it, from time 0 on. */
static uint64_t timed_run(struct searching *s, struct timed *timed, const char *game,
                          const char *options, const struct banyan_search_limits *limits)
{
    static struct banyan_evaluator evaluator;
    struct banyan_search_stats stats;
    evaluator = timed_evaluator(timed);
    clock_now.ms = clock_now.extra_ms = clock_now.readings = 0;
    open_with(s, game, options, &evaluator);
    timed->search = s->search;
    searching_check(s, banyan_search_run(s->search, limits, &s->err));
    banyan_search_stats(s->search, &stats, sizeof stats);
    return stats.simulations;
}

/* --- the end of a run --- */

/* At 1 simulation each ms the clock is read after each, at more of them several times in a fifth of a ms or after
 * 1024 simulations, but not in the first 16. */
static void a_run_ends_at_its_time(void **unused)
{
    static const struct {
        double per_ms, time_ms;
        uint64_t least, most;
    } rows[] = {{1, 100, 100, 100},
                {4, 100, 400, 400},
                {0.125, 8000, 1000, 1000},
                {1, 0.5, 16, 16},
                {1, 3, 16, 16},
                {20, 100, 2000, 2004},
                {100, 100, 10000, 10020},
                {10000, 0.75, 7500, 7500 + 1024}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        static struct timed timed;
        struct searching s;
        struct banyan_search_limits limits = {.struct_size = sizeof limits,
                                              .time_ms = rows[i].time_ms};
        struct banyan_search_stats stats;
        timed = (struct timed){.whole_ms = 1, .all = rows[i].per_ms, .power = 1};
        uint64_t made = timed_run(&s, &timed, "othello", "", &limits);
        if (made < rows[i].least || made > rows[i].most)
            fail_msg("%g simulations a ms for %g ms: %llu", rows[i].per_ms, rows[i].time_ms,
                     (unsigned long long)made);
        banyan_search_stats(s.search, &stats, sizeof stats);
        assert_true(fabs(stats.elapsed_ms - (double)made / rows[i].per_ms) < 1e-3);
        if (rows[i].per_ms > 50) /* reading the clock costs as much as a simulation */
            assert_in_range(clock_now.readings, 3, made / 10);
        searching_close(&s);
    }
}

/* The number of simulations ends a run before its time, and time before their number; a second run has its own
 * time. */
static void the_first_limit_ends_a_run(void **unused)
{
    static struct timed timed;
    struct searching s;
    struct banyan_search_limits limits = {
        .struct_size = sizeof limits, .simulations = 90, .time_ms = 100};
    struct banyan_search_stats stats;
    (void)unused;
    timed = (struct timed){.whole_ms = 1, .all = 1, .power = 1};
    assert_int_equal(timed_run(&s, &timed, "othello", "", &limits), 90);
    limits.simulations = 110;
    searching_check(&s, banyan_search_run(s.search, &limits, &s.err));
    banyan_search_stats(s.search, &stats, sizeof stats);
    assert_int_equal(stats.simulations, 190);
    assert_true(fabs(stats.elapsed_ms - 100) < 1e-3);
    searching_close(&s);
}

/* --- progress --- */

enum { CALLS = 64 };

static struct {
    double at_ms[CALLS];
    int count, last; /* at call number `last` the run is to end */
} told;

#define TOLD_MS 5 /* how long a call takes */

static bool tell(void *ctx, const struct banyan_search *search)
{
    (void)ctx, (void)search;
    assert_true(told.count < CALLS);
    told.at_ms[told.count++] = clock_now.ms + clock_now.extra_ms;
    clock_now.extra_ms += TOLD_MS;
    return told.count != told.last;
}

/* The time from the end of a call to the next one is progress_ms. */
static void progress_is_told_in_time(void **unused)
{
    (void)unused;
    for (int end = 0; end < 2; ++end) {
        static struct timed timed;
        static struct banyan_evaluator evaluator;
        struct searching s;
        struct banyan_search_limits limits = {
            .struct_size = sizeof limits, .time_ms = 310, .progress = tell, .progress_ms = 25};
        told.count = 0;
        told.last = end ? 4 : -1;
        timed = (struct timed){.whole_ms = 1, .all = 1, .power = 1};
        evaluator = timed_evaluator(&timed);
        clock_now.ms = clock_now.extra_ms = 0;
        open_with(&s, "othello", "", &evaluator);
        timed.search = s.search;
        enum banyan_status status = banyan_search_run(s.search, &limits, &s.err);
        assert_int_equal(status, end ? BANYAN_INTERRUPTED : BANYAN_OK);
        assert_int_equal(told.count, end ? 4 : 10);
        for (int i = 0; i < told.count; ++i)
            assert_true(fabs(told.at_ms[i] - 25 - (25 + TOLD_MS) * i) < 1e-3);
        assert_int_equal(s.search->simulations, end ? 100 : 310 - 10 * TOLD_MS);
        searching_close(&s);
    }
}

/* --- what is still to come --- */

/* At an even speed the end of the run is known from the first look at the clock on. */
static void the_end_is_foreseen(void **unused)
{
    static struct timed timed;
    struct searching s;
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .time_ms = 200};
    (void)unused;
    timed = (struct timed){.whole_ms = 1, .all = 2, .power = 1};
    assert_int_equal(timed_run(&s, &timed, "othello", "", &limits), 400);
    for (int i = 0; i < 400; ++i)
        if (i < 16 ? timed.ends[i] != 0 : timed.ends[i] < 399 || timed.ends[i] > 400)
            fail_msg("after %d simulations the end is expected at %d", i, (int)timed.ends[i]);
    searching_close(&s);
}

/* A run that only a flag ends has no end that could be foreseen. */
static void no_end_is_foreseen_without_a_limit(void **unused)
{
    static struct timed timed;
    static banyan_flag stop;
    struct searching s;
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .stop = &stop};
    (void)unused;
    timed = (struct timed){.whole_ms = 1, .all = 2, .power = 1, .stop = &stop, .last = 1000};
    static struct banyan_evaluator evaluator;
    evaluator = timed_evaluator(&timed);
    open_with(&s, "othello", "", &evaluator);
    timed.search = s.search;
    assert_int_equal(banyan_search_run(s.search, &limits, &s.err), BANYAN_INTERRUPTED);
    for (int i = 0; i < 1000; ++i)
        assert_int_equal(timed.ends[i], 0);
    searching_close(&s);
}

/* The number of simulations that halving expects in all, after `done` of them.  It grows as a power
 * of the time.  The power is measured from simulation `first` on, the first after a tenth of the
 * time; it is kept within 0.7 and 1, and counts as 1 until half as much time again has passed. */
static double expected_budget(const struct timed *timed, double done, double first)
{
    double share = timed_ms(timed, done) / timed->whole_ms;
    double first_share = timed_ms(timed, first) / timed->whole_ms, power = 1;
    if (share > 1.5 * first_share)
        power = fmin(fmax(log(done / first) / log(share / first_share), 0.7), 1);
    /* the first simulation made the root's node, and chose nothing there */
    return done - 1 + done * (pow(1 / share, power) - 1);
}

static void halving_expects_a_power_of_the_time(void **unused)
{
    static const double powers[] = {0.5, 0.75, 0.9, 1, 1.3};
    (void)unused;
    for (size_t i = 0; i < sizeof powers / sizeof *powers; ++i) {
        static struct timed timed;
        struct searching s;
        struct banyan_search_limits limits = {.struct_size = sizeof limits, .time_ms = 2000};
        timed = (struct timed){.whole_ms = 2000, .all = 1000, .power = powers[i]};
        uint64_t made =
            timed_run(&s, &timed, "othello", "rule=gumbel,gumbel-actions=2,solver=off", &limits);
        assert_in_range(made, 1000, 1001);
        int first = 16; /* before, the clock is not read */
        while (timed_ms(&timed, first) < 0.1 * 2000)
            ++first;
        for (int done = 17; done < 999; ++done) {
            double expected = expected_budget(&timed, done, first);
            if (done / timed_ms(&timed, done) >= 5)
                continue; /* the clock is not read after each simulation */
            if (fabs((double)timed.budgets[done] - expected) > 2 + 0.002 * expected)
                fail_msg("power %g: after %d simulations %d are expected, not %.1f", powers[i],
                         done, (int)timed.budgets[done], expected);
        }
        searching_close(&s);
    }
}

/* Halving by time gives each of Connect Four's seven actions the visits that it has in a run of as many simulations:
 * seven actions, then three, then two are considered.  Where simulations become slower that is known after some time
 * only. */
static void halving_by_time_is_halving_by_number(void **unused)
{
    static const double powers[] = {0.8, 1}, off[] = {0.25, 0.03};
    (void)unused;
    for (size_t i = 0; i < sizeof powers / sizeof *powers; ++i) {
        struct banyan_search_move rows[2][7];
        for (int by_number = 0; by_number < 2; ++by_number) {
            static struct timed timed;
            struct searching s;
            struct banyan_search_limits limits = {.struct_size = sizeof limits};
            limits.time_ms = by_number ? 0 : 4000;
            limits.simulations = by_number ? 2000 : 0;
            timed = (struct timed){.whole_ms = 4000, .all = 2000, .power = powers[i]};
            timed_run(&s, &timed, "connect4", "rule=gumbel,solver=off,decisive=off", &limits);
            assert_int_equal(banyan_search_root_moves(s.search, 0, rows[by_number], 7), 7);
            searching_close(&s);
        }
        for (int k = 0; k < 7; ++k)
            if (fabs((double)rows[0][k].visits - (double)rows[1][k].visits) >
                off[i] * (double)rows[1][k].visits + 1)
                fail_msg("power %g: %d visits by time, %d by number", powers[i],
                         (int)rows[0][k].visits, (int)rows[1][k].visits);
    }
}

/* --- threads --- */

/* Whether the final choice is decided is asked of a root that no other thread changes meanwhile. */
static void the_root_is_held_for_an_early_end(void **unused)
{
    static struct stopping stopping;
    static struct banyan_evaluator evaluator;
    struct searching s;
    struct banyan_search_limits limits = {
        .struct_size = sizeof limits, .simulations = 20000, .early = true};
    (void)unused;
    evaluator = stopping_evaluator(&stopping);
    open_with(&s, "othello", "threads=2,solver=off", &evaluator);
    watched.search = s.search;
    searching_check(&s, banyan_search_run(s.search, &limits, &s.err));
    watched.search = NULL;
    assert_in_range(watched.held, 1, 20000); /* the thread that asks may get few turns */
    assert_int_equal(watched.loose, 0);
    searching_close(&s);
}

/* --- option agree --- */

/* Whether the most visited action has the highest mean. */
static bool agrees(const struct searching *s)
{
    struct banyan_search_move rows[4];
    int count = banyan_search_root_moves(s->search, 0, rows, 4);
    for (int i = 1; i < count; ++i)
        if (rows[i].mean > rows[0].mean)
            return false;
    return true;
}

static uint64_t agreeing_run(struct searching *s, const struct banyan_search_limits *limits,
                             int seed, bool agree)
{
    static struct timed timed;
    char options[128];
    snprintf(options, sizeof options,
             "final=max-robust,solver=off,exploration=100,seed=%d,agree=%s", seed,
             agree ? "on" : "off");
    timed = (struct timed){.whole_ms = 1, .all = 1, .power = 1, .is_random = true};
    return timed_run(s, &timed, "othello", options, limits);
}

/* A run that has not agreed goes on by sixteenths of its limit until it does, but at most as long again. */
static void a_run_goes_on_until_it_agrees(void **unused)
{
    int extended = 0, ended = 0;
    (void)unused;
    for (int seed = 0; seed < 40; ++seed) {
        struct searching s;
        struct banyan_search_stats stats;
        struct banyan_search_limits limits = {.struct_size = sizeof limits};
        if (seed % 2)
            limits.time_ms = 640;
        else
            limits.simulations = 640;
        assert_int_equal(agreeing_run(&s, &limits, seed, false), 640);
        bool agreed = agrees(&s);
        searching_close(&s);
        uint64_t made = agreeing_run(&s, &limits, seed, true);
        banyan_search_stats(s.search, &stats, sizeof stats);
        assert_true(fabs(stats.elapsed_ms - (double)made) < 1e-3);
        assert_in_range(made, 640, 1280);
        assert_int_equal(made % 40, 0);
        assert_int_equal(made == 640, agreed);
        assert_true(made == 1280 || agrees(&s));
        extended += !agreed;
        ended += !agreed && made < 1280;
        searching_close(&s);
    }
    if (extended <= 5 || ended <= 3)
        fail_msg("%d runs were extended, %d of them agreed early", extended, ended);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_ends_at_its_time),
        cmocka_unit_test(the_first_limit_ends_a_run),
        cmocka_unit_test(progress_is_told_in_time),
        cmocka_unit_test(the_end_is_foreseen),
        cmocka_unit_test(no_end_is_foreseen_without_a_limit),
        cmocka_unit_test(halving_expects_a_power_of_the_time),
        cmocka_unit_test(halving_by_time_is_halving_by_number),
        cmocka_unit_test(the_root_is_held_for_an_early_end),
        cmocka_unit_test(a_run_goes_on_until_it_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
