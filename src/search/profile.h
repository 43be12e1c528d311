/* Time and counts by phase, when options.profile asks for them: one clock reading (about 25 ns) at
 * each end of a phase.  Otherwise a phase costs one predictable branch. */
#ifndef SEARCH_PROFILE_H
#define SEARCH_PROFILE_H

#include "search/search.h"

#include <time.h>

static inline double profile_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static inline double profile_begin(const struct banyan_search *search)
{
    return search->options.profile ? profile_now_ms() : 0;
}

static inline void profile_end(const struct banyan_search *search, double begin, double *ms,
                               uint64_t *count, uint64_t times)
{
    if (search->options.profile) {
        *ms += profile_now_ms() - begin;
        *count += times;
    }
}

#endif
