/* Tells the state of a queue: in sentences, as JSON, as text for Prometheus. */
#include "cli/queue_report.h"

#include <inttypes.h>
#include <stdio.h>

/* --- reading --- */

static void queue_report_worker(void *ctx, const char *name, const char *report)
{
    json_array_append_new(ctx, json_pack("{s:s, s:s}", "name", name, "report", report));
}

static void queue_report_bad(void *ctx, uint64_t number, const char *worker, const char *reason)
{
    json_array_append_new(ctx, json_pack("{s:I, s:s, s:s}", "job", (json_int_t)number, "worker",
                                         worker, "reason", reason));
}

enum banyan_status queue_report_read(struct queue_report *report, struct queue *queue,
                                     struct banyan_error *err)
{
    *report = (struct queue_report){.workers = json_array(), .bad = json_array()};
    enum banyan_status status =
        queue_inspect(queue, &report->server, queue_report_bad, report->bad, err);
    if (status == BANYAN_OK)
        status = queue_count(queue, &report->counts, queue_report_worker, report->workers, err);
    return status;
}

void queue_report_free(struct queue_report *report)
{
    json_decref(report->workers);
    json_decref(report->bad);
}

/* --- sentences --- */

/* Prints a text that another program wrote, without control characters, which a terminal would obey. */
static void queue_report_text(const json_t *object, const char *key, const char *end)
{
    const char *at = json_string_value(json_object_get(object, key));
    for (; *at; ++at)
        putchar((unsigned char)*at < ' ' || *at == 0x7f ? '?' : *at);
    fputs(end, stdout);
}

static void queue_report_print_server(const struct queue_server *server)
{
    printf("server: Redis %s, answers within %.2g ms, %.1f MiB of memory", server->version,
           server->round_trip_ms, (double)server->memory / 0x1p20);
    if (server->memory_limit > 0)
        printf(" of %.1f", (double)server->memory_limit / 0x1p20);
    printf(", %s\n", server->disk_failed ? "cannot write to its disk"
                     : server->on_disk   ? "on disk"
                                         : "not on disk");
}

void queue_report_print(const struct queue_report *report)
{
    const struct queue_server *server = &report->server;
    const struct queue_counts *counts = &report->counts;
    const json_t *item;
    size_t i;
    printf("queue '%s' at %s: %s, %s%s\n", server->name, server->place,
           queue_mode_name(counts->mode), server->owner[0] ? "owner " : "no owner", server->owner);
    printf("jobs: %" PRId64 " waiting, %" PRId64 " leased", counts->waiting, counts->leased);
    if (counts->leased > 0)
        printf(", the oldest lease %.1f s", counts->oldest_lease_ms / 1000);
    printf("\nresults: %" PRId64 " wait for the owner, %" PRId64 " bad\n", counts->given,
           counts->bad);
    queue_report_print_server(server);
    printf("workers: %" PRId64 "\n", counts->workers);
    json_array_foreach(report->workers, i, item)
    {
        printf("  ");
        queue_report_text(item, "name", ": ");
        queue_report_text(item, "report", "\n");
    }
    json_array_foreach(report->bad, i, item)
    {
        printf("bad: job %" JSON_INTEGER_FORMAT " of ",
               json_integer_value(json_object_get(item, "job")));
        queue_report_text(item, "worker", ": ");
        queue_report_text(item, "reason", "\n");
    }
}

/* --- JSON --- */

static json_t *queue_report_server(const struct queue_server *server)
{
    return json_pack("{s:s, s:f, s:I, s:o, s:I, s:I, s:b, s:o, s:b, s:I}", "version",
                     server->version, "round_trip_ms", server->round_trip_ms, "memory_bytes",
                     (json_int_t)server->memory, "memory_limit_bytes",
                     server->memory_limit ? json_integer(server->memory_limit) : json_null(),
                     "clients", (json_int_t)server->clients, "clients_limit",
                     (json_int_t)server->clients_limit, "on_disk", (int)server->on_disk, "sync",
                     server->sync[0] ? json_string(server->sync) : json_null(), "disk_failed",
                     (int)server->disk_failed, "sync_delays", (json_int_t)server->sync_delays);
}

json_t *queue_report_json(const struct queue_report *report)
{
    const struct queue_server *server = &report->server;
    const struct queue_counts *counts = &report->counts;
    return json_pack("{s:s, s:s, s:s, s:o, s:I, s:I, s:o, s:I, s:I, s:I, s:O, s:O, s:o}", "queue",
                     server->name, "place", server->place, "mode", queue_mode_name(counts->mode),
                     "owner", server->owner[0] ? json_string(server->owner) : json_null(),
                     "waiting", (json_int_t)counts->waiting, "leased", (json_int_t)counts->leased,
                     "oldest_lease_s",
                     counts->leased ? json_real(counts->oldest_lease_ms / 1000) : json_null(),
                     "given", (json_int_t)counts->given, "bad", (json_int_t)counts->bad,
                     "worker_count", (json_int_t)counts->workers, "workers", report->workers,
                     "last_bad", report->bad, "server", queue_report_server(server));
}

/* --- Prometheus --- */

/* One value, with the words that explain it. */
static void queue_report_metric(const struct queue_report *report, const char *name,
                                const char *type, const char *help, double value)
{
    printf("# HELP %s %s\n# TYPE %s %s\n%s{queue=\"%s\"} %.15g\n", name, help, name, type, name,
           report->server.name, value);
}

static void queue_report_gauge(const struct queue_report *report, const char *name,
                               const char *help, double value)
{
    queue_report_metric(report, name, "gauge", help, value);
}

void queue_report_metrics(const struct queue_report *report)
{
    const struct queue_server *server = &report->server;
    const struct queue_counts *counts = &report->counts;
    queue_report_gauge(report, "banyan_queue_open", "1: workers take jobs",
                       counts->mode == QUEUE_OPEN);
    queue_report_gauge(report, "banyan_queue_owned", "1: an owner is there", server->owner[0] != 0);
    queue_report_gauge(report, "banyan_queue_jobs_waiting", "Jobs that nobody has taken",
                       (double)counts->waiting);
    queue_report_gauge(report, "banyan_queue_jobs_leased", "Jobs that workers have",
                       (double)counts->leased);
    queue_report_gauge(report, "banyan_queue_oldest_lease_seconds",
                       "Time since the lease that ends first was renewed",
                       counts->oldest_lease_ms / 1000);
    queue_report_gauge(report, "banyan_queue_results", "Results that wait for the owner",
                       (double)counts->given);
    queue_report_gauge(report, "banyan_queue_bad", "Refused results and jobs that were given up",
                       (double)counts->bad);
    queue_report_gauge(report, "banyan_queue_workers", "Workers that reported lately",
                       (double)counts->workers);
    queue_report_gauge(report, "banyan_queue_redis_round_trip_seconds",
                       "Time in which the server answers PING", server->round_trip_ms / 1000);
    queue_report_gauge(report, "banyan_queue_redis_memory_bytes", "Memory of the server",
                       (double)server->memory);
    queue_report_gauge(report, "banyan_queue_redis_disk_failed",
                       "1: the server's last write to disk failed", server->disk_failed);
    queue_report_metric(report, "banyan_queue_redis_sync_delays_total", "counter",
                        "Answers that came late because of the server's disk",
                        (double)server->sync_delays);
}
