/* The games of gates and tests, by threads of this process or by the workers of the run's queue. */
#include "train/loop_state.h"

#include "base/rng.h"

#include <string.h>

/* --- by workers --- */

static enum banyan_status match_other(void *ctx, struct queue_item *result,
                                      struct banyan_error *err)
{
    return loop_queue_take(ctx, result, err);
}

static bool match_is_out(void *ctx, const char *worker)
{
    char name[QUEUE_NAME + 1];
    loop_queue_worker(worker, name);
    return loop_workers_is_out(ctx, name);
}

static bool match_audits(void *ctx, const char *worker)
{
    char name[QUEUE_NAME + 1];
    loop_queue_worker(worker, name);
    return loop_audit_wants(ctx, name);
}

static bool match_audits_none(void *ctx, const char *worker)
{
    (void)ctx;
    (void)worker;
    return false;
}

static enum banyan_status match_judged(void *ctx, const struct match_verdict *verdict,
                                       struct banyan_error *err)
{
    struct train_database_worker more = {
        .refused = verdict->why != NULL, .shut_out = verdict->is_lie, .audited = verdict->audited};
    loop_queue_worker(verdict->worker, more.name);
    return loop_workers_add(ctx, &more, verdict->why, err);
}

static enum banyan_status match_failed(void *ctx, struct banyan_error *err)
{
    return loop_local_failed(ctx, err);
}

/* Reports the state of the workers, and how many games of the match are over. */
static void match_progress(void *ctx, const struct match_result *result)
{
    struct loop *loop = ctx;
    loop_workers_tell(loop);
    loop_progress(loop, loop->match_label, result->games, result->games_wanted);
}

/* Whether the workers of the queue play the match; a program of this machine can only play here. */
static bool match_is_shared(const struct loop *loop, const struct loop_match *match)
{
    return loop->job->queue && !strstr(match->second, "exec:");
}

/* --- by threads or by workers --- */

static void match_set(struct loop *loop, const struct loop_match *match,
                      struct match_options *options)
{
    const struct loop_options *of = &loop->settings.loop;
    match_options_default(options);
    options->games = match->games;
    options->seed = banyan_rng_child(of->seed, match->label, (uint64_t)loop->now.generation) >> 1;
    options->jobs = loop->settings.play.threads;
    options->opening_plies = match->plies;
    options->setup = of->setup[0] ? of->setup : NULL;
    options->stop = loop->job->stop;
    options->use_sprt = match->sprt;
    options->sprt.elo0 = of->gate_elo0;
    options->sprt.elo1 = of->gate_elo1;
}

enum banyan_status loop_match(struct loop *loop, const struct loop_match *match,
                              struct match_result *result, struct banyan_error *err)
{
    const char *const specs[] = {match->first, match->second};
    struct match_options options;
    match_set(loop, match, &options);
    /* only gates are audited: a test's opponent may be limited by time, and then a game cannot be
     * played the same way again */
    const struct match_shared shared = {
        .queue = loop->queue,
        .number = job_match_number(loop->now.generation, match->which),
        .keep = loop->network_hash,
        .other = match_other,
        .is_out = match_is_out,
        .audits = match->which == 0 ? match_audits : match_audits_none,
        .judged = match_judged,
        .failed = match_failed,
        .ctx = loop};
    if (match_is_shared(loop, match)) {
        options.shared = &shared;
        loop->match_label = match->label;
        options.progress = match_progress;
        options.progress_ctx = loop;
    }
    enum banyan_status status = match_run(loop->game, specs, 2, &options, result, err);
    if (status == BANYAN_OK && result->interrupted)
        status = banyan_fail(err, BANYAN_INTERRUPTED, "interrupted");
    return status;
}
