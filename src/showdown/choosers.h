/* The choosers of decide_chooser, each a table of functions. */
#ifndef SHOWDOWN_CHOOSERS_H
#define SHOWDOWN_CHOOSERS_H

#include "showdown/decide.h"

/* These use a state of the game. */
extern const struct decide_chooser chooser_mcts, chooser_heuristic;

/* These need only the request. */
extern const struct decide_chooser chooser_random, chooser_power, chooser_default;

#endif
