/* Plays rounds of matches for others. */
#include "match/match_work.h"

#include "match/match_files.h"
#include "match/match_job.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The settings and players of the last job; the next job mostly has the same ones. */
struct match_seated {
    struct match_settings settings;
    char hash[QUEUE_HASH + 1];           /* hash of the settings; "": there are none */
    struct match_job job;                /* job of the players in worker; count 0: there are none */
    char *specs[MATCH_MAX_PLAYERS];      /* the job's, with files of this machine; owned */
    char *handicaps[BANYAN_MAX_PLAYERS]; /* the settings', in the same way; owned */
    struct match_worker worker;
    bool missing; /* the queue does not have what the last job names */
};

static void seated_leave(struct match_seated *seated)
{
    if (seated->job.count)
        match_worker_destroy(&seated->worker);
    for (int i = 0; i < seated->job.count; ++i)
        free(seated->specs[i]);
    match_job_free(&seated->job);
}

static void seated_forget(struct match_seated *seated)
{
    seated_leave(seated);
    for (int seat = 0; seat < BANYAN_MAX_PLAYERS; ++seat) {
        free(seated->handicaps[seat]);
        seated->handicaps[seat] = NULL;
    }
    if (seated->hash[0])
        match_settings_free(&seated->settings);
    seated->hash[0] = 0;
}

/* Gets the files that players need, and puts their paths on this machine into the handicaps. */
static enum banyan_status seated_files(struct match_seated *seated, struct queue *blobs,
                                       struct banyan_error *err)
{
    struct match_options *options = &seated->settings.options;
    enum banyan_status status = match_files_get(seated->settings.files, blobs, err);
    for (int seat = 0; status == BANYAN_OK && seat < BANYAN_MAX_PLAYERS; ++seat) {
        if (!options->handicaps[seat])
            continue;
        seated->handicaps[seat] =
            match_files_local(seated->settings.files, options->handicaps[seat], blobs->cache);
        options->handicaps[seat] = seated->handicaps[seat];
        if (!options->handicaps[seat])
            status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a match");
    }
    return status;
}

/* Gets the settings of the job and the files that they name. */
static enum banyan_status seated_get(struct match_work *work, const struct match_job *job,
                                     struct banyan_error *err)
{
    struct match_seated *seated = work->seated;
    void *bytes;
    size_t length;
    enum banyan_status status = queue_get(work->blobs, job->settings, &bytes, &length, err);
    if (status != BANYAN_OK)
        return status;
    status = match_settings_read(&seated->settings, bytes, length, err);
    free(bytes);
    if (status != BANYAN_OK)
        return status;
    seated->settings.options.stop = work->stop;
    seated->settings.options.offers = work->offers;
    memcpy(seated->hash, job->settings, sizeof seated->hash);
    status = seated_files(seated, work->blobs, err);
    if (status != BANYAN_OK)
        seated_forget(seated);
    return status;
}

/* As seated_get; one thread at a time, so that the others find the blobs in the cache.  Waits a moment for blobs that
 * are not there: the owner writes again what a server has lost. */
static enum banyan_status seated_wait(struct match_work *work, const struct match_job *job,
                                      struct banyan_error *err)
{
    enum { TRIES = 10 };
    const struct timespec step = {.tv_nsec = 100 * 1000000L};
    enum banyan_status status = BANYAN_NOT_FOUND;
    for (int i = 0; i < TRIES && status == BANYAN_NOT_FOUND; ++i) {
        if (i > 0)
            nanosleep(&step, NULL);
        if (banyan_flag_is_set(work->stop))
            return banyan_fail(err, BANYAN_INTERRUPTED, "interrupted");
        if (work->getting)
            pthread_mutex_lock(work->getting);
        status = seated_get(work, job, err);
        if (work->getting)
            pthread_mutex_unlock(work->getting);
    }
    return status;
}

/* Gets the settings of the job, if they are not those of the last one. */
static enum banyan_status seated_know(struct match_work *work, const struct match_job *job,
                                      struct banyan_error *err)
{
    if (strcmp(work->seated->hash, job->settings) == 0)
        return BANYAN_OK;
    seated_forget(work->seated);
    enum banyan_status status = seated_wait(work, job, err);
    work->seated->missing = status == BANYAN_NOT_FOUND;
    return status;
}

static bool seated_has(const struct match_seated *seated, const struct match_job *job)
{
    if (seated->job.count != job->count)
        return false;
    for (int i = 0; i < job->count; ++i)
        if (strcmp(seated->job.specs[i], job->specs[i]) != 0)
            return false;
    return true;
}

/* Makes the players of the job, if they are not those of the last one.  The job's texts are freed, or
 * belong to seated afterwards. */
