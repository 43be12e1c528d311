/* Computes exponentials and powers with the same bits on every machine. */
#include "base/numeric.h"

/* 1 / i! */
static const double numeric_inverse_factorial[14] = {1.0,
                                                     1.0,
                                                     1.0 / 2,
                                                     1.0 / 6,
                                                     1.0 / 24,
                                                     1.0 / 120,
                                                     1.0 / 720,
                                                     1.0 / 5040,
                                                     1.0 / 40320,
                                                     1.0 / 362880,
                                                     1.0 / 3628800,
                                                     1.0 / 39916800,
                                                     1.0 / 479001600,
                                                     1.0 / 6227020800};

/* e^x = 2^k e^r with |r| <= ln 2 / 2; the terms that are left out are below 1e-17. */
double numeric_exp(double x)
{
    if (x < -700)
        return 0;
    if (x > 700)
        x = 700;
    double scaled = x * 0x1.71547652b82fep+0; /* 1 / ln 2 */
    int k = (int)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    double r = x - k * 0x1.62e42fefa39efp-1 - k * 0x1.abc9e3b39803fp-56; /* ln 2 as a sum of two */
    const double *c = numeric_inverse_factorial;
    /* two independent sums, and no division */
    double s = r * r;
    double even =
        (((((c[12] * s + c[10]) * s + c[8]) * s + c[6]) * s + c[4]) * s + c[2]) * s + c[0];
    double odd = (((((c[13] * s + c[11]) * s + c[9]) * s + c[7]) * s + c[5]) * s + c[3]) * s + c[1];
    double sum = even + r * odd;
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

double numeric_pow(double x, double y)
{
    return x <= 0 ? 0 : numeric_exp(y * numeric_ln(x));
}
