/* The one place where the search, its rollouts and its reports apply an action: it asserts that
 * every action is legal.  Tests with recorded games see only the actions that were played, and a
 * search tries many others, so builds with assertions ask the game at every step.
 */
#ifndef SEARCH_APPLY_H
#define SEARCH_APPLY_H

#include <banyan/game.h>

#include <assert.h>

/* Whether joint has a legal action for every mover of state. */
bool apply_is_legal(const struct banyan_game *game, const void *state, const banyan_action joint[]);

static inline void apply_joint(const struct banyan_game *game, void *state,
                               const banyan_action joint[], struct banyan_dice *dice)
{
    assert(apply_is_legal(game, state, joint));
    game->apply(game, state, joint, dice);
}

#endif
