#include "base/numeric.h"

/* e^x = 2^k e^r with |r| <= ln 2 / 2; the series ends below 1e-17. */
double numeric_exp(double x)
{
    if (x < -700)
        return 0;
    if (x > 700)
        x = 700;
    double scaled = x * 0x1.71547652b82fep+0; /* 1 / ln 2 */
    int k = (int)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    double r = x - k * 0x1.62e42fefa39efp-1 - k * 0x1.abc9e3b39803fp-56; /* ln 2 in two parts */
    double term = 1, sum = 1;
    for (int i = 1; i <= 14; ++i) {
        term = term * r / i;
        sum += term;
    }
    uint64_t bits = (uint64_t)(k + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

double numeric_pow(double x, double y)
{
    return x <= 0 ? 0 : numeric_exp(y * numeric_ln(x));
}
