/* Parts of banyan explain. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <banyan/evaluator.h>

#include <stdio.h>

/* Writes the moves of the random game by which the evaluator "rollout" valued the leaf.  rng: the leaf's stream as
 * it was before.  Nothing is written where states do not show which moves were played: with dice,
 * hidden cards or simultaneous choices. */
void explain_rollout(const struct banyan_leaf *leaf, struct banyan_rng rng, FILE *out);

#endif
