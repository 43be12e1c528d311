/* Jobs and results of a queue in this process: lists, leases, waiting. */
#include "queue/queue_memory.h"

#include "base/clock.h"
#include "base/condition.h"

#include <stdlib.h>
#include <string.h>

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

void memory_clear(struct memory_list *list)
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

/* --- waiting --- */

/* When the first lease ends, or `otherwise` if that is earlier. */
double memory_next_deadline(const struct memory *memory, double otherwise)
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
    pthread_cond_signal(&memory->results);
}

/* Puts jobs whose lease is over back among those that wait. False: no memory. */
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

enum banyan_status memory_offer(struct queue *queue, const struct queue_item *job,
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
    pthread_mutex_unlock(&memory->lock);
    pthread_cond_signal(
        &memory->jobs); /* after unlocking: the woken thread need not wait for the lock */
    return BANYAN_OK;
}

enum banyan_status memory_withdraw(struct queue *queue, uint64_t first, uint64_t count,
                                   struct banyan_error *err)
{
    (void)err;
    struct memory *memory = (struct memory *)queue;
    pthread_mutex_lock(&memory->lock);
    for (struct memory_item *at = memory->waiting.first, *next; at; at = next) {
        next = at->next;
        if (at->item.number - first >= count)
            continue;
        memory_remove(&memory->waiting, at);
        free(at);
    }
    for (struct memory_item *at = memory->leased.first; at; at = at->next)
        at->lost = at->lost || at->item.number - first < count;
    pthread_mutex_unlock(&memory->lock);
    return BANYAN_OK;
}

enum banyan_status memory_fetch(struct queue *queue, double wait_ms, struct queue_item **out,
                                struct banyan_error *err)
{
    (void)err;
    struct memory *memory = (struct memory *)queue;
    double until = clock_now_ms() + wait_ms;
    *out = NULL;
    pthread_mutex_lock(&memory->lock);
    while (!memory->given.first && clock_now_ms() < until)
        condition_wait(&memory->results, &memory->lock, until);
    struct memory_item *item = memory->given.first;
    if (item) {
        memory_remove(&memory->given, item);
        memory_push(&memory->held, item);
        if (memory->given_count-- == memory->limit) /* now workers may take jobs again */
            pthread_cond_broadcast(&memory->jobs);
        *out = &item->item;
    }
    pthread_mutex_unlock(&memory->lock);
    return BANYAN_OK;
}

enum banyan_status memory_acknowledge(struct queue *queue, struct queue_item *result,
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

enum banyan_status memory_acknowledge_later(struct queue *queue, struct queue_item *result,
                                            struct banyan_error *err)
{
    return memory_acknowledge(queue, result, NULL, err);
}

enum banyan_status memory_set_mode(struct queue *queue, enum queue_mode mode,
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
    struct memory_item *item = open ? memory->waiting.first : NULL;
    while (item && !queue_is_of_kind(memory->kinds, item->item.bytes, item->item.length))
        item = item->next;
    return item;
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

enum banyan_status memory_take(struct queue *queue, double wait_ms, struct queue_item **out,
                               struct banyan_error *err)
{
    struct memory *memory = (struct memory *)queue;
    double until = clock_now_ms() + wait_ms;
    bool room = true;
    *out = NULL;
    pthread_mutex_lock(&memory->lock);
    while (!memory_stopped(memory) && (room = memory_expire(memory)) && !memory_ready(memory) &&
           clock_now_ms() < until)
        condition_wait(&memory->jobs, &memory->lock, memory_next_deadline(memory, until));
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

enum banyan_status memory_renew(struct queue *queue, struct queue_item *job,
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

enum banyan_status memory_renew_all(struct queue *queue, struct queue_item *const jobs[], int count,
                                    struct banyan_error *err)
{
    (void)err;
    for (int i = 0; i < count; ++i)
        memory_renew(queue, jobs[i], NULL);
    return BANYAN_OK;
}

enum banyan_status memory_release(struct queue *queue, struct queue_item *job,
                                  struct banyan_error *err)
{
    (void)err;
    struct memory *memory = (struct memory *)queue;
    struct memory_item *item = (struct memory_item *)job;
    pthread_mutex_lock(&memory->lock);
    memory_remove(&memory->leased, item);
    if (item->lost || memory->mode == QUEUE_OVER) {
        free(item);
    } else { /* to the front: it was taken before the jobs that wait */
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

enum banyan_status memory_give(struct queue *queue, struct queue_item *job,
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
    pthread_cond_signal(&memory->results);
    free(item);
    return BANYAN_OK;
}
