/* Scores of a match, their intervals, and what it gained by playing in pairs. */
#include "match/elo.h"
#include "match/match.h"

#include <math.h>

double match_score(const struct match_player *player, double *lo, double *hi)
{
    elo_wilson(player->score, (double)player->games, ELO_Z95, lo, hi);
    return player->games ? player->score / (double)player->games : (double)NAN;
}

double match_seat_score(const struct match_seat *seat, double *lo, double *hi)
{
    double sum = (double)seat->wins + (double)seat->draws / 2;
    elo_wilson(sum, (double)seat->games, ELO_Z95, lo, hi);
    return seat->games ? sum / (double)seat->games : (double)NAN;
}

/* The rounds of a match as results in 0..1. */
struct match_rounds {
    double count, mean, variance; /* variance of one round: 0 with fewer than two */
};

static struct match_rounds match_rounds(const struct match_result *result)
{
    struct match_rounds rounds = {0, 0, 0};
    double sum = 0, squares = 0;
    for (int k = 0; k < MATCH_PAIR_OUTCOMES; ++k) {
        double points = k / 4.0, count = (double)result->pairs[k];
        rounds.count += count;
        sum += count * points;
        squares += count * points * points;
    }
    if (rounds.count > 0)
        rounds.mean = sum / rounds.count;
    if (rounds.count > 1)
        rounds.variance =
            fmax(0, (squares - rounds.count * rounds.mean * rounds.mean) / (rounds.count - 1));
    return rounds;
}

bool match_pair_interval(const struct match_result *result, double *lo, double *hi)
{
    struct match_rounds rounds = match_rounds(result);
    if (rounds.count < 2)
        return false;
    double half = ELO_Z95 * sqrt(rounds.variance / rounds.count);
    *lo = fmax(0, rounds.mean - half);
    *hi = fmin(1, rounds.mean + half);
    return true;
}

bool match_variance_saved(const struct match_result *result, double *share)
{
    struct match_rounds rounds = match_rounds(result);
    const struct match_player *first = &result->players[0];
    double games = (double)first->games;
    if (rounds.count < 2)
        return false;
    double mean = ((double)first->wins + (double)first->draws / 2) / games;
    double square = ((double)first->wins + (double)first->draws / 4) / games;
    double variance = (square - mean * mean) * games / (games - 1);
    if (!(variance > 0))
        return false;
    *share = 1 - rounds.variance / (variance / 2);
    return true;
}
