/* What a Redis server says about itself and about a queue in it, for whoever administers it. */
#include "queue/queue_redis.h"

#include "queue/redis_connection.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A whole number in the server's answer to INFO; 0: there is none. */
static int64_t inspect_number(const char *info, const char *name)
{
    char text[32];
    return redis_info(info, name, text, sizeof text) ? strtoll(text, NULL, 10) : 0;
}

static void inspect_text(const redisReply *reply, char *out, size_t size)
{
    snprintf(out, size, "%s", reply->type == REDIS_REPLY_STRING ? reply->str : "");
}

static void inspect_info(const char *info, struct queue_server *out)
{
    char write[8] = "ok";
    redis_info(info, "redis_version", out->version, sizeof out->version);
    redis_info(info, "aof_last_write_status", write, sizeof write);
    out->memory = inspect_number(info, "used_memory");
    out->memory_limit = inspect_number(info, "maxmemory");
    out->clients = inspect_number(info, "connected_clients");
    out->clients_limit = inspect_number(info, "maxclients");
    out->on_disk = inspect_number(info, "aof_enabled") == 1;
    out->disk_failed = strcmp(write, "ok") != 0;
    out->sync_delays = inspect_number(info, "aof_delayed_fsync");
}

/* An entry of the stream of bad results. */
static void inspect_bad(const redisReply *entry, queue_bad_fn *each, void *ctx)
{
    const redisReply *fields = entry->elements == 2 ? entry->element[1] : entry;
    const redisReply *number = redis_field(fields, "n"), *worker = redis_field(fields, "w"),
                     *why = redis_field(fields, "why");
    if (number && worker && why && worker->type == REDIS_REPLY_STRING &&
        why->type == REDIS_REPLY_STRING)
        each(ctx, (uint64_t)redis_number(number), worker->str, why->str);
}

/* Measures how long the server takes to answer PING: the shortest time of a few tries. */
static enum banyan_status inspect_round_trip(struct redis_queue *queue, double *out,
                                             struct banyan_error *err)
{
    enum { TRIES = 5 };
    enum banyan_status status = BANYAN_OK;
    *out = INFINITY;
    for (int i = 0; status == BANYAN_OK && i < TRIES; ++i) {
        struct redis_pipe pipe = {0};
        double begun_ms = clock_now_ms();
        redis_pipe_add(&pipe, "PING");
        status = redis_do(queue->link, &pipe, err);
        *out = fmin(*out, clock_now_ms() - begun_ms);
    }
    return status;
}

enum banyan_status redis_inspect(struct queue *base, struct queue_server *out, queue_bad_fn *each,
                                 void *ctx, struct banyan_error *err)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    struct redis_pipe pipe = {0};
    struct redis_answers answers;
    *out = (struct queue_server){.name = ""};
    snprintf(out->name, sizeof out->name, "%s", redis_link_name(queue->link));
    snprintf(out->place, sizeof out->place, "%s", redis_link_shown(queue->link));
    redis_pipe_add(&pipe, "INFO");
    redis_pipe_add(&pipe, "CONFIG GET appendfsync"); /* may be forbidden to this user */
    redis_pipe_add(&pipe, "EXISTS %srun", queue->prefix);
    redis_pipe_add(&pipe, "GET %sowner", queue->prefix);
    redis_pipe_add(&pipe, "XREVRANGE %sbad + - COUNT %d", queue->prefix, QUEUE_BAD_SHOWN);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    if (status != BANYAN_OK)
        return status;
    const redisReply *sync = redis_field(answers.at[1], "appendfsync"), *bad = answers.at[4];
    if (answers.at[0]->type == REDIS_REPLY_STRING)
        inspect_info(answers.at[0]->str, out);
    if (sync)
        inspect_text(sync, out->sync, sizeof out->sync);
    out->present = redis_number(answers.at[2]) == 1;
    inspect_text(answers.at[3], out->owner, sizeof out->owner);
    for (size_t i = 0; each && bad->type == REDIS_REPLY_ARRAY && i < bad->elements; ++i)
        inspect_bad(bad->element[i], each, ctx);
    redis_answers_free(&answers);
    return inspect_round_trip(queue, &out->round_trip_ms, err);
}
