/* The queue of a run: offers its games as jobs, and stores what comes back.
 *
 *      missing games --offer--> queue --fetch--> checked --> file --> index --> acknowledged
 *
 * A result counts, whoever gives it and whenever, if it belongs to this run and to a generation
 * whose games are still wanted; a game that is stored already is dropped.  A result that is wrong
 * is refused with the reason, and its games are offered again. */
#include "train/loop_state.h"

#include "base/clock.h"
#include "base/input.h"
#include "base/text.h"
#include "train/job_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    QUEUE_LOOK_MS = 50,   /* between two looks at the threads of this process */
    QUEUE_WAIT_MS = 1000, /* for a result of other processes */
    QUEUE_OFFERED = 4096, /* most games that are offered and not stored yet */
    QUEUE_FAILED = 5,     /* the run fails when a job has come back so often without its games */
    QUEUE_JOBS = 64       /* jobs of a generation: enough to keep all workers busy to its end */
};

/* --- opening, closing --- */

static enum banyan_status queue_put_settings(struct loop *loop, struct banyan_error *err)
{
    char *text = NULL;
    size_t length;
    enum banyan_status status =
        job_settings_write(loop->game, &loop->settings, &text, &length, err);
    if (status != BANYAN_OK)
        return status;
    queue_hash(text, length, loop->settings_hash);
    status = queue_put(loop->queue, loop->settings_hash, text, length, err);
    free(text);
    return status;
}

/* The number of games of a job: one for threads of this process, more for other processes, because
 * each job costs them a wait for the server. */
static int queue_range(const struct loop *loop)
{
    int range = loop->job->queue ? loop->settings.loop.games / QUEUE_JOBS : 1;
    return range < 1 ? 1 : range > JOB_GAMES ? JOB_GAMES : range;
}

/* Called by the only thread that uses the queue. */
static void queue_lost(void *ctx, const char *why)
{
    loop_warn(ctx, why ? why : "the queue's server is back");
}

enum banyan_status loop_queue_open(struct loop *loop, struct banyan_error *err)
{
    const char *url = loop->job->queue;
    struct queue_settings settings;
    queue_settings_default(&settings);
    settings.role = QUEUE_OWNER;
    settings.lease_ms =
        url ? loop->job->lease_ms : INFINITY; /* threads of this process do not vanish */
    settings.stop = loop->job->stop;
    settings.lost = queue_lost;
    settings.lost_ctx = loop;
    loop->range = queue_range(loop);
    enum banyan_status status = queue_open(&loop->queue, url ? url : "memory:", &settings, err);
    if (status == BANYAN_OK && url)
        status = loop_workers_load(loop, err);
    if (status == BANYAN_OK)
        status = queue_put_settings(loop, err);
    const struct worker_threads_setting threads = {.jobs = loop->queue,
                                                   .blobs = loop->queue,
                                                   .count = loop->settings.play.threads,
                                                   .allow_exec = true};
    if (status == BANYAN_OK && !url)
        status = worker_threads_start(&loop->threads, &threads, err);
    return status == BANYAN_OK && url && loop->job->local ? loop_local_start(loop, err) : status;
}

enum banyan_status loop_queue_end(struct loop *loop, struct banyan_error *err)
{
    return loop->queue && loop->job->queue ? queue_end(loop->queue, err) : BANYAN_OK;
}

enum banyan_status loop_queue_network(struct loop *loop, const char *path, char hash[JOB_HASH + 1],
                                      struct banyan_error *err)
{
    char *bytes, before[JOB_HASH + 1];
    size_t length;
    enum banyan_status status = input_read(path, "", &bytes, &length, err);
    if (status != BANYAN_OK)
        return status;
    memcpy(before, loop->network_hash, sizeof before);
    queue_hash(bytes, length, hash);
    if (strcmp(hash, before) != 0) {
        status = queue_put(loop->queue, hash, bytes, length, err);
        if (status == BANYAN_OK)
            memcpy(loop->network_hash, hash, sizeof before);
        if (status == BANYAN_OK && before[0])
            status = queue_drop(loop->queue, before, err);
    }
    free(bytes);
    return status;
}

/* --- offering --- */

static enum banyan_status queue_offer_range(struct loop *loop, const struct job_play *range,
                                            struct banyan_error *err)
{
    char text[JOB_TEXT];
    struct job_play job = *range;
    memcpy(job.network, loop->games.network, sizeof job.network);
    memcpy(job.settings, loop->settings_hash, sizeof job.settings);
    const struct queue_item item = {.number = job_play_number(&job),
                                    .bytes = text,
                                    .length = (size_t)job_play_write(&job, text)};
    return queue_offer(loop->queue, &item, err);
}

