/* Plays one game of a match, and records it. */
#include "match/match_game.h"

#include "base/clock.h"
#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

void match_game_free(struct match_game *game)
{
    if (!game)
        return;
    game_record_free(&game->record);
    free(game);
}

struct match_outcome match_game_outcome(const struct match_game *game)
{
    return (struct match_outcome){.number = game->number,
                                  .seats = game->seats,
                                  .returns = game->record.returns,
                                  .overstepped = game->record.overstepped};
}

static enum banyan_status match_worker_player(const struct match_plan *plan, const char *text,
                                              int number, struct banyan_player *out,
                                              struct banyan_error *err)
{
    uint64_t seed = banyan_rng_child(plan->options->seed, "player", (uint64_t)number);
    return banyan_player_create(plan->game, text, plan->options->offers, seed, out, err);
}

/* Creates the players, and all of them once more for every seat that has a handicap. */
static enum banyan_status match_worker_players(struct match_worker *worker,
                                               struct banyan_error *err)
{
    const struct match_plan *plan = worker->plan;
    enum banyan_status status = BANYAN_OK;
    if (plan->options->host || plan->elsewhere)
        return BANYAN_OK;
    for (int i = 0; status == BANYAN_OK && i < plan->count; ++i)
        status = match_worker_player(plan, plan->specs[i], i, &worker->players[i], err);
    for (int seat = 0; status == BANYAN_OK && seat < plan->game->players; ++seat) {
        if (!plan->options->handicaps[seat])
            continue;
        struct banyan_player *players = calloc((size_t)plan->count, sizeof *players);
        worker->handicapped[seat] = players;
        if (!players)
            return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a match");
        for (int i = 0; status == BANYAN_OK && i < plan->count; ++i)
            status = match_worker_player(plan, match_plan_text(plan, seat, i), i, &players[i], err);
    }
    return status;
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
    if (status == BANYAN_OK)
        status = match_worker_players(worker, err);
    if (status != BANYAN_OK)
        match_worker_destroy(worker);
    return status;
}

void match_worker_destroy(struct match_worker *worker)
{
    for (int i = 0; i < MATCH_MAX_PLAYERS; ++i)
        banyan_player_close(&worker->players[i]);
    for (int seat = 0; seat < BANYAN_MAX_PLAYERS; ++seat) {
        struct banyan_player *players = worker->handicapped[seat];
        for (int i = 0; players && i < worker->plan->count; ++i)
            banyan_player_close(&players[i]);
        free(players);
        worker->handicapped[seat] = NULL;
    }
    playing_destroy(&worker->table);
    opening_destroy(&worker->opening);
    free(worker->start);
    worker->start = NULL;
}

int match_rotations(const struct match_plan *plan)
{
    return plan->count;
}

/* --- one game --- */

/* Sets up the start of a game and begins its record. */
static enum banyan_status match_game_init(struct match_worker *worker, struct match_game *game,
                                          const char *setup, struct banyan_error *err)
{
    const struct match_plan *plan = worker->plan;
    const struct match_options *options = plan->options;
    struct game_record *record = &game->record;
    struct banyan_rng rng;
    uint64_t setup_seed = banyan_rng_child(options->seed, "setup", (uint64_t)game->round);
    banyan_rng_seed(&rng, setup_seed);
    enum banyan_status status = plan->game->init(plan->game, worker->start, setup, &rng, err);
    if (status != BANYAN_OK)
        return status;
    if (!plan->game->movers(plan->game, worker->start))
        return banyan_fail(err, BANYAN_INVALID, "the game is over at its start");
    status = game_record_begin(record, plan->game, worker->start, err);
    record->number = game->number;
    record->setup_seed = setup_seed;
    record->dice_seed = banyan_rng_child(options->seed, "dice", (uint64_t)game->round);
    record->has_seeds = true;
    record->limits = (struct game_limits){options->time.move_ms, options->time.clock_ms,
                                          options->time.increment_ms};
    return status;
}

/* Starts a game with a line of the file of openings. */
static enum banyan_status match_game_line(struct match_worker *worker, struct match_game *game,
                                          struct banyan_error *err)
{
    const struct match_plan *plan = worker->plan;
    const struct opening_list *list = &plan->openings;
    uint64_t line = (uint64_t)game->round % (uint64_t)list->count;
    struct banyan_error problem;
    const char *actions;
    char *setup;
    enum banyan_status status = opening_split(list->lines[line], &setup, &actions, &problem);
    if (status == BANYAN_OK)
        status = match_game_init(worker, game, setup ? setup : plan->options->setup, &problem);
    if (status == BANYAN_OK)
        status = opening_parse(&worker->opening, plan->game, worker->start, actions,
                               game->record.dice_seed, &problem);
    free(setup);
    return status == BANYAN_OK ? BANYAN_OK
                               : banyan_fail(err, status, "%s:%d: %s", plan->options->openings_path,
                                             list->numbers[line], problem.message);
}

/* Starts a game with random plies, or with none. */
static enum banyan_status match_game_plies(struct match_worker *worker, struct match_game *game,
                                           struct banyan_error *err)
{
    const struct match_options *options = worker->plan->options;
    uint64_t seed = banyan_rng_child(options->seed, "opening", (uint64_t)game->round);
    enum banyan_status status = match_game_init(worker, game, options->setup, err);
    if (status != BANYAN_OK)
        return status;
    return opening_random(&worker->opening, worker->plan->game, worker->start,
                          &(struct opening_wish){.plies = options->opening_plies,
                                                 .seed = seed,
                                                 .dice_seed = game->record.dice_seed},
                          err);
}

