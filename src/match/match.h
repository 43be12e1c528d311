/* A match: players, many games, and what they prove.
 *
 *      game number --> opening (shared by the games of one round) --> seats rotated
 *           |
 *      workers (threads), each with players of its own --> finished games --> totals, SPRT
 *                                                              |
 *                                                              +--> store (SQLite), save (JSON
 * lines)
 *
 * A round is one opening played once in every rotation of seats: with two players two games, each
 * side once.  Everything random hangs on (seed, game number), so results do not depend on the
 * number of threads, unless players are limited by time.
 */
#ifndef MATCH_MATCH_H
#define MATCH_MATCH_H

#include "match/playing.h"
#include "match/sprt.h"

#include <banyan/stop.h>

#include <stdio.h>

enum { MATCH_MAX_PLAYERS = 32, MATCH_PAIR_OUTCOMES = 5 };

struct match_result;

struct match_options {
    int64_t games;
    uint64_t seed;
    int jobs;                  /* threads */
    int opening_plies;         /* random plies at the start of every round */
    const char *openings_path; /* or openings from this file, in order; NULL: none */
    const char *setup;         /* of every game; NULL: the usual start */
    struct playing_time time;
    bool use_sprt;
    struct sprt sprt;        /* stop when it has decided; two players only */
    const char *db_path;     /* SQLite file where every finished game is stored; NULL: none */
    FILE *save;              /* one JSON object per finished game; NULL: none; borrowed */
    const banyan_flag *stop; /* set by a signal handler: finish no more games; may be NULL */

    /* Called after every finished game, one at a time; may be NULL. */
    void (*progress)(void *ctx, const struct match_result *result);
    void *progress_ctx;
};

/* One player of a duel on one seat. */
struct match_seat {
    int64_t games, wins, draws;
    double points, against; /* sums of the game's own points, where it has them */
};

/* One player of the match over all games. */
struct match_player {
    int64_t games, wins, draws, losses; /* against the best of the others */
    double score; /* sum of points: per game the share of opponents beaten, ties count half */
    double returns, return_squares; /* sums */
    int64_t decisions;
    uint64_t simulations;
    double elapsed_ms, longest_ms; /* of all decisions, of one */
    int64_t overstepped;           /* games lost on time */
    struct match_seat seat[2];     /* two players only */
};

struct match_result {
    int count; /* of players */
    struct match_player players[MATCH_MAX_PLAYERS];
    int64_t games, games_wanted;
    int64_t first_wins, first_draws; /* of the player in seat 0 */
    int64_t distinct_games;          /* different sequences of actions */
    int64_t plies;
    int64_t
        pairs[MATCH_PAIR_OUTCOMES]; /* two players: points of the first per round, 0..2 by halves */
    double llr;                     /* with SPRT */
    enum sprt_answer sprt;
    bool interrupted;
    double elapsed_s;
};

void match_options_default(struct match_options *options);

/* Plays.  specs[count]: as for banyan_player_create.  Also on failure and interruption *result
 * holds what was finished. */
enum banyan_status match_run(const struct banyan_game *game, const char *const specs[], int count,
                             const struct match_options *options, struct match_result *result,
                             struct banyan_error *err);

/* The same of one seat. */
double match_seat_score(const struct match_seat *seat, double *lo, double *hi);

/* Mean score of a player and its 95 % interval by Wilson's formula, which takes every game as one
 * independent trial (careful: draws and shared openings make the truth narrower). */
double match_score(const struct match_player *player, double *lo, double *hi);

/* The 95 % interval of the first of two players from the spread of whole rounds (normal
 * approximation): what paired openings gain.  False: fewer than two rounds. */
bool match_pair_interval(const struct match_result *result, double *lo, double *hi);

#endif
