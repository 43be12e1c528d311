/* The workers of the analysis service, and the questions that wait for them. */
#include "cli/analyze.h"

#include "cli/ownership.h"
#include "cli/result.h"
#include "cli/timing.h"
#include "players/program/gather.h"
#include "players/program/offers.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct pool_job {
    struct analyze_question question;
    struct analyze_client *client;
    bool taken;       /* by a worker */
    banyan_flag stop; /* set to end its search */
    struct pool_job *next;
};

struct analyze_pool {
    const struct searcher *base;
    struct banyan_evaluator shared; /* of all workers; all 0: each question makes its own */
    pthread_mutex_t lock;           /* guards the jobs below, and the clients' question counts */
    pthread_cond_t more;
    struct pool_job *jobs; /* waiting and taken ones, in the order of asking */
    int count;
    bool closing;
    int threads;
    pthread_t *workers;
};

const struct searcher *analyze_pool_base(const struct analyze_pool *pool)
{
    return pool->base;
}

void analyze_print(struct analyze_client *client, json_t *line)
{
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(line);
    size_t length = text ? strlen(text) : 0;
    if (!text)
        return;          /* no memory */
    text[length] = '\n'; /* in place of the 0 */
    client->send(client, text, length + 1);
    free(text);
}

/* --- jobs --- */

/* The next job for a worker, NULL when the pool closes and none is left. */
static struct pool_job *pool_take(struct analyze_pool *pool)
{
    struct pool_job *best = NULL;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        for (struct pool_job *job = pool->jobs; job; job = job->next)
            if (!job->taken && (!best || job->question.priority > best->question.priority))
                best = job;
        if (best || pool->closing)
            break;
        pthread_cond_wait(&pool->more, &pool->lock);
    }
    if (best)
        best->taken = true;
    pthread_mutex_unlock(&pool->lock);
    return best;
}

/* Removes an answered job from the list, so that its id is free before the client reads the answer. */
static void pool_remove(struct analyze_pool *pool, struct pool_job *job)
{
    pthread_mutex_lock(&pool->lock);
    struct pool_job **at = &pool->jobs;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    --pool->count;
    pthread_mutex_unlock(&pool->lock);
}

/* Ends a job whose answer was sent: from now on the client may be gone. */
static void pool_forget(struct analyze_pool *pool, struct pool_job *job)
{
    pthread_mutex_lock(&pool->lock);
    --job->client->questions;
    pthread_mutex_unlock(&pool->lock);
    analyze_question_free(&job->question);
    free(job);
}

/* Whether the job belongs to client (NULL: to any client) and has this id (NULL: any id). */
static bool pool_is_meant(const struct pool_job *job, const struct analyze_client *client,
                          const char *id)
{
    return (!client || job->client == client) && (!id || strcmp(job->question.id, id) == 0);
}

/* Adds a job, unless its id is in use or too many wait; the lock is held. */
static enum banyan_status pool_add(struct analyze_pool *pool, struct pool_job *job,
                                   struct banyan_error *err)
{
    struct pool_job **at = &pool->jobs;
    if (pool->count >= ANALYZE_WAITING_MAX)
        return banyan_fail(err, BANYAN_INVALID, "%d questions wait already", ANALYZE_WAITING_MAX);
    for (; *at; at = &(*at)->next)
        if (pool_is_meant(*at, job->client, job->question.id))
            return banyan_fail(err, BANYAN_INVALID,
                               "a question with this id has no answer yet: take another id");
    *at = job;
    ++pool->count;
    ++job->client->questions;
    pthread_cond_signal(&pool->more);
    return BANYAN_OK;
}

enum banyan_status analyze_pool_ask(struct analyze_pool *pool, struct analyze_client *client,
                                    const struct analyze_question *question,
                                    struct banyan_error *err)
{
    struct pool_job *job = calloc(1, sizeof *job);
    if (!job)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a question");
    job->question = *question;
    job->client = client;
    pthread_mutex_lock(&pool->lock);
    enum banyan_status status = pool_add(pool, job, err);
    pthread_mutex_unlock(&pool->lock);
    if (status != BANYAN_OK)
        free(job);
    return status;
}

