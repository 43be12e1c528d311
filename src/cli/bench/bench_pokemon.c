/* banyan bench pokemon: turns, copies of states and iterations of searches a second. */
#include "cli/bench/bench_pokemon.h"

#include "cli/timing.h"
#include "games/pokemon/players/agent.h"
#include "games/pokemon/pokemon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BENCH_BATTLES = 128, BENCH_ITERATIONS = 2000, BENCH_OPENING = 12 };

struct bench_battles {
    const struct banyan_game *game;
    struct pokemon starts[BENCH_BATTLES];  /* the first turn of random teams */
    struct pokemon middles[BENCH_BATTLES]; /* searched: a start after some turns of the scripted
                                              player, or a state of a recorded game */
    struct pokemon scratch;
    struct banyan_rng rng;
};

static enum banyan_status bench_draw(struct bench_battles *b, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    banyan_rng_seed(&b->rng, 1);
    for (int i = 0; i < BENCH_BATTLES && status == BANYAN_OK; ++i) {
        status = b->game->init(b->game, &b->starts[i], NULL, &b->rng, err);
        do {
            b->middles[i] = b->starts[i];
            b->game->rollout(b->game, &b->middles[i], 2, BENCH_OPENING, &b->rng);
        } while (!turn_movers(&b->middles[i]));
    }
    return status;
}

/* Turns of random playouts per second, the copy of the start included. */
static double bench_turns(struct bench_battles *b, double seconds)
{
    double start = timing_cpu_s(), now = start;
    uint64_t turns = 0;
    for (; now - start < seconds; now = timing_cpu_s())
        for (int i = 0; i < BENCH_BATTLES; ++i) {
            b->scratch = b->starts[i];
            b->game->rollout(b->game, &b->scratch, 0, b->game->max_plies, &b->rng);
            turns += b->scratch.turn;
        }
    return (double)turns / (now - start);
}

static double bench_copy_ns(struct bench_battles *b, double seconds)
{
    double start = timing_cpu_s(), now = start;
    uint64_t copies = 0, sum = 0;
    for (; now - start < seconds; now = timing_cpu_s())
        for (int i = 0; i < 64 * BENCH_BATTLES; ++i, ++copies) {
            memcpy(&b->scratch, &b->middles[i % BENCH_BATTLES], sizeof b->scratch);
            sum += b->scratch.turn;
        }
    return sum ? 1e9 * (now - start) / (double)copies : 0;
}

/* The speed of searches. */
struct bench_iterations {
    double cpu_per_s, wall_per_s; /* per second of processor time; of the wall clock */
    double turns;                 /* mean number of turns of one iteration */
};

static enum banyan_status bench_run(struct bench_battles *b, struct banyan_search *search,
                                    int trees, double seconds, struct bench_iterations *out,
                                    struct banyan_error *err)
{
    const struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                                .simulations = trees * BENCH_ITERATIONS};
    double cpu = timing_cpu_s(), wall = timing_wall_s(), turns = 0;
    uint64_t done = 0, searches = 0;
    enum banyan_status status = BANYAN_OK;
    /* every run searches all states, so that runs can be compared */
    for (int i = 0; status == BANYAN_OK && (timing_cpu_s() - cpu < seconds || i);
         i = (i + 1) % BENCH_BATTLES) {
        struct banyan_search_stats stats;
        status = banyan_search_set_root(search, &b->middles[i], -1, err);
        if (status == BANYAN_OK)
            status = banyan_search_run(search, &limits, err);
        banyan_search_stats(search, &stats, sizeof stats);
        turns += stats.mean_depth;
        done += (uint64_t)limits.simulations;
        ++searches;
    }
    out->cpu_per_s = (double)done / (timing_cpu_s() - cpu);
    out->wall_per_s = (double)done / (timing_wall_s() - wall);
    out->turns = searches ? turns / (double)searches : 0;
    return status;
}

/* Measures searches of this many trees, one thread each. */
static enum banyan_status bench_iterations(struct bench_battles *b, int trees, double seconds,
                                           struct bench_iterations *out, struct banyan_error *err)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = NULL};
    struct banyan_search *search = NULL;
    agent_search_default(&options);
    options.ensemble = trees;
    enum banyan_status status =
        banyan_evaluator_create(b->game, AGENT_EVALUATOR, NULL, &evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_create(&search, b->game, &options, &evaluator, err);
    if (status == BANYAN_OK)
        status = bench_run(b, search, trees, seconds, out, err);
    banyan_search_destroy(search);
    if (evaluator.evaluate)
        banyan_evaluator_close(&evaluator);
    return status;
}

struct bench_figures {
    double turns, copy_ns;
    struct bench_iterations alone, wall, pair; /* alone and wall: one thread; pair: two threads */
};

static void bench_print(const struct bench_figures *f)
{
    char rate[32];
    printf("\nrandom playouts  %10s turns/s\n", timing_rate(f->turns, rate, sizeof rate));
    printf("state copies     %10.1f ns\n", f->copy_ns);
    printf("search of agent  %10s iterations/s of processor time; each draws a world, plays %.1f "
           "turns "
           "and evaluates\n",
           timing_rate(f->alone.cpu_per_s, rate, sizeof rate), f->alone.turns);
    printf("  wall clock     %10s iterations/s\n",
           timing_rate(f->alone.wall_per_s, rate, sizeof rate));
    printf("  two threads    %10s iterations/s, one tree each: %.2f times one thread (%.2f by "
           "processor time)\n",
           timing_rate(f->pair.wall_per_s, rate, sizeof rate),
           f->pair.wall_per_s / f->alone.wall_per_s, 2 * f->pair.cpu_per_s / f->alone.cpu_per_s);
}

static void bench_add(const struct bench_figures *f, json_t *json)
{
    json_object_set_new(json, "turns_per_s", json_real(f->turns));
    json_object_set_new(json, "copy_ns", json_real(f->copy_ns));
    json_object_set_new(json, "iterations_per_s", json_real(f->alone.cpu_per_s));
    json_object_set_new(json, "turns_per_iteration", json_real(f->alone.turns));
    json_object_set_new(json, "wall_iterations_per_s", json_real(f->alone.wall_per_s));
    json_object_set_new(json, "wall_iterations_per_s_2_threads", json_real(f->pair.wall_per_s));
}

enum banyan_status bench_pokemon(const struct banyan_game *game,
                                 const struct bench_pokemon_options *options,
                                 struct banyan_error *err)
{
    struct bench_battles *b = calloc(1, sizeof *b);
    struct bench_figures f = {0};
    double seconds = options->seconds;
    if (!b)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for battles");
    b->game = game;
    enum banyan_status status = bench_draw(b, err);
    if (status == BANYAN_OK && options->game_count)
        status = bench_pokemon_states(options->games, options->game_count, b->middles,
                                      BENCH_BATTLES, err);
    if (status == BANYAN_OK)
        status = bench_iterations(b, 1, seconds, &f.alone, err);
    if (status == BANYAN_OK)
        status = bench_iterations(b, 2, seconds, &f.pair, err);
    if (status == BANYAN_OK) {
        f.turns = bench_turns(b, seconds);
        f.copy_ns = bench_copy_ns(b, seconds);
        if (options->json)
            bench_add(&f, options->json);
        else
            bench_print(&f);
    }
    free(b);
    return status;
}
