/* banyan mushroom svg LOG: a game log as one page. */
#include "base/input.h"
#include "base/output.h"
#include "cli/cli.h"
#include "nypc/log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct mushroom_words {
    const char *log, *out;
};

static const struct argp_option mushroom_options[] = {
    {"output", 'o', "FILE", 0, "Write the page to FILE; default: standard output", 0}, {0}};

static error_t mushroom_option(int key, char *arg, struct argp_state *state)
{
    struct mushroom_words *words = state->input;
    switch (key) {
    case 'o':
        words->out = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num == 0 && strcmp(arg, "svg") != 0)
            cli_usage(state, "'%s' is not known; there is: svg LOG", arg);
        if (state->arg_num > 1)
            cli_usage(state, "'%s' is one word too many", arg);
        if (state->arg_num == 1)
            words->log = arg;
        return 0;
    case ARGP_KEY_END:
        if (!words->log)
            cli_usage(state, "a log is needed: banyan mushroom svg LOG");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum banyan_status mushroom_read(const char *path, struct nypc_log *log,
                                        struct banyan_error *err)
{
    FILE *in = fopen(path, "r");
    if (!in)
        return input_failed(err, path, errno);
    enum banyan_status status = nypc_log_read(in, path, log, err);
    fclose(in);
    return status;
}

static enum banyan_status mushroom_write(const char *path, const struct nypc_log *log,
                                         struct banyan_error *err)
{
    struct output output;
    if (!path) {
        nypc_log_page(log, stdout);
        return BANYAN_OK; /* main.c looks at standard output */
    }
    enum banyan_status status = output_open(&output, path, err);
    if (status != BANYAN_OK)
        return status;
    nypc_log_page(log, output.stream);
    return output_close(&output, BANYAN_OK, err);
}

int cli_mushroom(int argc, char **argv)
{
    struct mushroom_words words = {NULL, NULL};
    struct nypc_log log;
    struct banyan_error err;
    const struct argp argp = {mushroom_options,
                              mushroom_option,
                              "svg LOG",
                              "Writes a game log of the judge as one HTML page with a slider.",
                              NULL,
                              NULL,
                              NULL};
    cli_parse(&argp, argc, argv, &words);
    enum banyan_status status = mushroom_read(words.log, &log, &err);
    if (status == BANYAN_OK) {
        status = mushroom_write(words.out, &log, &err);
        nypc_log_free(&log);
    }
    return cli_end(argv[0], status, &err);
}
