/* The policy targets that a finished search gives, and the choice of the action to play. */
#ifndef TRAIN_PLAY_TARGET_H
#define TRAIN_PLAY_TARGET_H

#include <banyan/search.h>

/* Writes weights[count] from the root's rows: visits without the forced ones (Wu 2019), or with
 * Gumbel the improved policy (Danihelka 2022) in units of 2^-16. */
void play_target_weights(const struct banyan_game *game,
                         const struct banyan_search_options *options, bool prune,
                         const struct banyan_search_move *rows, int count, uint32_t *weights);

/* Draws an index in proportion to visits^(1 / temperature); 0: takes the most visited. */
int play_target_draw(const struct banyan_search_move *rows, int count, double temperature,
                     struct banyan_rng *rng);

#endif
