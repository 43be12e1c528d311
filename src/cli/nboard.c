/* banyan nboard: an engine for NBoard and other programs that speak the NBoard protocol, version 2
 * (Welty 2014), for Othello on 8x8 squares.
 *
 *      set game GGF, move F5, hint 3, go ...  -->  search F5 12.50 0 14, === F5/12.50/0.31 ...
 *
 * A line is answered before the next is read, except that a search ends as soon as a line with ping
 * or quit is waiting.  The protocol has no word for errors; they go to the status line of the other
 * program.
 */
#include "cli/cli.h"
#include "cli/nboard_game.h"
#include "cli/nboard_lines.h"
#include "cli/result.h"

#include "base/clock.h"
#include "games/othello/endgame.h"
#include "players/program/offers.h"

#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NBOARD_FIRST = 100,      /* simulations before the input is checked for the first time */
    NBOARD_SLICE_MS = 50,    /* between two checks of the input */
    NBOARD_REPORT_MS = 1000, /* between two reports of a search */
    NBOARD_DEPTH = 12,
    NBOARD_DEPTH_MAX = 40,
    NBOARD_SOLVER_BYTES = 16 << 20,
    NBOARD_DISCS = 64 /* value of a certain win that is not solved to the last disc */
};

struct nboard {
    const char *evaluator_text, *option_text;
    int64_t empties; /* positions with at most this many empty squares are solved */
    double time_ms;  /* of a search; 0: no limit */
    int64_t seed;

    struct nboard_lines lines;
    struct nboard_game game;
    struct banyan_evaluator evaluator;
    struct banyan_search *search;
    struct endgame_solver *solver; /* NULL: no position was solved yet */
    int depth;
    bool quit;
};

/* A move with its value for the side that makes it. */
struct nboard_value {
    banyan_action action;
    double value; /* in discs where exact, else NBOARD_DISCS times the expected return */
    bool exact;
};

static const struct argp_option nboard_options[] = {
    {"evaluator", 'e', "EVALUATOR", 0, "How a leaf of the search gets its value; default heuristic",
     0},
    {"option", 'o', "NAME=VALUE,...", 0, "Options of the search (`banyan search --help`)", 0},
    {"empties", 'n', "N", 0,
     "Positions with at most N empty squares are solved exactly; default 16", 0},
    {"time", 't', "TIME", 0,
     "Search no position for longer than this, such as 2s; default no limit", 0},
    {"seed", 's', "S", 0, "Seed of the search; default 1", 0},
    {0}};

