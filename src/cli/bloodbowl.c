/* banyan bloodbowl: what is done with games of Blood Bowl besides playing them. */
#include "cli/cli.h"
#include "cli/timing.h"
#include "records/bloodbowl_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bloodbowl_words {
    const char *command;
    char **files; /* borrowed */
    int file_count;
};

/* --- paths: the time of the pathfinder at the decisions of recorded games --- */

enum { BLOODBOWL_REPEATS = 20 };

struct bloodbowl_times {
    double seconds;
    long calls, targets;
};

static bool bloodbowl_finds_paths(const struct bb_state *s)
{
    const struct bb_frame *f = &s->frame[s->depth - 1];
    return s->paths && f->procedure >= BB_MOVE_ACTION && f->procedure <= BB_FOUL_ACTION;
}

static void bloodbowl_time_paths(const struct bb_state *s, struct bloodbowl_times *times)
{
    static struct bb_choices list;
    double start = timing_cpu_s();
    for (int i = 0; i < BLOODBOWL_REPEATS; ++i)
        bb_list(s, &list, false);
    times->seconds += (timing_cpu_s() - start) / BLOODBOWL_REPEATS;
    times->targets += list.options;
    ++times->calls;
}

static enum banyan_status bloodbowl_paths_file(const char *path, struct bloodbowl_times *times,
                                               struct banyan_error *err)
{
    struct bloodbowl_replay *replay;
    enum bloodbowl_event event = BLOODBOWL_HEAD;
    enum banyan_status status = bloodbowl_replay_open(path, &replay, err);
    if (status != BANYAN_OK)
        return status;
    while (status == BANYAN_OK && event != BLOODBOWL_DONE) {
        status = bloodbowl_replay_next(replay, &event, err);
        const struct bb_state *s = bloodbowl_replay_state(replay);
        if (status == BANYAN_OK && event == BLOODBOWL_MOVE && bloodbowl_finds_paths(s))
            bloodbowl_time_paths(s, times);
    }
    bloodbowl_replay_close(replay);
    return status;
}

static enum banyan_status bloodbowl_paths(const struct bloodbowl_words *words,
                                          struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i < words->file_count && status == BANYAN_OK; ++i) {
        struct bloodbowl_times times = {.calls = 0};
        status = bloodbowl_paths_file(words->files[i], &times, err);
        if (status == BANYAN_OK)
            printf("%s: %ld path decisions, %.1f targets, %.2f us each\n", words->files[i],
                   times.calls, times.calls ? (double)times.targets / (double)times.calls : 0,
                   times.calls ? 1e6 * times.seconds / (double)times.calls : 0);
    }
    return status;
}

/* --- words --- */

static const struct {
    const char *name;
    enum banyan_status (*run)(const struct bloodbowl_words *words, struct banyan_error *err);
} bloodbowl_commands[] = {{"paths", bloodbowl_paths}};

static error_t bloodbowl_option(int key, char *arg, struct argp_state *state)
{
    struct bloodbowl_words *words = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        words->command = arg;
        words->files = state->argv + state->next;
        words->file_count = state->argc - state->next;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_END:
        if (!words->command || words->file_count == 0)
            cli_usage(state, "wants a command and a file: banyan bloodbowl html GAME.jsonl.gz");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cli_bloodbowl(int argc, char **argv)
{
    struct bloodbowl_words words = {NULL, NULL, 0};
    struct banyan_error err;
    const struct argp argp = {
        NULL,
        bloodbowl_option,
        "paths FILE...",
        "paths: mean time of the pathfinder at the decisions of recorded games.",
        NULL,
        NULL,
        NULL};
    cli_parse(&argp, argc, argv, &words);
    for (size_t i = 0; i < sizeof bloodbowl_commands / sizeof *bloodbowl_commands; ++i)
        if (strcmp(words.command, bloodbowl_commands[i].name) == 0) {
            enum banyan_status status = bloodbowl_commands[i].run(&words, &err);
            return status == BANYAN_OK ? CLI_OK : cli_fail(argv[0], CLI_FAILURE, &err);
        }
    fprintf(stderr, "%s: '%s' is not known\n", argv[0], words.command);
    return CLI_USAGE;
}
