/* banyan analyze: answers questions about positions, one JSON object a line in and out, many at once. */
#include "cli/analyze.h"

#include "cli/cli.h"
#include "cli/interrupt.h"

#include <stdlib.h>
#include <string.h>

struct analyze {
    struct searcher base;
    int jobs;
};

static const struct argp_option analyze_options[] = {
    {"jobs", 'j', "N", 0, "Questions that are searched at the same time; default 1", 0}, {0}};

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

/* {"id": ..., "error": ...}, or without id where the line has none. */
static void analyze_refuse(struct analyze_pool *pool, const char *id, const char *why)
{
    json_t *line = *id ? json_pack("{s:s}", "id", id) : json_object();
    json_object_set_new(line, "error", json_string(why));
    analyze_pool_print(pool, line);
}

static void analyze_terminate(struct analyze_pool *pool, const struct analyze_line *line)
{
    bool all = line->kind == ANALYZE_TERMINATE_ALL;
    int count = analyze_pool_terminate(pool, all ? NULL : line->target);
    analyze_pool_print(pool, json_pack("{s:s, s:i}", "id", line->id, "terminated", count));
}

static void analyze_take(struct analyze_pool *pool, const struct searcher *base, const char *text,
                         size_t length)
{
    struct analyze_line line;
    struct banyan_error err = {.message = ""};
    if (analyze_line_read(&line, base, text, length, &err) != BANYAN_OK) {
        analyze_refuse(pool, line.id, err.message);
    } else if (line.kind != ANALYZE_QUESTION) {
        analyze_terminate(pool, &line);
    } else if (analyze_pool_ask(pool, &line.question, &err) != BANYAN_OK) {
        analyze_refuse(pool, line.id, err.message);
        analyze_question_free(&line.question);
    }
}

/* Reads the next line into text[ANALYZE_LINE_MAX + 2].  Returns its length without the line's end,
 * -1 at the end of input, -2 if it is too long: then it is read past. */
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

static enum banyan_status analyze_talk(const struct analyze *analyze, struct analyze_pool *pool,
                                       struct banyan_error *err)
{
    char *text = malloc(ANALYZE_LINE_MAX + 2);
    long length;
    if (!text)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a line");
    while (!interrupt_seen() && (length = analyze_read(stdin, text)) != -1) {
        if (length == -2)
            analyze_refuse(pool, "", "the line is longer than 1 MiB");
        else if (strspn(text, " \t\r\n") < (size_t)length)
            analyze_take(pool, &analyze->base, text, (size_t)length);
    }
    free(text);
    if (!interrupt_seen())
        return BANYAN_OK;
    analyze_pool_terminate(pool, NULL);
    return banyan_fail(err, BANYAN_INTERRUPTED, "interrupted");
}

/* What a question starts from: nothing that belongs to the command line's parser. */
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
    struct analyze analyze = {.jobs = 1};
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
                              "hold where a question says nothing else.\v"
                              "Example: echo '{\"id\": \"1\", \"moves\": \"f5 d6\", "
                              "\"simulations\": 1000}' | banyan analyze "
                              "othello.  docs/protocol.md describes the lines.",
                              children,
                              NULL,
                              NULL};
    cli_parse(&argp, argc, argv, &analyze);
    interrupt_watch();
    struct searcher parsed = analyze.base;
    analyze.base = analyze_base(&parsed);
    enum banyan_status status = analyze_pool_open(&pool, &analyze.base, analyze.jobs, stdout, &err);
    if (status == BANYAN_OK) {
        status = analyze_talk(&analyze, pool, &err);
        analyze_pool_close(pool);
    }
    searcher_close(&parsed);
    return cli_end(argv[0], status, &err);
}
