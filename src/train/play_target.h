/* What a finished search teaches, and which action is played. */
#ifndef TRAIN_PLAY_TARGET_H
#define TRAIN_PLAY_TARGET_H

#include <banyan/search.h>

/* weights[count] from the root's rows: visits without those that were only forced (Wu 2019), or with
 * Gumbel the improved policy (Danihelka 2022) in parts of 2^16. */
void play_target_weights(const struct banyan_game *game,
                         const struct banyan_search_options *options, bool prune,
                         const struct banyan_search_move *rows, int count, uint32_t *weights);

/* An index drawn in proportion to visits^(1 / temperature); 0: the most visited. */
int play_target_draw(const struct banyan_search_move *rows, int count, double temperature,
                     struct banyan_rng *rng);

#endif
