/* A round of a match on its way through a queue: offered, played by some worker, checked.
 *
 *      round_begin --> round_offer --> queue --> round_judge --> its games, to be counted
 *                          ^                         |
 *                          +--------- refused -------+
 *
 * Threads: one at a time.
 */
#ifndef MATCH_MATCH_ROUND_H
#define MATCH_MATCH_ROUND_H

#include "match/match_job.h"

enum { ROUND_UNFIT = 3 }; /* the match fails when so many workers could not play one round */

struct round {
    uint64_t number; /* of its job in the queue */
    int64_t first;   /* number of its first game */
    int games;
    int errors; /* how often workers could not play it */
    int wrong;  /* how often a result was wrong, or had no games */
    int unfit_count;
    char unfit[ROUND_UNFIT][QUEUE_NAME + 1]; /* [unfit_count] workers who could not play it */
    char hash[QUEUE_HASH + 1];
    char *job; /* its bytes, with a zero at the end; owned */
};

/* Makes the job of a round whose number, first game and number of games are set.  settings: the hash under
 * which the queue has the match's settings; specs[count]: the players.  Freed with round_end. */
enum banyan_status round_begin(struct round *round, const char *settings, const char *const specs[],
                               int count, struct banyan_error *err);
void round_end(struct round *round);

/* Puts the job into the queue. */
enum banyan_status round_offer(const struct round *round, struct queue *queue,
                               struct banyan_error *err);

enum { ROUND_REASON = 200 };

/* The games of a result; count is 0 if the result is not good. */
struct round_games {
    int count;
    struct match_game *games[MATCH_JOB_GAMES]; /* [count]; owned */
    char wrong[ROUND_REASON];                  /* what the worker did wrong; "": nothing */
};

/* Judges a result for this round.  If it is good, *out has its games, played again by the rules with
 * checker; the caller counts and frees them, and then acknowledges the result.  Otherwise the result is
 * refused and the round offered again.  An error: several workers, or all that there are, could not play it, results
 * were wrong too often, or workers died while they had it. */
enum banyan_status round_judge(struct round *round, struct queue *queue, struct queue_item *result,
                               struct match_worker *checker, struct round_games *out,
                               struct banyan_error *err);

/* Refuses a result that round_judge accepted, offers the round again and frees the games: for a
 * result with a game that went otherwise when it was played again. */
enum banyan_status round_reject(struct round *round, struct queue *queue, struct queue_item *result,
                                struct round_games *games, const char *reason,
                                struct banyan_error *err);

#endif
