/* banyan bench mushroom: the tables of the published AlphaZero for this game, with Banyan's
 * figures. */
#include "cli/bench/bench_mushroom.h"

#include "cli/timing.h"
#include "games/mushroom/table.h"

#include <banyan/evaluator.h>
#include <banyan/player.h>
#include <banyan/search.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BENCH_CELLS = 170, BENCH_COLUMNS = 17, BENCH_GAMES = 64 };

/* Writes the board of one kind as setup text: 1 gradient, 2 checkers, 3 all 1s, 4 all 9s. */
static void bench_board(int kind, char out[BENCH_CELLS + 10])
{
    int length = 0;
    for (int i = 0; i < BENCH_CELLS; ++i) {
        int r = i / BENCH_COLUMNS, c = i % BENCH_COLUMNS, digit = 1;
        if (kind == 1) /* from 1 in one corner to 9 in the other */
            digit = 1 + (r + c) * 8 / 25;
        else if (kind == 2)
            digit = (r + c) % 2 ? 4 : 6;
        else if (kind == 4)
            digit = 9;
        out[length++] = (char)('0' + digit);
        if (c == BENCH_COLUMNS - 1)
            out[length++] = r == 9 ? 0 : '/';
    }
}

/* The speed of plain UCT with the published heuristic at the leaf. */
struct bench_result {
    double per_s, megabytes;
};

/* Searches of `simulations` each, repeated for `seconds`. */
struct bench_task {
    const struct banyan_game *game;
    const char *setup;
    bool solver;
    int64_t simulations;
    double seconds;
};

static enum banyan_status bench_search(const struct bench_task *task, struct bench_result *out,
                                       struct banyan_error *err)
{
    const struct banyan_game *game = task->game;
    struct banyan_search_options options;
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = NULL};
    struct banyan_search *search = NULL;
    struct banyan_search_stats stats = {.simulations = 0};
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = task->simulations};
    unsigned char *state = malloc(game->state_size);
    uint64_t done = 0;
    banyan_search_options_default(&options);
    options.solver = task->solver;
    enum banyan_status status =
        state ? BANYAN_OK : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state");
    if (status == BANYAN_OK)
        status = game->init(game, state, task->setup, NULL, err);
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(game, "heuristic", NULL, &evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_create(&search, game, &options, &evaluator, err);
    double start = timing_cpu_s(), now = start;
    while (status == BANYAN_OK && (done == 0 || now - start < task->seconds)) {
        status = banyan_search_set_root(search, state, -1, err);
        if (status == BANYAN_OK)
            status = banyan_search_run(search, &limits, err);
        banyan_search_stats(search, &stats, sizeof stats);
        done += stats.simulations;
        now = timing_cpu_s();
    }
    *out = (struct bench_result){(double)done / (now - start), (double)stats.bytes_used / 1e6};
    banyan_search_destroy(search);
    if (evaluator.evaluate)
        banyan_evaluator_close(&evaluator);
    free(state);
    return status;
}

static void bench_ratio(const char *what, double ours, double theirs, double megabytes,
                        double their_megabytes)
{
    char rate[32];
    printf("%-16s %12s", what, timing_rate(ours, rate, sizeof rate));
    if (megabytes >= 0)
        printf(" %9.2f", megabytes);
    if (theirs > 0)
        printf(" %14.1f %9.0fx", theirs, ours / theirs);
    if (their_megabytes > 0)
        printf(" %9.1f", their_megabytes);
    printf("\n");
    fflush(stdout);
}

