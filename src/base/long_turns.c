/* Asks Linux for longer turns for threads that only compute. */
#define _GNU_SOURCE
#include "base/long_turns.h"

#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(SYS_sched_setattr) && defined(SCHED_BATCH)

enum { TURN_MS = 20 }; /* Linux before 6.12 ignores it; its default is about 3 */

/* The first version of struct sched_attr of sched_setattr(2); not every C library declares it. */
struct long_turns_wish {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t turn_ns, deadline_ns, period_ns;
};

void long_turns(void)
{
    const struct long_turns_wish wish = {.size = sizeof wish,
                                         .policy = SCHED_BATCH,
                                         .nice = getpriority(PRIO_PROCESS, 0),
                                         .turn_ns = TURN_MS * UINT64_C(1000000)};
    if (sched_getscheduler(0) == SCHED_OTHER) /* the user has set no other policy */
        syscall(SYS_sched_setattr, 0, &wish, 0);
}

#else

void long_turns(void) {}

#endif
