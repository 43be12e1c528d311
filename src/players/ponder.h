/* Pondering: a thread searches while other players think.  From ponder_start to ponder_stop only
 * this thread uses the search.
 *
 *     observe (own action) --> ponder_start ... ponder_stop <-- observe (the answer), choose, close
 */
#ifndef PLAYERS_PONDER_H
#define PLAYERS_PONDER_H

#include <banyan/search.h>
#include <banyan/status.h>
#include <banyan/stop.h>

#include <pthread.h>
#include <stdbool.h>

/* Used by one thread at a time, which starts and stops it; all zero: no search runs. */
struct ponder {
    pthread_t thread;
    bool running;
    banyan_flag stop;
    struct banyan_search *search; /* borrowed while running */
    enum banyan_status status;    /* status of the last run */
    struct banyan_error error;
};

/* Starts the search in the background.  No other thread may use search or its evaluator until
 * ponder_stop has returned.  If no thread can be started, it does nothing. */
void ponder_start(struct ponder *ponder, struct banyan_search *search);

/* Stops the search and waits for its end; returns its status, or BANYAN_OK if none runs. */
enum banyan_status ponder_stop(struct ponder *ponder, struct banyan_error *err);

#endif
