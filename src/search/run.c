/* The loop around select and update: limits, threads, ensembles. */
#include "base/clock.h"
#include "base/compiler.h"
#include "base/numeric.h"
#include "base/struct_size.h"
#include "search/profile.h"

#include <sched.h>

/* --- ask and tell --- */

/* Makes room for one more simulation if it can be had.  False: the leaves that are out hold references
 * into the tree, and must come back first. */
static bool run_make_room(struct banyan_search *search)
{
    int nodes = search->game->players, legal = search->action_room;
    if (search->full || tree_has_room(&search->tree, nodes, legal))
        return true;
    if (search->waiting)
        return false;
    double begin = profile_begin(search);
    uint64_t compactions = 0; /* the tree counts them itself */
    tree_compact(&search->tree, search->root, search->trees);
    profile_end(search, begin, &search->profile.compact_ms, &compactions, 1);
    search->full = !tree_has_room(&search->tree, nodes, legal);
    return true;
}

void search_fill_leaf(struct banyan_search *search, struct simulation *simulation,
                      struct banyan_leaf *leaf)
{
    leaf->game = search->game;
    leaf->state = simulation->state;
    leaf->movers = simulation->movers;
    leaf->rng = &search->rng;
    leaf->exact = false;
    leaf->stop = search->stop;
    leaf->deadline_ms = search->deadline_ms;
    leaf->ticket = (uint32_t)(simulation - search->slots);
    if (!search->evaluator->wants_actions)
        return;
    for (int p = 0; p < search->game->players; ++p) {
        leaf->count[p] = 0;
        if (!(simulation->movers >> p & 1))
            continue;
        leaf->count[p] =
            search->game->legal(search->game, simulation->state, p, simulation->actions[p]);
        leaf->actions[p] = simulation->actions[p];
        leaf->priors[p] = simulation->priors[p];
        memset(leaf->priors[p], 0, (size_t)leaf->count[p] * sizeof *leaf->priors[p]);
    }
}

static struct simulation *run_free_slot(struct banyan_search *search)
{
    for (int i = 0; i < search->slot_count; ++i)
        if (!search->slots[i].busy)
            return &search->slots[i];
    return NULL;
}

void banyan_search_plan(struct banyan_search *search, int64_t simulations, bool explore)
{
    search->planned = simulations;
    search->halving.alive = 0;
    search->calm = !explore;
}

static void run_backup(struct banyan_search *search, struct simulation *simulation,
                       enum leaf_kind kind)
{
    int last = (int)(sizeof search->profile.depth / sizeof *search->profile.depth) - 1;
    double begin = profile_begin(search);
    search_backup(search, simulation, kind);
    profile_end(search, begin, &search->profile.backup_ms, &search->profile.backups, 1);
    ++search->profile.depth[simulation->depth < last ? simulation->depth : last];
}

int banyan_search_select(struct banyan_search *search, struct banyan_leaf *leaves, int max)
{
    int found = 0;
    if (!search->root_is_set)
        return 0;
    for (int tries = 0; tries < max; ++tries) {
        struct simulation *simulation = run_free_slot(search);
        if (!simulation)
            break;
        if (!search->noisy)
            search_add_root_noise(search);
        if (!run_make_room(search))
            break;
        simulation->exact = false;
        enum leaf_kind kind = search_descend(search, simulation);
        if (kind == LEAF_COLLISION) {
            search_take_back(search, simulation);
            break;
        }
        if (kind == LEAF_OPEN) {
            simulation->busy = true;
            ++search->waiting;
            search_fill_leaf(search, simulation, &leaves[found++]);
            continue;
        }
        if (search->trace)
            search_trace_simulate(search, simulation);
        run_backup(search, simulation, kind);
        if (search->trace)
            search_trace_backup(search, simulation);
    }
    return found;
}

