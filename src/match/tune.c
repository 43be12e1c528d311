/* Tunes parameters of a player: one owner, and threads that play pairs of games. */
#include "match/tune.h"

#include "base/clock.h"
#include "base/text.h"
#include "match/tune_run.h"
#include "players/player.h"
#include "queue/queue.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    TUNE_TEXT = 4096,        /* bytes of a player's text */
    TUNE_LEASE_MS = 1 << 30, /* workers are threads: no lease ends */
    TUNE_WAIT_MS = 100       /* between looks at the stop flag */
};

/* An iteration that is on its way. */
struct tune_slot {
    double values[SPSA_PARAMS]; /* from which its two sides are made */
    struct tune_score score;
    bool done;
};

struct tune {
    const struct banyan_game *game;
    const char *player;
    const struct spsa *spsa;
    const struct tune_options *options;
    struct tune_result *result;
    struct queue *queue;
    struct tune_run_files files;
    struct tune_slot *slots; /* [ahead + 1]: iteration k has slot k % (ahead + 1); owned */
    int64_t sums_from;       /* first iteration of the last quarter */
    pthread_mutex_t lock;    /* guards what follows: the first failure of a worker */
    enum banyan_status failed;
    struct banyan_error failure;
};

void tune_options_default(struct tune_options *options)
{
    *options = (struct tune_options){.ahead = 15};
    match_options_default(&options->match);
}

/* Whether item, "name=value" of this length, sets a parameter. */
static bool tune_sets(const struct spsa *spsa, const char *item, size_t length)
{
    for (int i = 0; i < spsa->count; ++i) {
        const char *name = spsa->params[i].name;
        size_t size = strlen(name);
        if (length > size && strncmp(item, name, size) == 0 && item[size] == '=')
            return true;
    }
    return false;
}

/* Adds player's text without the options that set parameters. */
static void tune_rest(const struct spsa *spsa, const char *player, struct text *out)
{
    const char *at = player + strcspn(player, ":");
    const char *between = ":";
    text_add(out, "%.*s", (int)(at - player), player);
    while (*at++) { /* behind the colon, or the comma before an item */
        size_t length = 0;
        for (int depth = 0; at[length] && (at[length] != ',' || depth > 0); ++length)
            depth += (at[length] == '(') - (at[length] == ')');
        if (!tune_sets(spsa, at, length)) {
            text_add(out, "%s%.*s", between, (int)length, at);
            between = ",";
        }
        at += length;
    }
}

int tune_text(const struct spsa *spsa, const char *player, const double values[], char *out,
              size_t size)
{
    char options[SPSA_PARAMS * (SPSA_NAME + 32)], rest[TUNE_TEXT];
    struct text text = text_start(rest, sizeof rest);
    if (strncmp(player, "exec:", 5) == 0)
        text_add(&text, "%s", player);
    else
        tune_rest(spsa, player, &text);
    text = text_start(options, sizeof options);
    for (int i = 0; i < spsa->count; ++i)
        text_add(&text, "%s%s=%.6g", i ? "," : "", spsa->params[i].name, values[i]);
    return player_with(rest, options, out, size);
}

/* --- workers --- */

/* A job: the two players, one in a line. */
static enum banyan_status tune_play(const struct tune *tune, const struct queue_item *job,
                                    struct tune_score *score, struct banyan_error *err)
{
    char texts[2 * TUNE_TEXT];
    struct match_options options = tune->options->match;
    struct match_result result;
    snprintf(texts, sizeof texts, "%.*s", (int)job->length, (const char *)job->bytes);
    char *second = strchr(texts, '\n');
    *second++ = 0;
    const char *const specs[2] = {texts, second};
    options.first = 2 * (int64_t)job->number;
    options.games = 2;
    options.jobs = 1;
    enum banyan_status status = match_run(tune->game, specs, 2, &options, &result, err);
    *score = (struct tune_score){(int)result.players[0].wins, (int)result.players[0].draws,
                                 (int)result.players[0].losses};
    return status;
}

/* Remembers the first failure, and ends the work. */
static void tune_fail(struct tune *tune, enum banyan_status status, const struct banyan_error *why)
{
    pthread_mutex_lock(&tune->lock);
    if (tune->failed == BANYAN_OK) {
        tune->failed = status;
        tune->failure = *why;
    }
    pthread_mutex_unlock(&tune->lock);
}

static enum banyan_status tune_failed(struct tune *tune, struct banyan_error *err)
{
    pthread_mutex_lock(&tune->lock);
    enum banyan_status status = tune->failed;
    if (status != BANYAN_OK)
        banyan_fail(err, status, "%s", tune->failure.message);
    pthread_mutex_unlock(&tune->lock);
    return status;
}

