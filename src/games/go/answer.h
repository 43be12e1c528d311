/* Answers to the last stone, for playouts. */
#ifndef GO_ANSWER_H
#define GO_ANSWER_H

#include "games/go/chains.h"

/* A random one of the best answers to the last stone, all of them legal; 0: there is none. */
int go_answer(const struct go_chains *board, struct banyan_rng *rng);

/* Whether a stone of the mover on an empty point would be in atari, and captures nothing. */
bool go_answer_is_bad(const struct go_chains *board, int point);

#endif
