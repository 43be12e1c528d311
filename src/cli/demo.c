/* banyan demo: every game once, in a minute altogether.
 *
 * For each game: one position, searched and explained, and a short match of a
 * search against random play (alone, where there is one player).  The time of a
 * decision follows from the length of a random game.
 */
#include "base/movers.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/result.h"
#include "cli/show.h"
#include "cli/signature.h"
#include "cli/timing.h"

#include <banyan/evaluator.h>
#include <banyan/player.h>
#include <banyan/search.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEMO_ROWS = 4, DEMO_GAMES = 10, DEMO_SEED = 7 };

struct demo {
    const struct banyan_game *game; /* only this one; NULL: all */
    double seconds;                 /* altogether */
    const banyan_flag *stop;
};

/* One line of the final table. */
struct demo_line {
    const struct banyan_game *game;
    char players[64];
    int games, wins, draws, losses; /* of the search */
    double return_sum;              /* of the search */
    uint64_t simulations;
    double search_ms;
    char problem[BANYAN_MESSAGE_MAX]; /* "": none */
};

/* --- one explained move --- */

static enum banyan_status demo_search(const struct banyan_game *game, const void *state,
                                      struct banyan_search *search,
                                      const struct banyan_search_limits *limits,
                                      struct banyan_error *err)
{
    char best[256], pv[512];
    int mover = movers_first(game->movers(game, state));
    enum banyan_status status = banyan_search_set_root(search, state, mover, err);
    if (status == BANYAN_OK)
        status = banyan_search_run(search, limits, err);
    if (status == BANYAN_OK && banyan_flag_is_set(limits->stop))
        status = banyan_fail(err, BANYAN_INTERRUPTED, "stopped");
    if (status == BANYAN_OK)
        status = result_format_best(game, search, state, best, sizeof best, err);
    if (status != BANYAN_OK)
        return status;
    struct result_row_list list = result_rows(game, search, mover);
    show_board(game, state, game->traits & BANYAN_HIDDEN ? mover : -1, stdout);
    result_print_rows(game, state, mover, list.rows,
                      list.count < DEMO_ROWS ? list.count : DEMO_ROWS, stdout);
    if (list.count > DEMO_ROWS)
        printf("... %d more\n", list.count - DEMO_ROWS);
    free(list.rows);
    result_format_pv(game, search, state, pv, sizeof pv);
    printf("%s plays %s; expected: %s\n", banyan_game_player_name(game, mover), best, pv);
    return BANYAN_OK;
}

/* Search options that suit the game: who chooses unseen must mix. */
static const char *demo_options_of(const struct banyan_game *game)
{
    /* what is played is this hand, not the whole game: only what is hidden is drawn */
    return game->traits & BANYAN_SIMULTANEOUS ? "rule=regret,final=average,draw=hidden" : "";
}

static enum banyan_status demo_explain(const struct banyan_game *game, const void *state,
                                       const struct banyan_search_limits *limits,
                                       struct banyan_error *err)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = NULL};
    struct banyan_search *search = NULL;
    banyan_search_options_default(&options);
    enum banyan_status status =
        banyan_options_parse(banyan_search_option_table(), &options, demo_options_of(game), err);
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(game, "rollout", NULL, &evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_create(&search, game, &options, &evaluator, err);
    if (status == BANYAN_OK)
        status = demo_search(game, state, search, limits, err);
    if (search)
        banyan_search_destroy(search);
    if (evaluator.evaluate)
        banyan_evaluator_close(&evaluator);
    return status;
}

/* --- a short match --- */

struct demo_table {
    const struct banyan_game *game;
    struct banyan_player players[BANYAN_MAX_PLAYERS];
    int seat; /* of the search */
    struct demo_line *line;
    const banyan_flag *stop;
};

