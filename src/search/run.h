/* One run of a search: its limits, and what run.c and run_threads.c do for each other. */
#ifndef SEARCH_RUN_H
#define SEARCH_RUN_H

#include "search/search.h"

struct run {
    struct banyan_search *search;
    const struct banyan_search_limits *limits;
    double begin_ms;
    uint64_t begin; /* simulations before */
    uint64_t goal;  /* simulations to reach; UINT64_MAX: no limit */
    double deadline_ms;
    double first_share, first_done; /* early in the time: share of it that had gone, simulations */
    bool stopped;                   /* by limits->stop */
    enum banyan_status status;
    struct banyan_error *err;
};

/* run.c */
/* Whether the run has reached a limit; *next_look: simulations at which the clock is read again. */
bool run_over(struct run *run, uint64_t *next_look);
/* How many simulations may start now, so that exactly the wanted number is made. */
int run_batch(const struct run *run);
/* Evaluates without touching the search, so that threads may do it side by side. */
enum banyan_status run_evaluate(const struct banyan_search *search, struct banyan_leaf *leaves,
                                int n, double *spent_ms, struct banyan_error *err);
/* Gives leaves back: with their values, or unvisited when the evaluator failed. */
void run_give_back(struct banyan_search *search, struct banyan_leaf *leaves, int n, double spent_ms,
                   enum banyan_status status);
/* One tree, until simulations (0: no such limit) or another limit is reached. */
enum banyan_status run_one(struct banyan_search *search, const struct banyan_search_limits *limits,
                           int64_t simulations, struct banyan_error *err);

/* run_threads.c */
/* All threads of one tree, until the run is over. */
void run_together(struct run *run);
/* All trees of an ensemble, each with its share of the simulations. */
enum banyan_status run_ensemble(struct banyan_search *search,
                                const struct banyan_search_limits *limits,
                                struct banyan_error *err);

#endif
