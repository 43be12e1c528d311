/* Fits Elo ratings of many players to all their games. */
#include "match/rating.h"

#include <math.h>

enum { RATING_ROUNDS = 20000 };

/* One step of the minorise-maximise iteration of Hunter, "MM algorithms for generalized
 * Bradley-Terry models" (2004): strength = points / weight, where the weight is the sum over opponents of
 * games / (sum of both strengths).  elo holds logarithms of strengths to the base 10 here. */
static double rating_step(int count, const double scores[], double elo[])
{
    double change = 0;
    for (int i = 0; i < count; ++i) {
        double own = pow(10, elo[i]), points = 0.5, weight = 1 / (own + 1);
        for (int j = 0; j < count; ++j) {
            if (j == i)
                continue;
            double games = scores[i * count + j] + scores[j * count + i];
            points += scores[i * count + j];
            weight += games / (own + pow(10, elo[j]));
        }
        double next = log10(points / weight);
        change = fmax(change, fabs(next - elo[i]));
        elo[i] = next;
    }
    return change;
}

void rating_fit(int count, const double scores[], double elo[])
{
    double mean = 0;
    for (int i = 0; i < count; ++i)
        elo[i] = 0;
    for (int round = 0; round < RATING_ROUNDS && rating_step(count, scores, elo) > 1e-9; ++round)
        continue;
    for (int i = 0; i < count; ++i)
        mean += elo[i] / count;
    for (int i = 0; i < count; ++i)
        elo[i] = 400 * (elo[i] - mean);
}
