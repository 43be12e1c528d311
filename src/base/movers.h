/* The set of players who must choose now: bit p stands for player p (<banyan/game.h>). */
#ifndef BASE_MOVERS_H
#define BASE_MOVERS_H

#include "base/compiler.h"

#include <stdbool.h>

/* The lowest player of the set; -1: the set is empty, the game is over. */
static inline int movers_first(unsigned movers)
{
    return movers ? bits_first64(movers) : -1;
}

/* Whether exactly one player must choose. */
static inline bool movers_single(unsigned movers)
{
    return movers && (movers & (movers - 1)) == 0;
}

#endif
