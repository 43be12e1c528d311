/* Priors of a player's actions: the softmax of their points (points.def). */
#ifndef GAMES_POKEMON_PLAYERS_PRIORS_H
#define GAMES_POKEMON_PLAYERS_PRIORS_H

#include "games/pokemon/players/points.h"
#include "games/pokemon/pokemon.h"

void priors_by(const struct points_prior *points, const struct pokemon *s, int player,
               const banyan_action *actions, int n, float *out);
/* The game's: by the usual points. */
void priors_pokemon(const struct banyan_game *game, const void *state, int player,
                    const banyan_action *actions, int n, float *out);

#endif
