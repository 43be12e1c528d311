/* What workers do with a queue in Redis. */
#include "queue/queue_redis.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_MS = 15000, /* after this an idle worker asks again, which costs few bytes a minute */
    /* between two tries while the queue is paused, full of results, or has no owner yet: the first
     * wait, and the longest */
    POLL_MS = 250,
    LAST_POLL_MS = 1500,
    OTHERS_MS = 500, /* while there are only jobs of kinds that this worker does not take */
    MISSING = 100    /* most leases of this worker that are read to find a job that it lacks */
};

static const char *const worker_keys = "4 %srun %sjobs %sdone %sbad";

/* What the server has for a worker. */
struct redis_offer {
    struct redis_item *job; /* NULL: none */
    bool stopped;           /* there is no job, and there will be none */
    bool absent;            /* nobody owns the queue yet, or the server has lost it */
    bool blocked;           /* there is no job yet: the worker may wait for one with a command
                             * that blocks in the server */
    double wait_ms;         /* time until the server may answer differently; 0: unknown */
};

static enum banyan_status worker_job(struct redis_queue *queue, const redisReply *reply,
                                     struct redis_offer *out, struct banyan_error *err)
{
    redisReply *const *at = reply->element;
    if (reply->elements != 6 || at[1]->type != REDIS_REPLY_STRING || at[1]->len >= REDIS_ID)
        return banyan_fail(err, BANYAN_CORRUPT, "Redis at %s has a job that cannot be read",
                           redis_link_shown(queue->link));
    out->job = redis_item_create(at[1]->str, at[2], at[5]);
    if (!out->job)
        return redis_no_memory(err);
    out->job->taken = redis_number(at[3]);
    out->job->item.deliveries = (int)(out->job->taken + redis_number(at[4]));
    return BANYAN_OK;
}

static enum banyan_status worker_judge(struct redis_queue *queue, const redisReply *reply,
                                       struct redis_offer *out, struct banyan_error *err)
{
    *out = (struct redis_offer){.wait_ms = 0};
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements == 0 ||
        reply->element[0]->type != REDIS_REPLY_STRING)
        return banyan_fail(err, BANYAN_IO, "Redis at %s: %s", redis_link_shown(queue->link),
                           reply->type == REDIS_REPLY_ERROR ? reply->str : "an odd answer");
    const char *what = reply->element[0]->str;
    out->absent = strcmp(what, "absent") == 0;
    out->stopped = strcmp(what, "over") == 0 || strcmp(what, "drained") == 0;
    if (strcmp(what, "others") == 0)
        out->wait_ms = OTHERS_MS;
    if (strcmp(what, "job") == 0)
        return worker_job(queue, reply, out, err);
    if (strcmp(what, "wait") == 0 && reply->elements == 2) {
        out->blocked = true;
        out->wait_ms = fmin(BLOCK_MS, (double)redis_number(reply->element[1]) + 1);
    }
    return BANYAN_OK;
}

/* Asks for a job, without waiting. */
static enum banyan_status worker_ask(struct redis_queue *queue, struct redis_offer *out,
                                     struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    struct redis_answers answers;
    char format[64];
    const char *p = queue->prefix;
    snprintf(format, sizeof format, "%s %%s %%d %%s", worker_keys);
    redis_pipe_script(&pipe, queue->link, REDIS_TAKE, format, p, p, p, p, queue->name,
                      QUEUE_DELIVERIES, queue->kinds);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    if (status == BANYAN_OK)
        status = worker_judge(queue, answers.at[0], out, err);
    redis_answers_free(&answers);
    return status;
}

/* Makes the job of an entry of the stream, which has been taken so many times. */
static enum banyan_status worker_item(const redisReply *entry, int64_t taken,
                                      struct redis_item **out, struct banyan_error *err)
{
    const redisReply *fields = entry->element[1], *before = redis_field(fields, "d");
    *out = redis_item_create(entry->element[0]->str, redis_field(fields, "n"),
                             redis_field(fields, "b"));
    if (!*out)
        return redis_no_memory(err);
    (*out)->taken = taken;
    (*out)->item.deliveries = (int)(taken + (before ? redis_number(before) : 0));
    return BANYAN_OK;
}

/* Reads the new job of the answer to XREADGROUP, if there is one. */
static enum banyan_status worker_read(const redisReply *reply, struct redis_item **out,
                                      struct banyan_error *err)
{
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements == 0)
        return BANYAN_OK; /* no job; or NOGROUP: the owner will create the group again */
    return worker_item(reply->element[0]->element[1]->element[0], 1, out, err);
}

