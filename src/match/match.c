/* Plays a match: worker threads play many games, and their results are counted. */
#include "match/match.h"

#include "base/clock.h"
#include "match/database.h"
#include "match/match_state.h"
#include "players/program/offers.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct match_thread {
    struct match *match;
    struct match_worker *worker; /* the first worker, which was made already; NULL: make one */
    pthread_t thread;
};

void match_options_default(struct match_options *options)
{
    *options = (struct match_options){.games = 100, .seed = 1, .jobs = 1, .offers = program_offers};
    options->sprt = (struct sprt){.elo0 = 0, .elo1 = 10, .alpha = 0.05, .beta = 0.05};
}

/* --- totals --- */

/* Adds what only the match itself knows: time, simulations, the game's own points. */
static void match_book(struct match *match, const struct match_game *game)
{
    bool duel = match_totals_is_duel(&match->totals);
    for (int seat = 0; seat < match->plan.game->players; ++seat) {
        struct match_player *player = &match->result->players[game->seats[seat]];
        const struct playing_seat *played = &game->played[seat];
        player->decisions += played->decisions;
        player->simulations += played->simulations;
        player->elapsed_ms += played->elapsed_ms;
        player->longest_ms = fmax(player->longest_ms, played->longest_ms);
        player->longest_game_ms = fmax(player->longest_game_ms, played->elapsed_ms);
        player->forfeited += game->record.forfeited == seat;
        if (duel) {
            player->seat[seat].points += (double)game->record.points[seat];
            player->seat[seat].against += (double)game->record.points[1 - seat];
        }
    }
    match->result->plies += game->record.plies;
}

void match_fail(struct match *match, enum banyan_status status, const struct banyan_error *problem)
{
    atomic_store_explicit(&match->plan.ending, true, memory_order_relaxed);
    if (match->status != BANYAN_OK)
        return;
    match->status = status;
    banyan_fail(match->err, status, "%s", problem->message);
}

static bool match_remember(struct match *match, uint64_t hash)
{
    if (match->result->games == match->hash_room) {
        int64_t room = 2 * match->hash_room + 1024;
        uint64_t *larger = realloc(match->hashes, (size_t)room * sizeof *larger);
        if (!larger)
            return false;
        match->hashes = larger;
        match->hash_room = room;
    }
    match->hashes[match->result->games] = hash;
    return true;
}

/* Adds game to the totals and frees it. */
static void match_commit(struct match *match, struct match_game *game)
{
    struct match_result *result = match->result;
    const struct match_options *options = match->plan.options;
    struct banyan_error problem;
    enum banyan_status status = BANYAN_OK;
    if (!match_remember(match, game->hash))
        status = banyan_fail(&problem, BANYAN_NO_MEMORY, "no memory for a match");
    else if (options->save && !game->stored)
        status = game_record_write(&game->record, options->save, &problem);
    if (status != BANYAN_OK) {
        match_fail(match, status, &problem);
        match_game_free(game);
        return;
    }
    const struct match_outcome outcome = match_game_outcome(game);
    match_totals_add(&match->totals, &outcome);
    match_book(match, game);
    if (options->progress)
        options->progress(options->progress_ctx, result);
    match_game_free(game);
}

/* --- workers --- */

static void match_insert(struct match *match, struct match_game *game)
{
    struct match_game **at = &match->waiting;
    while (*at && (*at)->number < game->number)
        at = &(*at)->next;
    game->next = *at;
    *at = game;
}

/* Counts the finished games in the order of their numbers, up to the first one that is missing;
 * with `all`, to the last one: games that an interruption left out are skipped.  Games after the
 * decision of the SPRT do not count. */
static void match_drain(struct match *match, bool all)
{
    while (match->waiting && (all || match->waiting->number == match->committed)) {
        struct match_game *game = match->waiting;
        match->waiting = game->next;
        match->committed = game->number + 1;
        if (match->result->sprt == SPRT_GO_ON)
            match_commit(match, game);
        else
            match_game_free(game);
        if (match->result->sprt != SPRT_GO_ON)
            atomic_store_explicit(&match->plan.ending, true, memory_order_relaxed);
    }
}

