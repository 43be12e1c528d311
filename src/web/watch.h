/* What a page follows that others do: a database of matches, or runs of training.
 *
 *     request --> watch_* --> watch_work, every WATCH_MS --> topic "matches", "match", "runs" or "train"
 *
 * A page follows one thing at a time; session.c calls these functions. */
#ifndef WEB_WATCH_H
#define WEB_WATCH_H

#include "web/matches.h"
#include "web/outbox.h"

enum { WATCH_MS = 500 };

struct watch {
    struct outbox *outbox;         /* borrowed */
    const struct sources *sources; /* borrowed; NULL: there is nothing to follow */
    enum watch_what { WATCH_NOTHING, WATCH_MATCHES, WATCH_MATCH } what;
    int64_t match; /* which one */
    struct matches matches;
    double looked_ms;
    bool is_playing; /* the host, when the matches were published last */
};

void watch_begin(struct watch *watch, const struct sources *sources, struct outbox *outbox);
void watch_end(struct watch *watch);

/* Publishes what is new, if it is time to look.  Returns in how many milliseconds to call it again; -1: never. */
int watch_work(struct watch *watch);

/* Follows nothing any more. */
void watch_leave(struct watch *watch);

/* Follow all matches, or one; the first state is published at once. */
void watch_matches(struct watch *watch);
enum banyan_status watch_match(struct watch *watch, int64_t match, struct banyan_error *err);

#endif
