/* One run of a search: its limits, the loop of one thread, and its extension until the choice
 * agrees. */
#include "search/run.h"

#include "base/clock.h"
#include "base/least.h"
#include "base/numeric.h"
#include "base/struct_size.h"
#include "search/profile.h"
#include "search/workers.h"

/* Whether the final choice cannot change in the simulations that are left.  With root pruning
 * it must not change in left / root_pruning simulations: an action that needs more is pruned. */
static bool run_decided(struct banyan_search *search, uint64_t left)
{
    if (search->options.root_pruning > 1)
        left = (uint64_t)((double)left / search->options.root_pruning);
    struct banyan_search_move *rows = search->scratch.rows;
    int count = search_choice_rows(search, search->root.viewer, rows);
    return search_final_decided(search, rows, count, left);
}

/* Simulations still to come at the present speed. */
static uint64_t run_left(const struct run *run, double now_ms)
{
    uint64_t done = run->search->simulations - run->begin;
    uint64_t left = run->goal == UINT64_MAX ? UINT64_MAX : run->goal - run->search->simulations;
    if (run->deadline_ms > 0 && done > 0) {
        double rate = (double)done / (now_ms - run->begin_ms + 1e-3);
        double by_time = rate * (run->deadline_ms - now_ms);
        if (by_time < (double)left)
            left = by_time > 0 ? (uint64_t)by_time : 0;
    }
    return left;
}

/* Estimates how many simulations are still to come, which sequential halving needs.
 * Simulations get slower as the tree grows deeper and leaves the caches.  So their number is
 * taken to grow as a power of the time.  The exponent is measured from RUN_FIRST_SHARE of the time on. */
#define RUN_FIRST_SHARE 0.1
#define RUN_LEAST_POWER 0.7

static uint64_t run_left_by_power(struct run *run, double now_ms, uint64_t left)
{
    double done = (double)(run->search->simulations - run->begin);
    double share = (now_ms - run->begin_ms + 1e-3) / (run->deadline_ms - run->begin_ms), power = 1;
    if (run->first_share <= 0 && share >= RUN_FIRST_SHARE && done > 0) {
        run->first_share = share;
        run->first_done = done;
    }
    if (run->first_share > 0 && share > 1.5 * run->first_share && done > run->first_done)
        power = numeric_ln(done / run->first_done) / numeric_ln(share / run->first_share);
    power = most_double(power, RUN_LEAST_POWER);
    double by_time = share < 1 ? done * (numeric_pow(1 / share, power) - 1) : 0;
    /* at most as many as the present speed allows: simulations do not get faster */
    return by_time < (double)left ? (uint64_t)by_time : left;
}

/* Calls the progress function when its next call is due; false: that function ends the run. */
static bool run_progress(struct run *run, double now_ms)
{
    const struct banyan_search_limits *limits = run->limits;
    if (!limits->progress || now_ms < run->next_progress_ms)
        return true;
    run->progress_due = run->is_shared;
    if (run->is_shared)
        return true;
    bool goes_on = limits->progress(limits->progress_ctx, run->search);
    run->next_progress_ms = clock_now_ms() + limits->progress_ms;
    run->stopped = run->stopped || !goes_on;
    return goes_on;
}

/* Reading the clock costs about as much as a simulation of tic-tac-toe.  So it is read about every
 * 0.2 ms by the speed measured so far, at least once in 1024 simulations; with neither a time limit
 * nor a progress function once in 256. */
bool run_over(struct run *run, uint64_t *next_look)
{
    struct banyan_search *search = run->search;
    if (run->status != BANYAN_OK || run->stopped || search->simulations >= run->goal)
        return true;
    if (banyan_flag_is_set(run->limits->stop))
        return run->stopped = true;
    if (search->solver && search_proven(&search->root.bounds))
        return true;
    if (search->simulations < *next_look)
        return false;
    double now = clock_now_ms();
    if (run->deadline_ms > 0 && now >= run->deadline_ms)
        return true;
    if (!run_progress(run, now))
        return true;
    uint64_t done = search->simulations - run->begin, step = 256;
    if (run->deadline_ms > 0 || run->limits->progress) {
        double rate = (double)done / (now - run->begin_ms + 1e-3); /* simulations per ms */
        step = rate < 5 ? 1 : (uint64_t)(rate / 5) < 1024 ? (uint64_t)(rate / 5) : 1024;
    }
    *next_look = search->simulations + step;
    uint64_t left = run_left(run, now);
    search->run.end = left < UINT64_MAX / 2 ? search->simulations + left : 0;
    if (run->deadline_ms > 0)
        search_gumbel_replan(search, run_left_by_power(run, now, left));
    return run->limits->early && !run->root_is_busy &&
           run_decided(search, left > UINT64_MAX - run->unseen ? left : left + run->unseen);
}

enum banyan_status run_evaluate(const struct banyan_search *search, struct banyan_leaf *leaves,
                                int n, double *spent_ms, struct banyan_error *err)
{
    uint64_t counted = 0;
    double begin = profile_begin(search);
    enum banyan_status status =
        n > 0 ? search->evaluator->evaluate(search->evaluator->ctx, leaves, n, err) : BANYAN_OK;
    *spent_ms = 0;
    profile_end(search, begin, spent_ms, &counted, 1);
    return status;
}