void banyan_search_update(struct banyan_search *search, const struct banyan_leaf *leaves, int n)
{
    for (int i = 0; i < n; ++i) {
        struct simulation *simulation = &search->slots[leaves[i].ticket];
        memcpy(simulation->values, leaves[i].values, sizeof simulation->values);
        simulation->exact = leaves[i].exact;
        if (search->trace)
            search_trace_simulate(search, simulation);
        run_backup(search, simulation, LEAF_OPEN);
        simulation->busy = false;
        --search->waiting;
        if (search->trace)
            search_trace_backup(search, simulation);
    }
}

/* --- limits --- */

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

/* The final choice cannot change in the simulations that are left. */
static bool run_decided(struct banyan_search *search, uint64_t left)
{
    struct banyan_search_move *rows = search->trace_rows;
    int count = search_choice_rows(search, search->viewer, rows);
    return search_final_decided(search, rows, count, left);
}

/* Simulations that are still to come at the present speed. */
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

/* Sequential halving needs to know how many simulations are still to come.  They get slower while the
 * tree grows deeper and outgrows the caches: their number is taken to grow as a power of the time, which
 * is measured from RUN_FIRST_SHARE of the time on. */
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
    power = power > 1 ? 1 : power < RUN_LEAST_POWER ? RUN_LEAST_POWER : power;
    double by_time = share < 1 ? done * (numeric_pow(1 / share, power) - 1) : 0;
    return by_time < (double)left ? (uint64_t)by_time : left;
}

/* Reading the clock costs about as much as a tic-tac-toe simulation, so it is read every few: after
 * a share of the time that is left, measured by the speed so far. */
static bool run_over(struct run *run, uint64_t *next_look)
{
    struct banyan_search *search = run->search;
    if (run->status != BANYAN_OK || search->simulations >= run->goal)
        return true;
    if (banyan_flag_is_set(run->limits->stop))
        return run->stopped = true;
    if (search->solver && search_proven(&search->root_bounds))
        return true;
    if (search->simulations < *next_look)
        return false;
    double now = clock_now_ms();
    if (run->deadline_ms > 0 && now >= run->deadline_ms)
        return true;
    uint64_t done = search->simulations - run->begin, step = 256;
    if (run->deadline_ms > 0) {
        double rate = (double)done / (now - run->begin_ms + 1e-3); /* per ms */
        step = rate < 5 ? 1 : (uint64_t)(rate / 5) < 1024 ? (uint64_t)(rate / 5) : 1024;
    }
    *next_look = search->simulations + step;
    uint64_t left = run_left(run, now);
    if (run->deadline_ms > 0)
        search_gumbel_replan(search, run_left_by_power(run, now, left));
    return run->limits->early && run_decided(search, left);
}

/* Evaluates without touching the search, so that threads may do it side by side. */
static enum banyan_status run_evaluate(const struct banyan_search *search,
                                       struct banyan_leaf *leaves, int n, double *spent_ms,
                                       struct banyan_error *err)
{
    uint64_t counted = 0;
    double begin = profile_begin(search);
    enum banyan_status status =
        n > 0 ? search->evaluator->evaluate(search->evaluator->ctx, leaves, n, err) : BANYAN_OK;
    *spent_ms = 0;
    profile_end(search, begin, spent_ms, &counted, 1);
    return status;
}

/* Gives leaves back: with their values, or unvisited when the evaluator failed. */
static void run_give_back(struct banyan_search *search, struct banyan_leaf *leaves, int n,
                          double spent_ms, enum banyan_status status)
{
    search->profile.evaluate_ms += spent_ms;
    search->profile.evaluations += (uint64_t)n;
    if (status == BANYAN_OK) {
        banyan_search_update(search, leaves, n);
        return;
    }
    for (int i = 0; i < n; ++i) {
        search_take_back(search, &search->slots[leaves[i].ticket]);
        search->slots[leaves[i].ticket].busy = false;
        --search->waiting;
    }
}

