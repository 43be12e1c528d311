/* Searches with an evaluator of the test, which can set a flag in the midst of a run. */
#ifndef TESTS_SEARCH_STOPPING_H
#define TESTS_SEARCH_STOPPING_H

#include "searching.h"

#include <stdatomic.h>

/* Sets the flag during evaluation number `at`. */
struct stopping {
    banyan_flag stop;
    atomic_int calls;
    int at;
};

static inline enum banyan_status stopping_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                                   struct banyan_error *err)
{
    struct stopping *stopping = ctx;
    (void)err;
    for (int i = 0; i < n; ++i)
        leaves[i].values[0] = leaves[i].values[1] = 0;
    if (++stopping->calls == stopping->at)
        banyan_flag_set(&stopping->stop);
    return BANYAN_OK;
}

static inline struct banyan_evaluator stopping_evaluator(struct stopping *stopping)
{
    return (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "stopping",
                                     .ctx = stopping,
                                     .reentrant = true,
                                     .evaluate = stopping_evaluate};
}

/* Opens a search with this test's evaluator. */
static inline void open_with(struct searching *s, const char *game, const char *options,
                             struct banyan_evaluator *evaluator)
{
    searching_open(s, game, NULL, options, "uniform");
    banyan_search_destroy(s->search);
    searching_check(s, banyan_search_create(&s->search, s->game, &s->options, evaluator, &s->err));
    searching_check(s, banyan_search_set_root(s->search, s->state, -1, &s->err));
}

#endif
