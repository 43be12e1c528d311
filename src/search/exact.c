/* Solves small games exactly: a value for each player, and the best actions. */
#include "search/exact.h"

#include "base/movers.h"
#include "base/struct_size.h"
#include "search/apply.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What one level of the recursion needs.  Its block is allocated when first used, and kept. */
struct exact_level {
    void *next;             /* state after the action that is being tried; owns the block */
    banyan_action *actions; /* [max_legal] */
};

struct banyan_exact {
    const struct banyan_game *game;
    struct exact_table table;
    struct exact_level *levels; /* [max_plies] */
    double tolerance;           /* values this close are equal: expectations have rounding errors */
    struct banyan_error *err;   /* of this call; borrowed */
    const banyan_flag *stop;    /* borrowed; NULL: there is no stop flag */
};

static enum banyan_status exact_solve(struct banyan_exact *exact, const void *state, int depth,
                                      double *values);

static enum banyan_status exact_full(const struct banyan_exact *exact)
{
    if (exact->table.refused)
        return banyan_fail(exact->err, BANYAN_NO_MEMORY,
                           "the system does not give more memory for exact values of '%s' (%zu "
                           "states so far; `ulimit -v` shows its limit)",
                           exact->game->name, exact->table.used);
    return banyan_fail(exact->err, BANYAN_NO_MEMORY,
                       "exact values of '%s' do not fit into the memory allowed (%zu states so "
                       "far); allow more or use a smaller game",
                       exact->game->name, exact->table.used);
}

enum banyan_status banyan_exact_create(struct banyan_exact **out, const struct banyan_game *game,
                                       size_t memory_bytes, struct banyan_error *err)
{
    *out = NULL;
    enum banyan_status status =
        struct_size_match("banyan_game", game->struct_size, sizeof *game, err);
    if (status != BANYAN_OK)
        return status;
    if (game->traits & (BANYAN_HIDDEN | BANYAN_SIMULTANEOUS))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "exact values are for games without hidden cards in which one player "
                           "chooses at a time; '%s' is not one",
                           game->name);
    size_t levels_bytes = (size_t)game->max_plies * sizeof(struct exact_level);
    struct banyan_exact *exact = calloc(1, sizeof *exact);
    if (!exact || levels_bytes > memory_bytes || !(exact->levels = calloc(1, levels_bytes))) {
        free(exact);
        return banyan_fail(err, BANYAN_NO_MEMORY, "exact values of '%s' need more than %zu bytes",
                           game->name, memory_bytes);
    }
    exact->game = game;
    exact->tolerance = 1e-9 * ((double)game->return_max - (double)game->return_min);
    exact->table = (struct exact_table){.state_size = game->state_size,
                                        .players = game->players,
                                        .memory_bytes = memory_bytes - levels_bytes};
    *out = exact;
    return BANYAN_OK;
}

void banyan_exact_destroy(struct banyan_exact *exact)
{
    if (!exact)
        return;
    for (int i = 0; i < exact->game->max_plies; ++i)
        free(exact->levels[i].next);
    free(exact->levels);
    exact_table_free(&exact->table);
    free(exact);
}

void banyan_exact_set_stop(struct banyan_exact *exact, const banyan_flag *stop)
{
    exact->stop = stop;
}

uint64_t banyan_exact_states(const struct banyan_exact *exact)
{
    return exact->table.used;
}

/* Room for one level: a state and the actions behind it, in one block. */
static struct exact_level *exact_level(struct banyan_exact *exact, int depth)
{
    struct exact_level *level = &exact->levels[depth];
    size_t aligned = (exact->game->state_size + 15) / 16 * 16;
    size_t bytes = aligned + (size_t)exact->game->max_legal * sizeof *level->actions;
    if (level->next)
        return level;
    if (bytes + exact_table_bytes(&exact->table) > exact->table.memory_bytes)
        return NULL;
    level->next = malloc(bytes);
    exact->table.refused = !level->next;
    if (!level->next)
        return NULL;
    exact->table.memory_bytes -= bytes;
    level->actions = (banyan_action *)(void *)((char *)level->next + aligned);
    return level;
}

/* Writes to values[players] the expectation over the dice of playing action at state. */
static enum banyan_status exact_action(struct banyan_exact *exact, const void *state, int depth,
                                       int player, banyan_action action, double *values)
{
    const struct banyan_game *game = exact->game;
    void *next = exact->levels[depth].next;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    double outcome[BANYAN_MAX_PLAYERS];
    struct banyan_dice dice;
    joint[player] = action;
    memset(values, 0, (size_t)game->players * sizeof *values);
    banyan_dice_enumerated(&dice, NULL, 0);
    do {
        memcpy(next, state, game->state_size);
        apply_joint(game, next, joint, &dice);
        if (dice.failed)
            return banyan_fail(exact->err, BANYAN_UNSUPPORTED, "'%s' has too many dice: %s",
                               game->name, dice.message);
        enum banyan_status status = exact_solve(exact, next, depth + 1, outcome);
        if (status != BANYAN_OK)
            return status;
        for (int p = 0; p < game->players; ++p)
            values[p] += dice.probability * outcome[p];
    } while (banyan_dice_advance(&dice));
    return BANYAN_OK;
}

