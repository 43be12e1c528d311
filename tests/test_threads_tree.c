/* What several threads leave in one tree: run under ThreadSanitizer too. */
#include "searching.h"
#include "shared_tree.h"

#include "games/tictactoe/tictactoe.h"
#include "search/workers.h"

#include "base/rng.h"

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
        double depth = (double)four.search->depth_sum / (double)one.search->depth_sum;
        /* trees of Gumbel's rule, and those with noise, differ most */
        assert_true(depth > 0.7 && depth < 1.35);
        searching_close(&one);
        searching_close(&four);
    }
}

static void mean_scores(void *ctx, const struct banyan_rule_node *node, double *out)
{
    (void)ctx;
    for (int i = 0; i < node->count; ++i)
        out[i] = node->edges[i].mean + node->sqrt_ln_visits * node->inverse_sqrt[i];
}

/* A rule of one's own in several threads, without and with a solver. */
static void threads_ask_a_rule(void **unused)
{
    enum { SIMULATIONS = 20000 };
    static const struct banyan_rule rule = {.struct_size = sizeof rule,
                                            .name = "own",
                                            .scores = mean_scores,
                                            .wants_inverse_sqrt = true,
                                            .reentrant = true};
    (void)unused;
    for (int solver = BANYAN_SOLVER_OFF; solver <= BANYAN_SOLVER_ON; ++solver) {
        struct searching s;
        searching_open(&s, "othello", NULL, "threads=4", "rollout");
        banyan_search_destroy(s.search);
        s.options.solver = (enum banyan_search_solver)solver;
        s.options.own_rule = &rule;
        searching_check(&s,
                        banyan_search_create(&s.search, s.game, &s.options, &s.evaluator, &s.err));
        searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
        searching_run(&s, SIMULATIONS);
        assert_true(tree_has(&s.search->tree, TREE_ROOTS) == (solver == BANYAN_SOLVER_OFF));
        check_tree(&s, SIMULATIONS);
        searching_close(&s);
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
                 {"pokemon", "rule=puct,expand-visits=2,worlds=100", "heuristic", 6000},
                 {"pokemon", "rule=puct,worlds=100,world-baseline=on", "heuristic", 6000}};
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
    int calls, last; /* the number of the last call */
};

static void sample_alone(void *ctx, const void *root, int viewer, void *out, struct banyan_rng *rng)
{
    struct sampler *sampler = ctx;
    ++sampler->calls;
    if (sampler->calls <= 2 ||
        sampler->calls == sampler->last) /* so that the others come meanwhile */
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
        struct sampler sampler = {.last = rows[i].calls};
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
        int most; /* with 8 MiB for each of them */
    } cases[] = {{"othello", "threads=0", 8},
                 {"pig", "threads=0", 8},
                 {"othello", "threads=0,transpositions=on", 8},
                 {"othello", "threads=0,transpositions=on,implicit-minimax=0.2", 1},
                 {"othello", "threads=0,ensemble=2", 1},
                 {"othello", "threads=0,memory=25M", 3},
                 {"othello", "threads=0,memory=16M", 2},
                 {"othello", "threads=0,memory=15M", 1}};
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct searching s;
        struct banyan_search_stats stats;
        searching_open(&s, cases[i].game, NULL, cases[i].options, "rollout");
        searching_run(&s, 500);
        banyan_search_stats(s.search, &stats, sizeof stats);
        int most = online < cases[i].most ? (int)online : cases[i].most;
        assert_int_equal(stats.threads, s.options.ensemble * most);
        assert_int_equal(stats.simulations, 500);
        searching_close(&s);
    }
}

/* A thread may copy so many nodes that the copies of all threads take a sixteenth of the memory, if a node needs 64
 * bytes an action: a power of two, 16 at least and 4,096 at most. */
