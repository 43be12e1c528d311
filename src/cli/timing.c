#include "cli/timing.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static double timing_read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double timing_wall_s(void)
{
    return timing_read(CLOCK_MONOTONIC);
}

double timing_cpu_s(void)
{
    return timing_read(CLOCK_PROCESS_CPUTIME_ID);
}

char *timing_rate(double per_s, char *out, int size)
{
    static const char *const powers[] = {"", " k", " M", " G", " T"};
    int power = 0;
    while (fabs(per_s) >= 999.5 && power < 4) {
        per_s /= 1000;
        ++power;
    }
    int digits = fabs(per_s) >= 99.95 ? 0 : fabs(per_s) >= 9.995 ? 1 : 2;
    snprintf(out, (size_t)size, "%.*f%s", digits, per_s, powers[power]);
    return out;
}
