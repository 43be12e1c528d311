/* A game that is being played at the terminal.
 *
 *     play.c          options, beginning and end
 *     play_turn.c     history, seats, one step: seats --> a joint action --> history --> ...
 *     play_human.c    asks the human: play_line.c reads, play_choices.c finds what is meant
 *     play_ask.c      `hint` and `eval`
 *     play_save.c     saves the game as a record, and goes on with a recorded one
 *
 * The history holds every state and the random stream of the dice after it.  `undo` goes back to an
 * earlier state, which players get as the start of a game; the same choices get the same dice
 * again.
 */
#ifndef CLI_PLAY_H
#define CLI_PLAY_H

#include "cli/play_line.h"
#include "cli/position.h"
#include "records/game_record.h"

#include <banyan/player.h>

#include <stdbool.h>

enum { PLAY_ACTION = 128, PLAY_LIMITED = 64 /* moves that `hint` may name */ };

struct play_seat {
    const char *text; /* NULL until decided */
    bool human, made;
    struct banyan_player player; /* not for humans */
};

/* What belongs to a state of the history. */
struct play_step {
    unsigned humans_chose; /* bits: seats of the humans who chose in this state */
    struct banyan_rng rng; /* gives the dice after this state */
    size_t log_length;     /* length of the log when the state arose */
};

struct play {
    struct position position;
    uint64_t hint_simulations;
    char level[16]; /* the player in seats that nobody else takes */
    bool level_given;
    struct play_seat seats[BANYAN_MAX_PLAYERS];
    const struct banyan_game *game;
    struct banyan_rng rng;   /* dice */
    int humans;              /* number of seats that humans take */
    int viewer;              /* whose view is drawn; -1: all */
    bool seed_given;         /* by --seed */
    bool seed_new;           /* chosen by the program, and must be printed */
    const banyan_flag *stop; /* set by Ctrl-C */
    struct play_style style;
    struct play_lines *lines; /* owned */

    unsigned char *history;  /* [room][state_size], owned */
    struct play_step *steps; /* [room], owned */
    int length, room;        /* the last state is the present */

    struct game_record record; /* of the same states and steps */
    const char *from; /* the recorded game that goes on: FILE, FILE:PLY ...; NULL: a new one */
    bool replaying;   /* what happens is not printed */
    int from_ply;     /* where it goes on; -1: at its end */
    char saved[256];  /* the file that `save` wrote last; "": none */

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

/* Makes a copy of state the present state. */
enum banyan_status play_push(struct play *play, const void *state, struct banyan_error *err);

/* Shows the players the present position as a new start; make: creates them first. */
enum banyan_status play_open_seats(struct play *play, bool make, struct banyan_error *err);

/* All movers choose, and their choices are played; *quit: a human has ended the game. */
enum banyan_status play_turn(struct play *play, bool *quit, struct banyan_error *err);

/* Prints the present position as the human may see it. */
void play_show_board(const struct play *play);

/* The action as people say it, in out; returns out. */
char *play_name_action(const struct banyan_game *game, const void *state, int player,
                       banyan_action action, char out[PLAY_ACTION]);

/* Repeats a step of a recorded game: movers played joint, and `next` is the state after it. */
enum banyan_status play_replayed(struct play *play, unsigned movers, const banyan_action joint[],
                                 const void *next, struct banyan_error *err);

/* --- play.c --- */

/* Fills empty seats: the first one with the human if no seat has a human yet, the others with the player
 * of --level. */
void play_seat_defaults(struct play *play);

/* --- play_save.c --- */

/* Writes the game to path; "": to the same file as last time, or one named after the game. */
void play_save(struct play *play, const char *path);

/* Begins the record with the present state, which is the first. */
enum banyan_status play_record_begin(struct play *play, struct banyan_error *err);

/* Reads the recorded game that place names, and sets the game. */
enum banyan_status play_find(struct play *play, const char *place, struct banyan_error *err);

/* Replays the game that play_find read, up to the position from which it is played on. */
enum banyan_status play_restore(struct play *play, struct banyan_error *err);

/* --- play_human.c --- */

enum play_answer { PLAY_MOVE, PLAY_AGAIN, PLAY_UNDO, PLAY_QUIT };

/* Asks the human in seat player until they move, undo or quit; PLAY_MOVE: *action is their
 * action.  Never returns PLAY_AGAIN. */
enum play_answer play_human(struct play *play, int player, banyan_action *action);

/* --- play_ask.c --- */

/* The choices that `hint` compares: these, or with `avoids` all others; count 0: all choices. */
struct play_limit {
    banyan_action actions[PLAY_LIMITED];
    int count;
    bool avoids;
};

/* rows: prints how a search values the choices, and before that, without a limit, what the best player would
 * choose.  Otherwise prints the value of the position. */
void play_ask(const struct play *play, int player, bool rows, const struct play_limit *limit);

#endif
