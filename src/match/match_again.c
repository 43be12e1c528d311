/* Plays the record of a game from another process again, and refuses one that breaks the rules. */
#include "match/match_game.h"

#include <math.h>
#include <string.h>

/* Sets the texts of the players to those of the plan. */
static enum banyan_status again_players(struct match_worker *worker, struct match_game *game,
                                        struct banyan_error *err)
{
    const struct match_plan *plan = worker->plan;
    enum banyan_status status = BANYAN_OK;
    for (int seat = 0; status == BANYAN_OK && seat < plan->game->players; ++seat)
        status = game_record_player(&game->record, seat,
                                    match_plan_text(plan, seat, game->seats[seat]), err);
    return status;
}

/* Checks that the rules allow the ply, and that a ply of the opening is that of the match. */
static enum banyan_status again_check(struct match_worker *worker, const struct game_step *step,
                                      struct banyan_error *err)
{
    struct playing *table = &worker->table;
    const struct opening *opening = &worker->opening;
    unsigned movers = playing_movers(table);
    if (!movers || step->movers != movers)
        return banyan_fail(err, BANYAN_ILLEGAL, "ply %d: others choose there, or nobody",
                           table->plies + 1);
    for (int seat = 0; seat < table->game->players; ++seat) {
        if (!(movers >> seat & 1))
            continue;
        size_t at = (size_t)table->plies * BANYAN_MAX_PLAYERS + (size_t)seat;
        if (!playing_is_legal(table, seat, step->joint[seat]))
            return banyan_fail(err, BANYAN_ILLEGAL, "ply %d: an action that is not legal",
                               table->plies + 1);
        if (table->plies < opening->plies && step->joint[seat] != opening->joints[at])
            return banyan_fail(err, BANYAN_ILLEGAL, "ply %d: not the match's opening",
                               table->plies + 1);
    }
    return BANYAN_OK;
}

/* Adds the time and the simulations that the movers used, as the record says. */
static void again_charge(struct playing *table, const struct game_step *step)
{
    for (int seat = 0; seat < table->game->players; ++seat) {
        const struct game_thought *thought = &step->thoughts[seat];
        struct playing_seat *at = &table->seats[seat];
        if (!(step->movers >> seat & 1))
            continue;
        double elapsed_ms = thought->elapsed_ms > 0 ? thought->elapsed_ms : 0;
        ++at->decisions;
        at->simulations += thought->simulations;
        at->elapsed_ms += elapsed_ms;
        at->longest_ms = fmax(at->longest_ms, elapsed_ms);
    }
}

static enum banyan_status again_ply(struct match_worker *worker, struct match_game *game,
                                    const struct game_step *step, struct banyan_error *err)
{
    struct playing *table = &worker->table;
    enum banyan_status status = again_check(worker, step, err);
    if (status == BANYAN_OK)
        status = playing_force(table, step->joint, err);
    if (status != BANYAN_OK)
        return status;
    if (table->plies > worker->opening.plies) {
        memcpy(table->thoughts, step->thoughts, sizeof table->thoughts);
        again_charge(table, step);
    }
    return match_game_record(game, table, err);
}

/* The game has to be over, by the rules or by a clock. */
static enum banyan_status again_end(struct match_worker *worker, const struct game_record *record,
                                    struct match_game *game, struct banyan_error *err)
{
    struct playing *table = &worker->table;
    if (table->time.clock_ms > 0 && playing_movers(table))
        table->overstepped = record->overstepped;
    if (playing_movers(table) || table->plies < worker->opening.plies)
        return banyan_fail(err, BANYAN_ILLEGAL, "the game is not over after %d plies",
                           table->plies);
    match_game_finish(worker, game);
    for (int seat = 0; seat < table->game->players; ++seat)
        game->elapsed_ms += game->played[seat].elapsed_ms;
    bool same = record->finished;
    for (int seat = 0; seat < table->game->players; ++seat)
        same = same && game->record.returns[seat] == record->returns[seat];
    return same ? BANYAN_OK
                : banyan_fail(err, BANYAN_ILLEGAL, "by the rules the game ends in another way");
}

static enum banyan_status again_play(struct match_worker *worker, const struct game_record *record,
                                     struct match_game *game, struct banyan_error *err)
{
    const struct banyan_game *rules = worker->plan->game;
    if (record->game != rules)
        return banyan_fail(err, BANYAN_ILLEGAL, "it is a game of %s", record->game->name);
    enum banyan_status status = match_game_start(worker, game, err);
    if (status == BANYAN_OK)
        status = again_players(worker, game, err);
    if (status != BANYAN_OK)
        return status;
    playing_begin_alone(&worker->table, worker->start, game->record.dice_seed);
    game->hash = rules->key(rules, worker->start, 0);
    for (int ply = 0; status == BANYAN_OK && ply < record->plies; ++ply)
        status = again_ply(worker, game, &record->steps[ply], err);
    return status == BANYAN_OK ? again_end(worker, record, game, err) : status;
}

enum banyan_status match_game_again(struct match_worker *worker, int64_t number,
                                    const struct game_record *record, struct match_game **out,
                                    struct banyan_error *err)
{
    struct match_game *game = match_game_create(number, worker->plan, err);
    *out = NULL;
    if (!game)
        return BANYAN_NO_MEMORY;
    enum banyan_status status = again_play(worker, record, game, err);
    if (status == BANYAN_OK)
        *out = game;
    else
        match_game_free(game);
    return status;
}
