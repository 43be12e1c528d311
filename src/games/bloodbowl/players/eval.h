/* What a position is worth (eval.c). */
#ifndef BLOODBOWL_EVAL_H
#define BLOODBOWL_EVAL_H

#include "games/bloodbowl/bloodbowl.h"

/* The expected result, -1 lost .. 1 won, for team; any state. */
float bb_value(const struct bb_state *state, int team);

#endif