/* How many simulations may start now, so that exactly the wanted number is made. */
static int run_batch(const struct run *run)
{
    uint64_t committed = run->search->simulations + run->search->waiting;
    uint64_t left = run->goal > committed ? run->goal - committed : 0;
    uint64_t batch = (uint64_t)run->search->options.batch;
    return (int)(left < batch ? left : batch);
}

static void run_alone(struct run *run)
{
    struct banyan_search *search = run->search;
    struct banyan_leaf *leaves = search->leaves;
    uint64_t next_look = search->simulations + 16;
    while (!run_over(run, &next_look)) {
        double spent_ms;
        int n = banyan_search_select(search, leaves, run_batch(run));
        run->status = run_evaluate(search, leaves, n, &spent_ms, run->err);
        run_give_back(search, leaves, n, spent_ms, run->status);
    }
}

/* --- one tree, several threads: descents and backups take turns under one lock, evaluations run
 * side by side.  Each turn gathers a few visits, so that the tree's cache lines stay with one core
 * for a while; in-flight counts keep the gathered paths apart. --- */

struct run_worker {
    struct run *run;
    struct banyan_leaf *leaves;
    struct banyan_rng
        rng; /* for evaluators: the search's own stream belongs to the lock's holder */
    pthread_t thread;
};

/* A turn lasts a few microseconds at most: to sleep and be woken takes longer than to wait for it. */
#define RUN_TRIES 500

static void run_take_turn(struct banyan_search *search)
{
    for (int i = 0; i < RUN_TRIES; ++i) {
        if (pthread_mutex_trylock(&search->lock) == 0)
            return;
        processor_pause();
    }
    pthread_mutex_lock(&search->lock);
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
        pthread_mutex_unlock(&search->lock);
        for (int i = 0; i < n; ++i)
            worker->leaves[i].rng = &worker->rng;
        status = run_evaluate(search, worker->leaves, n, &spent_ms, &error);
        if (n == 0)
            sched_yield(); /* for leaves that other threads evaluate */
        run_take_turn(search);
    }
    pthread_mutex_unlock(&search->lock);
    return NULL;
}

static void run_together(struct run *run)
{
    struct banyan_search *search = run->search;
    struct run_worker workers[RUN_THREADS_MAX];
    int threads = search->options.threads, started = 0;
    for (int i = 0; i < threads; ++i) {
        workers[i].run = run;
        workers[i].leaves = search->leaves + (size_t)i * (size_t)search->options.batch;
        banyan_rng_seed(&workers[i].rng,
                        banyan_rng_child(rng_next(&search->rng), "worker", (uint64_t)i));
    }
    for (int i = 1; i < threads; ++i, ++started)
        if (pthread_create(&workers[i].thread, NULL, run_work, &workers[i]) != 0)
            break; /* those that run are enough */
    run_work(&workers[0]);
    for (int i = 1; i <= started; ++i)
        pthread_join(workers[i].thread, NULL);
}

static enum banyan_status run_one(struct banyan_search *search,
                                  const struct banyan_search_limits *limits, int64_t simulations,
                                  struct banyan_error *err)
{
    struct run run = {.search = search,
                      .limits = limits,
                      .begin_ms = clock_now_ms(),
                      .begin = search->simulations,
                      .goal = simulations > 0 ? search->simulations + (uint64_t)simulations
                                              : UINT64_MAX,
                      .err = err};
    run.deadline_ms = limits->time_ms > 0 ? run.begin_ms + limits->time_ms : 0;
    search->planned = run.deadline_ms > 0 ? SEARCH_BY_TIME : simulations;
    search->halving.alive = 0;
    search->stop = limits->stop;
    search->deadline_ms = run.deadline_ms;
    if (search->options.threads > 1)
        run_together(&run);
    else
        run_alone(&run);
    search->stop = NULL;
    search->deadline_ms = 0;
    search->elapsed_ms = clock_now_ms() - run.begin_ms;
    if (run.status == BANYAN_OK && run.stopped && search->simulations < run.goal)
        return banyan_fail(err, BANYAN_INTERRUPTED, "the search was stopped after %llu simulations",
                           (unsigned long long)(search->simulations - run.begin));
    return run.status;
}

