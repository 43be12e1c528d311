/* Has the games of a match played by the workers of a queue.
 *
 *      missing games --a job--> queue --> result --played again by the rules--> match_submit --> acknowledged
 *
 * A job is one round or more.  It counts once, whoever plays it and however often; a result that is wrong is refused,
 * and the job offered again.  Rounds count in the order of their numbers, so the match ends as it would without a
 * queue.
 *
 * The queue is the match's own, or that of an owner who has other jobs in it, too (struct match_shared). */
#include "match/match_round.h"
#include "match/match_state.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS_WAIT_MS = 100, /* longest time between two looks at `stop` */
    ROUNDS_LOOK_MS = 200, /* between two looks at how many workers there are */
    ROUNDS_MOST = 4096    /* most jobs on their way */
};

/* Games that take less time than this share a job, so that the queue has less to do. */
static const double job_ms = 100;

struct rounds {
    struct match *match;
    struct match_worker *checker;
    struct queue *queue;
    const struct match_shared *shared; /* NULL: the queue is the match's own */
    char settings[QUEUE_HASH + 1];
    int count, limit; /* jobs on their way; how many there should be */
    int widest;       /* the largest limit so far */
    double looked_ms; /* when the limit was set */
    /* games below `certain` will count, whatever their results are; this was computed when games
     * below `committed` had been counted */
    int64_t certain, committed;
    /* of games that have been counted: their number, and the time of all */
    int64_t games;
    double games_ms;
    struct round list[ROUNDS_MOST];
};

/* --- offering --- */

/* Sets which games will count for certain: all of them, or those that come before the sequential test can decide.  This
 * takes some time, so it is done again only when a quarter of them have been counted. */
static void rounds_look_ahead(struct rounds *rounds)
{
    const struct match *match = rounds->match;
    const struct match_options *options = match->plan.options;
    int rotations = match_rotations(&match->plan);
    int64_t end = options->first + options->games;
    int64_t counted = match->committed - rounds->committed;
    bool is_new = rounds->certain == 0 ||
                  (counted > 0 && counted >= (rounds->certain - rounds->committed) / 4);
    double counts[MATCH_PAIR_OUTCOMES];
    if (!options->use_sprt)
        rounds->certain = end;
    if (!options->use_sprt || !is_new)
        return;
    for (int k = 0; k < MATCH_PAIR_OUTCOMES; ++k)
        counts[k] = (double)match->result->pairs[k];
    int64_t left = (end - match->committed) / rotations;
    int64_t more = sprt_certain(&options->sprt, counts, MATCH_PAIR_OUTCOMES, left < 1 ? 1 : left);
    /* the round that decides counts, too */
    rounds->certain = (match->committed / rotations + more + 1) * rotations;
    rounds->certain = rounds->certain < end ? rounds->certain : end;
    rounds->committed = match->committed;
}

/* Returns the number of rounds of the next job: as many as take job_ms, but few near the end, so
 * that all workers have something to do.  A round that may not count is a job of its own. */
static int64_t rounds_of_a_job(const struct rounds *rounds)
{
    const struct match *match = rounds->match;
    int rotations = match_rotations(&match->plan);
    int64_t left = (rounds->certain - match->next) / rotations;
    double round_ms = rotations * rounds->games_ms / (double)(rounds->games ? rounds->games : 1);
    if (rounds->games == 0)
        return 1;
    double count = fmin(round_ms > 0 ? job_ms / round_ms : INFINITY, MATCH_JOB_GAMES / rotations);
    count = fmin(count, (double)left / (2.0 * rounds->limit));
    return count < 1 ? 1 : (int64_t)count;
}

/* Finds the next games to be played: those of one round or more, in a row.  False: there are none,
 * or results have to come first, as at most `widest` rounds that may not count are on their way. */
static bool rounds_next(struct rounds *rounds, struct round *out)
{
    struct match *match = rounds->match;
    int rotations = match_rotations(&match->plan);
    int64_t end = 0;
    *out = (struct round){.games = 0};
    rounds_look_ahead(rounds);
    if (match->next >= rounds->certain + (int64_t)rounds->widest * rotations)
        return false;
    while (match_has_next(match)) {
        if (out->games == 0) {
            out->first = match->next;
            end = (match->next / rotations + rounds_of_a_job(rounds)) * rotations;
        } else if (match->next != out->first + out->games || match->next >= end) {
            break;
        }
        ++out->games;
        ++match->next;
    }
    out->number = (rounds->shared ? rounds->shared->number : 0) + (uint64_t)out->first;
    return out->games > 0;
}

/* Sets the limit to one and a half times the number of jobs that workers hold, so that each worker finds
 * another one when it has finished, and to the number of workers if that is more. Workers hold none at the
 * beginning, so the limit grows with every look until it is enough. */
