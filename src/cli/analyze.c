/* banyan analyze: answers questions about positions, one JSON object a line in and out, many at once. */
#include "cli/analyze.h"

#include "cli/cli.h"
#include "cli/interrupt.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct analyze {
    struct searcher base;
    int jobs, calls;
    int port; /* -1: standard input and output */
};

enum { ANALYZE_CALLS = 0x5000, ANALYZE_LISTEN };

static const struct argp_option analyze_options[] = {
    {"jobs", 'j', "N", 0, "Questions that are searched at the same time; default 1", 0},
    {"calls", ANALYZE_CALLS, "N", 0,
     "Batches that a network computes at the same time; one batch has leaves of several "
     "questions; default 2",
     0},
    {"listen", ANALYZE_LISTEN, "PORT", 0,
     "Serve programs of this machine that connect to 127.0.0.1, PORT; 0: any free port", 0},
    {0}};

static error_t analyze_option(int key, char *arg, struct argp_state *state)
{
    struct analyze *analyze = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &analyze->base;
        return 0;
    case 'j':
        analyze->jobs = (int)cli_integer(state, "--jobs", arg, 1, 1024);
        return 0;
    case ANALYZE_CALLS:
        analyze->calls = (int)cli_integer(state, "--calls", arg, 1, 64);
        return 0;
    case ANALYZE_LISTEN:
        analyze->port = (int)cli_integer(state, "--listen", arg, 0, 65535);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            cli_too_many(state, arg);
        analyze->base.position.game = cli_game(state, arg);
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 1)
            cli_usage(state, "needs a GAME; `banyan list` names them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- standard input and output --- */

struct analyze_streams {
    struct analyze_client client; /* comes first: the pool holds a pointer to it */
    pthread_mutex_t lock;         /* of standard output */
};

static void analyze_send(struct analyze_client *client, const char *line, size_t length)
{
    struct analyze_streams *streams = (struct analyze_streams *)client;
    pthread_mutex_lock(&streams->lock);
    fwrite(line, 1, length, stdout);
    fflush(stdout);
    pthread_mutex_unlock(&streams->lock);
}

/* Reads the next line into text[ANALYZE_LINE_MAX + 2]. Returns its length without the line's end,
 * -1 at the end of input, -2 if it is too long: then the rest of it is skipped. */
static long analyze_read(FILE *in, char *text)
{
    if (!fgets(text, ANALYZE_LINE_MAX + 2, in))
        return -1;
    size_t length = strlen(text);
    bool ended = length > 0 && text[length - 1] == '\n';
    if (!ended && length > ANALYZE_LINE_MAX) {
        for (int c = getc(in); c != EOF && c != '\n';)
            c = getc(in);
        return -2;
    }
    return (long)(length - ended);
}

static enum banyan_status analyze_talk(struct analyze_pool *pool, struct analyze_client *client,
                                       struct banyan_error *err)
{
    char *text = malloc(ANALYZE_LINE_MAX + 2);
    long length;
    if (!text)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a line");
    while (!interrupt_seen() && (length = analyze_read(stdin, text)) != -1) {
        if (length == -2)
            analyze_refuse(client, "", "the line is longer than 1 MiB");
        else if (strspn(text, " \t\r\n") < (size_t)length)
            analyze_take(pool, client, text, (size_t)length);
    }
    free(text);
    if (!interrupt_seen())
        return BANYAN_OK;
    analyze_pool_terminate(pool, NULL, NULL);
    return banyan_fail(err, BANYAN_INTERRUPTED, "interrupted");
}

/* Answers standard input; the pool is closed at the end. */
static enum banyan_status analyze_streams(struct analyze_pool *pool, struct banyan_error *err)
{
    struct analyze_streams streams = {.client = {.send = analyze_send}};
    pthread_mutex_init(&streams.lock, NULL);
    enum banyan_status status = analyze_talk(pool, &streams.client, err);
    analyze_pool_close(pool);
    pthread_mutex_destroy(&streams.lock);
    return status;
}

/* Answers whoever connects; the pool is closed at the end. */
static enum banyan_status analyze_connections(const struct analyze *analyze,
                                              struct analyze_pool *pool, const banyan_flag *stop,
                                              struct banyan_error *err)
{
    int socket, port;
    enum banyan_status status = analyze_listen_open(analyze->port, &socket, &port, err);
    if (status != BANYAN_OK) {
        analyze_pool_close(pool);
        return status;
    }
    printf("listening on 127.0.0.1, port %d\n", port);
    fflush(stdout);
    status = analyze_listen_run(pool, socket, ANALYZE_UNREAD_MAX, stop, err);
    return status == BANYAN_OK ? banyan_fail(err, BANYAN_INTERRUPTED, "interrupted") : status;
}

/* What every question starts from: the values of the command line, without its parser. */
static struct searcher analyze_base(const struct searcher *parsed)
{
    struct searcher base = *parsed;
    memset(&base.argp, 0, sizeof base.argp);
    base.rows = NULL;
    base.docs = NULL;
    base.row_count = 0;
    return base;
}

int cli_analyze(int argc, char **argv)
{
    struct analyze analyze = {.jobs = 1, .calls = 2, .port = -1};
    struct analyze_pool *pool;
    struct banyan_error err = {.message = ""};
    searcher_init(&analyze.base, 10000);
    const struct argp_child children[] = {{&analyze.base.argp, 0, NULL, 0}, {0}};
    const struct argp argp = {analyze_options,
                              analyze_option,
                              "GAME",
                              "Answers questions about positions of GAME: one JSON object a line "
                              "on standard input, one or more "
                              "lines of JSON for each on standard output, in the order in which "
                              "they are ready.  The options "
                              "apply to every question that does not set them itself.\v"
                              "Example: echo '{\"id\": \"1\", \"moves\": \"f5 d6\", "
                              "\"simulations\": 1000}' | banyan analyze "
                              "othello.  docs/protocol.md describes the lines.",
                              children,
                              NULL,
                              NULL};
    cli_parse(&argp, argc, argv, &analyze);
    const banyan_flag *stop = interrupt_watch();
    struct searcher parsed = analyze.base;
    analyze.base = analyze_base(&parsed);
    const struct analyze_pool_options options = {&analyze.base, analyze.jobs, analyze.calls};
    enum banyan_status status = analyze_pool_open(&pool, &options, &err);
    if (status == BANYAN_OK)
        status = analyze.port < 0 ? analyze_streams(pool, &err)
                                  : analyze_connections(&analyze, pool, stop, &err);
    searcher_close(&parsed);
    return cli_end(argv[0], status, &err);
}