int analyze_pool_terminate(struct analyze_pool *pool, const struct analyze_client *client,
                           const char *id)
{
    int count = 0;
    pthread_mutex_lock(&pool->lock);
    for (struct pool_job *job = pool->jobs; job; job = job->next)
        if (pool_is_meant(job, client, id)) {
            banyan_flag_set(&job->stop);
            ++count;
        }
    pthread_mutex_unlock(&pool->lock);
    return count;
}

int analyze_pool_questions(struct analyze_pool *pool, const struct analyze_client *client)
{
    pthread_mutex_lock(&pool->lock);
    int count = client->questions;
    pthread_mutex_unlock(&pool->lock);
    return count;
}

/* --- workers --- */

/* The job that a worker is doing. */
struct pool_work {
    struct analyze_pool *pool;
    struct pool_job *job;
    struct searcher *searcher;
};

/* Adds who will own the cells, and the points of all players, if the question asks for them. */
static void pool_add_ownership(const struct pool_work *work, json_t *line)
{
    const struct searcher *s = work->searcher;
    struct ownership now;
    if (!work->job->question.ownership ||
        ownership_estimate(s->game, s->state, s->options.seed, &now, NULL) != BANYAN_OK)
        return;
    json_t *owners = json_array(), *points = json_array();
    for (int i = 0; i < now.cells; ++i)
        json_array_append_new(owners, json_real(round(1000 * (double)now.owner[i]) / 1000));
    for (int p = 0; p < s->game->players && now.has_points; ++p)
        json_array_append_new(points, json_real(now.points[p]));
    json_object_set_new(line, "ownership", owners);
    json_object_set_new(line, "points", now.has_points ? points : json_null());
    if (!now.has_points)
        json_decref(points);
}

/* Sends a line about a running search; returns true: the search shall go on. */
static bool pool_report(void *ctx, const struct banyan_search *search)
{
    const struct pool_work *work = ctx;
    const struct searcher *s = work->searcher;
    struct banyan_search_stats stats;
    banyan_search_stats(search, &stats, sizeof stats);
    if (stats.simulations == 0)
        return true;
    json_t *line = json_pack(
        "{s:s, s:b, s:I, s:o, s:o, s:o}", "id", work->job->question.id, "during", 1, "simulations",
        (json_int_t)stats.simulations, "root", result_rows_json(s->game, search, s->state), "pv",
        result_pv_json(s->game, search, s->state), "values", result_values_json(s->game, search));
    pool_add_ownership(work, line);
    analyze_print(work->job->client, line);
    return true;
}

/* Searches; *out: the answer without its id. */
static enum banyan_status pool_search(struct pool_work *work, json_t **out,
                                      struct banyan_error *err)
{
    struct searcher *s = work->searcher;
    struct result_effort effort = {.cpu_ms = 0};
    struct banyan_search_stats stats;
    s->limits.stop = &work->job->stop;
    if (work->job->question.report_ms > 0) {
        s->limits.progress = pool_report;
        s->limits.progress_ctx = work;
        s->limits.progress_ms = work->job->question.report_ms;
    }
    double begin_s = timing_thread_cpu_s();
    enum banyan_status status = banyan_search_run(s->search, &s->limits, err);
    effort.cpu_ms = (timing_thread_cpu_s() - begin_s) * 1000;
    banyan_search_stats(s->search, &stats, sizeof stats);
    effort.threads = stats.threads;
    bool interrupted = status == BANYAN_INTERRUPTED;
    if (interrupted && stats.simulations == 0) {
        *out = json_pack("{s:I, s:b}", "simulations", (json_int_t)0, "interrupted", 1);
        return BANYAN_OK;
    }
    if (status == BANYAN_OK || interrupted)
        status = result_json(s->game, s->search, s->state, &effort, out, err);
    if (status == BANYAN_OK) {
        json_object_set_new(*out, "interrupted", json_boolean(interrupted));
        if (s->options.profile)
            json_object_set_new(*out, "profile", result_profile_json(s->search));
        pool_add_ownership(work, *out);
    }
    return status;
}

