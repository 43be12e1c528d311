/* One game at a table: state, dice, clocks, and a player at every seat.
 *
 *      playing_begin --> playing_force (opening) ... --> playing_step ... until playing_movers() == 0
 *                                                        |
 *              choose of every mover --> apply with dice --> observe of every player
 *
 * The table checks that the actions of players are legal.
 */
#ifndef MATCH_PLAYING_H
#define MATCH_PLAYING_H

#include "records/game_record.h"

#include <banyan/player.h>

#include <stdbool.h>

enum { PLAYING_DICE = 1024 }; /* room for the dice of one ply */

/* How time is limited; all 0: no limit. */
struct playing_time {
    double move_ms;      /* for each decision; nothing happens if it is exceeded */
    double clock_ms;     /* per game; a player who runs out of it loses */
    double increment_ms; /* added after every decision */
};

/* What the player of one seat used in this game. */
struct playing_seat {
    struct banyan_player *player; /* borrowed */
    int64_t decisions;
    uint64_t simulations;
    double elapsed_ms, longest_ms; /* time of all decisions, of the longest one */
    double left_ms;                /* time left on the clock */
};

struct playing {
    const struct banyan_game *game;
    void *state, *before;   /* [state_size] now, and before the last joint action; owned */
    banyan_action *actions; /* [max_legal] scratch; owned */
    banyan_action joint[BANYAN_MAX_PLAYERS];          /* the last joint action */
    unsigned moved;                                   /* bits: who played it */
    struct game_thought thoughts[BANYAN_MAX_PLAYERS]; /* of the last joint action, by seat */
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct banyan_die *fallen; /* [PLAYING_DICE] log of the dice since it was last emptied; owned */
    struct playing_time time;
    const banyan_flag *stop; /* stop flag that ends decisions early; borrowed; NULL: none */
    struct playing_seat seats[BANYAN_MAX_PLAYERS];
    int overstepped; /* seat whose clock ran out; -1: none */
    int plies;
};

enum banyan_status playing_create(struct playing *table, const struct banyan_game *game,
                                  struct banyan_error *err);
void playing_destroy(struct playing *table);

/* Begins a new game from state (copied).  players[seat] is borrowed and gets seeds[seat] as its
 * seed; dice_seed: seed of the dice. */
enum banyan_status playing_begin(struct playing *table, const void *state,
                                 struct banyan_player *const players[], const uint64_t seeds[],
                                 uint64_t dice_seed, struct banyan_error *err);

/* The same without players: all actions are given to playing_force. */
void playing_begin_alone(struct playing *table, const void *state, uint64_t dice_seed);

/* Whether the player in this seat may choose action now. */
bool playing_is_legal(struct playing *table, int seat, banyan_action action);

/* Who must choose now (bits); 0: the game is over, by the rules or by the clock. */
unsigned playing_movers(const struct playing *table);

/* Plays joint without asking the players. */
enum banyan_status playing_force(struct playing *table, const banyan_action joint[],
                                 struct banyan_error *err);

/* Asks every mover for an action and plays the joint action, unless a mover's clock ran out. */
enum banyan_status playing_step(struct playing *table, struct banyan_error *err);

#endif
