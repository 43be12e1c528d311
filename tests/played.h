/* Workers of a queue, each as a thread of the test's process. */
#ifndef TESTS_PLAYED_H
#define TESTS_PLAYED_H

#include "train/worker.h"

#include <math.h>
#include <pthread.h>

struct played {
    struct worker_job job;
    banyan_flag stop;
    struct worker_totals totals;
    enum worker_end end;
    enum banyan_status status;
    struct banyan_error error;
    pthread_t thread;
};

static inline void *played_run(void *argument)
{
    struct played *played = argument;
    played->status = worker_run(&played->job, &played->totals, &played->end, &played->error);
    return NULL;
}

/* Fills in a job, which the test may change before it calls played_go. */
static inline void played_set(struct played *played, const char *url, int threads)
{
    *played = (struct played){.job = {.queue = url,
                                      .threads = threads,
                                      .renew_ms = 20,
                                      .idle_exit_ms = INFINITY,
                                      .stop = &played->stop}};
}

static inline void played_go(struct played *played)
{
    assert_int_equal(pthread_create(&played->thread, NULL, played_run, played), 0);
}

static inline void played_start(struct played *played, const char *url, int threads)
{
    played_set(played, url, threads);
    played_go(played);
}

static inline void played_join(struct played *played, enum worker_end end)
{
    pthread_join(played->thread, NULL);
    if (played->status != BANYAN_OK)
        fail_msg("%s", played->error.message);
    assert_int_equal(played->end, end);
}

#endif
