/* How a process becomes and stays the owner of a queue in Redis, and how the owner writes again
 * what the server has lost. */
#include "queue/queue_redis_owner.h"

#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OWN_MS = 10000, OWN_STEP_MS = 2500 };

/* --- being the owner --- */

/* A request to become, stay or stop being the owner, and the answer to it. */
struct restore_claim {
    const char *instead_of;     /* an owner who is dead; "": none */
    bool stays;                 /* this process is the owner, unless another one came meanwhile */
    int ms;                     /* how long it becomes the owner; 0: it stops being the owner */
    char other[QUEUE_NAME + 1]; /* the owner who prevents it; "": nobody */
    bool was_absent;            /* nobody was the owner before */
};

static enum banyan_status restore_own(struct redis_queue *queue, struct restore_claim *claim,
                                      struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    struct redis_answers answers;
    const char *p = queue->prefix;
    redis_pipe_script(&pipe, queue->link, REDIS_OWN, "2 %sowner %srun %s %d %s %d", p, p,
                      queue->name, claim->ms, claim->instead_of, (int)claim->stays);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    if (status == BANYAN_OK)
        status = redis_check(queue->link, &answers, err);
    if (status == BANYAN_OK && answers.at[0]->type == REDIS_REPLY_ARRAY &&
        answers.at[0]->elements == 2) {
        const redisReply *other = answers.at[0]->element[0];
        snprintf(claim->other, sizeof claim->other, "%s",
                 other->type == REDIS_REPLY_STRING ? other->str : "");
        claim->was_absent = redis_number(answers.at[0]->element[1]) == 1;
    }
    redis_answers_free(&answers);
    return status;
}

/* Whether the owner of this name was a process that this one could see (redis_make_name), and is dead. */
static bool restore_is_dead(const struct redis_queue *queue, const char *name)
{
    const char *random = strrchr(queue->name, '-'), *process = random;
    while (process && process > queue->name && process[-1] != '-')
        --process;
    size_t host = process ? (size_t)(process - queue->name) : 0;
    if (host == 0 || strncmp(name, queue->name, host) != 0)
        return false;
    long id = strtol(name + host, NULL, 10);
    return id > 0 && kill((pid_t)id, 0) != 0 && errno == ESRCH;
}

enum banyan_status redis_owner_stay(struct redis_queue *queue, struct banyan_error *err)
{
    struct restore_claim claim = {.instead_of = "", .stays = true, .ms = OWN_MS};
    if (clock_now_ms() < queue->owner->owned_ms + OWN_STEP_MS)
        return BANYAN_OK;
    enum banyan_status status = restore_own(queue, &claim, err);
    if (status == BANYAN_OK && claim.other[0])
        return banyan_fail(err, BANYAN_ILLEGAL, "%s has become the owner of this queue",
                           claim.other);
    if (status == BANYAN_OK && claim.was_absent)
        queue->owner->connections = 0; /* everything else may be lost, too */
    if (status == BANYAN_OK)
        queue->owner->owned_ms = clock_now_ms();
    return status;
}

enum banyan_status redis_owner_become(struct redis_queue *queue, struct banyan_error *err)
{
    char dead[QUEUE_NAME + 1] = "";
    struct restore_claim claim = {.instead_of = dead, .ms = OWN_MS};
    double until = clock_now_ms() + OWN_MS + OWN_STEP_MS;
    for (;;) {
        enum banyan_status status = restore_own(queue, &claim, err);
        if (status != BANYAN_OK || !claim.other[0])
            return status;
        if (restore_is_dead(queue, claim.other))
            snprintf(dead, sizeof dead, "%s", claim.other);
        else if (clock_now_ms() > until)
            return banyan_fail(
                err, BANYAN_ILLEGAL,
                "%s is the owner of the queue '%s' at %s: ?prefix=NAME at the end of the "
                "URL makes another queue",
                claim.other, redis_link_name(queue->link), redis_link_shown(queue->link));
        else if (!redis_pause(queue->link, 10))
            return banyan_fail(err, BANYAN_INTERRUPTED, "stopped while %s was the owner",
                               claim.other);
    }
}

void redis_owner_leave(struct redis_queue *queue)
{
    struct restore_claim claim = {.instead_of = "", .ms = 0};
    restore_own(queue, &claim, NULL);
}

/* --- writing again --- */

static enum banyan_status restore_groups(struct redis_queue *queue, struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    struct redis_answers answers;
    const char *p = queue->prefix;
    redis_pipe_add(&pipe, "XGROUP CREATE %sjobs w 0 MKSTREAM", p);
    redis_pipe_add(&pipe, "XGROUP CREATE %sdone t 0 MKSTREAM", p);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    for (int i = 0; status == BANYAN_OK && i < answers.count; ++i)
        if (answers.at[i]->type == REDIS_REPLY_ERROR && !redis_is_error(answers.at[i], "BUSYGROUP"))
            status = redis_check(queue->link, &answers, err);
    redis_answers_free(&answers);
    return status;
}

