/* The thread that works for one page. */
#include "web/worker.h"

#include "base/clock.h"
#include "base/condition.h"

#include <signal.h>
#include <stdlib.h>

struct worker {
    pthread_t thread;
    struct session session; /* only the thread uses it, except for its stop flag */
    pthread_mutex_t lock;   /* guards all members below */
    pthread_cond_t changed;
    struct message messages[WORKER_MESSAGES]; /* a ring */
    int first, count;
    bool ending;
};

/* Waits for a message, at most wait_ms (-1: for ever); the lock is held.  A wake-up without a cause does no harm. */
static void worker_wait(struct worker *worker, int wait_ms)
{
    if (wait_ms < 0) {
        while (worker->count == 0 && !worker->ending)
            pthread_cond_wait(&worker->changed, &worker->lock);
    } else if (worker->count == 0 && !worker->ending) {
        condition_wait(&worker->changed, &worker->lock, clock_now_ms() + wait_ms);
    }
}

/* Takes the next message; waits at most wait_ms for one (-1: for ever).  False: there is none, or the thread is
 * to end. */
static bool worker_next(struct worker *worker, int wait_ms, struct message *out)
{
    pthread_mutex_lock(&worker->lock);
    worker_wait(worker, wait_ms);
    bool taken = worker->count > 0 && !worker->ending;
    if (taken) {
        *out = worker->messages[worker->first];
        worker->first = (worker->first + 1) % WORKER_MESSAGES;
        if (--worker->count == 0)
            banyan_flag_clear(&worker->session.analysis.stop);
    }
    pthread_mutex_unlock(&worker->lock);
    return taken;
}

static bool worker_is_ending(struct worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    bool ending = worker->ending;
    pthread_mutex_unlock(&worker->lock);
    return ending;
}

static void *worker_loop(void *arg)
{
    struct worker *worker = arg;
    struct message message;
    int wait_ms = -1;
    while (!worker_is_ending(worker)) {
        if (worker_next(worker, wait_ms, &message)) {
            session_handle(&worker->session, &message);
            message_free(&message);
            wait_ms = 0;
        } else {
            bool busy = session_work(&worker->session);
            wait_ms = session_watch(&worker->session);
            if (busy)
                wait_ms = 0;
        }
    }
    return NULL;
}

/* Starts the thread with all signals blocked: the main thread handles them. */
static bool worker_start(struct worker *worker)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int failed = pthread_create(&worker->thread, NULL, worker_loop, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !failed;
}

struct worker *worker_create(struct outbox *outbox, const struct sources *sources)
{
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return NULL;
    session_init(&worker->session, outbox, sources);
    pthread_mutex_init(&worker->lock, NULL);
    condition_init(&worker->changed);
    if (worker_start(worker))
        return worker;
    free(worker);
    return NULL;
}

/* Whether a message of this type ends the slice of a search or the decision that is in progress. */
static bool worker_ends_run(enum message_type type)
{
    return type == MESSAGE_PAUSE || type == MESSAGE_OPEN || type == MESSAGE_GOTO ||
           type == MESSAGE_SIT || type == MESSAGE_UNDO;
}

bool worker_send(struct worker *worker, struct message *message)
{
    pthread_mutex_lock(&worker->lock);
    bool taken = worker->count < WORKER_MESSAGES;
    if (taken) {
        worker->messages[(worker->first + worker->count++) % WORKER_MESSAGES] = *message;
        if (worker_ends_run(message->type))
            banyan_flag_set(&worker->session.analysis.stop);
        pthread_cond_signal(&worker->changed);
    }
    pthread_mutex_unlock(&worker->lock);
    return taken;
}

void worker_destroy(struct worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    worker->ending = true;
    banyan_flag_set(&worker->session.analysis.stop);
    pthread_cond_signal(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
    pthread_join(worker->thread, NULL);
    for (; worker->count > 0; --worker->count) {
        message_free(&worker->messages[worker->first]);
        worker->first = (worker->first + 1) % WORKER_MESSAGES;
    }
    session_free(&worker->session);
    pthread_mutex_destroy(&worker->lock);
    pthread_cond_destroy(&worker->changed);
    free(worker);
}
