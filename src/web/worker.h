/* A thread that works for one page: it takes the page's messages in order, and between them lets its search go on.
 *
 * Threads: worker_send and worker_destroy belong to the server's thread.
 */
#ifndef WEB_WORKER_H
#define WEB_WORKER_H

#include "web/session.h"

enum { WORKER_MESSAGES = 64 };

struct worker;

/* outbox, and sources, which may be NULL: borrowed until worker_destroy.  NULL: no memory, or no thread. */
struct worker *worker_create(struct outbox *outbox, const struct sources *sources);

/* Takes over message.  False: too many wait already, and the caller still owns message. */
bool worker_send(struct worker *worker, struct message *message);

/* Ends the search and the thread. */
void worker_destroy(struct worker *worker);

#endif
