/* Carries jobs from the owner's queue to the threads of this process, and results back. */
#include "train/worker.h"

#include "base/clock.h"
#include "base/condition.h"
#include "queue/queue.h"
#include "train/worker_threads.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LOOK_MS = 100,  /* how often the stop flag is read */
    ROOM_MS = 5,    /* how often the taker looks whether the threads have taken the jobs that
                     * waited */
    SAY_MS = 5000,  /* between two reports; an idle worker reports less often */
    RENEWED = 16,   /* leases that are renewed together */
    TAKE_MS = 60000 /* how long an idle worker waits for a job before it asks again, so that it
                     * sends few messages */
};

/* A job of the owner's queue that this process holds. */
struct carried {
    struct carried *next;
    struct queue_item *item; /* of the owner's queue */
    uint64_t serial;         /* its number in the queue in memory; the process may hold the
                              * owner's number twice */
    bool renewing;
};

struct worker {
    const struct worker_job *job;
    struct queue *far, *near; /* the owner's, and that in memory */
    struct worker_threads *threads;
    banyan_flag stop; /* ends the threads below, and waiting for the server of `far` */
    pthread_t taker, keeper, watcher;
    char cache[512];        /* the folder that is this worker's own; "": it has none */
    pthread_mutex_t lock;   /* guards everything below */
    pthread_cond_t changed; /* a job was renewed, or `stop` was set */
    pthread_cond_t
        room; /* a result has come, so a thread may take another job; or `stop` was set */
    struct carried *carried;
    uint64_t serial; /* of the last job taken */
    int64_t jobs, bytes;
    int held;
    double idle_since_ms; /* since when held has been 0 */
    bool ended;           /* the taker takes no more */
    bool once;            /* the taker ended because one job was wanted */
    bool away;            /* the server of `far` does not answer, for the reason `why_away` */
    char why_away[256];
    enum queue_mode mode; /* of the owner's queue when the taker ended */
    enum banyan_status status;
    struct banyan_error error; /* why the taker failed */
};

/* Waits for a change, at most this long.  The lock is held. */
static void worker_wait(struct worker *worker, double ms)
{
    condition_wait(&worker->changed, &worker->lock, clock_now_ms() + ms);
}

static void worker_set_stop(struct worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    banyan_flag_set(&worker->stop);
    pthread_cond_broadcast(&worker->changed);
    pthread_cond_broadcast(&worker->room);
    pthread_mutex_unlock(&worker->lock);
}

/* --- taking --- */

/* Whether the threads would take a job now. One job waits for each thread, so that no thread waits
 * for a server; if more waited here, other workers would have fewer. */
static bool worker_has_room(struct worker *worker)
{
    struct queue_counts counts;
    return queue_count(worker->near, &counts, NULL, NULL, NULL) == BANYAN_OK &&
           counts.waiting < worker->job->threads;
}

/* Hands a job to the threads. */
static enum banyan_status worker_carry(struct worker *worker, struct queue_item *item,
                                       struct banyan_error *err)
{
    struct carried *carried = malloc(sizeof *carried);
    if (!carried) {
        queue_release(worker->far, item, NULL);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a job");
    }
    pthread_mutex_lock(&worker->lock);
    *carried = (struct carried){.next = worker->carried, .item = item, .serial = ++worker->serial};
    worker->carried = carried;
    ++worker->held;
    struct queue_item job = {
        .number = carried->serial, .bytes = item->bytes, .length = item->length};
    enum banyan_status status = queue_offer(worker->near, &job, err);
    pthread_mutex_unlock(&worker->lock);
    return status;
}

/* The taker is done: the queue has ended, or there was a failure. */
static void worker_end_taking(struct worker *worker, enum banyan_status status,
                              const struct banyan_error *err)
{
    struct queue_counts counts = {.mode = QUEUE_OVER};
    if (status == BANYAN_NOT_FOUND)
        queue_count(worker->far, &counts, NULL, NULL, NULL);
    pthread_mutex_lock(&worker->lock);
    worker->ended = true;
    worker->once = status == BANYAN_OK && worker->job->once;
    worker->mode = counts.mode;
    if (status != BANYAN_NOT_FOUND && status != BANYAN_INTERRUPTED) {
        worker->status = status;
        worker->error = *err;
    }
    pthread_mutex_unlock(&worker->lock);
}

