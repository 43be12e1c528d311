/* The players that every game has, behind <banyan/player.h>.
 *
 *      "mcts:simulations=100" --> player.c (the table of kinds) --> player_mcts.c
 *                                     |
 *                                     +--> an offer of the game
 *
 * Every kind starts each game from the seed given to open and from nothing else, so that a game is
 * the same whatever its player did before.
 */
#ifndef PLAYERS_PLAYER_H
#define PLAYERS_PLAYER_H

#include <banyan/player.h>

/* One line of the table: fills *out except its name.  args: the text after the colon, never NULL.
 */
typedef enum banyan_status player_create_fn(const struct banyan_game *game, const char *args,
                                            uint64_t seed, struct banyan_player *out,
                                            struct banyan_error *err);

player_create_fn player_random_create;
player_create_fn player_first_create;
player_create_fn player_perfect_create;
player_create_fn player_mcts_create;
player_create_fn player_exec_create;
player_create_fn player_gtp_create; /* "exec:gtp:..." */
player_create_fn player_human_create;

struct player_kind {
    const char *name; /* NULL ends the table */
    const char *args; /* how args look; "" when there are none */
    const char *help; /* one line */
    player_create_fn *create;
};

extern const struct player_kind player_kinds[];

/* Help for all kinds and game's offers (game may be NULL), one line each.  As snprintf. */
int player_help(const struct banyan_game *game, char *out, size_t size);

/* The table of options behind "mcts:", with the defaults.  As snprintf. */
int player_mcts_help(char *out, size_t size);

/* BANYAN_INVALID for args of a player that takes none. */
enum banyan_status player_no_args(const char *name, const char *args, struct banyan_error *err);

#endif
