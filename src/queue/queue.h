/* A queue of work between one owner, who wants jobs done, and any number of workers.
 *
 *      owner    offer --> waiting --take--> leased --give--> given --fetch--> held --acknowledge--> gone
 *                            ^                 |
 *      worker                +---- release ----+     also when a lease is over, which `renew` prevents
 *
 * A job and a result are bytes with a number, the owner's name for the job; the queue knows nothing
 * else.  A job is done at least once: whose lease is over may be done twice, and both results
 * arrive.  The owner takes the first one for each number and drops the others; where a result is
 * a function of the job, they are equal.  So a queue may lose and repeat, and the owner keeps the
 * truth.
 *
 * Threads: any thread, also several at a time.
 */
#ifndef QUEUE_QUEUE_H
#define QUEUE_QUEUE_H

#include <banyan/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A job that somebody has taken, or a result that the owner holds.  It belongs to the queue, and is
 * valid until it is given, released or acknowledged. */
struct queue_item {
    uint64_t number;
    const void *bytes; /* [length]; may be NULL if length is 0 */
    size_t length;
    int deliveries; /* of a job: how often it was taken, this time included */
};

struct queue;

/* What a kind of queue can do; one table for each kind. */
struct queue_functions {
    enum banyan_status (*offer)(struct queue *queue, const struct queue_item *job,
                                struct banyan_error *err);
    enum banyan_status (*take)(struct queue *queue, double wait_ms, struct queue_item **out,
                               struct banyan_error *err);
    enum banyan_status (*renew)(struct queue *queue, struct queue_item *job,
                                struct banyan_error *err);
    enum banyan_status (*release)(struct queue *queue, struct queue_item *job,
                                  struct banyan_error *err);
    enum banyan_status (*give)(struct queue *queue, struct queue_item *job,
                               const struct queue_item *result, struct banyan_error *err);
    enum banyan_status (*fetch)(struct queue *queue, double wait_ms, struct queue_item **out,
                                struct banyan_error *err);
    enum banyan_status (*acknowledge)(struct queue *queue, struct queue_item *result,
                                      struct banyan_error *err);
    void (*end)(struct queue *queue);
    void (*close)(struct queue *queue);
};

struct queue {
    const struct queue_functions *can;
};

/* Opens the queue that lives in this process: its workers are threads.  lease_ms: how long a job may
 * be held without being renewed. */
enum banyan_status queue_memory_open(struct queue **out, double lease_ms, struct banyan_error *err);

/* Closes the queue and frees everything in it; nobody may be using it. */
static inline void queue_close(struct queue *queue)
{
    if (queue)
        queue->can->close(queue);
}

/* --- the owner --- */

/* Adds a job, which is copied. */
static inline enum banyan_status queue_offer(struct queue *queue, const struct queue_item *job,
                                             struct banyan_error *err)
{
    return queue->can->offer(queue, job, err);
}

/* Waits for a result, at most wait_ms.  *out is NULL if none came. */
static inline enum banyan_status queue_fetch(struct queue *queue, double wait_ms,
                                             struct queue_item **out, struct banyan_error *err)
{
    return queue->can->fetch(queue, wait_ms, out, err);
}

/* The result is in the owner's books: the queue may forget it. */
static inline enum banyan_status queue_acknowledge(struct queue *queue, struct queue_item *result,
                                                   struct banyan_error *err)
{
    return queue->can->acknowledge(queue, result, err);
}

/* There will be no more jobs: waiting ones are dropped, and whoever waits for one returns. */
static inline void queue_end(struct queue *queue)
{
    queue->can->end(queue);
}

/* --- a worker --- */

/* Takes the oldest job that waits, or whose lease is over; waits for one at most wait_ms.  *out is NULL
 * if none came.  BANYAN_NOT_FOUND: the owner has ended the queue. */
static inline enum banyan_status queue_take(struct queue *queue, double wait_ms,
                                            struct queue_item **out, struct banyan_error *err)
{
    return queue->can->take(queue, wait_ms, out, err);
}

/* Begins the lease anew.  BANYAN_NOT_FOUND: it was over, and somebody else has the job; it may still
 * be given. */
static inline enum banyan_status queue_renew(struct queue *queue, struct queue_item *job,
                                             struct banyan_error *err)
{
    return queue->can->renew(queue, job, err);
}

/* Returns the job undone: the next worker may take it at once. */
static inline enum banyan_status queue_release(struct queue *queue, struct queue_item *job,
                                               struct banyan_error *err)
{
    return queue->can->release(queue, job, err);
}

/* Delivers the result of the job (copied; its number is the job's), also after the lease. */
static inline enum banyan_status queue_give(struct queue *queue, struct queue_item *job,
                                            const struct queue_item *result,
                                            struct banyan_error *err)
{
    return queue->can->give(queue, job, result, err);
}

#endif
