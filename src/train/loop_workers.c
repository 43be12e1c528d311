/* The workers of a run: what each of them has done, and whose results no longer count. */
#include "train/loop_state.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS_REFUSED = 3 }; /* a worker with more refused results is shut out */

static struct train_database_worker *workers_find(const struct loop *loop, const char *name)
{
    for (int i = 0; i < loop->worker_count; ++i)
        if (strcmp(loop->workers[i].name, name) == 0)
            return &loop->workers[i];
    return NULL;
}

static enum banyan_status workers_append(void *ctx, const struct train_database_worker *worker)
{
    struct loop *loop = ctx;
    size_t count = (size_t)loop->worker_count + 1;
    struct train_database_worker *workers = realloc(loop->workers, count * sizeof *loop->workers);
    if (!workers)
        return BANYAN_NO_MEMORY;
    loop->workers = workers;
    loop->workers[loop->worker_count++] = *worker;
    return BANYAN_OK;
}

static enum banyan_status workers_full(struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the names of workers");
}

enum banyan_status loop_workers_load(struct loop *loop, struct banyan_error *err)
{
    enum banyan_status status =
        train_database_each_worker(loop->database, workers_append, loop, err);
    return status == BANYAN_NO_MEMORY ? workers_full(err) : status;
}

void loop_workers_free(struct loop *loop)
{
    free(loop->workers);
    loop->workers = NULL;
    loop->worker_count = 0;
}

/* The worker of this name, who may be new; NULL: no memory. */
static struct train_database_worker *workers_get(struct loop *loop, const char *name)
{
    struct train_database_worker *worker = workers_find(loop, name), added = {.games = 0};
    snprintf(added.name, sizeof added.name, "%s", name);
    if (!worker && workers_append(loop, &added) == BANYAN_OK)
        worker = workers_find(loop, name);
    return worker;
}

void loop_warn(const struct loop *loop, const char *text)
{
    char plain[512];
    if (!loop->job->warn)
        return;
    snprintf(plain, sizeof plain, "%s", text);
    text_make_plain(plain);
    loop->job->warn(loop->job->ctx, plain);
}

static void workers_warn(const struct loop *loop, const struct train_database_worker *worker,
                         const char *why)
{
    char text[512];
    snprintf(text, sizeof text, "a result of worker %s is refused: %s%s", worker->name, why,
             worker->shut_out ? "; the worker is shut out" : "");
    loop_warn(loop, text);
}

enum banyan_status loop_workers_add(struct loop *loop, const struct train_database_worker *more,
                                    const char *why, struct banyan_error *err)
{
    struct train_database_worker added = *more, *worker = workers_get(loop, more->name);
    if (!worker)
        return workers_full(err);
    worker->duplicates += more->duplicates;
    worker->refused += more->refused;
    worker->audited += more->audited;
    worker->shut_out |= more->shut_out || worker->refused > WORKERS_REFUSED;
    added.shut_out = worker->shut_out;
    if (why)
        workers_warn(loop, worker, why);
    return train_database_add_worker(loop->database, &added, err);
}

void loop_workers_tell(struct loop *loop)
{
    enum { TELL_MS = 5000 }; /* the server lists all workers each time */
    struct queue_counts counts;
    if (!loop->job->queue || !loop->job->standing || clock_now_ms() < loop->told_ms + TELL_MS)
        return;
    loop->told_ms = clock_now_ms();
    if (queue_count(loop->queue, &counts, NULL, NULL, NULL) != BANYAN_OK)
        return;
    struct loop_queue_standing *queue = &loop->job->standing->queue;
    *queue = (struct loop_queue_standing){
        .workers = counts.workers, .waiting = counts.waiting, .leased = counts.leased};
    for (int i = 0; i < loop->worker_count; ++i) {
        queue->duplicates += loop->workers[i].duplicates;
        queue->refused += loop->workers[i].refused;
        queue->audited += loop->workers[i].audited;
        queue->shut_out += loop->workers[i].shut_out;
    }
}

bool loop_workers_is_out(const struct loop *loop, const char *name)
{
    const struct train_database_worker *worker = workers_find(loop, name);
    return worker && worker->shut_out;
}

bool loop_workers_is_suspicious(const struct loop *loop, const char *name)
{
    const struct train_database_worker *worker = workers_find(loop, name);
    return worker && worker->refused > 0;
}

/* --- the report --- */

struct workers_report {
    FILE *file;
    int64_t games; /* of all workers */
    bool begun;
};

static enum banyan_status workers_sum(void *ctx, const struct train_database_worker *worker)
{
    struct workers_report *report = ctx;
    report->games += worker->games;
    return BANYAN_OK;
}

/* Names need no quoting: see database.h. */
static enum banyan_status workers_row(void *ctx, const struct train_database_worker *worker)
{
    struct workers_report *report = ctx;
    double games = report->games > 0 ? (double)report->games : 1;
    if (!report->begun)
        fputs("<h2>Workers</h2>\n<table>\n<tr><th>worker</th><th>games</th><th>share</th>"
              "<th>duplicates</th><th>refused</th><th>audited</th><th></th></tr>\n",
              report->file);
    report->begun = true;
    fprintf(report->file,
            "<tr><td>%s</td><td>%lld</td><td>%.1f %%</td><td>%lld</td><td>%lld</td><td>%lld</td>"
            "<td>%s</td></tr>\n",
            worker->name, (long long)worker->games, 100 * (double)worker->games / games,
            (long long)worker->duplicates, (long long)worker->refused, (long long)worker->audited,
            worker->shut_out ? "shut out" : "");
    return BANYAN_OK;
}

void loop_workers_report(const struct loop *loop, FILE *file)
{
    struct workers_report report = {.file = file};
    if (train_database_each_worker(loop->database, workers_sum, &report, NULL) == BANYAN_OK)
        train_database_each_worker(loop->database, workers_row, &report, NULL);
    if (report.begun)
        fputs("</table>\n", file);
}
