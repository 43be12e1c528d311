/* What a thread does with jobs of the kind "match" (match_job.h).
 *
 * Threads: each has a struct match_work of its own.
 */
#ifndef MATCH_MATCH_WORK_H
#define MATCH_MATCH_WORK_H

#include "queue/queue.h"

#include <banyan/player.h>

#include <pthread.h>

struct match_work {
    struct queue *queue; /* where the jobs come from; borrowed */
    struct queue *blobs; /* where the settings are; borrowed; may be the same */
    pthread_mutex_t
        *getting; /* held by the thread that gets blobs; borrowed; NULL: there is only one thread */
    const banyan_flag *stop;           /* ends a game; borrowed; NULL: none */
    const struct banyan_offer *offers; /* players that a job may name; borrowed */
    struct match_seated *seated;       /* what is kept from one job to the next; starts as NULL */
};

/* Plays the games of a job and gives its result.  In any case the caller no longer has the job afterwards.
 * A job whose games cannot be played gets a result that says why, and this thread then waits a moment, so that other
 * workers come first.  BANYAN_INTERRUPTED: the job is back in the queue.  BANYAN_UNSUPPORTED: it is back, too, because it
 * belongs to another program, or its players are programs and offers have no "exec". */
enum banyan_status match_work(struct match_work *work, struct queue_item *job,
                              struct banyan_error *err);

/* Frees what is kept. */
void match_work_end(struct match_work *work);

#endif