static void copies_have_a_sixteenth_of_the_memory(void **unused)
{
    static const struct {
        uint64_t bytes;
        uint32_t count;
    } rows[] = {{512 * 64 * 9 * 2 * 16, 512},
                {512 * 64 * 9 * 2 * 16 - 1, 256},
                {1024 * 64 * 9 * 2 * 16 - 32, 512},
                {1024 * 64 * 9 * 2 * 16, 1024},
                {256 << 10, 16},
                {1 << 30, 4096}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct searching s;
        char options[64];
        snprintf(options, sizeof options, "threads=2,memory=%llu",
                 (unsigned long long)rows[i].bytes);
        searching_open(&s, "tictactoe", NULL, options, "rollout");
        assert_int_equal(s.game->max_legal, 9);
        assert_int_equal(s.search->parallel.workers->at[0].copy_count, rows[i].count);
        searching_close(&s);
    }
}

/* What threads copy for themselves they give back.  A tree that is complete takes no more memory, however often it is
 * searched on: at most two copies of each node for each thread, and two chunks of 16 KiB. */
static void copies_are_given_back(void **unused)
{
    (void)unused;
    enum { THREADS = 2, RUNS = 60 };
    static const char position[] = "moves:a1 b2 c3 a2",
                      options[] = "solver=off,decisive=off,exploration=10";
    struct searching s;
    struct banyan_search_stats alone, stats;
    searching_open(&s, "tictactoe", position, options, "rollout");
    searching_run(&s, 200000);
    banyan_search_stats(s.search, &alone, sizeof alone);
    uint64_t tree_bytes = (uint64_t)s.search->tree.used * 8;
    searching_close(&s);
    searching_open(&s, "tictactoe", position, "solver=off,decisive=off,exploration=10,threads=2",
                   "rollout");
    for (int i = 0; i < RUNS; ++i)
        searching_run(&s, 5000);
    banyan_search_stats(s.search, &stats, sizeof stats);
    assert_int_equal(stats.nodes, alone.nodes);
    assert_in_range(s.search->tree.used * 8, tree_bytes,
                    tree_bytes * (1 + 2 * THREADS) + THREADS * 2 * (16 << 10));
    searching_close(&s);
}

/* One simulation of a worker's own, with a value that the number `k` decides. */
static void simulate_alone(struct banyan_search *own, int k)
{
    struct banyan_leaf leaf;
    if (banyan_search_select(own, &leaf, 1) == 0)
        return;
    leaf.values[0] = k % 3 == 0 ? 1 : -1;
    leaf.values[1] = -leaf.values[0];
    banyan_search_update(own, &leaf, 1);
}

/* Checks that the first steps of the simulation are those of the one before. */
static void check_way(const struct simulation *simulation, const struct path_step *before, int way)
{
    assert_true(way < simulation->length);
    for (int i = 0; i < way; ++i) {
        assert_int_equal(simulation->path[i].node, before[i].node);
        assert_int_equal(simulation->path[i].edge, before[i].edge);
    }
}

/* How often a thread that has chosen a way may take it again: at most once for 256 visits of the last copy on it,
 * and once for four visits of the node below. */
static void check_stays(const struct worker *worker, const struct simulation *simulation)
{
    const struct tree *tree = &worker->search.tree;
    const struct path_step *step = &simulation->path[worker->way];
    assert_true(worker->way > 0 && search_is_private(tree_node(tree, step[-1].node)));
    assert_in_range(worker->stays, 1, tree_node(tree, step[-1].node)->visits / 256);
    assert_in_range(worker->stays, 1, tree_node(tree, step->node)->visits / 4);
    assert_in_range(worker->stays, 1, 16);
}

