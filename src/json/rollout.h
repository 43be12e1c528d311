/* The moves of the random game by which the evaluator "rollout" valued a leaf. */
#ifndef JSON_ROLLOUT_H
#define JSON_ROLLOUT_H

#include <banyan/evaluator.h>

#include <jansson.h>

/* An array of {"player", "action"}, at most ROLLOUT_MOVES of them; draws: with the "drawing" of the position after each.
 * rng: the leaf's stream as it was before.  Null
 * where states do not show which moves were played: with dice, hidden cards or simultaneous choices.  Caller
 * frees. */
enum { ROLLOUT_MOVES = 60 };
json_t *rollout_json(const struct banyan_leaf *leaf, struct banyan_rng rng, bool draws);

#endif
