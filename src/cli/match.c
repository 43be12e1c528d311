/* banyan match: many games between players. */
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/match_report.h"
#include "cli/progress.h"
#include "cli/setup.h"
#include "cli/show.h"

#include "match/match.h"
#include "match/rating.h"
#include "players/program/offers.h"
#include "records/game_record.h"

#include <stdlib.h>
#include <string.h>

struct match_words {
    const struct banyan_game *game;
    const char *specs[MATCH_MAX_PLAYERS];
    int count;
    struct match_options options;
    const char *save_path;
    const char *handicaps[BANYAN_MAX_PLAYERS]; /* as given, "SEAT:OPTIONS" */
    int handicap_count;
    bool append, json, round_robin;
    struct progress progress;
};

enum {
    MATCH_GAMES = 'n',
    MATCH_SEED = 's',
    MATCH_JOBS = 'j',
    MATCH_OPENINGS = 0x100,
    MATCH_OPENING_PLIES,
    MATCH_SETUP,
    MATCH_TIME,
    MATCH_CLOCK,
    MATCH_INCREMENT,
    MATCH_HANDICAP,
    MATCH_SPRT,
    MATCH_DB,
    MATCH_RESUME,
    MATCH_QUEUE,
    MATCH_SAVE,
    MATCH_APPEND,
    MATCH_JSON,
    MATCH_ROUND_ROBIN
};

static const struct argp_option match_words_options[] = {
    {"games", MATCH_GAMES, "N", 0,
     "Number of games (of every pair with --round-robin); default 100", 0},
    {"seed", MATCH_SEED, "S", 0, "Seed of all random numbers; default 1", 0},
    {"jobs", MATCH_JOBS, "N", 0, "Games at the same time; the results do not depend on it", 0},
    {"openings", MATCH_OPENINGS, "FILE", 0,
     "Start from the lines of FILE (\"d3 c5 f6\"), in order, each once in every seating; a line "
     "may "
     "begin with a position in brackets: \"[seed=7] 1,7,1,11;pass\"",
     0},
    {"opening-plies", MATCH_OPENING_PLIES, "N", 0,
     "Start with N random plies, the same in every seating", 0},
    {"setup", MATCH_SETUP, "TEXT", 0, "Start from this position", 0},
    {"time", MATCH_TIME, "TIME", 0, "Time per decision: 50ms, 2s", 0},
    {"clock", MATCH_CLOCK, "TIME", 0,
     "Time per game and player: 10s, 5m; a player who uses more loses", 0},
    {"increment", MATCH_INCREMENT, "TIME", 0,
     "Time that is added to the clock after every decision", 0},
    {"handicap", MATCH_HANDICAP, "SEAT:OPTIONS", 0,
     "Add these options to those of whoever plays in this seat (1: the player who moves first; or "
     "a name such as black): 1:nodes=500 or 1:simulations=100 for less search, black:time=10ms for "
     "less time.  With exec:COMMAND they go to the end of COMMAND, after a comma.  May be given "
     "once for "
     "every seat",
     0},
    {"sprt", MATCH_SPRT, "ELO0,ELO1[,...]", 0,
     "Stop when it is clear which Elo difference is more likely; with ELO0,ELO1,ALPHA,BETA also "
     "the probabilities of a wrong answer are given, which default to 0.05",
     0},
    {"db", MATCH_DB, "FILE", 0, "Store every finished game in this SQLite file", 0},
    {"resume", MATCH_RESUME, NULL, 0,
     "Go on with the match of --db that has the same players, seed, openings and settings: its "
     "games "
     "count and are not played again; --games may be larger",
     0},
    {"queue", MATCH_QUEUE, "URL", 0,
     "Let the workers of this queue play the games (docs/cluster.md); the results are the same", 0},
    {"save", MATCH_SAVE, "FILE", 0,
     "Write every game to FILE, one JSON object per line; FILE must not be there yet", 0},
    {"append", MATCH_APPEND, NULL, 0, "Add the games to the end of --save FILE", 0},
    {"json", MATCH_JSON, NULL, 0, "Print the result as JSON (docs/json.md)", 0},
    {"round-robin", MATCH_ROUND_ROBIN, NULL, 0, "Let every pair of players play; print ratings too",
     0},
    {0}};

static const char match_words_doc[] =
    "Plays games between players and prints scores with confidence intervals.\v"
    "Every opening is played once in every seating, with the same setup (board, teams, cards) and "
    "the same dice: two players play it once from each side.  Ctrl-C stops and reports the games "
    "that are finished; exit code 130.\n\nPlayers:\n";

