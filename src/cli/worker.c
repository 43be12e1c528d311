/* banyan worker: plays games for the owner of a queue. */
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/timing.h"

#include "train/worker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WORKER_QUEUE = 'q',
    WORKER_THREADS = 'j',
    WORKER_NAME = 0x100,
    WORKER_CACHE,
    WORKER_KINDS,
    WORKER_ONCE_ONLY,
    WORKER_IDLE_EXIT,
    WORKER_ALLOW_EXEC
};

enum { WORKER_RENEW_MS = 1500 }; /* the shortest lease is 5 s */

struct worker_words {
    struct worker_job job;
    char cache[1024];
    bool terminal;
    double started_s, shown_s;
};

static const struct argp_option worker_options[] = {
    {"queue", WORKER_QUEUE, "URL", 0,
     "The queue: redis://[[USER:]PASSWORD@]HOST[:PORT][/DB][?prefix=NAME], or redis+unix://PATH",
     0},
    {"threads", WORKER_THREADS, "N", 0, "Threads; default: one for each core", 0},
    {"name", WORKER_NAME, "NAME", 0,
     "Name of this worker, which no other has; default: host, process, a random number", 0},
    {"cache", WORKER_CACHE, "DIR", 0,
     "Folder for networks and books, for all workers of this machine; default: ~/.cache/banyan", 0},
    {"kinds", WORKER_KINDS, "KIND,...", 0,
     "Take these jobs only: play (games of self-play), match (games between players, of matches, "
     "tuning, and of a run's gates and tests); default: all",
     0},
    {"once", WORKER_ONCE_ONLY, NULL, 0, "Do one job, and stop", 0},
    {"idle-exit", WORKER_IDLE_EXIT, "TIME", 0, "Stop after this time without a job", 0},
    {"allow-exec", WORKER_ALLOW_EXEC, NULL, 0,
     "Let jobs start outside programs (players exec:...) on this machine", 0},
    {0}};

static const char worker_doc[] =
    "Plays games for `banyan train`, `match` or `tune --queue URL` on another machine or this "
    "one.\v"
    "Any number of workers may come and go, and may be killed: their games are played by others. "
    "The run's settings and networks come by the queue.  Ctrl-C and SIGTERM return unfinished "
    "games "
    "(exit code 130).";

/* Writes the cache folder, ~/.cache/banyan or $XDG_CACHE_HOME/banyan; "": it cannot be written. */
static void worker_find_cache(char *out, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = cache && *cache ? snprintf(out, size, "%s", cache)
                                 : snprintf(out, size, "%s/.cache", home ? home : "");
    if (length + 16 < (int)size) {
        mkdir(out, 0777);
        snprintf(out + length, size - (size_t)length, "/banyan");
        mkdir(out, 0777);
    }
    if (access(out, W_OK) != 0)
        out[0] = 0;
}

static void worker_finish(struct worker_words *words, const struct argp_state *state)
{
    if (!words->job.queue)
        cli_usage(state, "needs --queue URL, the same as that of `banyan train`");
    if (!words->job.cache) {
        worker_find_cache(words->cache, sizeof words->cache);
        words->job.cache = words->cache[0] ? words->cache : NULL;
    }
}

/* Refuses words that are no kinds. */
static const char *worker_read_kinds(const struct argp_state *state, const char *text)
{
    static const char *const kinds[] = {"play", "match"};
    const char *at = text;
    do {
        size_t size = strcspn(at, ",");
        bool known = false;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
            known |= strlen(kinds[i]) == size && memcmp(kinds[i], at, size) == 0;
        if (!known)
            cli_usage(state, "--kinds: '%.*s' is no kind of job: play, match", (int)size, at);
        at += size;
    } while (*at++);
    return text;
}

static error_t worker_option(int key, char *arg, struct argp_state *state)
{
    struct worker_words *words = state->input;
    struct worker_job *job = &words->job;
    switch (key) {
    case WORKER_QUEUE:
        job->queue = cli_queue_url(state, arg);
        return 0;
    case WORKER_THREADS:
        job->threads = (int)cli_integer(state, "--threads", arg, 1, 256);
        return 0;
    case WORKER_NAME:
        job->name = arg;
        return 0;
    case WORKER_CACHE:
        job->cache = cli_path(state, "--cache", arg);
        return 0;
    case WORKER_KINDS:
        job->kinds = worker_read_kinds(state, arg);
        return 0;
    case WORKER_ONCE_ONLY:
        job->once = true;
        return 0;
    case WORKER_IDLE_EXIT:
        job->idle_exit_ms = cli_time(state, "--idle-exit", arg, 1, 1e12);
        return 0;
    case WORKER_ALLOW_EXEC:
        job->allow_exec = true;
        return 0;
    case ARGP_KEY_ARG:
        cli_too_many(state, arg);
    case ARGP_KEY_END:
        worker_finish(words, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* A line on a terminal, drawn again twice a second. */
static void worker_progress(void *ctx, const struct worker_totals *totals)
{
    struct worker_words *words = ctx;
    double now = timing_wall_s(), elapsed = now - words->started_s;
    if (!words->terminal || now < words->shown_s + 0.5)
        return;
    words->shown_s = now;
    fprintf(stderr, "\r%lld jobs done, %d in progress, %.1f jobs/s     ", (long long)totals->jobs,
            totals->held, (double)totals->jobs / elapsed);
}

static void worker_lost(void *ctx, const char *why)
{
    const struct worker_words *words = ctx;
    fprintf(stderr, "%sbanyan worker: %s\n", words->terminal ? "\r" : "",
            why ? why : "the queue's server is back");
}

static void worker_tell_end(const struct worker_totals *totals, enum worker_end end)
{
    static const char *const why[] = {[WORKER_OVER] = "there are no more jobs",
                                      [WORKER_DRAINED] = "the queue is drained",
                                      [WORKER_ONCE] = "one job is done (--once)",
                                      [WORKER_IDLE] = "no job came for a while (--idle-exit)",
                                      [WORKER_STOPPED] = "stopped; unfinished games are returned"};
    printf("%s: %lld jobs done\n", why[end], (long long)totals->jobs);
}

int cli_worker(int argc, char **argv)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct worker_words words = {
        .job = {.threads = cores < 1     ? 1
                           : cores > 256 ? 256
                                         : (int)cores,
                .renew_ms = WORKER_RENEW_MS,
                .idle_exit_ms = INFINITY,
                .lost = worker_lost,
                .progress = worker_progress},
        .terminal = isatty(2),
    };
    const struct argp argp = {worker_options, worker_option, NULL, worker_doc, NULL, NULL, NULL};
    struct worker_totals totals;
    enum worker_end end;
    struct banyan_error err;
    cli_parse(&argp, argc, argv, &words);
    words.job.ctx = &words;
    words.job.stop = interrupt_watch_also_term();
    words.started_s = timing_wall_s();
    enum banyan_status status = worker_run(&words.job, &totals, &end, &err);
    if (words.terminal && words.shown_s > 0)
        fprintf(stderr, "\r%70s\r", "");
    if (status == BANYAN_OK)
        worker_tell_end(&totals, end);
    return cli_end(argv[0], status, &err);
}
