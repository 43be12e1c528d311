/* What `banyan worker` does: the jobs of a queue whose owner is another process.
 *
 *      the owner's queue --take--> taker  --offer--> queue in memory --> threads
 *                       <-renew--- keeper                                  |
 *                       <--give--- worker_run <----------fetch-------------+
 *
 * Threads therefore never wait for a server: while it does not answer they finish the jobs that
 * they have, and the results are given when it answers again.  Nothing is lost if the process dies:
 * its leases end, and others do the jobs.
 */
#ifndef TRAIN_WORKER_H
#define TRAIN_WORKER_H

#include <banyan/status.h>
#include <banyan/stop.h>

#include <stdbool.h>
#include <stdint.h>

struct worker_totals {
    int64_t jobs, bytes; /* results that were given, and their size */
    int held;            /* jobs in progress */
};

struct worker_job {
    const char *queue; /* URL */
    const char *name;  /* in the queue; NULL: made of host, process and a random number */
    /* folder of this machine for networks; NULL: one that is deleted at the end */
    const char *cache;
    const char *kinds; /* of jobs that it takes, "play,match"; NULL: all */
    int threads;
    bool once;           /* end after one job */
    bool allow_exec;     /* whether a job's players may be outside programs */
    double renew_ms;     /* time between two renewals of its leases; a part of a lease */
    double idle_exit_ms; /* stop after this time without a job; INFINITY: never */
    const banyan_flag *stop;
    /* Called when the server does not answer (why), and when it does again (NULL), by any thread; may
     * be NULL. */
    void (*lost)(void *ctx, const char *why);
    /* Called about ten times a second by the thread that called worker_run; may be NULL. */
    void (*progress)(void *ctx, const struct worker_totals *totals);
    void *ctx;
};

/* Why a worker has stopped. */
enum worker_end {
    WORKER_OVER,    /* the owner has no more jobs */
    WORKER_DRAINED, /* somebody has drained the queue */
    WORKER_ONCE,    /* one job was wanted, and is done */
    WORKER_IDLE,    /* no job for a while */
    WORKER_STOPPED  /* `stop` was set */
};

/* Does jobs until there is one of these reasons to stop; the jobs that it has not finished then go back at once,
 * except that those of a drained queue are finished first.  totals gets what was done, also after a failure. */
enum banyan_status worker_run(const struct worker_job *job, struct worker_totals *totals,
                              enum worker_end *end, struct banyan_error *err);

#endif
