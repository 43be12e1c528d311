/* Threads that search one tree side by side.
 *
 *     struct banyan_search     the tree and its root, which stay as they are while workers run
 *       struct workers         what the threads share of a run: simulations to give out, the end
 *         struct worker        one thread: a search of its own over the same arena, with its own random
 *                              numbers, memory for a step, simulations in flight, counts, and chunk
 *
 * What is shared are nodes with their blocks.  The rules for them:
 *  1. A thread reads and writes a node and its block only while it holds the node (search_hold()).  It
 *     holds one node at a time, for one step of a descent or of a backup.  Only implicit.c takes hold of the node
 *     above meanwhile, so no threads wait in a circle.
 *  2. A new node is its maker's own until its reference is written to the edge above, while the node
 *     above is held.  A thread that reads the reference there, holding that node too, sees all of the new node.
 *  3. A block moves only while its node is held; no pointer into it outlives the hold.  What a descent
 *     needs later it copies (struct descend_edge).
 *  4. Blocks that were outgrown go to the list of the thread that replaced them.  Chunks are taken from
 *     the arena by an atomic counter (tree.c).
 *  5. Outcomes stay where they are.  Their links, and the edges of the root, are set once, by compare and
 *     swap; so are their nodes.  Arrivals are counted by atomic additions until there is a node, which counts its
 *     own visits.
 *  6. The places of the table of transpositions are set once, too.  With transpositions a node may
 *     be below two others, and a path may come back to it; no thread holds two nodes then.
 *  7. Compaction, noise and a new root happen only after all threads of the run have ended.
 *
 * Near the root all threads visit the same nodes, and what they write would travel between processors
 * at each visit, which costs more than the search.  So each thread has private copies of nodes that are
 * visited often.  It chooses there and updates them, and adds what they have gained to the node itself from
 * time to time (workers_copies.c).  Actions that were never tried are tried in the node itself.  With batches
 * or a network there are no copies: evaluations take most of the time, and threads need each other's counts
 * of visits in flight so that they do not wait for the same leaf.  Nor are there any with implicit minimax,
 * whose values are compared, not added; with Gumbel's rule, whose root counts visits in flight; with regret
 * matching; or where several outcomes may lead to one node.
 *
 * Below its copies a thread works at nodes that the others visit, too.  So it stays there for a while: the next
 * simulations take the same way through the copies, and choose anew only below them (workers_stay.c).  Cache
 * lines then travel once for several visits.
 */
#ifndef SEARCH_WORKERS_H
#define SEARCH_WORKERS_H

#include "search/run.h"

#include <stdatomic.h>

/* A private copy of a node; shared 0: this place of the table is free. The copy's key holds the
 * reference of the node, and in its upper bits the number of visits that are left until the copy is
 * synchronised. */
struct worker_copy {
    uint32_t shared; /* the node */
    uint32_t copy;   /* its copy, with what this thread has added since it was last synchronised */
    uint32_t base;   /* the copy as it was at that time */
    uint32_t block;  /* where the node's edges were then */
};

enum { WORKER_LINE = 128 }; /* bytes of the largest cache lines */

struct worker {
    _Alignas(WORKER_LINE) struct banyan_search search; /* no two threads write to one line */
    struct workers *all;
    struct worker_copy *copies; /* [copy_count], by a hash of the reference; NULL: it has none */
    uint32_t copy_count;        /* a power of 2 */
    uint64_t permits;           /* simulations that this thread may still start */
    int stays;                  /* how many more simulations go the way of the last one */
    int way; /* through so many of its nodes; 0: this simulation chooses everywhere */
    pthread_t thread;
};

struct workers {
    struct worker *at; /* [count] */
    int count;
    struct tree_share share;
    struct run *run;
    uint64_t most;    /* simulations that may be given out in this round */
    bool stays_small; /* there is no memory for more actions */
    _Alignas(WORKER_LINE) _Atomic uint64_t given; /* simulations that were given out */
    _Atomic uint64_t
        end; /* simulations that will be given out until the run ends; 0: it is not known; for
              * root pruning */
    _Alignas(WORKER_LINE) atomic_bool over; /* the run has reached a limit */
    atomic_bool full;                       /* the arena must be compacted first */
    atomic_int worlds_drawn; /* how many of the states that all simulations share are drawn */
    atomic_int actions;   /* the largest number of actions for which a node needs more memory than
                            * the searches have; 0: none does */
    _Atomic size_t taken; /* bytes that simulations have taken, and the tree must give up */
};

/* workers.c */
/* Whether several threads search side by side with these settings: not where the rule reads tables of moves
 * (amaf.h), nor with implicit minimax and transpositions together. */
bool workers_fit(const struct banyan_search *search);
/* The number of threads for threads=0: one for each processor, but at most one for each 8 MiB of
 * memory.  1 if threads cannot search side by side, if the evaluator, the user's rule or the user's
 * backup serves one thread, or in an ensemble. */
int workers_best(const struct banyan_search *search);
/* Bytes that workers_create takes from the memory of the search; own_bytes: the part of them that
 * each thread needs for its own arrays. */
