/* Draws of hidden cards that threads of one tree make one at a time (workers.h). */
#include "search/workers.h"

/* The search that the worker belongs to. */
static struct banyan_search *draws_of(const struct banyan_search *search)
{
    return search->worker->all->run->search;
}

void worker_sample(struct banyan_search *search, void *out)
{
    pthread_mutex_lock(&draws_of(search)->parallel.lock);
    search_sample(search, out);
    pthread_mutex_unlock(&draws_of(search)->parallel.lock);
}

/* Draws the next of the states that all simulations share.  NULL: other threads have drawn the last
 * one. */
static const unsigned char *draws_next(struct banyan_search *search)
{
    atomic_int *drawn = &search->worker->all->worlds_drawn;
    unsigned char *world = NULL;
    pthread_mutex_lock(&draws_of(search)->parallel.lock);
    int number =
        atomic_load_explicit(drawn, memory_order_relaxed); /* changes under the lock only */
    if (number < search->options.worlds) {
        world = search->root.worlds + search->game->state_size * (size_t)number;
        search_sample(search, world);
        /* release: a thread that sees the number sees the state */
        atomic_store_explicit(drawn, number + 1, memory_order_release);
    }
    pthread_mutex_unlock(&draws_of(search)->parallel.lock);
    return world;
}

const unsigned char *worker_world(struct banyan_search *search)
{
    uint32_t count = (uint32_t)search->options.worlds;
    const unsigned char *world = NULL;
    if (atomic_load_explicit(&search->worker->all->worlds_drawn, memory_order_acquire) < (int)count)
        world = draws_next(search);
    return world ? world
                 : search->root.worlds + search->game->state_size * rng_below(&search->rng, count);
}
