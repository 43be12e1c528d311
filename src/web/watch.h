/* Follows what other processes write: a database of matches, or runs of training.
 *
 *     request --> watch_* --> watch_work, now and then --> topic "matches", "match", "runs" or "train"
 *
 * A page follows one thing at a time; session.c calls these functions. */
#ifndef WEB_WATCH_H
#define WEB_WATCH_H

#include "web/matches.h"
#include "web/outbox.h"
#include "web/runs.h"

enum {
    WATCH_MS = 500,
    WATCH_TRAIN_MS = 2000 /* curves are long, and their last games change all the time */
};

struct watch {
    struct outbox *outbox;         /* borrowed */
    const struct sources *sources; /* borrowed; NULL: there is nothing to follow */
    enum watch_what { WATCH_NOTHING, WATCH_MATCHES, WATCH_MATCH, WATCH_RUNS, WATCH_TRAIN } what;
    int64_t match;  /* which one */
    unsigned which; /* bits: runs */
    struct matches matches;
    struct runs runs;
    double looked_ms;
    bool is_playing; /* whether the host was playing when the matches were published last */
};

void watch_begin(struct watch *watch, const struct sources *sources, struct outbox *outbox);
void watch_end(struct watch *watch);

/* Publishes what is new, if it is time to look.  Returns in how many milliseconds to call it again; -1: never. */
int watch_work(struct watch *watch);

/* Stops following. */
void watch_leave(struct watch *watch);

/* Follow all matches, or one; the first state is published at once. */
void watch_matches(struct watch *watch);
enum banyan_status watch_match(struct watch *watch, int64_t match, struct banyan_error *err);

/* Follow all runs of training, one row for each, or some with their curves: names, one on each line. */
void watch_runs(struct watch *watch);
enum banyan_status watch_train(struct watch *watch, const char *names, struct banyan_error *err);

/* Reads a game of self-play of the run that is called name (runs.h). */
enum banyan_status watch_train_game(struct watch *watch, const char *name, int64_t generation,
                                    int64_t number, struct game_record *out,
                                    struct banyan_error *err);

#endif