/* Options whose value is text, or that have no value. */
static bool match_words_text(struct match_words *words, const struct argp_state *state, int key,
                             const char *arg)
{
    switch (key) {
    case MATCH_OPENINGS:
        words->options.openings_path = cli_path(state, "--openings", arg);
        return true;
    case MATCH_SETUP:
        words->options.setup = arg;
        return true;
    case MATCH_HANDICAP:
        if (words->handicap_count < BANYAN_MAX_PLAYERS)
            words->handicaps[words->handicap_count++] = arg;
        return true;
    case MATCH_DB:
        words->options.db_path = cli_database(state, "--db", arg);
        return true;
    case MATCH_SAVE:
        words->save_path = cli_path(state, "--save", arg);
        return true;
    case MATCH_RESUME:
        return words->options.resume = true;
    case MATCH_APPEND:
        return words->append = true;
    case MATCH_JSON:
        return words->json = true;
    case MATCH_ROUND_ROBIN:
        return words->round_robin = true;
    default:
        return false;
    }
}

static void match_words_arg(struct match_words *words, const struct argp_state *state,
                            const char *arg)
{
    if (state->arg_num == 0)
        words->game = cli_game(state, arg);
    else if (words->count == MATCH_MAX_PLAYERS)
        cli_usage(state, "more than %d players", MATCH_MAX_PLAYERS);
    else
        words->specs[words->count++] = cli_text(state, arg);
}

/* Reads "SEAT:OPTIONS" of every handicap. */
static void match_words_handicaps(struct match_words *words, const struct argp_state *state)
{
    const struct banyan_game *game = words->game;
    for (int i = 0; i < words->handicap_count; ++i) {
        char name[64];
        const char *text = words->handicaps[i], *colon = strchr(text, ':');
        if (!colon || !colon[1])
            cli_usage(state, "--handicap is SEAT:OPTIONS, such as 1:simulations=100, not '%s'",
                      text);
        snprintf(name, sizeof name, "%.*s", (int)(colon - text), text);
        int seat = setup_seat(game, name);
        if (seat < 0)
            cli_usage(state, "--handicap %s: the seats of %s are 1 (%s) to %d (%s)", text,
                      game->name, banyan_game_player_name(game, 0), game->players,
                      banyan_game_player_name(game, game->players - 1));
        if (words->options.handicaps[seat])
            cli_usage(state, "--handicap: seat %s has two; give one", name);
        words->options.handicaps[seat] = cli_text(state, colon + 1);
    }
}

static void match_words_check(const struct match_words *words, const struct argp_state *state)
{
    const struct banyan_game *game = words->game;
    if (!game)
        cli_usage(state, "needs GAME PLAYER PLAYER; `banyan list` names the games");
    int least = game->players == 1 ? 1 : 2;
    if (words->count < least)
        cli_usage(state, "needs at least %d player%s after '%s', such as mcts and random", least,
                  least == 1 ? "" : "s", game->name);
    if (words->round_robin && game->players != 2)
        cli_usage(state, "--round-robin is for games of two; '%s' seats %d", game->name,
                  game->players);
    if (!words->round_robin && game->players > 1 && words->count > game->players)
        cli_usage(state, "'%s' seats %d players, not %d%s", game->name, game->players, words->count,
                  game->players == 2 ? "; --round-robin plays everybody against everybody" : "");
    if (words->options.use_sprt && (game->players != 2 || words->count != 2))
        cli_usage(state, "--sprt is for two players");
    if (words->append && !words->save_path)
        cli_usage(state, "--append needs --save FILE");
    if (words->options.resume && !words->options.db_path)
        cli_usage(state, "--resume needs --db FILE");
    if (words->options.resume && words->save_path)
        cli_usage(state,
                  "--resume or --save, not both: the games of --db would not be saved again");
    if (words->options.queue_url && words->round_robin)
        cli_usage(state, "--queue is for one match, not for --round-robin");
    if (words->options.queue_url && words->options.jobs > 1)
        cli_usage(state, "--queue or --jobs, not both: the workers say how many games they play");
    if (words->options.openings_path && words->options.opening_plies)
        cli_usage(state, "--openings or --opening-plies, not both");
    if (words->options.time.move_ms > 0 && words->options.time.clock_ms > 0)
        cli_usage(state, "--time or --clock, not both");
    if (words->options.time.increment_ms > 0 && words->options.time.clock_ms <= 0)
        cli_usage(state, "--increment needs --clock");
}

