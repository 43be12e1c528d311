/* Answers to the last stone, for playouts. */
#ifndef GO_ANSWER_H
#define GO_ANSWER_H

#include "games/go/chains.h"

/* A random one of the best answers to the last stone, all of them legal; 0: there is none. */
int go_answer(const struct go_chains *board, struct banyan_rng *rng);

/* Whether a stone of the mover on an empty point would be in atari and capture nothing. */
bool go_answer_is_bad(const struct go_chains *board, int point);

/* As go_answer_is_bad(), but false for a few stones inside one enemy chain, because they can
 * kill it (nakade). */
bool go_answer_loses(const struct go_chains *board, int point);

/* Whether an empty point is an eye of the mover: stones of the mover all around, and at most one of
 * the other player on the four points diagonal to it, none at the edge of the board. */
bool go_is_eye(const struct go_chains *board, int point);

/* The stones on the eight points around, as go_pattern() takes them. */
unsigned go_surrounding(const struct go_chains *board, int point);

/* Whether the eight points around hold no stone.  Each point has two bits: both are 0 where it
 * is empty, both 1 beyond the edge of the board, and one is 1 where there is a stone. */
static inline bool go_surrounding_is_empty(unsigned around)
{
    return (around >> 1 & 0x5555) == (around & 0x5555);
}

#endif
