/* The moves of the random game by which the evaluator "rollout" valued a leaf. */
#ifndef JSON_ROLLOUT_H
#define JSON_ROLLOUT_H

#include <banyan/evaluator.h>

#include <jansson.h>

/* An array of {"player", "action", "drawing"}, at most ROLLOUT_MOVES of them; the drawing of the position after the
 * action is null unless `draws`.  rng: the leaf's stream as it was before the random game.  Null
 * where states do not show which moves were played: with dice, hidden cards or simultaneous
 * choices.  Caller frees. */
enum { ROLLOUT_MOVES = 60 };
json_t *rollout_json(const struct banyan_leaf *leaf, struct banyan_rng rng, bool draws);

#endif
