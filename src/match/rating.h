/* Ratings of many players from all their games: the Elo (Bradley-Terry) strengths that make the
 * results most likely. */
#ifndef MATCH_RATING_H
#define MATCH_RATING_H

/* scores[i * count + j]: points of i against j (win 1, draw 1/2); elo[count] has mean 0.  A draw
 * with an average player is added for every player, so that the rating of a player who wins
 * every game is finite. */
void rating_fit(int count, const double scores[], double elo[]);

#endif
