/* The value of a position, which is its expected return: tanh of a weighted sum of features.
 *
 *     state --features, own minus foe's--> sum of weight * feature --> tanh --> -1 .. 1
 *
 * The features and their weights stand in points.def.
 */
#ifndef GAMES_POKEMON_PLAYERS_EVALUATE_H
#define GAMES_POKEMON_PLAYERS_EVALUATE_H

#include "games/pokemon/players/points.h"
#include "games/pokemon/pokemon.h"

#include <banyan/evaluator.h>

void evaluate_features(const struct pokemon *s, int player, float out[FEATURE_COUNT]);

/* The evaluator "position", with the points that args names (points.h). */
enum banyan_status evaluate_create(const struct banyan_game *game, const char *args,
                                   const struct banyan_offer *offers, struct banyan_evaluator *out,
                                   struct banyan_error *err);

/* evaluate_force: what a Pokémon's item does to its attacks, as a factor.  evaluate_speed: its speed on
 * the bench.  evaluate_boosted: what the boosts of the active Pokémon do to its better kind of attack,
 * physical or special, as a factor. */
float evaluate_force(const struct pokemon_mon *mon);
float evaluate_speed(const struct pokemon_mon *mon);
float evaluate_boosted(const struct pokemon_active *a);

#endif
