/* banyan bench bloodbowl: decisions, games, copies and paths a second. */
#include "cli/bench/bench_bloodbowl.h"

#include "cli/timing.h"
#include "games/bloodbowl/players/tutorial.h"
#include "games/bloodbowl/table.h"
#include "games/bloodbowl/text.h"

#include <stdio.h>
#include <string.h>

/* botbowl's forward model in Python plays 300 to 3000 steps a second. */
enum { BENCH_BOTBOWL_LOW = 300, BENCH_BOTBOWL_HIGH = 3000, BENCH_WAYS = 256 };

struct bench_bowl {
    int variant;
    struct bb_state start, state;
    struct bb_state ways[BENCH_WAYS]; /* path decisions */
    struct bb_choices list;
    struct banyan_rng rng;
    struct banyan_dice dice;
};

/* The MCTS of botbowl's tutorial at the start of a turn, with three settings: as published (no
 * rollout; its hash never finds a state again), with random play before the value, and with a hash
 * of the state, so that equal outcomes share a node. */
enum { BENCH_PLAIN, BENCH_ROLLOUT, BENCH_HASHED, BENCH_TUTORIALS };
static const char *const bench_tutorials[] = {"", "rollout=on", "hash=state"};
/* Iterations per second without rollouts that the tutorial reports; 0: no figure for this board. */
static const int bench_published[BB_VARIANTS] = {408, 347, 260, 0, 190};

struct bench_bowl_figures {
    double step_decisions, step_games, path_decisions, path_games, copies, path_calls;
    double iterations[BENCH_TUTORIALS];
};

static enum banyan_status bench_start(struct bench_bowl *b, const char *setup,
                                      struct banyan_error *err)
{
    banyan_rng_seed(&b->rng, 1);
    banyan_dice_drawn(&b->dice, &b->rng);
    enum banyan_status status = bb_parse(&b->start, b->variant, setup, err);
    b->state = b->start;
    return status;
}

/* One random decision; true when it ended a game. */
static bool bench_decide(struct bench_bowl *b)
{
    struct bb_action action = bb_random_action(&b->state, &b->rng);
    bb_apply(&b->state, &action, &b->dice);
    if (bb_asked(&b->state) != BB_NOBODY)
        return false;
    b->state = b->start;
    return true;
}

static void bench_random(struct bench_bowl *b, double seconds, double *decisions, double *games)
{
    double start = timing_cpu_s(), now = start;
    long decided = 0, played = 0;
    for (; now - start < seconds; now = timing_cpu_s())
        for (int i = 0; i < 2000; ++i, ++decided)
            played += bench_decide(b);
    *decisions = (double)decided / (now - start);
    *games = (double)played / (now - start);
}

static double bench_copies(struct bench_bowl *b, double seconds)
{
    double start = timing_cpu_s(), now = start;
    long count = 0;
    for (; now - start < seconds; now = timing_cpu_s())
        for (int i = 0; i < 100000; ++i, ++count)
            b->ways[count % 64] = b->state;
    return (double)count / (now - start);
}

static bool bench_moves(const struct bb_state *s)
{
    int procedure = s->frame[s->depth - 1].procedure;
    return procedure >= BB_MOVE_ACTION && procedure <= BB_FOUL_ACTION;
}

/* Calls of the pathfinder per second, at decisions of random games where a player moves. */
static double bench_paths(struct bench_bowl *b, double seconds)
{
    for (int found = 0; found < BENCH_WAYS;) {
        bench_decide(b);
        if (bench_moves(&b->state))
            b->ways[found++] = b->state;
    }
    double start = timing_cpu_s(), now = start;
    long count = 0;
    for (; now - start < seconds; now = timing_cpu_s())
        for (int i = 0; i < BENCH_WAYS; ++i, ++count)
            bb_list(&b->ways[i], &b->list, false);
    return (double)count / (now - start);
}

static enum banyan_status bench_size(struct bench_bowl *b, double seconds,
                                     struct bench_bowl_figures *f, struct banyan_error *err)
{
    enum banyan_status status = bench_start(b, "mode=step", err);
    if (status != BANYAN_OK)
        return status;
    bench_random(b, seconds, &f->step_decisions, &f->step_games);
    f->copies = bench_copies(b, seconds);
    status = bench_start(b, "mode=path", err);
    if (status != BANYAN_OK)
        return status;
    bench_random(b, seconds, &f->path_decisions, &f->path_games);
    f->path_calls = bench_paths(b, seconds);
    return BANYAN_OK;
}

