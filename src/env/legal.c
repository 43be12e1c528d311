/* The legal actions of many games, listed once after each step. */
#include "env/legal.h"

#include <banyan/observe.h>

#include <stdlib.h>
#include <string.h>

bool legal_create(struct legal *legal, const struct banyan_game *game, size_t lists)
{
    legal->game = game;
    legal->width = (size_t)banyan_policy_width(game);
    legal->actions = calloc(lists * (size_t)game->max_legal, sizeof *legal->actions);
    legal->counts = calloc(lists, sizeof *legal->counts);
    if (game->policy_index)
        legal->places = calloc(lists * legal->width, sizeof *legal->places);
    return legal->actions && legal->counts && (legal->places || !game->policy_index);
}

void legal_destroy(struct legal *legal)
{
    free(legal->actions);
    free(legal->counts);
    free(legal->places);
}

static banyan_action *legal_actions(const struct legal *legal, size_t list)
{
    return legal->actions + list * (size_t)legal->game->max_legal;
}

void legal_list(struct legal *legal, size_t list, const void *state, int player, int8_t *mask)
{
    const struct banyan_game *game = legal->game;
    banyan_action *actions = legal_actions(legal, list);
    int *places = legal->places ? legal->places + list * legal->width : NULL;
    int count = game->legal(game, state, player, actions);
    legal->counts[list] = count;
    if (mask)
        memset(mask, 0, legal->width);
    for (int i = 0; i < count && (places || mask); ++i) {
        int index = places ? game->policy_index(game, state, player, actions[i]) : i;
        if (places)
            places[index] = i;
        if (mask)
            mask[index] = 1;
    }
}

bool legal_find(const struct legal *legal, size_t list, const void *state, int player,
                int64_t index, banyan_action *out)
{
    const struct banyan_game *game = legal->game;
    if (index < 0 || (size_t)index >= legal->width)
        return false;
    size_t at = (size_t)index;
    int place = legal->places ? legal->places[list * legal->width + at] : (int)index;
    if (place >= legal->counts[list])
        return false;
    *out = legal_actions(legal, list)[place];
    return !legal->places || game->policy_index(game, state, player, *out) == index;
}