static enum banyan_status bench_counts(const struct banyan_game *game, double seconds,
                                       struct banyan_error *err)
{
    static const struct {
        int64_t simulations;
        double theirs, megabytes;
    } rows[] = {{10, 361.3, 0.1},  {50, 453.9, 0.5}, {100, 527.4, 1.1}, {200, 518.9, 2.3},
                {400, 514.1, 4.6}, {10000, 0, 0},    {1000000, 0, 0}};
    enum banyan_status status = BANYAN_OK;
    printf("\n%-16s %12s %9s %14s %10s %9s\n", "simulations", "sims/s", "MB", "published/s",
           "ratio", "their MB");
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == BANYAN_OK; ++i) {
        struct bench_result result;
        char name[32];
        status =
            bench_search(&(struct bench_task){game, "seed=1", false, rows[i].simulations, seconds},
                         &result, err);
        snprintf(name, sizeof name, "%" PRId64, rows[i].simulations);
        if (status == BANYAN_OK)
            bench_ratio(name, result.per_s, rows[i].theirs, result.megabytes, rows[i].megabytes);
    }
    if (status == BANYAN_OK) {
        struct bench_result result;
        status = bench_search(&(struct bench_task){game, "seed=1", true, 1000000, seconds}, &result,
                              err);
        if (status == BANYAN_OK)
            bench_ratio("with solver", result.per_s, 0, result.megabytes, 0);
    }
    return status;
}

static enum banyan_status bench_boards(const struct banyan_game *game, double seconds,
                                       struct banyan_error *err)
{
    static const struct {
        const char *name;
        int kind;
        double theirs;
    } rows[] = {{"random", -1, 543.2},
                {"gradient 1..9", 1, 468.4},
                {"checkers 6 4", 2, 236.3},
                {"all 1s", 3, 131.9},
                {"all 9s", 4, 18680.5}};
    enum banyan_status status = BANYAN_OK;
    printf("\n%-16s %12s %9s %14s %10s\n", "board", "sims/s", "MB", "published/s", "ratio");
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == BANYAN_OK; ++i) {
        struct bench_result result;
        char setup[BENCH_CELLS + 10] = "seed=1";
        if (rows[i].kind >= 0)
            bench_board(rows[i].kind, setup);
        status = bench_search(&(struct bench_task){game, setup, false, 400, seconds}, &result, err);
        if (status == BANYAN_OK)
            bench_ratio(rows[i].name, result.per_s, rows[i].theirs, result.megabytes, 0);
    }
    return status;
}

static enum banyan_status bench_playouts(const struct banyan_game *game, double seconds,
                                         struct banyan_error *err)
{
    unsigned char *states = malloc((BENCH_GAMES + 1) * game->state_size);
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    enum banyan_status status =
        states ? BANYAN_OK : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for boards");
    for (int i = 0; i < BENCH_GAMES && status == BANYAN_OK; ++i)
        status = game->init(game, states + (size_t)i * game->state_size, NULL, &rng, err);
    printf("%-16s %12s\n", "playouts", "per second");
    for (int policy = 0; status == BANYAN_OK && game->rollout_policies[policy]; ++policy) {
        unsigned char *state = states + BENCH_GAMES * game->state_size;
        double start = timing_cpu_s(), now = start;
        uint64_t count = 0;
        while (now - start < seconds) {
            for (int i = 0; i < BENCH_GAMES; ++i, ++count) {
                memcpy(state, states + (size_t)i * game->state_size, game->state_size);
                game->rollout(game, state, policy, game->max_plies, &rng);
            }
            now = timing_cpu_s();
        }
        bench_ratio(game->rollout_policies[policy], (double)count / (now - start), 0, -1, 0);
    }
    free(states);
    return status;
}

/* All positions of random games, or (first_only) only their starts; *count: their number.  The
 * caller frees them. */
static unsigned char *bench_positions(const struct banyan_game *game, bool first_only, int *count)
{
    enum { MOST = 4096 };
    unsigned char *states = malloc((size_t)MOST * game->state_size);
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    *count = 0;
    while (states && *count < (first_only ? BENCH_GAMES : MOST - (int)game->max_plies)) {
        unsigned char *state = states + (size_t)*count * game->state_size;
        if (game->init(game, state, NULL, &rng, NULL) != BANYAN_OK)
            break;
        for (++*count; !first_only && game->movers(game, state); ++*count) {
            memcpy(state + game->state_size, state, game->state_size);
            state += game->state_size;
            game->rollout(game, state, 1, 1, &rng);
        }
    }
    return states;
}

