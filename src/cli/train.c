/* banyan train: a network from nothing, by playing against itself; and its parts as commands of
 * their own, for several processes at one run. */
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/progress.h"

#include "train/loop.h"

#include <stdio.h>
#include <string.h>

enum { TRAIN_CHANGES = 64 };

struct train_words {
    const struct banyan_game *game;
    const char *folder;
    const char *changes[2 * TRAIN_CHANGES + 2];
    int change_count;
    struct loop_settings settings;
    struct progress progress;
    const char *what; /* the progress bar shows */
    int generations;  /* finished by this process */
    bool help, once;
    unsigned roles; /* enum loop_role */
};

enum {
    TRAIN_RUN = 'r',
    TRAIN_LOOP = 'o',
    TRAIN_PLAY = 0x100,
    TRAIN_SEARCH,
    TRAIN_OPTIMIZER,
    TRAIN_NET,
    TRAIN_OPTIONS,
    TRAIN_ONCE
};

static const struct argp_option train_options[] = {
    {"run", TRAIN_RUN, "DIR", 0, "Folder of the run; an existing run goes on", 0},
    {"option", TRAIN_LOOP, "NAME=VALUE,...", 0, "Options of the run", 0},
    {"play", TRAIN_PLAY, "NAME=VALUE,...", 0, "Options of self-play", 0},
    {"search", TRAIN_SEARCH, "NAME=VALUE,...", 0, "Options of the searches of self-play", 0},
    {"optimizer", TRAIN_OPTIMIZER, "NAME=VALUE,...", 0, "Options of the optimizer", 0},
    {"net", TRAIN_NET, "NAME=VALUE,...", 0, "Options of the network of a new run", 0},
    {"list-options", TRAIN_OPTIONS, NULL, 0, "Print all options with GAME's values, and stop", 0},
    {"once", TRAIN_ONCE, NULL, 0, "Stop after the present generation", 0},
    {0}};

static const char train_doc[] =
    "Trains a network for GAME by self-play.  A generation plays games, learns from them, and "
    "compares the new network with the best one.\v"
    "Ctrl-C stops (exit code 130); the same command continues the run.  DIR holds everything; the "
    "best network plays as the player net:DIR/best.safetensors.";

static const char train_play_doc[] =
    "Plays games for a run.\v"
    "Any number of processes may play for one DIR, also beside `banyan train`; each game is played "
    "by one of them.  Options given here apply to this process only, unless it begins the run.";

static const char train_learn_doc[] =
    "Learns from the games of a run, generation by generation.\v"
    "Waits for games that `banyan selfplay` plays, and after learning for `banyan gate`.  Stops if "
    "there is no run in DIR within ten seconds.";

static const char train_gate_doc[] =
    "Compares the new network of a run with the best one, and publishes it if it is better.\v"
    "Waits for `banyan learn`; stops if there is no run in DIR within ten seconds.  Writes the row "
    "of a generation in run.db, its line in the log, and the report.";

static void train_change(struct train_words *words, const struct argp_state *state,
                         const char *part, const char *text)
{
    if (words->change_count == TRAIN_CHANGES)
        cli_usage(state, "too many of --option, --play, --search, --net and --optimizer");
    words->changes[2 * words->change_count] = part;
    words->changes[2 * words->change_count++ + 1] = cli_text(state, text);
}

static void train_finish(struct train_words *words, const struct argp_state *state)
{
    struct banyan_error err;
    if (!words->game)
        cli_usage(state, "needs a GAME; `banyan list` names them");
    if (!words->folder && !words->help)
        cli_usage(state, "needs --run DIR");
    enum banyan_status status = loop_settings_default(words->game, &words->settings, &err);
    for (int i = 0; status == BANYAN_OK && i < words->change_count; ++i)
        status = loop_settings_parse(&words->settings, words->changes[2 * i],
                                     words->changes[2 * i + 1], &err);
    if (status != BANYAN_OK)
        cli_usage(state, "%s", err.message);
}

