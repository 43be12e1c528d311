/* Threads that search one tree side by side (workers.h): their memory, their runs. */
#include "search/workers.h"

#include "base/start_apart.h"
#include "search/amaf.h"
#include "search/profile.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    WORKER_PERMITS = 64, /* most simulations for which a thread asks at once, without batches */
    WORKER_LOTS = 16,    /* a thread that asks gets at most about 1/WORKER_LOTS of its share of the
                          * simulations that are left */
    WORKER_TRIES = 500, /* to take hold of a node before the processor is given to another thread */
    WORKER_BLIND = 1024, /* where no thread can hold the root, the run looks for an early end after
                          * so many simulations */
    WORKER_LOOKS = 64,   /* plus 1/WORKER_LOOKS of the simulations that are done */
    WORKER_COPIES = 4096,
    WORKER_MEMORY = 8 << 20 /* least bytes of memory for each thread with threads=0 */
};

/* A thread holds a node for less than a microsecond, unless the system stops it. */
void search_wait(struct tree_node *node)
{
    int i = 0;
    do {
        while (word_load_relaxed(&node->forward) != TREE_LOOSE && i < WORKER_TRIES) {
            processor_pause();
            ++i;
        }
        if (i >= WORKER_TRIES) {
            sched_yield();
            i = 0;
        }
    } while (word_take(&node->forward, TREE_HELD) != TREE_LOOSE);
}

/* --- memory --- */

/* Whether threads could search side by side. */
static bool workers_possible(const struct banyan_search *search)
{
    const struct banyan_search_options *options = &search->options;
    /* a backup of implicit minimax holds two nodes, which may be above each other in a graph */
    return !amaf_is_wanted(options) && (!options->transpositions || options->implicit_minimax <= 0);
}

bool workers_fit(const struct banyan_search *search)
{
    return search->options.threads > 1 && workers_possible(search);
}

int workers_best(const struct banyan_search *search)
{
    const struct banyan_search_options *options = &search->options;
    bool serves = search->evaluator->reentrant && options->ensemble == 1 &&
                  (!options->own_rule || options->own_rule->reentrant) &&
                  (!options->own_backup || options->own_backup->reentrant);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t most = options->memory_bytes / WORKER_MEMORY;
    if (!serves || !workers_possible(search) || online < 2 || most < 2)
        return 1;
    most = most < RUN_THREADS_MAX ? most : RUN_THREADS_MAX;
    return (uint64_t)online < most ? (int)online : (int)most;
}

/* Whether threads have private copies of nodes. */
static bool workers_copy(const struct banyan_search *search)
{
    const struct banyan_game *game = search->game;
    bool keyed = game->traits & (BANYAN_CHANCE | BANYAN_HIDDEN | BANYAN_SIMULTANEOUS);
    return !(keyed && search->options.transpositions) && search->options.batch == 1 &&
           !search->evaluator->wants_actions && search->options.rule != BANYAN_RULE_REGRET &&
           search->options.rule != BANYAN_RULE_GUMBEL && search->options.implicit_minimax <= 0;
}

/* Copies of nodes may take a sixteenth of the memory, shared by all threads. */
static uint32_t workers_copy_count(const struct banyan_search *search)
{
    const struct banyan_search_options *options = &search->options;
    if (!workers_copy(search))
        return 0;
    uint64_t share = options->memory_bytes / (16 * (uint64_t)options->threads);
    uint32_t count = WORKER_COPIES;
    /* an estimate for a copy and its base: 32 bytes an action */
    size_t each = 2 * 32 * (size_t)search->game->max_legal;
    while (count > 16 && count * (uint64_t)each > share)
        count /= 2;
    return count;
}

uint64_t workers_bytes(const struct banyan_search *search, size_t own_bytes)
{
    size_t copies = workers_copy_count(search) * sizeof(struct worker_copy);
    return sizeof(struct workers) +
           (uint64_t)search->options.threads * (sizeof(struct worker) + own_bytes + copies);
}

