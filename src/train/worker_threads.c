/* Threads that take jobs and do them, each by the function for its kind. */
#include "train/worker_threads.h"

#include "base/long_turns.h"
#include "players/program/offers.h"
#include "train/job.h"
#include "train/worker_play.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct worker_threads {
    struct worker_threads_setting setting;
    banyan_flag stop;
    int started;
    pthread_mutex_t getting; /* held by the thread that gets a blob */
    pthread_mutex_t lock;    /* guards the two members below */
    enum banyan_status status;
    struct banyan_error error;
    pthread_t threads[];
};

static enum banyan_status worker_match(struct worker_thread *thread, struct queue_item *job,
                                       struct banyan_error *err)
{
    return match_work(&thread->match, job, err);
}

static const struct {
    const char *word;
    enum banyan_status (*work)(struct worker_thread *thread, struct queue_item *job,
                               struct banyan_error *err);
} worker_kinds[] = {{"play", worker_play}, {"match", worker_match}};

static enum banyan_status worker_do(struct worker_thread *thread, struct queue_item *job,
                                    struct banyan_error *err)
{
    for (size_t i = 0; i < sizeof worker_kinds / sizeof *worker_kinds; ++i)
        if (job_is(worker_kinds[i].word, job->bytes, job->length))
            return worker_kinds[i].work(thread, job, err);
    uint64_t number = job->number;
    queue_release(thread->queue, job, NULL);
    return banyan_fail(err, BANYAN_UNSUPPORTED,
                       "job %llu is of a kind that this program does not know",
                       (unsigned long long)number);
}

static void worker_fail(struct worker_threads *threads, enum banyan_status status,
                        const struct banyan_error *err)
{
    pthread_mutex_lock(&threads->lock);
    if (threads->status == BANYAN_OK) {
        threads->status = status;
        threads->error = *err;
    }
    pthread_mutex_unlock(&threads->lock);
}

/* The next job; NULL: there is none at the moment. */
static enum banyan_status worker_next(struct worker_thread *thread, struct queue_item **job,
                                      struct banyan_error *err)
{
    *job = thread->left;
    thread->left = NULL;
    return *job ? BANYAN_OK : queue_take(thread->queue, WORKER_WAIT_MS, job, err);
}

static void *worker_run(void *argument)
{
    struct worker_threads *threads = argument;
    const struct worker_threads_setting *setting = &threads->setting;
    struct worker_thread thread = {
        .threads = threads,
        .queue = setting->jobs,
        .stop = &threads->stop,
        .match = {.queue = setting->jobs,
                  .blobs = setting->blobs,
                  .getting = &threads->getting,
                  .stop = &threads->stop,
                  .offers = setting->allow_exec ? program_offers : program_offers_inside},
        .allow_exec = setting->allow_exec};
    struct banyan_error err = {.message = ""};
    enum banyan_status status = BANYAN_OK;
    long_turns();
    while (status == BANYAN_OK && !banyan_flag_is_set(&threads->stop)) {
        struct queue_item *job;
        status = worker_next(&thread, &job, &err);
        if (status == BANYAN_NOT_FOUND) /* the queue is over */
            break;
        if (status == BANYAN_OK && job && (status = worker_do(&thread, job, &err)) != BANYAN_OK &&
            status != BANYAN_INTERRUPTED)
            worker_fail(threads, status, &err);
    }
    if (thread.left)
        queue_release(thread.queue, thread.left, NULL);
    worker_play_free(&thread);
    match_work_end(&thread.match);
    return NULL;
}

enum banyan_status worker_threads_start(struct worker_threads **out,
                                        const struct worker_threads_setting *setting,
                                        struct banyan_error *err)
{
    int count = setting->count;
    struct worker_threads *threads =
        calloc(1, sizeof *threads + (size_t)count * sizeof *threads->threads);
    *out = NULL;
    if (!threads)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %d threads", count);
    threads->setting = *setting;
    pthread_mutex_init(&threads->getting, NULL);
    pthread_mutex_init(&threads->lock, NULL);
    while (threads->started < count &&
           pthread_create(&threads->threads[threads->started], NULL, worker_run, threads) == 0)
        ++threads->started;
    if (threads->started == count) {
        *out = threads;
        return BANYAN_OK;
    }
    int started = threads->started;
    worker_threads_stop(threads);
    return banyan_fail(err, BANYAN_NO_MEMORY, "only %d of %d threads could be started", started,
                       count);
}

enum banyan_status worker_threads_failed(struct worker_threads *threads, struct banyan_error *err)
{
    if (!threads)
        return BANYAN_OK;
    pthread_mutex_lock(&threads->lock);
    enum banyan_status status = threads->status;
    if (status != BANYAN_OK && err)
        *err = threads->error;
    pthread_mutex_unlock(&threads->lock);
    return status;
}

void worker_threads_stop(struct worker_threads *threads)
{
    if (!threads)
        return;
    banyan_flag_set(&threads->stop);
    for (int i = 0; i < threads->started; ++i)
        pthread_join(threads->threads[i], NULL);
    pthread_mutex_destroy(&threads->getting);
    pthread_mutex_destroy(&threads->lock);
    free(threads);
}

enum banyan_status worker_threads_get(struct worker_thread *thread, const char *name, void **bytes,
                                      size_t *length, struct banyan_error *err)
{
    enum { TRIES = 20 };
    const struct timespec step = {.tv_nsec = 100 * 1000000L};
    struct worker_threads *threads = thread->threads;
    enum banyan_status status = BANYAN_NOT_FOUND;
    for (int i = 0; i < TRIES && status == BANYAN_NOT_FOUND; ++i) {
        if (i > 0)
            nanosleep(&step, NULL);
        if (banyan_flag_is_set(thread->stop))
            return banyan_fail(err, BANYAN_INTERRUPTED, "interrupted");
        pthread_mutex_lock(&threads->getting);
        status = queue_get(threads->setting.blobs, name, bytes, length, err);
        pthread_mutex_unlock(&threads->getting);
    }
    return status;
}