static error_t train_option(int key, char *arg, struct argp_state *state)
{
    struct train_words *words = state->input;
    switch (key) {
    case TRAIN_RUN:
        words->folder = arg;
        return 0;
    case TRAIN_LOOP:
        train_change(words, state, "loop", arg);
        return 0;
    case TRAIN_PLAY:
        train_change(words, state, "play", arg);
        return 0;
    case TRAIN_SEARCH:
        train_change(words, state, "search", arg);
        return 0;
    case TRAIN_OPTIMIZER:
        train_change(words, state, "optimizer", arg);
        return 0;
    case TRAIN_NET:
        train_change(words, state, "net", arg);
        return 0;
    case TRAIN_OPTIONS:
        words->help = true;
        return 0;
    case TRAIN_ONCE:
        words->once = true;
        return 0;
    case ARGP_KEY_ARG:
        if (words->game)
            cli_usage(state, "one game, not also '%s'", arg);
        words->game = cli_game(state, arg);
        return 0;
    case ARGP_KEY_END:
        train_finish(words, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int train_list(struct train_words *words)
{
    static char text[1 << 16];
    for (int i = 0; loop_parts[i]; ++i) {
        void *values;
        const struct banyan_option *table = loop_part(&words->settings, loop_parts[i], &values);
        banyan_options_help(table, values, text, sizeof text);
        printf("--%s:\n%s\n", strcmp(loop_parts[i], "loop") ? loop_parts[i] : "option", text);
    }
    return CLI_OK;
}

static void train_progress(void *ctx, const char *what, int64_t done, int64_t total)
{
    struct train_words *words = ctx;
    if (words->what != what) {
        if (words->what)
            progress_end(&words->progress);
        progress_start(&words->progress, what, (uint64_t)total);
        words->what = what;
    }
    progress_step(&words->progress, (uint64_t)done, "");
}

static void train_chosen(void *ctx, const char *what)
{
    (void)ctx;
    printf("networks: %s\n", what);
    fflush(stdout);
}

static void train_report(void *ctx, const struct loop_generation *generation)
{
    struct train_words *words = ctx;
    char line[512];
    if (words->what)
        progress_end(&words->progress);
    words->what = NULL;
    ++words->generations;
    loop_line(generation, line, sizeof line);
    printf("%s\n", line);
    fflush(stdout);
}

static int train_run(int argc, char **argv, const char *doc, unsigned roles)
{
    struct train_words words = {.roles = roles};
    const struct argp argp = {train_options, train_option, "GAME", doc, NULL, NULL, NULL};
    cli_parse(&argp, argc, argv, &words);
    if (words.help)
        return train_list(&words);
    struct loop_job job = {.game = words.game,
                           .roles = words.roles,
                           .once = words.once,
                           .folder = words.folder,
                           .settings = words.settings,
                           .changes = words.changes,
                           .stop = interrupt_watch(),
                           .chosen = train_chosen,
                           .report = train_report,
                           .progress = train_progress,
                           .ctx = &words};
    struct banyan_error err;
    enum banyan_status status = loop_run(&job, &err);
    if (words.what)
        progress_end(&words.progress);
    if (status == BANYAN_OK && roles == LOOP_ALL && !words.generations)
        printf("nothing to learn: the run in '%s' is finished\n", words.folder);
    return cli_end(argv[0], status, &err);
}

int cli_train(int argc, char **argv)
{
    return train_run(argc, argv, train_doc, LOOP_ALL);
}

int cli_selfplay(int argc, char **argv)
{
    return train_run(argc, argv, train_play_doc, LOOP_PLAYS);
}

int cli_learn(int argc, char **argv)
{
    return train_run(argc, argv, train_learn_doc, LOOP_LEARNS);
}

int cli_gate(int argc, char **argv)
{
    return train_run(argc, argv, train_gate_doc, LOOP_GATES);
}
