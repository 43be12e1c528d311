/* Reads clocks in seconds, for figures that are printed. */
#include "cli/timing.h"
#include "base/clock.h"

#include <math.h>
#include <stdio.h>

double timing_wall_s(void)
{
    return clock_now_ms() / 1000;
}

double timing_cpu_s(void)
{
    return clock_process_ms() / 1000;
}

double timing_thread_cpu_s(void)
{
    return clock_thread_ms() / 1000;
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