static error_t match_words_option(int key, char *arg, struct argp_state *state)
{
    struct match_words *words = state->input;
    struct match_options *options = &words->options;
    switch (key) {
    case MATCH_GAMES:
        options->games = cli_integer(state, "--games", arg, 1, 1000000000);
        return 0;
    case MATCH_SEED:
        options->seed = (uint64_t)cli_integer(state, "--seed", arg, 0, INT64_C(1) << 53);
        return 0;
    case MATCH_JOBS:
        options->jobs = (int)cli_integer(state, "--jobs", arg, 1, 1024);
        return 0;
    case MATCH_OPENING_PLIES:
        options->opening_plies = (int)cli_integer(state, "--opening-plies", arg, 0, 100000);
        return 0;
    case MATCH_TIME:
        options->time.move_ms = cli_time(state, "--time", arg, 0.1, 1e9);
        return 0;
    case MATCH_CLOCK:
        options->time.clock_ms = cli_time(state, "--clock", arg, 1, 1e9);
        return 0;
    case MATCH_INCREMENT:
        options->time.increment_ms = cli_time(state, "--increment", arg, 0, 1e9);
        return 0;
    case MATCH_QUEUE:
        options->queue_url = cli_queue_url(state, arg);
        return 0;
    case MATCH_SPRT:
        match_report_sprt(state, arg, &options->sprt);
        options->use_sprt = true;
        return 0;
    case ARGP_KEY_ARG:
        match_words_arg(words, state, arg);
        return 0;
    case ARGP_KEY_END:
        match_words_check(words, state);
        match_words_handicaps(words, state);
        return 0;
    default:
        return match_words_text(words, state, key, arg) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

/* --help ends with the players and the options of mcts. */
static char *match_words_filter(int key, const char *text, void *input)
{
    enum { SIZE = 32768 };
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC || !text)
        return (char *)(uintptr_t)text;
    char *whole = malloc(SIZE);
    if (!whole)
        return (char *)(uintptr_t)text;
    int length = snprintf(whole, SIZE, "%s", text);
    length += player_help(banyan_player_list(), whole + length, (size_t)(SIZE - length));
    length += player_help(program_offers, whole + length, (size_t)(SIZE - length));
    length += snprintf(whole + length, (size_t)(SIZE - length), "\nOptions of mcts:\n");
    player_mcts_help(whole + length, (size_t)(SIZE - length));
    return whole;
}

/* --- running --- */

static void match_show_progress(void *ctx, const struct match_result *result)
{
    struct match_words *words = ctx;
    const struct match_player *a = &result->players[0];
    char note[64];
    snprintf(note, sizeof note, "+%lld =%lld -%lld", (long long)a->wins, (long long)a->draws,
             (long long)a->losses);
    progress_step(&words->progress, (uint64_t)result->games, note);
}

static void match_show_lost(void *ctx, const char *why)
{
    struct match_words *words = ctx;
    progress_end(&words->progress);
    fprintf(stderr, "banyan match: %s\n", why ? why : "the queue's server is back");
}

static enum banyan_status match_words_run(struct match_words *words, const char *const specs[],
                                          int count, struct match_result *result,
                                          struct banyan_error *err)
{
    struct match_options options = words->options;
    char text[BANYAN_TEXT_MAX];
    enum banyan_status status = setup_text(words->game, options.setup, text, &options.setup, err);
    if (status != BANYAN_OK)
        return status;
    progress_start(&words->progress, "games", (uint64_t)words->options.games);
    status = match_run(words->game, specs, count, &options, result, err);
    progress_end(&words->progress);
    return status;
}

/* The exit code of a match that ended with status; prints the reason on stderr. */
static int match_words_end(enum banyan_status status, const struct match_result *result,
                           const char *name, const struct banyan_error *err)
{
    bool began = result->games > 0 && status != BANYAN_OK && status != BANYAN_INTERRUPTED;
    return began ? cli_fail(name, CLI_FAILURE, err) : cli_end(name, status, err);
}

static int match_one(struct match_words *words, const char *name)
{
    struct match_result result;
    struct banyan_error err;
    enum banyan_status status = match_words_run(words, words->specs, words->count, &result, &err);
    const struct match_report report = {words->game, words->specs, &words->options, &result};
    if (result.games > 0 && words->json)
        show_json(match_report_json(&report));
    else if (result.games > 0)
        match_report_print(&report, stdout);
    return match_words_end(status, &result, name, &err);
}

/* --- everybody against everybody --- */

struct match_table {
    double scores[MATCH_MAX_PLAYERS * MATCH_MAX_PLAYERS]; /* points of the player of the row
                                                             against that of the column */
    double elo[MATCH_MAX_PLAYERS];
    json_t *matches;
    int64_t games;
};

static void match_table_add(struct match_table *table, int count, int i, int j,
                            const struct match_result *result)
{
    table->scores[i * count + j] += result->players[0].score;
    table->scores[j * count + i] += result->players[1].score;
    table->games += result->games;
}

static double match_table_points(const struct match_table *table, int count, int i, double *games)
{
    double points = 0;
    *games = 0;
    for (int j = 0; j < count; ++j) {
        points += table->scores[i * count + j];
        *games += table->scores[i * count + j] + table->scores[j * count + i];
    }
    return points;
}

static void match_table_print(const struct match_table *table, const struct match_words *words)
{
    char elo[16], name[MATCH_REPORT_NAME + 1];
    printf("%-3s %-36s %6s %9s", "", "", "Elo", "points");
    for (int j = 0; j < words->count; ++j)
        printf(" %7d", j + 1);
    printf("\n");
    for (int i = 0; i < words->count; ++i) {
        double games, points = match_table_points(table, words->count, i, &games);
        printf("%-3d %-36s %6s %4g/%-4g", i + 1, match_report_name(words->specs[i], name),
               match_report_elo(table->elo[i], elo, sizeof elo), points, games);
        for (int j = 0; j < words->count; ++j)
            if (i == j)
                printf(" %7s", "-");
            else
                printf(" %7g", table->scores[i * words->count + j]);
        printf("\n");
    }
}

static void match_table_json(struct match_table *table, const struct match_words *words)
{
    json_t *players = json_array();
    for (int i = 0; i < words->count; ++i) {
        double games, points = match_table_points(table, words->count, i, &games);
        json_array_append_new(players, json_pack("{s:s, s:o, s:o, s:I}", "player", words->specs[i],
                                                 "elo", show_number(table->elo[i]), "points",
                                                 show_number(points), "games", (json_int_t)games));
    }
    show_json(json_pack("{s:s, s:o, s:O, s:I, s:I}", "game", words->game->name, "players", players,
                        "matches", table->matches, "games", (json_int_t)table->games, "seed",
                        (json_int_t)words->options.seed));
}

static int match_round_robin(struct match_words *words, const char *name)
{
    struct match_table table = {.matches = json_array()};
    struct match_result result = {.games = 0};
    struct banyan_error err;
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; status == BANYAN_OK && i < words->count; ++i)
        for (int j = i + 1; status == BANYAN_OK && j < words->count; ++j) {
            const char *specs[2] = {words->specs[i], words->specs[j]};
            status = match_words_run(words, specs, 2, &result, &err);
            const struct match_report report = {words->game, specs, &words->options, &result};
            if (result.games == 0)
                continue;
            match_table_add(&table, words->count, i, j, &result);
            json_array_append_new(table.matches, match_report_json(&report));
            if (!words->json)
                match_report_print(&report, stdout);
        }
    rating_fit(words->count, table.scores, table.elo);
    if (table.games && words->json)
        match_table_json(&table, words);
    else if (table.games)
        match_table_print(&table, words);
    json_decref(table.matches);
    result.games = table.games;
    return match_words_end(status, &result, name, &err);
}

int cli_match(int argc, char **argv)
{
    struct match_words words = {.game = NULL};
    struct banyan_error err;
    const struct argp argp = {match_words_options,
                              match_words_option,
                              "GAME PLAYER PLAYER...",
                              match_words_doc,
                              NULL,
                              match_words_filter,
                              NULL};
    match_options_default(&words.options);
    cli_parse(&argp, argc, argv, &words);
    if (words.save_path) {
        enum banyan_status status =
            game_records_open(words.save_path, words.append, &words.options.save, &err);
        if (status != BANYAN_OK)
            return cli_end(argv[0], status, &err);
    }
    words.options.stop = interrupt_watch();
    words.options.progress = match_show_progress;
    words.options.lost = match_show_lost;
    words.options.progress_ctx = &words;
    int code = words.round_robin ? match_round_robin(&words, argv[0]) : match_one(&words, argv[0]);
    if (words.options.save)
        fclose(words.options.save);
    return code;
}
