/* banyan judge: mushroom games between programs.
 *
 *      banyan judge --first CMD --second CMD --board FILE
 *      banyan judge --first CMD --second CMD --seed 1 --games 20
 *      banyan judge --setting setting.ini
 *      banyan judge --games 10 name=CMD name=CMD name=CMD        every pair of programs
 *
 * The referee plays the games of a match (src/match), which counts them.
 */
#include "base/input.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/match_report.h"
#include "games/mushroom/mushroom.h"
#include "match/elo.h"
#include "match/match_game.h"
#include "nypc/log.h"
#include "nypc/referee.h"

#include <errno.h>
#include <ini.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JUDGE_PROGRAMS = 32, JUDGE_BOARD = 4096, JUDGE_GAMES = 1000000 /* most games of a pair */ };

struct judge_program {
    char name[64];
    const char *command;
    int64_t wins, draws, losses, aborts;
    double longest_ms, most_wall_ms; /* of one answer; of one game */
    double most_cpu_ms;              /* of one game that this process played, not read from the
                                      * database */
    double cells;                    /* cells of lead, summed over the games */
};

struct judge {
    struct judge_program programs[JUDGE_PROGRAMS];
    int count;
    const char *board, *log, *setting, *save;
    char board_text[JUDGE_BOARD]; /* of the file `board`; "": random boards */
    FILE *saved;                  /* --save adds the games to it; NULL: none */
    char texts[4][512];           /* texts of the setting: INPUT, LOG, EXEC1, EXEC2 */
    int64_t seed, games;
    struct referee_options options;
    struct match_options match;
    bool one_game, quiet, append, seed_given;
    pthread_mutex_t lock; /* guards what games in progress change: the table's processor times, the
                             output, and overrun_ms */
    double overrun_ms;
    int64_t played; /* games */
};

enum {
    JUDGE_FIRST = 1000,
    JUDGE_SECOND,
    JUDGE_BOARD_FILE,
    JUDGE_SEED,
    JUDGE_LOG,
    JUDGE_SAVE,
    JUDGE_APPEND,
    JUDGE_SPRT,
    JUDGE_DB,
    JUDGE_RESUME,
    JUDGE_SETTING,
    JUDGE_BANK,
    JUDGE_CPU,
    JUDGE_QUIET
};

static const struct argp_option judge_options[] = {
    {"first", JUDGE_FIRST, "CMD", 0, "Program that plays FIRST", 0},
    {"second", JUDGE_SECOND, "CMD", 0, "Program that plays SECOND", 0},
    {"board", JUDGE_BOARD_FILE, "FILE", 0,
     "File with the board of all games: 10 lines of 17 digits; default: random boards", 0},
    {"seed", JUDGE_SEED, "N", 0, "Random boards of seeds N, N + 1, ...; default 1", 0},
    {"games", 'n', "N", 0,
     "Games of every pair; each board is played in both seats.  Default 1 for two programs, else 2",
     0},
    {"log", JUDGE_LOG, "FILE", 0,
     "Write the log in the official format; with several games FILE gets -1, -2, ... before its "
     "extension",
     0},
    {"save", JUDGE_SAVE, "FILE", 0,
     "Write every game to FILE, one JSON object per line; FILE must not be there yet", 0},
    {"append", JUDGE_APPEND, NULL, 0, "Add the games to the end of --save FILE", 0},
    {"jobs", 'j', "N", 0, "Games at the same time; with more programs than processors use --cpu",
     0},
    {"sprt", JUDGE_SPRT, "ELO0,ELO1[,...]", 0,
     "Two programs: stop when it is clear which Elo difference is more likely, at the latest "
     "after --games; ELO0,ELO1[,ALPHA,BETA] as in `banyan match`",
     0},
    {"db", JUDGE_DB, "FILE", 0, "Store every finished game in this SQLite file", 0},
    {"resume", JUDGE_RESUME, NULL, 0,
     "Go on with the games of --db between the same commands, with the same seed, board and bank",
     0},
    {"setting", JUDGE_SETTING, "FILE", 0,
     "Official setting.ini: INPUT, LOG, EXEC1, EXEC2, in place of --board, --log and programs", 0},
    {"bank", JUDGE_BANK, "TIME", 0, "Time of each player for a game; default 10s", 0},
    {"cpu", JUDGE_CPU, NULL, 0, "Count processor time, not wall-clock time", 0},
    {"quiet", JUDGE_QUIET, NULL, 0, "Print only the table at the end", 0},
    {0}};