static error_t nboard_option(int key, char *arg, struct argp_state *state)
{
    struct nboard *nboard = state->input;
    switch (key) {
    case 'e':
        nboard->evaluator_text = cli_text(state, arg);
        return 0;
    case 'o':
        nboard->option_text = cli_text(state, arg);
        return 0;
    case 'n':
        nboard->empties = cli_integer(state, "--empties", arg, 0, 30);
        return 0;
    case 't':
        nboard->time_ms = cli_time(state, "--time", arg, 0.1, 1e9);
        return 0;
    case 's':
        nboard->seed = cli_integer(state, "--seed", arg, 0, INT64_C(1) << 53);
        return 0;
    case ARGP_KEY_ARG:
        cli_usage(state, "'%s' is one word too many: the game is always othello", arg);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- thinking --- */

/* Simulations for `set depth`: 100, doubled for every two plies of depth. */
static int64_t nboard_simulations(const struct nboard *nboard)
{
    return INT64_C(100) << nboard->depth / 2;
}

static bool nboard_must_stop(struct nboard *nboard)
{
    return nboard_lines_waiting(&nboard->lines, "ping") ||
           nboard_lines_waiting(&nboard->lines, "quit");
}

/* The principal variation as "F5-D6-C3". */
static void nboard_print_variation(const struct nboard *nboard)
{
    banyan_action actions[NBOARD_MAX_PLIES];
    int movers[NBOARD_MAX_PLIES];
    int count = banyan_search_pv(nboard->search, actions, movers, NBOARD_MAX_PLIES);
    for (int i = 0; i < count; ++i) {
        char square[3];
        nboard_game_square(actions[i], square);
        printf("%s%s", i ? "-" : "", square);
    }
}

/* Reports the `count` most visited moves of the search. */
static void nboard_report(const struct nboard *nboard, int player, int count)
{
    struct banyan_search_stats stats;
    struct banyan_search_move rows[64];
    banyan_search_stats(nboard->search, &stats, sizeof stats);
    int found = banyan_search_root_moves(nboard->search, player, rows, count < 64 ? count : 64);
    for (int i = 0; i < found && rows[i].visits; ++i) {
        char square[3];
        nboard_game_square(rows[i].action, square);
        printf("search ");
        if (i == 0)
            nboard_print_variation(nboard);
        else
            printf("%s", square);
        printf(" %.2f 0 %.0f\n", NBOARD_DISCS * rows[i].mean, stats.mean_depth);
    }
    fflush(stdout);
}

/* How long the next slice of a search may take, in milliseconds; 0: the search must end. */
static double nboard_slice_ms(struct nboard *nboard, double elapsed_ms)
{
    double left_ms = nboard->time_ms > 0 ? nboard->time_ms - elapsed_ms : NBOARD_SLICE_MS;
    if (left_ms <= 0 || nboard_must_stop(nboard))
        return 0;
    return left_ms < NBOARD_SLICE_MS ? left_ms : NBOARD_SLICE_MS;
}

/* Runs the search in slices until its simulations are done, its time is over, or a ping or quit waits; reports
 * `count` moves every second.  The first simulations are always made, so that there is a choice. */
static enum banyan_status nboard_run(struct nboard *nboard, int player, int count,
                                     struct banyan_error *err)
{
    double start_ms = clock_now_ms(), report_ms = start_ms;
    int64_t wanted = nboard_simulations(nboard), done = 0, before = -1;
    struct banyan_search_limits limits = {.struct_size = sizeof limits,
                                          .simulations = NBOARD_FIRST};
    struct banyan_search_stats stats;
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK && done > before && (!done || limits.time_ms > 0)) {
        before = done;
        status = banyan_search_run(nboard->search, &limits, err);
        banyan_search_stats(nboard->search, &stats, sizeof stats);
        done = (int64_t)stats.simulations;
        limits.simulations = wanted - done;
        limits.time_ms = done < wanted ? nboard_slice_ms(nboard, clock_now_ms() - start_ms) : 0;
        if (count && clock_now_ms() - report_ms >= NBOARD_REPORT_MS) {
            nboard_report(nboard, player, count);
            report_ms = clock_now_ms();
        }
    }
    return status;
}

/* Searches state and reports `count` moves at the end. */
static enum banyan_status nboard_search(struct nboard *nboard, const struct othello_state *state,
                                        int count, struct nboard_value *out,
                                        struct banyan_error *err)
{
    int player = othello_mover(state);
    double start_ms = clock_now_ms();
    struct banyan_search_stats stats;
    struct banyan_search_move move;
    enum banyan_status status = banyan_search_set_root(nboard->search, state, -1, err);
    if (status == BANYAN_OK)
        status = nboard_run(nboard, player, count, err);
    if (status == BANYAN_OK)
        status = banyan_search_choose(nboard->search, player, &move, err);
    if (status != BANYAN_OK)
        return status;
    *out = (struct nboard_value){.action = move.action,
                                 .value = move.visits ? NBOARD_DISCS * move.mean : 0};
    nboard_report(nboard, player, count);
    banyan_search_stats(nboard->search, &stats, sizeof stats);
    if (count)
        printf("nodestats %" PRIu64 " %.2f\n", stats.simulations,
               (clock_now_ms() - start_ms) / 1000);
    return BANYAN_OK;
}

/* The exact score of a position that may be over, seen by its side to move. */
static double nboard_exact(struct nboard *nboard, const struct othello_state *state)
{
    struct endgame_result result;
    if (state->moves & OTHELLO_OVER)
        return nboard_game_score(state);
    endgame_score(nboard->solver, othello_board(state), NULL, &result);
    return result.score;
}

static int nboard_compare(const void *a, const void *b)
{
    const struct nboard_value *left = a, *right = b;
    return (left->value < right->value) - (left->value > right->value);
}

/* Solves the position after every move, and reports the `count` best moves. */
static void nboard_solve(struct nboard *nboard, const struct othello_state *state, int count,
                         struct nboard_value *out)
{
    banyan_action actions[64];
    struct nboard_value values[64];
    double start_ms = clock_now_ms();
    const struct banyan_game *rules = nboard->game.rules;
    int moves = rules->legal(rules, state, othello_mover(state), actions);
    for (int i = 0; i < moves; ++i) {
        struct othello_state after = nboard_game_after(&nboard->game, state, actions[i]);
        bool same = othello_mover(&after) == othello_mover(state);
        double score = nboard_exact(nboard, &after);
        values[i] = (struct nboard_value){actions[i], same ? score : -score, true};
    }
    qsort(values, (size_t)moves, sizeof *values, nboard_compare);
    for (int i = 0; i < moves && i < count; ++i) {
        char square[3];
        nboard_game_square(values[i].action, square);
        printf("search %s %.2f 0 100%%\n", square, values[i].value);
    }
    *out = values[0];
    if (count)
        printf("nodestats %d %.2f\n", moves, (clock_now_ms() - start_ms) / 1000);
}

/* The best move of a position that is not over; reports the `count` best. */
static enum banyan_status nboard_think(struct nboard *nboard, const struct othello_state *state,
                                       int count, struct nboard_value *out,
                                       struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    if (nboard_game_empties(state) > nboard->empties)
        return nboard_search(nboard, state, count, out, err);
    if (!nboard->solver)
        status = endgame_create(NBOARD_SOLVER_BYTES, BOARD_AREA_8, &nboard->solver, err);
    if (status != BANYAN_OK)
        return status;
    nboard_solve(nboard, state, count, out);
    return BANYAN_OK;
}

/* --- commands: rest is the line after the command's name --- */

static enum banyan_status nboard_hint(struct nboard *nboard, const char *rest,
                                      struct banyan_error *err)
{
    struct nboard_value best;
    int count = atoi(rest);
    const struct othello_state *state = nboard_game_state(&nboard->game);
    if (state->moves & OTHELLO_OVER)
        return banyan_fail(err, BANYAN_ILLEGAL, "hint: the game is over");
    printf("status Banyan is thinking\n");
    enum banyan_status status = nboard_think(nboard, state, count > 1 ? count : 1, &best, err);
    if (status == BANYAN_OK)
        printf("status\n");
    return status;
}

static enum banyan_status nboard_go(struct nboard *nboard, const char *rest,
                                    struct banyan_error *err)
{
    struct nboard_value best;
    char square[3];
    const struct othello_state *state = nboard_game_state(&nboard->game);
    double start_ms = clock_now_ms();
    (void)rest;
    if (state->moves & OTHELLO_OVER)
        return banyan_fail(err, BANYAN_ILLEGAL, "go: the game is over");
    printf("status Banyan is thinking\n");
    enum banyan_status status = nboard_think(nboard, state, 1, &best, err);
    if (status != BANYAN_OK)
        return status;
    nboard_game_square(best.action, square);
    printf("=== %s/%.2f/%.2f\n", square, best.value, (clock_now_ms() - start_ms) / 1000);
    return BANYAN_OK;
}

/* Values every position of the game, the last one first; a ping or quit ends it. */
static enum banyan_status nboard_analyze(struct nboard *nboard, const char *rest,
                                         struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    (void)rest;
    for (int ply = nboard->game.plies; ply >= 0 && status == BANYAN_OK; --ply) {
        const struct othello_state *state = &nboard->game.states[ply];
        struct nboard_value best = {.value = nboard_game_score(state)};
        if (nboard_must_stop(nboard))
            return BANYAN_OK;
        if (!(state->moves & OTHELLO_OVER))
            status = nboard_think(nboard, state, 0, &best, err);
        if (status == BANYAN_OK)
            printf("analysis %d %.2f\n", ply, best.value);
        fflush(stdout);
    }
    return status;
}

static enum banyan_status nboard_depth(struct nboard *nboard, const char *rest,
                                       struct banyan_error *err)
{
    char *end;
    long depth = strtol(rest, &end, 10);
    if (end == rest || *end || depth < 0)
        return banyan_fail(err, BANYAN_INVALID, "set depth: '%.20s' is not a number of plies",
                           rest);
    nboard->depth = depth < NBOARD_DEPTH_MAX ? (int)depth : NBOARD_DEPTH_MAX;
    printf("set myname Banyan%d\n", nboard->depth);
    return BANYAN_OK;
}

static enum banyan_status nboard_set(struct nboard *nboard, const char *rest,
                                     struct banyan_error *err)
{
    if (strncmp(rest, "game ", 5) == 0)
        return nboard_game_read(&nboard->game, rest + 5, err);
    if (strncmp(rest, "depth ", 6) == 0)
        return nboard_depth(nboard, rest + 6, err);
    return BANYAN_OK; /* `set contempt`, which Banyan does not have, and variables of later versions */
}

static enum banyan_status nboard_move(struct nboard *nboard, const char *rest,
                                      struct banyan_error *err)
{
    return nboard_game_move(&nboard->game, rest, err);
}

static enum banyan_status nboard_ping(struct nboard *nboard, const char *rest,
                                      struct banyan_error *err)
{
    (void)nboard, (void)err;
    printf("pong %.20s\n", rest);
    return BANYAN_OK;
}

static enum banyan_status nboard_learn(struct nboard *nboard, const char *rest,
                                       struct banyan_error *err)
{
    (void)nboard, (void)rest, (void)err;
    printf("learned\n"); /* the protocol wants the answer; Banyan has no book that grows by games */
    return BANYAN_OK;
}

static enum banyan_status nboard_version(struct nboard *nboard, const char *rest,
                                         struct banyan_error *err)
{
    (void)nboard, (void)rest, (void)err;
    printf("set myname Banyan\n");
    return BANYAN_OK;
}

static enum banyan_status nboard_quit(struct nboard *nboard, const char *rest,
                                      struct banyan_error *err)
{
    (void)rest, (void)err;
    nboard->quit = true;
    return BANYAN_OK;
}

static const struct nboard_command {
    const char *name;
    enum banyan_status (*run)(struct nboard *nboard, const char *rest, struct banyan_error *err);
} nboard_commands[] = {{"nboard", nboard_version}, {"set", nboard_set},
                       {"move", nboard_move},      {"hint", nboard_hint},
                       {"go", nboard_go},          {"ping", nboard_ping},
                       {"learn", nboard_learn},    {"analyze", nboard_analyze},
                       {"quit", nboard_quit},      {NULL, NULL}};

/* --- lines --- */

/* Carries out a line.  An unknown command is ignored, as the protocol wants it. */
static void nboard_line(struct nboard *nboard, char *line)
{
    struct banyan_error err = {.message = ""};
    size_t end = strlen(line);
    while (end && isspace((unsigned char)line[end - 1]))
        line[--end] = 0;
    size_t length = strcspn(line, " ");
    const char *rest = line + length + strspn(line + length, " ");
    for (const struct nboard_command *command = nboard_commands; command->name; ++command)
        if (strlen(command->name) == length && strncmp(command->name, line, length) == 0 &&
            command->run(nboard, rest, &err) != BANYAN_OK)
            printf("status error: %s\n", err.message);
    fflush(stdout);
}

static enum banyan_status nboard_begin(struct nboard *nboard, struct banyan_error *err)
{
    struct banyan_search_options options;
    enum banyan_status status = banyan_game_find("othello", &nboard->game.rules, err);
    if (status == BANYAN_OK)
        status = nboard_game_start(&nboard->game, err);
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(nboard->game.rules, nboard->evaluator_text, program_offers,
                                         &nboard->evaluator, err);
    if (status != BANYAN_OK)
        return status;
    banyan_search_options_default(&options);
    options.seed = (uint64_t)nboard->seed;
    if (nboard->evaluator.wants_actions || nboard->evaluator.game_priors)
        options.rule = BANYAN_RULE_PUCT;
    status = banyan_options_parse(banyan_search_option_table(), &options, nboard->option_text, err);
    return status == BANYAN_OK ? banyan_search_create(&nboard->search, nboard->game.rules, &options,
                                                      &nboard->evaluator, err)
                               : status;
}

static void nboard_end(struct nboard *nboard)
{
    if (nboard->search)
        banyan_search_destroy(nboard->search);
    if (nboard->evaluator.evaluate)
        banyan_evaluator_close(&nboard->evaluator);
    if (nboard->solver)
        endgame_destroy(nboard->solver);
}

int cli_nboard(int argc, char **argv)
{
    static struct nboard nboard;
    struct banyan_error err;
    char *line;
    const struct argp argp = {nboard_options,
                              nboard_option,
                              NULL,
                              "Plays and analyses Othello for NBoard and other programs that speak "
                              "the NBoard protocol, version 2, on standard input and output.",
                              NULL,
                              NULL,
                              NULL};
    memset(&nboard, 0, sizeof nboard);
    nboard.evaluator_text = "heuristic";
    nboard.option_text = "";
    nboard.empties = 16;
    nboard.seed = 1;
    nboard.depth = NBOARD_DEPTH;
    nboard.lines.descriptor = fileno(stdin);
    cli_parse(&argp, argc, argv, &nboard);
    enum banyan_status status = nboard_begin(&nboard, &err);
    while (status == BANYAN_OK && !nboard.quit && (line = nboard_lines_next(&nboard.lines)))
        nboard_line(&nboard, line);
    nboard_end(&nboard);
    return cli_end(argv[0], status, &err);
}
