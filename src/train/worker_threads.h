/* Threads that do the jobs of a queue in this process.
 *
 *      queue --take--> job --its first word--> function of this kind of work --give--> queue
 *
 * Each thread works alone: it takes jobs as long as it has room for more, and gets settings and
 * networks from a queue.  A process that owns a run starts threads on its own queue; a worker
 * starts them on a queue in its memory, and carries jobs and results between that queue and the
 * owner's (worker.h).
 */
#ifndef TRAIN_WORKER_THREADS_H
#define TRAIN_WORKER_THREADS_H

#include "match/match_work.h"
#include "queue/queue.h"

struct worker_threads;

struct worker_threads_setting {
    struct queue *jobs;  /* both outlive the threads */
    struct queue *blobs; /* where settings and networks are */
    int count;
    bool allow_exec; /* whether a job's players may be outside programs */
};

/* Starts threads. */
enum banyan_status worker_threads_start(struct worker_threads **out,
                                        const struct worker_threads_setting *setting,
                                        struct banyan_error *err);

/* The first failure of a thread, BANYAN_OK: there is none.  A thread that failed does nothing more.
 * threads may be NULL. */
enum banyan_status worker_threads_failed(struct worker_threads *threads, struct banyan_error *err);

/* Stops the threads; what they have not finished goes back into the queue.  May be NULL. */
void worker_threads_stop(struct worker_threads *threads);

/* --- for the kinds of work --- */

/* One thread: what a function that does jobs works with. */
struct worker_thread {
    struct worker_threads *threads;
    struct queue *queue; /* of jobs */
    const banyan_flag *stop;
    struct queue_item *left; /* a job that was taken, but is to be done later; NULL: none */
    void *play;              /* of worker_play.c */
    struct match_work match; /* rounds of matches */
    bool allow_exec;
};

/* Like queue_get from the queue of blobs, but one thread at a time, so that the others find the blob in the
 * cache; waits a moment for a blob that is not there. */
enum banyan_status worker_threads_get(struct worker_thread *thread, const char *name, void **bytes,
                                      size_t *length, struct banyan_error *err);

/* How long a thread waits for a job before it looks at `stop` again. */
enum { WORKER_WAIT_MS = 100 };

#endif