static void judge_add(const struct argp_state *state, struct judge *judge, int index,
                      const char *name, size_t length, const char *command)
{
    if (index >= JUDGE_PROGRAMS)
        cli_usage(state, "at most %d programs can play", JUDGE_PROGRAMS);
    struct judge_program *program = &judge->programs[index];
    cli_utf8(state, name);
    if (length >= sizeof program->name)
        cli_usage(state, "'%s': a program's name has at most %zu bytes", name,
                  sizeof program->name - 1);
    for (int i = 0; i < judge->count; ++i)
        if (i != index && strlen(judge->programs[i].name) == length &&
            memcmp(judge->programs[i].name, name, length) == 0)
            cli_usage(state, "two programs are called '%.*s'; give each its own name", (int)length,
                      name);
    snprintf(program->name, sizeof program->name, "%.*s", (int)length, name);
    program->command = command;
    if (index >= judge->count)
        judge->count = index + 1;
}

/* Options whose value is text, or that have no value. */
static bool judge_text(struct judge *judge, const struct argp_state *state, int key,
                       const char *arg)
{
    switch (key) {
    case JUDGE_BOARD_FILE:
        judge->board = cli_path(state, "--board", arg);
        return true;
    case JUDGE_LOG:
        judge->log = cli_path(state, "--log", arg);
        return true;
    case JUDGE_SAVE:
        judge->save = cli_path(state, "--save", arg);
        return true;
    case JUDGE_DB:
        judge->match.db_path = cli_database(state, "--db", arg);
        return true;
    case JUDGE_SETTING:
        judge->setting = cli_path(state, "--setting", arg);
        return true;
    case JUDGE_APPEND:
        return judge->append = true;
    case JUDGE_RESUME:
        return judge->match.resume = true;
    case JUDGE_CPU:
        return judge->options.cpu = true;
    case JUDGE_QUIET:
        return judge->quiet = true;
    default:
        return false;
    }
}

/* Refuses what has no effect beside --setting, or beside a board. */
static void judge_check_setting(const struct judge *judge, const struct argp_state *state)
{
    if (judge->setting && judge->count)
        cli_usage(state,
                  "--setting names the programs: leave --first, --second and NAME=COMMAND out");
    if (judge->setting && judge->board)
        cli_usage(state, "--setting or --board, not both: INPUT names the board");
    if (judge->setting && judge->log)
        cli_usage(state, "--setting or --log, not both: LOG names the log");
    if (judge->seed_given && (judge->setting || judge->board))
        cli_usage(state, "--seed is for random boards, not for that of %s",
                  judge->setting ? "--setting" : "--board");
}

/* Refuses options that do not fit together. */
static void judge_check(const struct judge *judge, const struct argp_state *state)
{
    judge_check_setting(judge, state);
    if (judge->append && !judge->save)
        cli_usage(state, "--append needs --save FILE");
    if (judge->match.use_sprt && judge->count > 2)
        cli_usage(state, "--sprt is for two programs");
    if (judge->match.resume && !judge->match.db_path)
        cli_usage(state, "--resume needs --db FILE");
    if (judge->match.resume && judge->save)
        cli_usage(state,
                  "--resume or --save, not both: the games of --db would not be saved again");
    if (!judge->setting && (judge->count < 2 || !judge->programs[0].command))
        cli_usage(state, "two programs are needed: --first and --second, or NAME=COMMAND ...");
}

static void judge_argument(const struct argp_state *state, struct judge *judge, const char *arg)
{
    const char *equals = strchr(arg, '=');
    if (!equals || equals == arg)
        cli_usage(state, "'%s': programs are given as NAME=COMMAND", arg);
    judge_add(state, judge, judge->count, arg, (size_t)(equals - arg), equals + 1);
}

