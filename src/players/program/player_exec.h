/* What the two players in other processes have in common: exec (our protocol) and exec:gtp. */
#ifndef PLAYERS_PROGRAM_PLAYER_EXEC_H
#define PLAYERS_PROGRAM_PLAYER_EXEC_H

#include "players/program/process.h"

#include <banyan/player.h>

enum {
    EXEC_PROTOCOL = 1,       /* version of docs/protocol.md */
    EXEC_TIMEOUT_MS = 60000, /* time for an answer, unless timeout= sets it */
    EXEC_GRACE_MS = 1000     /* time for "quit"; extra time for an answer under a game clock */
};

/* Splits "timeout=TIME:COMMAND" or "COMMAND". */
enum banyan_status exec_arguments(const char *args, const char **command, double *timeout_ms,
                                  struct banyan_error *err);

/* How long to wait for a decision. */
double exec_answer_ms(double timeout_ms, const struct banyan_player_clock *clock, int seat);

/* The decision that the program must make. */
struct exec_decision {
    const struct banyan_game *game;
    const void *state;
    int player;
    banyan_action *actions; /* [max_legal] working memory */
};

/* Reads a legal action.  BANYAN_ILLEGAL: it is not legal; BANYAN_CORRUPT: it is not an action at
 * all. */
enum banyan_status exec_find_action(const struct exec_decision *decision, const char *text,
                                    banyan_action *out, struct banyan_error *err);

/* Puts the command before the message in err; returns status. */
enum banyan_status exec_blame(struct banyan_error *err, const char *command,
                              enum banyan_status status);

#endif
