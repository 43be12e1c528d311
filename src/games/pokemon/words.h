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

/* words_damage.c: adds how much of the foe's hp a hit with a move takes away, critical hits apart.  The foe's set is drawn
 * from those that fit what player knows, so the range holds for several sets. */
struct text;
void words_add_damage(struct text *text, const struct banyan_game *game, const struct pokemon *s,
                      int player, int move);

#endif
