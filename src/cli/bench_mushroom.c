#include "cli/bench_mushroom.h"

#include "cli/timing.h"

#include <banyan/evaluator.h>
#include <banyan/player.h>
#include <banyan/search.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BENCH_CELLS = 170, BENCH_COLUMNS = 17, BENCH_GAMES = 64 };

/* A board by a rule, as setup text. */
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

/* One search of a fixed number of simulations, or (0) of so many seconds. */
static enum banyan_status bench_search(const struct banyan_game *game, const char *setup,
                                       const char *evaluator_text, int64_t simulations,
                                       double seconds, double *per_s, double *megabytes,
                                       struct banyan_error *err)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator = {.name = NULL};
    struct banyan_search *search = NULL;
    struct banyan_search_stats stats = {.simulations = 0};
    struct banyan_limits limits = {.simulations = simulations,
                                   .time_ms = simulations ? 0 : seconds * 1000};
    unsigned char *state = malloc(game->state_size);
    uint64_t done = 0;
    banyan_search_options_default(&options);
    enum banyan_status status =
        state ? BANYAN_OK : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state");
    if (status == BANYAN_OK)
        status = game->init(state, setup, NULL, err);
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(game, evaluator_text, &evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_create(&search, game, &options, &evaluator, err);
    double start = timing_cpu_s(), now = start;
    while (status == BANYAN_OK && (done == 0 || now - start < seconds)) {
        status = banyan_search_set_root(search, state, -1, err);
        if (status == BANYAN_OK)
            status = banyan_search_run(search, &limits, err);
        banyan_search_get_stats(search, &stats);
        done += stats.simulations;
        now = timing_cpu_s();
    }
    *per_s = (double)done / (now - start);
    *megabytes = (double)stats.bytes_used / 1e6;
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
        double per_s, megabytes;
        char name[32];
        status = bench_search(game, "seed=1", "heuristic", rows[i].simulations, seconds, &per_s,
                              &megabytes, err);
        snprintf(name, sizeof name, "%" PRId64, rows[i].simulations);
        if (status == BANYAN_OK)
            bench_ratio(name, per_s, rows[i].theirs, megabytes, rows[i].megabytes);
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
        double per_s, megabytes;
        char setup[BENCH_CELLS + 10] = "seed=1";
        if (rows[i].kind >= 0)
            bench_board(rows[i].kind, setup);
        status = bench_search(game, setup, "heuristic", 400, seconds, &per_s, &megabytes, err);
        if (status == BANYAN_OK)
            bench_ratio(rows[i].name, per_s, rows[i].theirs, megabytes, 0);
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
        status = game->init(states + (size_t)i * game->state_size, NULL, &rng, err);
    printf("\n%-16s %12s\n", "playouts", "per second");
    for (int policy = 0; status == BANYAN_OK && game->rollout_policies[policy]; ++policy) {
        unsigned char *state = states + BENCH_GAMES * game->state_size;
        double start = timing_cpu_s(), now = start;
        uint64_t count = 0;
        while (now - start < seconds) {
            for (int i = 0; i < BENCH_GAMES; ++i, ++count) {
                memcpy(state, states + (size_t)i * game->state_size, game->state_size);
                game->rollout(state, policy, game->max_plies, &rng);
            }
            now = timing_cpu_s();
        }
        bench_ratio(game->rollout_policies[policy], (double)count / (now - start), 0, -1, 0);
    }
    free(states);
    return status;
}

/* Full move lists on fresh boards. */
static enum banyan_status bench_lists(const struct banyan_game *game, double seconds,
                                      struct banyan_error *err)
{
    unsigned char *states = malloc(BENCH_GAMES * game->state_size);
    banyan_action *legal = malloc((size_t)game->max_legal * sizeof *legal);
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    enum banyan_status status =
        states && legal ? BANYAN_OK : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for boards");
    for (int i = 0; i < BENCH_GAMES && status == BANYAN_OK; ++i)
        status = game->init(states + (size_t)i * game->state_size, NULL, &rng, err);
    double start = timing_cpu_s(), now = start;
    uint64_t count = 0;
    while (status == BANYAN_OK && now - start < seconds) {
        for (int i = 0; i < BENCH_GAMES; ++i, ++count)
            game->legal(states + (size_t)i * game->state_size, 0, legal);
        now = timing_cpu_s();
    }
    if (status == BANYAN_OK) {
        printf("\n%-16s %12s\n", "move lists", "per second");
        bench_ratio("full board", (double)count / (now - start), 1 / 2.5e-3, -1, 0);
    }
    free(states);
    free(legal);
    return status;
}

/* Positions a second of the two alpha-beta players, and the depth in half a second of processor
 * time on boards after so many greedy plies. */
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
        status = banyan_player_create(game, players[i], 1, &player, err);
        for (int plies = 0; plies <= 16 && status == BANYAN_OK; plies += 4) {
            struct banyan_move move;
            struct banyan_rng rng;
            banyan_rng_seed(&rng, 5);
            status = game->init(state, "seed=1", NULL, err);
            game->rollout(state, 2, plies, &rng);
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
    enum banyan_status status = bench_lists(game, seconds, err);
    if (status == BANYAN_OK)
        status = bench_playouts(game, seconds, err);
    if (status == BANYAN_OK)
        status = bench_alphabeta(game, err);
    if (status == BANYAN_OK)
        status = bench_counts(game, seconds, err);
    if (status == BANYAN_OK)
        status = bench_boards(game, seconds, err);
    return status;
}