static enum banyan_status rounds_look(struct rounds *rounds, struct banyan_error *err)
{
    struct queue_counts counts;
    double now_ms = clock_now_ms();
    if (rounds->limit && now_ms < rounds->looked_ms + ROUNDS_LOOK_MS)
        return BANYAN_OK;
    enum banyan_status status = queue_count(rounds->queue, &counts, NULL, NULL, err);
    if (status != BANYAN_OK)
        return status;
    int64_t wanted = counts.leased + (counts.leased > 2 ? counts.leased / 2 : 1);
    if (wanted < counts.workers)
        wanted = counts.workers;
    rounds->limit = wanted < ROUNDS_MOST ? (int)wanted : ROUNDS_MOST;
    rounds->widest = rounds->limit > rounds->widest ? rounds->limit : rounds->widest;
    rounds->looked_ms = now_ms;
    return BANYAN_OK;
}

static enum banyan_status rounds_offer(struct rounds *rounds, struct banyan_error *err)
{
    const struct match_plan *plan = &rounds->match->plan;
    enum banyan_status status = rounds_look(rounds, err);
    while (status == BANYAN_OK && rounds->count < rounds->limit) {
        struct round *round = &rounds->list[rounds->count];
        if (!rounds_next(rounds, round))
            break;
        status = round_begin(round, rounds->settings, plan->specs, plan->count, err);
        rounds->count += status == BANYAN_OK;
        if (status == BANYAN_OK)
            status = round_offer(round, rounds->queue, err);
    }
    return status;
}

/* --- results --- */

static struct round *rounds_find(struct rounds *rounds, uint64_t number)
{
    for (int i = 0; i < rounds->count; ++i)
        if (rounds->list[i].number == number)
            return &rounds->list[i];
    return NULL;
}

/* Handles a result for which the match has no job on its way: it has been counted, or is of another
 * job of the owner. */
static enum banyan_status rounds_pass(struct rounds *rounds, struct queue_item *item,
                                      struct banyan_error *err)
{
    const struct match_shared *shared = rounds->shared;
    const struct match_options *options = rounds->match->plan.options;
    uint64_t games = (uint64_t)(options->first + options->games);
    if (shared && item->number - shared->number >= games)
        return shared->other(shared->ctx, item, err);
    return queue_acknowledge(rounds->queue, item, err);
}

/* Lets the players play some of the games again, and compares them.  *audited: how many went the same way.
 * BANYAN_ILLEGAL: a game went otherwise. */
static enum banyan_status rounds_audit(struct rounds *rounds, const char *worker,
                                       const struct round_games *good, int *audited,
                                       struct banyan_error *err)
{
    const struct match_shared *shared = rounds->shared;
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; shared && status == BANYAN_OK && i < good->count; ++i) {
        struct match_game *again;
        if (!shared->audits(shared->ctx, worker))
            continue;
        int64_t number = good->games[i]->number;
        status = match_game_play(rounds->checker, number, &again, err);
        if (status != BANYAN_OK)
            break;
        if (again->hash != good->games[i]->hash)
            status =
                banyan_fail(err, BANYAN_ILLEGAL, "game %lld is not what comes of playing it again",
                            (long long)number + 1);
        *audited += status == BANYAN_OK;
        match_game_free(again);
    }
    return status;
}

/* Tells the owner of a shared queue about a result. */
static enum banyan_status rounds_tell(const struct rounds *rounds, const char *worker,
                                      const struct match_verdict *verdict, struct banyan_error *err)
{
    const struct match_shared *shared = rounds->shared;
    struct match_verdict told = *verdict;
    told.worker = worker;
    if (!shared || !(told.why || told.audited))
        return BANYAN_OK;
    return shared->judged(shared->ctx, &told, err);
}

/* Judges a result of this round, and audits its games.  *good: the games that count; none if the
 * result is refused. */
static enum banyan_status rounds_judge(struct rounds *rounds, struct round *round,
                                       struct queue_item *item, struct round_games *good,
                                       struct banyan_error *err)
{
    struct match_verdict verdict = {.audited = 0};
    char worker[QUEUE_NAME + 1];
    struct banyan_error why;
    snprintf(worker, sizeof worker, "%s", item->worker);
    enum banyan_status status = round_judge(round, rounds->queue, item, rounds->checker, good, err);
    if (good->count > 0) {
        enum banyan_status audit = rounds_audit(rounds, worker, good, &verdict.audited, &why);
        verdict.is_lie = audit == BANYAN_ILLEGAL;
        if (verdict.is_lie)
            status = round_reject(round, rounds->queue, item, good, why.message, err);
        else if (audit != BANYAN_OK)
            status = banyan_fail(err, audit, "%s", why.message);
    }
    verdict.why = good->wrong[0] ? good->wrong : NULL;
    enum banyan_status told =
        rounds_tell(rounds, worker, &verdict, status == BANYAN_OK ? err : NULL);
    return status == BANYAN_OK ? told : status;
}

