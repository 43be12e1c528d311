/* Plays the games of jobs, many at once, and returns them job by job. */
#include "train/worker_play.h"

#include "nn/checkpoint.h"
#include "nn/safetensors.h"
#include "train/job.h"
#include "train/job_settings.h"

#include <stdlib.h>
#include <string.h>

/* A job in progress, and its result so far. */
struct worker_range {
    struct queue_item *item;
    struct job_play job;
    int begun, done;
    bool got[JOB_GAMES]; /* whether a game is in the result, by its place in the job */
    unsigned char *bytes;
    size_t length;
};

/* What a thread uses while it plays. */
struct worker_playing {
    struct worker_thread *thread;
    /* settings and network of the jobs that are played now or were played last */
    char settings_hash[JOB_HASH + 1], network_hash[JOB_HASH + 1];
    const struct banyan_game *game;
    struct loop_settings settings;
    struct nn_net *net;
    bool missing; /* the queue does not have what a job names */
    /* the jobs in progress */
    int64_t generation;
    struct worker_range *ranges; /* [at_once] */
    int count;
    enum banyan_status status; /* of the queue */
    struct banyan_error error;
};

/* --- settings and network --- */

static enum banyan_status worker_get(struct worker_playing *playing, const char *hash, void **bytes,
                                     size_t *length, struct banyan_error *err)
{
    enum banyan_status status = worker_threads_get(playing->thread, hash, bytes, length, err);
    playing->missing = status == BANYAN_NOT_FOUND;
    return status;
}

/* Refuses settings by which somebody else's job would start programs here. */
static enum banyan_status worker_check_settings(const struct worker_playing *playing,
                                                struct banyan_error *err)
{
    const char *teacher = playing->settings.play.teacher;
    if (playing->thread->allow_exec || !strstr(teacher, "exec:"))
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_UNSUPPORTED,
                       "the run's teacher '%s' is an outside program: --allow-exec lets jobs start "
                       "such programs on this machine",
                       teacher);
}

static enum banyan_status worker_settings(struct worker_playing *playing, const char *hash,
                                          struct banyan_error *err)
{
    void *bytes;
    size_t length;
    if (strcmp(playing->settings_hash, hash) == 0)
        return BANYAN_OK;
    playing->settings_hash[0] = 0;
    enum banyan_status status = worker_get(playing, hash, &bytes, &length, err);
    if (status != BANYAN_OK)
        return status;
    status = job_settings_read(bytes, length, &playing->game, &playing->settings, err);
    free(bytes);
    if (status == BANYAN_OK)
        status = worker_check_settings(playing, err);
    if (status != BANYAN_OK)
        return status;
    playing->settings.play.threads = 1;
    free(playing->ranges);
    playing->ranges = calloc((size_t)playing->settings.play.at_once, sizeof *playing->ranges);
    if (!playing->ranges)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %d games",
                           playing->settings.play.at_once);
    memcpy(playing->settings_hash, hash, sizeof playing->settings_hash);
    return BANYAN_OK;
}

static enum banyan_status worker_network(struct worker_playing *playing, const char *hash,
                                         struct banyan_error *err)
{
    void *bytes;
    size_t length;
    struct safetensors *file;
    if (strcmp(playing->network_hash, hash) == 0)
        return BANYAN_OK;
    playing->network_hash[0] = 0;
    nn_net_free(playing->net);
    playing->net = NULL;
    enum banyan_status status = worker_get(playing, hash, &bytes, &length, err);
    if (status != BANYAN_OK)
        return status;
    status = safetensors_parse(&file, bytes, length, "the run's network", err);
    free(bytes);
    if (status != BANYAN_OK)
        return status;
    status = nn_net_parse(&playing->net, file, "the run's network", NULL, err);
    safetensors_free(file);
    if (status == BANYAN_OK)
        memcpy(playing->network_hash, hash, sizeof playing->network_hash);
    return status;
}

/* --- the jobs in progress --- */

/* Adds a job; its result begins with its line. */
static enum banyan_status worker_begin(struct worker_playing *playing, struct queue_item *item,
                                       const struct job_play *job, struct banyan_error *err)
{
    struct worker_range range = {.item = item, .job = *job, .bytes = malloc(JOB_TEXT + 1)};
    if (!range.bytes)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the result of a job");
    range.length = (size_t)job_play_write(job, (char *)range.bytes);
    range.bytes[range.length++] = '\n';
    playing->ranges[playing->count++] = range;
    return BANYAN_OK;
}

static void worker_remove(struct worker_playing *playing, struct worker_range *range)
{
    free(range->bytes);
    *range = playing->ranges[--playing->count];
}

static bool worker_fits(const struct worker_playing *playing, const struct job_play *job)
{
    return job->generation == playing->generation &&
           strcmp(job->settings, playing->settings_hash) == 0 &&
           strcmp(job->network, playing->network_hash) == 0;
}

/* Takes a job that can be played beside those in progress.  Any other one waits in thread->left until
 * they are over. */
static enum banyan_status worker_take(struct worker_playing *playing, bool wait,
                                      struct banyan_error *err)
{
    struct worker_thread *thread = playing->thread;
    struct queue_item *item = NULL;
    struct job_play job;
    enum banyan_status status = BANYAN_OK;
    do
        status = queue_take(thread->queue, wait ? WORKER_WAIT_MS : 0, &item, err);
    while (wait && status == BANYAN_OK && !item && !banyan_flag_is_set(thread->stop));
    if (status != BANYAN_OK || !item)
        return status == BANYAN_NOT_FOUND ? BANYAN_OK : status; /* the queue is over */
    if (job_play_read(&job, item->bytes, item->length, NULL, NULL) == BANYAN_OK &&
        worker_fits(playing, &job))
        status = worker_begin(playing, item, &job, err);
    else
        thread->left = item;
    if (status != BANYAN_OK)
        queue_release(thread->queue, item, NULL);
    return status;
}

