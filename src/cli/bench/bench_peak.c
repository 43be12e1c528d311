/* Measures the peak rate of multiply-adds of one core: the loop that all instruction sets share. */
#include "cli/bench/bench_peak.h"

#include "cli/timing.h"

double peak_best(float (*round)(void), double operations, double seconds)
{
    double best = 0, start = timing_cpu_s();
    float sum = 0;
    while (timing_cpu_s() - start < seconds) {
        double before = timing_cpu_s();
        sum += round();
        double rate = operations / (timing_cpu_s() - before) / 1e9;
        best = rate > best ? rate : best;
    }
    return sum > 0 ? best : 0;
}