/* --- several trees: each thread has its own, the root adds them up --- */

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
        return NULL; /* fewer simulations than trees: 0 would be no limit */
    member->status = run_one(member->search, member->limits, member->simulations, &member->error);
    return NULL;
}

static enum banyan_status run_ensemble(struct banyan_search *search,
                                       const struct banyan_search_limits *limits,
                                       struct banyan_error *err)
{
    struct run_member members[RUN_THREADS_MAX];
    int count = search->member_count + 1;
    struct banyan_search_limits own = *limits;
    own.early = false; /* no tree knows what the others will add */
    if (limits->simulations > 0 && limits->simulations < count)
        count = (int)limits->simulations; /* a tree without a share would have no limit */
    for (int i = 0; i < count; ++i) {
        members[i] =
            (struct run_member){.search = i ? search->members[i - 1] : search, .limits = &own};
        if (limits->simulations > 0)
            members[i].simulations =
                limits->simulations / count + (i < limits->simulations % count);
        members[i].started =
            i > 0 && pthread_create(&members[i].thread, NULL, run_member, &members[i]) == 0;
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

/* Most visited and highest mean are the same action. */
static bool run_agrees(struct banyan_search *search)
{
    struct banyan_search_move *rows = search->trace_rows;
    int count = search_choice_rows(search, search->viewer, rows);
    for (int i = 1; i < count; ++i)
        if (rows[i].visits && rows[i].mean > rows[0].mean)
            return false;
    return true;
}

enum { RUN_MORE = 16 }; /* "search on until both agree": in so many parts, at most as long again */

/* Up to complete limits, and then on as long as options.final_agree wants it. */
static enum banyan_status run_agreeing(struct banyan_search *search,
                                       const struct banyan_search_limits *limits,
                                       struct banyan_error *err)
{
    struct banyan_search_limits more = *limits;
    more.simulations = limits->simulations / RUN_MORE > 0 ? limits->simulations / RUN_MORE : 0;
    more.time_ms = limits->time_ms / RUN_MORE;
    enum banyan_status status = BANYAN_OK;
    double elapsed = 0;
    for (int part = 0; part <= RUN_MORE && status == BANYAN_OK; ++part) {
        const struct banyan_search_limits *now = part ? &more : limits;
        bool agreeing = search->options.final == BANYAN_FINAL_MAX_ROBUST &&
                        search->options.final_agree && (more.simulations > 0 || more.time_ms > 0);
        if (part && (!agreeing || run_agrees(search)))
            break;
        status = search->member_count ? run_ensemble(search, now, err)
                                      : run_one(search, now, now->simulations, err);
        elapsed += search->elapsed_ms;
    }
    search->elapsed_ms = elapsed;
    return status;
}

enum banyan_status banyan_search_run(struct banyan_search *search,
                                     const struct banyan_search_limits *limits,
                                     struct banyan_error *err)
{
    struct banyan_search_limits all = {.struct_size = sizeof all};
    if (search_needs_root(search, err) != BANYAN_OK)
        return BANYAN_INVALID;
    if (limits) {
        enum banyan_status status =
            struct_size_check("banyan_search_limits", limits->struct_size, sizeof *limits, err);
        if (status != BANYAN_OK)
            return status;
        struct_size_copy(&all, sizeof all, limits, limits->struct_size);
    }
    if (all.simulations <= 0 && !(all.time_ms > 0) && !all.stop)
        return banyan_fail(err, BANYAN_INVALID,
                           "a search needs a limit: simulations, time or a stop flag");
    return run_agreeing(search, &all, err);
}
