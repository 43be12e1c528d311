/* Checks that a joint action is legal, for the assertion at every step of the search. */
#include "search/apply.h"

#include <stdlib.h>

enum { APPLY_ACTIONS = 1024 }; /* most legal actions that are listed on the stack */

/* Whether action is legal for player; legal: room for max_legal actions. */
static bool apply_has(const struct banyan_game *game, const void *state, int player,
                      banyan_action action, banyan_action *legal)
{
    int count = game->legal(game, state, player, legal);
    for (int i = 0; i < count; ++i)
        if (legal[i] == action)
            return true;
    return false;
}

bool apply_is_legal(const struct banyan_game *game, const void *state, const banyan_action joint[])
{
    banyan_action few[APPLY_ACTIONS], *legal = few;
    unsigned movers = game->movers(game, state);
    bool good = movers != 0;
    if (game->max_legal > APPLY_ACTIONS &&
        !(legal = malloc((size_t)game->max_legal * sizeof *legal)))
        return true; /* without memory for the check the search goes on unchecked */
    for (int p = 0; p < game->players && good; ++p)
        if (movers >> p & 1)
            good = apply_has(game, state, p, joint[p], legal);
    if (legal != few)
        free(legal);
    return good;
}
