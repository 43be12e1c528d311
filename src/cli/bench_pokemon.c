#include "cli/bench_pokemon.h"

#include "cli/timing.h"
#include "games/pokemon/agent.h"
#include "games/pokemon/pokemon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BENCH_BATTLES = 64, BENCH_ITERATIONS = 2000, BENCH_OPENING = 12 };

struct bench_battles {
    const struct banyan_game *game;
    struct pokemon starts[BENCH_BATTLES];  /* the first turn of random teams */
    struct pokemon middles[BENCH_BATTLES]; /* some turns of the scripted player later */
    struct pokemon scratch;
    struct banyan_rng rng;
};

static enum banyan_status bench_draw(struct bench_battles *b, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    banyan_rng_seed(&b->rng, 1);
    for (int i = 0; i < BENCH_BATTLES && status == BANYAN_OK; ++i) {
        status = b->game->init(&b->starts[i], NULL, &b->rng, err);
        do {
            b->middles[i] = b->starts[i];
            b->game->rollout(&b->middles[i], 2, BENCH_OPENING, &b->rng);
        } while (!turn_movers(&b->middles[i]));
    }
    return status;
}

/* Turns of random playouts, the copy of the start included. */
static double bench_turns(struct bench_battles *b, double seconds)
{
    double start = timing_cpu_s(), now = start;
    uint64_t turns = 0;
    for (; now - start < seconds; now = timing_cpu_s())
        for (int i = 0; i < BENCH_BATTLES; ++i) {
            b->scratch = b->starts[i];
            b->game->rollout(&b->scratch, 0, b->game->max_plies, &b->rng);
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

static enum banyan_status bench_iterations(struct bench_battles *b, double seconds, double *per_s,
                                           struct banyan_error *err)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator = {.name = NULL};
    struct banyan_search *search = NULL;
    const struct banyan_limits limits = {.simulations = BENCH_ITERATIONS};
    agent_search_default(&options);
    enum banyan_status status = banyan_evaluator_create(b->game, AGENT_EVALUATOR, &evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_create(&search, b->game, &options, &evaluator, err);
    double start = timing_cpu_s(), now = start;
    uint64_t done = 0;
    for (int i = 0; status == BANYAN_OK && now - start < seconds; i = (i + 1) % BENCH_BATTLES) {
        status = banyan_search_set_root(search, &b->middles[i], -1, err);
        if (status == BANYAN_OK)
            status = banyan_search_run(search, &limits, err);
        done += BENCH_ITERATIONS;
        now = timing_cpu_s();
    }
    *per_s = (double)done / (now - start);
    banyan_search_destroy(search);
    if (evaluator.evaluate)
        banyan_evaluator_close(&evaluator);
    return status;
}

enum banyan_status bench_pokemon(const struct banyan_game *game, double seconds, json_t *json,
                                 struct banyan_error *err)
{
    struct bench_battles *b = calloc(1, sizeof *b);
    if (!b)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for battles");
    b->game = game;
    double iterations = 0;
    enum banyan_status status = bench_draw(b, err);
    if (status == BANYAN_OK)
        status = bench_iterations(b, seconds, &iterations, err);
    if (status == BANYAN_OK) {
        double turns = bench_turns(b, seconds), copy_ns = bench_copy_ns(b, seconds);
        if (json) {
            json_object_set_new(json, "turns_per_s", json_real(turns));
            json_object_set_new(json, "copy_ns", json_real(copy_ns));
            json_object_set_new(json, "iterations_per_s", json_real(iterations));
        } else {
            char rate[32];
            printf("\nrandom playouts  %10s turns/s\n", timing_rate(turns, rate, sizeof rate));
            printf("state copies     %10.1f ns\n", copy_ns);
            printf(
                "search of agent  %10s iterations/s: a drawn world, about three turns, one value\n",
                timing_rate(iterations, rate, sizeof rate));
        }
    }
    free(b);
    return status;
}
