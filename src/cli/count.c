/* Counts the leaves of a game tree to a given depth (perft). */
#include "cli/count.h"

#include "base/movers.h"

#include <stdlib.h>
#include <string.h>

enum banyan_status count_open(struct count *count, const struct banyan_game *game, int depth,
                              struct banyan_error *err)
{
    size_t plies = (size_t)depth + 1;
    *count = (struct count){.game = game};
    count->states = malloc(plies * game->state_size);
    count->actions =
        malloc(plies * (size_t)game->players * (size_t)game->max_legal * sizeof *count->actions);
    if (count->states && count->actions)
        return BANYAN_OK;
    count_close(count);
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %d plies of %s", depth, game->name);
}

void count_close(struct count *count)
{
    free(count->states);
    free(count->actions);
    count->states = NULL;
    count->actions = NULL;
}

static banyan_action *count_room(const struct count *count, int ply)
{
    const struct banyan_game *game = count->game;
    return count->actions + (size_t)ply * (size_t)game->players * (size_t)game->max_legal;
}

struct count_choices count_choose(const struct count *count, const void *state, int ply)
{
    const struct banyan_game *game = count->game;
    size_t stride = (size_t)game->max_legal;
    banyan_action *room = count_room(count, ply);
    unsigned movers = game->movers(game, state);
    struct count_choices choices;
    choices.movers = 0;
    choices.joint = movers != 0;
    for (int p = 0; movers >> p; ++p) {
        if (!(movers >> p & 1))
            continue;
        int at = choices.movers++;
        choices.player[at] = p;
        choices.count[at] = game->legal(game, state, p, room);
        choices.actions[at] = room;
        choices.joint *= (uint64_t)choices.count[at];
        room += stride;
    }
    return choices;
}

void count_joint(const struct count_choices *choices, uint64_t index, banyan_action joint[])
{
    for (int m = 0; m < choices->movers; ++m) {
        uint64_t count = (uint64_t)choices->count[m];
        joint[choices->player[m]] = choices->actions[m][index % count];
        index /= count;
    }
}

static uint64_t count_after_dice(struct count *count, const void *state,
                                 const banyan_action joint[], int ply, int depth)
{
    const struct banyan_game *game = count->game;
    unsigned char *next = count->states + (size_t)(ply + 1) * game->state_size;
    uint64_t leaves = 0;
    struct banyan_dice dice;
    banyan_dice_enumerated(&dice, NULL, 0);
    do {
        memcpy(next, state, game->state_size);
        game->apply(game, next, joint, &dice);
        leaves += depth == 1 ? 1 : count_leaves(count, next, ply + 1, depth - 1);
    } while (banyan_dice_advance(&dice));
    count->overflow |= dice.failed;
    return leaves;
}

uint64_t count_after(struct count *count, const void *state, const banyan_action joint[], int ply,
                     int depth)
{
    const struct banyan_game *game = count->game;
    if (game->traits & BANYAN_CHANCE)
        return count_after_dice(count, state, joint, ply, depth);
    if (depth == 1)
        return 1;
    unsigned char *next = count->states + (size_t)(ply + 1) * game->state_size;
    memcpy(next, state, game->state_size);
    game->apply(game, next, joint, NULL);
    return count_leaves(count, next, ply + 1, depth - 1);
}

/* Whether one player moves, and nothing is left to dice. */
static bool count_is_plain(const struct count *count, unsigned movers)
{
    return movers_single(movers) && !(count->game->traits & BANYAN_CHANCE);
}

/* count_leaves() at the last ply, where most of the time goes: a plain state is counted without arrays on the stack. */
static inline uint64_t count_last(struct count *count, const void *state, int ply)
{
    const struct banyan_game *game = count->game;
    unsigned movers = game->movers(game, state);
    if (game->legal_count && count_is_plain(count, movers))
        return (uint64_t)game->legal_count(game, state, movers_first(movers));
    return count_leaves(count, state, ply, 1);
}

/* memcpy() without a function call for small sizes: the call would take longer than the copy of a few words. */
static inline void count_copy(void *to, const void *from, size_t size)
{
    switch (size) {
    case 8:
        memcpy(to, from, 8);
        return;
    case 16:
        memcpy(to, from, 16);
        return;
    case 24:
        memcpy(to, from, 24);
        return;
    default:
        memcpy(to, from, size);
    }
}

/* count_leaves() of a plain state two plies before the leaves. */
static uint64_t count_two_plies(struct count *count, const void *state, int player)
{
    int ended;
    uint64_t leaves = count->game->legal_count_after(count->game, state, player, &ended);
    count->ended += (uint64_t)ended;
    return leaves;
}

/* count_leaves() of a plain state. */
static uint64_t count_alone(struct count *count, const void *state, int player, int ply, int depth)
{
    const struct banyan_game *game = count->game;
    if (depth == 2 && game->legal_count_after)
        return count_two_plies(count, state, player);
    banyan_action joint[BANYAN_MAX_PLAYERS], *actions = count_room(count, ply);
    int legal = game->legal(game, state, player, actions);
    if (depth == 1)
        return (uint64_t)legal;
    unsigned char *next = count->states + (size_t)(ply + 1) * game->state_size;
    uint64_t leaves = 0;
    for (int i = 0; i < legal; ++i) {
        count_copy(next, state, game->state_size);
        joint[player] = actions[i];
        game->apply(game, next, joint, NULL);
        leaves += depth == 2 ? count_last(count, next, ply + 1)
                             : count_leaves(count, next, ply + 1, depth - 1);
    }
    return leaves;
}

/* count_leaves() of any other state. */
static uint64_t count_joints(struct count *count, const void *state, int ply, int depth)
{
    struct count_choices choices = count_choose(count, state, ply);
    if (choices.movers == 0) {
        ++count->ended;
        return 0;
    }
    if (depth == 1 && !(count->game->traits & BANYAN_CHANCE))
        return choices.joint;
    uint64_t leaves = 0;
    banyan_action joint[BANYAN_MAX_PLAYERS];
    for (uint64_t i = 0; i < choices.joint; ++i) {
        count_joint(&choices, i, joint);
        leaves += count_after(count, state, joint, ply, depth);
    }
    return leaves;
}

uint64_t count_leaves(struct count *count, const void *state, int ply, int depth)
{
    if (depth == 0)
        return 1;
    unsigned movers = count->game->movers(count->game, state);
    return count_is_plain(count, movers)
               ? count_alone(count, state, movers_first(movers), ply, depth)
               : count_joints(count, state, ply, depth);
}
