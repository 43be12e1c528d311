/* Plays one game of a match, and records it. */
#include "match/match_game.h"

#include "base/clock.h"
#include "base/rng.h"
#include "players/program/offers.h"

#include <stdlib.h>
#include <string.h>

void match_game_free(struct match_game *game)
{
    if (!game)
        return;
    free(game->start);
    free(game->actions);
    free(game);
}

enum banyan_status match_worker_create(struct match_worker *worker, const struct match_plan *plan,
                                       struct banyan_error *err)
{
    memset(worker, 0, sizeof *worker);
    worker->plan = plan;
    enum banyan_status status = playing_create(&worker->table, plan->game, err);
    worker->table.time = plan->options->time;
    worker->table.stop = plan->options->stop;
    if (status == BANYAN_OK)
        status = opening_create(&worker->opening, plan->game, err);
    if (status == BANYAN_OK && !(worker->start = calloc(1, plan->game->state_size)))
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a match");
    for (int i = 0; status == BANYAN_OK && i < plan->count; ++i)
        status = banyan_player_create(plan->game, plan->specs[i], program_offers,
                                      banyan_rng_child(plan->options->seed, "player", (uint64_t)i),
                                      &worker->players[i], err);
    if (status != BANYAN_OK)
        match_worker_destroy(worker);
    return status;
}

void match_worker_destroy(struct match_worker *worker)
{
    for (int i = 0; i < MATCH_MAX_PLAYERS; ++i)
        banyan_player_close(&worker->players[i]);
    playing_destroy(&worker->table);
    opening_destroy(&worker->opening);
    free(worker->start);
    worker->start = NULL;
}

int match_rotations(const struct match_plan *plan)
{
    return plan->count;
}

/* --- the sequence of actions as text and as a number --- */

struct match_log {
    char *text;
    size_t used, room;
    bool blanks; /* an action's text has blanks or commas: separate actions by semicolons */
    bool full;   /* no memory */
};

static void match_log_add(struct match_log *log, const char *text)
{
    size_t length = strlen(text);
    if (log->used + length + 1 > log->room) {
        log->room = 2 * log->room + length + 256;
        char *larger = realloc(log->text, log->room);
        log->full |= !larger;
        if (log->full)
            return;
        log->text = larger;
    }
    memcpy(log->text + log->used, text, length + 1);
    log->used += length;
}

/* Adds the table's last joint action: "a", or "a|b"; behind it '\n', which is replaced later. */
static void match_log_joint(struct match_log *log, const struct playing *table, uint64_t *hash)
{
    char text[BANYAN_TEXT_MAX];
    bool first = true;
    for (int seat = 0; seat < table->game->players && !log->full; ++seat) {
        if (!(table->moved >> seat & 1))
            continue;
        table->game->action_format(table->game, table->before, seat, table->joint[seat], text,
                                   sizeof text);
        if (!first)
            match_log_add(log, "|");
        first = false;
        log->blanks |= strpbrk(text, " ,") != NULL;
        match_log_add(log, text);
        *hash = rng_mix(*hash ^ table->joint[seat]) + (uint64_t)seat;
    }
    match_log_add(log, "\n");
}

static void match_log_close(struct match_log *log)
{
    if (log->used)
        log->text[log->used - 1] = 0;
    for (char *at = log->text; at && *at; ++at)
        if (*at == '\n')
            *at = log->blanks ? ';' : ' ';
}

/* --- one game --- */

static enum banyan_status match_game_start(struct match_worker *worker, struct match_game *game,
                                           struct banyan_error *err)
{
    const struct match_plan *plan = worker->plan;
    const struct match_options *options = plan->options;
    uint64_t round = (uint64_t)(game->number / match_rotations(plan));
    struct banyan_rng rng;
    game->setup_seed = banyan_rng_child(options->seed, "setup", round);
    game->dice_seed = banyan_rng_child(options->seed, "dice", round);
    banyan_rng_seed(&rng, game->setup_seed);
    enum banyan_status status =
        plan->game->init(plan->game, worker->start, options->setup, &rng, err);
    if (status != BANYAN_OK)
        return status;
    if (!plan->game->movers(plan->game, worker->start))
        return banyan_fail(err, BANYAN_INVALID, "the game is over at its start");
    if (!plan->openings.count)
        return opening_random(
            &worker->opening, plan->game, worker->start,
            &(struct opening_wish){.plies = options->opening_plies,
                                   .seed = banyan_rng_child(options->seed, "opening", round),
                                   .dice_seed = game->dice_seed},
            err);
    struct banyan_error problem;
    uint64_t line = round % (uint64_t)plan->openings.count;
    status = opening_parse(&worker->opening, plan->game, worker->start, plan->openings.lines[line],
                           game->dice_seed, &problem);
    return status == BANYAN_OK ? BANYAN_OK
                               : banyan_fail(err, status, "%s:%d: %s", options->openings_path,
                                             plan->openings.numbers[line], problem.message);
}

