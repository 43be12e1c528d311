/* The generalised sequential probability ratio test: go on playing until one of two claims about
 * the Elo difference, elo0 or elo1, is far more likely than the other.
 *
 *      LLR <= log(beta / (1 - alpha)): elo0      LLR >= log((1 - beta) / alpha): elo1
 *
 * Wald 1945; with the most likely distributions of results under either claim as in Van den Bergh,
 * "A practical introduction to the GSPRT" (2020), which is what chess engine testing uses. */
#ifndef MATCH_SPRT_H
#define MATCH_SPRT_H

#include <stdint.h>

struct sprt {
    double elo0, elo1;  /* elo0 < elo1 */
    double alpha, beta; /* probability of accepting elo1 when elo0 is true, and of accepting elo0
                           when elo1 is true */
};

enum sprt_answer { SPRT_GO_ON, SPRT_ELO0, SPRT_ELO1 };

/* Log likelihood ratio from counts[outcomes] of results whose scores are equally spaced 0..1: three
 * outcomes are losses, draws, wins; five are the sums of two games with one opening. */
double sprt_llr(const struct sprt *sprt, const double counts[], int outcomes);

enum sprt_answer sprt_decide(const struct sprt *sprt, double llr);

/* How many more results, whatever they are, cannot decide the test: 0 if the next one may; at most `most`. */
int64_t sprt_certain(const struct sprt *sprt, const double counts[], int outcomes, int64_t most);

/* The bounds at which the test ends. */
double sprt_lower(const struct sprt *sprt);
double sprt_upper(const struct sprt *sprt);

#endif