static bool worker_create(struct worker *worker, struct workers *all,
                          const struct banyan_search *search)
{
    struct banyan_search *own = &worker->search;
    *own = *search;
    own->worker = worker;
    own->parallel = (struct search_parallel){.workers = NULL};
    memset(&own->scratch, 0, sizeof own->scratch);
    worker->all = all;
    worker->copy_count = workers_copy_count(search);
    if (worker->copy_count)
        worker->copies = calloc(worker->copy_count, sizeof *worker->copies);
    bool has_view = tree_view_init(&own->tree, &search->tree, &all->share);
    bool has_copies = worker->copies || !worker->copy_count;
    bool enough = search_make_memory(own) && has_copies && has_view;
    banyan_dice_drawn(&own->dice, &own->rng);
    return enough;
}

bool workers_create(struct banyan_search *search)
{
    size_t bytes = (size_t)search->options.threads * sizeof(struct worker);
    struct workers *all = aligned_alloc(WORKER_LINE, sizeof *all);
    search->parallel.workers = all;
    if (!all)
        return false;
    memset(all, 0, sizeof *all);
    all->at = aligned_alloc(WORKER_LINE, bytes);
    if (all->at)
        memset(all->at, 0, bytes);
    for (int i = 0; all->at && i < search->options.threads; ++i) {
        ++all->count;
        if (!worker_create(&all->at[i], all, search))
            return false;
    }
    return all->at;
}

size_t workers_growth(const struct banyan_search *search, int room, size_t each)
{
    const struct tree_layout *layout = &search->tree.layout;
    size_t lists = tree_lists_bytes(layout, room) - tree_lists_bytes(layout, search->action_room);
    return search->parallel.workers ? (size_t)search->parallel.workers->count * (each + lists) : 0;
}

bool workers_grow(struct banyan_search *search)
{
    struct workers *all = search->parallel.workers;
    bool enough = true;
    for (int i = 0; all && i < all->count; ++i) {
        struct banyan_search *own = &all->at[i].search;
        enough = enough && tree_view_grow(&own->tree, &search->tree) &&
                 search_grow_actions(own, search->action_room);
    }
    return enough;
}

void workers_shrink(struct banyan_search *search, void (*shrink)(struct banyan_search *own))
{
    struct workers *all = search->parallel.workers;
    for (int i = 0; all && i < all->count; ++i) {
        tree_view_shrink(&all->at[i].search.tree, &search->tree);
        shrink(&all->at[i].search);
    }
    if (all)
        atomic_store_explicit(&all->taken, 0, memory_order_relaxed);
}

void workers_destroy(struct banyan_search *search)
{
    struct workers *all = search->parallel.workers;
    for (int i = 0; all && i < all->count; ++i) {
        search_free_memory(&all->at[i].search);
        tree_view_free(&all->at[i].search.tree);
        free(all->at[i].copies);
    }
    if (all)
        free(all->at);
    free(all);
}

/* --- one simulation --- */

void worker_discard(struct banyan_search *search, struct simulation *simulation, int mover,
                    uint32_t made)
{
    bool is_own = simulation->made[mover] == made;
    simulation->made[mover] = 0;
    if (!search->tree.table)
        tree_drop_node(&search->tree, made);
    else if (is_own)
        search_end_waiting(search, made, simulation);
}

uint32_t worker_publish(struct banyan_search *search, uint32_t above, int index, uint32_t made)
{
    struct tree *tree = &search->tree;
    struct tree_node *node = tree_node(tree, above);
    bool is_copy = search_is_private(node);
    struct tree_node *shared = is_copy ? tree_node(tree, (uint32_t)node->key) : node;
    search_hold(search, shared);
    struct tree_edge *edge = &tree_edges(tree, shared)[index];
    if (!edge->child)
        edge->child = made;
    uint32_t child = edge->child;
    search_let_go(search, shared);
    if (is_copy)
        tree_edges(tree, node)[index].child = child;
    return child;
}

/* --- a round: from a root that has its node until the run is over, or the arena is full --- */

/* Relaxed: the flags only end loops; what threads have found is read after they were joined. */
static void worker_raise(atomic_bool *flag)
{
    atomic_store_explicit(flag, true, memory_order_relaxed);
}

static bool worker_sees(atomic_bool *flag)
{
    return atomic_load_explicit(flag, memory_order_relaxed);
}

bool worker_stops(struct banyan_search *search)
{
    worker_raise(&search->worker->all->full);
    return false;
}

