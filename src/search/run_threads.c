/* Runs with several threads: all on one tree, or each on its own tree. */
#include "search/run.h"

#include "base/compiler.h"
#include "base/start_apart.h"

#include <sched.h>

/* --- one tree, several threads: descents and backups take turns under one lock, evaluations run
 * side by side.  Each turn gathers a few visits, so that the tree's cache lines stay with one core
 * for a while; in-flight counts keep the gathered paths apart. --- */

struct run_worker {
    struct run *run;
    struct banyan_leaf *leaves;
    struct banyan_rng
        rng; /* for evaluators: the search's own random numbers are used under the lock only */
    pthread_t thread;
};

/* A thread holds the lock for a few microseconds at most, so waiting in a loop takes less time
 * than sleeping and waking up. */
#define RUN_TRIES 500

static void run_take_turn(struct banyan_search *search)
{
    for (int i = 0; i < RUN_TRIES; ++i) {
        if (pthread_mutex_trylock(&search->parallel.lock) == 0)
            return;
        processor_pause();
    }
    pthread_mutex_lock(&search->parallel.lock);
}

static void *run_work(void *argument)
{
    struct run_worker *worker = argument;
    struct run *run = worker->run;
    struct banyan_search *search = run->search;
    enum banyan_status status = BANYAN_OK;
    struct banyan_error error = {0};
    uint64_t next_look = 0;
    double spent_ms = 0;
    int n = 0;
    run_take_turn(search);
    for (;;) {
        run_give_back(search, worker->leaves, n, spent_ms, status);
        if (status != BANYAN_OK && run->status == BANYAN_OK) {
            run->status = status;
            if (run->err)
                *run->err = error;
        }
        n = 0;
        if (run_over(run, &next_look) || run_batch(run) == 0)
            break;
        n = banyan_search_select(search, worker->leaves, run_batch(run));
        pthread_mutex_unlock(&search->parallel.lock);
        for (int i = 0; i < n; ++i)
            worker->leaves[i].rng = &worker->rng;
        status = run_evaluate(search, worker->leaves, n, &spent_ms, &error);
        if (n == 0)
            sched_yield(); /* waits for leaves that other threads evaluate */
        run_take_turn(search);
    }
    pthread_mutex_unlock(&search->parallel.lock);
    return NULL;
}

void run_together(struct run *run)
{
    struct banyan_search *search = run->search;
    struct run_worker workers[RUN_THREADS_MAX];
    int threads = search->options.threads, started = 0;
    for (int i = 0; i < threads; ++i) {
        workers[i].run = run;
        workers[i].leaves = search->flights.leaves + (size_t)i * (size_t)search->options.batch;
        banyan_rng_seed(&workers[i].rng,
                        banyan_rng_child(rng_next(&search->rng), "worker", (uint64_t)i));
    }
    for (int i = 1; i < threads; ++i, ++started)
        if (!start_apart(&workers[i].thread, run_work, &workers[i]))
            break; /* the threads that were started are enough */
    run_work(&workers[0]);
    for (int i = 1; i <= started; ++i)
        pthread_join(workers[i].thread, NULL);
}

/* --- several trees, each in a thread of its own --- */

struct run_member {
    struct banyan_search *search;
    const struct banyan_search_limits *limits;
    int64_t simulations;
    enum banyan_status status;
    struct banyan_error error;
    pthread_t thread;
    bool started;
};

static void *run_member(void *argument)
{
    struct run_member *member = argument;
    if (member->limits->simulations > 0 && member->simulations == 0)
        return NULL; /* there are fewer simulations than trees; a limit of 0 would mean none */
    member->status = run_one(member->search, member->limits, member->simulations, &member->error);
    return NULL;
}

enum banyan_status run_ensemble(struct banyan_search *search,
                                const struct banyan_search_limits *limits, struct banyan_error *err)
{
    struct run_member members[RUN_THREADS_MAX];
    int count = search->parallel.member_count + 1;
    struct banyan_search_limits own = *limits;
    own.early = false; /* no tree knows what the others will find */
    if (limits->simulations > 0 && limits->simulations < count)
        count = (int)limits->simulations; /* a tree without a share would have no limit */
    for (int i = 0; i < count; ++i) {
        members[i] = (struct run_member){.search = i ? search->parallel.members[i - 1] : search,
                                         .limits = &own};
        if (limits->simulations > 0)
            members[i].simulations =
                limits->simulations / count + (i < limits->simulations % count);
        members[i].started = i > 0 && start_apart(&members[i].thread, run_member, &members[i]);
    }
    for (int i = 0; i < count; ++i)
        if (!members[i].started)
            run_member(&members[i]);
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i < count; ++i) {
        if (members[i].started)
            pthread_join(members[i].thread, NULL);
        bool worse = status == BANYAN_OK || status == BANYAN_INTERRUPTED;
        if (members[i].status != BANYAN_OK && worse) {
            status = members[i].status;
            if (err)
                *err = members[i].error;
        }
    }
    return status;
}
