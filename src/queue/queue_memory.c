/* The queue whose owner and workers are threads of one process: opening it, its blobs, looking at it. */
#include "queue/queue_memory.h"

#include "queue/queue_kinds.h"

#include "base/clock.h"
#include "base/condition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum banyan_status memory_full(struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a queue");
}

/* --- blobs --- */

/* The pointer that leads to the blob of this name; it points to NULL if there is none. */
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

/* Frees the blob of this name, if there is one.  The caller holds the lock. */
static void memory_forget(struct memory *memory, const char *name)
{
    struct memory_blob **at = memory_blob(memory, name);
    if (*at)
        memory_blob_free(at);
}

static enum banyan_status memory_drop(struct queue *queue, const char *name,
                                      struct banyan_error *err)
{
    (void)err;
    struct memory *memory = (struct memory *)queue;
    pthread_mutex_lock(&memory->lock);
    memory_forget(memory, name);
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
    pthread_mutex_lock(&memory->lock);
    memory_forget(memory, name);
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
    .offer_later = memory_offer,
    .withdraw = memory_withdraw,
    .take = memory_take,
    .renew = memory_renew,
    .renew_all = memory_renew_all,
    .release = memory_release,
    .give = memory_give,
    .fetch = memory_fetch,
    .acknowledge = memory_acknowledge,
    .acknowledge_later = memory_acknowledge_later,
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
    struct memory *memory = calloc(1, sizeof *memory);
    *out = NULL;
    if (!memory)
        return memory_full(err);
    memory->queue.can = &memory_functions;
    memory->lease_ms = settings->lease_ms;
    memory->limit = settings->limit;
    snprintf(memory->kinds, sizeof memory->kinds, "%s", settings->kinds ? settings->kinds : "");
    snprintf(memory->name, sizeof memory->name, "%s", settings->name ? settings->name : "here");
    pthread_mutex_init(&memory->lock, NULL);
    condition_init(&memory->jobs);
    condition_init(&memory->results);
    *out = &memory->queue;
    return BANYAN_OK;
}
