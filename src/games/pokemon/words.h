/* Texts for a person at the terminal: choices, what happened, what the player knows.  All of it
 * is written from a copy from which conceal() has removed what the reader cannot see. */
#ifndef POKEMON_WORDS_H
#define POKEMON_WORDS_H

#include "games/pokemon/pokemon.h"

/* As the functions of struct banyan_game. */
int words_describe(const struct banyan_game *game, const void *state, int player,
                   banyan_action action, char *out, size_t size);
int words_tell(const struct banyan_game *game, const struct banyan_step *step, int viewer,
               char *out, size_t size);
int words_sheet(const struct banyan_game *game, const void *state, int viewer, char *out,
                size_t size);

/* "burned"; "" for none. */
const char *words_status(int status);

#endif
