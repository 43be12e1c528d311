/* The players that every game has (public interface: <banyan/player.h>).
 *
 *      "mcts:simulations=100" --> player.c (lists of offers) --> player_mcts.c
 *                                     |
 *                                     +--> an offer of the caller or of the game
 *
 * A player's behaviour in a game depends on the seed given to open and on nothing from earlier
 * games, so that games can be repeated one by one.
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

/* BANYAN_INVALID: args were given to a player that takes none. */
enum banyan_status player_no_args(const char *name, const char *args, struct banyan_error *err);

#endif
