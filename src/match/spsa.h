/* Simultaneous perturbation stochastic approximation (Spall 1992, with the schedules of Spall 1998 that
 * chess engine testing uses): finds, from games alone, parameters that win.
 *
 *      iteration k:   values + c_k delta  plays two games against  values - c_k delta
 *                     values += r_k c_k delta (points of the first - points of the second)
 *
 * delta is a random sign for each parameter, so a pair of games moves all parameters at once.  c_k
 * falls to a twentieth of a parameter's range (or to its step, if that is more), and r_k ends at `rate`.
 */
#ifndef MATCH_SPSA_H
#define MATCH_SPSA_H

#include <stdbool.h>
#include <stdint.h>

enum { SPSA_PARAMS = 128, SPSA_NAME = 64, SPSA_UNIT = 4 };

struct spsa_param {
    char name[SPSA_NAME];
    char unit[SPSA_UNIT]; /* what follows all its values: "ms", "M"; "": nothing */
    double lo, hi;
    double step;   /* values that are played are lo, lo + step, ...; 0: any value */
    bool by_ratio; /* moved in its logarithm: 1 to 2 is as far as 2 to 4; lo > 0, step 0 */
    double start;  /* lo..hi */
};

struct spsa {
    struct spsa_param params[SPSA_PARAMS];
    int count;
    int64_t iterations; /* pairs of games */
    double rate;        /* of the last iteration; 0: spsa_rate */
    uint64_t seed;
};

/* The rate that lets a lead of 3 % of the points between both sides move a parameter through half of
 * its range in about the whole run. */
double spsa_rate(int64_t iterations);

/* The values that play each other in iteration k (from 0): plus[count], minus[count]. */
void spsa_pair(const struct spsa *spsa, int64_t k, const double values[], double plus[],
               double minus[]);

/* Moves values by the result of iteration k: points of plus minus those of minus, -2..2. */
void spsa_move(const struct spsa *spsa, int64_t k, double result, double values[]);

/* The value nearest to `value` that may be played. */
double spsa_nearest(const struct spsa_param *param, double value);

/* How much iteration k moves a parameter (by_ratio: its logarithm) on average: `slope` is the
 * difference of the points of a pair for one unit of difference between its sides. */
double spsa_drift(const struct spsa *spsa, int64_t k, int param, double slope);

#endif
