/* Reading the time.  A clock may decide when a search stops, never which simulations it makes. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

static inline double clock_read_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Milliseconds since some moment in the past; never goes back.  Any thread. */
static inline double clock_now_ms(void)
{
    return clock_read_ms(CLOCK_MONOTONIC);
}

/* Milliseconds of processor time that all threads of this process have used. */
static inline double clock_process_ms(void)
{
    return clock_read_ms(CLOCK_PROCESS_CPUTIME_ID);
}

/* Milliseconds of processor time that this thread has used. */
static inline double clock_thread_ms(void)
{
    return clock_read_ms(CLOCK_THREAD_CPUTIME_ID);
}

#endif
