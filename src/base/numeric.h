/* Logarithm, exponential, power and roots that give the same bits on every machine.
 *
 * The functions of libm differ between machines (glibc picks FMA versions at run time), and one
 * different bit can change every later step of a search.  These functions use only additions,
 * multiplications, divisions and square roots, which IEEE 754 fixes, and no contraction (-ffp-contract=off).
 * Relative errors: of ln x below 1e-14 (near x = 1 instead: absolute error below 1e-15); of e^x
 * below 1e-14 for |x| <= 100, else below 1e-13.  x^y is computed as e^(y ln x). */
#ifndef BASE_NUMERIC_H
#define BASE_NUMERIC_H

#include <math.h>
#include <stdint.h>
#include <string.h>

extern const double numeric_inverse[128], numeric_ln_centre[128];

/* Natural logarithm; x > 0 and normal. */
static inline double numeric_ln(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023;
    unsigned slot = (unsigned)(bits >> 45) & 127;
    bits = (bits & 0xfffffffffffffu) | 0x3ff0000000000000u;
    double mantissa;
    memcpy(&mantissa, &bits, sizeof mantissa);
    /* ln x = exponent ln 2 + ln centre + ln (1 + r), |r| < 1/256 */
    double r = mantissa * numeric_inverse[slot] - 1;
    double r2 = r * r; /* adds pairs of terms independently: about half the latency of Horner's
                        * scheme */
    double series = (r - r2 * 0.5) + (r2 * r) * (1.0 / 3 - r * 0.25) +
                    (r2 * r2) * (r * (1.0 / 5) - r2 * (1.0 / 6));
    return exponent * 0x1.62e42fefa39efp-1 + (numeric_ln_centre[slot] + series);
}

/* What UCB1 computes from counts of visits.  Most counts are small, and a division or a logarithm with a root
 * takes as long as all else that UCB1 computes for an edge or a node, so tables hold the values of small counts. */
enum { NUMERIC_COUNTS = 1024 };
extern const double numeric_inverse_sqrts[NUMERIC_COUNTS], numeric_sqrt_lns[NUMERIC_COUNTS];

/* 1/sqrt(n) for n > 0. */
static inline double numeric_inverse_sqrt(uint32_t n)
{
    return n < NUMERIC_COUNTS ? numeric_inverse_sqrts[n] : sqrt(1.0 / n);
}

/* sqrt(ln n); 0 for n <= 1. */
static inline double numeric_sqrt_ln(uint32_t n)
{
    return n < NUMERIC_COUNTS ? numeric_sqrt_lns[n] : sqrt(numeric_ln(n));
}

/* e^x; 0 below -700, clamped above 700. */
double numeric_exp(double x);

/* x^y for x >= 0 (0^y = 0). */
double numeric_pow(double x, double y);

#endif
