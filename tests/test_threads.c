/* Threads: searches in different threads are independent, and several threads may grow one tree.
 * Also run under ThreadSanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <pthread.h>
#include <stdlib.h>

enum { SIDE_BY_SIDE = 4, SIMULATIONS = 300, SHARED_THREADS = 4, SHARED_SIMULATIONS = 2000 };

/* One search from the start of a game, and its results. */
struct task {
    const struct banyan_game *game;
    struct banyan_search_options options;
    int64_t simulations;
    enum banyan_status status;
    uint64_t signature;
    struct banyan_search_stats stats;
    uint64_t root_visits;
};

static void task_read(struct task *task, const struct banyan_search *search, unsigned movers)
{
    struct banyan_search_move *rows = calloc((size_t)task->game->max_legal, sizeof *rows);
    int player = 0;
    while (!(movers >> player & 1u))
        ++player;
    int count = banyan_search_root_moves(search, player, rows, task->game->max_legal);
    for (int i = 0; i < count; ++i)
        task->root_visits += rows[i].visits;
    task->signature = banyan_search_signature(search);
    banyan_search_stats(search, &task->stats, sizeof task->stats);
    free(rows);
}

static void *task_run(void *at)
{
    struct task *task = at;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = task->simulations};
    struct banyan_search *search = NULL;
    struct banyan_evaluator evaluator;
    struct banyan_rng rng;
    void *state = calloc(1, task->game->state_size);
    banyan_rng_seed(&rng, 7);
    task->status = task->game->init(task->game, state, NULL, &rng, NULL);
    if (task->status == BANYAN_OK)
        task->status = banyan_evaluator_create(task->game, "rollout", NULL, &evaluator, NULL);
    if (task->status == BANYAN_OK) {
        task->status = banyan_search_create(&search, task->game, &task->options, &evaluator, NULL);
        if (task->status == BANYAN_OK)
            task->status = banyan_search_set_root(search, state, -1, NULL);
        if (task->status == BANYAN_OK)
            task->status = banyan_search_run(search, &limits, NULL);
        if (task->status == BANYAN_OK)
            task_read(task, search, task->game->movers(task->game, state));
        banyan_search_destroy(search);
        banyan_evaluator_close(&evaluator);
    }
    free(state);
    return NULL;
}

/* Games of thousands of plies get fewer simulations, since each simulation plays one game to its
 * end. */
static struct task task_make(const struct banyan_game *game, int64_t simulations)
{
    struct task task = {.game = game,
                        .simulations = game->max_plies > 1000 ? simulations / 20 : simulations};
    banyan_search_options_default(&task.options);
    task.options.memory_bytes = 16 << 20;
    return task;
}

/* Searches of all games, several at the same time, give the same trees as each of them alone. */
static void test_side_by_side(void **unused)
{
    const struct banyan_game *game;
    (void)unused;
    for (int i = 0; (game = banyan_game_at(i)); ++i) {
        struct task alone = task_make(game, SIMULATIONS), tasks[SIDE_BY_SIDE];
        pthread_t threads[SIDE_BY_SIDE];
        task_run(&alone);
        for (int t = 0; t < SIDE_BY_SIDE; ++t) {
            tasks[t] = task_make(game, SIMULATIONS);
            assert_int_equal(pthread_create(&threads[t], NULL, task_run, &tasks[t]), 0);
        }
        for (int t = 0; t < SIDE_BY_SIDE; ++t) {
            assert_int_equal(pthread_join(threads[t], NULL), 0);
            assert_int_equal(tasks[t].status, alone.status);
            assert_true(tasks[t].signature == alone.signature);
        }
    }
}

/* With several threads on one tree no simulation is lost, and none is counted twice. */
static void test_shared_tree(void **unused)
{
    const struct banyan_game *game;
    int shared = 0;
    (void)unused;
    for (int i = 0; (game = banyan_game_at(i)); ++i) {
        struct task task = task_make(game, SHARED_SIMULATIONS);
        task.options.threads = SHARED_THREADS;
        task.options.solver = false; /* so that no search ends early */
        task_run(&task);
        if (task.status == BANYAN_UNSUPPORTED)
            continue;
        assert_int_equal(task.status, BANYAN_OK);
        assert_true(task.stats.simulations >= (uint64_t)task.simulations);
        assert_true(task.stats.simulations < (uint64_t)task.simulations + SHARED_THREADS);
        /* Each thread's first simulation may end at the root, before the root has children. */
        assert_in_range(task.stats.simulations - task.root_visits, 1, SHARED_THREADS);
        ++shared;
    }
    assert_true(shared > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_shared_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