/* Waits in the server for a new job. */
static enum banyan_status worker_block(struct redis_queue *queue, double wait_ms,
                                       struct redis_item **out, struct banyan_error *err)
{
    struct redis_pipe pipe = {.wait_ms = wait_ms};
    struct redis_answers answers;
    redis_pipe_add(&pipe, "XREADGROUP GROUP w %s COUNT 1 BLOCK %d STREAMS %sjobs >", queue->name,
                   (int)wait_ms, queue->prefix);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    if (status == BANYAN_OK)
        status = worker_read(answers.at[0], out, err);
    redis_answers_free(&answers);
    return status;
}

static void worker_sleep(const struct redis_queue *queue, double ms)
{
    double until = clock_now_ms() + ms;
    const struct timespec step = {.tv_nsec = 5000000};
    while (clock_now_ms() < until && !banyan_flag_is_set(queue->queue.stop))
        nanosleep(&step, NULL);
}

/* Waits until a queue that is absent is there, with a command that is shorter than the one for a job. */
static enum banyan_status worker_wait_for_owner(struct redis_queue *queue, double until,
                                                struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    bool there = false;
    for (double poll_ms = POLL_MS; status == BANYAN_OK && !there && clock_now_ms() < until &&
                                   !banyan_flag_is_set(queue->queue.stop);
         poll_ms = fmin(2 * poll_ms, LAST_POLL_MS)) {
        struct redis_pipe pipe = {0};
        struct redis_answers answers;
        worker_sleep(queue, fmin(poll_ms, until - clock_now_ms()));
        redis_pipe_add(&pipe, "EXISTS %srun", queue->prefix);
        status = redis_run(queue->link, &pipe, &answers, err);
        there = status == BANYAN_OK && redis_number(answers.at[0]) == 1;
        redis_answers_free(&answers);
    }
    return status;
}

static void worker_hold(struct redis_queue *queue, struct redis_item *job)
{
    pthread_mutex_lock(&queue->lock);
    job->next = queue->taken;
    queue->taken = job;
    pthread_mutex_unlock(&queue->lock);
}

static void worker_free(struct redis_queue *queue, struct redis_item *job)
{
    pthread_mutex_lock(&queue->lock);
    redis_item_unlink(&queue->taken, job);
    pthread_mutex_unlock(&queue->lock);
    free(job);
}

/* --- jobs that are missing --- */

static bool worker_holds(struct redis_queue *queue, const char *id)
{
    pthread_mutex_lock(&queue->lock);
    const struct redis_item *job = queue->taken;
    while (job && strcmp(job->id, id) != 0)
        job = job->next;
    pthread_mutex_unlock(&queue->lock);
    return job != NULL;
}

/* The first of this worker's leases (an answer to XPENDING) whose job the worker does not hold;
 * NULL: there is none. */
static const redisReply *worker_missing(struct redis_queue *queue, const redisReply *leases)
{
    for (size_t i = 0; leases->type == REDIS_REPLY_ARRAY && i < leases->elements; ++i) {
        const redisReply *lease = leases->element[i];
        if (lease->type == REDIS_REPLY_ARRAY && lease->elements == 4 &&
            !worker_holds(queue, lease->element[0]->str))
            return lease;
    }
    return NULL;
}

static enum banyan_status worker_fetch(struct redis_queue *queue, const redisReply *lease,
                                       struct redis_item **out, struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    struct redis_answers answers;
    const char *id = lease->element[0]->str;
    redis_pipe_add(&pipe, "XRANGE %sjobs %s %s", queue->prefix, id, id);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    if (status == BANYAN_OK && answers.at[0]->type == REDIS_REPLY_ARRAY && answers.at[0]->elements)
        status = worker_item(answers.at[0]->element[0], redis_number(lease->element[3]), out, err);
    redis_answers_free(&answers);
    return status;
}

/* After a connection was lost, finds a job that the server has given to this worker, but whose answer has not come:
 * others would get it only when its lease is over.  If two threads take jobs at the same time, both may do such a
 * job; its second result does not count. */
static enum banyan_status worker_find(struct redis_queue *queue, struct redis_item **out,
                                      struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    struct redis_answers answers;
    unsigned losses = redis_link_losses(queue->link);
    pthread_mutex_lock(&queue->lock);
    bool lost = losses != queue->losses;
    pthread_mutex_unlock(&queue->lock);
    if (!lost)
        return BANYAN_OK;
    redis_pipe_add(&pipe, "XPENDING %sjobs w - + %d %s", queue->prefix, MISSING, queue->name);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    const redisReply *lease = status == BANYAN_OK ? worker_missing(queue, answers.at[0]) : NULL;
    if (lease)
        status = worker_fetch(queue, lease, out, err);
    redis_answers_free(&answers);
    if (status == BANYAN_OK && !*out) {
        pthread_mutex_lock(&queue->lock);
        queue->losses = losses;
        pthread_mutex_unlock(&queue->lock);
    }
    return status;
}

