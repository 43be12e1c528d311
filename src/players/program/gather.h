/* An evaluator that joins what many threads ask at the same time into large batches.
 *
 *     thread: leaves --+                                  +--> free call: all that wait
 *     thread: leaves --+--> leaves that wait for a call --+
 *     thread: leaves --+                                  +--> the others: as much in the next calls
 *
 * No thread waits for others to join it: a thread that finds a free call takes what is there, and what comes while all
 * calls are busy is the next batch.  So a batch grows until the threads keep up with the evaluator. */
#ifndef PLAYERS_PROGRAM_GATHER_H
#define PLAYERS_PROGRAM_GATHER_H

#include <banyan/evaluator.h>

/* calls: how many threads are in the inner evaluator at the same time, which must be reentrant if
 * that is more than 1.  most: a batch that has so many leaves takes no further request.  inner is
 * copied and closed with *out; after an error the caller keeps it. */
enum banyan_status gather_create(const struct banyan_evaluator *inner, int calls, int most,
                                 struct banyan_evaluator *out, struct banyan_error *err);

#endif
