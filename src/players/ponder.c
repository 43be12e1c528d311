/* A thread that goes on searching while other players choose. */
#include "players/ponder.h"

#include <signal.h>

static void *ponder_run(void *argument)
{
    struct ponder *ponder = argument;
    const struct banyan_search_limits limits = {
        .struct_size = sizeof(struct banyan_search_limits),
        .stop = &ponder->stop}; /* no other limit: the tree's memory is limited */
    ponder->status = banyan_search_run(ponder->search, &limits, &ponder->error);
    if (ponder->status == BANYAN_INTERRUPTED) /* the usual end of pondering */
        ponder->status = BANYAN_OK;
    return NULL;
}

void ponder_start(struct ponder *ponder, struct banyan_search *search)
{
    sigset_t all, before;
    ponder->search = search;
    banyan_flag_clear(&ponder->stop);
    ponder->status = BANYAN_OK;
    /* signals must go to the threads that read and wait, which must notice them */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ponder->running = pthread_create(&ponder->thread, NULL, ponder_run, ponder) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

enum banyan_status ponder_stop(struct ponder *ponder, struct banyan_error *err)
{
    if (!ponder->running)
        return BANYAN_OK;
    banyan_flag_set(&ponder->stop);
    pthread_join(ponder->thread, NULL);
    ponder->running = false;
    if (ponder->status != BANYAN_OK && err)
        *err = ponder->error;
    return ponder->status;
}
