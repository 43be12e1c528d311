/* What the owner of a queue in Redis knows, for the files that implement the owner. */
#ifndef QUEUE_QUEUE_REDIS_OWNER_H
#define QUEUE_QUEUE_REDIS_OWNER_H

#include "queue/queue_redis.h"
#include "queue/redis_copies.h"

enum { OWNER_ACKS = 64, OWNER_LATER = REDIS_PIPE - 6 };

struct redis_owner {
    pthread_mutex_t lock;            /* guards everything here, and the order of what is written */
    struct redis_copies jobs, blobs; /* jobs without a result; blobs as they were put */
    struct redis_item *ready;        /* fetched from the server, in order */
    struct redis_item *held;         /* results that the caller holds */
    char from[REDIS_ID];             /* read entries after this one; ">": new ones */
    char acks[OWNER_ACKS][REDIS_ID]; /* entries that the server may forget */
    int ack_count;
    struct redis_pipe later; /* jobs that go out with the next command, at most OWNER_LATER */
    double acks_since_ms, owned_ms; /* since when acks wait; when the owner last said that it is
                                     * there */
    unsigned connections;           /* redis_link_connections() at the last restore; 0: restore */
    bool over;                      /* this owner has ended the queue */
};

/* Writes what the server lacks: groups, blobs, jobs without a result. */
enum banyan_status redis_owner_restore(struct redis_queue *queue, struct banyan_error *err);

/* Adds the command that writes the settings of the run, without its mode. */
void redis_owner_add_run(const struct redis_queue *queue, struct redis_pipe *pipe);

/* Tells the server from time to time that this owner is alive.  BANYAN_ILLEGAL: another one is the owner. */
enum banyan_status redis_owner_stay(struct redis_queue *queue, struct banyan_error *err);

/* Becomes the owner; waits until an earlier owner that may have died counts as gone.  BANYAN_ILLEGAL: another one
 * is the owner. */
enum banyan_status redis_owner_become(struct redis_queue *queue, struct banyan_error *err);

/* Lets another one become the owner at once. */
void redis_owner_leave(struct redis_queue *queue);

#endif
