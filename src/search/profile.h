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

/* Adds the times and counts of another thread or tree. */
static inline void profile_add(struct banyan_search_profile *to,
                               const struct banyan_search_profile *other)
{
    to->select_ms += other->select_ms;
    to->apply_ms += other->apply_ms;
    to->expand_ms += other->expand_ms;
    to->evaluate_ms += other->evaluate_ms;
    to->backup_ms += other->backup_ms;
    to->compact_ms += other->compact_ms;
    to->selects += other->selects;
    to->applies += other->applies;
    to->expansions += other->expansions;
    to->evaluations += other->evaluations;
    to->backups += other->backups;
    to->copies += other->copies;
    to->samples += other->samples;
    to->ucb_terms += other->ucb_terms;
    for (size_t i = 0; i < sizeof to->depth / sizeof *to->depth; ++i)
        to->depth[i] += other->depth[i];
}

#endif
