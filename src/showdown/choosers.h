/* The choosers that need no engine: the baselines, and what a client falls back to. */
#ifndef SHOWDOWN_CHOOSERS_H
#define SHOWDOWN_CHOOSERS_H

#include "showdown/decide.h"

extern const struct decide_chooser chooser_mcts, chooser_random, chooser_power, chooser_default;

#endif
