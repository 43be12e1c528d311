/* Plays one game step by step: state, dice, clocks and players. */
#include "match/playing.h"

#include "base/clock.h"
#include "players/budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum banyan_status playing_create(struct playing *table, const struct banyan_game *game,
                                  struct banyan_error *err)
{
    memset(table, 0, sizeof *table);
    table->game = game;
    table->overstepped = -1;
    table->state = calloc(1, game->state_size);
    table->before = malloc(game->state_size);
    table->actions = malloc((size_t)game->max_legal * sizeof *table->actions);
    table->fallen = malloc(PLAYING_DICE * sizeof *table->fallen);
    if (table->state && table->before && table->actions && table->fallen)
        return BANYAN_OK;
    playing_destroy(table);
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game of '%s'", game->name);
}

void playing_destroy(struct playing *table)
{
    free(table->state);
    free(table->before);
    free(table->actions);
    free(table->fallen);
    table->fallen = NULL;
    table->state = table->before = NULL;
    table->actions = NULL;
}

void playing_begin_alone(struct playing *table, const void *state, uint64_t dice_seed)
{
    memcpy(table->state, state, table->game->state_size);
    banyan_rng_seed(&table->rng, dice_seed);
    banyan_dice_drawn(&table->dice, &table->rng);
    table->dice.log = table->fallen;
    table->dice.log_max = PLAYING_DICE;
    table->overstepped = -1;
    table->plies = 0;
    table->moved = 0;
    for (int seat = 0; seat < table->game->players; ++seat)
        table->seats[seat] = (struct playing_seat){.left_ms = table->time.clock_ms};
}

enum banyan_status playing_begin(struct playing *table, const void *state,
                                 struct banyan_player *const players[], const uint64_t seeds[],
                                 uint64_t dice_seed, struct banyan_error *err)
{
    playing_begin_alone(table, state, dice_seed);
    for (int seat = 0; seat < table->game->players; ++seat) {
        struct banyan_player *player = players[seat];
        table->seats[seat].player = player;
        enum banyan_status status = player->open(player->ctx, state, seat, seeds[seat], err);
        if (status != BANYAN_OK)
            return status;
    }
    return BANYAN_OK;
}

unsigned playing_movers(const struct playing *table)
{
    return table->overstepped >= 0 ? 0 : table->game->movers(table->game, table->state);
}

static void playing_nobody_thought(struct playing *table)
{
    for (int seat = 0; seat < table->game->players; ++seat)
        table->thoughts[seat] =
            (struct game_thought){.value = (double)NAN, .elapsed_ms = (double)NAN};
}

/* Plays joint, and tells all players. */
static enum banyan_status playing_apply(struct playing *table, const banyan_action joint[],
                                        struct banyan_error *err)
{
    const struct banyan_game *game = table->game;
    memcpy(table->joint, joint, (size_t)game->players * sizeof *joint);
    memcpy(table->before, table->state, game->state_size);
    table->moved = game->movers(game, table->state);
    game->apply(game, table->state, joint, &table->dice);
    ++table->plies;
    for (int seat = 0; seat < game->players; ++seat) {
        struct banyan_player *player = table->seats[seat].player;
        if (!player || !player->observe)
            continue;
        enum banyan_status status =
            player->observe(player->ctx, table->before, table->joint, table->state, err);
        if (status != BANYAN_OK)
            return status;
    }
    return BANYAN_OK;
}

enum banyan_status playing_force(struct playing *table, const banyan_action joint[],
                                 struct banyan_error *err)
{
    playing_nobody_thought(table);
    return playing_apply(table, joint, err);
}

bool playing_is_legal(struct playing *table, int seat, banyan_action action)
{
    int count = table->game->legal(table->game, table->state, seat, table->actions);
    for (int i = 0; i < count; ++i)
        if (table->actions[i] == action)
            return true;
    return false;
}

static struct banyan_player_clock playing_clock(const struct playing *table)
{
    struct banyan_player_clock clock =
        budget_per_move(table->time.move_ms > 0 ? table->time.move_ms : -1);
    if (table->time.clock_ms > 0) {
        clock.increment_ms = table->time.increment_ms;
        for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
            clock.left_ms[p] = p < table->game->players ? table->seats[p].left_ms : -1;
    }
    clock.stop = table->stop;
    return clock;
}

/* Adds the time of one decision to the statistics, and takes it from the clock. */
static void playing_charge(struct playing *table, int seat, double elapsed_ms)
{
    struct playing_seat *at = &table->seats[seat];
    ++at->decisions;
    at->elapsed_ms += elapsed_ms;
    if (elapsed_ms > at->longest_ms)
        at->longest_ms = elapsed_ms;
    if (table->time.clock_ms <= 0)
        return;
    at->left_ms -= elapsed_ms;
    if (at->left_ms < 0 && table->overstepped < 0)
        table->overstepped = seat;
    at->left_ms += table->time.increment_ms;
}

static enum banyan_status playing_ask(struct playing *table, int seat, banyan_action *out,
                                      struct banyan_error *err)
{
    struct banyan_player *player = table->seats[seat].player;
    struct banyan_player_clock clock = playing_clock(table);
    struct banyan_player_move move;
    double start_ms = clock_now_ms();
    enum banyan_status status = player->choose(player->ctx, table->state, &clock, &move, err);
    /* the decision may have been ended early */
    if (status == BANYAN_OK && banyan_flag_is_set(table->stop))
        status = banyan_fail(err, BANYAN_INTERRUPTED, "stopped");
    if (status != BANYAN_OK)
        return status;
    double elapsed_ms = clock_now_ms() - start_ms;
    playing_charge(table, seat, elapsed_ms);
    table->thoughts[seat] = (struct game_thought){move.value, elapsed_ms, move.simulations};
    table->seats[seat].simulations += move.simulations;
    *out = move.action;
    if (!playing_is_legal(table, seat, move.action))
        return banyan_fail(err, BANYAN_ILLEGAL, "player '%s' chose an action that is not legal",
                           player->name);
    return BANYAN_OK;
}

enum banyan_status playing_step(struct playing *table, struct banyan_error *err)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    unsigned movers = table->game->movers(table->game, table->state);
    playing_nobody_thought(table);
    for (int seat = 0; seat < table->game->players; ++seat) {
        if (!(movers >> seat & 1))
            continue;
        enum banyan_status status = playing_ask(table, seat, &joint[seat], err);
        if (status != BANYAN_OK)
            return status;
    }
    if (table->overstepped >= 0)
        return BANYAN_OK; /* the player's time was over: the action does not count */
    return playing_apply(table, joint, err);
}
