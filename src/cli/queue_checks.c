/* Checks what may be wrong with a queue and its server, and says how to repair it. */
#include "cli/queue_report.h"

#include <inttypes.h>
#include <string.h>

static void check_add(json_t *checks, const char *check, const char *level, json_t *message)
{
    json_array_append_new(
        checks, json_pack("{s:s, s:s, s:o}", "check", check, "level", level, "message", message));
}

/* A server with a longer round trip slows down workers whose jobs are short. */
enum { SLOW_MS = 100 };

static void check_server(json_t *checks, const struct queue_server *server)
{
    bool slow = server->round_trip_ms > SLOW_MS;
    check_add(checks, "server", slow ? "note" : "good",
              json_sprintf("Redis %s at %s answers within %.2g ms%s", server->version,
                           server->place, server->round_trip_ms,
                           slow ? ": jobs should take seconds" : ""));
}

static json_t *check_disk_message(const struct queue_server *server)
{
    if (server->disk_failed)
        return json_string(
            "the server's last write to disk failed: is there room?  See redis' log");
    if (!server->on_disk)
        return json_string("the server keeps nothing on disk: if it ends, owners write jobs again, "
                           "and workers compute results again that were on their way; "
                           "`appendonly yes` in redis.conf prevents this");
    if (strcmp(server->sync, "always") == 0)
        return json_string(
            "the server waits for its disk at every write, which slows workers down "
            "and which owners do not need; set `appendfsync everysec` in redis.conf");
    return json_sprintf("the server writes to its disk; it answered late %" PRId64
                        " times because of that",
                        server->sync_delays);
}

static void check_disk(json_t *checks, const struct queue_server *server)
{
    bool good = server->on_disk && strcmp(server->sync, "always") != 0;
    check_add(checks, "disk",
              server->disk_failed ? "wrong"
              : good              ? "good"
                                  : "note",
              check_disk_message(server));
}

static void check_memory(json_t *checks, const struct queue_server *server)
{
    double used = (double)server->memory / 0x1p20, limit = (double)server->memory_limit / 0x1p20;
    if (server->memory_limit == 0)
        check_add(checks, "memory", "good",
                  json_sprintf("the server uses %.1f MiB of memory, without a limit", used));
    else if (used > 0.9 * limit)
        check_add(checks, "memory", "wrong",
                  json_sprintf("the server uses %.1f of %.1f MiB: when all is used, workers "
                               "wait; raise maxmemory by `redis-cli config set` and in redis.conf",
                               used, limit));
    else
        check_add(checks, "memory", "good",
                  json_sprintf("the server uses %.1f of %.1f MiB of memory", used, limit));
}

static void check_clients(json_t *checks, const struct queue_server *server)
{
    bool few = server->clients_limit > 0 && 10 * server->clients > 9 * server->clients_limit;
    check_add(checks, "connections", few ? "wrong" : "good",
              json_sprintf("%" PRId64 " of %" PRId64 " connections are used%s", server->clients,
                           server->clients_limit,
                           few ? ": a worker has several; raise maxclients in redis.conf" : ""));
}

/* Checks whether an existing queue has an owner and workers, is open, and has no bad results. */
static void check_work(json_t *checks, const struct queue_report *report)
{
    const struct queue_counts *counts = &report->counts;
    const char *name = report->server.name;
    if (!report->server.owner[0] && counts->mode != QUEUE_OVER)
        check_add(
            checks, "owner", "note",
            json_sprintf("nobody owns the queue '%s': results wait until its owner is back", name));
    if (counts->mode == QUEUE_PAUSED || counts->mode == QUEUE_DRAINED)
        check_add(checks, "mode", "note",
                  json_sprintf("the queue '%s' is %s: `banyan queue resume` opens it", name,
                               queue_mode_name(counts->mode)));
    if (counts->waiting > 0 && counts->workers == 0)
        check_add(checks, "workers", "note",
                  json_sprintf("%" PRId64 " jobs wait, and no worker has reported lately",
                               counts->waiting));
    if (counts->bad > 0)
        check_add(checks, "bad", "note",
                  json_sprintf("%" PRId64 " results were refused, or jobs given up: "
                               "`banyan queue status` lists the last ones",
                               counts->bad));
}

json_t *queue_report_checks(const struct queue_report *report)
{
    const struct queue_server *server = &report->server;
    json_t *checks = json_array();
    check_server(checks, server);
    check_disk(checks, server);
    check_memory(checks, server);
    check_clients(checks, server);
    if (server->present)
        check_work(checks, report);
    else
        check_add(checks, "queue", "note",
                  json_sprintf("there is no queue '%s' yet: its owner makes it", server->name));
    return checks;
}