/* The next games that are neither stored nor offered; false: there are none. */
static bool queue_missing(struct loop *loop, int64_t games, struct job_play *range)
{
    struct loop_games *of = &loop->games;
    while (of->offered < games && of->records[of->offered].start)
        ++of->offered;
    *range = (struct job_play){.generation = of->generation, .first = of->offered};
    while (range->count < loop->range && of->offered < games && !of->records[of->offered].start) {
        ++range->count;
        ++of->offered;
    }
    return range->count > 0;
}

enum banyan_status loop_queue_offer(struct loop *loop, struct banyan_error *err)
{
    int64_t games = loop->settings.loop.games;
    struct job_play range;
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK && loop->games.open < QUEUE_OFFERED &&
           queue_missing(loop, games, &range)) {
        loop->games.open += range.count;
        status = queue_offer_range(loop, &range, err);
    }
    return status;
}

/* --- results --- */

/* The games of a result: each as a record, and where its frame is. */
struct queue_result {
    struct job_play job;
    int count;
    struct record records[JOB_GAMES];
    const unsigned char *frames[JOB_GAMES];
    size_t lengths[JOB_GAMES];
};

/* Whether games of this job are wanted now. */
static bool queue_wants(const struct loop *loop, const struct job_play *job)
{
    return job->generation == loop->games.generation &&
           job->first + job->count <= loop->settings.loop.games &&
           strcmp(job->settings, loop->settings_hash) == 0;
}

/* Checks that the record is one of the job, is not twice in the result, and follows the rules. */
static enum banyan_status queue_check_record(struct loop *loop, const struct queue_result *result,
                                             const struct record *record, struct banyan_error *err)
{
    const struct job_play *job = &result->job;
    if (record->generation != job->generation || record->number < job->first ||
        record->number >= job->first + job->count)
        return banyan_fail(err, BANYAN_INVALID, "game %lld of generation %lld is not of this job",
                           (long long)record->number + 1, (long long)record->generation);
    for (int i = 0; i < result->count; ++i)
        if (result->records[i].number == record->number)
            return banyan_fail(err, BANYAN_INVALID, "game %lld is there twice",
                               (long long)record->number + 1);
    return replay_check(loop->replay, record, err);
}

/* Reads the games that follow the line of a result; says what is wrong with them. */
static enum banyan_status queue_read_result(struct loop *loop, struct queue_result *result,
                                            const unsigned char *bytes, size_t length,
                                            struct banyan_error *err)
{
    if (strcmp(result->job.network, loop->games.network) != 0)
        return banyan_fail(err, BANYAN_INVALID, "another network played");
    while (result->count < result->job.count) {
        struct record *record = &result->records[result->count];
        size_t used;
        enum banyan_status status = record_unframe(record, bytes, length, &used, err);
        if (status == BANYAN_OK)
            status = queue_check_record(loop, result, record, err);
        if (status != BANYAN_OK) {
            record_free(record);
            return status;
        }
        result->frames[result->count] = bytes;
        result->lengths[result->count++] = used;
        bytes += used;
        length -= used;
    }
    return length ? banyan_fail(err, BANYAN_INVALID, "%zu bytes follow the last game", length)
                  : BANYAN_OK;
}

/* Stores a game that is not stored yet: first in the file, then in the index. */
static enum banyan_status queue_store(struct loop *loop, struct queue_result *result, int i,
                                      const char *worker, struct banyan_error *err)
{
    struct loop_games *to = &loop->games;
    struct record *record = &result->records[i];
    char name[48];
    if (to->records[record->number].start)
        return BANYAN_OK;
    loop_games_file(name, to->generation, 0);
    enum banyan_status status =
        record_writer_add_frame(to->writer, result->frames[i], result->lengths[i], err);
    if (status == BANYAN_OK)
        status = train_database_add_game(loop->database, record, name, worker, err);
    if (status != BANYAN_OK)
        return status;
    to->open -= record->number < to->offered;
    to->records[record->number] = *record;
    memset(record, 0, sizeof *record);
    loop_progress(loop, "games", ++to->done, loop->settings.loop.games);
    return BANYAN_OK;
}

/* Counts how often a job came back without its games.  Its workers may have died; if it happens
 * again and again, the job may be the reason, and the run fails. */
static enum banyan_status queue_count_failure(struct loop *loop, const struct job_play *range,
                                              const char *why, struct banyan_error *err)
{
    if (++loop->games.failed[range->first] < QUEUE_FAILED)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_IO,
                       "games %lld to %lld of generation %lld came back %d times without a result, "
                       "at last because %s",
                       (long long)range->first + 1, (long long)range->first + range->count,
                       (long long)range->generation, QUEUE_FAILED, why);
}

