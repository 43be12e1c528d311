/* banyan verify: replays recorded games and compares every step with the rules of Banyan. */
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/show.h"
#include "cli/timing.h"
#include "records/records.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct verify {
    const struct banyan_game *game;
    const char *format;
    char **files; /* the words after GAME, borrowed */
    int file_count;
    bool json;
    uint64_t shown;
};

enum { VERIFY_FORMAT = 'f', VERIFY_JSON = 'j', VERIFY_SHOWN = 0x1000, VERIFY_FORMATS };

static const struct argp_option verify_options[] = {
    {"format", VERIFY_FORMAT, "NAME", 0, "Read the files as NAME; default: by their first line", 0},
    {"formats", VERIFY_FORMATS, NULL, 0, "List the formats and end", 0},
    {"show", VERIFY_SHOWN, "N", 0, "Print the first N differences; default 20", 0},
    {"json", VERIFY_JSON, NULL, 0, "Print JSON (docs/json.md) instead of the last line", 0},
    {0}};

static void verify_formats(void)
{
    const struct records_format *format;
    for (int i = 0; (format = records_format_at(i)); ++i)
        printf("%-12s for %s\n%-12s %s\n", format->name, format->games, "", format->help);
}

/* Ends the program if the format cannot hold records of the game. */
static void verify_check_format(const struct verify *verify, const struct argp_state *state)
{
    const struct records_format *format;
    const char *names[16];
    int count = 0;
    for (int i = 0; (format = records_format_at(i)) && count < 15; ++i)
        if (records_format_serves(format, verify->game))
            names[count++] = format->name;
    names[count] = NULL;
    if (verify->format)
        cli_choice(state, "--format", verify->format, names);
}

static error_t verify_option(int key, char *arg, struct argp_state *state)
{
    struct verify *verify = state->input;
    switch (key) {
    case VERIFY_FORMAT:
        verify->format = arg;
        return 0;
    case VERIFY_FORMATS:
        verify_formats();
        exit(CLI_OK);
    case VERIFY_SHOWN:
        verify->shown = (uint64_t)cli_integer(state, "--show", arg, 0, INT64_MAX);
        return 0;
    case VERIFY_JSON:
        verify->json = true;
        return 0;
    case ARGP_KEY_ARG:
        verify->game = cli_game(state, arg);
        verify->files = state->argv + state->next;
        verify->file_count = state->argc - state->next;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_END:
        if (!verify->game || verify->file_count == 0)
            cli_usage(state, "needs GAME and FILES, as in `banyan verify othello games.jsonl`");
        verify_check_format(verify, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum banyan_status verify_files(const struct verify *verify, struct records_report *report,
                                       struct banyan_error *err)
{
    struct progress progress;
    enum banyan_status status = BANYAN_OK;
    progress_start(&progress, "files", (uint64_t)verify->file_count);
    for (int i = 0; status == BANYAN_OK && i < verify->file_count && !records_stopped(report);
         ++i) {
        progress_step(&progress, (uint64_t)i, verify->files[i]);
        status = records_verify(verify->game, verify->format, verify->files[i], report, err);
    }
    progress_end(&progress);
    return status;
}

static void verify_print(const struct verify *verify, const struct records_report *report,
                         double seconds)
{
    if (verify->json)
        show_json(json_pack("{s:s, s:i, s:I, s:I, s:I, s:f}", "game", verify->game->name, "files",
                            verify->file_count, "games", (json_int_t)report->games, "steps",
                            (json_int_t)report->steps, "differences",
                            (json_int_t)report->differences, "seconds", seconds));
    else if (report->wholes)
        printf("%" PRIu64 " whole games equal\n", report->whole);
    if (!verify->json)
        printf("%" PRIu64 " games, %" PRIu64 " steps, %" PRIu64 " differences\n", report->games,
               report->steps, report->differences);
}

int cli_verify(int argc, char **argv)
{
    struct verify verify = {.shown = 20};
    const struct argp argp = {
        verify_options,
        verify_option,
        "GAME FILE...",
        "Replays recorded games (plain files or .gz, - for standard input) and compares every step "
        "with the rules of Banyan.\v"
        "Ends with the line \"N games, N steps, N differences\"; the exit code is 0 only when "
        "there "
        "are no differences. `banyan verify --formats` lists what can be read.",
        NULL,
        NULL,
        NULL};
    struct banyan_error err;
    cli_parse(&argp, argc, argv, &verify);
    struct records_report report = {
        .out = stderr, .shown = verify.shown, .stop = interrupt_watch()};
    double start = timing_cpu_s();
    enum banyan_status status = verify_files(&verify, &report, &err);
    if (records_stopped(&report)) /* a stop may be the reason for the failure */
        status = banyan_fail(&err, BANYAN_INTERRUPTED, "stopped before the end of the records");
    verify_print(&verify, &report, timing_cpu_s() - start);
    int code = cli_end(argv[0], status, &err);
    return code == CLI_OK && report.differences ? CLI_FAILURE : code;
}