/* A copy of the shared evaluator for one search; close is NULL, so the search does not close it. */
static struct banyan_evaluator pool_borrow(const struct analyze_pool *pool)
{
    struct banyan_evaluator evaluator = pool->shared;
    evaluator.close = NULL;
    return evaluator;
}

static void pool_answer(struct pool_work *work)
{
    struct analyze_question *question = &work->job->question;
    struct banyan_error err = {.message = ""};
    json_t *line = json_pack("{s:s}", "id", question->id), *answer = NULL;
    enum banyan_status status = BANYAN_OK;
    work->searcher = &question->searcher;
    question->searcher.evaluator = pool_borrow(work->pool);
    if (question->ownership)
        status = ownership_check(question->searcher.position.game, &err);
    if (status == BANYAN_OK)
        status = searcher_open(&question->searcher, &err);
    if (status == BANYAN_OK)
        status = pool_search(work, &answer, &err);
    if (status == BANYAN_OK) {
        json_object_set_new(line, "during", json_false());
        json_object_update(line, answer);
    } else {
        json_object_set_new(line, "error", json_string(err.message));
    }
    json_decref(answer);
    searcher_close(&question->searcher);
    pool_remove(work->pool, work->job);
    analyze_print(work->job->client, line);
}

static void *pool_run(void *ctx)
{
    struct analyze_pool *pool = ctx;
    struct pool_work work = {.pool = pool};
    while ((work.job = pool_take(pool))) {
        pool_answer(&work);
        pool_forget(pool, work.job);
    }
    return NULL;
}

/* Makes the evaluator, so that a wrong text is an error at the start.  If the evaluator writes
 * priors (a network) and is reentrant, all questions share it.  Another evaluator may keep data
 * between calls: each question makes a new one, so that the answer is that of `banyan search`. */
static enum banyan_status pool_make_evaluator(struct analyze_pool *pool,
                                              const struct analyze_pool_options *options,
                                              struct banyan_error *err)
{
    struct banyan_evaluator made;
    int calls = options->calls < options->threads ? options->calls : options->threads;
    enum banyan_status status = banyan_evaluator_create(
        pool->base->position.game, pool->base->evaluator_text, program_offers, &made, err);
    if (status != BANYAN_OK)
        return status;
    if (made.wants_actions && made.reentrant) {
        if (options->threads == 1) {
            pool->shared = made;
            return BANYAN_OK;
        }
        status =
            gather_create(&made, calls, (options->threads + calls - 1) / calls, &pool->shared, err);
        if (status == BANYAN_OK)
            return status;
    }
    banyan_evaluator_close(&made);
    return status;
}

/* Starts the workers; returns how many run. */
static int pool_start(struct analyze_pool *pool, int threads)
{
    pool->workers = calloc((size_t)threads, sizeof *pool->workers);
    while (pool->workers && pool->threads < threads &&
           pthread_create(&pool->workers[pool->threads], NULL, pool_run, pool) == 0)
        ++pool->threads;
    return pool->threads;
}

enum banyan_status analyze_pool_open(struct analyze_pool **out,
                                     const struct analyze_pool_options *options,
                                     struct banyan_error *err)
{
    struct analyze_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the workers");
    pool->base = options->base;
    enum banyan_status status = pool_make_evaluator(pool, options, err);
    if (status != BANYAN_OK) {
        free(pool);
        return status;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->more, NULL);
    *out = pool;
    if (pool_start(pool, options->threads) == options->threads)
        return BANYAN_OK;
    analyze_pool_close(pool);
    return banyan_fail(err, BANYAN_NO_MEMORY, "the system cannot start %d threads",
                       options->threads);
}

void analyze_pool_close(struct analyze_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->more);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->threads; ++i)
        pthread_join(pool->workers[i], NULL);
    if (pool->shared.evaluate)
        banyan_evaluator_close(&pool->shared);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->more);
    free(pool->workers);
    free(pool);
}