/* Offers a job again if some of its games are still missing. why: how the job failed; NULL: its
 * result does not count. */
static enum banyan_status queue_again(struct loop *loop, uint64_t number, const char *why,
                                      struct banyan_error *err)
{
    struct job_play range;
    bool missing = false;
    if (!job_play_of_number(number, &range) || range.generation != loop->games.generation ||
        range.first + range.count > loop->settings.loop.games)
        return BANYAN_OK;
    for (int i = 0; i < range.count; ++i)
        missing |= !loop->games.records[range.first + i].start;
    enum banyan_status status =
        missing && why ? queue_count_failure(loop, &range, why, err) : BANYAN_OK;
    return status == BANYAN_OK && missing ? queue_offer_range(loop, &range, err) : status;
}

void loop_queue_worker(const char *name, char out[QUEUE_NAME + 1])
{
    snprintf(out, QUEUE_NAME + 1, "%s", name);
    for (; *out; ++out)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._", *out))
            *out = '?';
}

/* Refuses a result that is wrong, and offers its games again; returns the status of the queue.
 * is_lie: a game had other bytes when it was played again. */
static enum banyan_status queue_refuse_result(struct loop *loop, struct queue_item *item,
                                              bool is_lie, const char *reason,
                                              struct banyan_error *err)
{
    uint64_t number = item->number;
    struct train_database_worker more = {.refused = 1, .shut_out = is_lie};
    char why[BANYAN_MESSAGE_MAX];
    snprintf(why, sizeof why, "%s", reason);
    text_make_plain(why); /* it may quote the result */
    loop_queue_worker(item->worker, more.name);
    enum banyan_status status = loop_workers_add(loop, &more, why, err);
    if (status == BANYAN_OK)
        status = queue_refuse(loop->queue, item, why, err);
    return status == BANYAN_OK ? queue_again(loop, number, why, err) : status;
}

/* Stores the games of a result that are not stored yet, and acknowledges it. */
static enum banyan_status queue_store_all(struct loop *loop, struct queue_item *item,
                                          struct queue_result *result, int64_t audited,
                                          struct banyan_error *err)
{
    char worker[QUEUE_NAME + 1];
    int64_t before = loop->games.done;
    enum banyan_status status = BANYAN_OK;
    loop_queue_worker(item->worker, worker);
    for (int i = 0; status == BANYAN_OK && i < result->count; ++i)
        status = queue_store(loop, result, i, loop->job->queue ? worker : NULL, err);
    struct train_database_worker more = {.duplicates = result->count - (loop->games.done - before),
                                         .audited = audited};
    memcpy(more.name, worker, sizeof worker);
    if (status == BANYAN_OK && (more.duplicates || more.audited))
        status = loop_workers_add(loop, &more, NULL, err);
    return status == BANYAN_OK ? queue_acknowledge(loop->queue, item, err) : status;
}

/* Plays some games of a result again (loop_audit_wants), and compares them; *audited: how many. */
static enum banyan_status queue_audit(struct loop *loop, const struct queue_result *result,
                                      const char *worker, int64_t *audited,
                                      struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    *audited = 0;
    for (int i = 0; status == BANYAN_OK && i < result->count; ++i) {
        const struct record *record = &result->records[i];
        if (loop->games.records[record->number].start || !loop_audit_wants(loop, worker))
            continue;
        ++*audited;
        status = loop_audit(loop, record, err);
    }
    return status;
}

/* Checks the games of a result that is wanted: stores and acknowledges it, or refuses it. */
static enum banyan_status queue_take_games(struct loop *loop, struct queue_item *item,
                                           struct queue_result *result, size_t used,
                                           struct banyan_error *err)
{
    struct banyan_error why = {.message = ""};
    const unsigned char *bytes = item->bytes;
    char worker[QUEUE_NAME + 1];
    int64_t audited = 0;
    loop_queue_worker(item->worker, worker);
    enum banyan_status status =
        queue_read_result(loop, result, bytes + used, item->length - used, &why);
    bool is_read = status == BANYAN_OK;
    if (is_read)
        status = queue_audit(loop, result, worker, &audited, &why);
    if (status == BANYAN_OK)
        return queue_store_all(loop, item, result, audited, err);
    if (status != BANYAN_NO_MEMORY && (!is_read || status == BANYAN_ILLEGAL))
        return queue_refuse_result(loop, item, is_read, why.message, err);
    if (err)
        *err = why;
    return status;
}

/* Drops a result that has no wanted games, and offers its job again if games are missing.  why: as
 * in queue_again. */
