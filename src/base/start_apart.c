/* Asks Linux to start a thread on another processor. */
#define _GNU_SOURCE
#include "base/start_apart.h"

#if defined(__linux__) && defined(__GLIBC__)

#include <sched.h>

/* Sends the thread to another processor than the caller's, and lets it use all of the caller's again. */
static void start_move(pthread_t thread)
{
    cpu_set_t all, others;
    int here = sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof all, &all) != 0)
        return; /* there are more processors than a cpu_set_t can name */
    others = all;
    CPU_CLR((size_t)here, &others);
    if (CPU_COUNT(&others) > 0 && pthread_setaffinity_np(thread, sizeof others, &others) == 0)
        pthread_setaffinity_np(thread, sizeof all, &all);
}

#else

static void start_move(pthread_t thread)
{
    (void)thread;
}

#endif

bool start_apart(pthread_t *thread, void *(*run)(void *argument), void *argument)
{
    if (pthread_create(thread, NULL, run, argument) != 0)
        return false;
    start_move(*thread);
    return true;
}
