/* banyan bench: the speed of this build on this machine, and (--signature) a hash of its results.
 * Rates are per second of processor time of one thread.  Most figures are measured for
 * --time each.
 */
#include "base/movers.h"
#include "cli/bench/bench_bloodbowl.h"
#include "cli/bench/bench_mushroom.h"
#include "cli/bench/bench_nn.h"
#include "cli/bench/bench_pokemon.h"
#include "cli/bench/bench_threads.h"
#include "cli/cli.h"
#include "cli/count.h"
#include "cli/show.h"
#include "cli/signature.h"
#include "cli/timing.h"

#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BENCH_FILES = 32,
    BENCH_STATES = 256, /* positions from random games, on which legal() and apply() are timed */
    BENCH_PERFT_LEAVES = 20000000
};

#define BENCH_SECONDS 0.5 /* to measure each figure where --time is not given */

struct bench {
    const struct banyan_game *game; /* NULL: all */
    double seconds;                 /* to measure each figure; 0: not given */
    bool json, profile, signature, threads, verbose;
    bool network; /* networks, not games */
    const char *files[BENCH_FILES];
    int file_count;
};

struct bench_figures {
    double playouts_per_s, simulations_per_s, bytes_per_visited_node, bytes_per_simulation,
        bytes_per_node, leaves_per_s, copies_per_s, legal_ns, apply_ns;
    int perft_depth;
};

/* Positions in the middle of random games, each with a joint action that is legal there. */
struct bench_positions {
    const struct banyan_game *game;
    unsigned char *states;  /* [BENCH_STATES][state_size] */
    unsigned char *scratch; /* [state_size] */
    banyan_action *legal;   /* [max_legal] */
    banyan_action joint[BENCH_STATES][BANYAN_MAX_PLAYERS];
    struct banyan_rng rng;
    struct banyan_dice dice;
};

static void *bench_state(const struct bench_positions *positions, int index)
{
    return positions->states + (size_t)index * positions->game->state_size;
}

/* Chooses a random action for every mover of state. */
static void bench_choose(struct bench_positions *positions, const void *state,
                         banyan_action joint[])
{
    const struct banyan_game *game = positions->game;
    unsigned movers = game->movers(game, state);
    for (int p = 0; p < game->players; ++p)
        if (movers >> p & 1) {
            int count = game->legal(game, state, p, positions->legal);
            joint[p] = positions->legal[banyan_rng_below(&positions->rng, (uint32_t)count)];
        }
}

static enum banyan_status bench_fill(struct bench_positions *positions, struct banyan_error *err)
{
    const struct banyan_game *game = positions->game;
    enum banyan_status status = game->init(game, positions->scratch, NULL, &positions->rng, err);
    for (int i = 0; status == BANYAN_OK && i < BENCH_STATES; ++i) {
        if (game->movers(game, positions->scratch) == 0)
            status = game->init(game, positions->scratch, NULL, &positions->rng, err);
        if (status != BANYAN_OK)
            break;
        memcpy(bench_state(positions, i), positions->scratch, game->state_size);
        bench_choose(positions, positions->scratch, positions->joint[i]);
        game->apply(game, positions->scratch, positions->joint[i], &positions->dice);
    }
    return status;
}

static enum banyan_status bench_open(struct bench_positions *positions,
                                     const struct banyan_game *game, struct banyan_error *err)
{
    memset(positions, 0, sizeof *positions);
    positions->game = game;
    positions->states = malloc(BENCH_STATES * game->state_size);
    positions->scratch = malloc(game->state_size);
    positions->legal = malloc((size_t)game->max_legal * sizeof *positions->legal);
    banyan_rng_seed(&positions->rng, 1);
    banyan_dice_drawn(&positions->dice, &positions->rng);
    if (!positions->states || !positions->scratch || !positions->legal)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for positions of %s", game->name);
    return bench_fill(positions, err);
}

static void bench_close(struct bench_positions *positions)
{
    free(positions->states);
    free(positions->scratch);
    free(positions->legal);
}

/* --- the work that is timed: each function does one repetition --- */

typedef void bench_repetition(struct bench_positions *positions, int index);

static void bench_copy(struct bench_positions *positions, int index)
{
    memcpy(positions->scratch, bench_state(positions, index), positions->game->state_size);
}

static void bench_legal(struct bench_positions *positions, int index)
{
    const void *state = bench_state(positions, index);
    positions->game->legal(positions->game, state,
                           movers_first(positions->game->movers(positions->game, state)),
                           positions->legal);
}

static void bench_apply(struct bench_positions *positions, int index)
{
    bench_copy(positions, index);
    positions->game->apply(positions->game, positions->scratch, positions->joint[index],
                           &positions->dice);
}