static void *tune_work(void *argument)
{
    struct tune *tune = argument;
    struct queue_item *job;
    struct banyan_error err;
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK && queue_take(tune->queue, TUNE_WAIT_MS, &job, &err) == BANYAN_OK) {
        struct tune_score score;
        if (!job)
            continue;
        status = tune_play(tune, job, &score, &err);
        if (status == BANYAN_OK) {
            const struct queue_item result = {.bytes = &score, .length = sizeof score};
            status = queue_give(tune->queue, job, &result, &err);
        } else {
            queue_release(tune->queue, job, NULL);
        }
    }
    if (status != BANYAN_OK)
        tune_fail(tune, status, &err);
    return NULL;
}

/* --- the owner --- */

static struct tune_slot *tune_slot(struct tune *tune, int64_t k)
{
    return &tune->slots[k % (tune->options->ahead + 1)];
}

/* Makes iteration k from the values of now. */
static void tune_prepare(struct tune *tune, int64_t k)
{
    struct tune_slot *slot = tune_slot(tune, k);
    memcpy(slot->values, tune->result->values, sizeof slot->values);
    slot->done = false;
}

static enum banyan_status tune_offer(struct tune *tune, int64_t k, struct banyan_error *err)
{
    double plus[SPSA_PARAMS], minus[SPSA_PARAMS];
    char text[2 * TUNE_TEXT];
    if (k >= tune->spsa->iterations)
        return BANYAN_OK;
    spsa_pair(tune->spsa, k, tune_slot(tune, k)->values, plus, minus);
    int length = tune_text(tune->spsa, tune->player, plus, text, TUNE_TEXT);
    text[length++] = '\n';
    length += tune_text(tune->spsa, tune->player, minus, text + length, TUNE_TEXT);
    return queue_offer(
        tune->queue,
        &(struct queue_item){.number = (uint64_t)k, .bytes = text, .length = (size_t)length}, err);
}

/* Applies the result of the next iteration. */
static void tune_apply(struct tune *tune, const struct tune_score *score)
{
    struct tune_result *result = tune->result;
    int64_t k = result->iterations++;
    spsa_move(tune->spsa, k, score->wins - score->losses, result->values);
    result->wins += score->wins;
    result->draws += score->draws;
    result->losses += score->losses;
    int64_t first = tune->sums_from, count = k - first + 1;
    for (int i = 0; i < tune->spsa->count; ++i)
        result->means[i] =
            k < first ? result->values[i]
                      : result->means[i] + (result->values[i] - result->means[i]) / (double)count;
    tune_prepare(tune, k + tune->options->ahead + 1);
}

/* Applies every result whose turn it is, and offers what may follow. */
static enum banyan_status tune_advance(struct tune *tune, struct banyan_error *err)
{
    struct tune_result *result = tune->result;
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK && result->iterations < tune->spsa->iterations) {
        int64_t k = result->iterations;
        struct tune_slot *slot = tune_slot(tune, k);
        if (!slot->done)
            break;
        const struct tune_score score = slot->score;
        status = tune_run_add(&tune->files, k, &score, err);
        if (status != BANYAN_OK)
            break;
        tune_apply(tune, &score);
        if (tune->options->progress)
            tune->options->progress(tune->options->progress_ctx, result);
        status = tune_offer(tune, k + tune->options->ahead + 1, err);
    }
    return status;
}

/* Takes one result to its slot; a second one of an iteration is dropped. */
static enum banyan_status tune_fetch(struct tune *tune, struct banyan_error *err)
{
    struct queue_item *item;
    enum banyan_status status = queue_fetch(tune->queue, TUNE_WAIT_MS, &item, err);
    if (status != BANYAN_OK || !item)
        return status;
    int64_t k = (int64_t)item->number, first = tune->result->iterations;
    if (k >= first && k <= first + tune->options->ahead &&
        item->length == sizeof(struct tune_score)) {
        memcpy(&tune_slot(tune, k)->score, item->bytes, item->length);
        tune_slot(tune, k)->done = true;
    }
    return queue_acknowledge(tune->queue, item, err);
}

/* Offers what comes next, and goes on until all iterations are applied. */
static enum banyan_status tune_own(struct tune *tune, struct banyan_error *err)
{
    const struct tune_result *result = tune->result;
    int64_t next = result->iterations;
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i <= tune->options->ahead && status == BANYAN_OK; ++i)
        status = tune_offer(tune, next + i, err);
    while (status == BANYAN_OK && result->iterations < tune->spsa->iterations) {
        if (banyan_flag_is_set(tune->options->match.stop))
            return banyan_fail(err, BANYAN_INTERRUPTED, "stopped");
        status = tune_failed(tune, err);
        if (status == BANYAN_OK)
            status = tune_fetch(tune, err);
        if (status == BANYAN_OK)
            status = tune_advance(tune, err);
    }
    return status;
}

/* Starts the workers, and owns the run until it ends. */
static enum banyan_status tune_play_all(struct tune *tune, struct banyan_error *err)
{
    int jobs = tune->options->match.jobs, started = 0;
    pthread_t *threads = calloc((size_t)jobs, sizeof *threads);
    while (threads && started < jobs &&
           pthread_create(&threads[started], NULL, tune_work, tune) == 0)
        ++started;
    enum banyan_status status =
        started ? tune_own(tune, err)
                : banyan_fail(err, BANYAN_NO_MEMORY, "no thread could be started");
    queue_end(tune->queue, NULL);
    for (int i = 0; i < started; ++i)
        pthread_join(threads[i], NULL);
    free(threads);
    return status;
}

