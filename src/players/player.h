/* The players that every game has, behind <banyan/player.h>.
 *
 *      "mcts:simulations=100" --> player.c (lists of offers) --> player_mcts.c
 *                                     |
 *                                     +--> an offer of the caller or of the game
 *
 * Every player starts each game from the seed given to open and from nothing else, so that a game is
 * the same whatever its player did before.
 */
#ifndef PLAYERS_PLAYER_H
#define PLAYERS_PLAYER_H

#include <banyan/player.h>

/* As banyan_offer.player. */
typedef enum banyan_status player_create_fn(const struct banyan_game *game, const char *args,
                                            const struct banyan_offer *offers, uint64_t seed,
                                            struct banyan_player *out, struct banyan_error *err);

player_create_fn player_random_create;
player_create_fn player_first_create;
player_create_fn player_perfect_create;
player_create_fn player_mcts_create;

/* Help for the players of a list, two lines each.  As snprintf. */
int player_help(const struct banyan_offer *list, char *out, size_t size);

/* The table of options behind "mcts:", with the defaults.  As snprintf. */
int player_mcts_help(char *out, size_t size);

/* BANYAN_INVALID for args of a player that takes none. */
enum banyan_status player_no_args(const char *name, const char *args, struct banyan_error *err);

#endif
