/* Nim: three heaps; a player takes any number from one heap; the player who takes the last object
 * wins (Bouton 1901).  Banyan does not contain this game: a table of functions is all that Banyan
 * needs of a game. */
#ifndef NIM_H
#define NIM_H

#include <banyan/game.h>

enum { NIM_HEAPS = 3, NIM_MAX_HEAP = 9 };

struct nim_state {
    uint8_t heap[NIM_HEAPS];
    uint8_t mover;
};

extern const struct banyan_game nim_game;

/* The heaps combined by exclusive or: 0 exactly where the mover loses against perfect play. */
int nim_sum(const struct nim_state *state);

#endif
