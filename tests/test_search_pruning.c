/* Pruning at the root: actions that cannot catch up get no more visits. */
#include "memory_file.h"
#include "shares.h"

#include <math.h>
#include <stdio.h>

#define BY_PRIORS "solver=off,decisive=off,rule=puct,fpu=0,cpuct=100"

/* Visits of the three actions, the most first. */
static void expect_visits(struct searching *s, const char *what, const uint64_t visits[3])
{
    struct banyan_search_move rows[9];
    assert_int_equal(banyan_search_root_moves(s->search, 0, rows, 9), 3);
    for (int i = 0; i < 3; ++i)
        if (rows[i].visits != visits[i])
            fail_msg("%s: action %d has %d visits, not %d", what, i, (int)rows[i].visits,
                     (int)visits[i]);
}

static enum banyan_status run_by(struct searching *s, const struct banyan_search_limits *limits)
{
    return banyan_search_run(s->search, limits, &s->err);
}

/* After n choices the highest of prior / (1 + visits) is next, so visits grow as 6:3:1.  With 100 choices and
 * pruning=1 the last action is out once 6 + left < visits of the first, the second once 23 + left < 47. */
static const struct {
    const char *options;
    uint64_t visits[3];
} by_hand[] = {
    {"root-pruning=0", {60, 30, 10}},   {"root-pruning=1", {71, 23, 6}},
    {"root-pruning=1.33", {74, 21, 5}}, {"root-pruning=3", {82, 15, 3}},
    {"root-pruning=100", {100, 0, 0}},
};

static void simulations_go_to_those_that_can_win(void **unused)
{
    static const double times_ms[] = {0, 1e9};
    (void)unused;
    for (size_t r = 0; r < sizeof by_hand / sizeof *by_hand; ++r)
        for (int t = 0; t < 2; ++t) {
            struct searching s;
            char options[128];
            struct banyan_search_limits limits = {
                .struct_size = sizeof limits, .simulations = 101, .time_ms = times_ms[t]};
            snprintf(options, sizeof options, BY_PRIORS ",%s", by_hand[r].options);
            open_position(&s, THREE_LEFT, options);
            searching_check(&s, run_by(&s, &limits));
            expect_visits(&s, by_hand[r].options, by_hand[r].visits);
            searching_close(&s);
        }
}

/* The same by banyan_search_plan; without a plan nothing is known, and nothing is pruned. */
static void a_plan_says_how_many_are_left(void **unused)
{
    (void)unused;
    for (int planned = 0; planned < 2; ++planned) {
        struct searching s;
        struct banyan_leaf leaf;
        open_position(&s, THREE_LEFT, BY_PRIORS ",root-pruning=1");
        banyan_search_plan(s.search, planned ? 101 : 0, true);
        for (struct banyan_search_stats stats = {0}; stats.simulations < 101;
             banyan_search_stats(s.search, &stats, sizeof stats)) {
            int n = banyan_search_select(s.search, &leaf, 1);
            searching_check(&s, three_shares(NULL, &leaf, n, NULL));
            banyan_search_update(s.search, &leaf, n);
        }
        expect_visits(&s, "a plan", by_hand[planned].visits);
        searching_close(&s);
    }
}

static uint64_t most_visits(struct searching *s, uint64_t *all)
{
    struct banyan_search_move rows[9];
    *all = 0;
    for (int i = 0, count = banyan_search_root_moves(s->search, 0, rows, 9); i < count; ++i)
        *all += rows[i].visits;
    return rows[0].visits;
}

/* Leaves in flight are counted where they go; threads do not see each other's at once, and prune later. */
static void batches_and_threads(void **unused)
{
    static const char *const options[] = {"batch=8", "threads=2", "threads=2,batch=4"};
    (void)unused;
    for (size_t o = 0; o < sizeof options / sizeof *options; ++o) {
        struct searching s;
        char text[128];
        uint64_t all;
        snprintf(text, sizeof text, BY_PRIORS ",root-pruning=1,%s", options[o]);
        open_position(&s, THREE_LEFT, text);
        searching_run(&s, 20000);
        uint64_t most = most_visits(&s, &all);
        assert_true(all >= 19990);
        if (most < 12800 || most > 14500) /* 12000 without pruning */
            fail_msg("%s: %d of %d visits", options[o], (int)most, (int)all);
        searching_close(&s);
    }
}

/* The most visited action's share after 100 ms. */
static double share_by_time(const char *options)
{
    struct searching s;
    char text[128];
    uint64_t all;
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .time_ms = 100};
    snprintf(text, sizeof text, BY_PRIORS ",root-pruning=100%s", options);
    open_position(&s, THREE_LEFT, text);
    searching_check(&s, run_by(&s, &limits));
    uint64_t most = most_visits(&s, &all);
    searching_close(&s);
    return (double)most / (double)all;
}

/* How many simulations are left follows from the rate so far; root-pruning=100 leaves nothing to
 * the others.  Where a thread gets no processor for most of 100 ms there is no rate yet, so some
 * runs may show nothing. */
static void by_time(void **unused)
{
    static const char *const options[] = {"", ",threads=2"};
    (void)unused;
    for (size_t o = 0; o < sizeof options / sizeof *options; ++o) {
        double best = 0;
        for (int try = 0; try < 20 && best < 0.7; ++try)
            best = fmax(best, share_by_time(options[o]));
        if (best < 0.7) /* 0.6 without pruning */
            fail_msg("'%s': at most %.3f of the visits", options[o], best);
    }
}

/* With pruning an early end comes sooner, because the other actions get fewer of the simulations
 * that are left. */