static error_t judge_option(int key, char *arg, struct argp_state *state)
{
    struct judge *judge = state->input;
    switch (key) {
    case JUDGE_FIRST:
        judge_add(state, judge, 0, "first", 5, arg);
        return 0;
    case JUDGE_SECOND:
        judge_add(state, judge, 1, "second", 6, arg);
        return 0;
    case JUDGE_SEED:
        judge->seed = cli_integer(state, "--seed", arg, 0, INT64_MAX - JUDGE_GAMES);
        judge->seed_given = true;
        return 0;
    case 'n':
        judge->games = cli_integer(state, "--games", arg, 1, JUDGE_GAMES);
        return 0;
    case 'j':
        judge->match.jobs = (int)cli_integer(state, "--jobs", arg, 1, 1024);
        return 0;
    case JUDGE_SPRT:
        match_report_sprt(state, arg, &judge->match.sprt);
        judge->match.use_sprt = true;
        return 0;
    case JUDGE_BANK:
        judge->options.bank_ms = cli_time(state, "--bank", arg, 1, 1e9);
        return 0;
    case ARGP_KEY_ARG:
        judge_argument(state, judge, arg);
        return 0;
    case ARGP_KEY_END:
        judge_check(judge, state);
        return 0;
    default:
        return judge_text(judge, state, key, arg) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

/* --- boards and logs --- */

static int judge_setting_line(void *user, const char *section, const char *name, const char *value)
{
    static const char *const keys[4] = {"INPUT", "LOG", "EXEC1", "EXEC2"};
    struct judge *judge = user;
    (void)section;
    for (int i = 0; i < 4; ++i)
        if (strcmp(name, keys[i]) == 0)
            return snprintf(judge->texts[i], sizeof judge->texts[i], "%s", value) <
                   (int)sizeof judge->texts[i];
    return 1; /* other keys are for the official tool */
}

static enum banyan_status judge_read_setting(struct judge *judge, struct banyan_error *err)
{
    int line = ini_parse(judge->setting, judge_setting_line, judge);
    if (line < 0)
        return input_failed(err, judge->setting, errno);
    if (line > 0)
        return banyan_fail(err, BANYAN_CORRUPT, "%s:%d: expected KEY=value", judge->setting, line);
    if (!judge->texts[0][0] || !judge->texts[2][0] || !judge->texts[3][0])
        return banyan_fail(err, BANYAN_CORRUPT, "%s: INPUT, EXEC1 and EXEC2 are needed",
                           judge->setting);
    judge->board = judge->texts[0];
    if (judge->texts[1][0])
        judge->log = judge->texts[1];
    judge->programs[0] = (struct judge_program){.name = "EXEC1", .command = judge->texts[2]};
    judge->programs[1] = (struct judge_program){.name = "EXEC2", .command = judge->texts[3]};
    judge->count = 2;
    return BANYAN_OK;
}

/* Reads the board of all games. */
static enum banyan_status judge_read_board(struct judge *judge, const struct banyan_game *game,
                                           struct banyan_error *err)
{
    struct mushroom_state state;
    struct text_reader reader;
    struct banyan_error why = {.message = "its text is too long for a board"};
    char *text;
    size_t length;
    enum banyan_status status = input_read(judge->board, "", &text, &length, err);
    if (status != BANYAN_OK)
        return status;
    snprintf(judge->board_text, JUDGE_BOARD, "%s", text);
    free(text);
    text_open(&reader, judge->board_text);
    if (text_end(&reader))
        return banyan_fail(err, BANYAN_CORRUPT, "%s has no board: 10 lines of 17 digits",
                           judge->board);
    if (length >= JUDGE_BOARD ||
        game->init(game, &state, judge->board_text, NULL, &why) != BANYAN_OK)
        return banyan_fail(err, BANYAN_CORRUPT, "%s: %s", judge->board, why.message);
    return BANYAN_OK;
}

/* Opens FILE, or FILE with -number before its extension if there are several games. */
static enum banyan_status judge_open_log(const struct judge *judge, int64_t number,
                                         struct output *log, struct banyan_error *err)
{
    char path[1024];
    const char *slash = strrchr(judge->log, '/');
    const char *dot = strrchr(slash ? slash : judge->log, '.');
    int stem = dot ? (int)(dot - judge->log) : (int)strlen(judge->log);
    if (judge->one_game)
        snprintf(path, sizeof path, "%s", judge->log);
    else
        snprintf(path, sizeof path, "%.*s-%" PRId64 "%s", stem, judge->log, number, dot ? dot : "");
    return output_open(log, path, err);
}

/* --- games --- */

/* Two programs that play a match; the host of its games. */
struct judge_pair {
    struct judge *judge;
    const struct banyan_game *game;
    int programs[2];
    int64_t before; /* games of the pairs before this one */
};

static void judge_count(struct judge *judge, const int seats[2], const struct referee_result *r)
{
    for (int seat = 0; seat < 2; ++seat) {
        struct judge_program *program = &judge->programs[seats[seat]];
        program->most_cpu_ms = fmax(program->most_cpu_ms, r->cpu_ms[seat]);
    }
    judge->overrun_ms = fmax(judge->overrun_ms, r->overrun_ms);
}

static void judge_tell(const struct judge *judge, int64_t number, const int seats[2],
                       const struct referee_result *r)
{
    if (judge->quiet && r->offender < 0)
        return;
    printf("%" PRId64 ": %s %d : %d %s, %d plies, wall %.0f %.0f ms, cpu %.0f %.0f ms", number,
           judge->programs[seats[0]].name, r->score[0], r->score[1], judge->programs[seats[1]].name,
           r->plies, r->wall_ms[0], r->wall_ms[1], r->cpu_ms[0], r->cpu_ms[1]);
    if (r->offender >= 0)
        printf("; %s loses: %s%s%s", judge->programs[seats[r->offender]].name, r->reason,
               *r->detail ? ": " : "", r->detail);
    printf("\n");
    fflush(stdout);
}

/* The log, with the board before it if the log lacks the board because the game ended before its
 * first move. The caller frees it; NULL: no memory. */
static char *judge_whole_log(const char *board, const char *log)
{
    char *whole = NULL;
    size_t length;
    FILE *out = open_memstream(&whole, &length);
    if (!out)
        return NULL;
    if (strncmp(log, "INIT", 4) != 0) {
        fputs("INIT ", out);
        for (const char *at = board; *at; ++at)
            putc(*at == '\n' || *at == '\r' ? ' ' : *at, out);
        putc('\n', out);
    }
    fputs(log, out);
    fclose(out);
    return whole;
}

/* Makes the record of the game in log. */
static enum banyan_status judge_record(const struct judge *judge, const int seats[2],
                                       const char *log, struct game_record *record,
                                       struct banyan_error *err)
{
    FILE *in = log ? fmemopen((void *)(uintptr_t)log, strlen(log), "r") : NULL;
    if (!in)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the record of a game");
    enum banyan_status status = nypc_log_read(in, "the game", record, err);
    fclose(in);
    for (int seat = 0; seat < 2 && status == BANYAN_OK; ++seat)
        status = game_record_player(record, seat, judge->programs[seats[seat]].name, err);
    record->limits.clock_ms = judge->options.bank_ms;
    return status;
}

/* Referees one game, whose log goes to *text (the caller frees it) and to --log. */
static enum banyan_status judge_referee(const struct judge *judge, struct referee_pairing *pairing,
                                        int64_t number, char **text, struct referee_result *result,
                                        struct banyan_error *err)
{
    struct output log = {.stream = NULL};
    size_t length;
    enum banyan_status status = judge->log ? judge_open_log(judge, number, &log, err) : BANYAN_OK;
    if (status != BANYAN_OK)
        return status;
    pairing->log = open_memstream(text, &length);
    status = pairing->log ? referee_play(pairing, &judge->options, result, err)
                          : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the log of a game");
    if (pairing->log)
        fclose(pairing->log);
    if (status == BANYAN_OK && log.stream)
        fputs(*text, log.stream);
    return log.stream ? output_close(&log, status, err) : status;
}

/* Writes how many decisions and how much time each seat used, for the result of the match. */
static void judge_used(const struct referee_result *result, struct match_game *game)
{
    for (int seat = 0; seat < 2; ++seat)
        game->played[seat] = (struct playing_seat){.decisions = (result->plies + 1 - seat) / 2,
                                                   .elapsed_ms = result->wall_ms[seat],
                                                   .longest_ms = result->longest_wall_ms[seat]};
}

/* The board of a round as a setup of the game. */
static void judge_board(const struct judge_pair *pair, int64_t round, char board[JUDGE_BOARD])
{
    if (pair->judge->board)
        snprintf(board, JUDGE_BOARD, "%s", pair->judge->board_text);
    else
        snprintf(board, JUDGE_BOARD, "seed=%" PRId64, pair->judge->seed + round);
}

/* The host's function: plays one game, on the board of its round. */
static enum banyan_status judge_play(void *ctx, struct match_game *game, struct banyan_error *err)
{
    const struct judge_pair *pair = ctx;
    struct judge *judge = pair->judge;
    const int seats[2] = {pair->programs[game->seats[0]], pair->programs[game->seats[1]]};
    char board[JUDGE_BOARD], *log = NULL, *whole = NULL;
    struct referee_pairing pairing = {
        .game = pair->game,
        .board = board,
        .commands = {judge->programs[seats[0]].command, judge->programs[seats[1]].command}};
    struct referee_result result;
    int64_t number = pair->before + game->number + 1;
    judge_board(pair, game->round, board);
    enum banyan_status status = judge_referee(judge, &pairing, number, &log, &result, err);
    if (status == BANYAN_OK) {
        whole = judge_whole_log(board, log);
        status = judge_record(judge, seats, whole, &game->record, err);
    }
    free(log);
    free(whole);
    if (status != BANYAN_OK)
        return status;
    judge_used(&result, game);
    pthread_mutex_lock(&judge->lock);
    judge_count(judge, seats, &result);
    judge_tell(judge, number, seats, &result);
    pthread_mutex_unlock(&judge->lock);
    return BANYAN_OK;
}

/* --- matches --- */

/* Adds the results of a match to the totals of its programs. */
static void judge_add_result(const struct judge_pair *pair, const struct match_result *result)
{
    for (int i = 0; i < 2; ++i) {
        struct judge_program *program = &pair->judge->programs[pair->programs[i]];
        const struct match_player *player = &result->players[i];
        program->wins += player->wins;
        program->losses += player->losses;
        program->draws += player->draws;
        program->aborts += player->overstepped + player->forfeited;
        for (int seat = 0; seat < 2; ++seat)
            program->cells += player->seat[seat].points - player->seat[seat].against;
        program->longest_ms = fmax(program->longest_ms, player->longest_ms);
        program->most_wall_ms = fmax(program->most_wall_ms, player->longest_game_ms);
    }
    pair->judge->played += result->games;
}

/* Plays all games of one pair. */
static enum banyan_status judge_match(struct judge_pair *pair, struct banyan_error *err)
{
    enum { JUDGE_SPEC = 1024 };
    struct judge *judge = pair->judge;
    const struct match_host host = {judge_play, pair, judge->board ? judge->board_text : NULL};
    struct match_options options = judge->match;
    struct match_result result;
    char texts[2][JUDGE_SPEC];
    const char *const specs[2] = {texts[0], texts[1]};
    for (int i = 0; i < 2; ++i)
        snprintf(texts[i], JUDGE_SPEC, "exec:nypc:%s", judge->programs[pair->programs[i]].command);
    options.games = judge->games;
    options.seed = (uint64_t)judge->seed;
    options.setup = judge->board;
    options.time.clock_ms = judge->options.bank_ms;
    options.host = &host;
    options.save = judge->saved;
    options.stop = judge->options.stop;
    enum banyan_status status = match_run(pair->game, specs, 2, &options, &result, err);
    judge_add_result(pair, &result);
    if (judge->count == 2 && result.games > 1) {
        const struct match_report report = {pair->game, specs, &options, &result};
        match_report_rounds(&report, stdout);
    }
    return status;
}

/* Plays the games of all pairs. */
static enum banyan_status judge_games(struct judge *judge, const struct banyan_game *game,
                                      struct banyan_error *err)
{
    struct judge_pair pair = {.judge = judge, .game = game};
    enum banyan_status status = BANYAN_OK;
    for (int a = 0; a < judge->count && status == BANYAN_OK; ++a)
        for (int b = a + 1; b < judge->count && status == BANYAN_OK; ++b) {
            pair.programs[0] = a;
            pair.programs[1] = b;
            status = judge_match(&pair, err);
            pair.before += judge->games;
        }
    return status;
}

/* Starts each program once: a program that cannot start is reported before the first game, not
 * as a lost game. */
static enum banyan_status judge_try(const struct judge *judge, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i < judge->count && status == BANYAN_OK; ++i) {
        struct banyan_error why;
        const struct judge_program *program = &judge->programs[i];
        status = referee_try(program->command, &judge->options, &why);
        if (status != BANYAN_OK)
            banyan_fail(err, status, "program '%s' cannot play: %s", program->name, why.message);
    }
    return status;
}

static void judge_table(const struct judge *judge)
{
    printf("%-20s %6s %6s %6s %7s %18s %7s %7s %9s %9s %9s\n", "program", "wins", "draws", "losses",
           "score", "[95 %]", "cells", "aborts", "longest", "most wall", "most cpu");
    for (int i = 0; i < judge->count; ++i) {
        const struct judge_program *p = &judge->programs[i];
        double n = (double)(p->wins + p->draws + p->losses), lo, hi;
        if (p->wins + p->draws + p->losses == 0)
            continue;
        double share = ((double)p->wins + 0.5 * (double)p->draws) / n;
        elo_wilson(share * n, n, ELO_Z95, &lo, &hi);
        printf("%-20s %6" PRId64 " %6" PRId64 " %6" PRId64 " %7.3f   [%.3f, %.3f] %+7.1f %7" PRId64
               " %6.0f ms %6.0f ms %6.0f ms\n",
               p->name, p->wins, p->draws, p->losses, share, lo, hi, p->cells / n, p->aborts,
               p->longest_ms, p->most_wall_ms, p->most_cpu_ms);
    }
    if (judge->overrun_ms > 0)
        printf("banks overdrawn by at most %.1f ms\n", judge->overrun_ms);
}

static enum banyan_status judge_run(struct judge *judge, struct banyan_error *err)
{
    const struct banyan_game *game;
    enum banyan_status status = banyan_game_find("mushroom", &game, err);
    if (status == BANYAN_OK && judge->setting)
        status = judge_read_setting(judge, err);
    if (status == BANYAN_OK && judge->board)
        status = judge_read_board(judge, game, err);
    if (judge->games == 0)
        judge->games = judge->count == 2 ? 1 : 2;
    judge->one_game = judge->games == 1 && judge->count == 2;
    if (status == BANYAN_OK)
        status = judge_try(judge, err);
    if (status == BANYAN_OK && judge->save)
        status = game_records_open(judge->save, judge->append, &judge->saved, err);
    if (status == BANYAN_OK)
        status = judge_games(judge, game, err);
    if (judge->saved)
        fclose(judge->saved);
    if (status == BANYAN_OK || (status == BANYAN_INTERRUPTED && judge->played))
        judge_table(judge);
    if (status == BANYAN_INTERRUPTED)
        banyan_fail(err, status, "stopped after %lld of %lld games", (long long)judge->played,
                    (long long)(judge->games * judge->count * (judge->count - 1) / 2));
    return status;
}

int cli_judge(int argc, char **argv)
{
    static struct judge judge;
    struct banyan_error err;
    const struct argp argp = {judge_options,
                              judge_option,
                              "[NAME=COMMAND...]",
                              "Referees mushroom games between programs that speak the protocol of "
                              "NYPC 2025.",
                              NULL,
                              NULL,
                              NULL};
    judge.seed = 1;
    match_options_default(&judge.match);
    referee_options_default(&judge.options);
    pthread_mutex_init(&judge.lock, NULL);
    cli_parse(&argp, argc, argv, &judge);
    signal(SIGPIPE, SIG_IGN);
    judge.options.stop = interrupt_watch();
    enum banyan_status status = judge_run(&judge, &err);
    return cli_end(argv[0], status, &err);
}
