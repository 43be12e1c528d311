/* The referee of the mushroom game: two programs, one board, the judge's protocol.
 *
 *     READY, INIT to both; then in turn  TIME -> answer, OPP to the other; FINISH to both
 *
 * A program that breaks a rule loses immediately.  The tests are made in this order:
 *
 *     TLE                    no OK in time, or the total time is used up
 *     Parse failed           the answer is not exactly four integers (also: the program ended)
 *     Out of range           not a pass and not 0 <= r1 <= r2 <= 9, 0 <= c1 <= c2 <= 16
 *     Sum not equals to 10
 *     Not fit                a side without a mushroom
 */
#ifndef NYPC_REFEREE_H
#define NYPC_REFEREE_H

#include <banyan/game.h>
#include <banyan/stop.h>

#include <stdbool.h>
#include <stdio.h>

struct referee_options {
    double bank_ms;  /* time of each player for the whole game */
    double ready_ms; /* time to answer OK */
    bool cpu;        /* the time is processor time; wall-clock time may be three times as much */
    const banyan_flag *stop; /* set: the game ends soon; borrowed; NULL: none */
};

void referee_options_default(struct referee_options *options);

struct referee_result {
    int winner;         /* 0 or 1; -1: a draw */
    int offender;       /* the player who broke a rule; -1: neither */
    const char *reason; /* the broken rule, as in the log */
    char detail[240];   /* details in one line; may be empty */
    int score[2];
    int plies;
    double wall_ms[2], cpu_ms[2]; /* time used for answers to TIME */
    double longest_wall_ms[2];    /* the longest time of one answer */
    double overrun_ms;            /* the most by which a player exceeded the time */
};

/* Starts a program, sends it READY, waits for an answer, and ends the program.  BANYAN_IO: it
 * cannot be started, or it ends without an answer.  Late or wrong answers are not reported here;
 * they lose games. */
enum banyan_status referee_try(const char *command, const struct referee_options *options,
                               struct banyan_error *err);

/* A game: its players and its board. */
struct referee_pairing {
    const struct banyan_game *game; /* "mushroom" */
    const char *board;              /* setup text of the game */
    const char *commands[2];        /* by player */
    FILE *log;                      /* gets the official format; NULL: there is no log */
};

/* Plays one game.  A program that breaks a rule loses, which is a result, not an error.  Errors are
 * failures of the referee itself, or BANYAN_INTERRUPTED: stop was set. */
enum banyan_status referee_play(const struct referee_pairing *pairing,
                                const struct referee_options *options, struct referee_result *out,
                                struct banyan_error *err);

#endif