static enum banyan_status restore_blobs(struct redis_queue *queue, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i < COPIES_SLOTS; ++i)
        for (const struct redis_copy *blob = queue->owner->blobs.slots[i]; blob;
             blob = blob->next) {
            bool whole = false;
            status = redis_blob_is_whole(queue, blob->name, blob->length, &whole, err);
            if (status == BANYAN_OK && !whole)
                status = redis_blob_write(queue, blob->name, blob->bytes, blob->length, err);
            if (status != BANYAN_OK)
                return status;
        }
    return status;
}

/* Marks the copies of jobs whose numbers are in this answer: {last id, number, ...}. */
static void restore_mark(struct redis_owner *owner, const redisReply *reply)
{
    for (size_t i = 1; i < reply->elements; ++i) {
        uint64_t number = (uint64_t)redis_number(reply->element[i]);
        struct redis_copy *copy = redis_copies_find(&owner->jobs, number, "");
        if (copy)
            copy->seen = true;
    }
}

/* Marks the copies of jobs that are in this stream. */
static enum banyan_status restore_look(struct redis_queue *queue, const char *stream,
                                       struct banyan_error *err)
{
    enum { PAGE = 1000 };
    char from[REDIS_ID] = "-";
    enum banyan_status status = BANYAN_OK;
    for (bool more = true; status == BANYAN_OK && more;) {
        struct redis_pipe pipe = {0};
        struct redis_answers answers;
        redis_pipe_script(&pipe, queue->link, REDIS_NUMBERS, "1 %s%s %s %d", queue->prefix, stream,
                          from, PAGE);
        status = redis_run(queue->link, &pipe, &answers, err);
        if (status == BANYAN_OK)
            status = redis_check(queue->link, &answers, err);
        more = status == BANYAN_OK && answers.at[0]->elements == PAGE + 1;
        if (status == BANYAN_OK)
            restore_mark(queue->owner, answers.at[0]);
        if (more)
            snprintf(from, REDIS_ID, "(%.40s", answers.at[0]->element[0]->str);
        redis_answers_free(&answers);
    }
    return status;
}

static enum banyan_status restore_jobs(struct redis_queue *queue, struct banyan_error *err)
{
    enum banyan_status status = restore_look(queue, "jobs", err);
    if (status == BANYAN_OK)
        status = restore_look(queue, "done", err);
    for (int i = 0; i < COPIES_SLOTS; ++i)
        for (struct redis_copy *job = queue->owner->jobs.slots[i]; job; job = job->next) {
            struct redis_pipe pipe = {0};
            bool there = job->seen;
            job->seen = false;
            if (there || status != BANYAN_OK)
                continue;
            redis_pipe_add(&pipe, "XADD %sjobs * n %llu b %b", queue->prefix,
                           (unsigned long long)job->number, job->bytes, job->length);
            status = redis_do(queue->link, &pipe, err);
        }
    return status;
}

void redis_owner_add_run(const struct redis_queue *queue, struct redis_pipe *pipe)
{
    redis_pipe_add(pipe, "HSET %srun protocol %d lease_ms %lld limit %lld owner %s", queue->prefix,
                   REDIS_PROTOCOL, (long long)queue->lease_ms, (long long)queue->limit,
                   queue->name);
}

/* Writes the settings of the run, after everything else: a worker that finds them finds the rest, too. */
static enum banyan_status restore_run(struct redis_queue *queue, struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    redis_owner_add_run(queue, &pipe);
    redis_pipe_add(&pipe, "HSETNX %srun mode %s", queue->prefix,
                   queue->owner->over ? "over" : "open");
    return redis_do(queue->link, &pipe, err);
}

enum banyan_status redis_owner_restore(struct redis_queue *queue, struct banyan_error *err)
{
    unsigned connections = redis_link_connections(queue->link);
    if (connections == queue->owner->connections)
        return BANYAN_OK;
    enum banyan_status status = restore_groups(queue, err);
    if (status == BANYAN_OK)
        status = restore_blobs(queue, err);
    if (status == BANYAN_OK)
        status = restore_jobs(queue, err);
    if (status == BANYAN_OK)
        status = restore_run(queue, err);
    if (status == BANYAN_OK) {
        queue->owner->connections = connections;
        /* results that the server sent before may not have arrived: read them again */
        snprintf(queue->owner->from, REDIS_ID, "0");
    }
    return status;
}
