/* Searching on while others think: a thread that has the search to itself from
 * ponder_start to ponder_stop.
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

/* One at a time, of the thread that starts and stops; all zero: nothing runs. */
struct ponder {
    pthread_t thread;
    bool running;
    banyan_flag stop;
    struct banyan_search *search; /* borrowed while running */
    enum banyan_status status;    /* of the last run */
    struct banyan_error error;
};

/* Searches on in the background.  Nobody else may touch search, or its evaluator, until ponder_stop
 * has returned.  Where no thread can be had nothing happens. */
void ponder_start(struct ponder *ponder, struct banyan_search *search);

/* Ends it and waits; the status of the search.  Nothing runs: BANYAN_OK. */
enum banyan_status ponder_stop(struct ponder *ponder, struct banyan_error *err);

#endif
