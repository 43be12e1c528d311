/* The legal actions of many games, listed once after each step: they give the masks, and the actions of the
 * next step are looked up in them.
 *
 *      places[index] --> actions[place]      index: in the policy head; without one it is the place itself
 *
 * places[] is never cleared: an index is legal if its place is in the list and the action there has this
 * index.
 */
#ifndef ENV_LEGAL_H
#define ENV_LEGAL_H

#include <banyan/game.h>

#include <stdbool.h>
#include <stdint.h>

struct legal {
    const struct banyan_game *game; /* borrowed */
    size_t width;                   /* banyan_policy_width */
    banyan_action *actions;         /* [lists][max_legal] */
    int *counts;                    /* [lists] */
    int *places;                    /* [lists][width]; NULL: there is no policy head */
};

/* Makes empty lists; false: no memory.  In any case legal_destroy frees what there is. */
bool legal_create(struct legal *legal, const struct banyan_game *game, size_t lists);
void legal_destroy(struct legal *legal);

/* Lists what player, a mover, may do; mask[width] is written unless it is NULL. */
void legal_list(struct legal *legal, size_t list, const void *state, int player, int8_t *mask);

/* Looks up an index in the list of this state and player; false: it is not legal. */
bool legal_find(const struct legal *legal, size_t list, const void *state, int player,
                int64_t index, banyan_action *out);

#endif