enum banyan_status match_game_start(struct match_worker *worker, struct match_game *game,
                                    struct banyan_error *err)
{
    return worker->plan->openings.count ? match_game_line(worker, game, err)
                                        : match_game_plies(worker, game, err);
}

static enum banyan_status match_game_seat(struct match_worker *worker, struct match_game *game,
                                          struct banyan_error *err)
{
    const struct match_plan *plan = worker->plan;
    struct banyan_player *players[BANYAN_MAX_PLAYERS];
    uint64_t seeds[BANYAN_MAX_PLAYERS];
    uint64_t game_seed = banyan_rng_child(plan->options->seed, "game", (uint64_t)game->number);
    for (int seat = 0; seat < plan->game->players; ++seat) {
        struct banyan_player *seated = worker->handicapped[seat];
        players[seat] = (seated ? seated : worker->players) + game->seats[seat];
        seeds[seat] = banyan_rng_child(game_seed, "seat", (uint64_t)seat);
        enum banyan_status status = game_record_player(
            &game->record, seat, match_plan_text(plan, seat, game->seats[seat]), err);
        if (status != BANYAN_OK)
            return status;
    }
    return playing_begin(&worker->table, worker->start, players, seeds, game->record.dice_seed,
                         err);
}

/* relaxed order is enough: the flag only makes the game stop earlier */
static bool match_game_stopped(const struct match_plan *plan)
{
    return banyan_flag_is_set(plan->options->stop) ||
           atomic_load_explicit(&plan->ending, memory_order_relaxed);
}

enum banyan_status match_game_record(struct match_game *game, struct playing *table,
                                     struct banyan_error *err)
{
    for (int seat = 0; seat < table->game->players; ++seat)
        if (table->moved >> seat & 1)
            game->hash = rng_mix(game->hash ^ table->joint[seat]) + (uint64_t)seat;
    return game_record_step(&game->record,
                            &(struct game_played){.before = table->before,
                                                  .movers = table->moved,
                                                  .joint = table->joint,
                                                  .dice = &table->dice,
                                                  .thoughts = table->thoughts},
                            err);
}

static enum banyan_status match_game_moves(struct match_worker *worker, struct match_game *game,
                                           struct banyan_error *err)
{
    struct playing *table = &worker->table;
    enum banyan_status status = BANYAN_OK;
    game->hash = table->game->key(table->game, worker->start, 0);
    while (status == BANYAN_OK && playing_movers(table)) {
        int ply = table->plies;
        if (match_game_stopped(worker->plan))
            return banyan_fail(err, BANYAN_INTERRUPTED, "stopped");
        if (ply < worker->opening.plies)
            status = playing_force(table, worker->opening.joints + (size_t)ply * BANYAN_MAX_PLAYERS,
                                   err);
        else
            status = playing_step(table, err);
        if (status == BANYAN_OK && table->plies > ply)
            status = match_game_record(game, table, err);
    }
    return status;
}

void match_game_finish(struct match_worker *worker, struct match_game *game)
{
    const struct playing *table = &worker->table;
    game->record.opening_plies = worker->opening.plies;
    game->record.overstepped = table->overstepped;
    memcpy(game->played, table->seats, sizeof game->played);
    game_record_end(&game->record, table->state);
}

/* Plays the game with the worker's players. */
static enum banyan_status match_game_here(struct match_worker *worker, struct match_game *game,
                                          struct banyan_error *err)
{
    enum banyan_status status = match_game_start(worker, game, err);
    if (status == BANYAN_OK)
        status = match_game_seat(worker, game, err);
    if (status == BANYAN_OK)
        status = match_game_moves(worker, game, err);
    if (status == BANYAN_OK)
        match_game_finish(worker, game);
    return status;
}

/* Lets the host of the match play the game. */
static enum banyan_status match_game_host(const struct match_plan *plan, struct match_game *game,
                                          struct banyan_error *err)
{
    const struct match_host *host = plan->options->host;
    struct game_record *record = &game->record;
    enum banyan_status status = host->play(host->ctx, game, err);
    if (status != BANYAN_OK)
        return status;
    record->number = game->number;
    for (const char *at = record->start; *at; ++at)
        game->hash = rng_mix(game->hash ^ (unsigned char)*at) + 1;
    for (size_t i = 0; i < record->text_used; ++i)
        game->hash = rng_mix(game->hash ^ (unsigned char)record->texts[i]) + 1;
    return BANYAN_OK;
}

struct match_game *match_game_create(int64_t number, const struct match_plan *plan,
                                     struct banyan_error *err)
{
    int rotations = match_rotations(plan);
    struct match_game *game = calloc(1, sizeof *game);
    if (!game) {
        banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
        return NULL;
    }
    game->number = number;
    game->round = number / rotations;
    for (int seat = 0; seat < plan->game->players; ++seat)
        game->seats[seat] = (seat + (int)(number % rotations)) % plan->count;
    return game;
}

enum banyan_status match_game_play(struct match_worker *worker, int64_t number,
                                   struct match_game **out, struct banyan_error *err)
{
    double start_ms = clock_now_ms();
    struct match_game *game = match_game_create(number, worker->plan, err);
    *out = NULL;
    if (!game)
        return BANYAN_NO_MEMORY;
    enum banyan_status status = worker->plan->options->host
                                    ? match_game_host(worker->plan, game, err)
                                    : match_game_here(worker, game, err);
    if (status != BANYAN_OK) {
        match_game_free(game);
        return status;
    }
    game->elapsed_ms = clock_now_ms() - start_ms;
    *out = game;
    return BANYAN_OK;
}
