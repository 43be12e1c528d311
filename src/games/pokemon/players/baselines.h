/* Scripted opponents: the baseline players of poke-env.
 *
 *     power       the available move of the highest base power; no Dynamax, no switch by choice
 *     heuristic   match-ups, hazards, set-up moves, expected power, Dynamax when it looks good
 *
 * They use only what their side can see, except that the foe's hp are exact.
 */
#ifndef GAMES_POKEMON_PLAYERS_BASELINES_H
#define GAMES_POKEMON_PLAYERS_BASELINES_H

#include "games/pokemon/pokemon.h"

#include <banyan/evaluator.h>

/* Chooses an action for player, who must choose now.  rng: for random actions; the heuristic player uses
 * none. */
typedef banyan_action baseline_choice(const struct pokemon *s, int player, struct banyan_rng *rng);

baseline_choice baseline_random;
baseline_choice baseline_power;
baseline_choice baseline_heuristic;

/* The players and evaluators of the game (players.c); the last entry has name NULL. */
extern const struct banyan_offer pokemon_offers[];

#endif
