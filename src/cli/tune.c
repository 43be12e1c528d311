/* banyan tune: finds good values of a player's parameters by playing games. */
#include "cli/cli.h"

#include "base/options.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/setup.h"
#include "cli/show.h"

#include "match/tune.h"
#include "players/player.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct tune_words {
    const struct banyan_game *game;
    const char *player;
    struct spsa spsa;
    struct tune_options options;
    int64_t games;
    bool json;
    struct progress progress;
};

enum {
    TUNE_GAMES = 'n',
    TUNE_SEED = 's',
    TUNE_JOBS = 'j',
    TUNE_PARAM = 0x100,
    TUNE_RUN,
    TUNE_QUEUE,
    TUNE_RATE,
    TUNE_AHEAD,
    TUNE_OPENINGS,
    TUNE_OPENING_PLIES,
    TUNE_SETUP,
    TUNE_TIME,
    TUNE_JSON,
    TUNE_PLAYER = 4096 /* bytes of the text of the player that was found */
};

static const struct argp_option tune_words_options[] = {
    {"param", TUNE_PARAM, "NAME=RANGE", 0,
     "Tune this option of the player within RANGE, LO..HI[:STEP|:log]; it starts from its value in "
     "PLAYER, else from the middle of the range; STEP: only LO, LO + STEP, ... are tried, 1 for "
     "whole numbers; log: 0.5 is as far from 1 as 2 is; with a unit, as in "
     "time=1ms..9ms, all values have it; may be given for 128 options",
     0},
    {"games", TUNE_GAMES, "N", 0,
     "Number of games, two in each iteration, so N is even; default 10k", 0},
    {"jobs", TUNE_JOBS, "N", 0, "Games at the same time; the results do not depend on it", 0},
    {"seed", TUNE_SEED, "S", 0, "Seed of all random numbers; default 1", 0},
    {"run", TUNE_RUN, "DIR", 0,
     "Keep the results in this folder; the same command goes on where it was stopped", 0},
    {"queue", TUNE_QUEUE, "URL", 0,
     "Let the workers of this queue play the games (docs/cluster.md); the values are the same", 0},
    {"rate", TUNE_RATE, "R", 0,
     "How far a result moves the values at the end of the run; default 100 / iterations", 0},
    {"ahead", TUNE_AHEAD, "N", 0,
     "Iterations that begin before the results of earlier ones are known; default 15", 0},
    {"openings", TUNE_OPENINGS, "FILE", 0, "Start from the lines of FILE, as in `banyan match`", 0},
    {"opening-plies", TUNE_OPENING_PLIES, "N", 0, "Start with N random plies", 0},
    {"setup", TUNE_SETUP, "TEXT", 0, "Start from this position", 0},
    {"time", TUNE_TIME, "TIME", 0, "Time per decision: 50ms, 2s", 0},
    {"json", TUNE_JSON, NULL, 0, "Print the result as JSON (docs/json.md)", 0},
    {0}};

static const char tune_words_doc[] =
    "Finds good values for a player's options: every iteration plays two games from one opening, "
    "between two players with values on either side of the present ones, and moves the present "
    "values towards those of the winner (SPSA).\v"
    "Example: banyan tune mushroom tournament:nodes=2000,tempo=2 --param tempo=0..16:1 --param "
    "tilt=0..16:1 --games 20k --run tempo -j 2\n\nThe games of the run cannot show whether the "
    "values are better: play a new match, `banyan match --sprt`.  Ctrl-C stops; exit code 130.  "
    "docs/tune.md tells more.";

/* --- parameters --- */

/* Reads a number and its unit: "16", "0.5ms", "64M". */
static bool tune_words_number(const char *text, double *number, char unit[SPSA_UNIT])
{
    static const char *const units[] = {"", "ms", "s", "m", "h", "k", "K", "M", "G", NULL};
    char *end;
    *number = strtod(text, &end);
    if (end == text || !isfinite(*number))
        return false;
    for (int i = 0; units[i]; ++i)
        if (strcmp(end, units[i]) == 0) {
            snprintf(unit, SPSA_UNIT, "%s", units[i]);
            return true;
        }
    return false;
}

/* Converts *number from one unit of time to another; false: they are not. */
static bool tune_words_convert(double *number, const char *from, const char *to)
{
    char text[64];
    double ms, one_ms;
    snprintf(text, sizeof text, "1%s", from);
    if (!options_time(text, &ms))
        return false;
    snprintf(text, sizeof text, "1%s", to);
    if (!options_time(text, &one_ms))
        return false;
    *number *= ms / one_ms;
    return true;
}

