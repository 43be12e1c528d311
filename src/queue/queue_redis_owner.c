/* What the owner does with a queue in Redis. */
#include "queue/queue_redis_owner.h"

#include "base/clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_MS = 1000, /* the owner notices within this time that the server has lost everything */
    READ_RESULTS = 16,
    OWNER_WITHDRAWN = 64, /* jobs that one command deletes */
    ACK_MS = 100 /* longest time that acknowledgements wait to be sent, while the owner uses the
                  * queue */
};

/* Takes the lock, stays the owner, and writes again what the server has lost. */
static enum banyan_status owner_begin(struct redis_queue *queue, struct banyan_error *err)
{
    if (!queue->owner)
        return banyan_fail(err, BANYAN_ILLEGAL, "only the owner of a queue may do this");
    pthread_mutex_lock(&queue->owner->lock);
    enum banyan_status status = redis_owner_stay(queue, err);
    if (status == BANYAN_OK)
        status = redis_owner_restore(queue, err);
    if (status != BANYAN_OK)
        pthread_mutex_unlock(&queue->owner->lock);
    return status;
}

static enum banyan_status owner_end(struct redis_queue *queue, enum banyan_status status)
{
    pthread_mutex_unlock(&queue->owner->lock);
    return status;
}

/* --- jobs, blobs, mode --- */

/* The lock is held. */
static void owner_forget_jobs(struct redis_owner *owner)
{
    redis_copies_clear(&owner->jobs);
    free(owner->later.bytes);
    owner->later = (struct redis_pipe){0};
}

/* Sends the jobs that were offered for later.  The lock is held. */
static enum banyan_status owner_send(struct redis_queue *queue, struct banyan_error *err)
{
    struct redis_pipe pipe = queue->owner->later;
    queue->owner->later = (struct redis_pipe){0};
    return pipe.count > 0 || pipe.full ? redis_do(queue->link, &pipe, err) : BANYAN_OK;
}

static enum banyan_status owner_offer(struct redis_queue *queue, const struct queue_item *job,
                                      bool at_once, struct banyan_error *err)
{
    const char *bytes = job->length ? job->bytes : "";
    enum banyan_status status = owner_begin(queue, err);
    if (status != BANYAN_OK)
        return status;
    if (!redis_copies_keep(&queue->owner->jobs, job->number, "", bytes, job->length))
        return owner_end(queue, redis_no_memory(err));
    struct redis_pipe *later = &queue->owner->later;
    redis_pipe_add(later, "XADD %sjobs * n %llu b %b", queue->prefix,
                   (unsigned long long)job->number, bytes, job->length);
    if (at_once || later->count == OWNER_LATER || later->full)
        status = owner_send(queue, err);
    return owner_end(queue, status);
}

enum banyan_status redis_offer(struct queue *base, const struct queue_item *job,
                               struct banyan_error *err)
{
    return owner_offer((struct redis_queue *)base, job, true, err);
}

enum banyan_status redis_offer_later(struct queue *base, const struct queue_item *job,
                                     struct banyan_error *err)
{
    return owner_offer((struct redis_queue *)base, job, false, err);
}

/* Deletes jobs of these numbers in the server. */
static enum banyan_status owner_delete(struct redis_queue *queue, const uint64_t numbers[],
                                       int count, struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    char stream[QUEUE_NAME + 32], texts[OWNER_WITHDRAWN][24];
    const char *words[4 + OWNER_WITHDRAWN] = {
        "EVALSHA", redis_link_script(queue->link, REDIS_WITHDRAW), "1", stream};
    snprintf(stream, sizeof stream, "%sjobs", queue->prefix);
    for (int i = 0; i < count; ++i) {
        snprintf(texts[i], sizeof texts[i], "%" PRIu64, numbers[i]);
        words[4 + i] = texts[i];
    }
    redis_pipe_words(&pipe, 4 + count, words);
    return redis_do(queue->link, &pipe, err);
}

/* Jobs that have a result are no longer in the server; all others are among the copies. */
enum banyan_status redis_withdraw(struct queue *base, uint64_t first, uint64_t count,
                                  struct banyan_error *err)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    uint64_t numbers[OWNER_WITHDRAWN];
    int found = OWNER_WITHDRAWN;
    enum banyan_status status = owner_begin(queue, err);
    if (status != BANYAN_OK)
        return status;
    status = owner_send(queue, err);
    while (status == BANYAN_OK && found == OWNER_WITHDRAWN) {
        found = redis_copies_range(&queue->owner->jobs, first, count, numbers, OWNER_WITHDRAWN);
        if (found > 0)
            status = owner_delete(queue, numbers, found, err);
        for (int i = 0; status == BANYAN_OK && i < found; ++i)
            redis_copies_remove(&queue->owner->jobs, numbers[i], "");
    }
    return owner_end(queue, status);
}

