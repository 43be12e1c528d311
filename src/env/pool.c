/* Threads that wait for work and do equal parts of it. */
#include "env/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct pool_thread {
    struct pool *pool;
    pthread_t thread;
    int part;
};

struct pool {
    pthread_mutex_t mutex; /* guards all that follows, except parts and threads */
    pthread_cond_t begins, ends;
    void (*run)(void *ctx, int part);
    void *ctx;
    unsigned round; /* number of pool_run calls so far */
    int busy;       /* threads that have not yet finished the last one */
    bool closing;
    int parts;
    struct pool_thread threads[]; /* [parts]; the first is not used */
};

static void *pool_work(void *at)
{
    struct pool_thread *own = at;
    struct pool *pool = own->pool;
    pthread_mutex_lock(&pool->mutex);
    for (unsigned done = 0;; done = pool->round) {
        while (pool->round == done && !pool->closing)
            pthread_cond_wait(&pool->begins, &pool->mutex);
        if (pool->closing)
            break;
        pthread_mutex_unlock(&pool->mutex);
        pool->run(pool->ctx, own->part); /* run and ctx stay while a thread is busy */
        pthread_mutex_lock(&pool->mutex);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->ends);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

struct pool *pool_create(int parts)
{
    struct pool *pool = calloc(1, sizeof *pool + (size_t)parts * sizeof pool->threads[0]);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->begins, NULL);
    pthread_cond_init(&pool->ends, NULL);
    for (pool->parts = 1; pool->parts < parts; ++pool->parts) {
        struct pool_thread *own = &pool->threads[pool->parts];
        *own = (struct pool_thread){.pool = pool, .part = pool->parts};
        if (pthread_create(&own->thread, NULL, pool_work, own) != 0)
            break;
    }
    return pool;
}

void pool_destroy(struct pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->closing = true;
    pthread_cond_broadcast(&pool->begins);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 1; i < pool->parts; ++i)
        pthread_join(pool->threads[i].thread, NULL);
    pthread_cond_destroy(&pool->ends);
    pthread_cond_destroy(&pool->begins);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

int pool_parts(const struct pool *pool)
{
    return pool->parts;
}

void pool_run(struct pool *pool, void (*run)(void *ctx, int part), void *ctx)
{
    if (pool->parts > 1) {
        pthread_mutex_lock(&pool->mutex);
        pool->run = run;
        pool->ctx = ctx;
        pool->busy = pool->parts - 1;
        ++pool->round;
        pthread_cond_broadcast(&pool->begins);
        pthread_mutex_unlock(&pool->mutex);
    }
    run(ctx, 0);
    if (pool->parts == 1)
        return;
    pthread_mutex_lock(&pool->mutex);
    while (pool->busy)
        pthread_cond_wait(&pool->ends, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}
