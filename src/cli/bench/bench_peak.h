/* The peak rate of multiply-adds of one core: loops over registers, without memory.  In GFLOP per
 * second of processor time, a multiply-add counted as two; 0: this machine has no such unit. */
#ifndef CLI_BENCH_BENCH_PEAK_H
#define CLI_BENCH_BENCH_PEAK_H

double peak_fma_narrow(double seconds); /* fp32, AVX2 */
double peak_fma_wide(double seconds);   /* fp32, AVX-512 */
double peak_amx(double seconds);        /* bf16 products, fp32 sums */

/* The best rate of round(), a call of which does `operations`.  The result of round() is used, so
 * that the compiler keeps its loop. */
double peak_best(float (*round)(void), double operations, double seconds);

#endif
