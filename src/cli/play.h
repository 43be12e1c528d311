/* A game that is being played at the terminal.
 *
 *     play.c          options, beginning and end
 *     play_turn.c     history, seats, one step: seats --> a joint action --> history --> ...
 *     play_human.c    asks the human: play_line.c reads, play_choices.c finds what is meant
 *     play_ask.c      `hint` and `eval`
 *
 * The history holds every state and the dice that follow it, so that `undo` goes back, shows the players
 * the earlier position as a new start, and the same choices have the same luck again.
 */
#ifndef CLI_PLAY_H
#define CLI_PLAY_H

#include "cli/play_line.h"
#include "cli/position.h"

#include <banyan/player.h>

#include <stdbool.h>

enum { PLAY_ACTION = 128 };

struct play_seat {
    const char *text; /* NULL until decided */
    bool human, made;
    struct banyan_player player; /* not for humans */
};

/* What belongs to a state of the history. */
struct play_step {
    banyan_action joint[BANYAN_MAX_PLAYERS]; /* what was played in it, once that is decided */
    unsigned humans_chose;                   /* whether a human chose in it */
    struct banyan_rng rng;                   /* dice that follow it */
    size_t log_length;                       /* what had been told when it arose */
};

struct play {
    struct position position;
    uint64_t hint_simulations;
    char level[16]; /* the player in seats that nobody else takes */
    struct play_seat seats[BANYAN_MAX_PLAYERS];
    const struct banyan_game *game;
    struct banyan_rng rng;   /* dice */
    int humans;              /* number of seats */
    int viewer;              /* whose view is drawn; -1: all */
    bool seed_given;         /* by --seed */
    bool seed_new;           /* chosen by the program, and must be printed */
    const banyan_flag *stop; /* set by Ctrl-C */
    struct play_style style;
    struct play_lines *lines; /* owned */

    unsigned char *history;  /* [room][state_size], owned */
    struct play_step *steps; /* [room], owned */
    int length, room;        /* the last state is the present */

    char *log; /* what has happened, in lines; owned */
    size_t log_length, log_room;
};

static inline void *play_state(const struct play *play, int index)
{
    return play->history + (size_t)index * play->game->state_size;
}

static inline void *play_now(const struct play *play)
{
    return play_state(play, play->length - 1);
}

/* --- play_turn.c --- */

/* Makes state the present. */
enum banyan_status play_push(struct play *play, const void *state, struct banyan_error *err);

/* Shows the players the present position as a new start; make: creates them first. */
enum banyan_status play_open_seats(struct play *play, bool make, struct banyan_error *err);

/* All movers choose, and their choices are played; *quit: a human has ended the game. */
enum banyan_status play_turn(struct play *play, bool *quit, struct banyan_error *err);

/* The present position as the human may see it. */
void play_show_board(const struct play *play);

/* --- play_human.c --- */

enum play_answer { PLAY_MOVE, PLAY_AGAIN, PLAY_UNDO, PLAY_QUIT };

/* Asks the human in seat player until they move, undo or quit; PLAY_MOVE: *action is their
 * action.  Never PLAY_AGAIN. */
enum play_answer play_human(struct play *play, int player, banyan_action *action);

/* --- play_ask.c --- */

/* `hint` (rows: what a search thinks of the actions) and `eval` (of the position). */
void play_ask(const struct play *play, int player, bool rows);

#endif
