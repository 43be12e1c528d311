/* Texts for a person at the terminal: choices, what happened, what the player knows.  They are written
 * from copies from which conceal() has removed what the reader cannot see; only who has used which move,
 * which both players see, is read from the whole states. */
#ifndef POKEMON_WORDS_H
#define POKEMON_WORDS_H

#include "games/pokemon/pokemon.h"

/* describe, tell and sheet of struct banyan_game. */
int words_describe(const struct banyan_game *game, const void *state, int player,
                   banyan_action action, char *out, size_t size);
int words_tell(const struct banyan_game *game, const struct banyan_step *step, int viewer,
               char *out, size_t size);
int words_sheet(const struct banyan_game *game, const void *state, int viewer, char *out,
                size_t size);

/* "burned"; "" for none. */
const char *words_status(int status);

/* words_damage.c: adds the range of damage that a move does, in percent of the foe's full hp, without
 * critical hits.  Some sets are drawn that fit what the player knows of the foe; the range covers all. */
struct text;
void words_add_damage(struct text *text, const struct banyan_game *game, const struct pokemon *s,
                      int player, int move);

#endif
