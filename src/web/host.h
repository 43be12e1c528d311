/* The match that a page started: the program plays it in a thread of its own, one at a time, and it goes on when
 * the page is closed.  Its games go to the database, where pages see it like every other match.
 *
 * Threads: any. */
#ifndef WEB_HOST_H
#define WEB_HOST_H

#include <banyan/status.h>

#include <stdbool.h>
#include <stdint.h>

struct host;

/* What is to be played; texts are borrowed for the call. */
struct host_question {
    const char *game;
    const char *players; /* one line for each */
    const char *sprt;    /* "ELO0,ELO1"; NULL or "": all games are played */
    int64_t games;
    uint64_t seed;
    int opening_plies;
    double move_ms; /* 0: no limit */
};

/* db: the database; borrowed.  NULL: no memory. */
struct host *host_create(const char *db);

/* Stops the match that is being played, waits for its end, and frees the host. */
void host_destroy(struct host *host);

/* Starts a match.  BANYAN_INVALID: a match is being played, or the question is wrong; outside
 * programs (exec:) are refused.  host_problem tells what fails later. */
enum banyan_status host_start(struct host *host, const struct host_question *question,
                              struct banyan_error *err);

/* Ends the match.  Games that are being played are broken off; the results of finished games stay. */
void host_stop(struct host *host);

bool host_is_playing(struct host *host);

/* Writes to out why the last match failed; "": it did not fail. */
void host_problem(struct host *host, char *out, int size);

#endif
