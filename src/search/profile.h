/* Time and counts by phase, when options.profile asks for them: one clock reading (about 25 ns) at
 * each end of a phase.  Otherwise a phase costs one predictable branch. */
#ifndef SEARCH_PROFILE_H
#define SEARCH_PROFILE_H

#include "base/clock.h"
#include "search/search.h"

static inline double profile_begin(const struct banyan_search *search)
{
    return search->options.profile ? clock_now_ms() : 0;
}

static inline void profile_end(const struct banyan_search *search, double begin, double *ms,
                               uint64_t *count, uint64_t times)
{
    if (search->options.profile) {
        *ms += clock_now_ms() - begin;
        *count += times;
    }
}

#endif
