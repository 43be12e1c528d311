/* Scores, Elo and their intervals. */
#ifndef SELFPLAY_ELO_H
#define SELFPLAY_ELO_H

/* Elo difference that gives this expected score (0 < score < 1). */
double elo_from_score(double score);

/* The expected score at this Elo difference. */
double elo_to_score(double elo);

/* Wilson's interval of a proportion: z = 1.96 for 95 %. */
void elo_wilson(double successes, double trials, double z, double *lo, double *hi);

#endif
