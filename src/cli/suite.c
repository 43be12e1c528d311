/* banyan suite: tests a player on positions with known answers. */
#include "records/suite.h"
#include "base/movers.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/show.h"
#include "cli/timing.h"
#include "players/program/offers.h"

#include <banyan/player.h>

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUITE_ACTION = 128, SUITE_SIMULATIONS = 10000 /* default of --simulations */ };

struct suite_run {
    const char *file;
    const char *player;  /* the player's text; NULL: the default player */
    char *made;          /* the text of the default player, owned; NULL: there is --player */
    const char *options; /* of the default player, as simulations and time_ms; NULL, 0: not given */
    int64_t simulations;
    double time_ms;
    double max_level;
    int64_t need; /* number of right answers for exit code 0; -1: all */
    uint64_t seed;
    int seeds, enough; /* number of answers to a position; how many must be right, 0: all */
    bool scores, json, quiet;
    json_t *rows;
    int wanted, asked, right; /* number of positions: not skipped, asked, answered correctly */
    const banyan_flag *stop;
};

/* The answer of a player to one position, and its errors; of several seeds, one of the answers. */
struct suite_verdict {
    struct banyan_player_move move;
    int player;
    bool answered; /* the player has chosen a move */
    bool ok;
    int asked, right; /* answers, and how many of them were right */
    char why[256];
};

/* --- words --- */

enum {
    SUITE_RUN_PLAYER = 'p',
    SUITE_RUN_SIMULATIONS = 'n',
    SUITE_RUN_TIME = 't',
    SUITE_RUN_OPTIONS = 'o',
    SUITE_RUN_JSON = 'j',
    SUITE_RUN_QUIET = 'q',
    SUITE_RUN_LEVEL = 0x1000,
    SUITE_RUN_SCORES,
    SUITE_RUN_NEED,
    SUITE_RUN_SEED,
    SUITE_RUN_SEEDS,
    SUITE_RUN_ENOUGH
};

static const struct argp_option suite_options[] = {
    {"player", SUITE_RUN_PLAYER, "PLAYER", 0, "Player to test (`banyan list`); default mcts", 0},
    {"simulations", SUITE_RUN_SIMULATIONS, "N", 0,
     "Simulations per position of the default player; default 10k", 0},
    {"time", SUITE_RUN_TIME, "TIME", 0,
     "Time per position of the default player, such as 50ms or 2s", 0},
    {"option", SUITE_RUN_OPTIONS, "NAME=VALUE,...", 0, "Search options of the default player", 0},
    {"max-level", SUITE_RUN_LEVEL, "L", 0, "Skip positions of a higher level", 0},
    {"scores", SUITE_RUN_SCORES, NULL, 0, "Check exact scores too, which the player must give", 0},
    {"need", SUITE_RUN_NEED, "N", 0,
     "Exit with code 0 if at least N answers are right; default: all", 0},
    {"seed", SUITE_RUN_SEED, "N", 0, "Seed of the player; default 1", 0},
    {"seeds", SUITE_RUN_SEEDS, "N", 0, "Ask N times, with this seed and the next ones; default 1",
     0},
    {"enough", SUITE_RUN_ENOUGH, "N", 0,
     "A position is right if N of the answers of --seeds are; default: all", 0},
    {"quiet", SUITE_RUN_QUIET, NULL, 0, "Print failures and the summary only", 0},
    {"json", SUITE_RUN_JSON, NULL, 0, "Print JSON (docs/json.md)", 0},
    {0}};

/* Refuses options that do not fit together. */
static void suite_check(const struct suite_run *run, const struct argp_state *state)
{
    if (!run->file)
        cli_usage(state, "needs a FILE (docs/suite.md)");
    if (run->json)
        cli_utf8(state, run->file);
    if (run->enough > run->seeds)
        cli_usage(state, "--enough %d: there are only %d answers, by --seeds", run->enough,
                  run->seeds);
    if (run->player && (run->simulations || run->time_ms > 0 || run->options))
        cli_usage(state,
                  "--simulations, --time and --option are for the default player: with --player "
                  "write them in its text, such as mcts:simulations=100");
    if (run->simulations && run->time_ms > 0)
        cli_usage(state, "--simulations or --time, not both");
}