/* Seconds of processor time per repetition, measured for about `seconds`.  Reading the clock costs
 * as much as many repetitions, so it is read after 1, 2, 4, ... repetitions. */
static double bench_time(struct bench_positions *positions, bench_repetition *repetition,
                         double seconds)
{
    double start = timing_cpu_s(), now = start;
    uint64_t count = 0;
    for (uint64_t block = 1; now - start < seconds;
         block += now - start < seconds / 4 ? block : 0) {
        for (uint64_t i = 0; i < block; ++i, ++count)
            repetition(positions, (int)(count % BENCH_STATES));
        now = timing_cpu_s();
    }
    return (now - start) / (double)count;
}

/* --- playouts, perft, search --- */

/* Plays a whole game from the start. */
static void bench_playout(struct bench_positions *positions, int index)
{
    const struct banyan_game *game = positions->game;
    (void)index;
    game->init(game, positions->scratch, NULL, &positions->rng, NULL);
    if (game->rollout)
        game->rollout(game, positions->scratch, 0, game->max_plies, &positions->rng);
    else
        signature_play_out(game, positions->scratch, positions->legal, &positions->rng);
}

/* Counts leaves to the greatest depth that takes at most `seconds`; the next depth is expected to
 * multiply the time as the last one multiplied the leaves. */
static enum banyan_status bench_perft(struct bench_positions *positions, double seconds,
                                      struct bench_figures *figures, struct banyan_error *err)
{
    const struct banyan_game *game = positions->game;
    struct count count;
    uint64_t leaves = 1, before = 1;
    double spent = 0;
    enum banyan_status status = count_open(&count, game, COUNT_MAX_DEPTH, err);
    if (status == BANYAN_OK)
        status = game->init(game, positions->scratch, NULL, &positions->rng, err);
    for (int depth = 1; status == BANYAN_OK && depth < COUNT_MAX_DEPTH; ++depth) {
        double growth = (double)leaves / (double)before, start = timing_cpu_s();
        if (spent * growth > seconds || (double)leaves * growth > BENCH_PERFT_LEAVES)
            break;
        before = leaves;
        leaves = count_leaves(&count, positions->scratch, 0, depth);
        spent = timing_cpu_s() - start;
        if (leaves == 0 || count.overflow)
            break;
        if (spent > 0) {
            figures->leaves_per_s = (double)leaves / spent;
            figures->perft_depth = depth;
        }
    }
    count_close(&count);
    return status;
}

/* The number of positions visited, the root included.  A leaf that was visited once has no node yet:
 * its visit is stored in its edge, or in an outcome where one edge leads to several positions. */
static double bench_visited(const struct banyan_search_stats *stats)
{
    return 1 + (double)(stats->outcomes ? stats->outcomes : stats->edges);
}