static enum banyan_status demo_ply(struct demo_table *table, void *state, struct banyan_rng *rng,
                                   struct banyan_error *err)
{
    const struct banyan_game *game = table->game;
    struct banyan_player_clock clock = {.stop = table->stop};
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_dice dice;
    unsigned movers = game->movers(game, state);
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        clock.left_ms[p] = -1;
    for (int p = 0; p < game->players; ++p) {
        struct banyan_player_move move = {.value = NAN};
        if (!(movers >> p & 1))
            continue;
        enum banyan_status status =
            table->players[p].choose(table->players[p].ctx, state, &clock, &move, err);
        if (status == BANYAN_OK && banyan_flag_is_set(table->stop)) /* it may have been cut short */
            status = banyan_fail(err, BANYAN_INTERRUPTED, "stopped");
        if (status != BANYAN_OK)
            return status;
        joint[p] = move.action;
        table->line->simulations += move.simulations;
        table->line->search_ms += move.simulations ? move.elapsed_ms : 0;
    }
    void *before = malloc(game->state_size);
    if (!before)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state");
    memcpy(before, state, game->state_size);
    banyan_dice_drawn(&dice, rng);
    game->apply(game, state, joint, &dice);
    enum banyan_status status = BANYAN_OK;
    for (int p = 0; p < game->players && status == BANYAN_OK; ++p)
        if (table->players[p].observe)
            status = table->players[p].observe(table->players[p].ctx, before, joint, state, err);
    free(before);
    return status;
}

static void demo_count(struct demo_table *table, const void *state)
{
    float returns[BANYAN_MAX_PLAYERS];
    double others = 0, own;
    table->game->returns(table->game, state, returns);
    own = returns[table->seat];
    for (int p = 0; p < table->game->players; ++p)
        others += p == table->seat ? 0 : (double)returns[p];
    if (table->game->players > 1)
        others /= table->game->players - 1;
    else
        others = own; /* nobody to beat: the mean return says it all */
    ++table->line->games;
    table->line->return_sum += own;
    table->line->wins += own > others;
    table->line->draws += !(own > others) && !(own < others);
    table->line->losses += own < others;
}

static enum banyan_status demo_play(struct demo_table *table, void *state, uint64_t seed,
                                    struct banyan_error *err)
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, seed);
    enum banyan_status status = table->game->init(table->game, state, NULL, &rng, err);
    for (int p = 0; p < table->game->players && status == BANYAN_OK; ++p)
        if (table->players[p].open)
            status = table->players[p].open(table->players[p].ctx, state, p,
                                            banyan_rng_child(seed, "seat", (uint64_t)p), err);
    while (status == BANYAN_OK && table->game->movers(table->game, state))
        status = demo_ply(table, state, &rng, err);
    if (status == BANYAN_OK)
        demo_count(table, state);
    return status;
}

/* Game number index: the search takes each seat in turn. */
static enum banyan_status demo_game(struct demo_line *line, int index, double decision_ms,
                                    const banyan_flag *stop, struct banyan_error *err)
{
    const struct banyan_game *game = line->game;
    struct demo_table table = {
        .game = game, .seat = index % game->players, .line = line, .stop = stop};
    uint64_t seed = banyan_rng_child(DEMO_SEED, game->name, (uint64_t)index);
    char text[64];
    const char *options = demo_options_of(game);
    snprintf(text, sizeof text, "mcts:time=%.3fms%s%s", decision_ms, *options ? "," : "", options);
    enum banyan_status status = BANYAN_OK;
    for (int p = 0; p < game->players && status == BANYAN_OK; ++p)
        status = banyan_player_create(game, p == table.seat ? text : "random", NULL, seed,
                                      &table.players[p], err);
    void *state = calloc(1, game->state_size);
    if (status == BANYAN_OK && !state)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state");
    if (status == BANYAN_OK)
        status = demo_play(&table, state, seed, err);
    free(state);
    for (int p = 0; p < game->players; ++p)
        banyan_player_close(&table.players[p]);
    return status;
}

/* Plies of a random game. */
static enum banyan_status demo_length(const struct banyan_game *game, void *state, uint64_t *plies,
                                      struct banyan_error *err)
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, DEMO_SEED);
    banyan_action *legal = malloc((size_t)game->max_legal * sizeof *legal);
    enum banyan_status status = legal ? game->init(game, state, NULL, &rng, err)
                                      : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for actions");
    if (status == BANYAN_OK)
        *plies = signature_play_out(game, state, legal, &rng);
    free(legal);
    if (status == BANYAN_OK) {
        banyan_rng_seed(&rng, DEMO_SEED);
        status = game->init(game, state, NULL, &rng, err);
    }
    return status;
}

static enum banyan_status demo_match(struct demo_line *line, double seconds, uint64_t plies,
                                     const banyan_flag *stop, struct banyan_error *err)
{
    double start = timing_wall_s();
    double ms = 1000 * seconds / (double)(plies + 1) / 4; /* at least about four games */
    ms = ms < 0.2 ? 0.2 : ms > 20 ? 20 : ms;
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i < DEMO_GAMES && status == BANYAN_OK; ++i) {
        if (i > 0 && timing_wall_s() - start > seconds)
            break;
        status = demo_game(line, i, ms, stop, err);
    }
    return status;
}

