/* Plays the matches that pages start. */
#include "web/host.h"

#include "match/match.h"
#include "players/program/offers.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host {
    const char *db;
    /* held while a match is started: one page at a time changes the members up to `stop` */
    pthread_mutex_t starting;
    pthread_t thread;
    bool has_thread; /* the thread was started and must be joined */
    /* the match: nobody changes these members while it is played */
    const struct banyan_game *game;
    char *players; /* the texts, a 0 after each; owned */
    const char *specs[MATCH_MAX_PLAYERS];
    int count;
    struct match_options options;
    banyan_flag stop;

    pthread_mutex_t lock; /* protects `playing` and `problem` */
    bool playing;
    char problem[BANYAN_MESSAGE_MAX];
};

struct host *host_create(const char *db)
{
    struct host *host = calloc(1, sizeof *host);
    if (!host)
        return NULL;
    host->db = db;
    pthread_mutex_init(&host->starting, NULL);
    pthread_mutex_init(&host->lock, NULL);
    return host;
}

void host_stop(struct host *host)
{
    banyan_flag_set(&host->stop);
}

/* Joins the thread of the match before; false: that match is still being played. */
static bool host_join(struct host *host)
{
    if (host_is_playing(host))
        return false;
    if (host->has_thread)
        pthread_join(host->thread, NULL);
    host->has_thread = false;
    return true;
}

void host_destroy(struct host *host)
{
    if (!host)
        return;
    host_stop(host);
    if (host->has_thread)
        pthread_join(host->thread, NULL);
    pthread_mutex_destroy(&host->starting);
    pthread_mutex_destroy(&host->lock);
    free(host->players);
    free(host);
}

bool host_is_playing(struct host *host)
{
    pthread_mutex_lock(&host->lock);
    bool playing = host->playing;
    pthread_mutex_unlock(&host->lock);
    return playing;
}

void host_problem(struct host *host, char *out, int size)
{
    pthread_mutex_lock(&host->lock);
    snprintf(out, (size_t)size, "%s", host->problem);
    pthread_mutex_unlock(&host->lock);
}

/* Notes that a match begins or has ended, and why it failed ("": it did not). */
static void host_note(struct host *host, bool playing, const char *problem)
{
    pthread_mutex_lock(&host->lock);
    host->playing = playing;
    snprintf(host->problem, sizeof host->problem, "%s", problem);
    pthread_mutex_unlock(&host->lock);
}

static void *host_play(void *arg)
{
    struct host *host = arg;
    struct banyan_error err = {.message = ""};
    struct match_result *result = malloc(sizeof *result);
    enum banyan_status status =
        result ? match_run(host->game, host->specs, host->count, &host->options, result, &err)
               : banyan_fail(&err, BANYAN_NO_MEMORY, "no memory for a match");
    free(result);
    bool failed = status != BANYAN_OK && status != BANYAN_INTERRUPTED;
    host_note(host, false, failed ? err.message : "");
    return NULL;
}

/* --- the question --- */

/* Splits the lines of the players. */
static enum banyan_status host_take_players(struct host *host, const char *lines,
                                            struct banyan_error *err)
{
    free(host->players);
    host->count = 0;
    host->players = strdup(lines);
    if (!host->players)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for players");
    for (char *at = host->players, *end; at; at = end) {
        end = strchr(at, '\n');
        if (end)
            *end++ = 0;
        if (!*at)
            continue;
        if (host->count == MATCH_MAX_PLAYERS)
            return banyan_fail(err, BANYAN_INVALID, "a match has 1 to %d players",
                               MATCH_MAX_PLAYERS);
        host->specs[host->count++] = at;
    }
    return BANYAN_OK;
}

static enum banyan_status host_take_sprt(struct host *host, const char *text,
                                         struct banyan_error *err)
{
    struct sprt *sprt = &host->options.sprt;
    char rest;
    if (!text || !*text)
        return BANYAN_OK;
    if (sscanf(text, "%lf,%lf%c", &sprt->elo0, &sprt->elo1, &rest) != 2 ||
        !(sprt->elo0 < sprt->elo1) || sprt->elo0 < -1000 || sprt->elo1 > 1000)
        return banyan_fail(err, BANYAN_INVALID,
                           "SPRT is ELO0,ELO1 with ELO0 < ELO1, such as 0,10, not '%.80s'", text);
    host->options.use_sprt = true;
    return BANYAN_OK;
}

/* Creates and closes every player, so that the page gets the message at once if a text is wrong. */
static enum banyan_status host_try_players(const struct host *host, struct banyan_error *err)
{
    if (host->count < 1 || (host->game->players > 1 && host->count > host->game->players))
        return banyan_fail(err, BANYAN_INVALID, "'%s' is for %d players, not %d", host->game->name,
                           host->game->players, host->count);
    if (host->options.use_sprt && (host->count != 2 || host->game->players != 2))
        return banyan_fail(err, BANYAN_INVALID, "SPRT is for two players of a two-player game");
    for (int i = 0; i < host->count; ++i) {
        struct banyan_player player = {0};
        enum banyan_status status =
            banyan_player_create(host->game, host->specs[i], host->options.offers, 1, &player, err);
        if (status != BANYAN_OK)
            return status;
        banyan_player_close(&player);
    }
    return BANYAN_OK;
}

static enum banyan_status host_take(struct host *host, const struct host_question *question,
                                    struct banyan_error *err)
{
    match_options_default(&host->options);
    host->options.games = question->games;
    host->options.seed = question->seed;
    host->options.opening_plies = question->opening_plies;
    host->options.time.move_ms = question->move_ms;
    host->options.db_path = host->db;
    host->options.stop = &host->stop;
    host->options.offers = program_offers_inside;
    enum banyan_status status = banyan_game_find(question->game, &host->game, err);
    if (status == BANYAN_OK)
        status = host_take_sprt(host, question->sprt, err);
    if (status == BANYAN_OK)
        status = host_take_players(host, question->players, err);
    return status == BANYAN_OK ? host_try_players(host, err) : status;
}

/* Starts the thread of the match with all signals blocked: the main thread handles them. */
static enum banyan_status host_begin(struct host *host, struct banyan_error *err)
{
    sigset_t all, before;
    banyan_flag_clear(&host->stop);
    host_note(host, true, "");
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    host->has_thread = pthread_create(&host->thread, NULL, host_play, host) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (host->has_thread)
        return BANYAN_OK;
    host_note(host, false, "");
    return banyan_fail(err, BANYAN_NO_MEMORY, "no thread for a match");
}

enum banyan_status host_start(struct host *host, const struct host_question *question,
                              struct banyan_error *err)
{
    pthread_mutex_lock(&host->starting);
    enum banyan_status status = BANYAN_OK;
    if (!host_join(host))
        status = banyan_fail(err, BANYAN_INVALID, "a match is being played: stop it first");
    if (status == BANYAN_OK)
        status = host_take(host, question, err);
    if (status == BANYAN_OK)
        status = host_begin(host, err);
    pthread_mutex_unlock(&host->starting);
    return status;
}
