/* The player "tutorial": the search of a published tutorial (Python, on poke-env), to compare with.
 *
 *      simulation:  UCB1 (weight 1.4) over own moves and switches --> a model of one turn --> ...
 *                   a new node --> value --> mean of every node on the way
 *
 * Its model of a turn is its own and simple: damage by the formula of the games without items,
 * abilities or boosts; the foe uses a random attack of its first type, with a power of 50 to 80,
 * physical or special, and never switches by choice.  No Dynamax.  The value is 0.5 of the share of hp
 * on the field, 0.3 of the share of Pokémon left and 0.2 of the share of all hp; what is chosen in
 * the end is what has the highest mean.
 */
#ifndef GAMES_POKEMON_PLAYERS_TUTORIAL_H
#define GAMES_POKEMON_PLAYERS_TUTORIAL_H

#include <banyan/player.h>

/* See struct banyan_offer. */
enum banyan_status tutorial_create(const struct banyan_game *game, const char *args,
                                   const struct banyan_offer *offers, uint64_t seed,
                                   struct banyan_player *out, struct banyan_error *err);

#endif
