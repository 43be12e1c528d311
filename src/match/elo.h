/* Scores, Elo differences and their intervals. */
#ifndef MATCH_ELO_H
#define MATCH_ELO_H

/* Elo difference that gives this expected score (0 < score < 1). */
double elo_from_score(double score);

/* The expected score at this Elo difference. */
double elo_to_score(double elo);

/* Half the width, in standard deviations, of the interval that holds 95 % of a normal
 * distribution. */
#define ELO_Z95 1.959964

/* Wilson's interval of a proportion (Wilson 1927): z = ELO_Z95 for 95 %. */
void elo_wilson(double successes, double trials, double z, double *lo, double *hi);

#endif
