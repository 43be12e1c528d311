/* Offers rounds of a match, and checks what comes back. */
#include "match/match_round.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* If a round has had so many of the following, the match fails. */
enum {
    ROUND_ERRORS = 3, /* errors, made by ROUND_UNFIT workers, or by all that there are */
    ROUND_TRIES = 30, /* errors, whoever makes them */
    ROUND_WRONG = 20  /* wrong results */
};

enum banyan_status round_begin(struct round *round, const char *settings, const char *const specs[],
                               int count, struct banyan_error *err)
{
    struct match_job job = {.first = round->first, .games = round->games, .count = count};
    snprintf(job.settings, sizeof job.settings, "%s", settings);
    memcpy(job.specs, specs, (size_t)count * sizeof *specs);
    round->errors = round->wrong = round->unfit_count = 0;
    return match_job_write(&job, &round->job, round->hash, err);
}

void round_end(struct round *round)
{
    free(round->job);
    round->job = NULL;
}

enum banyan_status round_offer(const struct round *round, struct queue *queue,
                               struct banyan_error *err)
{
    const struct queue_item item = {
        .number = round->number, .bytes = round->job, .length = strlen(round->job)};
    return queue_offer_later(queue, &item, err);
}

/* --- results --- */

/* The next bytes of a result. */
struct round_text {
    const char *at;
    size_t left;
};

/* Plays the game of the next line again. */
static enum banyan_status round_game(struct round_text *text, struct match_worker *checker,
                                     int64_t number, struct match_game **out,
                                     struct banyan_error *err)
{
    struct game_record record;
    const char *line = text->at, *end = text->left ? memchr(line, '\n', text->left) : NULL;
    if (!end)
        return banyan_fail(err, BANYAN_CORRUPT, "game %lld is missing", (long long)number + 1);
    size_t length = (size_t)(end - line);
    text->at += length + 1;
    text->left -= length + 1;
    enum banyan_status status = game_record_parse(&record, line, length, err);
    if (status != BANYAN_OK)
        return status;
    status = match_game_again(checker, number, &record, out, err);
    game_record_free(&record);
    return status;
}

static void round_games_free(struct round_games *games)
{
    while (games->count > 0)
        match_game_free(games->games[--games->count]);
}

/* All games of the round, or none. */
static enum banyan_status round_games(const struct round *round, struct round_text text,
                                      struct match_worker *checker, struct round_games *out,
                                      struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK && out->count < round->games) {
        status =
            round_game(&text, checker, round->first + out->count, &out->games[out->count], err);
        out->count += status == BANYAN_OK;
    }
    if (status == BANYAN_OK && text.left)
        status = banyan_fail(err, BANYAN_CORRUPT, "there is more after the last game");
    if (status != BANYAN_OK)
        round_games_free(out);
    return status;
}

/* Whether the result is that of some other job: an earlier owner may have offered another job under this number. */
static bool round_is_other(const struct queue_item *item)
{
    enum { WORD = 6 };
    const char *bytes = item->bytes;
    size_t hash = 0;
    if (item->length <= WORD + QUEUE_HASH || memcmp(bytes, "match ", WORD) != 0)
        return false;
    while (hash < QUEUE_HASH && ((bytes[WORD + hash] >= '0' && bytes[WORD + hash] <= '9') ||
                                 (bytes[WORD + hash] >= 'a' && bytes[WORD + hash] <= 'f')))
        ++hash;
    return hash == QUEUE_HASH && bytes[WORD + QUEUE_HASH] == '\n';
}

/* What follows the line that names the job; false: it is not the result of this job. */
static bool round_body(const struct round *round, const struct queue_item *item,
                       struct round_text *out)
{
    char head[QUEUE_HASH + 16];
    size_t size = (size_t)snprintf(head, sizeof head, "match %s\n", round->hash);
    if (item->length < size || memcmp(item->bytes, head, size) != 0)
        return false;
    *out = (struct round_text){(const char *)item->bytes + size, item->length - size};
    return true;
}

/* Whether the worker says that it could not play the games; writes its reason to `reason`. */
static bool round_is_error(const struct round_text *body, char reason[ROUND_REASON])
{
    static const char word[] = "error ";
    enum { WORD = sizeof word - 1 };
    if (body->left < WORD || memcmp(body->at, word, WORD) != 0)
        return false;
    size_t length = body->left - WORD;
    const char *text = body->at + WORD, *end = length ? memchr(text, '\n', length) : NULL;
    length = end ? (size_t)(end - text) : length;
    snprintf(reason, ROUND_REASON, "%.*s", (int)(length < ROUND_REASON ? length : ROUND_REASON),
             text);
    text_make_plain(reason);
    return true;
}

