/* The work on jobs of the kind "play": games of self-play. */
#ifndef TRAIN_WORKER_PLAY_H
#define TRAIN_WORKER_PLAY_H

#include "train/worker_threads.h"

/* Plays the games of the job, and of later ones with the same settings, network and generation,
 * many at once; gives each job's result when all its games are over.  If it has taken another job
 * meanwhile, that job is in thread->left afterwards.  If the queue no longer has the network or the
 * settings of a job, the result has no games. BANYAN_INTERRUPTED: stop was set, and unfinished jobs
 * are back in the queue. */
enum banyan_status worker_play(struct worker_thread *thread, struct queue_item *job,
                               struct banyan_error *err);

/* Frees what a thread keeps from one call to the next. */
void worker_play_free(struct worker_thread *thread);

#endif
