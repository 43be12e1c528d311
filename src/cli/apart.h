/* Runs code that is not ours in a process of its own, so that a crash there does not end the program. */
#ifndef CLI_APART_H
#define CLI_APART_H

#include <stddef.h>

/* Writes its answer to result. */
typedef void apart_fn(void *ctx, void *result);

/* Calls work in a child process and copies the size bytes of its result, without pointers, here.  Returns 0; the
 * number of the signal that killed the child; or -1: it ended without a result, or there is no process. */
int apart_run(apart_fn *work, void *ctx, void *result, size_t size);

#endif