static enum banyan_status demo_one(struct demo_line *line, double seconds, const banyan_flag *stop,
                                   struct banyan_error *err)
{
    const struct banyan_game *game = line->game;
    uint64_t plies = 1;
    void *state = calloc(1, game->state_size);
    if (!state)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state");
    snprintf(line->players, sizeof line->players, "%s",
             game->players == 1 ? "mcts" : "mcts - random");
    printf("\n== %s ==\n", game->title);
    enum banyan_status status = demo_length(game, state, &plies, err);
    if (status == BANYAN_OK)
        status = demo_explain(
            game, state,
            &(struct banyan_search_limits){.struct_size = sizeof(struct banyan_search_limits),
                                           .time_ms = 200 * seconds,
                                           .stop = stop},
            err);
    fflush(stdout);
    if (status == BANYAN_OK)
        status = demo_match(line, 0.75 * seconds, plies, stop, err);
    free(state);
    return status;
}

static void demo_print(const struct demo_line *lines, int count)
{
    printf("\n%-18s %-14s %7s %-22s %12s %12s\n", "game", "players", "games", "won-drawn-lost",
           "mean return", "sims/s");
    for (int i = 0; i < count; ++i) {
        const struct demo_line *line = &lines[i];
        char rate[32], score[32];
        double per_s = line->search_ms > 0 ? 1000 * (double)line->simulations / line->search_ms : 0;
        snprintf(score, sizeof score, "%d-%d-%d", line->wins, line->draws, line->losses);
        if (*line->problem)
            printf("%-18s failed: %s\n", line->game->name, line->problem);
        else
            printf("%-18s %-14s %7d %-22s %+12.3f %12s\n", line->game->name, line->players,
                   line->games, line->game->players == 1 ? "-" : score,
                   line->games ? line->return_sum / line->games : 0,
                   timing_rate(per_s, rate, sizeof rate));
    }
    printf("simulations per second of wall clock, 1 thread, with random rollouts\n");
}

/* All games, or the one that is wanted, until somebody asks to stop: the number of lines filled. */
static int demo_all(const struct demo *demo, struct demo_line *lines, double seconds, int *failed)
{
    int done = 0;
    const struct banyan_game *game;
    for (int i = 0; (game = banyan_game_at(i)); ++i) {
        struct banyan_error err = {.message = ""};
        if (demo->game && strcmp(demo->game->name, game->name) != 0)
            continue;
        lines[done].game = game;
        enum banyan_status status = demo_one(&lines[done], seconds, demo->stop, &err);
        if (status == BANYAN_INTERRUPTED)
            break;
        if (status != BANYAN_OK) {
            snprintf(lines[done].problem, sizeof lines[done].problem, "%s", err.message);
            ++*failed;
        }
        ++done;
    }
    return done;
}

enum { DEMO_TIME = 't' };

static const struct argp_option demo_options[] = {
    {"time", DEMO_TIME, "TIME", 0, "Take about so long altogether; default 40s", 0}, {0}};

static error_t demo_option(int key, char *arg, struct argp_state *state)
{
    struct demo *demo = state->input;
    if (key == DEMO_TIME)
        demo->seconds = cli_time(state, "--time", arg, 10, 1e9) / 1000;
    else if (key == ARGP_KEY_ARG && state->arg_num == 0)
        demo->game = cli_game(state, arg);
    else if (key == ARGP_KEY_ARG)
        cli_usage(state, "'%s' is one word too many", arg);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

int cli_demo(int argc, char **argv)
{
    struct demo demo = {.seconds = 40, .stop = interrupt_watch()};
    const struct argp argp = {demo_options,
                              demo_option,
                              "[GAME]",
                              "Shows every game: one explained move, and a short match of a search "
                              "against random play; ends with a table.",
                              NULL,
                              NULL,
                              NULL};
    cli_parse(&argp, argc, argv, &demo);
    int all = 0;
    while (banyan_game_at(all))
        ++all;
    struct demo_line *lines = calloc((size_t)all + 1, sizeof *lines);
    if (!lines)
        return CLI_FAILURE;
    int wanted = demo.game ? 1 : all, failed = 0;
    int done = demo_all(&demo, lines, demo.seconds / wanted, &failed);
    demo_print(lines, done);
    cli_tell_interrupted(argv[0], (uint64_t)done, (uint64_t)wanted, "games");
    free(lines);
    return failed ? CLI_FAILURE : CLI_OK;
}
