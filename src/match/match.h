/* A match: players, many games, and the statistics of their results.
 *
 *      game number --> opening (shared by the games of one round) --> seats rotated
 *           |
 *      workers (threads here, or elsewhere by a queue), each with players of its own --> finished games
 *                                                              |
 *                                                              +--> totals, SPRT
 *                                                              |
 *                                                              +--> store (SQLite), save (JSON lines)
 *
 * A round is one opening played once in every rotation of seats: with two players two games, each
 * side once, with the same setup (board, teams, cards) and the same dice.  All random numbers depend on
 * (seed, game number), so results do not depend on the number of threads, unless players are limited by
 * time.
 */
#ifndef MATCH_MATCH_H
#define MATCH_MATCH_H

#include "match/playing.h"
#include "match/sprt.h"

#include <banyan/stop.h>

#include <stdio.h>

enum { MATCH_MAX_PLAYERS = 32, MATCH_PAIR_OUTCOMES = 5 };

struct match_result;
struct match_game;

/* Plays the games of a match in place of this program: for players that are programs with a referee
 * of their own (nypc/referee.h). */
struct match_host {
    /* Plays game, whose number, round and seats are set, and fills in its record (start, players,
     * actions, result) and what the seats used.  Called by any thread.  BANYAN_INTERRUPTED: the
     * game was not played to its end. */
    enum banyan_status (*play)(void *ctx, struct match_game *game, struct banyan_error *err);
    void *ctx;
    const char *start; /* text that the games start from; only a match with the same one goes on
                          (resume); borrowed; NULL: the options say all */
};

struct queue;
struct queue_item;

/* What the owner of a queue learns about the result of a job. */
struct match_verdict {
    const char *worker; /* who gave the result: the worker's name in the queue */
    const char *why;    /* why the result was refused; NULL: it counts */
    bool is_lie;        /* a game was played again, and went otherwise */
    int audited;        /* how many of its games were played again, and found right */
};

/* A queue whose workers play the games of a match, among other jobs of its owner. */
struct match_shared {
    struct queue *queue; /* whose owner the caller is */
    uint64_t number;     /* of the job that begins with game 0; a job with game g has number + g */
    const char *keep;    /* name of a blob that stays in the queue after the match; NULL: none */
    /* Takes the result of a job that is not of the match, and acknowledges it. */
    enum banyan_status (*other)(void *ctx, struct queue_item *result, struct banyan_error *err);
    /* Whether the results of this worker no longer count. */
    bool (*is_out)(void *ctx, const char *worker);
    /* Whether the next game of this worker is to be played again here, and compared. */
    bool (*audits)(void *ctx, const char *worker);
    enum banyan_status (*judged)(void *ctx, const struct match_verdict *verdict,
                                 struct banyan_error *err);
    /* Whether workers of this process have failed, and why; NULL: this process has no workers. */
    enum banyan_status (*failed)(void *ctx, struct banyan_error *err);
    void *ctx;
};

struct match_options {
    int64_t games;
    int64_t first; /* number of the first game; not 0: a part of a longer match (without db_path) */
    uint64_t seed;
    int jobs;                  /* number of threads */
    int opening_plies;         /* random plies at the start of every round */
    const char *openings_path; /* or a file of openings, used in order; NULL: none */
    const char *setup;         /* the first state of every game; NULL: the usual start */
    struct playing_time time;
    /* by seat: options that a player in this seat gets after their own; NULL: none */
    const char *handicaps[BANYAN_MAX_PLAYERS];
    bool use_sprt;
    struct sprt sprt;    /* stop when the test has decided; two players only */
    const char *db_path; /* SQLite file where every finished game is stored; NULL: none */
    bool resume; /* go on with the last match in db_path that has these players and settings, and
                    openings with the same lines: its games count, and are not played (or saved) again */
    const struct match_host
        *host;             /* who plays the games; borrowed; NULL: players of this program */
    const char *queue_url; /* the workers of this queue (queue/queue.h) play the games; NULL: `jobs`
                              threads of this process do */
    const struct match_shared
        *shared;             /* its workers play the games; borrowed; NULL: see queue_url */
    FILE *save;              /* one JSON object per finished game; NULL: none; borrowed */
    const banyan_flag *stop; /* when set, the match and games in progress are ended; may be NULL */
    const struct banyan_offer *offers; /* players besides the library's */

    /* Called after every finished game, one at a time; may be NULL. */
    void (*progress)(void *ctx, const struct match_result *result);
    /* Called when the server of queue_url does not answer (why), and when it does again (NULL); may be NULL. */
    void (*lost)(void *ctx, const char *why);
    void *progress_ctx; /* ctx of progress and of lost */
};

/* Results of one player in one seat, in a match of two. */
struct match_seat {
    int64_t games, wins, draws;
    double points, against; /* sums of the game's own points, if it has them */
};

/* Results of one player over all games. */
struct match_player {
    int64_t games, wins, draws, losses; /* compared with the best of the others */
    double score; /* sum of points: per game the share of opponents beaten, ties count half */
    double returns, return_squares; /* sums */
    int64_t decisions;
    uint64_t simulations;
    double elapsed_ms, longest_ms; /* time of all decisions, of the longest one */
    double longest_game_ms;        /* the longest time of all decisions of one game */
    int64_t overstepped;           /* games lost on time */
    int64_t forfeited;             /* games lost by breaking another rule of play */
    struct match_seat seat[2];     /* two players only */
};

struct match_result {
    int count; /* number of players */
    struct match_player players[MATCH_MAX_PLAYERS];
    int64_t games, games_wanted;
    int64_t first_wins, first_draws; /* results of the player in seat 0 */
    int64_t distinct_games;          /* different sequences of actions */
    int64_t plies;
    int64_t
        /* two players: number of rounds in which the first player got 0, 1/2, 1, 3/2 and 2 points */
        pairs[MATCH_PAIR_OUTCOMES];
    double llr; /* set with SPRT */
    enum sprt_answer sprt;
    bool interrupted;
    double elapsed_s;
};

void match_options_default(struct match_options *options);

/* Plays the match.  specs[count]: as for banyan_player_create.  After failure and
 * interruption, too, *result holds the results of the finished games. */
enum banyan_status match_run(const struct banyan_game *game, const char *const specs[], int count,
                             const struct match_options *options, struct match_result *result,
                             struct banyan_error *err);

/* Mean score in one seat, with its interval. */
double match_seat_score(const struct match_seat *seat, double *lo, double *hi);

/* Mean score of a player and its 95 % interval by Wilson's formula, which takes every game as
 * one independent trial.  Draws and shared openings make the true interval narrower. */
double match_score(const struct match_player *player, double *lo, double *hi);

/* The 95 % interval of the first of two players, from the spread of whole rounds (normal
 * approximation).  It is narrower than that of match_score where openings are played in pairs.
 * False: fewer than two rounds. */
bool match_pair_interval(const struct match_result *result, double *lo, double *hi);

/* The share of the variance of the first player's score that is saved because the two games of a
 * round are not independent: 1 - Var(mean of a round) / (Var(game) / 2).  0: a pair is worth two
 * games that have nothing in common; 0.5: it is worth four; negative: fewer than two.  False: fewer
 * than two rounds, or all games ended alike. */
bool match_variance_saved(const struct match_result *result, double *share);

#endif