uint64_t workers_bytes(const struct banyan_search *search, size_t own_bytes);
bool workers_create(struct banyan_search *search);
void workers_destroy(struct banyan_search *search);
/* Runs all threads until the run is over. */
void workers_run(struct run *run);
/* Makes `made` the child of edge `index` of the node `above`, unless another thread has made one.  Returns the
 * child: `made` or the other thread's. */
uint32_t worker_publish(struct banyan_search *search, uint32_t above, int index, uint32_t made);
/* The simulation does not go on in `made`, which it has made or found, because another thread was first.  It is
 * freed; but with transpositions other simulations may have found it, so that it stays, and gets default priors
 * if it waits for some. */
void worker_discard(struct banyan_search *search, struct simulation *simulation, int mover,
                    uint32_t made);

/* There is no room: ends the round, so that the tree is compacted.  Returns false. */
bool worker_stops(struct banyan_search *search);

/* A node needs memory for this many actions: ends the round, so that it is made.  Returns false. */
bool worker_needs_actions(struct banyan_search *search, int count);
/* A simulation has allocated this many bytes. */
void worker_takes(struct banyan_search *search, size_t bytes);
/* Bytes by which workers grow when each of them takes `each`, and their trees are made for `room` actions. */
size_t workers_growth(const struct banyan_search *search, int room, size_t each);
/* Gives all workers memory for as many actions as the search has; false: no memory. */
bool workers_grow(struct banyan_search *search);
/* Gives that memory back: calls shrink for the arrays of each worker. */
void workers_shrink(struct banyan_search *search, void (*shrink)(struct banyan_search *own));

/* workers_draws.c */
/* search_sample() where a sampler serves one thread at a time. */
void worker_sample(struct banyan_search *search, void *out);
/* One of the states that all simulations share. */
const unsigned char *worker_world(struct banyan_search *search);

/* workers_copies.c */
enum {
    WORKER_COPY_VISITS = 256, /* a node with fewer visits has no copy */
    /* a copy is synchronised after visits / 16 more visits, at most 64; or after visits / 64, if that is more */
    WORKER_SYNC_SHARE = 16,
    WORKER_SYNC_MOST = 64,
    WORKER_SYNC_SMALL = 64,
    WORKER_SYNC_END = 512, /* at most */
    WORKER_WAYS = 4        /* places of the table where a copy may stand */
};

static inline struct worker_copy *worker_places(const struct worker *worker, uint32_t ref)
{
    return &worker->copies[(ref * 0x9e3779b1u >> 12) & (worker->copy_count - WORKER_WAYS)];
}

/* The private copy of the node, or the node itself. */
static inline uint32_t worker_copy_of(const struct banyan_search *search, uint32_t ref)
{
    if (!search->worker->copies)
        return ref;
    const struct worker_copy *places = worker_places(search->worker, ref);
    for (int i = 0; i < WORKER_WAYS; ++i)
        if (places[i].shared == ref)
            return places[i].copy;
    return ref;
}
/* Copies the node of step number i, if it is visited often and there is a place.  In an unkeyed tree the node
 * above must have a copy, through which this one is found. */
void worker_make_copy(struct banyan_search *search, const struct simulation *simulation, int i);
/* Adds what a private copy has gained to its node, and takes what others have added.  Returns the node. */
uint32_t worker_sync(struct banyan_search *search, uint32_t copy);
/* Fetches what worker_sync will write, from the cache of another processor, while the next simulation runs. */
void worker_fetch(struct banyan_search *search, uint32_t copy);
/* Called after a visit of the private copy was counted: synchronises it when that is due. */
static inline void worker_count(struct banyan_search *search, uint32_t copy)
{
    struct tree_node *node = tree_node(&search->tree, copy);
    node->key -= (uint64_t)1 << 32;
    uint32_t left = (uint32_t)(node->key >> 32);
    if (left == 0)
        worker_sync(search, copy);
    else if (left == 1)
        worker_fetch(search, copy);
}
/* Counts an arrival and returns how many there were before.  The count stops before it would overflow. */
static inline uint32_t worker_arrive(struct tree_outcome *outcome)
{
    uint32_t visits = word_load_relaxed(&outcome->visits);
    return visits < UINT32_MAX - RUN_THREADS_MAX ? word_add_relaxed(&outcome->visits, 1) : visits;
}
/* Adds what all copies have gained to their nodes, and frees the copies. */
void worker_drop_copies(struct worker *worker);

/* workers_stay.c */
/* Before a descent: whether it goes the way of the simulation before. */
void worker_set_out(struct worker *worker);
/* The edge by which the simulation before left the private copy `ref` at this step, if this one goes the same way;
 * -1: the rule chooses. */
int worker_again(struct banyan_search *search, const struct simulation *simulation, uint32_t ref);
/* Called in a backup, when step number i, at a node without a copy, was counted: decides for how many simulations
 * the thread stays below the copies above it.  visits: of this node. */
void worker_stay(struct banyan_search *search, const struct simulation *simulation, int i,
                 uint32_t visits);

#endif
