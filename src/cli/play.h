/* A game that is being played at the terminal: play.c moves it on, play_human.c asks the human.
 *
 *     seats: human or any player --> a joint action --> history --> ...
 *
 * The history holds every state, so that `undo` goes back and shows the players
 * the earlier position as a new start.
 */
#ifndef CLI_PLAY_H
#define CLI_PLAY_H

#include "cli/position.h"

#include <banyan/player.h>

#include <stdbool.h>

enum { PLAY_ACTION = 128 };

struct play_seat {
    const char *text; /* NULL until decided */
    bool human, made;
    struct banyan_player player; /* not for humans */
};

struct play {
    struct position position;
    uint64_t hint_simulations;
    struct play_seat seats[BANYAN_MAX_PLAYERS];
    const struct banyan_game *game;
    struct banyan_rng rng; /* dice */
    int viewer;            /* whose view is drawn; -1: all */
    bool terminal;         /* prompts are worth printing */
    bool seed_given;       /* by --seed */
    bool seed_new;         /* chosen by the program, and must be printed */

    unsigned char *history; /* [room][state_size], owned */
    unsigned *humans_chose; /* [room]: whether a human chose in that state */
    int length, room;       /* the last state is the present */
};

static inline void *play_state(const struct play *play, int index)
{
    return play->history + (size_t)index * play->game->state_size;
}

static inline void *play_now(const struct play *play)
{
    return play_state(play, play->length - 1);
}

enum play_answer { PLAY_MOVE, PLAY_AGAIN, PLAY_UNDO, PLAY_QUIT };

/* Asks the human in seat player until they move, undo or quit; PLAY_MOVE: *action is their
 * action.  Never PLAY_AGAIN. */
enum play_answer play_human(struct play *play, int player, banyan_action *action);

#endif
