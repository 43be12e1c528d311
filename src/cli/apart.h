/* Runs code that is not ours in a process of its own, so that a crash there does not end the program.  A crash
 * there leaves no core file. */
#ifndef CLI_APART_H
#define CLI_APART_H

#include <stddef.h>

/* A function that runs in the child process and writes its result to *result. */
typedef void apart_fn(void *ctx, void *result);

/* Calls work in a child process and copies its result, size bytes without pointers, to this process.  Returns 0, or
 * the number of the signal that killed the child, or -1 if the child ended without a result or could not be started. */
int apart_run(apart_fn *work, void *ctx, void *result, size_t size);

#endif