static void *worker_take_all(void *argument)
{
    struct worker *worker = argument;
    struct banyan_error err = {.message = ""};
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK && !banyan_flag_is_set(&worker->stop)) {
        struct queue_item *item = NULL;
        if (!worker_has_room(worker)) {
            pthread_mutex_lock(&worker->lock);
            condition_wait(&worker->room, &worker->lock, clock_now_ms() + ROOM_MS);
            pthread_mutex_unlock(&worker->lock);
            continue;
        }
        status = queue_take(worker->far, TAKE_MS, &item, &err);
        if (status == BANYAN_OK && item)
            status = worker_carry(worker, item, &err);
        if (status == BANYAN_OK && item && worker->job->once)
            break;
    }
    worker_end_taking(worker, status, &err);
    return NULL;
}

/* --- keeping --- */

/* Renews the leases of some jobs from this one on; returns the job after them, NULL: there is none.  The lock is held, and
 * released meanwhile. */
static struct carried *worker_renew_some(struct worker *worker, struct carried *at)
{
    struct carried *some[RENEWED];
    struct queue_item *items[RENEWED];
    int count = 0;
    for (; at && count < RENEWED; at = at->next) {
        at->renewing = true; /* so that nobody frees it meanwhile */
        some[count] = at;
        items[count++] = at->item;
    }
    pthread_mutex_unlock(&worker->lock);
    queue_renew_all(worker->far, items, count, NULL);
    pthread_mutex_lock(&worker->lock);
    for (int i = 0; i < count; ++i)
        some[i]->renewing = false;
    pthread_cond_broadcast(&worker->changed);
    return some[count - 1]->next;
}

/* Renews all leases.  One that is over already is no failure: the result may still be given. */
static void worker_renew_all(struct worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    struct carried *at = worker->carried;
    while (at && !banyan_flag_is_set(&worker->stop))
        at = worker_renew_some(worker, at);
    pthread_mutex_unlock(&worker->lock);
}

/* Reports to the owner's queue what this worker does. */
static void worker_say(struct worker *worker, double since_ms)
{
    char text[128];
    pthread_mutex_lock(&worker->lock);
    double seconds = (clock_now_ms() - since_ms) / 1e3;
    snprintf(text, sizeof text, "threads=%d held=%d jobs=%lld bytes=%lld jobs-per-s=%.2f",
             worker->job->threads, worker->held, (long long)worker->jobs, (long long)worker->bytes,
             seconds > 0 ? (double)worker->jobs / seconds : 0.0);
    pthread_mutex_unlock(&worker->lock);
    queue_report(worker->far, text, NULL);
}