/* A job with games that have not begun; NULL: there is none. */
static struct worker_range *worker_waiting(struct worker_playing *playing)
{
    for (int i = 0; i < playing->count; ++i)
        if (playing->ranges[i].begun < playing->ranges[i].job.count)
            return &playing->ranges[i];
    return NULL;
}

static int64_t worker_next_game(void *ctx, bool idle)
{
    struct worker_playing *playing = ctx;
    struct worker_range *range = worker_waiting(playing);
    if (!range && playing->status == BANYAN_OK && !playing->thread->left)
        playing->status = worker_take(playing, idle, &playing->error);
    if (!range)
        range = worker_waiting(playing);
    return range ? range->job.first + range->begun++ : -1;
}

static bool worker_lacks(const struct worker_range *range, int64_t number)
{
    return number >= range->job.first && number < range->job.first + range->job.count &&
           !range->got[number - range->job.first];
}

/* The job to whose result a game belongs.  A thread may hold a game twice, because its job was offered again; both
 * games have the same bytes, and each of the jobs gets one. */
static struct worker_range *worker_range_of(struct worker_playing *playing, int64_t number)
{
    struct worker_range *range = playing->ranges;
    while (!worker_lacks(range, number))
        ++range;
    return range;
}

static enum banyan_status worker_add(struct worker_range *range, const struct record *record,
                                     struct banyan_error *err)
{
    unsigned char *frame;
    size_t length;
    enum banyan_status status = record_frame(record, &frame, &length, err);
    if (status != BANYAN_OK)
        return status;
    unsigned char *bytes = realloc(range->bytes, range->length + length);
    if (bytes) {
        memcpy(bytes + range->length, frame, length);
        range->bytes = bytes;
        range->length += length;
        range->got[record->number - range->job.first] = true;
        ++range->done;
    }
    free(frame);
    return bytes ? BANYAN_OK
                 : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the result of a job");
}

static enum banyan_status worker_deliver(void *ctx, struct record *record, struct banyan_error *err)
{
    struct worker_playing *playing = ctx;
    struct worker_range *range = worker_range_of(playing, record->number);
    enum banyan_status status = worker_add(range, record, err);
    if (status != BANYAN_OK || range->done < range->job.count)
        return status;
    const struct queue_item result = {.bytes = range->bytes, .length = range->length};
    status = queue_give(playing->thread->queue, range->item, &result, err);
    if (status == BANYAN_OK)
        worker_remove(playing, range);
    return status;
}

/* --- playing --- */

static enum banyan_status worker_games(struct worker_playing *playing, struct banyan_error *err)
{
    struct play_totals totals;
    struct play_job job =
        job_settings_play(playing->game, &playing->settings, playing->net, playing->generation);
    job.next = worker_next_game;
    job.stop = playing->thread->stop;
    job.deliver = worker_deliver;
    job.ctx = playing;
    enum banyan_status status = play_run(&job, &totals, err);
    if (status == BANYAN_OK && playing->status != BANYAN_OK) {
        status = playing->status;
        *err = playing->error;
    }
    while (playing->count > 0) {
        struct worker_range *range = &playing->ranges[playing->count - 1];
        queue_release(playing->thread->queue, range->item, NULL);
        worker_remove(playing, range);
    }
    return status;
}

static struct worker_playing *worker_playing(struct worker_thread *thread)
{
    if (!thread->play)
        thread->play = calloc(1, sizeof(struct worker_playing));
    struct worker_playing *playing = thread->play;
    if (playing) {
        playing->thread = thread;
        playing->missing = false;
        playing->status = BANYAN_OK;
    }
    return playing;
}

/* Gives a result without games: if the job's generation is not over, the owner offers it again. */
static enum banyan_status worker_decline(struct worker_thread *thread, struct queue_item *item,
                                         const struct job_play *job, struct banyan_error *err)
{
    char text[JOB_TEXT + 1];
    size_t length = (size_t)job_play_write(job, text);
    text[length++] = '\n';
    const struct queue_item result = {.bytes = text, .length = length};
    return queue_give(thread->queue, item, &result, err);
}

enum banyan_status worker_play(struct worker_thread *thread, struct queue_item *item,
                               struct banyan_error *err)
{
    struct worker_playing *playing = worker_playing(thread);
    struct job_play job;
    enum banyan_status status =
        playing ? job_play_read(&job, item->bytes, item->length, NULL, err)
                : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a worker thread");
    if (status == BANYAN_OK)
        status = worker_settings(playing, job.settings, err);
    if (status == BANYAN_OK)
        status = worker_network(playing, job.network, err);
    if (status == BANYAN_OK)
        status = net_check(playing->game, &playing->net->model.arch, "the run's network", err);
    if (status == BANYAN_OK) {
        playing->generation = job.generation;
        status = worker_begin(playing, item, &job, err);
    }
    if (status == BANYAN_OK)
        return worker_games(playing, err);
    if (playing && playing->missing)
        return worker_decline(thread, item, &job, err);
    queue_release(thread->queue, item, NULL);
    return status;
}

void worker_play_free(struct worker_thread *thread)
{
    struct worker_playing *playing = thread->play;
    if (!playing)
        return;
    nn_net_free(playing->net);
    free(playing->ranges);
    free(playing);
    thread->play = NULL;
}
