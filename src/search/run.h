/* One run of a search: its limits, and the functions that run.c and run_threads.c share. */
#ifndef SEARCH_RUN_H
#define SEARCH_RUN_H

#include "search/search.h"

struct run {
    struct banyan_search *search;
    const struct banyan_search_limits *limits;
    double begin_ms;
    uint64_t begin; /* simulations before the run */
    uint64_t goal;  /* total of simulations to reach; UINT64_MAX: no limit */
    double deadline_ms;
    /* at an early moment of the run: the share of the time that had passed, and the simulations done */
    double first_share, first_done;
    bool stopped; /* ended by limits->stop or by the progress function */
    enum banyan_status status;
    struct banyan_error *err;
    bool root_is_busy; /* threads change a root that cannot be held: an early end waits for them */
    double next_progress_ms;
    bool is_shared;    /* threads are changing the tree side by side */
    bool progress_due; /* progress() is to be called when these threads have ended their round */
    uint64_t unseen;   /* visits that threads have not yet added to the tree, at most */
};

/* run.c */
/* Whether the run has reached a limit.  *next_look: number of simulations at which to read the
 * clock again. */
bool run_over(struct run *run, uint64_t *next_look);
/* Selects and evaluates one batch, and gives it back to the tree, in one thread. */
void run_step(struct run *run);
/* How many simulations may start now without exceeding the limit. */
int run_batch(const struct run *run);
/* Evaluates leaves without changing the search, so that threads may do it at the same time. */
enum banyan_status run_evaluate(const struct banyan_search *search, struct banyan_leaf *leaves,
                                int n, double *spent_ms, struct banyan_error *err);
/* Returns leaves to the tree: with their values, or undone if the evaluator failed. */
void run_give_back(struct banyan_search *search, struct banyan_leaf *leaves, int n, double spent_ms,
                   enum banyan_status status);
/* Runs one tree until it has this many simulations (0: no limit) or reaches another limit. */
enum banyan_status run_one(struct banyan_search *search, const struct banyan_search_limits *limits,
                           int64_t simulations, struct banyan_error *err);

/* run_threads.c */
/* Runs all threads of one tree until the run is over. */
void run_together(struct run *run);
/* Runs all trees of an ensemble, each with its share of the simulations. */
enum banyan_status run_ensemble(struct banyan_search *search,
                                const struct banyan_search_limits *limits,
                                struct banyan_error *err);

#endif