void match_submit(struct match *match, struct match_game *game)
{
    struct banyan_error problem;
    if (match->store) {
        enum banyan_status status = match_database_add(match->store, game, &problem);
        if (status != BANYAN_OK)
            match_fail(match, status, &problem);
    }
    match_insert(match, game);
    match_drain(match, false);
}

bool match_stopped(const struct match *match)
{
    return banyan_flag_is_set(match->plan.options->stop);
}

int64_t match_skip(struct match *match)
{
    while (match->stored_next < match->stored_count &&
           match->stored[match->stored_next] == match->next) {
        ++match->stored_next;
        ++match->next;
    }
    return match->next;
}

bool match_has_next(struct match *match)
{
    return !match_stopped(match) &&
           !atomic_load_explicit(&match->plan.ending, memory_order_relaxed) &&
           match_skip(match) < match->plan.options->first + match->plan.options->games;
}

/* Number of the game to play next, -1: none. */
static int64_t match_claim(struct match *match)
{
    int64_t number = -1;
    pthread_mutex_lock(&match->lock);
    if (match_has_next(match))
        number = match->next++;
    pthread_mutex_unlock(&match->lock);
    return number;
}

static void match_work(struct match *match, struct match_worker *worker)
{
    int64_t number;
    while ((number = match_claim(match)) >= 0) {
        struct match_game *game;
        struct banyan_error problem;
        enum banyan_status status = match_game_play(worker, number, &game, &problem);
        pthread_mutex_lock(&match->lock);
        if (status == BANYAN_OK)
            match_submit(match, game);
        else if (status != BANYAN_INTERRUPTED)
            match_fail(match, status, &problem);
        else
            match->result->interrupted |= match_stopped(match);
        pthread_mutex_unlock(&match->lock);
    }
}

static void *match_thread_main(void *argument)
{
    struct match_thread *thread = argument;
    struct match *match = thread->match;
    struct match_worker own;
    struct banyan_error problem;
    if (thread->worker) {
        match_work(match, thread->worker);
        return NULL;
    }
    enum banyan_status status = match_worker_create(&own, &match->plan, &problem);
    if (status == BANYAN_OK) {
        match_work(match, &own);
        match_worker_destroy(&own);
        return NULL;
    }
    pthread_mutex_lock(&match->lock);
    match_fail(match, status, &problem);
    pthread_mutex_unlock(&match->lock);
    return NULL;
}

/* Plays all games with as many threads as there are jobs; the calling thread waits. */
static void match_play(struct match *match, struct match_worker *first)
{
    int jobs = match->plan.options->jobs, started = 0;
    struct match_thread *threads = calloc((size_t)jobs, sizeof *threads);
    for (int i = 0; threads && i < jobs; ++i) {
        threads[i].match = match;
        threads[i].worker = i == 0 ? first : NULL;
        if (pthread_create(&threads[i].thread, NULL, match_thread_main, &threads[i]) != 0)
            break;
        ++started;
    }
    if (started == 0) /* if no thread could be started, this one plays */
        match_work(match, first);
    for (int i = 0; i < started; ++i)
        pthread_join(threads[i].thread, NULL);
    free(threads);
}

/* --- the whole match --- */