/* --- the whole run --- */

/* The text by which a run is known: all on which its results depend. */
static void tune_settings(const struct tune *tune, struct text *text)
{
    const struct match_options *match = &tune->options->match;
    text_add(text, "game %s\nplayer %s\n", tune->game->name, tune->player);
    for (int i = 0; i < tune->spsa->count; ++i) {
        const struct spsa_param *param = &tune->spsa->params[i];
        text_add(text, "param %s=%.9g..%.9g:%.9g%s from %.9g\n", param->name, param->lo, param->hi,
                 param->step, param->by_ratio ? " by ratio" : "", param->start);
    }
    text_add(text, "iterations %" PRId64 "\nrate %.9g\nahead %d\nseed %" PRIu64 "\n",
             tune->spsa->iterations, tune->spsa->rate, tune->options->ahead, match->seed);
    text_add(text, "openings %s\nopening-plies %d\nsetup %s\n",
             match->openings_path ? match->openings_path : "", match->opening_plies,
             match->setup ? match->setup : "");
    text_add(text, "time %.9g\nclock %.9g\nincrement %.9g\n", match->time.move_ms,
             match->time.clock_ms, match->time.increment_ms);
    for (int seat = 0; seat < tune->game->players; ++seat)
        text_add(text, "handicap %s\n", match->handicaps[seat] ? match->handicaps[seat] : "");
}

static enum banyan_status tune_check(const struct tune *tune, struct banyan_error *err)
{
    char text[TUNE_TEXT];
    if (tune->game->players != 2)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "tuning is for games of two players; '%s' has %d", tune->game->name,
                           tune->game->players);
    for (int i = 0; i < tune->spsa->count; ++i) {
        const struct spsa_param *param = &tune->spsa->params[i];
        if (!(param->lo < param->hi) || param->start < param->lo || param->start > param->hi ||
            param->step < 0 || (param->by_ratio && (param->lo <= 0 || param->step > 0)) ||
            param->step > param->hi - param->lo)
            return banyan_fail(
                err, BANYAN_INVALID,
                "parameter %s: it needs LO < HI, a start between them (not %g) and a "
                "step within the range",
                param->name, param->start);
    }
    if (tune_text(tune->spsa, tune->player, tune->result->values, text, sizeof text) >=
        TUNE_TEXT - 512)
        return banyan_fail(err, BANYAN_INVALID, "the player's text is too long");
    return BANYAN_OK;
}

/* Reads the run folder: its results are applied as they were. */
static enum banyan_status tune_open(struct tune *tune, struct banyan_error *err)
{
    enum { SETTINGS = 16384 };
    char *settings = malloc(SETTINGS);
    int ahead = tune->options->ahead;
    tune->slots = calloc((size_t)ahead + 1, sizeof *tune->slots);
    if (!settings || !tune->slots) {
        free(settings);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a tuning run");
    }
    struct text text = text_start(settings, SETTINGS);
    tune_settings(tune, &text);
    enum banyan_status status = tune_run_open(&tune->files, tune->options->run, settings, err);
    free(settings);
    for (int64_t k = 0; k <= ahead; ++k)
        tune_prepare(tune, k);
    for (int64_t k = 0; status == BANYAN_OK && k < tune->files.count; ++k)
        tune_apply(tune, &tune->files.scores[k]);
    struct queue_settings queue;
    queue_settings_default(&queue);
    queue.role = QUEUE_OWNER;
    queue.lease_ms = TUNE_LEASE_MS;
    return status == BANYAN_OK ? queue_open(&tune->queue, "memory:", &queue, err) : status;
}

enum banyan_status tune_run(const struct banyan_game *game, const char *player,
                            const struct spsa *spsa, const struct tune_options *options,
                            struct tune_result *result, struct banyan_error *err)
{
    double start_ms = clock_now_ms();
    struct tune tune = {.game = game,
                        .player = player,
                        .spsa = spsa,
                        .options = options,
                        .result = result,
                        .sums_from = spsa->iterations - (spsa->iterations + 3) / 4};
    *result = (struct tune_result){.iterations = 0};
    for (int i = 0; i < spsa->count; ++i)
        result->values[i] = result->means[i] = spsa->params[i].start;
    pthread_mutex_init(&tune.lock, NULL);
    enum banyan_status status = tune_check(&tune, err);
    if (status == BANYAN_OK)
        status = tune_open(&tune, err);
    if (status == BANYAN_OK && result->iterations < spsa->iterations)
        status = tune_play_all(&tune, err);
    result->interrupted = status == BANYAN_INTERRUPTED;
    result->elapsed_s = (clock_now_ms() - start_ms) / 1000;
    queue_close(tune.queue);
    tune_run_close(&tune.files);
    free(tune.slots);
    pthread_mutex_destroy(&tune.lock);
    return status;
}
