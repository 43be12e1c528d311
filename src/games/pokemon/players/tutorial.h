/* The player "tutorial": the search of a published tutorial (Python, on poke-env), for comparison.
 *
 *     simulation:  UCB1 (weight 1.4) over own moves and switches --> a model of one turn --> ...
 *                  a new node --> value --> mean of every node on the path
 *
 * Its model of a turn is simple: damage by the formula of the games, without items, abilities or
 * boosts; the foe uses a random attack of its first type with a power of 50 to 80, physical or
 * special, and never switches by choice.  There is no Dynamax.  The value is 0.5 times the share of
 * hp on the field, plus 0.3 times the share of Pokémon left, plus 0.2 times the share of all hp.
 * The final choice is the action with the highest mean.
 */
#ifndef GAMES_POKEMON_PLAYERS_TUTORIAL_H
#define GAMES_POKEMON_PLAYERS_TUTORIAL_H

#include <banyan/player.h>

/* Makes the player; struct banyan_offer describes such functions. */
enum banyan_status tutorial_create(const struct banyan_game *game, const char *args,
                                   const struct banyan_offer *offers, uint64_t seed,
                                   struct banyan_player *out, struct banyan_error *err);

#endif
