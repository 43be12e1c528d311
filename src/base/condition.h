/* Waiting for other threads by the clock of base/clock.h, which does not change when somebody sets the
 * time of the machine. */
#ifndef BASE_CONDITION_H
#define BASE_CONDITION_H

#include <math.h>
#include <pthread.h>
#include <time.h>

static inline void condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* Waits until the condition is signalled, or until clock_now_ms() is until_ms; may also return
 * earlier. */
static inline void condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double until_ms)
{
    double seconds = floor(until_ms / 1e3);
    const struct timespec until = {.tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)((until_ms - 1e3 * seconds) * 1e6)};
    pthread_cond_timedwait(condition, lock, &until);
}

#endif
