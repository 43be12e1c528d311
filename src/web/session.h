/* The state of one page: answers its requests and runs its search.
 *
 *     message --> session_handle --> outbox (an answer; perhaps topics)
 *                 session_work   --> outbox (topics: root table, part of the tree, game, sweep)
 *
 *                 session_watch  --> outbox (topics: matches, runs of training)
 *
 * Nothing here knows a socket or a thread: worker.c calls these functions in a thread of the page, tests and the fuzz
 * target call them directly. */
#ifndef WEB_SESSION_H
#define WEB_SESSION_H

#include "web/analysis.h"
#include "web/message.h"
#include "web/outbox.h"
#include "web/recorded.h"
#include "web/sweep.h"
#include "web/table.h"
#include "web/tree_rows.h"
#include "web/watch.h"

struct session_view {
    bool is_set;
    struct tree_rows_path path;
    int depth, budget;
    bool whole; /* no path was given: all trees are shown from their roots */
};

struct session {
    struct outbox *outbox;         /* borrowed */
    const struct sources *sources; /* borrowed; NULL: the page can only play and search */
    struct analysis analysis;
    struct session_view view;
    struct table table; /* the game that is played; its page watches no search */
    struct recorded recorded;
    struct sweep sweep; /* searches the positions of the game in `recorded` */
    struct watch watch;
    double root_ms;      /* when the root table was published last */
    double sweep_ms;     /* when the sweep was published last */
    double tree_next_ms; /* when the tree may be published again while the search runs */
};

void session_init(struct session *session, struct outbox *outbox, const struct sources *sources);
void session_free(struct session *session);

/* Answers one message: {"t":"ok"|"error","id":N,...}. */
void session_handle(struct session *session, const struct message *message);

/* Runs a search for a slice, or lets players choose, and publishes what is due.  False: there is nothing to do before
 * the next message. */
bool session_work(struct session *session);

/* Publishes what is new in the matches or runs that the page follows.  Returns after how many
 * milliseconds the caller must call again; -1: not before the next message. */
int session_watch(struct session *session);

#endif
