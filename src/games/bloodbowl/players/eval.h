/* The value of a position (eval.c). */
#ifndef BLOODBOWL_EVAL_H
#define BLOODBOWL_EVAL_H

#include "games/bloodbowl/bloodbowl.h"

/* The expected result for team in any state, from -1 (a loss) to 1 (a win). */
float bb_value(const struct bb_state *state, int team);

#endif