/* A thread goes the same way through its copies some times, then chooses anew. */
static void a_thread_stays_below_its_copies(void **unused)
{
    (void)unused;
    enum { SIMULATIONS = 20000 };
    struct searching s;
    struct path_step before[64];
    int again = 0, chosen = 0;
    searching_open(&s, "othello", NULL, "solver=off,threads=2", "rollout");
    searching_run(&s, 2000);
    struct workers *all = s.search->parallel.workers;
    struct worker *worker = &all->at[0];
    const struct simulation *simulation = worker->search.flights.slots;
    all->share.limit = s.search->tree.limit; /* as at the beginning of a round */
    all->share.next = s.search->tree.used;
    tree_view_open(&worker->search.tree, &s.search->tree);
    worker->stays = worker->way = 0;
    for (int k = 0; k < SIMULATIONS; ++k) {
        int way = worker->stays > 0 ? worker->way : 0;
        simulate_alone(&worker->search, k);
        if (way)
            check_way(simulation, before, way);
        else if (worker->stays > 0)
            check_stays(worker, simulation);
        again += way > 0;
        chosen += !way;
        memcpy(before, simulation->path, (size_t)simulation->length * sizeof *before);
    }
    assert_true(again > SIMULATIONS / 2 && chosen > SIMULATIONS / 17);
    worker_drop_copies(worker);
    searching_close(&s);
}

/* Values by whether X has the middle; it takes about as long as a turn of a thread. */
static enum banyan_status evaluate_middle(void *ctx, struct banyan_leaf *leaves, int n,
                                          struct banyan_error *err)
{
    (void)ctx, (void)err;
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    for (int i = 0; i < n; ++i) {
        const struct tictactoe_state *state = leaves[i].state;
        leaves[i].values[0] = state->marks[0] >> 4 & 1 ? 1 : -1;
        leaves[i].values[1] = -leaves[i].values[0];
    }
    return BANYAN_OK;
}

/* An early end is seen by threads, too, and comes only when the simulations that are left could not make another
 * action the most visited one. */
static void threads_end_early(void **unused)
{
    static const struct {
        const char *game, *setup, *options;
        int64_t simulations;
    } rows[] = {{"pig", "target=100 horizon=1000 scores=70,0 turn=28 player=1 ply=8",
                 "threads=4,exploration=0.02", 100000},
                {"tictactoe", NULL, "threads=2,exploration=0.02,solver=off,decisive=off", 8000}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct searching s;
        struct banyan_search_move moves[16];
        struct banyan_search_limits limits = {
            .struct_size = sizeof limits, .simulations = rows[i].simulations, .early = true};
        searching_open(&s, rows[i].game, rows[i].setup, rows[i].options, "rollout");
        if (!rows[i].setup)
            s.evaluator.evaluate = evaluate_middle;
        assert_int_equal(banyan_search_run(s.search, &limits, NULL), BANYAN_OK);
        uint64_t left = (uint64_t)rows[i].simulations - s.search->simulations;
        assert_in_range(left, 1, rows[i].simulations - 1000);
        assert_true(banyan_search_root_moves(s.search, 0, moves, 16) >= 2);
        assert_true(moves[0].visits - moves[1].visits >= left);
        if (s.search->tree.layout.keyed)
            check_keyed(&s, s.search->simulations);
        else
            check_tree(&s, s.search->simulations);
        searching_close(&s);
    }
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

/* Holds the first evaluation until another thread's has begun, or for a minute. */
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
        until.tv_sec += 60;
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
    searching_open(&s, "othello", NULL, "transpositions=on,implicit-minimax=0.2,threads=2",
                   "rollout");
    assert_null(s.search->parallel.workers);
    searching_run(&s, 100);
    meeting.evaluate = s.evaluator.evaluate;
    s.evaluator.evaluate = evaluate_and_meet;
    searching_run(&s, 2000);
    s.evaluator.evaluate = meeting.evaluate;
    assert_true(meeting.has_second);
    searching_close(&s);
}

/* Threads that enter nodes into a table which has less room than they want: it counts the entries that it has. */
enum { TABLE_SIZE = 64, TABLE_MOST = 48, TABLE_THREADS = 4, TABLE_NODES = 20, TABLE_ROUNDS = 2000 };

struct table_part {
    struct tree *tree;
    pthread_barrier_t *barrier;
    uint32_t nodes[TABLE_NODES]; /* key of the i-th: number of the thread and i */
    uint64_t number;
};