static void an_early_end_comes_sooner(void **unused)
{
    uint64_t done[2];
    (void)unused;
    for (int i = 0; i < 2; ++i) {
        struct searching s;
        struct banyan_search_limits limits = {
            .struct_size = sizeof limits, .simulations = 4000, .early = true};
        struct banyan_search_stats stats;
        open_position(&s, THREE_LEFT, i ? BY_PRIORS ",root-pruning=3" : BY_PRIORS);
        searching_check(&s, run_by(&s, &limits));
        banyan_search_stats(s.search, &stats, sizeof stats);
        done[i] = stats.simulations;
        searching_close(&s);
    }
    assert_true(done[0] > 3077 && done[0] <= 3077 + 256); /* lead 0.3 n > 4000 - n */
    assert_true(done[1] > 2000 && done[1] <= 2105 + 256); /* 0.3 n > (4000 - n) / 3 at the latest */
}

static void go_on(struct searching *s, int simulations)
{
    struct banyan_leaf leaf;
    for (int i = 0; i < simulations; ++i) {
        int n = banyan_search_select(s->search, &leaf, 1);
        searching_check(s, three_shares(NULL, &leaf, n, NULL));
        banyan_search_update(s->search, &leaf, n);
    }
}

/* A search that goes on later from a file prunes as before. */
static void a_saved_plan_goes_on(void **unused)
{
    struct memory_file file = {.space = SIZE_MAX};
    struct searching first, second;
    struct banyan_search_move rows[2][9];
    (void)unused;
    open_position(&first, THREE_LEFT, BY_PRIORS ",root-pruning=1");
    open_position(&second, THREE_LEFT, BY_PRIORS ",root-pruning=1");
    banyan_search_plan(first.search, 101, true);
    go_on(&first, 50);
    searching_check(&first, banyan_search_save(first.search, memory_file_put, &file, &first.err));
    searching_check(&second,
                    banyan_search_load(second.search, memory_file_get, &file, &second.err));
    go_on(&first, 51);
    go_on(&second, 51);
    assert_int_equal(banyan_search_root_moves(first.search, 0, rows[0], 9), 3);
    assert_int_equal(banyan_search_root_moves(second.search, 0, rows[1], 9), 3);
    for (int i = 0; i < 3; ++i)
        assert_int_equal(rows[0][i].visits, rows[1][i].visits);
    assert_true(rows[0][0].visits > 65);
    free(file.at);
    searching_close(&first);
    searching_close(&second);
}

/* Short runs: strong pruning leaves always something to visit. */
static void short_runs_visit_something(void **unused)
{
    static const char *const rules[] = {"rule=ucb1", "rule=puct", "rule=ucb1-tuned", "rule=grave"};
    (void)unused;
    for (size_t r = 0; r < sizeof rules / sizeof *rules; ++r) {
        for (int simulations = 3; simulations <= 12; ++simulations) {
            struct searching s;
            struct banyan_search_move rows[9];
            char options[80];
            uint64_t visits = 0;
            snprintf(options, sizeof options, "%s,root-pruning=100,solver=off,decisive=off",
                     rules[r]);
            searching_open(&s, "tictactoe", NULL, options, "rollout");
            searching_run(&s, simulations);
            assert_int_equal(banyan_search_root_moves(s.search, 0, rows, 9), 9);
            for (int i = 0; i < 9; ++i)
                visits += rows[i].visits;
            /* the first ones make the root's node */
            assert_in_range(visits, simulations - 2, simulations - 1);
            searching_close(&s);
        }
    }
}

/* As long as nothing was tried, nothing is behind: the action of the highest prior is the first. */
static void the_first_visit_goes_by_prior(void **unused)
{
    (void)unused;
    for (banyan_action action = 0; action < 9; ++action) {
        struct searching s;
        const float prior = 1;
        searching_open(&s, "tictactoe", NULL, "rule=puct,root-pruning=100,decisive=off", "rollout");
        searching_check(&s, banyan_search_set_root_priors(s.search, 0, &action, &prior, 1, &s.err));
        searching_run(&s, 3);
        struct banyan_search_move rows[9];
        assert_int_equal(banyan_search_root_moves(s.search, 0, rows, 9), 9);
        assert_int_equal(rows[0].action, action);
        assert_true(rows[0].visits > 0);
        searching_close(&s);
    }
}

static void other_final_choices_are_refused(void **unused)
{
    static const char *const options[] = {"final=max",    "final=secure", "final=sample",
                                          "rule=gumbel",  "rule=regret",  "ensemble=2",
                                          "final=average"};
    (void)unused;
    for (size_t o = 0; o < sizeof options / sizeof *options; ++o) {
        struct searching s;
        struct banyan_search *search;
        searching_open(&s, "tictactoe", NULL, options[o], "rollout");
        s.options.root_pruning = 1;
        assert_int_equal(banyan_search_create(&search, s.game, &s.options, &s.evaluator, &s.err),
                         BANYAN_UNSUPPORTED);
        assert_non_null(strstr(s.err.message, "root-pruning is for the most visited action"));
        searching_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulations_go_to_those_that_can_win),
        cmocka_unit_test(a_plan_says_how_many_are_left),
        cmocka_unit_test(batches_and_threads),
        cmocka_unit_test(by_time),
        cmocka_unit_test(an_early_end_comes_sooner),
        cmocka_unit_test(a_saved_plan_goes_on),
        cmocka_unit_test(short_runs_visit_something),
        cmocka_unit_test(the_first_visit_goes_by_prior),
        cmocka_unit_test(other_final_choices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
