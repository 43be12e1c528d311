/* Long work without the GIL, which Ctrl-C can end. */
#include "core.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

enum { OUTSIDE_LOOK_MS = 20 }; /* between two checks for signals */

struct outside {
    void (*work)(void *ctx);
    void *ctx;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool done;
};

static void *outside_thread(void *argument)
{
    struct outside *outside = argument;
    outside->work(outside->ctx);
    pthread_mutex_lock(&outside->lock);
    outside->done = true;
    pthread_cond_signal(&outside->ended);
    pthread_mutex_unlock(&outside->lock);
    return NULL;
}

/* Waits until the work is done, or it is time to check for signals; returns whether the work is done. */
static bool outside_wait(struct outside *outside)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += OUTSIDE_LOOK_MS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_nsec -= 1000000000L;
        ++until.tv_sec;
    }
    pthread_mutex_lock(&outside->lock);
    int waited = 0;
    while (!outside->done && waited != ETIMEDOUT)
        waited = pthread_cond_timedwait(&outside->ended, &outside->lock, &until);
    bool done = outside->done;
    pthread_mutex_unlock(&outside->lock);
    return done;
}

static bool outside_watch(struct outside *outside, banyan_flag *stop)
{
    bool well = true, done = false;
    while (!done) {
        Py_BEGIN_ALLOW_THREADS done = outside_wait(outside);
        Py_END_ALLOW_THREADS if (well && PyErr_CheckSignals() != 0)
        {
            well = false;
            banyan_flag_set(stop);
        }
    }
    return well;
}

bool core_outside(void (*work)(void *ctx), void *ctx, banyan_flag *stop)
{
    struct outside outside = {.work = work, .ctx = ctx};
    pthread_condattr_t monotonic;
    pthread_t thread;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&outside.lock, NULL);
    pthread_cond_init(&outside.ended, &monotonic);
    bool well = pthread_create(&thread, NULL, outside_thread, &outside) == 0;
    if (well) {
        well = outside_watch(&outside, stop);
        pthread_join(thread, NULL);
    } else {
        PyErr_SetString(PyExc_RuntimeError, "the system has no thread left to search with");
    }
    pthread_cond_destroy(&outside.ended);
    pthread_mutex_destroy(&outside.lock);
    pthread_condattr_destroy(&monotonic);
    return well;
}