static void *enter_nodes(void *ctx)
{
    struct table_part *part = ctx;
    for (int round = 0; round < TABLE_ROUNDS; ++round) {
        pthread_barrier_wait(part->barrier);
        for (int i = 0; i < TABLE_NODES; ++i)
            tree_table_enter(part->tree, tree_node(part->tree, part->nodes[i])->key,
                             part->nodes[i]);
        pthread_barrier_wait(part->barrier); /* the table is looked at, and emptied */
    }
    return NULL;
}

static void table_part_open(struct table_part *part, struct tree *tree, pthread_barrier_t *barrier,
                            uint64_t number)
{
    static const banyan_action action = 0;
    *part = (struct table_part){.tree = tree, .barrier = barrier, .number = number};
    for (int i = 0; i < TABLE_NODES; ++i) {
        part->nodes[i] = tree_make_node(
            tree, &(struct tree_beginning){.actions = &action, .count = 1, .capacity = 1});
        assert_true(part->nodes[i] > 0);
        tree_node(tree, part->nodes[i])->key = rng_mix(number * TABLE_NODES + (uint64_t)i);
    }
}

static uint32_t table_entries(const struct tree *tree)
{
    uint32_t entries = 0;
    for (uint32_t i = 0; i < tree->table_size; ++i)
        entries += tree->table[i] != 0;
    return entries;
}

static void a_full_table_counts_what_it_holds(void **unused)
{
    (void)unused;
    struct tree tree;
    struct tree_layout layout = {.action_bytes = 1, .players = 2};
    struct tree_share share = {.table_used = 0};
    struct table_part parts[TABLE_THREADS];
    pthread_t threads[TABLE_THREADS];
    pthread_barrier_t barrier;
    int wrong = 0;
    tree_lay_out(&layout, 0);
    assert_int_equal(tree_init(&tree, &layout, 1 << 20, true, 1), BANYAN_OK);
    tree.table_size = TABLE_SIZE;
    pthread_barrier_init(&barrier, NULL, TABLE_THREADS + 1);
    for (uint64_t i = 0; i < TABLE_THREADS; ++i)
        table_part_open(&parts[i], &tree, &barrier, i);
    tree.share = &share;
    for (int i = 0; i < TABLE_THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, enter_nodes, &parts[i]), 0);
    for (int round = 0; round < TABLE_ROUNDS; ++round) {
        memset(tree.table, 0, TABLE_SIZE * sizeof *tree.table);
        atomic_store(&share.table_used, 0);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        uint32_t entries = table_entries(&tree);
        wrong += entries != TABLE_MOST || atomic_load(&share.table_used) != TABLE_MOST;
    }
    for (int i = 0; i < TABLE_THREADS; ++i)
        pthread_join(threads[i], NULL);
    assert_int_equal(wrong, 0);
    pthread_barrier_destroy(&barrier);
    tree.share = NULL;
    tree_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_build_one_tree),
        cmocka_unit_test(threads_ask_a_rule),
        cmocka_unit_test(threads_prove_together),
        cmocka_unit_test(a_small_tree_is_compacted_often),
        cmocka_unit_test(threads_share_outcomes),
        cmocka_unit_test(threads_draw_one_at_a_time),
        cmocka_unit_test(small_trees_of_outcomes_are_compacted_often),
        cmocka_unit_test(no_number_of_threads_means_the_best),
        cmocka_unit_test(copies_have_a_sixteenth_of_the_memory),
        cmocka_unit_test(copies_are_given_back),
        cmocka_unit_test(a_thread_stays_below_its_copies),
        cmocka_unit_test(threads_end_early),
        cmocka_unit_test(threads_halve_together),
        cmocka_unit_test(other_trees_are_searched_in_turns),
        cmocka_unit_test(turns_leave_evaluations_side_by_side),
        cmocka_unit_test(a_full_table_counts_what_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