/* Counts the games of a round, which is over. */
static enum banyan_status rounds_count(struct rounds *rounds, struct round *round,
                                       struct queue_item *item, struct round_games *good,
                                       struct banyan_error *err)
{
    for (int i = 0; i < good->count; ++i) {
        ++rounds->games;
        rounds->games_ms += good->games[i]->elapsed_ms;
        match_submit(rounds->match, good->games[i]);
    }
    round_end(round);
    *round = rounds->list[--rounds->count];
    return queue_acknowledge_later(rounds->queue, item, err);
}

static enum banyan_status rounds_fetch(struct rounds *rounds, struct banyan_error *err)
{
    const struct match_shared *shared = rounds->shared;
    struct round_games good;
    struct queue_item *item;
    enum banyan_status status =
        shared && shared->failed ? shared->failed(shared->ctx, err) : BANYAN_OK;
    if (status == BANYAN_OK)
        status = queue_fetch(rounds->queue, ROUNDS_WAIT_MS, &item, err);
    if (status != BANYAN_OK || !item)
        return status;
    struct round *round = rounds_find(rounds, item->number);
    if (!round)
        return rounds_pass(rounds, item, err);
    if (shared && !item->given_up && shared->is_out(shared->ctx, item->worker)) {
        status = queue_acknowledge(rounds->queue, item, err);
        return status == BANYAN_OK ? round_offer(round, rounds->queue, err) : status;
    }
    status = rounds_judge(rounds, round, item, &good, err);
    if (status == BANYAN_OK && good.count)
        return rounds_count(rounds, round, item, &good, err);
    while (good.count > 0)
        match_game_free(good.games[--good.count]);
    return status;
}

/* --- the whole match --- */

static bool rounds_go_on(const struct rounds *rounds)
{
    const struct match *match = rounds->match;
    return match->status == BANYAN_OK && !match_stopped(match) &&
           !atomic_load_explicit(&match->plan.ending, memory_order_relaxed) && rounds->count > 0;
}

static enum banyan_status rounds_open(struct rounds *rounds, struct banyan_error *err)
{
    const struct match_options *options = rounds->match->plan.options;
    struct queue_settings settings;
    enum banyan_status status = BANYAN_OK;
    queue_settings_default(&settings);
    settings.role = QUEUE_OWNER;
    settings.stop = options->stop;
    settings.lost = options->lost;
    settings.lost_ctx = options->progress_ctx;
    rounds->shared = options->shared;
    if (rounds->shared)
        rounds->queue = rounds->shared->queue;
    else
        status = queue_open(&rounds->queue, options->queue_url, &settings, err);
    if (status == BANYAN_OK)
        status = match_settings_put(&rounds->match->plan, rounds->queue, rounds->settings, err);
    return status;
}

static void rounds_close(struct rounds *rounds)
{
    const struct match_options *options = rounds->match->plan.options;
    const struct match_shared *shared = rounds->shared;
    for (int i = 0; i < rounds->count; ++i)
        round_end(&rounds->list[i]);
    if (!rounds->queue)
        return;
    if (shared)
        queue_withdraw(rounds->queue, shared->number, (uint64_t)(options->first + options->games),
                       NULL);
    else
        queue_end(rounds->queue, NULL);
    if (rounds->settings[0])
        match_settings_drop(rounds->queue, rounds->settings, shared ? shared->keep : NULL);
    if (!shared)
        queue_close(rounds->queue);
}

static enum banyan_status rounds_play(struct rounds *rounds, struct banyan_error *err)
{
    enum banyan_status status = rounds_open(rounds, err);
    if (status == BANYAN_OK)
        status = rounds_offer(rounds, err);
    while (status == BANYAN_OK && rounds_go_on(rounds)) {
        status = rounds_fetch(rounds, err);
        if (status == BANYAN_OK)
            status = rounds_offer(rounds, err);
    }
    rounds_close(rounds);
    return status;
}

void match_queue_play(struct match *match, struct match_worker *checker)
{
    struct banyan_error problem;
    struct rounds *rounds = calloc(1, sizeof *rounds);
    enum banyan_status status = BANYAN_OK;
    if (rounds) {
        rounds->match = match;
        rounds->checker = checker;
        status = rounds_play(rounds, &problem);
    } else {
        status = banyan_fail(&problem, BANYAN_NO_MEMORY, "no memory for a match");
    }
    match->result->interrupted |= match_stopped(match);
    if (status != BANYAN_OK && !(status == BANYAN_INTERRUPTED && match_stopped(match)))
        match_fail(match, status, &problem);
    free(rounds);
}
