/* banyan bench GAME --threads: which number of threads and which batch are fastest on this machine. */
#include "cli/bench/bench_threads.h"

#include "cli/timing.h"

#include <banyan/evaluator.h>
#include <banyan/rng.h>
#include <banyan/search.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS_MOST = 256 };

/* A gain of less than this share does not justify more threads or a larger batch, which make a search
 * a little weaker at equal simulations. */
#define THREADS_GAIN 0.03

struct threads_pair {
    int threads, batch;
    double rate; /* simulations per second */
};

static enum banyan_status threads_search(const struct banyan_game *game, const void *state,
                                         double seconds, struct threads_pair *pair,
                                         struct banyan_error *err)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = NULL};
    struct banyan_search *search = NULL;
    struct banyan_search_stats stats;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .time_ms = seconds * 1000};
    banyan_search_options_default(&options);
    options.threads = pair->threads;
    options.batch = pair->batch;
    options.solver = BANYAN_SOLVER_OFF; /* a proof would end the search early */
    enum banyan_status status = banyan_evaluator_create(game, "rollout", NULL, &evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_create(&search, game, &options, &evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_set_root(search, state, -1, err);
    if (status == BANYAN_OK)
        status = banyan_search_run(search, &limits, err);
    if (status == BANYAN_OK) {
        banyan_search_stats(search, &stats, sizeof stats);
        pair->rate = 1000 * (double)stats.simulations / stats.elapsed_ms;
    }
    banyan_search_destroy(search);
    if (evaluator.evaluate)
        banyan_evaluator_close(&evaluator);
    return status;
}

/* The next number of threads: 1, 2, 4 ... and at last all processors. */
static int threads_next(int threads, int processors)
{
    return threads < processors && 2 * threads > processors ? processors : 2 * threads;
}

static enum banyan_status threads_table(const struct banyan_game *game, const void *state,
                                        double seconds, struct threads_pair *best,
                                        struct banyan_error *err)
{
    static const int batches[] = {1, 4, 16};
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    int processors = online < 1 ? 1 : online > THREADS_MOST ? THREADS_MOST : (int)online;
    enum banyan_status status = BANYAN_OK;
    double one = 0;
    char rate[32];
    printf("%-8s %6s %14s %16s\n", "threads", "batch", "simulations/s", "times one thread");
    for (int threads = 1; threads <= processors; threads = threads_next(threads, processors)) {
        for (size_t i = 0; status == BANYAN_OK && i < sizeof batches / sizeof *batches; ++i) {
            struct threads_pair pair = {.threads = threads, .batch = batches[i]};
            status = threads_search(game, state, seconds, &pair, err);
            if (status != BANYAN_OK)
                break;
            one = one > 0 ? one : pair.rate;
            if (pair.rate > best->rate * (1 + THREADS_GAIN))
                *best = pair;
            printf("%-8d %6d %14s %16.2f\n", pair.threads, pair.batch,
                   timing_rate(pair.rate, rate, sizeof rate), pair.rate / one);
            fflush(stdout);
        }
    }
    return status;
}

enum banyan_status bench_threads(const struct banyan_game *game, double seconds,
                                 struct banyan_error *err)
{
    struct banyan_rng rng;
    struct threads_pair best = {.threads = 1, .batch = 1};
    void *state = calloc(1, game->state_size);
    if (!state)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state of %s", game->name);
    banyan_rng_seed(&rng, 1);
    enum banyan_status status = game->init(game, state, NULL, &rng, err);
    if (status == BANYAN_OK)
        status = threads_table(game, state, seconds, &best, err);
    if (status == BANYAN_OK)
        printf("best for %s on this machine: -o threads=%d,batch=%d (wall clock, rollouts)\n",
               game->name, best.threads, best.batch);
    free(state);
    return status;
}
