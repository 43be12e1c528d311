/* States of nodes: the tree keeps none, so they are made again from the root's state by the tree's actions. */
#include "search/states.h"
#include "base/text.h"
#include "search/search.h"

#include <stdlib.h>

enum {
    STATES_TRIES = 256, /* draws in search of a state that has an outcome's key */
    STATES_DICE = 32    /* most dice that a label names */
};

bool states_begin(struct states *states, const struct banyan_search *search, uint64_t seed)
{
    states->search = search;
    banyan_rng_seed(&states->rng, banyan_rng_child(seed, "report", 0));
    states->legal = malloc((size_t)search->game->max_legal * sizeof *states->legal);
    return states->legal;
}

void states_end(struct states *states)
{
    free(states->legal);
}

/* Adds to the label who chose what. */
static void states_tell_choice(const struct banyan_game *game, struct text *label,
                               const void *state, int player, banyan_action action)
{
    char text[STATES_LABEL];
    game->action_format(game, state, player, action, text, sizeof text);
    text_add(label, "%s%s %s", label->length ? ", " : "", banyan_game_player_name(game, player),
             text);
}

/* Adds the results of the dice to the label, except in games with hidden information, where the
 * players may not have seen them. */
static void states_tell_dice(const struct banyan_game *game, struct text *label,
                             struct banyan_dice *dice)
{
    if (dice->log_count && game->dice_kinds && !(game->traits & BANYAN_HIDDEN)) {
        text_add(label, label->length ? ", " : "");
        text_add_dice(label, game->dice_kinds, dice->log, dice->log_count);
    }
    dice->log_count = 0;
}

/* Plays the mover's action, and draws the dice and the other players' choices until player must
 * choose (player < 0: until any player must).  False: the game ended before. */
static bool states_play(struct states *states, void *state, int mover, banyan_action action,
                        int player)
{
    const struct banyan_game *game = states->search->game;
    struct banyan_dice dice;
    struct banyan_die fallen[STATES_DICE];
    struct text label = text_start(states->label, sizeof states->label);
    banyan_dice_drawn(&dice, &states->rng);
    dice.log = fallen;
    dice.log_max = STATES_DICE;
    for (int ply = 0; ply < game->max_plies; ++ply) {
        unsigned movers = game->movers(game, state);
        if (!movers)
            return false;
        if (ply > 0 && (player < 0 || movers >> player & 1))
            return true;
        banyan_action joint[BANYAN_MAX_PLAYERS];
        for (int p = 0; p < game->players; ++p) {
            if (!(movers >> p & 1))
                continue;
            uint32_t count = (uint32_t)game->legal(game, state, p, states->legal);
            joint[p] = states->legal[banyan_rng_below(&states->rng, count)];
        }
        if (ply == 0)
            joint[mover] = action;
        for (int p = 0; p < game->players; ++p)
            if (movers >> p & 1 && (ply > 0 || p != mover))
                states_tell_choice(game, &label, state, p, joint[p]);
        apply_joint(game, state, joint, &dice);
        states_tell_dice(game, &label, &dice);
    }
    return false;
}

bool states_is_legal(struct states *states, const void *state, int player, banyan_action action)
{
    const struct banyan_game *game = states->search->game;
    if (!state || !(game->movers(game, state) >> player & 1))
        return false;
    int count = game->legal(game, state, player, states->legal);
    for (int i = 0; i < count; ++i)
        if (states->legal[i] == action)
            return true;
    return false;
}

/* Whether the player, or with -1 any mover, sees the key in state. */
static bool states_shows(const struct banyan_search *search, const void *state, int player,
                         uint64_t key)
{
    unsigned movers = search->game->movers(search->game, state);
    for (int p = 0; p < search->game->players; ++p)
        if ((movers >> p & 1) && (player < 0 || p == player) &&
            search_node_key(search, state, p) == key)
            return true;
    return false;
}

bool states_find(struct states *states, const struct states_step *step, uint64_t key, int player,
                 void *out)
{
    const void *before = step->state;
    int mover = step->mover;
    banyan_action action = step->action;
    const struct banyan_game *game = states->search->game;
    bool own = states->search->trees > 1;
    if (!states_is_legal(states, before, mover, action))
        return false;
    for (int i = 0; i < STATES_TRIES; ++i) {
        memcpy(out, before, game->state_size);
        if (states_play(states, out, mover, action, own ? mover : -1) &&
            states_shows(states->search, out, player, key))
            return true;
    }
    return false;
}

void states_after(const struct banyan_game *game, const struct states_step *step, void *out)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    memcpy(out, step->state, game->state_size);
    joint[step->mover] = step->action;
    apply_joint(game, out, joint, NULL);
}
