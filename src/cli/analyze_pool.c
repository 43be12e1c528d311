/* The workers of the analysis service, and the questions that wait for them. */
#include "cli/analyze.h"

#include "cli/timing.h"
#include "players/program/offers.h"
#include "json/result.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct pool_job {
    struct analyze_question question;
    uint64_t number;  /* in the order of asking */
    bool taken;       /* by a worker */
    banyan_flag stop; /* its search shall end */
    struct pool_job *next;
};

struct analyze_pool {
    const struct searcher *base;
    FILE *out;
    pthread_mutex_t lock; /* guards the jobs below */
    pthread_cond_t more;
    struct pool_job *jobs; /* waiting and taken ones, in the order of asking */
    int count;
    uint64_t asked;
    bool closing;
    pthread_mutex_t printing; /* guards out */
    int threads;
    pthread_t *workers;
};

void analyze_pool_print(struct analyze_pool *pool, json_t *line)
{
    pthread_mutex_lock(&pool->printing);
    json_dumpf(line, pool->out, JSON_COMPACT | JSON_REAL_PRECISION(9));
    fputc('\n', pool->out);
    fflush(pool->out);
    pthread_mutex_unlock(&pool->printing);
    json_decref(line);
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

static void pool_forget(struct analyze_pool *pool, struct pool_job *job)
{
    pthread_mutex_lock(&pool->lock);
    struct pool_job **at = &pool->jobs;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    --pool->count;
    pthread_mutex_unlock(&pool->lock);
    analyze_question_free(&job->question);
    free(job);
}

enum banyan_status analyze_pool_ask(struct analyze_pool *pool,
                                    const struct analyze_question *question,
                                    struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    struct pool_job *job = calloc(1, sizeof *job), **at = &pool->jobs;
    if (!job)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a question");
    job->question = *question;
    pthread_mutex_lock(&pool->lock);
    if (pool->count >= ANALYZE_WAITING_MAX)
        status = banyan_fail(err, BANYAN_INVALID, "%d questions wait already", ANALYZE_WAITING_MAX);
    for (; *at; at = &(*at)->next)
        if (status == BANYAN_OK && strcmp((*at)->question.id, question->id) == 0)
            status = banyan_fail(err, BANYAN_INVALID,
                                 "a question with this id has no answer yet: take another id");
    if (status == BANYAN_OK) {
        job->number = pool->asked++;
        *at = job;
        ++pool->count;
        pthread_cond_signal(&pool->more);
    }
    pthread_mutex_unlock(&pool->lock);
    if (status != BANYAN_OK)
        free(job);
    return status;
}

int analyze_pool_terminate(struct analyze_pool *pool, const char *id)
{
    int count = 0;
    pthread_mutex_lock(&pool->lock);
    for (struct pool_job *job = pool->jobs; job; job = job->next)
        if (!id || strcmp(job->question.id, id) == 0) {
            banyan_flag_set(&job->stop);
            ++count;
        }
    pthread_mutex_unlock(&pool->lock);
    return count;
}

/* --- workers --- */

/* What a worker does now. */
struct pool_work {
    struct analyze_pool *pool;
    struct pool_job *job;
    struct searcher *searcher;
};

/* A line about a search that goes on. */
static bool pool_report(void *ctx, const struct banyan_search *search)
{
    const struct pool_work *work = ctx;
    const struct searcher *s = work->searcher;
    struct banyan_search_stats stats;
    banyan_search_stats(search, &stats, sizeof stats);
    if (stats.simulations > 0)
        analyze_pool_print(work->pool,
                           json_pack("{s:s, s:b, s:I, s:o, s:o, s:o}", "id", work->job->question.id,
                                     "during", 1, "simulations", (json_int_t)stats.simulations,
                                     "root", result_rows_json(s->game, search, s->state), "pv",
                                     result_pv_json(s->game, search, s->state), "values",
                                     result_values_json(s->game, search)));
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
    if (status == BANYAN_OK)
        json_object_set_new(*out, "interrupted", json_boolean(interrupted));
    return status;
}

/* Answers one question with the worker's evaluator. */
static void pool_answer(struct pool_work *work, struct banyan_evaluator *evaluator)
{
    struct analyze_question *question = &work->job->question;
    struct banyan_error err = {.message = ""};
    json_t *line = json_pack("{s:s}", "id", question->id), *answer = NULL;
    work->searcher = &question->searcher;
    question->searcher.evaluator = *evaluator;
    enum banyan_status status = searcher_open(&question->searcher, &err);
    if (status == BANYAN_OK)
        status = pool_search(work, &answer, &err);
    if (status == BANYAN_OK) {
        json_object_set_new(line, "during", json_false());
        json_object_update(line, answer);
    } else {
        json_object_set_new(line, "error", json_string(err.message));
    }
    json_decref(answer);
    memset(&question->searcher.evaluator, 0, sizeof question->searcher.evaluator);
    searcher_close(&question->searcher);
    analyze_pool_print(work->pool, line);
}

static void *pool_run(void *ctx)
{
    struct analyze_pool *pool = ctx;
    struct pool_work work = {.pool = pool};
    struct banyan_evaluator evaluator = {0};
    struct banyan_error err = {.message = ""};
    enum banyan_status status = banyan_evaluator_create(
        pool->base->position.game, pool->base->evaluator_text, program_offers, &evaluator, &err);
    while ((work.job = pool_take(pool))) {
        if (status == BANYAN_OK)
            pool_answer(&work, &evaluator);
        else
            analyze_pool_print(
                pool, json_pack("{s:s, s:s}", "id", work.job->question.id, "error", err.message));
        pool_forget(pool, work.job);
    }
    if (status == BANYAN_OK)
        banyan_evaluator_close(&evaluator);
    return NULL;
}

/* Tries the evaluator, so that a wrong one is an error at the start. */
static enum banyan_status pool_check(const struct searcher *base, struct banyan_error *err)
{
    struct banyan_evaluator evaluator;
    enum banyan_status status = banyan_evaluator_create(base->position.game, base->evaluator_text,
                                                        program_offers, &evaluator, err);
    if (status == BANYAN_OK)
        banyan_evaluator_close(&evaluator);
    return status;
}

enum banyan_status analyze_pool_open(struct analyze_pool **out, const struct searcher *base,
                                     int threads, FILE *stream, struct banyan_error *err)
{
    enum banyan_status status = pool_check(base, err);
    if (status != BANYAN_OK)
        return status;
    struct analyze_pool *pool = calloc(1, sizeof *pool);
    pthread_t *workers = calloc((size_t)threads, sizeof *workers);
    if (!pool || !workers) {
        free(pool);
        free(workers);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %d workers", threads);
    }
    pool->base = base;
    pool->out = stream;
    pool->workers = workers;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_mutex_init(&pool->printing, NULL);
    pthread_cond_init(&pool->more, NULL);
    while (pool->threads < threads &&
           pthread_create(&workers[pool->threads], NULL, pool_run, pool) == 0)
        ++pool->threads;
    *out = pool;
    if (pool->threads == threads)
        return BANYAN_OK;
    analyze_pool_close(pool);
    return banyan_fail(err, BANYAN_NO_MEMORY, "the system starts no %d threads", threads);
}

void analyze_pool_close(struct analyze_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->more);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->threads; ++i)
        pthread_join(pool->workers[i], NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->printing);
    pthread_cond_destroy(&pool->more);
    free(pool->workers);
    free(pool);
}
