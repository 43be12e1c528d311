/* A flag by which another thread, or a signal handler, asks a long computation
 * to stop:
 *
 *     banyan_flag stop = {0};   limits.stop = &stop;   ...   banyan_flag_set(&stop);
 *
 * One byte, the same in C and C++, and read and written as an atomic by these
 * functions only.  Any thread and any signal handler may call them.
 */
#ifndef BANYAN_STOP_H
#define BANYAN_STOP_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct banyan_flag {
    unsigned char state; /* 0: not set; of these functions alone */
} banyan_flag;

void banyan_flag_set(banyan_flag *flag);
void banyan_flag_clear(banyan_flag *flag);

/* Whether it is set; a flag that is NULL never is. */
bool banyan_flag_is_set(const banyan_flag *flag);

#ifdef __cplusplus
}
#endif
#endif
