/* banyan check: plays a game at random and tells which promises of <banyan/game.h> it breaks. */
#include "cli/apart.h"
#include "cli/cli.h"
#include "cli/position.h"
#include "cli/setup.h"

#include <banyan/check.h>

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

struct check {
    const struct banyan_game *game;
    struct banyan_check_options options;
    const char *setups[2]; /* --position, NULL */
};

enum { CHECK_GAMES = 'n', CHECK_SEED = 's', CHECK_SETUP = 'p', CHECK_FIRST = 256 };

static const struct argp_option check_argp_options[] = {
    {"games", CHECK_GAMES, "N", 0, "Play up to N games; default 1000, fewer where states are large",
     0},
    {"first", CHECK_FIRST, "N", 0, "Number of the first game; default 0", 0},
    {"seed", CHECK_SEED, "N", 0, "Seed of moves, deals and dice; default 1", 0},
    {"position", CHECK_SETUP, "TEXT", 0, "Begin every second game with this setup", 0},
    {0}};

static error_t check_option(int key, char *arg, struct argp_state *state)
{
    struct check *check = state->input;
    switch (key) {
    case CHECK_GAMES:
        check->options.games = (int)cli_integer(state, "--games", arg, 1, INT_MAX / 2);
        return 0;
    case CHECK_FIRST:
        check->options.first = (int)cli_integer(state, "--first", arg, 0, INT_MAX / 2);
        return 0;
    case CHECK_SEED:
        check->options.seed = (uint64_t)cli_integer(state, "--seed", arg, 0, INT64_MAX);
        return 0;
    case CHECK_SETUP:
        check->setups[0] = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            cli_too_many(state, arg);
        check->game = cli_game(state, arg);
        return 0;
    case ARGP_KEY_END:
        if (!check->game)
            cli_usage(state, "needs a game, as in `banyan check othello`; `banyan list` names all");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check_print(void *unused, const char *message)
{
    (void)unused;
    printf("%s\n", message);
    fflush(stdout); /* so that the lines are printed even if the game crashes next */
}

struct check_result {
    enum banyan_status status;
    struct banyan_error err;
    struct banyan_check_report report;
};

static void check_work(void *ctx, void *out)
{
    const struct check *check = ctx;
    struct check_result *result = out;
    result->report.struct_size = sizeof result->report;
    result->status = banyan_game_check(check->game, &check->options, &result->report, &result->err);
}

/* The call of a function of the game that is in progress. */
struct check_call {
    char function[32]; /* empty: none was called yet */
    int game, ply;
};

/* Writes the call to a file, which outlives the process that crashes. */
static void check_note(void *ctx, const char *function, int game, int ply)
{
    struct check_call call = {.game = game, .ply = ply};
    snprintf(call.function, sizeof call.function, "%s", function);
    if (pwrite(fileno(ctx), &call, sizeof call, 0) < 0)
        return; /* then the report does not name the function */
}

/* Checks once more, with each call noted. */
static struct check_call check_last_call(const struct check *check)
{
    struct check noted = *check;
    struct check_result result = {.status = BANYAN_OK};
    struct check_call call = {.game = -1};
    FILE *file = tmpfile();
    if (!file)
        return call;
    noted.options.calls = check_note;
    noted.options.ctx = file;
    bool crashed = apart_run(check_work, &noted, &result, sizeof result) != 0;
    if (!crashed || pread(fileno(file), &call, sizeof call, 0) != (ssize_t)sizeof call)
        call = (struct check_call){.game = -1};
    fclose(file);
    return call;
}

static void check_print_call(const struct check *check, const struct check_call *call, int by)
{
    printf("%s: ", check->game->name);
    if (call->function[0])
        printf("%s() crashed", call->function);
    else
        printf("a function of the game crashed");
    if (call->function[0] && call->game >= 0 && call->ply >= 0)
        printf(" in game %d, ply %d", call->game, call->ply);
    else if (call->function[0] && call->game >= 0)
        printf(" at the start of game %d", call->game);
    printf(": %s", by > 0 ? strsignal(by) : "the process ended");
}

/* The process of the check ended early (by: its signal; -1: none): plays the games one by one to find where. */
static int check_crashed(const struct check *check, int by)
{
    struct check one = *check;
    struct check_result result = {.status = BANYAN_OK};
    one.options.games = 1;
    one.options.report = NULL;
    int end = check->options.first + check->options.games;
    while (one.options.first < end && apart_run(check_work, &one, &result, sizeof result) == 0)
        ++one.options.first;
    bool alone = one.options.first < end;
    if (!alone) { /* only the games together crash */
        one.options.first = check->options.first;
        one.options.games = check->options.games;
    }
    struct check_call call = check_last_call(&one);
    check_print_call(check, &call, by);
    if (alone)
        printf("; --first %d --games 1 --seed %llu does it again", one.options.first,
               (unsigned long long)check->options.seed);
    printf("\n");
    return CLI_FAILURE;
}

static void check_init(void *ctx, void *out)
{
    const struct check *check = ctx;
    struct check_result *result = out;
    const struct position position = {.game = check->game, .setup = check->setups[0]};
    void *state = NULL;
    result->status = position_create(&position, &state, &result->err);
    free(state);
}

/* Reads --position as other commands do.  text[BANYAN_TEXT_MAX]: room for it.  If init() crashes, the check finds
 * that out. */
static enum banyan_status check_read_setup(struct check *check, char text[],
                                           struct banyan_error *err)
{
    struct check_result result = {.status = BANYAN_OK};
    if (!check->setups[0])
        return BANYAN_OK;
    enum banyan_status status =
        setup_text(check->game, check->setups[0], text, &check->setups[0], err);
    if (status != BANYAN_OK || apart_run(check_init, check, &result, sizeof result) != 0)
        return status;
    *err = result.err;
    return result.status;
}

int cli_check(int argc, char **argv)
{
    struct check check = {.game = NULL};
    const struct argp argp = {
        check_argp_options,
        check_option,
        "GAME",
        "Plays a game at random and checks what banyan/game.h promises of each function.\v"
        "Each broken promise is one line with its function, game, ply and seed; exit code 1 if "
        "there "
        "is any. --first and --games=1 play one game again. A game of your own: "
        "`banyan --game ./nim.so check nim`. The check cannot know whether the rules are right.",
        NULL,
        NULL,
        NULL};
    banyan_check_options_default(&check.options);
    check.options.setups = check.setups;
    check.options.report = check_print;
    cli_parse(&argp, argc, argv, &check);
    char setup[BANYAN_TEXT_MAX];
    struct check_result result = {.status = BANYAN_OK};
    if (check_read_setup(&check, setup, &result.err) != BANYAN_OK)
        return cli_fail(argv[0], CLI_USAGE, &result.err);
    int crashed = apart_run(check_work, &check, &result, sizeof result);
    if (crashed == SIGINT)
        return CLI_INTERRUPTED;
    if (crashed)
        return check_crashed(&check, crashed);
    const struct banyan_check_report report = result.report;
    if (result.status != BANYAN_OK && report.faults == 0)
        return cli_end(argv[0], result.status, &result.err);
    printf("%s: %d games, %lld positions, ", check.game->name, report.games,
           (long long)report.positions);
    if (report.faults)
        printf("%d broken promise%s\n", report.faults, report.faults == 1 ? "" : "s");
    else
        printf("no broken promise\n");
    return report.faults ? CLI_FAILURE : CLI_OK;
}
