/* Tunes parameters of a player: one owner, and threads that play pairs of games. */
#include "match/tune.h"

#include "base/clock.h"
#include "base/text.h"
#include "match/match_round.h"
#include "match/match_work.h"
#include "match/tune_run.h"
#include "players/player.h"

#include <inttypes.h>
#include <math.h>
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
    struct round round;         /* its games */
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
    char settings[QUEUE_HASH + 1]; /* hash of the settings of the games, which are in the queue */
    struct match_plan plan;        /* of the games, which others play */
    struct match_worker checker;   /* plays them again by the rules */
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
    while (*at++) { /* skips the colon, or the comma before an item */
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

/* Adds "name=value".  Large whole numbers keep all their digits. */
static void tune_add(const struct spsa_param *param, double value, struct text *out)
{
    bool whole = value == floor(value) && fabs(value) < 1e15;
    text_add(out, whole ? "%s=%.0f%s" : "%s=%.6g%s", param->name, value, param->unit);
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
    for (int i = 0; i < spsa->count; ++i) {
        text_add(&text, i ? "," : "");
        tune_add(&spsa->params[i], values[i], &text);
    }
    return player_with(rest, options, out, size);
}

/* --- workers --- */

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
    const struct match_options *match = &tune->options->match;
    struct match_work work = {
        .queue = tune->queue, .blobs = tune->queue, .stop = match->stop, .offers = match->offers};
    struct queue_item *job;
    struct banyan_error err;
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK && queue_take(tune->queue, TUNE_WAIT_MS, &job, &err) == BANYAN_OK)
        if (job)
            status = match_work(&work, job, &err);
    if (status != BANYAN_OK)
        tune_fail(tune, status, &err);
    match_work_end(&work);
    return NULL;
}

/* --- the owner --- */

static struct tune_slot *tune_slot(struct tune *tune, int64_t k)
{
    return &tune->slots[k % (tune->options->ahead + 1)];
}

/* Makes iteration k from the present values. */
static void tune_prepare(struct tune *tune, int64_t k)
{
    struct tune_slot *slot = tune_slot(tune, k);
    memcpy(slot->values, tune->result->values, sizeof slot->values);
    round_end(&slot->round);
    slot->done = false;
}

/* The texts of the two sides of iteration k. */
static void tune_texts(const struct tune *tune, int64_t k, const double values[],
                       char texts[2][TUNE_TEXT])
{
    double plus[SPSA_PARAMS], minus[SPSA_PARAMS];
    spsa_pair(tune->spsa, k, values, plus, minus);
    tune_text(tune->spsa, tune->player, plus, texts[0], TUNE_TEXT);
    tune_text(tune->spsa, tune->player, minus, texts[1], TUNE_TEXT);
}

