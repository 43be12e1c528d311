/* Counts the games of a match, one by one in the order of their numbers.
 *
 *      a match that is played    --+
 *                                  +--> match_totals_add ... --> struct match_result
 *      the rows of its database  --+
 *
 * Both ways give the same figures: what `match` prints can be computed again from its database.
 */
#ifndef MATCH_TOTALS_H
#define MATCH_TOTALS_H

#include "match/match.h"

struct match_totals {
    const struct banyan_game *game; /* static storage */
    bool use_sprt;
    struct sprt sprt;            /* set if use_sprt */
    struct match_result *result; /* borrowed */
    int64_t half_round;          /* number of the game that began a round; -1: none */
    double half_points;          /* points of the first player in it */
};

/* A finished game: who sat where, and what each seat got; arrays by seat, borrowed. */
struct match_outcome {
    int64_t number;
    const int *seats; /* number of the player of the match */
    const float *returns;
    int overstepped; /* the seat that lost on time; -1: none */
};

/* result: empty, with its count of players set; sprt: NULL: no test. */
void match_totals_begin(struct match_totals *totals, const struct banyan_game *game,
                        const struct sprt *sprt, struct match_result *result);

/* Adds a game.  result->sprt is the answer of the test after it. */
void match_totals_add(struct match_totals *totals, const struct match_outcome *outcome);

/* Whether two players play a game for two: rounds are pairs of games then. */
bool match_totals_is_duel(const struct match_totals *totals);

#endif