static enum banyan_status round_fail(const struct round *round, const char *name,
                                     const char *reason, struct banyan_error *err)
{
    char worker[QUEUE_NAME + 1];
    snprintf(worker, sizeof worker, "%s", name);
    text_make_plain(worker);
    return banyan_fail(err, BANYAN_IO, "games %lld to %lld, played by %s: %s",
                       (long long)round->first + 1, (long long)(round->first + round->games),
                       worker, reason);
}

/* Notes that this worker could not play the round. */
static void round_add_error(struct round *round, const char *worker)
{
    ++round->errors;
    for (int i = 0; i < round->unfit_count; ++i)
        if (strcmp(round->unfit[i], worker) == 0)
            return;
    if (round->unfit_count < ROUND_UNFIT)
        snprintf(round->unfit[round->unfit_count++], QUEUE_NAME + 1, "%s", worker);
}

/* Whether it makes no sense to offer the round again.  One worker that cannot play it does not prove that others
 * cannot. */
static bool round_is_hopeless(const struct round *round, struct queue *queue)
{
    struct queue_counts counts = {.workers = 0};
    if (round->wrong >= ROUND_WRONG || round->errors >= ROUND_TRIES)
        return true;
    if (round->errors < ROUND_ERRORS)
        return false;
    queue_count(queue, &counts, NULL, NULL, NULL);
    return round->unfit_count == ROUND_UNFIT || round->unfit_count >= counts.workers;
}

static enum banyan_status round_refuse(struct round *round, struct queue *queue,
                                       struct queue_item *result, const char *reason,
                                       struct banyan_error *err)
{
    struct banyan_error why;
    round_fail(round, result->worker, reason, &why);
    enum banyan_status status = queue_refuse(queue, result, reason, err);
    if (status != BANYAN_OK)
        return status;
    if (!round_is_hopeless(round, queue))
        return round_offer(round, queue, err);
    return banyan_fail(err, BANYAN_IO, "%s", why.message);
}

static enum banyan_status round_given_up(const struct round *round, struct queue *queue,
                                         struct queue_item *result, struct banyan_error *err)
{
    queue_acknowledge(queue, result, NULL);
    return banyan_fail(
        err, BANYAN_IO,
        "games %lld to %lld: %d workers began them, and none came to their end: does "
        "a player crash, or take longer than a lease?",
        (long long)round->first + 1, (long long)(round->first + round->games), QUEUE_DELIVERIES);
}

enum banyan_status round_reject(struct round *round, struct queue *queue, struct queue_item *result,
                                struct round_games *games, const char *reason,
                                struct banyan_error *err)
{
    round_games_free(games);
    snprintf(games->wrong, sizeof games->wrong, "%s", reason);
    text_make_plain(games->wrong);
    ++round->wrong;
    return round_refuse(round, queue, result, games->wrong, err);
}

/* Offers the round again after a result without games: the worker found no settings in the queue. */
static enum banyan_status round_decline(struct round *round, struct queue *queue,
                                        struct queue_item *result, struct banyan_error *err)
{
    struct banyan_error why;
    ++round->wrong;
    round_fail(round, result->worker, "the queue had lost the match's settings", &why);
    enum banyan_status status = queue_acknowledge(queue, result, err);
    if (status != BANYAN_OK)
        return status;
    if (!round_is_hopeless(round, queue))
        return round_offer(round, queue, err);
    return banyan_fail(err, BANYAN_IO, "%s", why.message);
}

enum banyan_status round_judge(struct round *round, struct queue *queue, struct queue_item *result,
                               struct match_worker *checker, struct round_games *out,
                               struct banyan_error *err)
{
    struct round_text body;
    static const char other[] = "it is the result of another job";
    struct banyan_error why = {.message = ""};
    char reason[ROUND_REASON];
    out->count = 0;
    out->wrong[0] = 0;
    if (result->given_up)
        return round_given_up(round, queue, result, err);
    if (!round_body(round, result, &body)) {
        if (!round_is_other(result))
            return round_reject(round, queue, result, out, other, err);
        ++round->wrong;
        return round_refuse(round, queue, result, other, err);
    }
    if (body.left == 0)
        return round_decline(round, queue, result, err);
    if (round_is_error(&body, reason)) {
        round_add_error(round, result->worker);
        return round_refuse(round, queue, result, reason, err);
    }
    if (round_games(round, body, checker, out, &why) == BANYAN_OK)
        return BANYAN_OK;
    return round_reject(round, queue, result, out, why.message, err);
}
