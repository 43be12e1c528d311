/* banyan queue: shows the state of a queue of jobs for many machines, and pauses, drains or clears it. */
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/queue_report.h"
#include "cli/show.h"

#include <string.h>

enum queue_action {
    QUEUE_STATUS,
    QUEUE_DOCTOR,
    QUEUE_PAUSE,
    QUEUE_RESUME,
    QUEUE_DRAIN,
    QUEUE_CLEAR
};

static const char *const queue_actions[] = {"status", "doctor", "pause", "resume",
                                            "drain",  "clear",  NULL};

struct queue_words {
    enum queue_action action;
    const char *url;
    bool json, metrics;
};

enum { QUEUE_JSON = 'j', QUEUE_METRICS = 0x100 };

static const struct argp_option queue_options[] = {
    {"json", QUEUE_JSON, NULL, 0, "With status or doctor: print JSON (docs/json.md)", 0},
    {"prometheus", QUEUE_METRICS, NULL, 0, "With status: print the state as text for Prometheus",
     0},
    {0}};

static const char queue_doc[] =
    "Shows the state of a queue of jobs for many machines, or changes it.\v"
    "  status  jobs, results, workers, the server\n"
    "  doctor  problems, and how to mend them; exit code 1 if one is marked 'wrong'\n"
    "  pause   workers finish what they have, and wait\n"
    "  resume  workers take jobs again\n"
    "  drain   workers finish what they have, and end; the jobs stay\n"
    "  clear   deletes the queue, if nobody owns it\n\n"
    "URL is redis://[[USER:]PASSWORD@]HOST[:PORT][/DB][?prefix=NAME] or "
    "redis+unix://PATH[?prefix=NAME]; the environment's BANYAN_REDIS_PASSWORD keeps a password off "
    "the command line.\n\nExample: banyan queue status redis://127.0.0.1\n\n"
    "docs/cluster.md tells more.";

static void queue_words_check(const struct queue_words *words, const struct argp_state *state)
{
    if (!words->url)
        cli_usage(state, "needs an action and the queue's URL, such as status redis://127.0.0.1");
    if (words->json && words->action > QUEUE_DOCTOR)
        cli_usage(state, "--json is for status and doctor");
    if (words->metrics && (words->action != QUEUE_STATUS || words->json))
        cli_usage(state, "--prometheus is for status, without --json");
}

static error_t queue_option(int key, char *arg, struct argp_state *state)
{
    struct queue_words *words = state->input;
    switch (key) {
    case QUEUE_JSON:
        words->json = true;
        return 0;
    case QUEUE_METRICS:
        words->metrics = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            cli_too_many(state, arg);
        if (state->arg_num == 0)
            words->action = (enum queue_action)cli_choice(state, "action", arg, queue_actions);
        else
            words->url = arg;
        return 0;
    case ARGP_KEY_END:
        queue_words_check(words, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- actions --- */

static enum banyan_status queue_missing(const struct queue_report *report, struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_IO, "there is no queue '%s' at %s (yet): its owner makes it",
                       report->server.name, report->server.place);
}

static enum banyan_status queue_show(const struct queue_words *words,
                                     const struct queue_report *report, struct banyan_error *err)
{
    if (!report->server.present)
        return queue_missing(report, err);
    if (words->json)
        show_json(queue_report_json(report));
    else if (words->metrics)
        queue_report_metrics(report);
    else
        queue_report_print(report);
    return BANYAN_OK;
}

/* Prints the checks; CLI_FAILURE: something is wrong. */
static int queue_diagnose(const struct queue_words *words, const struct queue_report *report)
{
    json_t *checks = queue_report_checks(report), *check;
    int code = CLI_OK;
    size_t i;
    json_array_foreach(checks, i, check)
    {
        const char *level = json_string_value(json_object_get(check, "level"));
        if (strcmp(level, "wrong") == 0)
            code = CLI_FAILURE;
        if (!words->json)
            printf("%-12s %-6s %s\n", json_string_value(json_object_get(check, "check")), level,
                   json_string_value(json_object_get(check, "message")));
    }
    if (words->json)
        show_json(checks);
    else
        json_decref(checks);
    return code;
}

static enum banyan_status queue_hold(struct queue *queue, enum queue_mode mode,
                                     const struct queue_report *report, struct banyan_error *err)
{
    static const char *const effects[] = {
        "workers take jobs",
        "workers finish what they have, and wait",
        "workers finish what they have, and end",
    };
    if (!report->server.present)
        return queue_missing(report, err);
    if (report->counts.mode == QUEUE_OVER)
        return banyan_fail(err, BANYAN_IO, "the queue '%s' is over: its owner has no more jobs",
                           report->server.name);
    enum banyan_status status = queue_set_mode(queue, mode, err);
    if (status == BANYAN_OK)
        printf("queue '%s' at %s is %s: %s\n", report->server.name, report->server.place,
               queue_mode_name(mode), effects[mode]);
    return status;
}

/* Refuses to delete a queue that has an owner: the owner would write it again, and its workers
 * would not know that it was deleted. */
static enum banyan_status queue_delete(struct queue *queue, const struct queue_report *report,
                                       struct banyan_error *err)
{
    const struct queue_server *server = &report->server;
    if (server->owner[0])
        return banyan_fail(err, BANYAN_IO,
                           "the queue '%s' has an owner, %s: stop it, wait 10 s, and try again",
                           server->name, server->owner);
    enum banyan_status status = queue_clear(queue, err);
    if (status == BANYAN_OK)
        printf("queue '%s' at %s is deleted\n", server->name, server->place);
    return status;
}

static enum banyan_status queue_act(const struct queue_words *words, struct queue *queue,
                                    const struct queue_report *report, struct banyan_error *err)
{
    switch (words->action) {
    case QUEUE_PAUSE:
        return queue_hold(queue, QUEUE_PAUSED, report, err);
    case QUEUE_RESUME:
        return queue_hold(queue, QUEUE_OPEN, report, err);
    case QUEUE_DRAIN:
        return queue_hold(queue, QUEUE_DRAINED, report, err);
    case QUEUE_CLEAR:
        return queue_delete(queue, report, err);
    default:
        return queue_show(words, report, err);
    }
}

int cli_queue(int argc, char **argv)
{
    enum { PATIENCE_MS = 1000 };
    struct queue_words words = {.url = NULL};
    struct queue_settings settings;
    struct queue_report report = {.workers = NULL};
    struct queue *queue = NULL;
    struct banyan_error err;
    int code = CLI_OK;
    const struct argp argp = {queue_options, queue_option, "ACTION URL", queue_doc,
                              NULL,          NULL,         NULL};
    cli_parse(&argp, argc, argv, &words);
    queue_settings_default(&settings);
    settings.role = QUEUE_VISITOR;
    settings.patience_ms = PATIENCE_MS;
    settings.stop = interrupt_watch();
    enum banyan_status status = queue_open(&queue, words.url, &settings, &err);
    if (status == BANYAN_OK)
        status = queue_report_read(&report, queue, &err);
    if (status == BANYAN_OK && words.action == QUEUE_DOCTOR)
        code = queue_diagnose(&words, &report);
    else if (status == BANYAN_OK)
        status = queue_act(&words, queue, &report, &err);
    queue_report_free(&report);
    queue_close(queue);
    return status == BANYAN_OK ? code : cli_end(argv[0], status, &err);
}
