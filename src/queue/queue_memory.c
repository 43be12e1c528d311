/* The queue whose owner and workers are threads of one process. */
#include "queue/queue_kinds.h"

#include "base/clock.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A job or a result.  A job whose lease was over while somebody held it is there twice: the copy waits
 * or is held by somebody else, and the first holder's own has lost its lease. */
struct memory_item {
    struct queue_item item; /* first: what callers hold */
    struct memory_item *next;
    double deadline_ms; /* end of the lease */
    bool lost;          /* the lease was over, and the job went to somebody else */
};

/* A list from its first to its last item. */
struct memory_list {
    struct memory_item *first, *last;
};

/* Bytes under a name. */
struct memory_blob {
    struct memory_blob *next;
    size_t length;
    char name[QUEUE_NAME + 1];
    char bytes[]; /* [length] */
};

struct memory {
    struct queue queue; /* first: what callers hold */
    double lease_ms;
    int64_t limit;
    char name[QUEUE_NAME + 1];    /* of all workers */
    pthread_mutex_t lock;         /* guards everything below */
    pthread_cond_t jobs, results; /* somebody may be waiting for one */
    struct memory_list waiting, leased, given, held;
    struct memory_blob *blobs;
    enum queue_mode mode;
    int64_t given_count, bad_count;
    char report[256];
};

/* --- lists --- */

static void memory_push(struct memory_list *list, struct memory_item *item)
{
    item->next = NULL;
    *(list->last ? &list->last->next : &list->first) = item;
    list->last = item;
}

static void memory_remove(struct memory_list *list, struct memory_item *item)
{
    struct memory_item *before = NULL, *at = list->first;
    for (; at != item; at = at->next)
        before = at;
    *(before ? &before->next : &list->first) = item->next;
    if (list->last == item)
        list->last = before;
}

static void memory_clear(struct memory_list *list)
{
    while (list->first) {
        struct memory_item *next = list->first->next;
        free(list->first);
        list->first = next;
    }
    list->last = NULL;
}

/* A copy, in one block with its bytes. */
static struct memory_item *memory_copy(const struct queue_item *from)
{
    struct memory_item *item = calloc(1, sizeof *item + from->length);
    if (!item)
        return NULL;
    item->item = *from;
    item->item.bytes = item + 1;
    if (from->length)
        memcpy(item + 1, from->bytes, from->length);
    return item;
}

static enum banyan_status memory_full(struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a queue");
}

/* --- waiting --- */

/* Waits until something happens, or until `until_ms` of our clock. */
static void memory_wait(struct memory *memory, pthread_cond_t *event, double until_ms)
{
    double seconds = floor(until_ms / 1e3);
    struct timespec until = {.tv_sec = (time_t)seconds,
                             .tv_nsec = (long)((until_ms - 1e3 * seconds) * 1e6)};
    pthread_cond_timedwait(event, &memory->lock, &until);
}

/* The end of the lease that ends first; `otherwise` if it is later. */
static double memory_next_deadline(const struct memory *memory, double otherwise)
{
    for (const struct memory_item *at = memory->leased.first; at; at = at->next)
        if (!at->lost && at->deadline_ms < otherwise)
            otherwise = at->deadline_ms;
    return otherwise;
}

static void memory_push_given(struct memory *memory, struct memory_item *item)
{
    memory_push(&memory->given, item);
    ++memory->given_count;
    pthread_cond_signal(&memory->results);
}

/* A job whose lease is over waits again, or goes back to the owner. */
static void memory_return(struct memory *memory, struct memory_item *again)
{
    if (again->item.deliveries < QUEUE_DELIVERIES) {
        memory_push(&memory->waiting, again);
        return;
    }
    again->item.given_up = true;
    again->item.length = 0;
    ++memory->bad_count;
    memory_push_given(memory, again);
}

/* Lets jobs wait again whose lease is over.  False: no memory. */
static bool memory_expire(struct memory *memory)
{
    double now = clock_now_ms();
    for (struct memory_item *at = memory->leased.first; at; at = at->next) {
        if (at->lost || at->deadline_ms > now)
            continue;
        struct memory_item *again = memory_copy(&at->item);
        if (!again)
            return false;
        at->lost = true;
        memory_return(memory, again);
    }
    return true;
}

