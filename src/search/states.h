/* States of nodes: the tree keeps none, so they are made again from the root's state by the tree's actions.
 *
 * Where an action has one outcome it is applied again.  Elsewhere dice and the other players' choices
 * are drawn until the outcome's key is met.
 */
#ifndef SEARCH_STATES_H
#define SEARCH_STATES_H

#include <banyan/search.h>

enum { STATES_LABEL = 64 };

struct states {
    const struct banyan_search *search;
    struct banyan_rng rng; /* its own, so that looking changes no search */
    banyan_action *legal;  /* [max_legal] */
    /* what dice and the other players decided in the last states_find */
    char label[STATES_LABEL];
};

/* An action of a state. */
struct states_step {
    const void *state; /* NULL: not known */
    int mover;
    banyan_action action;
};

/* False: no memory.  states_end may be called in either case. */
bool states_begin(struct states *states, const struct banyan_search *search, uint64_t seed);
void states_end(struct states *states);

/* Whether state is known, and the player may choose the action there. */
bool states_is_legal(struct states *states, const void *state, int player, banyan_action action);
/* Writes the state after a legal step that has one outcome to out[state_size]. */
void states_after(const struct banyan_game *game, const struct states_step *step, void *out);
/* Draws a state that follows the step and where player (-1: any mover) sees this key, to
 * out[state_size].  False: none was found, or the step is of another state of the information
 * set. */
bool states_find(struct states *states, const struct states_step *step, uint64_t key, int player,
                 void *out);

#endif
