/* Counts the games of a match. */
#include "match/totals.h"

#include <math.h>

bool match_totals_is_duel(const struct match_totals *totals)
{
    return totals->result->count == 2 && totals->game->players == 2;
}

void match_totals_begin(struct match_totals *totals, const struct banyan_game *game,
                        const struct sprt *sprt, struct match_result *result)
{
    *totals = (struct match_totals){
        .game = game, .use_sprt = sprt != NULL, .result = result, .half_round = -1};
    if (sprt)
        totals->sprt = *sprt;
}

/* Mean return of every player of the match that took part; NaN for the others. */
static void totals_means(const struct match_totals *totals, const struct match_outcome *outcome,
                         double means[])
{
    int seats[MATCH_MAX_PLAYERS] = {0}, count = totals->result->count;
    for (int i = 0; i < count; ++i)
        means[i] = 0;
    for (int seat = 0; seat < totals->game->players; ++seat) {
        means[outcome->seats[seat]] += (double)outcome->returns[seat];
        ++seats[outcome->seats[seat]];
    }
    for (int i = 0; i < count; ++i)
        means[i] = seats[i] ? means[i] / seats[i] : (double)NAN;
}

/* Adds the game of player i; returns that player's points. */
static double totals_add_player(struct match_totals *totals, int i, const double means[])
{
    struct match_player *player = &totals->result->players[i];
    int others = 0, beaten = 0, equal = 0;
    for (int j = 0; j < totals->result->count; ++j) {
        if (j == i || isnan(means[j]))
            continue;
        ++others;
        beaten += means[i] > means[j];
        equal += means[i] == means[j];
    }
    double points = others ? (beaten + equal / 2.0) / others : 0;
    ++player->games;
    player->score += points;
    player->returns += means[i];
    player->return_squares += means[i] * means[i];
    if (others) {
        player->wins += beaten == others;
        player->draws += beaten != others && beaten + equal == others;
        player->losses += beaten + equal != others;
    }
    return points;
}

static void totals_add_seats(struct match_totals *totals, const struct match_outcome *outcome)
{
    struct match_result *result = totals->result;
    float best = totals->game->return_min;
    int bests = 0;
    for (int seat = 0; seat < totals->game->players; ++seat) {
        result->players[outcome->seats[seat]].overstepped += outcome->overstepped == seat;
        if (outcome->returns[seat] > best) {
            best = outcome->returns[seat];
            bests = 0;
        }
        bests += outcome->returns[seat] == best;
    }
    if (outcome->returns[0] == best)
        ++*(bests == 1 ? &result->first_wins : &result->first_draws);
}

static void totals_add_duel(struct match_totals *totals, const struct match_outcome *outcome)
{
    for (int seat = 0; seat < 2; ++seat) {
        struct match_seat *at = &totals->result->players[outcome->seats[seat]].seat[seat];
        float mine = outcome->returns[seat], theirs = outcome->returns[1 - seat];
        ++at->games;
        at->wins += mine > theirs;
        at->draws += mine == theirs;
    }
}

/* Two games from one opening count as one result of five kinds. */
static void totals_add_round(struct match_totals *totals, int64_t number, double points)
{
    struct match_result *result = totals->result;
    if (number % 2 == 0) {
        totals->half_round = number;
        totals->half_points = points;
        return;
    }
    if (totals->half_round != number - 1)
        return; /* the other game is missing, because the match was interrupted */
    ++result->pairs[(int)(2 * (totals->half_points + points))];
    if (!totals->use_sprt)
        return;
    double counts[MATCH_PAIR_OUTCOMES];
    for (int k = 0; k < MATCH_PAIR_OUTCOMES; ++k)
        counts[k] = (double)result->pairs[k];
    result->llr = sprt_llr(&totals->sprt, counts, MATCH_PAIR_OUTCOMES);
    result->sprt = sprt_decide(&totals->sprt, result->llr);
}

void match_totals_add(struct match_totals *totals, const struct match_outcome *outcome)
{
    double means[MATCH_MAX_PLAYERS], points[MATCH_MAX_PLAYERS] = {0};
    totals_means(totals, outcome, means);
    for (int i = 0; i < totals->result->count; ++i)
        if (!isnan(means[i]))
            points[i] = totals_add_player(totals, i, means);
    totals_add_seats(totals, outcome);
    ++totals->result->games;
    if (match_totals_is_duel(totals)) {
        totals_add_duel(totals, outcome);
        totals_add_round(totals, outcome->number, points[0]);
    }
}