static enum banyan_status match_game_seat(struct match_worker *worker, struct match_game *game,
                                          struct banyan_error *err)
{
    const struct match_plan *plan = worker->plan;
    struct banyan_player *players[BANYAN_MAX_PLAYERS];
    uint64_t seeds[BANYAN_MAX_PLAYERS];
    int rotation = (int)(game->number % match_rotations(plan));
    uint64_t game_seed = banyan_rng_child(plan->options->seed, "game", (uint64_t)game->number);
    for (int seat = 0; seat < plan->game->players; ++seat) {
        game->seats[seat] = (seat + rotation) % plan->count;
        players[seat] = &worker->players[game->seats[seat]];
        seeds[seat] = banyan_rng_child(game_seed, "seat", (uint64_t)seat);
    }
    return playing_begin(&worker->table, worker->start, players, seeds, game->dice_seed, err);
}

/* relaxed order is enough: the flag only makes the game stop earlier */
static bool match_game_stopped(const struct match_plan *plan)
{
    return banyan_flag_is_set(plan->options->stop) ||
           atomic_load_explicit(&plan->ending, memory_order_relaxed);
}

static enum banyan_status match_game_moves(struct match_worker *worker, struct match_game *game,
                                           struct match_log *log, struct banyan_error *err)
{
    struct playing *table = &worker->table;
    enum banyan_status status = BANYAN_OK;
    game->hash = table->game->key(table->game, worker->start, 0);
    while (playing_movers(table)) {
        int ply = table->plies;
        if (match_game_stopped(worker->plan))
            return banyan_fail(err, BANYAN_INTERRUPTED, "stopped");
        if (ply < worker->opening.plies)
            status = playing_force(table, worker->opening.joints + (size_t)ply * BANYAN_MAX_PLAYERS,
                                   err);
        else
            status = playing_step(table, err);
        if (status != BANYAN_OK)
            return status;
        if (table->plies > ply)
            match_log_joint(log, table, &game->hash);
    }
    return BANYAN_OK;
}

static enum banyan_status match_game_finish(struct match_worker *worker, struct match_game *game,
                                            struct match_log *log, struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX];
    const struct playing *table = &worker->table;
    match_log_add(log, "");
    match_log_close(log);
    game->actions = log->text;
    log->text = NULL;
    table->game->format(table->game, worker->start, text, sizeof text);
    game->start = strdup(text);
    if (log->full || !game->start)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game record");
    game->plies = table->plies;
    game->opening_plies = worker->opening.plies;
    game->overstepped = table->overstepped;
    memcpy(game->played, table->seats, sizeof game->played);
    playing_returns(table, game->returns);
    if (table->game->points)
        table->game->points(table->game, table->state, game->points);
    return BANYAN_OK;
}

enum banyan_status match_game_play(struct match_worker *worker, int64_t number,
                                   struct match_game **out, struct banyan_error *err)
{
    struct match_log log = {.text = NULL};
    double start_ms = clock_now_ms();
    struct match_game *game = calloc(1, sizeof *game);
    *out = NULL;
    if (!game)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
    game->number = number;
    enum banyan_status status = match_game_start(worker, game, err);
    if (status == BANYAN_OK)
        status = match_game_seat(worker, game, err);
    if (status == BANYAN_OK)
        status = match_game_moves(worker, game, &log, err);
    if (status == BANYAN_OK)
        status = match_game_finish(worker, game, &log, err);
    free(log.text);
    if (status != BANYAN_OK) {
        match_game_free(game);
        return status;
    }
    game->elapsed_ms = clock_now_ms() - start_ms;
    *out = game;
    return BANYAN_OK;
}
