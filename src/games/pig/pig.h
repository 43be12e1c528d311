/* Pig, the dice game: roll as long as you dare.
 *
 * The player on turn rolls a die again and again: 2..6 add to his turn total, a
 * 1 loses it and passes the die on.  Instead of rolling he may hold: the total
 * becomes part of his score and the turn passes.  Who reaches the target first
 * wins.  The smallest game of chance with something to decide, and solved.
 */
#ifndef GAMES_PIG_H
#define GAMES_PIG_H

#include <banyan/game.h>

#include <assert.h>

enum { PIG_MAX_PLAYERS = 4, PIG_MAX_PLIES = 1000, PIG_MAX_TARGET = 1000 };

enum pig_action { PIG_ROLL, PIG_HOLD };

enum pig_die { PIG_DIE };

struct pig {
    uint16_t score[PIG_MAX_PLAYERS];
    uint16_t turn; /* total of this turn; 0: not rolled yet */
    uint16_t target;
    uint16_t ply, horizon; /* after `horizon` plies the game is a draw */
    uint8_t mover;         /* the winner when the game is won */
    uint8_t players;
};

static_assert(sizeof(struct pig) == 18, "no padding");

const struct banyan_game *pig_variant(int index);

#endif
