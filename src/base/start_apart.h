/* Starts a thread on another processor than the caller's. */
#ifndef BASE_START_APART_H
#define BASE_START_APART_H

#include <pthread.h>
#include <stdbool.h>

/* Like pthread_create() with default attributes, for a thread that computes beside the caller from the
 * beginning.  Linux often starts a thread on the processor that made it, and moves one of the two only
 * milliseconds later.  So the new thread is sent to another one of the processors that the caller may use, and may
 * use all of them from then on.  Where the system cannot do this, it starts anywhere.  False: no thread was
 * started. */
bool start_apart(pthread_t *thread, void *(*run)(void *argument), void *argument);

#endif