/* --- the owner --- */

static enum banyan_status memory_offer(struct queue *queue, const struct queue_item *job,
                                       struct banyan_error *err)
{
    struct memory *memory = (struct memory *)queue;
    struct memory_item *item = memory_copy(job);
    if (!item)
        return memory_full(err);
    item->item.deliveries = 0;
    item->item.given_up = false;
    item->item.worker = memory->name;
    pthread_mutex_lock(&memory->lock);
    memory_push(&memory->waiting, item);
    pthread_cond_signal(&memory->jobs);
    pthread_mutex_unlock(&memory->lock);
    return BANYAN_OK;
}

static enum banyan_status memory_fetch(struct queue *queue, double wait_ms, struct queue_item **out,
                                       struct banyan_error *err)
{
    (void)err;
    struct memory *memory = (struct memory *)queue;
    double until = clock_now_ms() + wait_ms;
    *out = NULL;
    pthread_mutex_lock(&memory->lock);
    while (!memory->given.first && clock_now_ms() < until)
        memory_wait(memory, &memory->results, until);
    struct memory_item *item = memory->given.first;
    if (item) {
        memory_remove(&memory->given, item);
        memory_push(&memory->held, item);
        if (--memory->given_count < memory->limit)
            pthread_cond_broadcast(&memory->jobs);
        *out = &item->item;
    }
    pthread_mutex_unlock(&memory->lock);
    return BANYAN_OK;
}

static enum banyan_status memory_acknowledge(struct queue *queue, struct queue_item *result,
                                             const char *reason, struct banyan_error *err)
{
    (void)err;
    struct memory *memory = (struct memory *)queue;
    struct memory_item *item = (struct memory_item *)result;
    pthread_mutex_lock(&memory->lock);
    memory_remove(&memory->held, item);
    memory->bad_count += reason != NULL;
    pthread_mutex_unlock(&memory->lock);
    free(item);
    return BANYAN_OK;
}

static enum banyan_status memory_set_mode(struct queue *queue, enum queue_mode mode,
                                          struct banyan_error *err)
{
    (void)err;
    struct memory *memory = (struct memory *)queue;
    pthread_mutex_lock(&memory->lock);
    memory->mode = mode;
    if (mode == QUEUE_OVER)
        memory_clear(&memory->waiting);
    pthread_cond_broadcast(&memory->jobs);
    pthread_mutex_unlock(&memory->lock);
    return BANYAN_OK;
}

/* --- a worker --- */

/* The job to be taken now; NULL: there is none, or workers have to wait. */
static struct memory_item *memory_ready(const struct memory *memory)
{
    bool open = memory->mode == QUEUE_OPEN && memory->given_count < memory->limit;
    return open ? memory->waiting.first : NULL;
}

static bool memory_stopped(const struct memory *memory)
{
    return memory->mode == QUEUE_DRAINED || memory->mode == QUEUE_OVER;
}

static void memory_lease(struct memory *memory, struct memory_item *item)
{
    memory_remove(&memory->waiting, item);
    memory_push(&memory->leased, item);
    ++item->item.deliveries;
    item->deadline_ms = clock_now_ms() + memory->lease_ms;
}

static enum banyan_status memory_take(struct queue *queue, double wait_ms, struct queue_item **out,
                                      struct banyan_error *err)
{
    struct memory *memory = (struct memory *)queue;
    double until = clock_now_ms() + wait_ms;
    bool room = true;
    *out = NULL;
    pthread_mutex_lock(&memory->lock);
    while (!memory_stopped(memory) && (room = memory_expire(memory)) && !memory_ready(memory) &&
           clock_now_ms() < until)
        memory_wait(memory, &memory->jobs, memory_next_deadline(memory, until));
    bool stopped = memory_stopped(memory);
    struct memory_item *item = stopped || !room ? NULL : memory_ready(memory);
    if (item) {
        memory_lease(memory, item);
        *out = &item->item;
    }
    pthread_mutex_unlock(&memory->lock);
    if (!room)
        return memory_full(err);
    return stopped ? banyan_fail(err, BANYAN_NOT_FOUND, "the queue has ended") : BANYAN_OK;
}

