/* The owner of a run as a worker of its own queue, beside workers elsewhere. */
#include "train/loop_state.h"

#include "train/worker.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct loop_local {
    struct worker_job job;
    banyan_flag stop;
    pthread_t thread;
    pthread_mutex_t lock; /* guards everything below */
    enum banyan_status status;
    struct banyan_error error;
};

/* Waits a moment; false: the worker is to stop. */
static bool local_pause(const struct loop_local *local)
{
    enum { STEPS = 20 };
    const struct timespec step = {.tv_nsec = 50 * 1000000L};
    for (int i = 0; i < STEPS && !banyan_flag_is_set(&local->stop); ++i)
        nanosleep(&step, NULL);
    return !banyan_flag_is_set(&local->stop);
}

/* Works until it is stopped or fails.  A worker of a drained queue ends, and this one begins again, because the queue
 * may be resumed. */
static void *local_run(void *argument)
{
    struct loop_local *local = argument;
    struct worker_totals totals;
    struct banyan_error error = {.message = ""};
    enum worker_end end;
    enum banyan_status status;
    do
        status = worker_run(&local->job, &totals, &end, &error);
    while (status == BANYAN_OK && end == WORKER_DRAINED && local_pause(local));
    pthread_mutex_lock(&local->lock);
    local->status = status;
    local->error = error;
    pthread_mutex_unlock(&local->lock);
    return NULL;
}

enum banyan_status loop_local_start(struct loop *loop, struct banyan_error *err)
{
    static const double renewals = 5; /* in the time of one lease */
    struct loop_local *local = calloc(1, sizeof *local);
    if (!local)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a worker");
    local->job = (struct worker_job){.queue = loop->job->queue,
                                     .threads = loop->job->local,
                                     .renew_ms = loop->job->lease_ms / renewals,
                                     .idle_exit_ms = INFINITY,
                                     .stop = &local->stop};
    pthread_mutex_init(&local->lock, NULL);
    if (pthread_create(&local->thread, NULL, local_run, local) == 0) {
        loop->local = local;
        return BANYAN_OK;
    }
    pthread_mutex_destroy(&local->lock);
    free(local);
    return banyan_fail(err, BANYAN_NO_MEMORY, "no thread for a worker could be started");
}

enum banyan_status loop_local_failed(const struct loop *loop, struct banyan_error *err)
{
    struct loop_local *local = loop->local;
    if (!local)
        return BANYAN_OK;
    pthread_mutex_lock(&local->lock);
    enum banyan_status status = local->status;
    if (status != BANYAN_OK)
        banyan_fail(err, status, "%s", local->error.message);
    pthread_mutex_unlock(&local->lock);
    return status;
}

void loop_local_stop(struct loop *loop)
{
    struct loop_local *local = loop->local;
    if (!local)
        return;
    banyan_flag_set(&local->stop);
    pthread_join(local->thread, NULL);
    pthread_mutex_destroy(&local->lock);
    free(local);
    loop->local = NULL;
}