static enum banyan_status queue_forget(struct loop *loop, struct queue_item *item, const char *why,
                                       struct banyan_error *err)
{
    uint64_t number = item->number;
    enum banyan_status status = queue_acknowledge(loop->queue, item, err);
    return status == BANYAN_OK ? queue_again(loop, number, why, err) : status;
}

/* Reads the first line of a result, its job.  The queue's number of the result must be this job's. */
static enum banyan_status queue_read_job(const struct queue_item *item, struct job_play *job,
                                         size_t *used, struct banyan_error *err)
{
    enum banyan_status status = job_play_read(job, item->bytes, item->length, used, err);
    if (status != BANYAN_OK || job_play_number(job) == item->number)
        return status;
    return banyan_fail(err, BANYAN_CORRUPT, "it is the result of another job");
}

static enum banyan_status queue_take_play(struct loop *loop, struct queue_item *item,
                                          struct banyan_error *err)
{
    struct queue_result result = {.count = 0};
    struct banyan_error why;
    char worker[QUEUE_NAME + 1];
    size_t used;
    loop_queue_worker(item->worker, worker);
    if (item->given_up)
        return queue_forget(loop, item, "the workers that had it vanished", err);
    if (queue_read_job(item, &result.job, &used, &why) != BANYAN_OK)
        return queue_refuse_result(loop, item, false, why.message, err);
    if (!queue_wants(loop, &result.job) || loop_workers_is_out(loop, worker))
        return queue_forget(loop, item, NULL, err);
    if (used == item->length)
        return queue_forget(loop, item, "the queue had lost the run's network or settings", err);
    enum banyan_status status = queue_take_games(loop, item, &result, used, err);
    for (int i = 0; i < result.count; ++i)
        record_free(&result.records[i]);
    return status;
}

enum banyan_status loop_queue_take(struct loop *loop, struct queue_item *item,
                                   struct banyan_error *err)
{
    struct job_play job;
    if (job_play_of_number(item->number, &job))
        return queue_take_play(loop, item, err);
    return queue_acknowledge(loop->queue, item, err); /* the job was of a match that is over */
}

/* Whether a thread that plays in this process has failed, and why. */
static enum banyan_status queue_players_failed(const struct loop *loop, struct banyan_error *err)
{
    enum banyan_status status = worker_threads_failed(loop->threads, err);
    return status == BANYAN_OK ? loop_local_failed(loop, err) : status;
}

enum banyan_status loop_queue_serve(struct loop *loop, struct banyan_error *err)
{
    enum { SERVE_MS = 100, RESULTS = 64 };
    struct queue_item *item = NULL;
    double now_ms = clock_now_ms();
    if (!loop->queue || now_ms < loop->served_ms + SERVE_MS)
        return BANYAN_OK;
    enum banyan_status status = queue_players_failed(loop, err);
    for (int i = 0; status == BANYAN_OK && i < RESULTS; ++i) {
        status = queue_fetch(loop->queue, 0, &item, err);
        if (status != BANYAN_OK || !item)
            break;
        status = loop_queue_take(loop, item, err);
    }
    if (status == BANYAN_OK && loop->games.records)
        status = loop_queue_offer(loop, err);
    loop_workers_tell(loop);
    loop->served_ms = clock_now_ms();
    return status;
}

enum banyan_status loop_queue_step(struct loop *loop, struct banyan_error *err)
{
    struct queue_item *item = NULL;
    if (banyan_flag_is_set(loop->job->stop))
        return banyan_fail(err, BANYAN_INTERRUPTED, "interrupted");
    enum banyan_status status = loop_queue_offer(loop, err);
    loop_workers_tell(loop);
    if (status == BANYAN_OK)
        status = queue_players_failed(loop, err);
    if (status == BANYAN_OK)
        status =
            queue_fetch(loop->queue, loop->threads ? QUEUE_LOOK_MS : QUEUE_WAIT_MS, &item, err);
    if (status == BANYAN_OK && !item && loop->job->queue) /* shows that the run waits for workers */
        loop_progress(loop, "games", loop->games.done, loop->settings.loop.games);
    return status == BANYAN_OK && item ? loop_queue_take(loop, item, err) : status;
}

void loop_queue_close(struct loop *loop)
{
    struct queue_item *item;
    worker_threads_stop(loop->threads);
    loop->threads = NULL;
    loop_local_stop(loop);
    while (loop->queue && loop->games.records &&
           queue_fetch(loop->queue, 0, &item, NULL) == BANYAN_OK && item)
        if (loop_queue_take(loop, item, NULL) != BANYAN_OK)
            break;
    queue_close(loop->queue);
    loop->queue = NULL;
}