bool worker_needs_actions(struct banyan_search *search, int count)
{
    struct workers *all = search->worker->all;
    int wanted = atomic_load_explicit(&all->actions, memory_order_relaxed);
    while (wanted < count &&
           !atomic_compare_exchange_weak_explicit(&all->actions, &wanted, count,
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
    return all->stays_small ? false : worker_stops(search);
}

void worker_takes(struct banyan_search *search, size_t bytes)
{
    atomic_fetch_add_explicit(&search->worker->all->taken, bytes, memory_order_relaxed);
}

/* For root pruning: sets at which count of its own simulations this thread expects the end of the run.  Counts the
 * simulations that will still be given out, and those of all threads that may not be counted at the root yet. */
static void worker_foresee(struct worker *worker, uint64_t given)
{
    const struct workers *all = worker->all;
    struct banyan_search *own = &worker->search;
    uint64_t batch = (uint64_t)own->options.batch;
    uint64_t each = batch > WORKER_PERMITS ? batch : WORKER_PERMITS;
    if (own->options.root_pruning <= 0)
        return;
    uint64_t end = atomic_load_explicit(&all->end, memory_order_relaxed);
    uint64_t unseen = all->run->unseen + each * (uint64_t)all->count;
    own->run.end = end > given ? own->simulations + end - given + unseen : 0;
}

/* Takes permits for the next simulations; false: all are given out. */
static bool worker_ask(struct worker *worker)
{
    struct workers *all = worker->all;
    const struct banyan_search *own = &worker->search;
    uint64_t batch = (uint64_t)own->options.batch;
    bool slow = batch > 1 || own->evaluator->wants_actions;
    /* relaxed: the count alone is shared */
    uint64_t given = atomic_load_explicit(&all->given, memory_order_relaxed), taken;
    do {
        uint64_t left = all->most - given, lot = left / ((uint64_t)all->count * WORKER_LOTS) + 1;
        uint64_t wanted = slow ? batch : lot < WORKER_PERMITS ? lot : WORKER_PERMITS;
        taken = left < wanted ? left : wanted;
    } while (taken &&
             !atomic_compare_exchange_weak_explicit(&all->given, &given, given + taken,
                                                    memory_order_relaxed, memory_order_relaxed));
    worker->permits = taken;
    worker_foresee(worker, given);
    return taken > 0;
}

/* How many simulations were given out, or an estimate.  The count itself is read only where an early end or
 * root pruning depends on it, because its cache line would come from another processor each time. */
static uint64_t worker_given(const struct worker *worker)
{
    struct workers *all = worker->all;
    bool exact = all->run->limits->early || worker->search.options.root_pruning > 0;
    return exact ? atomic_load_explicit(&all->given, memory_order_relaxed)
                 : worker->search.simulations * (uint64_t)all->count;
}

/* The first thread looks for the limits of the run; an early end depends on the root's edges. */
static void worker_look(struct worker *worker, uint64_t before, uint64_t *next_look)
{
    struct workers *all = worker->all;
    struct run *run = all->run;
    struct banyan_search *search = run->search;
    uint64_t given = worker_given(worker);
    uint64_t done = search->simulations = before + (given < all->most ? given : all->most - 1);
    bool reads_root = run->limits->early && !run->root_is_busy;
    /* in a keyed tree other threads may be making the root's node, so the root is not read */
    struct tree_node *root =
        reads_root ? tree_node(&search->tree, search->root.edges[0].child) : NULL;
    if (reads_root)
        search_hold(&worker->search, root);
    if (run_over(run, next_look))
        worker_raise(&all->over);
    if (search->options.root_pruning > 0)
        atomic_store_explicit(&all->end, search->run.end > done ? search->run.end - before : 0,
                              memory_order_relaxed);
    if (run->progress_due) /* the function is called when all threads have ended */
        worker_raise(&all->full);
    if (reads_root)
        search_let_go(&worker->search, root);
}

static void worker_fail(struct worker *worker, enum banyan_status status,
                        const struct banyan_error *error)
{
    struct run *run = worker->all->run;
    pthread_mutex_lock(&run->search->parallel.lock);
    if (run->status == BANYAN_OK) {
        run->status = status;
        if (run->err)
            *run->err = *error;
    }
    pthread_mutex_unlock(&run->search->parallel.lock);
    worker_raise(&worker->all->over);
}

/* Selects and evaluates one batch, and gives it back to the tree. */
static void worker_batch(struct worker *worker)
{
    struct banyan_search *own = &worker->search;
    struct banyan_leaf *leaves = own->flights.leaves;
    struct banyan_error error = {0};
    uint64_t before = own->simulations, batch = (uint64_t)own->options.batch;
    double spent_ms;
    int n =
        banyan_search_select(own, leaves, (int)(worker->permits < batch ? worker->permits : batch));
    worker->permits -= own->simulations - before + (uint64_t)n;
    if (n == 0 && own->simulations == before)
        sched_yield(); /* waits for a leaf that another thread evaluates */
    enum banyan_status status = run_evaluate(own, leaves, n, &spent_ms, &error);
    run_give_back(own, leaves, n, spent_ms, status);
    if (status != BANYAN_OK)
        worker_fail(worker, status, &error);
}

static void *worker_work(void *argument)
{
    struct worker *worker = argument;
    struct workers *all = worker->all;
    struct banyan_search *own = &worker->search;
    uint64_t before = worker == all->at ? all->run->search->simulations : 0, next_look = 0;
    while (!worker_sees(&all->over) && !worker_sees(&all->full)) {
        if (!worker->permits && !worker_ask(worker))
            break;
        if (worker == all->at)
            worker_look(worker, before, &next_look);
        if (own->solver && search_proven(&own->root.bounds))
            worker_raise(&all->over);
        if (!worker_sees(&all->over))
            worker_batch(worker);
    }
    return NULL;
}

/* Sets up the worker's search for a round: it goes on from the root and the settings of
 * `search`. */
static void worker_open(struct worker *worker, struct banyan_search *search, uint64_t seed)
{
    struct banyan_search *own = &worker->search;
    unsigned char *state = own->root.state, *drawn = own->root.drawn;
    struct search_worth *worths = own->root.worths;
    tree_view_open(&own->tree, &search->tree);
    memcpy(state, search->root.state, search->game->state_size);
    if (search->draws_all)
        memcpy(drawn, search->root.drawn, search->game->state_size);
    own->root = search->root;
    own->root.state = state;
    own->root.drawn = drawn;
    own->root.worths = worths;
    search_forget_worths(own);
    own->root.visits = 0;
    for (int t = 0; t < search->trees; ++t)
        own->root.edges[t].visits = 0;
    memset(own->root.sum, 0, sizeof own->root.sum);
    memset(&own->profile, 0, sizeof own->profile);
    memcpy(own->weight, search->weight, sizeof own->weight);
    memcpy(own->offset, search->offset, sizeof own->offset);
    own->plain_utility = search->plain_utility;
    own->run = search->run;
    own->simulations = own->depth_sum = 0;
    own->max_depth = 0;
    worker->permits = 0;
    worker->stays = worker->way = 0;
    banyan_rng_seed(&own->rng, seed);
}

/* Adds what the worker has done to the search. */
static void worker_close(struct worker *worker, struct banyan_search *search)
{
    const struct banyan_search *own = &worker->search;
    worker_drop_copies(worker);
    tree_view_close(&worker->search.tree, &search->tree);
    for (int p = 0; p < search->game->players; ++p)
        search->root.sum[p] += own->root.sum[p];
    search->root.visits += own->root.visits;
    if (search->root.worths)
        search_add_worths(search->root.worths, own->root.worths, search->options.worlds + 1);
    for (int t = 0; t < search->trees; ++t)
        search->root.edges[t].visits =
            tree_counted((uint64_t)search->root.edges[t].visits + own->simulations);
    search->simulations += own->simulations;
    search->depth_sum += own->depth_sum;
    if (own->max_depth > search->max_depth)
        search->max_depth = own->max_depth;
    profile_add(&search->profile, &own->profile);
    search_narrow_bounds(&search->root.bounds, own->root.bounds);
}

/* Sets what the threads of a round share. */
static void workers_open(struct workers *all)
{
    struct run *run = all->run;
    struct banyan_search *search = run->search;
    uint64_t before = search->simulations, done = before - run->begin;
    atomic_store_explicit(&all->share.next, search->tree.used, memory_order_relaxed);
    atomic_store_explicit(&all->share.table_used, search->tree.table_used, memory_order_relaxed);
    all->share.limit = search->tree.limit;
    all->most = run->goal == UINT64_MAX ? UINT64_MAX / 2 : run->goal - before;
    atomic_store_explicit(&all->end, search->run.end > before ? search->run.end - before : 0,
                          memory_order_relaxed);
    if (search->tree.layout.keyed && run->limits->early) {
        uint64_t part = WORKER_BLIND + done / WORKER_LOOKS;
        all->most = part < all->most ? part : all->most;
    }
    atomic_store_explicit(&all->given, 0, memory_order_relaxed);
    atomic_store_explicit(&all->worlds_drawn, search->root.worlds_drawn, memory_order_relaxed);
    atomic_store_explicit(&all->over, false, memory_order_relaxed);
    atomic_store_explicit(&all->full, false, memory_order_relaxed);
    for (int i = 0; i < all->count; ++i)
        worker_open(&all->at[i], search,
                    banyan_rng_child(rng_next(&search->rng), "worker", (uint64_t)i));
}

/* Adds to the search what its workers have found. */
static void workers_close(struct workers *all)
{
    struct banyan_search *search = all->run->search;
    for (int i = 0; i < all->count; ++i)
        worker_close(&all->at[i], search);
    search->tree.used = atomic_load_explicit(&all->share.next, memory_order_relaxed);
    search->tree.table_used = atomic_load_explicit(&all->share.table_used, memory_order_relaxed);
    search->root.worlds_drawn = atomic_load_explicit(&all->worlds_drawn, memory_order_relaxed);
    if (search->draws_all)
        memcpy(search->root.drawn, all->at[0].search.root.drawn, search->game->state_size);
    if (search->solver)
        search_narrow_bounds(
            &search->root.bounds,
            search_node_bounds(search, tree_node(&search->tree, search->root.edges[0].child)));
}

static void workers_round(struct workers *all)
{
    struct banyan_search *search = all->run->search;
    uint64_t before = search->simulations;
    int started = 1;
    workers_open(all);
    for (; started < all->count; ++started)
        if (!start_apart(&all->at[started].thread, worker_work, &all->at[started]))
            break; /* the threads that were started are enough */
    worker_work(&all->at[0]);
    for (int i = 1; i < started; ++i)
        pthread_join(all->at[i].thread, NULL);
    search->simulations = before;
    workers_close(all);
}

/* Allocates the memory that the threads of a round have asked for, as far as the limit allows. */
static void workers_give(struct workers *all)
{
    struct banyan_search *search = all->run->search;
    size_t taken = atomic_exchange_explicit(&all->taken, 0, memory_order_relaxed);
    int actions = atomic_exchange_explicit(&all->actions, 0, memory_order_relaxed);
    if (taken && !tree_reserve(&search->tree, search->action_room, taken))
        atomic_store_explicit(&all->taken, taken, memory_order_relaxed);
    if (actions && !search_reserve_actions(search, actions))
        all->stays_small = true;
}

/* Whether threads can start: the root has its noise, which is added here, and in an unkeyed tree its node has
 * priors. */
static bool workers_can_start(struct banyan_search *search)
{
    uint32_t root = search->root.edges[0].child;
    bool keyed = search->tree.layout.keyed;
    if (!keyed && (!root || (tree_node(&search->tree, root)->flags & TREE_PENDING)))
        return false;
    if (!search->root.has_noise)
        search_add_root_noise(search);
    return search->root.has_noise;
}

void workers_run(struct run *run)
{
    struct banyan_search *search = run->search;
    struct workers *all = search->parallel.workers;
    uint64_t next_look = 0;
    all->run = run;
    bool keyed = search->tree.layout.keyed;
    all->stays_small = false;
    while (!run_over(run, &next_look)) {
        next_look = 0;
        run->progress_due = false;
        if (!workers_can_start(search)) {
            run_step(run);
            continue;
        }
        run->root_is_busy = keyed;
        run->is_shared = true;
        run->unseen = workers_copy(search) ? (uint64_t)all->count * WORKER_SYNC_END : 0;
        workers_round(all);
        run->unseen = 0;
        run->is_shared = false;
        run->root_is_busy = false;
        workers_give(all);
        if (worker_sees(&all->over))
            break;
        if (worker_sees(&all->full))
            search_make_room(search);
    }
}
