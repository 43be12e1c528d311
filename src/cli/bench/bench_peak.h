/* The most multiply-adds that one core can do: loops over registers alone, no memory.  GFLOP/s of
 * processor time, a multiply-add counted as two; 0: this machine has no such unit. */
#ifndef CLI_BENCH_BENCH_PEAK_H
#define CLI_BENCH_BENCH_PEAK_H

double peak_fma_narrow(double seconds); /* fp32 */
double peak_fma_wide(double seconds);   /* fp32 */
double peak_amx(double seconds);        /* bf16 products, fp32 sums */

/* The best rate of round(), of so many operations each; what it returns is looked at, so that it is
 * computed. */
double peak_best(float (*round)(void), double operations, double seconds);

#endif
