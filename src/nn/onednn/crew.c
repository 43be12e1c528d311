/* A few threads that each compute a part of the same work. */
#include "nn/onednn/crew.h"
#include "nn/onednn/openmp.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct crew_member {
    struct crew *crew;
    int number;
    pthread_t thread;
};

struct crew {
    int size;
    struct crew_member *members; /* [size]; number 0 is the caller */
    pthread_mutex_t opening;     /* held until all threads are there and counted */
    pthread_barrier_t gate; /* before and after a piece of work: what follows changes between */
    pthread_barrier_t inside;
    void (*work)(void *ctx, int i);
    void *ctx;
    bool over;
};

static void *crew_member_run(void *argument)
{
    struct crew_member *member = argument;
    struct crew *crew = member->crew;
    omp_set_num_threads(1);
    pthread_mutex_lock(&crew->opening);
    pthread_mutex_unlock(&crew->opening);
    for (;;) {
        pthread_barrier_wait(&crew->gate);
        if (crew->over)
            return NULL;
        crew->work(crew->ctx, member->number);
        pthread_barrier_wait(&crew->gate);
    }
}

/* As many threads as the system gives. */
static void crew_start(struct crew *crew, int threads)
{
    crew->size = 1;
    pthread_mutex_init(&crew->opening, NULL);
    pthread_mutex_lock(&crew->opening);
    for (int i = 1; i < threads; ++i) {
        struct crew_member *member = &crew->members[crew->size];
        *member = (struct crew_member){.crew = crew, .number = crew->size};
        if (pthread_create(&member->thread, NULL, crew_member_run, member) == 0)
            ++crew->size;
    }
    pthread_barrier_init(&crew->gate, NULL, (unsigned)crew->size);
    pthread_barrier_init(&crew->inside, NULL, (unsigned)crew->size);
    pthread_mutex_unlock(&crew->opening);
}

enum banyan_status crew_create(struct crew **out, int threads, struct banyan_error *err)
{
    struct crew *crew = calloc(1, sizeof *crew);
    *out = NULL;
    if (crew)
        crew->members = calloc((size_t)threads, sizeof *crew->members);
    if (!crew || !crew->members) {
        free(crew);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %d threads", threads);
    }
    crew_start(crew, threads);
    *out = crew;
    return BANYAN_OK;
}

void crew_destroy(struct crew *crew)
{
    if (!crew)
        return;
    crew->over = true;
    pthread_barrier_wait(&crew->gate);
    for (int i = 1; i < crew->size; ++i)
        pthread_join(crew->members[i].thread, NULL);
    pthread_barrier_destroy(&crew->gate);
    pthread_barrier_destroy(&crew->inside);
    pthread_mutex_destroy(&crew->opening);
    free(crew->members);
    free(crew);
}

int crew_size(const struct crew *crew)
{
    return crew->size;
}

void crew_run(struct crew *crew, void (*work)(void *ctx, int i), void *ctx)
{
    crew->work = work;
    crew->ctx = ctx;
    pthread_barrier_wait(&crew->gate);
    work(ctx, 0);
    pthread_barrier_wait(&crew->gate);
}

void crew_wait(struct crew *crew)
{
    pthread_barrier_wait(&crew->inside);
}