enum banyan_status redis_put(struct queue *base, const char *name, const void *bytes, size_t length,
                             struct banyan_error *err)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    enum banyan_status status = owner_begin(queue, err);
    if (status != BANYAN_OK)
        return status;
    if (!redis_copies_keep(&queue->owner->blobs, 0, name, bytes, length))
        return owner_end(queue, redis_no_memory(err));
    return owner_end(queue, redis_blob_write(queue, name, bytes, length, err));
}

enum banyan_status redis_drop(struct queue *base, const char *name, struct banyan_error *err)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    enum banyan_status status = owner_begin(queue, err);
    if (status != BANYAN_OK)
        return status;
    redis_copies_remove(&queue->owner->blobs, 0, name);
    return owner_end(queue, redis_blob_drop(queue, name, err));
}

enum banyan_status redis_owner_set_mode(struct redis_queue *queue, enum queue_mode mode,
                                        struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    enum banyan_status status = owner_begin(queue, err);
    if (status != BANYAN_OK)
        return status;
    struct redis_owner *owner = queue->owner;
    owner->over = mode == QUEUE_OVER;
    if (owner->over) {
        owner_forget_jobs(owner);
        redis_pipe_add(&pipe, "DEL %sjobs", queue->prefix);
    }
    redis_owner_add_run(queue, &pipe); /* the server may have lost the run since the last look */
    redis_pipe_add(&pipe, "HSET %srun mode %s", queue->prefix, queue_mode_name(mode));
    return owner_end(queue, redis_do(queue->link, &pipe, err));
}

/* --- acknowledging --- */

/* Adds the commands that let the server forget entries.  The lock is held. */
static void owner_add_acks(struct redis_queue *queue, struct redis_pipe *pipe)
{
    const struct redis_owner *owner = queue->owner;
    char stream[QUEUE_NAME + 32];
    const char *words[3 + OWNER_ACKS] = {"XACK", stream, "t"};
    if (owner->ack_count == 0)
        return;
    snprintf(stream, sizeof stream, "%sdone", queue->prefix);
    for (int i = 0; i < owner->ack_count; ++i)
        words[3 + i] = owner->acks[i];
    redis_pipe_add(pipe, "MULTI");
    redis_pipe_words(pipe, 3 + owner->ack_count, words);
    words[1] = "XDEL"; /* the same words, but XDEL takes no group */
    words[2] = stream;
    redis_pipe_words(pipe, 2 + owner->ack_count, words + 1);
    redis_pipe_add(pipe, "EXEC");
}

static enum banyan_status owner_flush(struct redis_queue *queue, struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    if (queue->owner->ack_count == 0)
        return BANYAN_OK;
    owner_add_acks(queue, &pipe);
    enum banyan_status status = redis_do(queue->link, &pipe, err);
    if (status == BANYAN_OK)
        queue->owner->ack_count = 0;
    return status;
}

/* Writes the reason why a result was refused to the stream of bad results. */
static enum banyan_status owner_blame(struct redis_queue *queue, const struct redis_item *item,
                                      const char *reason, struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    redis_pipe_add(&pipe, "XADD %sbad MAXLEN ~ 1000 * n %llu w %s why %s", queue->prefix,
                   (unsigned long long)item->item.number, item->worker, reason);
    return redis_do(queue->link, &pipe, err);
}

/* at_once: the acknowledgement is sent now, unless more results are ready, which the owner will
 * fetch soon. */
static enum banyan_status owner_acknowledge(struct redis_queue *queue, struct queue_item *result,
                                            const char *reason, bool at_once,
                                            struct banyan_error *err)
{
    struct redis_item *item = (struct redis_item *)result;
    enum banyan_status status = owner_begin(queue, err);
    if (status != BANYAN_OK)
        return status;
    struct redis_owner *owner = queue->owner;
    if (owner->ack_count == OWNER_ACKS) /* no room for another: the last try to send them failed */
        status = owner_flush(queue, err);
    if (status == BANYAN_OK && reason)
        status = owner_blame(queue, item, reason, err);
    if (owner->ack_count == 0)
        owner->acks_since_ms = clock_now_ms();
    if (status == BANYAN_OK) {
        memcpy(owner->acks[owner->ack_count++], item->id, REDIS_ID);
        redis_item_unlink(&owner->held, item);
        free(item);
    }
    if (status == BANYAN_OK &&
        (reason || (at_once && !owner->ready) || owner->ack_count == OWNER_ACKS ||
         clock_now_ms() > owner->acks_since_ms + ACK_MS))
        status = owner_flush(queue, err);
    return owner_end(queue, status);
}

