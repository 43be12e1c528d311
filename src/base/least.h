/* The smaller and the larger of two numbers.  The comparison is written once here, so it needs no
 * test of its own at each place that uses it. */
#ifndef BASE_LEAST_H
#define BASE_LEAST_H

#include <stdint.h>

static inline int least_int(int a, int b)
{
    return a < b ? a : b;
}

static inline int most_int(int a, int b)
{
    return a > b ? a : b;
}

static inline uint64_t least_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Faster than fminf and fmaxf, which would be calls; neither number may be NaN. */
static inline float least_float(float a, float b)
{
    return a < b ? a : b;
}

static inline float most_float(float a, float b)
{
    return a > b ? a : b;
}

static inline double least_double(double a, double b)
{
    return a < b ? a : b;
}

static inline double most_double(double a, double b)
{
    return a > b ? a : b;
}

#endif
