/* Texts for a person at the terminal: choices with their probabilities, what happened, and the
 * teams with the attributes of their players. */
#ifndef BLOODBOWL_WORDS_H
#define BLOODBOWL_WORDS_H

#include "games/bloodbowl/bloodbowl.h"

/* As the functions of the same names in struct banyan_game. */
int bb_describe(const struct bb_state *state, const struct bb_action *action, char *out,
                size_t size);
int bb_tell(const struct bb_state *before, const struct bb_state *after, char *out, size_t size);
int bb_sheet(const struct bb_state *state, char *out, size_t size);

#endif