enum banyan_status redis_acknowledge(struct queue *base, struct queue_item *result,
                                     const char *reason, struct banyan_error *err)
{
    return owner_acknowledge((struct redis_queue *)base, result, reason, true, err);
}

enum banyan_status redis_acknowledge_later(struct queue *base, struct queue_item *result,
                                           struct banyan_error *err)
{
    return owner_acknowledge((struct redis_queue *)base, result, NULL, false, err);
}

/* --- fetching --- */

static bool owner_knows(const struct redis_item *list, const char *id)
{
    while (list && strcmp(list->id, id) != 0)
        list = list->next;
    return list != NULL;
}

/* Adds one entry to what is ready.  An entry without fields was deleted. */
static enum banyan_status owner_add(struct redis_queue *queue, const redisReply *entry,
                                    struct banyan_error *err)
{
    struct redis_owner *owner = queue->owner;
    const char *id = entry->element[0]->str;
    const redisReply *fields = entry->element[1], *worker = redis_field(fields, "w");
    if (fields->type != REDIS_REPLY_ARRAY || owner_knows(owner->ready, id) ||
        owner_knows(owner->held, id))
        return BANYAN_OK;
    struct redis_item *item =
        redis_item_create(id, redis_field(fields, "n"), redis_field(fields, "b"));
    if (!item)
        return redis_no_memory(err);
    item->item.given_up = redis_field(fields, "g") != NULL;
    if (worker && worker->type == REDIS_REPLY_STRING)
        snprintf(item->worker, sizeof item->worker, "%s", worker->str);
    struct redis_item **at = &owner->ready;
    while (*at)
        at = &(*at)->next;
    *at = item;
    return BANYAN_OK;
}

static enum banyan_status owner_add_all(struct redis_queue *queue, const redisReply *reply,
                                        struct banyan_error *err)
{
    struct redis_owner *owner = queue->owner;
    enum banyan_status status = BANYAN_OK;
    if (redis_is_error(reply, "NOGROUP") || redis_is_error(reply, "UNBLOCKED"))
        owner->connections = 0; /* the server has lost everything: write it again */
    else if (reply->type == REDIS_REPLY_ERROR)
        return banyan_fail(err, BANYAN_IO, "Redis at %s: %s", redis_link_shown(queue->link),
                           reply->str);
    const redisReply *entries =
        reply->type == REDIS_REPLY_ARRAY && reply->elements ? reply->element[0]->element[1] : NULL;
    size_t count = entries ? entries->elements : 0;
    for (size_t i = 0; status == BANYAN_OK && i < count; ++i)
        status = owner_add(queue, entries->element[i], err);
    if (owner->from[0] != '>') /* entries that an owner had read before */
        snprintf(owner->from, REDIS_ID, "%.40s",
                 count ? entries->element[count - 1]->element[0]->str : ">");
    return status;
}

/* Takes the commands that go out before results are read: offers and acknowledgements.  If they are
 * lost with the server, the owner has copies of the jobs, and drops the results when they come
 * again. */
static struct redis_pipe owner_begin_read(struct redis_queue *queue, char from[REDIS_ID])
{
    struct redis_owner *owner = queue->owner;
    pthread_mutex_lock(&owner->lock);
    struct redis_pipe pipe = owner->later;
    owner->later = (struct redis_pipe){0};
    owner_add_acks(queue, &pipe);
    owner->ack_count = 0;
    memcpy(from, owner->from, REDIS_ID);
    pthread_mutex_unlock(&owner->lock);
    return pipe;
}

/* Reads results, for which the server waits at most wait_ms. */
static enum banyan_status owner_read(struct redis_queue *queue, double wait_ms,
                                     struct banyan_error *err)
{
    struct redis_owner *owner = queue->owner;
    struct redis_answers answers;
    char from[REDIS_ID];
    struct redis_pipe pipe = owner_begin_read(queue, from);
    bool blocks = from[0] == '>' && wait_ms >= 1;
    pipe.wait_ms = blocks ? wait_ms : 0;
    if (blocks)
        redis_pipe_add(&pipe, "XREADGROUP GROUP t owner COUNT %d BLOCK %d STREAMS %sdone >",
                       READ_RESULTS, (int)wait_ms, queue->prefix);
    else
        redis_pipe_add(&pipe, "XREADGROUP GROUP t owner COUNT %d STREAMS %sdone %s", READ_RESULTS,
                       queue->prefix, from);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    if (status != BANYAN_OK)
        return status;
    struct redis_answers before = answers;
    --before.count; /* all but the last answer, which has the results */
    status = redis_check(queue->link, &before, err);
    pthread_mutex_lock(&owner->lock);
    if (status == BANYAN_OK)
        status = owner_add_all(queue, answers.at[before.count], err);
    pthread_mutex_unlock(&owner->lock);
    redis_answers_free(&answers);
    return status;
}