enum banyan_status redis_take(struct queue *base, double wait_ms, struct queue_item **out,
                              struct banyan_error *err)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    double until = clock_now_ms() + wait_ms;
    double poll_ms = POLL_MS;
    struct redis_offer offer;
    *out = NULL;
    for (;;) {
        enum banyan_status status = worker_ask(queue, &offer, err);
        if (status == BANYAN_OK && !offer.job && !offer.stopped)
            status = worker_find(queue, &offer.job, err);
        if (status == BANYAN_OK && offer.stopped)
            return banyan_fail(err, BANYAN_NOT_FOUND, "the queue has ended");
        if (status == BANYAN_OK && offer.absent) {
            status = worker_wait_for_owner(queue, until, err);
        } else if (status == BANYAN_OK && !offer.blocked && !(offer.wait_ms > 0)) {
            offer.wait_ms = poll_ms;
            poll_ms = fmin(2 * poll_ms, LAST_POLL_MS);
        }
        double left = fmin(offer.wait_ms, until - clock_now_ms());
        if (status == BANYAN_OK && !offer.job && left >= 1 && offer.blocked)
            status = worker_block(queue, left, &offer.job, err);
        else if (status == BANYAN_OK && !offer.job && left > 0)
            worker_sleep(queue, left);
        if (status != BANYAN_OK)
            return status;
        if (offer.job)
            worker_hold(queue, offer.job);
        *out = offer.job ? &offer.job->item : NULL;
        if (offer.job || clock_now_ms() >= until)
            return BANYAN_OK;
        if (banyan_flag_is_set(base->stop))
            return banyan_fail(err, BANYAN_INTERRUPTED, "stopped while waiting for a job");
    }
}

/* --- a job that was taken --- */

/* Adds the command that renews the lease, or ends it (what: "release"). */
static void worker_add_keep(const struct redis_queue *queue, const struct redis_item *job,
                            const char *what, struct redis_pipe *pipe)
{
    redis_pipe_script(pipe, queue->link, REDIS_KEEP, "1 %sjobs %s %s %lld %s", queue->prefix,
                      queue->name, job->id, (long long)job->taken, what);
}

/* Renews the lease, or ends it (what: "release").  *kept: the lease was not over. */
static enum banyan_status worker_keep(struct redis_queue *queue, const struct redis_item *job,
                                      const char *what, bool *kept, struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    struct redis_answers answers;
    worker_add_keep(queue, job, what, &pipe);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    if (status == BANYAN_OK) {
        *kept = redis_number(answers.at[0]) == 1;
        status = redis_check(queue->link, &answers, err);
    }
    redis_answers_free(&answers);
    return status;
}

enum banyan_status redis_renew(struct queue *base, struct queue_item *job, struct banyan_error *err)
{
    bool kept = false;
    enum banyan_status status = worker_keep((struct redis_queue *)base,
                                            (const struct redis_item *)job, "renew", &kept, err);
    if (status != BANYAN_OK || kept)
        return status;
    return banyan_fail(err, BANYAN_NOT_FOUND, "the lease of job %llu was over",
                       (unsigned long long)job->number);
}

enum banyan_status redis_renew_all(struct queue *base, struct queue_item *const jobs[], int count,
                                   struct banyan_error *err)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; status == BANYAN_OK && i < count;) {
        struct redis_pipe pipe = {0};
        for (; i < count && pipe.count < REDIS_PIPE && !pipe.full; ++i)
            worker_add_keep(queue, (const struct redis_item *)jobs[i], "renew", &pipe);
        status = redis_do(queue->link, &pipe, err);
    }
    return status;
}

enum banyan_status redis_release(struct queue *base, struct queue_item *job,
                                 struct banyan_error *err)
{
    bool kept;
    struct redis_queue *queue = (struct redis_queue *)base;
    struct redis_item *item = (struct redis_item *)job;
    enum banyan_status status = worker_keep(queue, item, "release", &kept, err);
    worker_free(queue, item);
    return status;
}

enum banyan_status redis_give(struct queue *base, struct queue_item *job,
                              const struct queue_item *result, struct banyan_error *err)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    struct redis_item *item = (struct redis_item *)job;
    struct redis_pipe pipe = {0};
    const char *p = queue->prefix;
    redis_pipe_add(&pipe, "MULTI");
    redis_pipe_add(&pipe, "XADD %sdone * n %llu w %s b %b", p, (unsigned long long)job->number,
                   queue->name, result->length ? result->bytes : "", result->length);
    redis_pipe_add(&pipe, "XACK %sjobs w %s", p, item->id);
    redis_pipe_add(&pipe, "XDEL %sjobs %s", p, item->id);
    redis_pipe_add(&pipe, "EXEC");
    enum banyan_status status = redis_do(queue->link, &pipe, err);
    if (status == BANYAN_OK)
        worker_free(queue, item);
    return status;
}