static enum banyan_status tune_offer(struct tune *tune, int64_t k, struct banyan_error *err)
{
    char texts[2][TUNE_TEXT];
    const char *const specs[2] = {texts[0], texts[1]};
    if (k >= tune->spsa->iterations)
        return BANYAN_OK;
    struct tune_slot *slot = tune_slot(tune, k);
    tune_texts(tune, k, slot->values, texts);
    slot->round = (struct round){.number = (uint64_t)(2 * k), .first = 2 * k, .games = 2};
    enum banyan_status status = round_begin(&slot->round, tune->settings, specs, 2, err);
    return status == BANYAN_OK ? round_offer(&slot->round, tune->queue, err) : status;
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

/* Applies every result whose turn it is, and offers the iterations that may follow. */
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

/* Counts wins, draws and losses in the two games of an iteration. */
static struct tune_score tune_count(const struct tune *tune, struct match_game *const games[2])
{
    struct match_result result = {.count = 2};
    struct match_totals totals;
    match_totals_begin(&totals, tune->game, NULL, &result);
    for (int i = 0; i < 2; ++i) {
        const struct match_outcome outcome = match_game_outcome(games[i]);
        match_totals_add(&totals, &outcome);
    }
    return (struct tune_score){(int)result.players[0].wins, (int)result.players[0].draws,
                               (int)result.players[0].losses};
}

/* The slot that waits for this result; NULL: none does. */
static struct tune_slot *tune_wanted(struct tune *tune, const struct queue_item *item)
{
    int64_t k = (int64_t)(item->number / 2), first = tune->result->iterations;
    if (k < first || k > first + tune->options->ahead)
        return NULL;
    struct tune_slot *slot = tune_slot(tune, k);
    return slot->round.job && !slot->done ? slot : NULL;
}

/* Takes one result to its slot; a second one of an iteration is dropped. */
static enum banyan_status tune_fetch(struct tune *tune, struct banyan_error *err)
{
    struct round_games good;
    struct queue_item *item;
    enum banyan_status status = queue_fetch(tune->queue, TUNE_WAIT_MS, &item, err);
    if (status != BANYAN_OK || !item)
        return status;
    struct tune_slot *slot = tune_wanted(tune, item);
    if (!slot)
        return queue_acknowledge(tune->queue, item, err);
    status = round_judge(&slot->round, tune->queue, item, &tune->checker, &good, err);
    if (!good.count)
        return status;
    slot->score = tune_count(tune, good.games);
    slot->done = true;
    match_game_free(good.games[0]);
    match_game_free(good.games[1]);
    return queue_acknowledge(tune->queue, item, err);
}

/* Offers the next iterations, and goes on until all are applied. */
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

/* Starts worker threads, unless the queue has workers elsewhere, and runs the owner to the end. */
static enum banyan_status tune_play_all(struct tune *tune, struct banyan_error *err)
{
    if (tune->options->match.queue_url) {
        enum banyan_status ended = tune_own(tune, err);
        queue_end(tune->queue, NULL);
        return ended;
    }
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

/* The text that identifies a run: everything that its results depend on. */
static void tune_settings(const struct tune *tune, struct text *text)
{
    const struct match_options *match = &tune->options->match;
    text_add(text, "game %s\nplayer %s\n", tune->game->name, tune->player);
    for (int i = 0; i < tune->spsa->count; ++i) {
        const struct spsa_param *param = &tune->spsa->params[i];
        const char *unit = param->unit;
        text_add(text, "param %s=%.9g%s..%.9g%s:%.9g%s from %.9g%s\n", param->name, param->lo, unit,
                 param->hi, unit, param->step, param->by_ratio ? " by ratio" : "", param->start,
                 unit);
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

/* Reads the run folder, and applies its results in order. */
static enum banyan_status tune_open_files(struct tune *tune, struct banyan_error *err)
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
    size_t older = text.length;
    if (tune->plan.starts[0])
        text_add(&text, "openings-hash %s\n", tune->plan.starts);
    enum banyan_status status =
        tune_run_open(&tune->files, tune->options->run, settings, older, err);
    free(settings);
    for (int64_t k = 0; k <= ahead; ++k)
        tune_prepare(tune, k);
    for (int64_t k = 0; status == BANYAN_OK && k < tune->files.count; ++k)
        tune_apply(tune, &tune->files.scores[k]);
    return status;
}

/* Makes the players of both texts once, with all handicaps. */
static enum banyan_status tune_try(struct tune *tune, char texts[2][TUNE_TEXT],
                                   struct banyan_error *err)
{
    const char *specs[2] = {texts[0], texts[1]};
    struct match_plan *plan = &tune->plan;
    plan->specs = specs;
    enum banyan_status status = match_plan_handicaps(plan, err);
    if (status == BANYAN_OK)
        status = match_worker_create(&tune->checker, plan, err);
    match_worker_destroy(&tune->checker);
    match_plan_leave(plan);
    return status;
}

/* Makes the players at both ends of a parameter's range. */
static enum banyan_status tune_try_ends(struct tune *tune, int i, struct banyan_error *err)
{
    char texts[2][TUNE_TEXT];
    double values[SPSA_PARAMS];
    struct banyan_error why;
    const struct spsa_param *param = &tune->spsa->params[i];
    const double ends[2] = {param->lo, spsa_nearest(param, param->hi)};
    for (int k = 0; k < tune->spsa->count; ++k)
        values[k] = spsa_nearest(&tune->spsa->params[k], tune->spsa->params[k].start);
    for (int k = 0; k < 2; ++k) {
        values[i] = ends[k];
        tune_text(tune->spsa, tune->player, values, texts[k], TUNE_TEXT);
    }
    enum banyan_status status = tune_try(tune, texts, &why);
    if (status != BANYAN_OK)
        banyan_fail(err, status, "an end of the range of %s: %.400s", param->name, why.message);
    return status;
}

/* Makes the players of the next iteration and of the ends of all ranges once, so that errors in their
 * texts are found before any worker begins; then the checker, which needs no players. */
static enum banyan_status tune_open_games(struct tune *tune, struct banyan_error *err)
{
    char texts[2][TUNE_TEXT];
    struct match_plan *plan = &tune->plan;
    tune_texts(tune, tune->result->iterations, tune->result->values, texts);
    enum banyan_status status = tune_try(tune, texts, err);
    for (int i = 0; status == BANYAN_OK && i < tune->spsa->count; ++i)
        status = tune_try_ends(tune, i, err);
    static const char *const sides[2] = {"plus", "minus"};
    plan->specs = sides;
    plan->elsewhere = true;
    return status == BANYAN_OK ? match_worker_create(&tune->checker, plan, err) : status;
}

static enum banyan_status tune_open_queue(struct tune *tune, struct banyan_error *err)
{
    const struct match_options *match = &tune->options->match;
    struct queue_settings settings;
    queue_settings_default(&settings);
    settings.role = QUEUE_OWNER;
    settings.stop = match->stop;
    settings.lost = match->lost;
    settings.lost_ctx = match->progress_ctx;
    if (!match->queue_url)
        settings.lease_ms = TUNE_LEASE_MS;
    enum banyan_status status =
        queue_open(&tune->queue, match->queue_url ? match->queue_url : "memory:", &settings, err);
    struct match_plan named = {.game = tune->game, .options = match, .count = 1};
    named.specs = &tune->player; /* which names the files of all sides */
    named.openings = tune->plan.openings;
    return status == BANYAN_OK ? match_settings_put(&named, tune->queue, tune->settings, err)
                               : status;
}

static enum banyan_status tune_open(struct tune *tune, struct banyan_error *err)
{
    enum banyan_status status = match_plan_starts(&tune->plan, err);
    if (status == BANYAN_OK)
        status = tune_open_files(tune, err);
    if (status == BANYAN_OK)
        status = tune_open_games(tune, err);
    return status == BANYAN_OK ? tune_open_queue(tune, err) : status;
}

static void tune_close(struct tune *tune)
{
    for (int i = 0; tune->slots && i <= tune->options->ahead; ++i)
        round_end(&tune->slots[i].round);
    if (tune->queue && tune->settings[0])
        match_settings_drop(tune->queue, tune->settings, NULL);
    queue_close(tune->queue);
    match_worker_destroy(&tune->checker);
    match_plan_free(&tune->plan);
    tune_run_close(&tune->files);
    free(tune->slots);
    pthread_mutex_destroy(&tune->lock);
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
                        .plan = {.game = game, .options = &options->match, .count = 2},
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
    tune_close(&tune);
    return status;
}