static error_t suite_option(int key, char *arg, struct argp_state *state)
{
    struct suite_run *run = state->input;
    switch (key) {
    case SUITE_RUN_PLAYER:
        run->player = cli_text(state, arg);
        return 0;
    case SUITE_RUN_SIMULATIONS:
        run->simulations = cli_integer(state, "--simulations", arg, 1, (int64_t)1e15);
        return 0;
    case SUITE_RUN_TIME:
        run->time_ms = cli_time(state, "--time", arg, 0.001, 1e12);
        return 0;
    case SUITE_RUN_OPTIONS:
        run->options = cli_text(state, arg);
        return 0;
    case SUITE_RUN_LEVEL:
        run->max_level = cli_number(state, "--max-level", arg, -1e9, 1e9);
        return 0;
    case SUITE_RUN_SCORES:
        run->scores = true;
        return 0;
    case SUITE_RUN_NEED:
        run->need = cli_integer(state, "--need", arg, 0, INT32_MAX);
        return 0;
    case SUITE_RUN_SEED:
        run->seed = (uint64_t)cli_integer(state, "--seed", arg, 0, INT64_MAX);
        return 0;
    case SUITE_RUN_SEEDS:
        run->seeds = (int)cli_integer(state, "--seeds", arg, 1, 1000000);
        return 0;
    case SUITE_RUN_ENOUGH:
        run->enough = (int)cli_integer(state, "--enough", arg, 1, 1000000);
        return 0;
    case SUITE_RUN_QUIET:
        run->quiet = true;
        return 0;
    case SUITE_RUN_JSON:
        run->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (run->file)
            cli_too_many(state, arg);
        run->file = arg;
        return 0;
    case ARGP_KEY_END:
        suite_check(run, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Writes the text of the default player, with its options. */
static enum banyan_status suite_player_text(struct suite_run *run, struct banyan_error *err)
{
    if (run->player)
        return BANYAN_OK;
    size_t size = 64 + (run->options ? strlen(run->options) : 0);
    run->player = run->made = malloc(size);
    if (!run->made)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the player's text");
    struct text text = text_start(run->made, size);
    if (run->time_ms > 0)
        text_add(&text, "mcts:time=%.17gms", run->time_ms);
    else
        text_add(&text, "mcts:simulations=%" PRId64,
                 run->simulations ? run->simulations : SUITE_SIMULATIONS);
    if (run->options)
        text_add(&text, ",%s", run->options);
    return BANYAN_OK;
}

/* --- one position --- */

static bool suite_has_score(const struct banyan_player_move *move)
{
    return move->exact && !isnan(move->score);
}

static void suite_fail(struct suite_verdict *verdict, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

static void suite_fail(struct suite_verdict *verdict, const char *format, ...)
{
    size_t length = strlen(verdict->why);
    va_list args;
    va_start(args, format);
    if (length)
        length += (size_t)snprintf(verdict->why + length, sizeof verdict->why - length, "; ");
    if (length < sizeof verdict->why)
        vsnprintf(verdict->why + length, sizeof verdict->why - length, format, args);
    va_end(args);
    verdict->ok = false;
}

static enum banyan_status suite_ask(const struct suite_run *run,
                                    const struct suite_position *position, const void *state,
                                    struct suite_verdict *verdict, struct banyan_error *err)
{
    uint64_t seed = run->seed + (uint64_t)verdict->asked;
    struct banyan_player player;
    struct banyan_player_clock clock = {.stop = run->stop};
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        clock.left_ms[p] = -1;
    enum banyan_status status =
        banyan_player_create(position->game, run->player, program_offers, seed, &player, err);
    if (status != BANYAN_OK)
        return status;
    if (player.open)
        status = player.open(player.ctx, state, verdict->player, seed, err);
    double start = timing_wall_s();
    if (status == BANYAN_OK)
        status = player.choose(player.ctx, state, &clock, &verdict->move, err);
    if (status == BANYAN_OK && banyan_flag_is_set(run->stop)) /* the search may have been stopped */
        status = banyan_fail(err, BANYAN_INTERRUPTED, "stopped");
    verdict->move.elapsed_ms = 1000 * (timing_wall_s() - start); /* not every player sets it */
    banyan_player_close(&player);
    verdict->answered = status == BANYAN_OK;
    return status;
}

/* Judges the move and its value. */
static enum banyan_status suite_judge(const struct suite_run *run,
                                      const struct suite_position *position, const void *state,
                                      struct suite_verdict *verdict, struct banyan_error *err)
{
    char action[SUITE_ACTION];
    bool named;
    double value = verdict->move.value;
    const struct suite_answer answer = {state, verdict->player, verdict->move.action};
    enum banyan_status status = BANYAN_OK;
    show_action(position->game, state, verdict->player, verdict->move.action, action,
                sizeof action);
    if (position->best) {
        status = suite_names(position, &answer, position->best, &named, err);
        if (status == BANYAN_OK && !named)
            suite_fail(verdict, "plays %s, best is %s", action, position->best);
    }
    if (status == BANYAN_OK && position->avoid) {
        status = suite_names(position, &answer, position->avoid, &named, err);
        if (status == BANYAN_OK && named)
            suite_fail(verdict, "plays %s, to be avoided", action);
    }
    if (run->scores && !isnan(position->score) && !suite_has_score(&verdict->move))
        suite_fail(verdict, "has no exact score");
    else if (run->scores && !isnan(position->score) && verdict->move.score != position->score)
        suite_fail(verdict, "says %+g, the score is %+g", verdict->move.score, position->score);
    if (!isnan(position->value_lo) && !(value >= position->value_lo && value <= position->value_hi))
        suite_fail(verdict, "says %+g, the value is %+g to %+g", value, position->value_lo,
                   position->value_hi);
    return status;
}

static enum banyan_status suite_legal(const struct suite_position *position, const void *state,
                                      struct suite_verdict *verdict, struct banyan_error *err)
{
    const struct banyan_game *game = position->game;
    if (position->legal < 0)
        return BANYAN_OK;
    banyan_action *legal = malloc((size_t)game->max_legal * sizeof *legal);
    if (!legal)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the actions of %s", game->name);
    int count = game->legal(game, state, verdict->player, legal);
    free(legal);
    if (count != position->legal)
        suite_fail(verdict, "%d legal actions, not %" PRId64, count, position->legal);
    return BANYAN_OK;
}

/* Asks with every seed.  *verdict becomes the last right one if enough answers are right, else the last wrong
 * one. */
static enum banyan_status suite_ask_all(const struct suite_run *run,
                                        const struct suite_position *position, const void *state,
                                        struct suite_verdict *verdict, struct banyan_error *err)
{
    const struct suite_verdict before = *verdict;
    struct suite_verdict kept[2] = {before, before}; /* the last wrong one, the last right one */
    int enough = run->enough ? run->enough : run->seeds, right = 0;
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i < run->seeds && status == BANYAN_OK; ++i) {
        *verdict = before;
        verdict->asked = i;
        status = suite_ask(run, position, state, verdict, err);
        if (status == BANYAN_OK)
            status = suite_judge(run, position, state, verdict, err);
        right += verdict->ok;
        kept[verdict->ok] = *verdict;
    }
    *verdict = kept[right >= enough];
    verdict->right = right;
    verdict->asked = run->seeds;
    return status;
}

static enum banyan_status suite_position_run(const struct suite_run *run,
                                             const struct suite_position *position,
                                             const void *state, struct suite_verdict *verdict,
                                             struct banyan_error *err)
{
    unsigned movers = position->game->movers(position->game, state);
    verdict->player = position->player >= 0 ? position->player : movers_first(movers);
    verdict->ok = true;
    if (verdict->player < 0 || !(movers >> verdict->player & 1))
        return banyan_fail(err, BANYAN_CORRUPT,
                           "nobody is asked: the game is over or another player moves");
    enum banyan_status status = suite_legal(position, state, verdict, err);
    bool ask = position->best || position->avoid || !isnan(position->value_lo) ||
               (run->scores && !isnan(position->score));
    return status == BANYAN_OK && ask ? suite_ask_all(run, position, state, verdict, err) : status;
}

/* --- output --- */

/* Adds the verdict to the rows of the JSON output. */
static enum banyan_status suite_add_row(struct suite_run *run,
                                        const struct suite_position *position,
                                        const struct suite_verdict *verdict, const char *action,
                                        struct banyan_error *err)
{
    const struct banyan_player_move *move = &verdict->move;
    json_t *value = verdict->answered ? show_number(move->value) : json_null();
    json_t *score = suite_has_score(move) ? show_number(move->score) : json_null();
    json_t *row = json_pack("{s:s, s:b, s:s, s:s?, s:o, s:o, s:o, s:I, s:f, s:i, s:i}", "id",
                            position->id, "ok", verdict->ok, "why", verdict->why, "action",
                            verdict->answered ? action : NULL, "value", value, "score", score,
                            "level", show_number(position->level), "simulations",
                            (json_int_t)move->simulations, "elapsed_ms", move->elapsed_ms,
                            "answers", verdict->asked, "right", verdict->right);
    return json_array_append_new(run->rows, row) == 0
               ? BANYAN_OK
               : banyan_fail(err, BANYAN_CORRUPT, "its texts are not UTF-8, which JSON needs");
}

static enum banyan_status suite_print(struct suite_run *run, const struct suite_position *position,
                                      const void *state, const struct suite_verdict *verdict,
                                      struct banyan_error *err)
{
    char action[SUITE_ACTION] = "";
    if (verdict->answered)
        show_action(position->game, state, verdict->player, verdict->move.action, action,
                    sizeof action);
    if (run->json)
        return suite_add_row(run, position, verdict, action, err);
    if (verdict->ok && run->quiet)
        return BANYAN_OK;
    printf("%-4s %-12s %-8s", verdict->ok ? "ok" : "FAIL", position->id, action);
    if (verdict->answered && suite_has_score(&verdict->move))
        printf(" %+9g", verdict->move.score);
    else if (verdict->answered && !isnan(verdict->move.value))
        printf(" %+9.4f", verdict->move.value);
    if (verdict->answered)
        printf(" %9.1f ms", verdict->move.elapsed_ms);
    if (verdict->asked > 1)
        printf("  %d of %d", verdict->right, verdict->asked);
    printf("%s%s\n", verdict->ok ? "" : "  ", verdict->why);
    fflush(stdout);
    return BANYAN_OK;
}

static bool suite_skips(const struct suite_run *run, const struct suite_position *position)
{
    return !isnan(run->max_level) && !isnan(position->level) && position->level > run->max_level;
}

/* Asks for one position and prints the verdict. */
static enum banyan_status suite_run_one(struct suite_run *run,
                                        const struct suite_position *position,
                                        struct banyan_error *err)
{
    struct suite_verdict verdict = {.move = {.value = NAN}};
    struct banyan_error problem = {.message = ""};
    void *state;
    enum banyan_status status = suite_state(position, &state, &problem);
    if (status == BANYAN_OK)
        status = suite_position_run(run, position, state, &verdict, &problem);
    if (status == BANYAN_OK) {
        ++run->asked;
        run->right += verdict.ok;
        status = suite_print(run, position, state, &verdict, &problem);
    }
    if (status != BANYAN_OK)
        banyan_fail(err, status, "%s:%" PRIu64 ": position %s: %.300s", run->file, position->line,
                    position->id, problem.message);
    free(state);
    return status;
}

/* Checks that the player can play, before the first position. */
static enum banyan_status suite_try_player(const struct suite_run *run, const struct suite *suite,
                                           struct banyan_error *err)
{
    struct banyan_player player;
    if (!suite->count)
        return BANYAN_OK;
    enum banyan_status status = banyan_player_create(suite->positions[0].game, run->player,
                                                     program_offers, run->seed, &player, err);
    if (status == BANYAN_OK)
        banyan_player_close(&player);
    return status;
}

static enum banyan_status suite_run_all(struct suite_run *run, const struct suite *suite,
                                        struct banyan_error *err)
{
    struct progress progress;
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i < suite->count; ++i)
        run->wanted += !suite_skips(run, &suite->positions[i]);
    progress_start(&progress, "positions", (uint64_t)run->wanted);
    for (int i = 0; i < suite->count && status == BANYAN_OK; ++i) {
        const struct suite_position *position = &suite->positions[i];
        if (suite_skips(run, position))
            continue;
        if (run->json || run->quiet)
            progress_step(&progress, (uint64_t)run->asked, position->id);
        status = suite_run_one(run, position, err);
    }
    progress_end(&progress);
    if (status == BANYAN_INTERRUPTED)
        banyan_fail(err, status, "stopped after %d of %d positions", run->asked, run->wanted);
    return status;
}

static void suite_summary(struct suite_run *run)
{
    bool interrupted = run->asked < run->wanted;
    if (run->json)
        show_json(json_pack("{s:s, s:s, s:i, s:i, s:b, s:O}", "file", run->file, "player",
                            run->player, "asked", run->asked, "right", run->right, "interrupted",
                            interrupted, "positions", run->rows));
    else if (interrupted)
        printf("%d of %d right, %d not asked, %s\n", run->right, run->asked,
               run->wanted - run->asked, run->player);
    else
        printf("%d of %d right, %s\n", run->right, run->asked, run->player);
}

int cli_suite(int argc, char **argv)
{
    struct suite_run run = {.max_level = NAN, .need = -1, .seed = 1, .seeds = 1};
    const struct argp argp = {
        suite_options,
        suite_option,
        "FILE",
        "Asks a player about the positions of a suite and checks the answers: best moves, moves to "
        "avoid, exact scores, values, numbers of legal actions.\v"
        "The format is described in docs/suite.md. Example: banyan suite "
        "tests/data/othello/fforum.suite --player=endgame --scores --max-level=16",
        NULL,
        NULL,
        NULL};
    struct suite suite = {.count = 0};
    struct records_source *source = NULL;
    struct banyan_error err;
    cli_parse(&argp, argc, argv, &run);
    run.stop = interrupt_watch();
    run.rows = json_array();
    enum banyan_status status = suite_player_text(&run, &err);
    if (status == BANYAN_OK)
        status = records_open(run.file, &source, &err);
    bool named = status == BANYAN_OK; /* whether an error from here on is an error in the file */
    if (status == BANYAN_OK)
        status = suite_read(source, &suite, &err);
    records_close(source);
    if (status == BANYAN_OK) {
        status = suite_try_player(&run, &suite, &err);
        named = status == BANYAN_OK;
    }
    if (status == BANYAN_OK)
        status = suite_run_all(&run, &suite, &err);
    if (status == BANYAN_OK || status == BANYAN_INTERRUPTED)
        suite_summary(&run);
    bool failed = named && status != BANYAN_OK && status != BANYAN_INTERRUPTED;
    int code = failed ? cli_fail(argv[0], CLI_FAILURE, &err) : cli_end(argv[0], status, &err);
    suite_free(&suite);
    json_decref(run.rows);
    free(run.made);
    int64_t need = run.need >= 0 ? run.need : run.asked;
    return status == BANYAN_OK && run.right < need ? CLI_FAILURE : code;
}
