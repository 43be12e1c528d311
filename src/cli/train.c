/* banyan train: trains a network by self-play. */
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/timing.h"
#include "cli/train_json.h"

#include "train/loop.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TRAIN_CHANGES = 64 };

struct train_words {
    const struct banyan_game *game;
    const char *folder, *queue;
    double lease_ms, audit; /* -1: not given */
    int local;
    const char *changes[2 * TRAIN_CHANGES + 2];
    int change_count;
    struct loop_settings settings;
    struct progress progress;
    const char *what; /* name of the work that the progress bar shows */
    struct loop_standing standing;
    double started_s;
    int64_t
        begun_at; /* generations that were finished when this process began; -1: not known yet */
    bool help, once, json;
    double printed_s; /* when progress was printed last as JSON */
};

enum {
    TRAIN_RUN = 'r',
    TRAIN_LOOP = 'o',
    TRAIN_PLAY = 0x100,
    TRAIN_SEARCH,
    TRAIN_OPTIMIZER,
    TRAIN_NET,
    TRAIN_OPTIONS,
    TRAIN_ONCE,
    TRAIN_LEASE,
    TRAIN_AUDIT,
    TRAIN_LOCAL,
    TRAIN_QUEUE = 'q',
    TRAIN_JSON = 'j'
};

static const struct argp_option train_options[] = {
    {"run", TRAIN_RUN, "DIR", 0, "Folder of the run; an existing run is continued", 0},
    {"option", TRAIN_LOOP, "NAME=VALUE,...", 0, "Options of the run", 0},
    {"play", TRAIN_PLAY, "NAME=VALUE,...", 0, "Options of self-play", 0},
    {"search", TRAIN_SEARCH, "NAME=VALUE,...", 0, "Options of the searches of self-play", 0},
    {"optimizer", TRAIN_OPTIMIZER, "NAME=VALUE,...", 0, "Options of the optimizer", 0},
    {"net", TRAIN_NET, "NAME=VALUE,...", 0, "Options of the network of a new run", 0},
    {"list-options", TRAIN_OPTIONS, NULL, 0, "Print all options with GAME's values, and stop", 0},
    {"once", TRAIN_ONCE, NULL, 0, "Stop after the present generation", 0},
    {"queue", TRAIN_QUEUE, "URL", 0,
     "`banyan worker --queue URL` plays the games, on any number of machines; "
     "redis://[[USER:]PASSWORD@]HOST[:PORT][/DB][?prefix=NAME], or redis+unix://PATH",
     0},
    {"local", TRAIN_LOCAL, "THREADS", 0,
     "With --queue: this many threads of this process play, too; default: none", 0},
    {"lease", TRAIN_LEASE, "TIME", 0,
     "After this time without a message from a worker, others play its games; default: 30s", 0},
    {"audit", TRAIN_AUDIT, "SHARE", 0,
     "With backend=plain: share of the workers' games that are played again here and compared; "
     "default: 0.02",
     0},
    {"json", TRAIN_JSON, NULL, 0, "Print one JSON object a line (docs/json.md)", 0},
    {0}};

static const char train_doc[] =
    "Trains a network for GAME by self-play.  A generation plays games, learns from them, and "
    "compares the new network with the best one.\v"
    "Ctrl-C or SIGTERM stops (exit code 130); the same command continues the run.  DIR holds "
    "everything; the "
    "best network plays as the player net:DIR/best.safetensors.";

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
    if (words->audit >= 0 && !words->queue)
        cli_usage(state, "--audit is for --queue, whose workers play the games");
    if (words->lease_ms >= 0 && !words->queue)
        cli_usage(state, "--lease is for --queue, whose workers play the games");
    if (words->local && !words->queue)
        cli_usage(state, "--local is for --queue; without it `--play threads=N` threads play");
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
        words->folder = cli_path(state, "--run", arg);
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
    case TRAIN_QUEUE:
        words->queue = cli_queue_url(state, arg);
        return 0;
    case TRAIN_LOCAL:
        words->local = (int)cli_integer(state, "--local", arg, 1, 256);
        return 0;
    case TRAIN_LEASE:
        words->lease_ms = cli_time(state, "--lease", arg, 5000, 86400e3);
        return 0;
    case TRAIN_JSON:
        words->json = true;
        return 0;
    case TRAIN_AUDIT:
        words->audit = cli_number(state, "--audit", arg, 0, 1);
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

/* The clock starts at the first report of progress or of a generation. */
static void train_begin(struct train_words *words)
{
    if (words->begun_at >= 0)
        return;
    words->begun_at = words->standing.finished;
    words->started_s = timing_wall_s();
}

/* Prints progress as JSON, at most once a second for each kind of work. */
static void train_print_progress(struct train_words *words, const char *what, int64_t done,
                                 int64_t total)
{
    double now = timing_wall_s();
    if (words->what == what && now < words->printed_s + 1)
        return;
    words->what = what;
    words->printed_s = now;
    train_json_progress(what, done, total, &words->standing, words->queue != NULL);
}