/* The time of a full move list: on new boards, and on average over random games. */
static enum banyan_status bench_lists(const struct banyan_game *game, double seconds,
                                      struct banyan_error *err)
{
    banyan_action *legal = malloc((size_t)game->max_legal * sizeof *legal);
    printf("%-16s %12s %9s %14s %10s\n", "move lists", "per second", "ns", "published/s", "ratio");
    for (int all = 0; all < 2; ++all) {
        int positions;
        unsigned char *states = bench_positions(game, !all, &positions);
        if (!states || !legal) {
            free(legal);
            return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for boards");
        }
        double start = timing_cpu_s(), now = start;
        uint64_t count = 0;
        for (; now - start < seconds; now = timing_cpu_s())
            for (int i = 0; i < positions; ++i, ++count)
                game->legal(game, states + (size_t)i * game->state_size, 0, legal);
        double per_s = (double)count / (now - start);
        bench_ratio(all ? "random games" : "full board", per_s, 1 / 2.5e-3, 1e9 / per_s, 0);
        free(states);
    }
    free(legal);
    return BANYAN_OK;
}

/* Playouts and move lists at each level of instructions that this machine has. */
static enum banyan_status bench_levels(double seconds, struct banyan_error *err)
{
    static const char *const names[MUSHROOM_LEVELS] = {"portable", "AVX2", "AVX-512"};
    enum banyan_status status = BANYAN_OK;
    for (int level = 0; level <= (int)mushroom_level() && status == BANYAN_OK; ++level) {
        const struct banyan_game *game = mushroom_at((enum mushroom_level)level);
        printf("%s%s%s\n", level ? "\n" : "", names[level],
               level == (int)mushroom_level() ? ": used here and below" : "");
        status = bench_lists(game, seconds, err);
        if (status == BANYAN_OK)
            status = bench_playouts(game, seconds, err);
    }
    return status;
}

/* Positions per second of the two alpha-beta players, after 0, 4, ... 16 plies of greedy play. */
static enum banyan_status bench_alphabeta(const struct banyan_game *game, struct banyan_error *err)
{
    static const char *const players[] = {"alphabeta:nodes=500k", "tournament:nodes=500k"};
    enum banyan_status status = BANYAN_OK;
    unsigned char *state = malloc(game->state_size);
    printf("\n%-16s %12s\n", "alpha-beta", "positions/s");
    for (int i = 0; i < 2 && status == BANYAN_OK && state; ++i) {
        struct banyan_player player;
        uint64_t nodes = 0;
        double start = timing_cpu_s();
        status = banyan_player_create(game, players[i], NULL, 1, &player, err);
        for (int plies = 0; plies <= 16 && status == BANYAN_OK; plies += 4) {
            struct banyan_player_move move;
            struct banyan_rng rng;
            banyan_rng_seed(&rng, 5);
            status = game->init(game, state, "seed=1", NULL, err);
            game->rollout(game, state, 2, plies, &rng);
            player.open(player.ctx, state, plies % 2, 1, err);
            player.choose(player.ctx, state, NULL, &move, err);
            nodes += move.simulations;
        }
        if (status == BANYAN_OK)
            bench_ratio(i ? "tournament" : "alphabeta", (double)nodes / (timing_cpu_s() - start), 0,
                        -1, 0);
        banyan_player_close(&player);
    }
    free(state);
    return status;
}

enum banyan_status bench_mushroom(const struct banyan_game *game, double seconds,
                                  struct banyan_error *err)
{
    enum banyan_status status = bench_levels(seconds, err);
    if (status == BANYAN_OK)
        status = bench_alphabeta(game, err);
    if (status == BANYAN_OK)
        status = bench_counts(game, seconds, err);
    if (status == BANYAN_OK)
        status = bench_boards(game, seconds, err);
    return status;
}
