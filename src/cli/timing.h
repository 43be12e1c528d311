/* Clocks for the figures that commands print, in seconds as double. */
#ifndef CLI_TIMING_H
#define CLI_TIMING_H

double timing_wall_s(void); /* monotonic */
/* Processor time of the whole process, by which single-thread rates are computed. */
double timing_cpu_s(void);
double timing_thread_cpu_s(void); /* of this thread */

/* "12.3 M", "456 k", "7.80": three digits and a power of 1000, in out[size]; returns out. */
char *timing_rate(double per_s, char *out, int size);

#endif