static void train_progress(void *ctx, const char *what, int64_t done, int64_t total)
{
    struct train_words *words = ctx;
    if (words->json) {
        train_print_progress(words, what, done, total);
        return;
    }
    if (words->what != what) {
        if (words->what)
            progress_end(&words->progress);
        progress_start(&words->progress, what, (uint64_t)total);
        words->what = what;
    }
    char note[96];
    train_begin(words);
    int length =
        snprintf(note, sizeof note, "generation %lld of %lld",
                 (long long)words->standing.finished + 1, (long long)words->standing.generations);
    if (words->queue)
        snprintf(note + length, sizeof note - (size_t)length, ", %lld workers",
                 (long long)words->standing.queue.workers);
    progress_step(&words->progress, (uint64_t)done, note);
}

static void train_chosen(void *ctx, const char *what)
{
    const struct train_words *words = ctx;
    if (words->json)
        train_json_begin(what);
    else
        printf("networks: %s\n", what);
    fflush(stdout);
}

/* Prints how far the run is; the time is a rough one, because generations differ in length. */
static void train_say_rest(const struct train_words *words, int64_t generation)
{
    int64_t left = words->standing.generations - generation, here = generation - words->begun_at;
    double elapsed = timing_wall_s() - words->started_s;
    if (left > 0 && here > 0)
        printf("  %lld of at most %lld generations, about %.0f s more\n", (long long)generation,
               (long long)words->standing.generations, elapsed / (double)here * (double)left);
}

static void train_warn(void *ctx, const char *text)
{
    struct train_words *words = ctx;
    if (words->json) {
        train_json_warning(text);
        return;
    }
    if (words->what)
        progress_end(&words->progress);
    fprintf(stderr, "banyan train: %s\n", text);
}

static void train_report(void *ctx, const struct loop_generation *generation)
{
    struct train_words *words = ctx;
    char line[512];
    if (words->json) {
        train_json_generation(generation);
        return;
    }
    if (words->what)
        progress_end(&words->progress);
    words->what = NULL;
    train_begin(words);
    loop_line(generation, line, sizeof line);
    printf("%s\n", line);
    train_say_rest(words, generation->generation);
    fflush(stdout);
}

/* --- the end --- */

static void train_say_why(const struct train_words *words, enum banyan_status status)
{
    const struct loop_standing *at = &words->standing;
    long long finished = (long long)at->finished, all = (long long)at->generations;
    if (status == BANYAN_INTERRUPTED)
        printf("stopped after %lld of %lld generations: the same command goes on\n", finished, all);
    else if (at->over && at->end == LOOP_END_PASSED)
        printf("the run is finished after %lld of at most %lld generations: its last test was "
               "without a "
               "loss (test-stop)\n",
               finished, all);
    else if (at->over)
        printf("the run is finished: all %lld generations are done\n", all);
    else
        printf("stopped after %lld of %lld generations (--once): the same command goes on\n",
               finished, all);
}

static void train_print_end(const struct train_words *words, enum banyan_status status)
{
    const struct loop_standing *at = &words->standing;
    train_json_end(status == BANYAN_INTERRUPTED ? "interrupted"
                   : !at->over                  ? "once"
                   : at->end == LOOP_END_PASSED ? "passed"
                                                : "last",
                   at);
}

/* Prints what can be done with the network. */
static void train_say_next(const struct train_words *words)
{
    char path[1100];
    snprintf(path, sizeof path, "%.1000s/best.safetensors", words->folder);
    if (access(path, R_OK) != 0)
        return;
    const char *game = words->game->name;
    printf("the best network is %s\n", path);
    printf("  play against it:  banyan play %s --player2 net:%s\n", game, path);
    printf("  measure it:       banyan match %s net:%s mcts --time 50ms -n 20\n", game, path);
    printf("  see the charts:   %s/report.html\n", words->folder);
}

int cli_train(int argc, char **argv)
{
    struct train_words words = {.begun_at = -1, .lease_ms = -1, .audit = -1};
    const struct argp argp = {train_options, train_option, "GAME", train_doc, NULL, NULL, NULL};
    cli_parse(&argp, argc, argv, &words);
    if (words.help)
        return train_list(&words);
    struct loop_job job = {.game = words.game,
                           .once = words.once,
                           .folder = words.folder,
                           .settings = words.settings,
                           .changes = words.changes,
                           .queue = words.queue,
                           .local = words.local,
                           .lease_ms = words.lease_ms >= 0 ? words.lease_ms : 30000,
                           .audit = words.audit >= 0 ? words.audit : 0.02,
                           .warn = train_warn,
                           .stop = interrupt_watch_also_term(),
                           .chosen = train_chosen,
                           .report = train_report,
                           .progress = train_progress,
                           .ctx = &words,
                           .standing = &words.standing};
    struct banyan_error err;
    enum banyan_status status = loop_run(&job, &err);
    if (words.what && !words.json)
        progress_end(&words.progress);
    bool ended = status == BANYAN_OK || status == BANYAN_INTERRUPTED;
    if (ended && words.json) {
        train_print_end(&words, status);
    } else if (ended) {
        train_say_why(&words, status);
        train_say_next(&words);
    }
    return cli_end(argv[0], status, &err);
}