static enum banyan_status memory_renew(struct queue *queue, struct queue_item *job,
                                       struct banyan_error *err)
{
    struct memory *memory = (struct memory *)queue;
    struct memory_item *item = (struct memory_item *)job;
    pthread_mutex_lock(&memory->lock);
    bool lost = item->lost;
    item->deadline_ms = clock_now_ms() + memory->lease_ms;
    pthread_mutex_unlock(&memory->lock);
    return lost ? banyan_fail(err, BANYAN_NOT_FOUND, "the lease of job %llu was over",
                              (unsigned long long)job->number)
                : BANYAN_OK;
}

static enum banyan_status memory_release(struct queue *queue, struct queue_item *job,
                                         struct banyan_error *err)
{
    (void)err;
    struct memory *memory = (struct memory *)queue;
    struct memory_item *item = (struct memory_item *)job;
    pthread_mutex_lock(&memory->lock);
    memory_remove(&memory->leased, item);
    if (item->lost || memory->mode == QUEUE_OVER) {
        free(item);
    } else { /* the oldest job: nobody should wait for it longer */
        --item->item.deliveries;
        item->next = memory->waiting.first;
        memory->waiting.first = item;
        if (!memory->waiting.last)
            memory->waiting.last = item;
        pthread_cond_signal(&memory->jobs);
    }
    pthread_mutex_unlock(&memory->lock);
    return BANYAN_OK;
}

static enum banyan_status memory_give(struct queue *queue, struct queue_item *job,
                                      const struct queue_item *result, struct banyan_error *err)
{
    struct memory *memory = (struct memory *)queue;
    struct memory_item *item = (struct memory_item *)job, *given = memory_copy(result);
    if (!given)
        return memory_full(err);
    given->item.number = job->number;
    given->item.given_up = false;
    given->item.worker = memory->name;
    pthread_mutex_lock(&memory->lock);
    memory_remove(&memory->leased, item);
    memory_push_given(memory, given);
    pthread_mutex_unlock(&memory->lock);
    free(item);
    return BANYAN_OK;
}

/* --- blobs --- */

/* Where the blob of this name hangs; *NULL: there is none. */
static struct memory_blob **memory_blob(struct memory *memory, const char *name)
{
    struct memory_blob **at = &memory->blobs;
    while (*at && strcmp((*at)->name, name) != 0)
        at = &(*at)->next;
    return at;
}

static void memory_blob_free(struct memory_blob **at)
{
    struct memory_blob *blob = *at;
    *at = blob->next;
    free(blob);
}

static enum banyan_status memory_drop(struct queue *queue, const char *name,
                                      struct banyan_error *err)
{
    (void)err;
    struct memory *memory = (struct memory *)queue;
    pthread_mutex_lock(&memory->lock);
    struct memory_blob **at = memory_blob(memory, name);
    if (*at)
        memory_blob_free(at);
    pthread_mutex_unlock(&memory->lock);
    return BANYAN_OK;
}

static enum banyan_status memory_put(struct queue *queue, const char *name, const void *bytes,
                                     size_t length, struct banyan_error *err)
{
    struct memory *memory = (struct memory *)queue;
    struct memory_blob *blob = malloc(sizeof *blob + length);
    if (!blob)
        return memory_full(err);
    snprintf(blob->name, sizeof blob->name, "%s", name);
    blob->length = length;
    if (length)
        memcpy(blob->bytes, bytes, length);
    memory_drop(queue, name, err);
    pthread_mutex_lock(&memory->lock);
    blob->next = memory->blobs;
    memory->blobs = blob;
    pthread_mutex_unlock(&memory->lock);
    return BANYAN_OK;
}

static enum banyan_status memory_get(struct queue *queue, const char *name, void **bytes,
                                     size_t *length, struct banyan_error *err)
{
    struct memory *memory = (struct memory *)queue;
    pthread_mutex_lock(&memory->lock);
    const struct memory_blob *blob = *memory_blob(memory, name);
    void *copy = blob ? malloc(blob->length + 1) : NULL;
    if (copy) {
        memcpy(copy, blob->bytes, blob->length);
        *bytes = copy;
        *length = blob->length;
    }
    bool full = blob && !copy;
    pthread_mutex_unlock(&memory->lock);
    if (full)
        return memory_full(err);
    return copy ? BANYAN_OK : banyan_fail(err, BANYAN_NOT_FOUND, "the queue has no '%s'", name);
}

