/* Game logs in the format of the official tool:
 *
 *      INIT row0 ... row9
 *      FIRST r1 c1 r2 c2 ms          SECOND likewise; -1 four times is a pass
 *      FINISH / SCOREFIRST n / SCORESECOND n        or        ABORT 0|1 reason
 */
#ifndef NYPC_LOG_H
#define NYPC_LOG_H

#include <banyan/game.h>

#include <stdio.h>

enum { NYPC_LOG_MAX = 1001 }; /* positions of a game */

struct nypc_log {
    const struct banyan_game *game;
    unsigned char *states; /* [count][game->state_size]: the start, then the state after every
                            * move; owned */
    int count;
    char end[80]; /* "FINISH", "ABORT 0 TLE", or "" when the log ends before the game */
};

/* Reads a log and replays it; name: what messages call the log.  BANYAN_CORRUPT: a move breaks the
 * rules, or the log cannot be read. */
enum banyan_status nypc_log_read(FILE *in, const char *name, struct nypc_log *out,
                                 struct banyan_error *err);
void nypc_log_free(struct nypc_log *log);

/* The game as one self-contained page: a picture of every position and a slider. */
void nypc_log_page(const struct nypc_log *log, FILE *out);

#endif
