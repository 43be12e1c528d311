/* The generalised sequential probability ratio test of a match. */
#include "match/sprt.h"

#include "match/elo.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SPRT_OUTCOMES_MAX = 5 };

/* With p_i the share of outcome i and a_i its score: the multiplier t for which the sum of
 * p_i (a_i - s) / (1 + t (a_i - s)) is 0.  The most likely distribution with mean s is
 * p_i / (1 + t (a_i - s)) (Van den Bergh, section 4).  The sum falls with t. */
static double sprt_multiplier(const double p[], int outcomes, double s)
{
    double low = -1 / (1 - s), high = 1 / s; /* a denominator is 0 there */
    for (int i = 0; i < 100; ++i) {
        double t = (low + high) / 2, sum = 0;
        for (int k = 0; k < outcomes; ++k) {
            double d = (double)k / (outcomes - 1) - s;
            sum += p[k] * d / (1 + t * d);
        }
        *(sum > 0 ? &low : &high) = t;
    }
    return (low + high) / 2;
}

double sprt_llr(const struct sprt *sprt, const double counts[], int outcomes)
{
    double p[SPRT_OUTCOMES_MAX], total = 0, llr = 0;
    double s0 = elo_to_score(sprt->elo0), s1 = elo_to_score(sprt->elo1);
    for (int k = 0; k < outcomes; ++k)
        /* an outcome that did not occur gets a small count, so that it is not impossible */
        total += counts[k] > 0 ? counts[k] : 1e-3;
    for (int k = 0; k < outcomes; ++k)
        p[k] = (counts[k] > 0 ? counts[k] : 1e-3) / total;
    double t0 = sprt_multiplier(p, outcomes, s0), t1 = sprt_multiplier(p, outcomes, s1);
    for (int k = 0; k < outcomes; ++k) {
        double a = (double)k / (outcomes - 1);
        llr += p[k] * (log1p(t0 * (a - s0)) - log1p(t1 * (a - s1)));
    }
    return total * llr;
}

double sprt_lower(const struct sprt *sprt)
{
    return log(sprt->beta / (1 - sprt->alpha));
}

double sprt_upper(const struct sprt *sprt)
{
    return log((1 - sprt->beta) / sprt->alpha);
}

enum sprt_answer sprt_decide(const struct sprt *sprt, double llr)
{
    if (llr >= sprt_upper(sprt))
        return SPRT_ELO1;
    return llr <= sprt_lower(sprt) ? SPRT_ELO0 : SPRT_GO_ON;
}

/* Whether the test decides if `more` results of one kind come. */
static bool sprt_decides_with(const struct sprt *sprt, const double counts[], int outcomes,
                              int outcome, int64_t more)
{
    double after[SPRT_OUTCOMES_MAX];
    memcpy(after, counts, (size_t)outcomes * sizeof *after);
    after[outcome] += (double)more;
    return sprt_decide(sprt, sprt_llr(sprt, after, outcomes)) != SPRT_GO_ON;
}

/* The LLR is the difference of two maxima over distributions, so one more result k adds about
 * log(q1[k] / q0[k]), where q0 and q1 are the most likely distributions under the two claims.  This
 * grows with k, as q1 has the larger mean.  So the best results raise the LLR most, and the worst
 * ones lower it most. */
int64_t sprt_certain(const struct sprt *sprt, const double counts[], int outcomes, int64_t most)
{
    int64_t low = 0, high = most + 1, step = 1;
    while (high - low > 1) {
        int64_t more = step < high - low ? low + step : low + (high - low) / 2;
        bool may = sprt_decides_with(sprt, counts, outcomes, outcomes - 1, more) ||
                   sprt_decides_with(sprt, counts, outcomes, 0, more);
        *(may ? &high : &low) = more;
        step = may ? 1 : 2 * step;
    }
    return low;
}
