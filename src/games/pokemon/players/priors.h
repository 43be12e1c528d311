/* Priors of a player's actions, as <banyan/game.h> describes them. */
#ifndef GAMES_POKEMON_PLAYERS_PRIORS_H
#define GAMES_POKEMON_PLAYERS_PRIORS_H

#include "games/pokemon/pokemon.h"

void priors_pokemon(const struct banyan_game *game, const void *state, int player,
                    const banyan_action *actions, int n, float *out);

#endif
