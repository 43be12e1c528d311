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

#include "base/text.h"

#include <banyan/player.h>
#include <banyan/search.h>

/* As the member player of struct banyan_offer. */
typedef enum banyan_status player_create_fn(const struct banyan_game *game, const char *args,
                                            const struct banyan_offer *offers, uint64_t seed,
                                            struct banyan_player *out, struct banyan_error *err);

player_create_fn player_random_create;
player_create_fn player_first_create;
player_create_fn player_perfect_create;
player_create_fn player_mcts_create;
player_create_fn player_best_create;
player_create_fn player_level_create;

/* Writes help for the players of a list, two lines each.  Returns what snprintf returns. */
int player_help(const struct banyan_offer *list, char *out, size_t size);

/* Writes the table of the options of "mcts:", with the defaults.  Returns what snprintf returns. */
int player_mcts_help(char *out, size_t size);

/* Adds word, "name=value" or "name", as the table of "mcts:" writes it: "memory=1024K" is "memory=1M".
 * Returns the place of the option in that table; -1: it has no such option or value, and nothing is
 * added. */
int player_mcts_add_option(struct text *text, const char *word);

/* Writes text, a player, in the form in which players are compared: options of mcts in the order of
 * their table, with values as the table writes them; before them words without "=" (a file), and the
 * options that only this player has, by name.  An exec: command stays as it is.  Returns what
 * snprintf returns.
 *
 *      mcts:simulations=20,ponder,memory=1024K  -->  mcts:memory=1M,simulations=20,ponder=on */
int player_key(const char *text, char *out, size_t size);

/* Writes text, a player, with more options after its own.  If an option is there twice, its last
 * value counts.  Returns what snprintf returns.
 *
 *      mcts, "simulations=20"  -->  mcts:simulations=20
 *
 * With exec:COMMAND they go to the end of COMMAND, after a comma:
 *
 *      exec:prog --player mcts:rule=puct, "simulations=20"
 *          -->  exec:prog --player mcts:rule=puct,simulations=20 */
int player_with(const char *text, const char *options, char *out, size_t size);

/* The search of a player mcts (also of `best` or level:N, if they stand for such a player), with
 * state as its root; the game must not be over in state.  The player's next choice uses the tree.
 * Borrowed until the next call of the player.  BANYAN_UNSUPPORTED: the player does not search. */
enum banyan_status player_search(const struct banyan_player *player, const void *state,
                                 struct banyan_search **out, struct banyan_error *err);

/* The player that chooses for `best`; for any other player, the player itself. */
const struct banyan_player *player_best_inner(const struct banyan_player *player);

/* The text of the player that "best" stands for in this game. */
const char *player_best_of(const struct banyan_game *game);

/* BANYAN_INVALID: args were given to a player that takes none. */
enum banyan_status player_no_args(const char *name, const char *args, struct banyan_error *err);

/* *texts: the players that level:1, level:2 ... stand for; returns their number.  Static storage. */
int player_levels(const struct banyan_game *game, const char *const **texts);

#endif
