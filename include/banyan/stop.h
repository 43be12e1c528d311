/* A flag by which another thread, or a signal handler, asks a long computation
 * to stop:
 *
 *     banyan_flag stop = false;      limits.stop = &stop;      ...  stop = true;
 *
 * An atomic, since a volatile would be a race between threads.  One byte and
 * free of locks in C and C++.
 */
#ifndef BANYAN_STOP_H
#define BANYAN_STOP_H

#ifdef __cplusplus
#include <atomic>
typedef std::atomic<bool> banyan_flag;
#else
#include <stdatomic.h>
#include <stdbool.h>
typedef atomic_bool banyan_flag;
#endif

#endif
