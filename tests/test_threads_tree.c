/* What several threads leave in one tree: run under ThreadSanitizer too. */
#include "searching.h"
#include "shared_tree.h"

#include <pthread.h>
#include <time.h>

#include <stdio.h>
#include <unistd.h>

/* --- runs --- */

static void threads_build_one_tree(void **unused)
{
    (void)unused;
    enum { SIMULATIONS = 20000 };
    const struct {
        const char *game, *options, *evaluator;
    } cases[] = {{"othello", "solver=off", "rollout"},
                 {"othello", "solver=on", "rollout"},
                 {"othello", "solver=off,batch=4", "rollout"},
                 {"othello", "rule=ucb1-tuned,solver=off", "rollout"},
                 {"othello", "rule=puct,solver=off", "heuristic"},
                 {"othello", "implicit-minimax=0.4,solver=off", "rollout"},
                 {"othello", "implicit-minimax=0.4,batch=3", "heuristic"},
                 {"othello", "rule=gumbel,solver=off", "heuristic"},
                 {"connect4", "rule=puct,noise-weight=0.25,solver=off", "rollout"},
                 {"tictactoe", "solver=off", "rollout"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct searching one, four;
        char options[128];
        searching_open(&one, cases[i].game, NULL, cases[i].options, cases[i].evaluator);
        searching_run(&one, SIMULATIONS);
        snprintf(options, sizeof options, "%s,threads=4", cases[i].options);
        searching_open(&four, cases[i].game, NULL, options, cases[i].evaluator);
        assert_non_null(four.search->parallel.workers);
        searching_run(&four, SIMULATIONS / 2);
        check_tree(&four, SIMULATIONS / 2);
        searching_run(&four, SIMULATIONS / 2); /* goes on in the same tree */
        uint64_t nodes = check_tree(&four, SIMULATIONS);
        assert_true((double)nodes <= 1.1 * (double)check_tree(&one, SIMULATIONS));
        searching_close(&one);
        searching_close(&four);
    }
}

/* Threads prove the value of tic-tac-toe, the same as one. */
static void threads_prove_together(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "solver=on,threads=4", "rollout");
    searching_run(&s, 200000);
    assert_true(search_proven(&s.search->root.bounds));
    assert_true(s.search->root.bounds.lo == 0);
    assert_in_range(s.search->simulations, 1000, 100000);
    searching_close(&s);
}

/* The tree is compacted again and again while four threads search it. */
static void a_small_tree_is_compacted_often(void **unused)
{
    (void)unused;
    const char *const options[] = {"threads=4,solver=off,memory=384K",
                                   "threads=4,solver=on,memory=384K",
                                   "threads=4,rule=puct,batch=2,solver=off,memory=512K"};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        struct banyan_search_stats stats = {.compactions = 0};
        uint64_t simulations = 0;
        searching_open(&s, "othello", NULL, options[i], "rollout");
        while (stats.compactions < 20 && simulations < 400000) {
            searching_run(&s, 5000);
            simulations += 5000;
            banyan_search_stats(s.search, &stats, sizeof stats);
            check_tree(&s, simulations);
        }
        assert_in_range(stats.compactions, 20, 1000000);
        assert_true(stats.bytes_used <= s.options.memory_bytes);
        assert_true(stats.bytes_allocated <= s.options.memory_bytes);
        searching_close(&s);
    }
}

