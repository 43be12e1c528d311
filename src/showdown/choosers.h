/* The choosers, and what a client falls back to. */
#ifndef SHOWDOWN_CHOOSERS_H
#define SHOWDOWN_CHOOSERS_H

#include "showdown/decide.h"

/* These play on a state of the engine. */
extern const struct decide_chooser chooser_mcts, chooser_heuristic;

/* These need the request alone. */
extern const struct decide_chooser chooser_random, chooser_power, chooser_default;

#endif