/* Reads word, "name=value" or "value", in the unit of param. */
static bool tune_words_in_unit(const struct spsa_param *param, const char *word, double *out)
{
    char unit[SPSA_UNIT];
    const char *equals = strchr(word, '=');
    return tune_words_number(equals ? equals + 1 : word, out, unit) &&
           (strcmp(unit, param->unit) == 0 || tune_words_convert(out, unit, param->unit));
}

/* Copies the last "name=value" of the player's text whose value is a number; false: there is none. */
static bool tune_words_find(const char *player, const char *name, char word[2 * SPSA_NAME])
{
    size_t length = strlen(name);
    bool found = false;
    for (const char *at = player; (at = strstr(at, name)) != NULL; at += length) {
        char *end;
        if (at == player || !strchr(":,", at[-1]) || at[length] != '=')
            continue;
        const char *value = at + length + 1;
        (void)strtod(value, &end);
        if (end == value)
            continue;
        snprintf(word, 2 * SPSA_NAME, "%.*s", (int)(length + 1 + strcspn(value, ", )")), at);
        found = true;
    }
    return found;
}

/* Tuning starts from the value of the player, else from the middle of the range. */
static void tune_words_start(const struct tune_words *words, const struct argp_state *state,
                             struct spsa_param *param)
{
    char word[2 * SPSA_NAME], plain[2 * SPSA_NAME];
    struct text text = text_start(plain, sizeof plain);
    param->start = param->by_ratio ? sqrt(param->lo * param->hi) : (param->lo + param->hi) / 2;
    if (!tune_words_find(words->player, param->name, word))
        return;
    /* 1k is written 1000 by the option's type: a number of simulations, but not of bytes */
    bool known = player_mcts_add_option(&text, word) >= 0 && text.length < sizeof plain;
    if (!tune_words_in_unit(param, word, &param->start) &&
        !(known && tune_words_in_unit(param, plain, &param->start)))
        cli_usage(
            state,
            "%s of the player has another unit than --param %s=%.9g%s..%.9g%s: write both in one "
            "unit, such as time=1ms and time=0.1ms..3ms",
            word, param->name, param->lo, param->unit, param->hi, param->unit);
    if (param->start < param->lo || param->start > param->hi)
        cli_usage(state, "%s of the player is not in %.9g%s..%.9g%s", word, param->lo, param->unit,
                  param->hi, param->unit);
}

/* Reads "LO..HI[:STEP|:log]", which it cuts into pieces. */
static bool tune_words_range(struct spsa_param *param, char *range)
{
    char *dots = strstr(range, ".."), unit[SPSA_UNIT];
    if (!dots)
        return false;
    *dots = 0;
    char *high = dots + 2, *step = strchr(high, ':');
    if (step)
        *step++ = 0;
    if (!tune_words_number(range, &param->lo, param->unit) ||
        !tune_words_number(high, &param->hi, unit) || strcmp(unit, param->unit) != 0)
        return false;
    param->by_ratio = step && strcmp(step, "log") == 0;
    if (param->by_ratio && param->lo <= 0)
        return false;
    if (step && !param->by_ratio &&
        !(tune_words_number(step, &param->step, unit) && param->step > 0 &&
          (!*unit || strcmp(unit, param->unit) == 0)))
        return false;
    return param->lo < param->hi && param->step <= param->hi - param->lo;
}

static void tune_words_param(struct tune_words *words, const struct argp_state *state,
                             const char *text)
{
    if (words->spsa.count == SPSA_PARAMS)
        cli_usage(state, "more than %d parameters", SPSA_PARAMS);
    struct spsa_param *param = &words->spsa.params[words->spsa.count];
    char range[3 * SPSA_NAME];
    const char *equals = strchr(text, '=');
    *param = (struct spsa_param){.name = ""};
    if (equals)
        snprintf(range, sizeof range, "%s", equals + 1);
    if (!equals || equals == text || equals - text >= SPSA_NAME ||
        strlen(equals + 1) >= sizeof range || !tune_words_range(param, range))
        cli_usage(state,
                  "--param is NAME=LO..HI[:STEP|:log], such as exploration=0.1..2:log, "
                  "tempo=0..16:1 or time=1ms..9ms, not '%s'",
                  text);
    snprintf(param->name, sizeof param->name, "%.*s", (int)(equals - text), text);
    for (int i = 0; i < words->spsa.count; ++i)
        if (strcmp(words->spsa.params[i].name, param->name) == 0)
            cli_usage(state, "--param %s has two ranges; give one", param->name);
    ++words->spsa.count;
}

