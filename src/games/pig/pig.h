/* Pig, a dice game; here for two or three players.
 *
 * The player on turn rolls a die again and again.  A roll of 2..6 is added to the turn total; a 1
 * sets the turn total to 0 and ends the turn.  Instead of rolling, the player may hold: the turn
 * total is added to the player's score and the turn ends.  The first player to reach the target
 * wins.  It is the smallest game of chance with a real decision, and its optimal play is known
 * (Neller and Presser 2004). */
#ifndef GAMES_PIG_H
#define GAMES_PIG_H

#include <banyan/game.h>

#include <assert.h>

enum { PIG_MAX_PLAYERS = 4, PIG_MAX_PLIES = 1000, PIG_MAX_TARGET = 1000 };

enum pig_action { PIG_ROLL, PIG_HOLD };

enum pig_die { PIG_DIE };

struct pig {
    uint16_t score[PIG_MAX_PLAYERS];
    uint16_t turn; /* the turn total; 0: before the first roll */
    uint16_t target;
    uint16_t ply, horizon; /* after `horizon` plies the game is a draw */
    uint8_t mover;         /* the winner when the game is won */
    uint8_t players;
};

static_assert(sizeof(struct pig) == 18, "no padding");

const struct banyan_game *pig_variant(int index);

#endif