/* --- looking --- */

static enum banyan_status memory_report(struct queue *queue, const char *text,
                                        struct banyan_error *err)
{
    (void)err;
    struct memory *memory = (struct memory *)queue;
    pthread_mutex_lock(&memory->lock);
    snprintf(memory->report, sizeof memory->report, "%s", text);
    pthread_mutex_unlock(&memory->lock);
    return BANYAN_OK;
}

static int64_t memory_length(const struct memory_list *list)
{
    int64_t length = 0;
    for (const struct memory_item *at = list->first; at; at = at->next)
        length += !at->lost;
    return length;
}

static enum banyan_status memory_count(struct queue *queue, struct queue_counts *out,
                                       queue_worker_fn *each, void *ctx, struct banyan_error *err)
{
    (void)err;
    struct memory *memory = (struct memory *)queue;
    pthread_mutex_lock(&memory->lock);
    double now = clock_now_ms();
    *out = (struct queue_counts){.mode = memory->mode,
                                 .waiting = memory_length(&memory->waiting),
                                 .leased = memory_length(&memory->leased),
                                 .given = memory->given_count + memory_length(&memory->held),
                                 .bad = memory->bad_count,
                                 .workers = memory->report[0] != 0};
    if (out->leased > 0)
        out->oldest_lease_ms = now + memory->lease_ms - memory_next_deadline(memory, INFINITY);
    if (each && memory->report[0])
        each(ctx, memory->name, memory->report);
    pthread_mutex_unlock(&memory->lock);
    return BANYAN_OK;
}

/* --- opening, closing --- */

static enum banyan_status memory_clear_all(struct queue *queue, struct banyan_error *err)
{
    (void)err;
    struct memory *memory = (struct memory *)queue;
    pthread_mutex_lock(&memory->lock);
    memory_clear(&memory->waiting);
    memory_clear(&memory->given);
    memory->given_count = memory->bad_count = 0;
    memory->mode = QUEUE_OPEN;
    while (memory->blobs)
        memory_blob_free(&memory->blobs);
    pthread_mutex_unlock(&memory->lock);
    return BANYAN_OK;
}

static void memory_close(struct queue *queue)
{
    struct memory *memory = (struct memory *)queue;
    memory_clear_all(queue, NULL);
    memory_clear(&memory->leased);
    memory_clear(&memory->held);
    pthread_cond_destroy(&memory->jobs);
    pthread_cond_destroy(&memory->results);
    pthread_mutex_destroy(&memory->lock);
    free(memory);
}

static const struct queue_functions memory_functions = {
    .offer = memory_offer,
    .take = memory_take,
    .renew = memory_renew,
    .release = memory_release,
    .give = memory_give,
    .fetch = memory_fetch,
    .acknowledge = memory_acknowledge,
    .put = memory_put,
    .get = memory_get,
    .drop = memory_drop,
    .report = memory_report,
    .set_mode = memory_set_mode,
    .count = memory_count,
    .clear = memory_clear_all,
    .close = memory_close,
};

enum banyan_status queue_memory_open(struct queue **out, const struct queue_settings *settings,
                                     struct banyan_error *err)
{
    pthread_condattr_t clock;
    struct memory *memory = calloc(1, sizeof *memory);
    *out = NULL;
    if (!memory)
        return memory_full(err);
    memory->queue.can = &memory_functions;
    memory->lease_ms = settings->lease_ms;
    memory->limit = settings->limit;
    snprintf(memory->name, sizeof memory->name, "%s", settings->name ? settings->name : "here");
    pthread_mutex_init(&memory->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC); /* that of clock_now_ms */
    pthread_cond_init(&memory->jobs, &clock);
    pthread_cond_init(&memory->results, &clock);
    pthread_condattr_destroy(&clock);
    *out = &memory->queue;
    return BANYAN_OK;
}