static int match_compare_words(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int64_t match_distinct(struct match *match)
{
    int64_t games = match->result->games, distinct = 0;
    if (games)
        qsort(match->hashes, (size_t)games, sizeof *match->hashes, match_compare_words);
    for (int64_t i = 0; i < games; ++i)
        distinct += i == 0 || match->hashes[i] != match->hashes[i - 1];
    return distinct;
}

/* Takes over the stored games of a match that goes on; they wait to be counted, as if they had just
 * been played. */
static enum banyan_status match_resume(struct match *match, struct match_game *games,
                                       struct banyan_error *err)
{
    int64_t count = 0;
    for (const struct match_game *game = games; game; game = game->next)
        ++count;
    match->waiting = games;
    match->stored = count ? malloc((size_t)count * sizeof *match->stored) : NULL;
    if (count && !match->stored)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a match");
    for (const struct match_game *game = games; game; game = game->next)
        match->stored[match->stored_count++] = game->number;
    return BANYAN_OK;
}

/* Opens the database for a match that begins, or goes on. */
static enum banyan_status match_begin(struct match *match, struct banyan_error *err)
{
    const struct match_options *options = match->plan.options;
    struct match_game *games = NULL;
    bool found = false;
    enum banyan_status status = match_database_open(&match->store, options->db_path, err);
    if (status == BANYAN_OK && options->resume)
        status = match_database_resume(match->store, &match->plan, &found, &games, err);
    if (status == BANYAN_OK && !found)
        status = match_database_begin(match->store, &match->plan, err);
    enum banyan_status counted = match_resume(match, games, err);
    return status == BANYAN_OK ? counted : status;
}

/* Prepares everything that can fail before the first game: openings, players, then the database. */
static enum banyan_status match_prepare(struct match *match, struct match_worker *first,
                                        struct banyan_error *err)
{
    struct match_plan *plan = &match->plan;
    const struct match_options *options = plan->options;
    enum banyan_status status = match_plan_check(plan, err);
    if (status == BANYAN_OK && options->queue_url && options->host)
        return banyan_fail(err, BANYAN_INVALID,
                           "programs with a referee of their own play on this machine only");
    if (status == BANYAN_OK)
        status = match_plan_starts(plan, err);
    if (status == BANYAN_OK)
        status = match_plan_handicaps(plan, err);
    if (status == BANYAN_OK)
        status = match_worker_create(first, plan, err);
    if (status != BANYAN_OK)
        return status;
    return options->db_path ? match_begin(match, err) : BANYAN_OK;
}

static enum banyan_status match_end(struct match *match)
{
    struct match_result *result = match->result;
    struct banyan_error problem;
    match_drain(match, true);
    result->distinct_games = match_distinct(match);
    if (match->status == BANYAN_OK && !result->interrupted && match_stopped(match))
        result->interrupted = result->games < result->games_wanted;
    if (match->store) {
        enum banyan_status status = match_database_finish(match->store, result, &problem);
        if (status != BANYAN_OK)
            match_fail(match, status, &problem);
    }
    if (match->status == BANYAN_OK && result->interrupted)
        return banyan_fail(match->err, BANYAN_INTERRUPTED, "stopped after %lld of %lld games",
                           (long long)result->games, (long long)result->games_wanted);
    return match->status;
}

enum banyan_status match_run(const struct banyan_game *game, const char *const specs[], int count,
                             const struct match_options *options, struct match_result *result,
                             struct banyan_error *err)
{
    double start_ms = clock_now_ms();
    struct match_worker first = {.plan = NULL};
    struct match match = {
        .plan = {.game = game, .specs = specs, .count = count, .options = options},
        .result = result,
        .err = err,
        .next = options->first,
        .committed = options->first};
    *result = (struct match_result){.count = count, .games_wanted = options->games};
    match_totals_begin(&match.totals, game, options->use_sprt ? &options->sprt : NULL, result);
    enum banyan_status status = match_prepare(&match, &first, err);
    if (status == BANYAN_OK) {
        pthread_mutex_init(&match.lock, NULL);
        match_drain(&match, false);
        if (options->queue_url || options->shared)
            match_queue_play(&match, &first);
        else
            match_play(&match, &first);
        pthread_mutex_destroy(&match.lock);
        status = match_end(&match);
    }
    match_worker_destroy(&first);
    match_plan_free(&match.plan);
    match_database_close(match.store);
    free(match.hashes);
    free(match.stored);
    while (match.waiting) {
        struct match_game *next = match.waiting->next;
        match_game_free(match.waiting);
        match.waiting = next;
    }
    result->elapsed_s = (clock_now_ms() - start_ms) / 1000;
    return status;
}
