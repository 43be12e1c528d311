/* Scripted opponents: what poke-env's baseline players do, in these rules.
 *
 *   power       the available move of the highest base power; no Dynamax, no switch by choice
 *   heuristic   match-ups, hazards, set-up moves, expected power, Dynamax when it looks good
 *
 * They look at what their side can see and at nothing else.
 */
#ifndef GAMES_POKEMON_PLAYERS_BASELINES_H
#define GAMES_POKEMON_PLAYERS_BASELINES_H

#include "games/pokemon/pokemon.h"

#include <banyan/evaluator.h>

/* A choice of player, who is asked now.  rng: where any of several is as good. */
typedef banyan_action baseline_choice(const struct pokemon *s, int player, struct banyan_rng *rng);

baseline_choice baseline_random;
baseline_choice baseline_power;
baseline_choice baseline_heuristic;

/* The players of the game (players.c); name == NULL at the end. */
extern const struct banyan_offer pokemon_offers[];

#endif