/* Hands the first result that is ready to the caller. */
static struct redis_item *owner_hand_out(struct redis_owner *owner)
{
    struct redis_item *item = owner->ready;
    if (!item)
        return NULL;
    owner->ready = item->next;
    item->next = owner->held;
    owner->held = item;
    redis_copies_remove(&owner->jobs, item->item.number, "");
    return item;
}

enum banyan_status redis_fetch(struct queue *base, double wait_ms, struct queue_item **out,
                               struct banyan_error *err)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    double until = clock_now_ms() + wait_ms;
    *out = NULL;
    for (bool asked = false;;) {
        enum banyan_status status = owner_begin(queue, err);
        if (status != BANYAN_OK)
            return status;
        struct redis_owner *owner = queue->owner;
        struct redis_item *item = owner_hand_out(owner);
        bool old = owner->ack_count > 0 && clock_now_ms() > owner->acks_since_ms + ACK_MS;
        if (item && old) /* without an item owner_read sends them */
            status = owner_flush(queue, err);
        bool is_new = owner->from[0] == '>';
        owner_end(queue, status);
        *out = item ? &item->item : NULL;
        if (item || status != BANYAN_OK || (asked && clock_now_ms() >= until))
            return item ? BANYAN_OK : status;
        if (banyan_flag_is_set(base->stop))
            return banyan_fail(err, BANYAN_INTERRUPTED, "stopped while waiting for a result");
        status = owner_read(queue, fmin(BLOCK_MS, until - clock_now_ms()), err);
        if (status != BANYAN_OK)
            return status;
        asked = is_new; /* entries read before come first, then new ones */
    }
}

/* --- opening, closing --- */

/* Jobs and blobs of an earlier owner are forgotten: this one offers and puts what it wants.  A queue that is over
 * begins anew; one that somebody has paused stays so. */
static enum banyan_status owner_start(struct redis_queue *queue, struct banyan_error *err)
{
    struct redis_pipe look = {0}, begin = {0};
    struct redis_answers answers;
    redis_pipe_add(&look, "HGET %srun mode", queue->prefix);
    enum banyan_status status = redis_run(queue->link, &look, &answers, err);
    if (status != BANYAN_OK)
        return status;
    bool over =
        answers.at[0]->type == REDIS_REPLY_STRING && strcmp(answers.at[0]->str, "over") == 0;
    redis_answers_free(&answers);
    redis_pipe_add(&begin, "DEL %sjobs", queue->prefix);
    if (over)
        redis_pipe_add(&begin, "HDEL %srun mode", queue->prefix);
    status = redis_do(queue->link, &begin, err);
    if (status == BANYAN_OK)
        status = redis_delete(queue, "blob:", err);
    if (status == BANYAN_OK)
        status = redis_delete(queue, "new:", err); /* blobs that were not written to their end */
    return status == BANYAN_OK ? redis_owner_restore(queue, err) : status;
}

enum banyan_status redis_owner_open(struct redis_queue *queue, struct banyan_error *err)
{
    queue->owner = calloc(1, sizeof *queue->owner);
    if (!queue->owner)
        return redis_no_memory(err);
    pthread_mutex_init(&queue->owner->lock, NULL);
    queue->owner->owned_ms = clock_now_ms();
    enum banyan_status status = redis_owner_become(queue, err);
    if (status == BANYAN_OK)
        status = owner_start(queue, err);
    return status;
}

void redis_owner_forget(struct redis_queue *queue)
{
    pthread_mutex_lock(&queue->owner->lock);
    owner_forget_jobs(queue->owner);
    redis_copies_clear(&queue->owner->blobs);
    queue->owner->connections = 0;
    pthread_mutex_unlock(&queue->owner->lock);
}

void redis_owner_close(struct redis_queue *queue)
{
    struct redis_owner *owner = queue->owner;
    if (!owner)
        return;
    owner_send(queue, NULL);
    owner_flush(queue, NULL);
    redis_owner_leave(queue);
    redis_copies_clear(&owner->jobs);
    redis_copies_clear(&owner->blobs);
    redis_items_free(owner->ready);
    redis_items_free(owner->held);
    pthread_mutex_destroy(&owner->lock);
    free(owner);
    queue->owner = NULL;
}
