/* A group of worker threads that compute parts of the same work. */
#include "nn/onednn/workers.h"
#include "nn/onednn/openmp.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct worker {
    struct workers *workers;
    int number;
    pthread_t thread;
};

struct workers {
    int size;
    struct worker *members;  /* [size]; number 0 is the caller */
    pthread_mutex_t opening; /* held until all threads are started and counted */
    pthread_barrier_t gate;  /* all threads wait here before and after each work, so `work` and
                             * `ctx` can change in between */
    pthread_barrier_t inside;
    void (*work)(void *ctx, int i);
    void *ctx;
    bool over;
};

static void *workers_member_run(void *argument)
{
    struct worker *member = argument;
    struct workers *workers = member->workers;
    omp_set_num_threads(1);
    pthread_mutex_lock(&workers->opening);
    pthread_mutex_unlock(&workers->opening);
    for (;;) {
        pthread_barrier_wait(&workers->gate);
        if (workers->over)
            return NULL;
        workers->work(workers->ctx, member->number);
        pthread_barrier_wait(&workers->gate);
    }
}

/* Starts as many of the threads as the system allows. */
static void workers_start(struct workers *workers, int threads)
{
    workers->size = 1;
    pthread_mutex_init(&workers->opening, NULL);
    pthread_mutex_lock(&workers->opening);
    for (int i = 1; i < threads; ++i) {
        struct worker *member = &workers->members[workers->size];
        *member = (struct worker){.workers = workers, .number = workers->size};
        if (pthread_create(&member->thread, NULL, workers_member_run, member) == 0)
            ++workers->size;
    }
    pthread_barrier_init(&workers->gate, NULL, (unsigned)workers->size);
    pthread_barrier_init(&workers->inside, NULL, (unsigned)workers->size);
    pthread_mutex_unlock(&workers->opening);
}

enum banyan_status workers_create(struct workers **out, int threads, struct banyan_error *err)
{
    struct workers *workers = calloc(1, sizeof *workers);
    *out = NULL;
    if (workers)
        workers->members = calloc((size_t)threads, sizeof *workers->members);
    if (!workers || !workers->members) {
        free(workers);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %d threads", threads);
    }
    workers_start(workers, threads);
    *out = workers;
    return BANYAN_OK;
}

void workers_destroy(struct workers *workers)
{
    if (!workers)
        return;
    workers->over = true;
    pthread_barrier_wait(&workers->gate);
    for (int i = 1; i < workers->size; ++i)
        pthread_join(workers->members[i].thread, NULL);
    pthread_barrier_destroy(&workers->gate);
    pthread_barrier_destroy(&workers->inside);
    pthread_mutex_destroy(&workers->opening);
    free(workers->members);
    free(workers);
}

int workers_size(const struct workers *workers)
{
    return workers->size;
}

void workers_run(struct workers *workers, void (*work)(void *ctx, int i), void *ctx)
{
    workers->work = work;
    workers->ctx = ctx;
    pthread_barrier_wait(&workers->gate);
    work(ctx, 0);
    pthread_barrier_wait(&workers->gate);
}

void workers_wait(struct workers *workers)
{
    pthread_barrier_wait(&workers->inside);
}
