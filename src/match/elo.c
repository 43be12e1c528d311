/* Converts scores to Elo differences, and computes their intervals. */
#include "match/elo.h"

#include <math.h>

double elo_from_score(double score)
{
    return 400 * log10(score / (1 - score));
}

double elo_to_score(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

void elo_wilson(double successes, double trials, double z, double *lo, double *hi)
{
    if (trials <= 0) {
        *lo = 0;
        *hi = 1;
        return;
    }
    double p = successes / trials, z2 = z * z;
    double centre = (p + z2 / (2 * trials)) / (1 + z2 / trials);
    double half = z / (1 + z2 / trials) * sqrt(p * (1 - p) / trials + z2 / (4 * trials * trials));
    /* exactly 0 and 1 here, because rounding errors would give a finite Elo difference */
    *lo = successes <= 0 ? 0 : centre - half;
    *hi = successes >= trials ? 1 : centre + half;
}
