/* A flag by which another thread, or a signal handler, asks a long computation
 * to stop:
 *
 *     banyan_flag stop = {0};   limits.stop = &stop;   ...   banyan_flag_set(&stop);
 *
 * It is one byte, the same in C and C++. Only these functions read and write it, atomically.
 *
 * Threads: any thread and any signal handler.
 */
#ifndef BANYAN_STOP_H
#define BANYAN_STOP_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct banyan_flag {
    unsigned char state; /* 0: not set; only these functions use it */
} banyan_flag;

void banyan_flag_set(banyan_flag *flag);
void banyan_flag_clear(banyan_flag *flag);

/* Returns whether the flag is set; NULL counts as a flag that is never set. */
bool banyan_flag_is_set(const banyan_flag *flag);

#ifdef __cplusplus
}
#endif
#endif
