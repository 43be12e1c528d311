/* What waits to be sent to one page.
 *
 *     answers   a short queue, in order; a page that does not read them is disconnected
 *     topics    the latest state of each; a newer one replaces it, so a slow page misses states,
 *               and never makes the server wait or grow
 *
 * Threads: any.
 */
#ifndef WEB_OUTBOX_H
#define WEB_OUTBOX_H

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum outbox_topic {
    OUTBOX_ROOT,  /* the table of root moves */
    OUTBOX_TREE,  /* the part of the tree that the page shows */
    OUTBOX_TABLE, /* the game that is played */
    OUTBOX_SWEEP, /* the searches of a recorded game */
    OUTBOX_WATCH, /* matches or runs of training */
    OUTBOX_TOPICS
};

enum {
    OUTBOX_ANSWERS = 64,
    OUTBOX_ROOM = 32
}; /* free bytes before a text, which libwebsockets uses */

struct outbox_text {
    size_t length;
    char bytes[]; /* OUTBOX_ROOM free bytes, then the text */
};

struct outbox {
    pthread_mutex_t lock;                        /* guards all members below */
    struct outbox_text *answers[OUTBOX_ANSWERS]; /* a ring */
    int first, count;
    bool overrun; /* an answer was lost: the connection must end */
    struct outbox_text *latest[OUTBOX_TOPICS];
    uint64_t version;
    int turn;                /* the topic to be sent first */
    void (*wake)(void *ctx); /* called without the lock when there is something new; may be NULL */
    void *ctx;
};

void outbox_init(struct outbox *outbox, void (*wake)(void *ctx), void *ctx);
void outbox_free(struct outbox *outbox);

/* Both functions take over value, an object.  outbox_publish adds a "version" to it, which grows. */
void outbox_answer(struct outbox *outbox, json_t *value);
void outbox_publish(struct outbox *outbox, enum outbox_topic topic, json_t *value);

/* Forgets what was published and not yet sent. */
void outbox_clear(struct outbox *outbox);

/* Returns what is to be sent next, answers first; caller frees; NULL: nothing. */
struct outbox_text *outbox_take(struct outbox *outbox);
bool outbox_is_empty(struct outbox *outbox);
bool outbox_has_overrun(struct outbox *outbox);

#endif
