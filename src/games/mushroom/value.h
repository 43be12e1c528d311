/* Finds safe cells: cells that no future rectangle can cover. */
#ifndef MUSHROOM_VALUE_H
#define MUSHROOM_VALUE_H

#include "games/mushroom/mushroom.h"

/* The cells whose owner may still change; all other cells stay as they are. */
struct cells value_open(const struct mushroom_state *state);

#endif
