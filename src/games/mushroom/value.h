/* Static safety: cells that no future rectangle can cover. */
#ifndef MUSHROOM_VALUE_H
#define MUSHROOM_VALUE_H

#include "games/mushroom/mushroom.h"

/* The cells that may yet change hands; the others are safe for their owners (or stay free). */
struct cells value_open(const struct mushroom_state *state);

#endif