/* Dice, hidden cards, simultaneous choices: whose outcomes threads find and make together. */
static void threads_share_outcomes(void **unused)
{
    (void)unused;
    const struct {
        const char *game, *options, *evaluator;
        int simulations;
    } cases[] = {{"pig", "seed=3", "rollout", 20000},
                 {"pig", "rule=puct,batch=3", "rollout", 20000},
                 {"pig", "rule=gumbel", "rollout", 5000},
                 {"kuhn", "rule=regret", "rollout", 10000},
                 {"kuhn", "rule=ucb1-tuned", "rollout", 10000},
                 {"kuhn", "worlds=40", "rollout", 5000},
                 {"bloodbowl-1", "seed=3", "heuristic", 1000},
                 {"pokemon", "keys=full", "heuristic", 2000},
                 {"pokemon", "rule=regret", "heuristic", 1000},
                 {"pokemon", "batch=2", "heuristic", 2000},
                 {"pokemon", "rule=puct,expand-visits=2,worlds=100", "heuristic", 2000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct searching one, four;
        char options[128];
        searching_open(&one, cases[i].game, NULL, cases[i].options, cases[i].evaluator);
        searching_run(&one, cases[i].simulations);
        snprintf(options, sizeof options, "%s,threads=4", cases[i].options);
        searching_open(&four, cases[i].game, NULL, options, cases[i].evaluator);
        assert_non_null(four.search->parallel.workers);
        searching_run(&four, cases[i].simulations / 2);
        check_keyed(&four, (uint64_t)cases[i].simulations / 2);
        searching_run(&four, cases[i].simulations / 2); /* goes on in the same trees */
        if (four.options.worlds) {                      /* drawn once for all threads and runs */
            assert_int_equal(four.search->root.worlds_drawn, four.options.worlds);
            assert_int_equal(four.search->profile.samples, four.options.worlds);
        }
        double nodes = (double)check_keyed(&four, (uint64_t)cases[i].simulations);
        double alone = (double)check_keyed(&one, (uint64_t)cases[i].simulations);
        assert_true(nodes <= 1.1 * alone + 100); /* in trees so small, paths in flight count */
        searching_close(&one);
        searching_close(&four);
    }
}

/* A sampler that two threads must not call at once: under ThreadSanitizer the count shows it. */
struct sampler {
    const struct banyan_game *game;
    int calls;
};

static void sample_alone(void *ctx, const void *root, int viewer, void *out, struct banyan_rng *rng)
{
    struct sampler *sampler = ctx;
    if (++sampler->calls <= 2) /* so that the others come meanwhile */
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    memcpy(out, root, sampler->game->state_size);
    sampler->game->determinize(sampler->game, out, viewer, rng);
}

static void threads_draw_one_at_a_time(void **unused)
{
    (void)unused;
    enum { SIMULATIONS = 3000 };
    static const struct {
        const char *options;
        int calls;
    } rows[] = {{"threads=4", SIMULATIONS}, {"threads=4,worlds=50", 50}, {"threads=4,worlds=2", 2}};
    for (int i = 0; i < 3; ++i) {
        struct searching s;
        struct sampler sampler = {.calls = 0};
        searching_open(&s, "kuhn", NULL, rows[i].options, "rollout");
        banyan_search_destroy(s.search);
        sampler.game = s.game;
        s.options.sampler = (struct banyan_search_sampler){&sampler, sample_alone};
        searching_check(&s,
                        banyan_search_create(&s.search, s.game, &s.options, &s.evaluator, &s.err));
        searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
        assert_non_null(s.search->parallel.workers);
        searching_run(&s, SIMULATIONS);
        check_keyed(&s, SIMULATIONS);
        assert_int_equal(sampler.calls, rows[i].calls);
        searching_close(&s);
    }
}

/* Trees of outcomes are compacted again and again while four threads search them. */
static void small_trees_of_outcomes_are_compacted_often(void **unused)
{
    (void)unused;
    const struct {
        const char *game, *options, *evaluator;
    } cases[] = {{"pig", "threads=4,memory=384K", "rollout"},
                 {"pokemon", "threads=4,memory=2M", "heuristic"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct searching s;
        struct banyan_search_stats stats = {.compactions = 0};
        uint64_t simulations = 0;
        searching_open(&s, cases[i].game, NULL, cases[i].options, cases[i].evaluator);
        while (stats.compactions < 20 && simulations < 400000) {
            searching_run(&s, 2000);
            simulations += 2000;
            banyan_search_stats(s.search, &stats, sizeof stats);
            check_keyed(&s, simulations);
        }
        assert_in_range(stats.compactions, 20, 1000000);
        assert_true(stats.bytes_used <= s.options.memory_bytes);
        assert_true(stats.bytes_allocated <= s.options.memory_bytes);
        searching_close(&s);
    }
}

/* threads=0 is one for each processor where threads search side by side, and one elsewhere. */
static void no_number_of_threads_means_the_best(void **unused)
{
    (void)unused;
    const struct {
        const char *game, *options;
        bool is_one;
    } cases[] = {{"othello", "threads=0", false},
                 {"pig", "threads=0", false},
                 {"othello", "threads=0,transpositions=on", false},
                 {"othello", "threads=0,transpositions=on,implicit-minimax=0.2", true},
                 {"othello", "threads=0,ensemble=2", true},
                 {"othello", "threads=0,memory=9M", true}};
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct searching s;
        struct banyan_search_stats stats;
        searching_open(&s, cases[i].game, NULL, cases[i].options, "rollout");
        searching_run(&s, 500);
        banyan_search_stats(s.search, &stats, sizeof stats);
        int most = online < 8 ? (int)online : 8; /* of 64 MiB */
        int trees = s.options.ensemble;
        assert_int_equal(stats.threads, trees * (cases[i].is_one ? 1 : most));
        assert_int_equal(stats.simulations, 500);
        searching_close(&s);
    }
}

/* An early end is seen by threads, too. */
static void threads_end_early(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_limits limits = {
        .struct_size = sizeof limits, .simulations = 100000, .early = true};
    searching_open(&s, "pig", "target=100 horizon=1000 scores=70,0 turn=28 player=1 ply=8",
                   "threads=4,exploration=0.02", "rollout");
    assert_int_equal(banyan_search_run(s.search, &limits, NULL), BANYAN_OK);
    assert_in_range(s.search->simulations, 1000, 99999);
    check_keyed(&s, s.search->simulations);
    searching_close(&s);
}

static int compare_visits(const void *a, const void *b)
{
    const struct banyan_search_move *one = a, *two = b;
    return one->visits < two->visits ? 1 : -1;
}

/* The root's actions by falling visits, after halving by a number of threads. */
static int halve(const char *options, struct banyan_search_move rows[64])
{
    struct searching s;
    searching_open(&s, "connect4", NULL, options, "rollout");
    searching_run(&s, 2000);
    int count = banyan_search_root_moves(s.search, 0, rows, 64);
    qsort(rows, (size_t)count, sizeof *rows, compare_visits);
    searching_close(&s);
    return count;
}

/* Sequential halving by four threads: the phases have the visits that they have with one. */
static void threads_halve_together(void **unused)
{
    (void)unused;
    struct banyan_search_move one[64], four[64];
    int count = halve("rule=gumbel,solver=off", one);
    assert_int_equal(halve("rule=gumbel,solver=off,threads=4", four), count);
    for (int i = 0; i < count; ++i)
        assert_int_equal(one[i].visits, four[i].visits);
}

/* Where nodes have several parents and a backup needs two of them, threads take turns. */
static void other_trees_are_searched_in_turns(void **unused)
{
    (void)unused;
    const struct {
        const char *game, *options, *evaluator;
        int simulations;
    } cases[] = {{"othello", "transpositions=on,implicit-minimax=0.2", "rollout", 2000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct searching s;
        char options[128];
        snprintf(options, sizeof options, "%s,threads=4", cases[i].options);
        searching_open(&s, cases[i].game, NULL, options, cases[i].evaluator);
        assert_null(s.search->parallel.workers);
        searching_run(&s, cases[i].simulations);
        assert_int_equal(s.search->simulations, cases[i].simulations);
        assert_int_equal(s.search->flights.waiting, 0);
        searching_close(&s);
    }
}

/* Holds the first evaluation until another thread's has begun, or for ten seconds. */
static struct {
    enum banyan_status (*evaluate)(void *ctx, struct banyan_leaf *leaves, int n,
                                   struct banyan_error *err);
    pthread_mutex_t lock;
    pthread_cond_t came;
    pthread_t first;
    bool has_first, has_second;
} meeting = {.lock = PTHREAD_MUTEX_INITIALIZER, .came = PTHREAD_COND_INITIALIZER};

static enum banyan_status evaluate_and_meet(void *ctx, struct banyan_leaf *leaves, int n,
                                            struct banyan_error *err)
{
    pthread_mutex_lock(&meeting.lock);
    if (!meeting.has_first) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 10;
        meeting.has_first = true;
        meeting.first = pthread_self();
        while (!meeting.has_second &&
               pthread_cond_timedwait(&meeting.came, &meeting.lock, &until) == 0)
            ;
    } else if (!pthread_equal(meeting.first, pthread_self())) {
        meeting.has_second = true;
        pthread_cond_broadcast(&meeting.came);
    }
    pthread_mutex_unlock(&meeting.lock);
    return meeting.evaluate(ctx, leaves, n, err);
}

/* Threads take turns in such a tree, but evaluate at the same time. */
static void turns_leave_evaluations_side_by_side(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "transpositions=on,threads=2", "rollout");
    searching_run(&s, 100);
    meeting.evaluate = s.evaluator.evaluate;
    s.evaluator.evaluate = evaluate_and_meet;
    searching_run(&s, 2000);
    s.evaluator.evaluate = meeting.evaluate;
    assert_true(meeting.has_second);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_build_one_tree),
        cmocka_unit_test(threads_prove_together),
        cmocka_unit_test(a_small_tree_is_compacted_often),
        cmocka_unit_test(threads_share_outcomes),
        cmocka_unit_test(threads_draw_one_at_a_time),
        cmocka_unit_test(small_trees_of_outcomes_are_compacted_often),
        cmocka_unit_test(no_number_of_threads_means_the_best),
        cmocka_unit_test(threads_end_early),
        cmocka_unit_test(threads_halve_together),
        cmocka_unit_test(other_trees_are_searched_in_turns),
        cmocka_unit_test(turns_leave_evaluations_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