static void tune_words_check(struct tune_words *words, const struct argp_state *state)
{
    const struct match_options *match = &words->options.match;
    if (!words->player)
        cli_usage(state, "needs GAME PLAYER; `banyan list` names the games");
    if (words->spsa.count == 0)
        cli_usage(state, "needs --param NAME=LO..HI[:STEP|:log]");
    if (match->queue_url && match->jobs > 1)
        cli_usage(state,
                  "--queue or --jobs, not both: --ahead says how many games are on their way");
    if (match->openings_path && match->opening_plies)
        cli_usage(state, "--openings or --opening-plies, not both");
    if (words->options.match.jobs > words->options.ahead + 1)
        cli_usage(state, "--jobs %d needs --ahead %d: only %d iterations begin at the same time",
                  match->jobs, match->jobs - 1, words->options.ahead + 1);
    if (words->games % 2)
        cli_usage(state, "--games %lld is odd: every iteration plays two games",
                  (long long)words->games);
    for (int i = 0; i < words->spsa.count; ++i)
        tune_words_start(words, state, &words->spsa.params[i]);
}

/* Options whose value is text, or that have no value. */
static bool tune_words_text(struct tune_words *words, const struct argp_state *state, int key,
                            const char *arg)
{
    switch (key) {
    case TUNE_RUN:
        words->options.run = cli_path(state, "--run", arg);
        return true;
    case TUNE_OPENINGS:
        words->options.match.openings_path = cli_path(state, "--openings", arg);
        return true;
    case TUNE_SETUP:
        words->options.match.setup = arg;
        return true;
    case TUNE_JSON:
        return words->json = true;
    default:
        return false;
    }
}