static enum banyan_status bench_search(struct bench_positions *positions, double seconds,
                                       struct bench_figures *figures, struct banyan_error *err)
{
    const struct banyan_game *game = positions->game;
    struct banyan_search_options options;
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = NULL};
    struct banyan_search *search = NULL;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .time_ms = seconds * 1000};
    banyan_search_options_default(&options);
    enum banyan_status status = game->init(game, positions->scratch, NULL, &positions->rng, err);
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(game, "rollout", NULL, &evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_create(&search, game, &options, &evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_set_root(search, positions->scratch, -1, err);
    struct banyan_search_stats empty = {.nodes = 0}, stats;
    if (search)
        banyan_search_stats(search, &empty, sizeof empty); /* without a tree */
    double start = timing_cpu_s();
    if (status == BANYAN_OK)
        status = banyan_search_run(search, &limits, err);
    if (status == BANYAN_OK) {
        banyan_search_stats(search, &stats, sizeof stats);
        double bytes = (double)(stats.bytes_used - empty.bytes_used);
        figures->simulations_per_s = (double)stats.simulations / (timing_cpu_s() - start);
        figures->bytes_per_visited_node = bytes / bench_visited(&stats);
        figures->bytes_per_simulation = bytes / (double)stats.simulations;
        figures->bytes_per_node = stats.nodes ? bytes / (double)stats.nodes : 0;
    }
    if (search)
        banyan_search_destroy(search);
    if (evaluator.evaluate)
        banyan_evaluator_close(&evaluator);
    return status;
}

static enum banyan_status bench_game(const struct banyan_game *game, double seconds,
                                     struct bench_figures *figures, struct banyan_error *err)
{
    struct bench_positions positions;
    memset(figures, 0, sizeof *figures);
    enum banyan_status status = bench_open(&positions, game, err);
    if (status == BANYAN_OK) {
        figures->copies_per_s = 1 / bench_time(&positions, bench_copy, seconds);
        figures->legal_ns = 1e9 * bench_time(&positions, bench_legal, seconds);
        figures->apply_ns = 1e9 * bench_time(&positions, bench_apply, seconds);
        figures->playouts_per_s = 1 / bench_time(&positions, bench_playout, seconds);
        status = bench_perft(&positions, seconds, figures, err);
    }
    if (status == BANYAN_OK)
        status = bench_search(&positions, seconds, figures, err);
    bench_close(&positions);
    return status;
}

/* --- words and output --- */

enum {
    BENCH_JSON = 'j',
    BENCH_PROFILE = 'p',
    BENCH_TIME = 't',
    BENCH_SIGNATURE = 'S',
    BENCH_THREADS = 'T',
    BENCH_VERBOSE = 'v'
};

static const struct argp_option bench_options[] = {
    {"json", BENCH_JSON, NULL, 0, "Print JSON (docs/json.md)", 0},
    {"profile", BENCH_PROFILE, NULL, 0,
     "mushroom only: how much of the time of a simulation each part takes, beside published "
     "figures",
     0},
    {"time", BENCH_TIME, "TIME", 0, "Time to measure each figure; default 500ms", 0},
    {"signature", BENCH_SIGNATURE, NULL, 0,
     "Print the behaviour signature: one number computed from fixed searches and playouts of "
     "GAME or of all games",
     0},
    {"threads", BENCH_THREADS, NULL, 0,
     "With GAME: simulations per second by number of threads and batch, and which are best here",
     0},
    {"verbose", BENCH_VERBOSE, NULL, 0, "With --signature: also print one number per search", 0},
    {0}};

/* Ends the program if an option would have no effect. */
static void bench_check(struct bench *bench, const struct argp_state *state)
{
    if (bench->network && (bench->json || bench->signature))
        cli_usage(state, "bench nn prints text only: --json and --signature are for games");
    if (bench->threads && !bench->game)
        cli_usage(state, "--threads is for one game: banyan bench --threads othello");
    if (bench->profile && (!bench->game || strcmp(bench->game->name, "mushroom") != 0))
        cli_usage(state, "--profile is for mushroom only: banyan bench --profile mushroom");
    if (bench->signature + bench->threads + bench->profile > 1)
        cli_usage(state, "give only one of --signature, --threads and --profile");
    const char *what = bench->signature ? "--signature"
                       : bench->threads ? "--threads"
                       : bench->profile ? "--profile"
                                        : NULL;
    if (what && bench->json)
        cli_usage(state, "%s prints text only: leave --json out", what);
    if (what && bench->file_count)
        cli_usage(state, "%s does not search recorded games: leave them out", what);
    if (bench->signature && bench->seconds > 0)
        cli_usage(state, "--signature measures no time: leave --time out");
    if (bench->verbose && !bench->signature)
        cli_usage(state, "--verbose is for --signature");
    if (bench->seconds <= 0)
        bench->seconds = BENCH_SECONDS;
}

static error_t bench_option(int key, char *arg, struct argp_state *state)
{
    struct bench *bench = state->input;
    switch (key) {
    case BENCH_JSON:
        bench->json = true;
        return 0;
    case BENCH_PROFILE:
        bench->profile = true;
        return 0;
    case BENCH_TIME:
        bench->seconds = cli_time(state, "--time", arg, 1, 1e6) / 1000;
        return 0;
    case BENCH_SIGNATURE:
        bench->signature = true;
        return 0;
    case BENCH_THREADS:
        bench->threads = true;
        return 0;
    case BENCH_VERBOSE:
        bench->verbose = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0) {
            bool takes = bench->game && strcmp(bench->game->name, "pokemon") == 0;
            if (!takes || bench->file_count == BENCH_FILES)
                cli_too_many(state, arg);
            bench->files[bench->file_count++] = arg;
            return 0;
        }
        bench->network = strcmp(arg, "nn") == 0;
        if (!bench->network)
            bench->game = cli_game(state, arg);
        return 0;
    case ARGP_KEY_END:
        bench_check(bench, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static json_t *bench_json(const struct banyan_game *game, const struct bench_figures *f)
{
    return json_pack("{s:s, s:I, s:f, s:f, s:f, s:f, s:f, s:i, s:f, s:f, s:f, s:f}", "game",
                     game->name, "state_bytes", (json_int_t)game->state_size, "playouts_per_s",
                     f->playouts_per_s, "simulations_per_s", f->simulations_per_s,
                     "bytes_per_visited_node", f->bytes_per_visited_node, "bytes_per_simulation",
                     f->bytes_per_simulation, "bytes_per_node", f->bytes_per_node, "perft_depth",
                     f->perft_depth, "leaves_per_s", f->leaves_per_s, "copies_per_s",
                     f->copies_per_s, "legal_ns", f->legal_ns, "apply_ns", f->apply_ns);
}

static void bench_row(const struct banyan_game *game, const struct bench_figures *f)
{
    char playouts[32], simulations[32], leaves[32], copies[32];
    printf("%-16s %10s %10s %10.1f %9.1f %10s %10s %9.1f %9.1f\n", game->name,
           timing_rate(f->playouts_per_s, playouts, sizeof playouts),
           timing_rate(f->simulations_per_s, simulations, sizeof simulations),
           f->bytes_per_visited_node, f->bytes_per_node,
           timing_rate(f->leaves_per_s, leaves, sizeof leaves),
           timing_rate(f->copies_per_s, copies, sizeof copies), f->legal_ns, f->apply_ns);
    fflush(stdout);
}

/* The JSON answer: an object for one game, a list for all. */
static json_t *bench_answer(const struct bench *bench, json_t *rows)
{
    json_t *out =
        bench->game ? json_copy(json_array_get(rows, 0)) : json_pack("{s:O}", "games", rows);
    json_object_set_new(out, "seconds", json_real(bench->seconds));
    json_object_set_new(out, "threads", json_integer(1));
    return out;
}

/* Figures that only some games have. */
static enum banyan_status bench_more(const struct bench *bench, json_t *rows,
                                     struct banyan_error *err)
{
    if (!bench->game)
        return BANYAN_OK;
    if (strcmp(bench->game->name, "mushroom") == 0 && !bench->json)
        return bench_mushroom(bench->game, bench->seconds, err);
    if (strcmp(bench->game->name, "bloodbowl") == 0) {
        json_t *sizes = bench->json ? json_array() : NULL;
        if (sizes)
            json_object_set_new(json_array_get(rows, 0), "sizes", sizes);
        return bench_bloodbowl(bench->seconds, sizes, err);
    }
    if (strcmp(bench->game->name, "pokemon") == 0) {
        const struct bench_pokemon_options options = {.seconds = bench->seconds,
                                                      .games = bench->files,
                                                      .game_count = bench->file_count,
                                                      .json = bench->json ? json_array_get(rows, 0)
                                                                          : NULL};
        return bench_pokemon(bench->game, &options, err);
    }
    return BANYAN_OK;
}

static enum banyan_status bench_all(const struct bench *bench, struct banyan_error *err)
{
    const struct banyan_game *game;
    json_t *rows = json_array();
    enum banyan_status status = BANYAN_OK;
    if (!bench->json)
        printf("%-16s %10s %10s %10s %9s %10s %10s %9s %9s\n", "game", "playouts/s", "sims/s",
               "B/visited", "B/node", "leaves/s", "copies/s", "legal ns", "apply ns");
    for (int i = 0; status == BANYAN_OK && (game = banyan_game_at(i)); ++i) {
        struct bench_figures figures;
        if (bench->game && strcmp(bench->game->name, game->name) != 0)
            continue;
        status = bench_game(game, bench->seconds, &figures, err);
        if (status == BANYAN_OK && bench->json)
            json_array_append_new(rows, bench_json(game, &figures));
        else if (status == BANYAN_OK)
            bench_row(game, &figures);
    }
    if (status == BANYAN_OK && !bench->json)
        printf("per second of processor time, 1 thread; apply includes the copy of the state\n");
    if (status == BANYAN_OK)
        status = bench_more(bench, rows, err);
    if (status == BANYAN_OK && bench->json)
        show_json(bench_answer(bench, rows));
    json_decref(rows);
    return status;
}

int cli_bench(int argc, char **argv)
{
    struct bench bench = {.seconds = 0};
    const struct argp argp = {
        bench_options,
        bench_option,
        "[GAME|nn]\npokemon GAMES...",
        "Measures the speed of this build, of GAME or of every game: playouts, simulations, perft "
        "leaves and state copies per second, bytes per node, nanoseconds per call of legal() and "
        "apply().  nn: evaluations and training samples per second, beside the peak of the "
        "processor.  pokemon GAMES...: searches states of these recorded games, files as `banyan "
        "verify` reads them.  --signature prints the behaviour signature instead.",
        NULL,
        NULL,
        NULL};
    struct banyan_error err;
    cli_parse(&argp, argc, argv, &bench);
    enum banyan_status status =
        bench.network     ? bench_nn(bench.seconds, &err)
        : bench.signature ? signature_print(bench.game, bench.verbose, stdout, &err)
        : bench.threads   ? bench_threads(bench.game, bench.seconds, &err)
        : bench.profile   ? bench_mushroom_profile(bench.game, bench.seconds, &err)
                          : bench_all(&bench, &err);
    return status == BANYAN_OK ? CLI_OK : cli_fail(argv[0], CLI_FAILURE, &err);
}
