/* Finds parameters from pairs of games, by simultaneous perturbation. */
#include "match/spsa.h"

#include "base/numeric.h"
#include "base/rng.h"

#include <math.h>

/* Spall 1998, section III: the exponents alpha and gamma; the stability constant A is a tenth of
 * the iterations. */
static const double spsa_alpha = 0.602, spsa_gamma = 0.101, spsa_stability = 0.1;

enum { SPSA_WIDTHS = 20 }; /* a parameter's range, divided by its width c in the last iteration */

double spsa_rate(int64_t iterations)
{
    return 100.0 / (double)iterations;
}

/* If by_ratio is set, a parameter's logarithm is moved, otherwise its value.  These functions
 * convert the value to the number that is moved, and back. */
static double spsa_place(const struct spsa_param *param, double value)
{
    return param->by_ratio ? numeric_ln(value) : value;
}

static double spsa_value(const struct spsa_param *param, double place)
{
    return param->by_ratio ? numeric_exp(place) : place;
}

/* The width c_k of a parameter (spsa.h). */
static double spsa_width(const struct spsa *spsa, int64_t k, int i)
{
    const struct spsa_param *param = &spsa->params[i];
    double range = spsa_place(param, param->hi) - spsa_place(param, param->lo);
    double last = fmax(range / SPSA_WIDTHS, param->step);
    return last * numeric_pow((double)spsa->iterations / (double)(k + 1), spsa_gamma);
}

/* How far a point of difference moves a parameter: r_k c_k. */
static double spsa_gain(const struct spsa *spsa, int64_t k, int i)
{
    double n = (double)spsa->iterations, a = spsa_stability * n, at = (double)(k + 1);
    double rate = spsa->rate > 0 ? spsa->rate : spsa_rate(spsa->iterations);
    double now = rate * numeric_pow((a + n) / (a + at), spsa_alpha);
    return now / numeric_pow(n / at, 2 * spsa_gamma) * spsa_width(spsa, k, i);
}

double spsa_drift(const struct spsa *spsa, int64_t k, int param, double slope)
{
    return spsa_gain(spsa, k, param) * slope * 2 * spsa_width(spsa, k, param);
}

static double spsa_clamp(const struct spsa_param *param, double value)
{
    return fmin(fmax(value, param->lo), param->hi);
}

/* The random numbers of iteration k. */
static void spsa_draws(const struct spsa *spsa, int64_t k, struct banyan_rng *rng)
{
    banyan_rng_seed(rng, banyan_rng_child(spsa->seed, "spsa", (uint64_t)k));
}

static int spsa_sign(struct banyan_rng *rng)
{
    return banyan_rng_below(rng, 2) ? 1 : -1;
}

/* Rounds value to the grid of steps: up if its rest is at least 1 - draw, so that a random draw
 * gives the right value on average. */
static double spsa_grid(const struct spsa_param *param, double value, double draw)
{
    value = spsa_clamp(param, value);
    if (param->step <= 0)
        return value;
    double steps = floor((value - param->lo) / param->step + draw);
    double most = floor((param->hi - param->lo) / param->step + 1e-9);
    return param->lo + param->step * fmin(steps, most);
}

double spsa_nearest(const struct spsa_param *param, double value)
{
    return spsa_grid(param, value, 0.5);
}

void spsa_pair(const struct spsa *spsa, int64_t k, const double values[], double plus[],
               double minus[])
{
    struct banyan_rng rng;
    spsa_draws(spsa, k, &rng);
    for (int i = 0; i < spsa->count; ++i) {
        const struct spsa_param *param = &spsa->params[i];
        double shift = spsa_sign(&rng) * spsa_width(spsa, k, i), draw = banyan_rng_unit(&rng);
        double place = spsa_place(param, values[i]);
        plus[i] = spsa_grid(param, spsa_value(param, place + shift), draw);
        minus[i] = spsa_grid(param, spsa_value(param, place - shift), draw);
    }
}

void spsa_move(const struct spsa *spsa, int64_t k, double result, double values[])
{
    struct banyan_rng rng;
    spsa_draws(spsa, k, &rng);
    for (int i = 0; i < spsa->count; ++i) {
        double sign = spsa_sign(&rng);
        (void)banyan_rng_unit(&rng);
        const struct spsa_param *param = &spsa->params[i];
        double place = spsa_place(param, values[i]) + sign * result * spsa_gain(spsa, k, i);
        values[i] = spsa_clamp(param, spsa_value(param, place));
    }
}