static void *worker_keep_all(void *argument)
{
    struct worker *worker = argument;
    const double began_ms = clock_now_ms();
    double said_ms = -INFINITY, renewed_ms = began_ms;
    pthread_mutex_lock(&worker->lock);
    while (!banyan_flag_is_set(&worker->stop)) {
        double now_ms = clock_now_ms();
        bool renew = now_ms >= renewed_ms + worker->job->renew_ms;
        bool say = now_ms >= said_ms + (worker->held ? SAY_MS : 4 * SAY_MS);
        if (!renew && !say) {
            worker_wait(worker, LOOK_MS);
            continue;
        }
        pthread_mutex_unlock(&worker->lock);
        if (renew)
            worker_renew_all(worker);
        if (say)
            worker_say(worker, began_ms);
        renewed_ms = renew ? now_ms : renewed_ms;
        said_ms = say ? now_ms : said_ms;
        pthread_mutex_lock(&worker->lock);
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

/* --- stopping --- */

/* Passes the caller's stop flag on, because all other threads may be waiting for a server that does
 * not answer. */
static void *worker_watch(void *argument)
{
    struct worker *worker = argument;
    bool stopped = false;
    pthread_mutex_lock(&worker->lock);
    while (!banyan_flag_is_set(&worker->stop) && !stopped) {
        worker_wait(worker, LOOK_MS);
        stopped = banyan_flag_is_set(worker->job->stop);
    }
    pthread_mutex_unlock(&worker->lock);
    if (stopped)
        worker_set_stop(worker);
    return NULL;
}

/* The server of `far` does not answer (why), or does again (NULL). */
static void worker_lost(void *ctx, const char *why)
{
    struct worker *worker = ctx;
    pthread_mutex_lock(&worker->lock);
    worker->away = why != NULL;
    snprintf(worker->why_away, sizeof worker->why_away, "%s", why ? why : "");
    pthread_mutex_unlock(&worker->lock);
    if (worker->job->lost)
        worker->job->lost(worker->job->ctx, why);
}

/* --- giving --- */

/* Finds the job of this serial number, and waits until the keeper does not use it.  The lock is held. */
static struct carried *worker_find(struct worker *worker, uint64_t serial)
{
    struct carried *at = worker->carried;
    while (at->serial != serial)
        at = at->next;
    while (at->renewing)
        worker_wait(worker, LOOK_MS);
    return at;
}

/* Takes a job out of the list.  The lock is held. */
static void worker_drop(struct worker *worker, struct carried *carried)
{
    struct carried **at = &worker->carried;
    while (*at != carried)
        at = &(*at)->next;
    *at = carried->next;
    free(carried);
    if (--worker->held == 0)
        worker->idle_since_ms = clock_now_ms();
    pthread_cond_signal(&worker->room);
}

/* Gives a result of the threads to the owner. */
static enum banyan_status worker_give(struct worker *worker, struct queue_item *result,
                                      struct banyan_error *err)
{
    const struct queue_item given = {.bytes = result->bytes, .length = result->length};
    pthread_mutex_lock(&worker->lock);
    struct carried *carried = worker_find(worker, result->number);
    struct queue_item *item = carried->item;
    worker_drop(worker, carried);
    pthread_mutex_unlock(&worker->lock);
    enum banyan_status status = queue_give(worker->far, item, &given, err);
    pthread_mutex_lock(&worker->lock);
    worker->jobs += status == BANYAN_OK;
    worker->bytes += status == BANYAN_OK ? (int64_t)given.length : 0;
    pthread_mutex_unlock(&worker->lock);
    queue_acknowledge(worker->near, result, NULL);
    return status;
}

/* --- running --- */

/* Whether to go on; *end: why not. */
static bool worker_goes_on(struct worker *worker, enum worker_end *end)
{
    pthread_mutex_lock(&worker->lock);
    bool idle =
        worker->held == 0 && clock_now_ms() > worker->idle_since_ms + worker->job->idle_exit_ms;
    bool finished = worker->ended && worker->held == 0;
    bool once = finished && worker->once;
    bool drained = finished && worker->mode == QUEUE_DRAINED;
    bool over = worker->ended && !worker->once && worker->mode != QUEUE_DRAINED;
    pthread_mutex_unlock(&worker->lock);
    bool stopped = banyan_flag_is_set(worker->job->stop);
    *end = stopped   ? WORKER_STOPPED
           : over    ? WORKER_OVER
           : once    ? WORKER_ONCE
           : drained ? WORKER_DRAINED
                     : WORKER_IDLE;
    return !(stopped || over || once || drained || idle);
}

static void worker_tell(struct worker *worker, struct worker_totals *totals)
{
    pthread_mutex_lock(&worker->lock);
    *totals = (struct worker_totals){worker->jobs, worker->bytes, worker->held};
    pthread_mutex_unlock(&worker->lock);
    if (worker->job->progress)
        worker->job->progress(worker->job->ctx, totals);
}

static enum banyan_status worker_course(struct worker *worker, struct worker_totals *totals,
                                        enum worker_end *end, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK && worker_goes_on(worker, end)) {
        struct queue_item *result = NULL;
        status = worker_threads_failed(worker->threads, err);
        if (status == BANYAN_OK)
            status = queue_fetch(worker->near, LOOK_MS, &result, err);
        if (status == BANYAN_OK && result)
            status = worker_give(worker, result, err);
        worker_tell(worker, totals);
    }
    if (status == BANYAN_INTERRUPTED && banyan_flag_is_set(worker->job->stop)) {
        *end = WORKER_STOPPED; /* while a result waited for the server */
        return BANYAN_OK;
    }
    pthread_mutex_lock(&worker->lock);
    if (status == BANYAN_OK && worker->status != BANYAN_OK) {
        status = worker->status;
        *err = worker->error;
    } else if (status == BANYAN_OK && *end == WORKER_IDLE && worker->away) {
        status = banyan_fail(err, BANYAN_IO, "no job came for a while (--idle-exit): %s",
                             worker->why_away);
    }
    pthread_mutex_unlock(&worker->lock);
    return status;
}

/* Gives the results that are left, unless the queue is over, and returns all other jobs.  If the
 * server does not answer, those jobs come back when their leases end. */
static void worker_return_all(struct worker *worker, enum worker_end end)
{
    struct queue_item *result;
    enum banyan_status status = BANYAN_OK;
    while (worker->near && end != WORKER_OVER && status == BANYAN_OK &&
           queue_fetch(worker->near, 0, &result, NULL) == BANYAN_OK && result)
        status = worker_give(worker, result, NULL);
    while (worker->carried) {
        if (status == BANYAN_OK)
            status = queue_release(worker->far, worker->carried->item, NULL);
        worker_drop(worker, worker->carried);
    }
}

/* --- beginning --- */

/* Makes a folder for networks, for this worker only. */
static enum banyan_status worker_make_cache(struct worker *worker, struct banyan_error *err)
{
    const char *folder = getenv("TMPDIR");
    snprintf(worker->cache, sizeof worker->cache, "%s/banyan-XXXXXX",
             folder && *folder ? folder : "/tmp");
    if (mkdtemp(worker->cache))
        return BANYAN_OK;
    banyan_fail(err, BANYAN_IO, "cannot make a folder for networks, '%s': %s", worker->cache,
                strerror(errno));
    worker->cache[0] = 0;
    return BANYAN_IO;
}

static void worker_remove_cache(const struct worker *worker)
{
    char path[sizeof worker->cache + 256];
    DIR *files = worker->cache[0] ? opendir(worker->cache) : NULL;
    for (struct dirent *file; files && (file = readdir(files));) {
        snprintf(path, sizeof path, "%s/%s", worker->cache, file->d_name);
        unlink(path); /* which leaves "." and ".." as they are */
    }
    if (files)
        closedir(files);
    if (worker->cache[0])
        rmdir(worker->cache);
}

static enum banyan_status worker_open(struct worker *worker, struct banyan_error *err)
{
    const struct worker_job *job = worker->job;
    struct queue_settings far, near;
    queue_settings_default(&far);
    far.name = job->name;
    far.cache = job->cache ? job->cache : worker->cache;
    far.kinds = job->kinds;
    far.stop = &worker->stop;
    far.lost = worker_lost;
    far.lost_ctx = worker;
    queue_settings_default(&near);
    near.role = QUEUE_OWNER;
    near.lease_ms = INFINITY; /* threads do not vanish */
    enum banyan_status status = job->cache ? BANYAN_OK : worker_make_cache(worker, err);
    if (status == BANYAN_OK)
        status = queue_open(&worker->far, job->queue, &far, err);
    if (status == BANYAN_OK)
        status = queue_open(&worker->near, "memory:", &near, err);
    const struct worker_threads_setting setting = {.jobs = worker->near,
                                                   .blobs = worker->far,
                                                   .count = job->threads,
                                                   .allow_exec = job->allow_exec};
    if (status == BANYAN_OK)
        status = worker_threads_start(&worker->threads, &setting, err);
    return status;
}

/* Starts the taker, the keeper and the watcher, gives results until there is a reason to stop, and stops all three. */
static enum banyan_status worker_carry_all(struct worker *worker, struct worker_totals *totals,
                                           enum worker_end *end, struct banyan_error *err)
{
    bool takes = pthread_create(&worker->taker, NULL, worker_take_all, worker) == 0;
    bool keeps = takes && pthread_create(&worker->keeper, NULL, worker_keep_all, worker) == 0;
    bool watches = keeps && pthread_create(&worker->watcher, NULL, worker_watch, worker) == 0;
    enum banyan_status status =
        watches ? worker_course(worker, totals, end, err)
                : banyan_fail(err, BANYAN_NO_MEMORY, "no thread for a worker could be started");
    worker_set_stop(worker);
    if (takes)
        pthread_join(worker->taker, NULL);
    if (keeps)
        pthread_join(worker->keeper, NULL);
    if (watches)
        pthread_join(worker->watcher, NULL);
    return status;
}

enum banyan_status worker_run(const struct worker_job *job, struct worker_totals *totals,
                              enum worker_end *end, struct banyan_error *err)
{
    struct worker worker = {.job = job, .idle_since_ms = clock_now_ms()};
    *totals = (struct worker_totals){0};
    *end = WORKER_STOPPED;
    pthread_mutex_init(&worker.lock, NULL);
    condition_init(&worker.changed);
    condition_init(&worker.room);
    enum banyan_status status = worker_open(&worker, err);
    if (status == BANYAN_OK)
        status = worker_carry_all(&worker, totals, end, err);
    worker_threads_stop(worker.threads);
    worker_return_all(&worker, *end);
    totals->jobs = worker.jobs;
    totals->bytes = worker.bytes;
    queue_close(worker.near);
    queue_close(worker.far);
    worker_remove_cache(&worker);
    pthread_cond_destroy(&worker.changed);
    pthread_cond_destroy(&worker.room);
    pthread_mutex_destroy(&worker.lock);
    return status;
}