static enum banyan_status bench_iterations(struct bench_bowl *b, double seconds,
                                           struct bench_bowl_figures *f, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i < BENCH_TUTORIALS && status == BANYAN_OK; ++i) {
        struct tutorial_rate rate = {0};
        double start = timing_cpu_s();
        status = tutorial_measure(b->variant, bench_tutorials[i], seconds, &rate, err);
        f->iterations[i] = (double)rate.iterations / (timing_cpu_s() - start);
    }
    return status;
}

static json_t *bench_json(const struct bench_bowl *b, const struct bench_bowl_figures *f)
{
    return json_pack("{s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "players",
                     bb_variants[b->variant].number, "step_decisions_per_s", f->step_decisions,
                     "step_games_per_s", f->step_games, "path_decisions_per_s", f->path_decisions,
                     "path_games_per_s", f->path_games, "copies_per_s", f->copies,
                     "path_calls_per_s", f->path_calls, "tutorial_iterations_per_s",
                     f->iterations[BENCH_PLAIN], "tutorial_rollout_iterations_per_s",
                     f->iterations[BENCH_ROLLOUT], "tutorial_hashed_iterations_per_s",
                     f->iterations[BENCH_HASHED]);
}

static void bench_row(const struct bench_bowl *b, const struct bench_bowl_figures *f)
{
    const double figures[] = {f->step_decisions, f->step_games, f->path_decisions,
                              f->path_games,     f->copies,     f->path_calls};
    char text[32];
    printf("%7d", bb_variants[b->variant].number);
    for (int i = 0; i < 6; ++i)
        printf(" %12s", timing_rate(figures[i], text, sizeof text));
    printf(" %9.2f\n", 1e6 / f->path_calls);
}

static void bench_iterations_row(int variant, const struct bench_bowl_figures *f)
{
    char text[32];
    printf("%7d", bb_variants[variant].number);
    for (int i = 0; i < BENCH_TUTORIALS; ++i)
        printf(" %12s", timing_rate(f->iterations[i], text, sizeof text));
    printf(" %12s", timing_rate(5 * f->iterations[BENCH_PLAIN], text, sizeof text));
    if (bench_published[variant])
        printf(" %12d", bench_published[variant]);
    printf("\n");
}

enum banyan_status bench_bloodbowl(double seconds, json_t *rows, struct banyan_error *err)
{
    static struct bench_bowl b;
    struct bench_bowl_figures all[BB_VARIANTS];
    enum banyan_status status = BANYAN_OK;
    if (!rows)
        printf("\n%7s %12s %12s %12s %12s %12s %12s %9s\n", "players", "steps/s", "games/s",
               "by path/s", "games/s", "copies/s", "path calls/s", "us/call");
    for (b.variant = 0; b.variant < BB_VARIANTS && status == BANYAN_OK; ++b.variant) {
        struct bench_bowl_figures *figures = &all[b.variant];
        status = bench_size(&b, seconds, figures, err);
        if (status == BANYAN_OK)
            status = bench_iterations(&b, seconds, figures, err);
        if (status == BANYAN_OK && rows)
            json_array_append_new(rows, bench_json(&b, figures));
        else if (status == BANYAN_OK)
            bench_row(&b, figures);
    }
    if (!rows)
        printf("random decisions; botbowl (Python): %d to %d steps/s\n", BENCH_BOTBOWL_LOW,
               BENCH_BOTBOWL_HIGH);
    if (rows || status != BANYAN_OK)
        return status;
    printf("\n%7s %12s %12s %12s %12s %12s\n", "players", "iterations/s", "rollouts", "hashed",
           "in 5 s", "published/s");
    for (int i = 0; i < BB_VARIANTS; ++i)
        bench_iterations_row(i, &all[i]);
    printf("iterations/s of the tutorial's MCTS at the start of a turn, whole paths as actions: as "
           "published (no rollout), with rollouts, with equal outcomes joined by a hash\n");
    return status;
}
