/* A match in progress, for the files that run it. */
#ifndef MATCH_MATCH_STATE_H
#define MATCH_MATCH_STATE_H

#include "match/match_game.h"

#include <pthread.h>

struct match_database;

/* The lock guards everything below it while workers run. */
struct match {
    struct match_plan plan;
    struct match_result *result;
    pthread_mutex_t lock;
    struct match_totals totals;
    int64_t next;    /* number of the next game to play */
    int64_t *stored; /* [stored_count] numbers of games not to be played, in order; owned */
    int64_t stored_count, stored_next;
    int64_t committed; /* games below this number are in the totals */
    /* finished games, by number, that wait for earlier ones to finish */
    struct match_game *waiting;
    enum banyan_status status; /* the first failure, whose message is in err */
    struct banyan_error *err;
    struct match_database *store; /* SQLite file; NULL: none */
    uint64_t *hashes;             /* [hash_room] of committed games; owned */
    int64_t hash_room;
};

/* --- match.c; while threads run, the caller holds the lock --- */

/* Ends the match with the first failure. */
void match_fail(struct match *match, enum banyan_status status, const struct banyan_error *problem);

/* Takes over a finished game; counts it and those after it, if all games before it are counted. */
void match_submit(struct match *match, struct match_game *game);

/* Whether the user has stopped the match. */
bool match_stopped(const struct match *match);

/* Moves match->next past games that need not be played; returns it. */
int64_t match_skip(struct match *match);

/* Whether game match->next, after match_skip, is to be played. */
bool match_has_next(struct match *match);

/* --- match_queue.c --- */

/* Has the games played by the workers of the queue options->queue_url, or options->shared; checker plays them
 * again. */
void match_queue_play(struct match *match, struct match_worker *checker);

#endif
