/* Tunes parameters of a player: games between values on either side of the present ones, by SPSA
 * (spsa.h).
 *
 *      owner                                              workers: threads, or other machines
 *      values --> iteration k: texts of both sides --> queue --> a round of a match: two games
 *        ^                                                              |
 *        +---- moved, in the order of k <---- checked <---- queue <-----+
 *
 * Several iterations are on their way at once.  The values of iteration k are those after the
 * results of iterations 0 .. k - 1 - ahead, even if later results are there already, and all random
 * numbers depend on (seed, k): so the outcome does not depend on the number of workers, unless
 * players are limited by time.  The state of a run is the list of its results, so a run that was stopped
 * can go on from there.
 */
#ifndef MATCH_TUNE_H
#define MATCH_TUNE_H

#include "match/match.h"
#include "match/spsa.h"

struct tune_result {
    int64_t iterations;          /* that are done */
    int64_t wins, draws, losses; /* of the side whose values were moved along delta (spsa.h) */
    double values[SPSA_PARAMS];  /* after the last iteration */
    double means[SPSA_PARAMS];   /* of the last quarter of the iterations: less noise */
    double elapsed_s;            /* of this call */
    bool interrupted;
};

struct tune_options {
    struct match_options
        match;       /* openings, setup, time, handicaps, seed, jobs or queue_url, offers, stop,
                                   lost and progress_ctx; the rest is not used */
    int ahead;       /* at most ahead + 1 iterations are on their way */
    const char *run; /* folder where the results are kept; NULL: nowhere */

    /* Called after every iteration; may be NULL. */
    void (*progress)(void *ctx, const struct tune_result *result);
    void *progress_ctx;
};

/* The settings of most runs; the settings of the match are its defaults. */
void tune_options_default(struct tune_options *options);

/* Tunes spsa's parameters of player, a text for banyan_player_create, in a game that banyan_game_find
 * knows.  If the run folder holds results of the same settings, it goes on from them.
 * BANYAN_INTERRUPTED: *result holds what is done; BANYAN_INVALID: also, the run folder holds another
 * run. */
enum banyan_status tune_run(const struct banyan_game *game, const char *player,
                            const struct spsa *spsa, const struct tune_options *options,
                            struct tune_result *result, struct banyan_error *err);

/* Writes the player with these values in place of its own: "NAME:...,a=1,b=2".  Returns as snprintf does. */
int tune_text(const struct spsa *spsa, const char *player, const double values[], char *out,
              size_t size);

#endif
