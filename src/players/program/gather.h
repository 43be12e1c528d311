/* An evaluator that joins the leaves of many threads into large batches.
 *
 *     thread: leaves --+
 *     thread: leaves --+--> queue of requests --> a free call takes those that fit into one batch
 *     thread: leaves --+                      --> the next calls take the others
 *
 * No thread waits for others to join it: a thread that finds a free call takes the requests that
 * are there, and requests that come while all calls are busy form the next batch.  So batches grow
 * until the evaluator keeps up with the threads. */
#ifndef PLAYERS_PROGRAM_GATHER_H
#define PLAYERS_PROGRAM_GATHER_H

#include <banyan/evaluator.h>

/* calls: how many threads may be in the inner evaluator at the same time; if more than 1, inner must
 * be reentrant.  most: the most leaves of a batch; only a single request may have more.  inner is
 * copied and closed with *out; after an error the caller keeps it. */
enum banyan_status gather_create(const struct banyan_evaluator *inner, int calls, int most,
                                 struct banyan_evaluator *out, struct banyan_error *err);

#endif