static error_t tune_words_option(int key, char *arg, struct argp_state *state)
{
    struct tune_words *words = state->input;
    struct match_options *match = &words->options.match;
    switch (key) {
    case TUNE_PARAM:
        tune_words_param(words, state, arg);
        return 0;
    case TUNE_GAMES:
        words->games = cli_integer(state, "--games", arg, 2, 1000000000);
        return 0;
    case TUNE_SEED:
        match->seed = (uint64_t)cli_integer(state, "--seed", arg, 0, INT64_C(1) << 53);
        return 0;
    case TUNE_JOBS:
        match->jobs = (int)cli_integer(state, "--jobs", arg, 1, 1024);
        return 0;
    case TUNE_QUEUE:
        match->queue_url = cli_queue_url(state, arg);
        return 0;
    case TUNE_RATE:
        words->spsa.rate = cli_number(state, "--rate", arg, 1e-9, 1e3);
        return 0;
    case TUNE_AHEAD:
        words->options.ahead = (int)cli_integer(state, "--ahead", arg, 0, 10000);
        return 0;
    case TUNE_OPENING_PLIES:
        match->opening_plies = (int)cli_integer(state, "--opening-plies", arg, 0, 100000);
        return 0;
    case TUNE_TIME:
        match->time.move_ms = cli_time(state, "--time", arg, 0.1, 1e9);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            cli_too_many(state, arg);
        if (state->arg_num == 0)
            words->game = cli_game(state, arg);
        else
            words->player = cli_text(state, arg);
        return 0;
    case ARGP_KEY_END:
        tune_words_check(words, state);
        return 0;
    default:
        return tune_words_text(words, state, key, arg) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

/* --- output --- */

static void tune_words_step(void *ctx, const struct tune_result *result)
{
    struct tune_words *words = ctx;
    char note[256];
    int length = 0;
    for (int i = 0; i < words->spsa.count && length < (int)sizeof note; ++i)
        length +=
            snprintf(note + length, sizeof note - (size_t)length, "%s%s %.4g%s", i ? ", " : "",
                     words->spsa.params[i].name, result->values[i], words->spsa.params[i].unit);
    progress_step(&words->progress, (uint64_t)(2 * result->iterations), note);
}

static void tune_words_lost(void *ctx, const char *why)
{
    struct tune_words *words = ctx;
    progress_end(&words->progress);
    fprintf(stderr, "banyan tune: %s\n", why ? why : "the queue's server is back");
}

/* Writes the values to play with, which are the means rounded to the parameters' steps, and the player's text. */
static void tune_words_found(const struct tune_words *words, const struct tune_result *result,
                             double values[], char text[TUNE_PLAYER])
{
    for (int i = 0; i < words->spsa.count; ++i)
        values[i] = spsa_nearest(&words->spsa.params[i], result->means[i]);
    tune_text(&words->spsa, words->player, values, text, TUNE_PLAYER);
}

static void tune_words_json(const struct tune_words *words, const struct tune_result *result)
{
    char text[TUNE_PLAYER];
    double values[SPSA_PARAMS];
    json_t *params = json_array();
    tune_words_found(words, result, values, text);
    for (int i = 0; i < words->spsa.count; ++i) {
        const struct spsa_param *param = &words->spsa.params[i];
        json_array_append_new(
            params, json_pack("{s:s, s:s, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o}", "name",
                              param->name, "unit", param->unit, "lo", show_number(param->lo), "hi",
                              show_number(param->hi), "step",
                              param->step > 0 ? show_number(param->step) : json_null(), "log",
                              (int)param->by_ratio, "start", show_number(param->start), "value",
                              show_number(values[i]), "mean", show_number(result->means[i]), "last",
                              show_number(result->values[i])));
    }
    show_json(json_pack("{s:s, s:s, s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:o}", "game",
                        words->game->name, "player", words->player, "found", text, "params", params,
                        "games", (json_int_t)(2 * result->iterations), "games_wanted",
                        (json_int_t)(2 * words->spsa.iterations), "wins", (json_int_t)result->wins,
                        "draws", (json_int_t)result->draws, "losses", (json_int_t)result->losses,
                        "seed", (json_int_t)words->options.match.seed, "interrupted",
                        (int)result->interrupted, "elapsed_s", show_number(result->elapsed_s)));
}

static void tune_words_print(const struct tune_words *words, const struct tune_result *result)
{
    char text[TUNE_PLAYER];
    double values[SPSA_PARAMS];
    tune_words_found(words, result, values, text);
    printf("%s: %lld of %lld games, %.1f s\n", words->game->name,
           (long long)(2 * result->iterations), (long long)(2 * words->spsa.iterations),
           result->elapsed_s);
    printf("%-24s %12s %12s %12s %12s\n", "", "start", "mean", "last", "found");
    for (int i = 0; i < words->spsa.count; ++i) {
        const struct spsa_param *param = &words->spsa.params[i];
        char name[SPSA_NAME + SPSA_UNIT + 4];
        snprintf(name, sizeof name, *param->unit ? "%s (%s)" : "%s", param->name, param->unit);
        printf("%-24s %12.5g %12.5g %12.5g %12.5g\n", name, param->start, result->means[i],
               result->values[i], values[i]);
    }
    printf("%s\n", text);
    fflush(stdout);
}

static enum banyan_status tune_words_run(struct tune_words *words, struct tune_result *result,
                                         struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX];
    struct match_options *match = &words->options.match;
    enum banyan_status status = setup_text(words->game, match->setup, text, &match->setup, err);
    if (status != BANYAN_OK)
        return status;
    words->spsa.iterations = words->games / 2;
    words->spsa.seed = match->seed;
    words->options.progress = tune_words_step;
    words->options.progress_ctx = words;
    match->lost = tune_words_lost;
    match->progress_ctx = words;
    progress_start(&words->progress, "games", (uint64_t)(2 * words->spsa.iterations));
    status = tune_run(words->game, words->player, &words->spsa, &words->options, result, err);
    progress_end(&words->progress);
    if (status == BANYAN_INTERRUPTED)
        banyan_fail(err, status, "stopped after %lld of %lld games",
                    (long long)(2 * result->iterations), (long long)(2 * words->spsa.iterations));
    return status;
}

int cli_tune(int argc, char **argv)
{
    static struct tune_words words;
    struct tune_result result = {.iterations = 0};
    struct banyan_error err;
    const struct argp argp = {
        tune_words_options, tune_words_option, "GAME PLAYER", tune_words_doc, NULL, NULL, NULL};
    tune_options_default(&words.options);
    words.games = 10000;
    cli_parse(&argp, argc, argv, &words);
    words.options.match.stop = interrupt_watch();
    enum banyan_status status = tune_words_run(&words, &result, &err);
    if (result.iterations > 0 && words.json)
        tune_words_json(&words, &result);
    else if (result.iterations > 0)
        tune_words_print(&words, &result);
    return cli_end(argv[0], status, &err);
}