static enum banyan_status seated_make(struct match_seated *seated, const char *cache,
                                      struct match_job *job, struct banyan_error *err)
{
    struct match_plan *plan = &seated->settings.plan;
    if (seated_has(seated, job)) {
        match_job_free(job);
        return BANYAN_OK;
    }
    seated_leave(seated);
    match_plan_leave(plan);
    enum banyan_status status = BANYAN_OK;
    seated->job = *job;
    job->count = 0;
    for (int i = 0; i < seated->job.count; ++i) {
        seated->specs[i] = match_files_local(seated->settings.files, seated->job.specs[i], cache);
        if (!seated->specs[i])
            status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a match");
    }
    plan->specs = (const char *const *)seated->specs;
    plan->count = seated->job.count;
    if (status == BANYAN_OK)
        status = match_plan_check(plan, err);
    if (status == BANYAN_OK)
        status = match_plan_handicaps(plan, err);
    if (status == BANYAN_OK)
        status = match_worker_create(&seated->worker, plan, err);
    if (status != BANYAN_OK)
        seated_leave(seated);
    return status;
}

static enum banyan_status work_play(struct match_seated *seated, int64_t first, int games,
                                    FILE *out, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; status == BANYAN_OK && i < games; ++i) {
        struct match_game *game;
        status = match_game_play(&seated->worker, first + i, &game, err);
        if (status != BANYAN_OK)
            break;
        status = game_record_write(&game->record, out, err);
        match_game_free(game);
    }
    return status;
}

/* Refuses a job that would start programs here. */
static enum banyan_status work_check(const struct match_work *work, const struct match_job *job,
                                     struct banyan_error *err)
{
    for (const struct banyan_offer *offer = work->offers; offer && offer->name; ++offer)
        if (strcmp(offer->name, "exec") == 0)
            return BANYAN_OK;
    for (int i = 0; i < job->count; ++i)
        if (strstr(job->specs[i], "exec:"))
            return banyan_fail(err, BANYAN_UNSUPPORTED,
                               "the player '%s' is an outside program: --allow-exec lets jobs "
                               "start such programs on this machine",
                               job->specs[i]);
    return BANYAN_OK;
}

/* Writes the records of all games of the job to out. */
static enum banyan_status work_job(struct match_work *work, const struct queue_item *item,
                                   FILE *out, struct banyan_error *err)
{
    struct match_job job;
    enum banyan_status status = match_job_read(&job, item->bytes, item->length, err);
    if (status != BANYAN_OK)
        return status;
    int64_t first = job.first;
    int games = job.games;
    status = work_check(work, &job, err);
    if (status == BANYAN_OK)
        status = seated_know(work, &job, err);
    if (status == BANYAN_OK)
        status = seated_make(work->seated, work->blobs->cache, &job, err);
    match_job_free(&job);
    return status == BANYAN_OK ? work_play(work->seated, first, games, out, err) : status;
}

/* The result as bytes, which the caller frees; NULL: no memory.  *status: how the games ended. */
static char *work_result(struct match_work *work, const struct queue_item *item, size_t *length,
                         enum banyan_status *status, struct banyan_error *err)
{
    char hash[QUEUE_HASH + 1], *bytes = NULL;
    struct banyan_error problem = {.message = ""};
    FILE *out = open_memstream(&bytes, length);
    if (!out)
        return NULL;
    queue_hash(item->bytes, item->length, hash);
    fprintf(out, "match %s\n", hash);
    long begin = ftell(out);
    work->seated->missing = false;
    *status = work_job(work, item, out, &problem);
    if (*status != BANYAN_OK) {
        fseek(out, begin, SEEK_SET);
        if (!work->seated->missing)
            fprintf(out, "error %s\n", problem.message);
        banyan_fail(err, *status, "%s", problem.message);
    }
    if (fclose(out) == 0)
        return bytes;
    free(bytes);
    return NULL;
}

/* Waits half a second, so that other workers take the next job. */
static void work_step_back(const struct match_work *work)
{
    enum { STEPS = 25 };
    const struct timespec step = {.tv_nsec = 20 * 1000000L};
    for (int i = 0; i < STEPS && !banyan_flag_is_set(work->stop); ++i)
        nanosleep(&step, NULL);
}

enum banyan_status match_work(struct match_work *work, struct queue_item *job,
                              struct banyan_error *err)
{
    enum banyan_status status = BANYAN_NO_MEMORY;
    size_t length;
    if (!work->seated)
        work->seated = calloc(1, sizeof *work->seated);
    char *bytes = work->seated ? work_result(work, job, &length, &status, err) : NULL;
    bool gives_back = !bytes || status == BANYAN_INTERRUPTED || status == BANYAN_UNSUPPORTED;
    if (!bytes)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the games of a match");
    bool failed = status != BANYAN_OK;
    if (gives_back)
        queue_release(work->queue, job, NULL);
    else
        status = queue_give(work->queue, job,
                            &(struct queue_item){.bytes = bytes, .length = length}, err);
    if (failed && !gives_back)
        work_step_back(work);
    free(bytes);
    return status;
}

void match_work_end(struct match_work *work)
{
    if (work->seated)
        seated_forget(work->seated);
    free(work->seated);
    work->seated = NULL;
}