static void exact_finished(const struct banyan_game *game, const void *state, double *values)
{
    float returns[BANYAN_MAX_PLAYERS];
    game->returns(game, state, returns);
    for (int p = 0; p < game->players; ++p)
        values[p] = (double)returns[p];
}

/* Writes to values[players] those of the mover's best action, the first of equal ones, at an
 * unfinished state. */
static enum banyan_status exact_best(struct banyan_exact *exact, const void *state, int depth,
                                     unsigned movers, double *values)
{
    const struct banyan_game *game = exact->game;
    int player = movers_single(movers) ? movers_first(movers) : -1;
    if (player < 0)
        return banyan_fail(exact->err, BANYAN_UNSUPPORTED,
                           "players of '%s' choose at the same time", game->name);
    if (depth >= game->max_plies)
        return banyan_fail(exact->err, BANYAN_INVALID,
                           "a game of '%s' is not over after max_plies=%d plies: the game's "
                           "max_plies is too small",
                           game->name, game->max_plies);
    struct exact_level *level = exact_level(exact, depth);
    if (!level)
        return exact_full(exact);
    int count = game->legal(game, state, player, level->actions);
    for (int i = 0; i < count; ++i) {
        double found[BANYAN_MAX_PLAYERS];
        enum banyan_status status =
            exact_action(exact, state, depth, player, level->actions[i], found);
        if (status != BANYAN_OK)
            return status;
        if (i == 0 || found[player] > values[player] + exact->tolerance)
            memcpy(values, found, (size_t)game->players * sizeof *values);
    }
    return BANYAN_OK;
}

static enum banyan_status exact_solve(struct banyan_exact *exact, const void *state, int depth,
                                      double *values)
{
    struct exact_table *table = &exact->table;
    size_t bytes = (size_t)table->players * sizeof *values;
    size_t row = exact_table_find(table, state);
    if (row != SIZE_MAX) {
        if (table->marks[row] == EXACT_OPEN)
            return banyan_fail(exact->err, BANYAN_UNSUPPORTED,
                               "'%s' can come back to the same state: no exact values",
                               exact->game->name);
        memcpy(values, exact_table_values(table, row), bytes);
        return BANYAN_OK;
    }
    if (banyan_flag_is_set(exact->stop))
        return banyan_fail(exact->err, BANYAN_INTERRUPTED, "stopped");
    if (exact_table_add(table, state) == SIZE_MAX)
        return exact_full(exact);
    unsigned movers = exact->game->movers(exact->game, state);
    enum banyan_status status = BANYAN_OK;
    if (movers)
        status = exact_best(exact, state, depth, movers, values);
    else
        exact_finished(exact->game, state, values);
    if (status != BANYAN_OK)
        return status;
    row = exact_table_find(table, state);
    table->marks[row] = EXACT_SOLVED;
    memcpy(exact_table_values(table, row), values, bytes);
    return BANYAN_OK;
}

enum banyan_status banyan_exact_value(struct banyan_exact *exact, const void *state, double *values,
                                      struct banyan_error *err)
{
    exact->err = err;
    exact->table.refused = false;
    enum banyan_status status = exact_solve(exact, state, 0, values);
    if (status != BANYAN_OK)
        exact_table_free(&exact->table); /* otherwise its open states would look like cycles */
    return status;
}

enum banyan_status banyan_exact_actions(struct banyan_exact *exact, const void *state,
                                        struct banyan_exact_action *rows, int *count,
                                        struct banyan_error *err)
{
    double values[BANYAN_MAX_PLAYERS];
    unsigned movers = exact->game->movers(exact->game, state);
    assert(movers);
    enum banyan_status status = banyan_exact_value(exact, state, values, err);
    if (status != BANYAN_OK)
        return status;
    int player = movers_single(movers) ? movers_first(movers) : -1;
    double best = values[player];
    struct exact_level *level = exact_level(exact, 0);
    if (!level)
        return exact_full(exact);
    *count = exact->game->legal(exact->game, state, player, level->actions);
    int optimal = 0;
    for (int i = 0; i < *count; ++i) {
        /* solved already: this only looks the value up */
        status = exact_action(exact, state, 0, player, level->actions[i], values);
        if (status != BANYAN_OK)
            return status;
        rows[i] =
            (struct banyan_exact_action){.action = level->actions[i],
                                         .value = values[player],
                                         .optimal = values[player] >= best - exact->tolerance};
        optimal += rows[i].optimal;
    }
    if (!optimal)
        return banyan_fail(
            err, BANYAN_INVALID,
            "no action of '%s' has the value of its state: its rules do not do the same twice",
            exact->game->name);
    return BANYAN_OK;
}
