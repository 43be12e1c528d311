/* The referee of the mushroom game: two programs, one board, the judge's protocol.
 *
 *      READY, INIT to both; then in turn  TIME -> answer, OPP to the other; FINISH to both
 *
 * Whoever breaks a rule loses at once; the tests come in this order:
 *
 *      TLE                    no OK in time, or the bank is used up
 *      Parse failed           the answer is not exactly four integers (also: the program ended)
 *      Out of range           not a pass and not 0 <= r1 <= r2 <= 9, 0 <= c1 <= c2 <= 16
 *      Sum not equals to 10
 *      Not fit                a side without a mushroom
 */
#ifndef NYPC_REFEREE_H
#define NYPC_REFEREE_H

#include <banyan/game.h>
#include <banyan/stop.h>

#include <stdbool.h>
#include <stdio.h>

struct referee_options {
    double bank_ms;  /* of each player for the whole game */
    double ready_ms; /* to say OK */
    bool cpu;        /* the bank is processor time; wall-clock time may be three times as much */
    const banyan_flag *stop; /* ends a game soon; borrowed; NULL: nobody asks */
};

void referee_options_default(struct referee_options *options);

struct referee_result {
    int winner;         /* 0 or 1; -1: a draw */
    int offender;       /* who broke a rule; -1: nobody */
    const char *reason; /* of the offence, as in the log */
    char detail[240];   /* what exactly, one line; may be empty */
    int score[2];
    int plies;
    double wall_ms[2], cpu_ms[2]; /* used for answers to TIME */
    double longest_wall_ms[2];    /* of one answer */
    double overrun_ms;            /* by how much the bank was overdrawn, at most */
};

/* Starts a program, greets it as before a game and ends it.  BANYAN_IO: it cannot be started, or it
 * ends without an answer.  One that is late or answers anything is for the games to judge. */
enum banyan_status referee_try(const char *command, const struct referee_options *options,
                               struct banyan_error *err);

/* Who plays what. */
struct referee_pairing {
    const struct banyan_game *game; /* "mushroom" */
    const char *board;              /* a setup of it */
    const char *commands[2];        /* by player */
    FILE *log;                      /* gets the official format; NULL: nobody wants it */
};

/* Plays one game.  Programs that misbehave are a result; a status is for what the referee cannot do,
 * and for BANYAN_INTERRUPTED: by stop. */
enum banyan_status referee_play(const struct referee_pairing *pairing,
                                const struct referee_options *options, struct referee_result *out,
                                struct banyan_error *err);

#endif