void run_give_back(struct banyan_search *search, struct banyan_leaf *leaves, int n, double spent_ms,
                   enum banyan_status status)
{
    search->profile.evaluate_ms += spent_ms;
    search->profile.evaluations += (uint64_t)n;
    if (status == BANYAN_OK) {
        banyan_search_update(search, leaves, n);
        return;
    }
    for (int i = 0; i < n; ++i) {
        search_take_back(search, &search->flights.slots[leaves[i].ticket]);
        search->flights.slots[leaves[i].ticket].busy = false;
        --search->flights.waiting;
    }
}

int run_batch(const struct run *run)
{
    uint64_t committed = run->search->simulations + run->search->flights.waiting;
    uint64_t left = run->goal - least_u64(committed, run->goal);
    return (int)least_u64(left, (uint64_t)run->search->options.batch);
}

void run_step(struct run *run)
{
    struct banyan_search *search = run->search;
    struct banyan_leaf *leaves = search->flights.leaves;
    double spent_ms;
    int n = banyan_search_select(search, leaves, run_batch(run));
    run->status = run_evaluate(search, leaves, n, &spent_ms, run->err);
    run_give_back(search, leaves, n, spent_ms, run->status);
}

static void run_alone(struct run *run)
{
    uint64_t next_look = run->search->simulations + 16;
    while (!run_over(run, &next_look))
        run_step(run);
}

enum banyan_status run_one(struct banyan_search *search, const struct banyan_search_limits *limits,
                           int64_t simulations, struct banyan_error *err)
{
    struct run run = {.search = search,
                      .limits = limits,
                      .begin_ms = clock_now_ms(),
                      .begin = search->simulations,
                      .goal = simulations > 0 ? search->simulations + (uint64_t)simulations
                                              : UINT64_MAX,
                      .err = err};
    run.deadline_ms = limits->time_ms > 0 ? run.begin_ms + limits->time_ms : 0;
    run.next_progress_ms = run.begin_ms + limits->progress_ms;
    search->run.planned = run.deadline_ms > 0 ? SEARCH_BY_TIME : simulations;
    search->run.end = run.goal < UINT64_MAX ? run.goal : 0;
    search->gumbel->halving.alive = 0;
    search->run.stop = limits->stop;
    search->run.deadline_ms = run.deadline_ms;
    if (search->parallel.workers && !search->trace.fn)
        workers_run(&run);
    else if (search->options.threads > 1 && !search->parallel.workers)
        run_together(&run);
    else
        run_alone(&run);
    search->run.stop = NULL;
    search->run.deadline_ms = 0;
    search->run.end = 0;
    search->elapsed_ms = clock_now_ms() - run.begin_ms;
    if (run.status == BANYAN_OK && run.stopped && search->simulations < run.goal)
        return banyan_fail(err, BANYAN_INTERRUPTED, "the search was stopped after %llu simulations",
                           (unsigned long long)(search->simulations - run.begin));
    return run.status;
}

/* Whether the most visited action also has the highest mean. */
static bool run_agrees(struct banyan_search *search)
{
    struct banyan_search_move *rows = search->scratch.rows;
    int count = search_choice_rows(search, search->root.viewer, rows);
    for (int i = 1; i < count; ++i)
        if (rows[i].visits && rows[i].mean > rows[0].mean)
            return false;
    return true;
}

/* Runs all trees of the search until a limit is reached. */
static enum banyan_status run_trees(struct banyan_search *search,
                                    const struct banyan_search_limits *limits,
                                    struct banyan_error *err)
{
    return search->parallel.member_count ? run_ensemble(search, limits, err)
                                         : run_one(search, limits, limits->simulations, err);
}

/* option agree: the extension has this many parts, and at most the length of the run */
enum { RUN_MORE = 16 };

/* Extends the run, in parts of its limits, until the most visited action has the highest mean. */
static enum banyan_status run_until_agreed(struct banyan_search *search,
                                           const struct banyan_search_limits *limits,
                                           struct banyan_error *err)
{
    struct banyan_search_limits part = *limits;
    part.simulations = limits->simulations > 0 ? limits->simulations / RUN_MORE : 0;
    part.time_ms = limits->time_ms / RUN_MORE;
    /* a part of 0 simulations would have no limit */
    bool limited = limits->simulations > 0 ? part.simulations > 0 : part.time_ms > 0;
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; limited && i < RUN_MORE && status == BANYAN_OK && !run_agrees(search); ++i) {
        double before_ms = search->elapsed_ms;
        status = run_trees(search, &part, err);
        search->elapsed_ms += before_ms;
    }
    return status;
}

enum banyan_status banyan_search_run(struct banyan_search *search,
                                     const struct banyan_search_limits *limits,
                                     struct banyan_error *err)
{
    struct banyan_search_limits all = {.struct_size = sizeof all};
    enum banyan_status status = search_needs_root(search, err);
    if (status == BANYAN_OK && limits)
        status =
            struct_size_check("banyan_search_limits", limits->struct_size, sizeof *limits, err);
    if (status != BANYAN_OK)
        return status;
    if (limits)
        struct_size_copy(&all, sizeof all, limits, limits->struct_size);
    if (all.simulations <= 0 && !(all.time_ms > 0) && !all.stop)
        return banyan_fail(err, BANYAN_INVALID,
                           "a search needs a limit: simulations, time or a stop flag");
    if (all.progress && search->parallel.member_count)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the progress function reads one tree, so it needs ensemble=1");
    bool agreeing = search->options.final == BANYAN_FINAL_MAX_ROBUST && search->options.final_agree;
    status = run_trees(search, &all, err);
    return status == BANYAN_OK && agreeing ? run_until_agreed(search, &all, err) : status;
}
