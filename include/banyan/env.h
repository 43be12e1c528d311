/* Many games of one kind that all take a step in one call: for programs that learn from batches,
 * also in other languages.
 *
 *      actions [games][rows] --> step --> observations, masks, movers, rewards, done
 *
 * Rows: where one player chooses at a time every game has one row, which is that of its mover.  Where
 * players may choose at the same time (BANYAN_SIMULTANEOUS) every game has a row for each player.
 *
 * Actions are numbers below banyan_env_width.  In a game with a policy head they are its indices, else
 * places in the list that legal() writes.
 *
 * The arrays are the caller's, so that nothing is copied; one that is NULL is not written.
 *
 * Ownership: the game is borrowed and must outlive the env.
 * Threads: an env belongs to one thread at a time; envs are independent of each other.  An env may itself
 * use several threads, each for some of its games; no result depends on how many.
 */
#ifndef BANYAN_ENV_H
#define BANYAN_ENV_H

#include <banyan/observe.h>
#include <banyan/status.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What becomes of a game that is over. */
enum banyan_env_autoreset {
    BANYAN_ENV_NEXT_STEP, /* the next step begins a new one; its actions are not read, its rewards are 0 */
    BANYAN_ENV_SAME_STEP, /* the step that ends it begins a new one, which the other arrays show */
    BANYAN_ENV_DISABLED   /* it stays over until banyan_env_reset */
};

struct banyan_env_options {
    size_t struct_size; /* sizeof(struct banyan_env_options): set by banyan_env_options_default */
    int games;          /* 1 or more */
    enum banyan_env_autoreset autoreset;
    uint64_t seed;     /* of deals and dice: each game has a stream of its own */
    const char *setup; /* of each new game, as for init(); copied; NULL: the usual start */
    int threads; /* 1 or more, with that of the caller; they wait between calls, and end with the env */
};

/* Fills *options with the defaults: one game, BANYAN_ENV_NEXT_STEP, seed 1, the usual start, one thread. */
#define banyan_env_options_default(options) \
    banyan_env_options_init((options), sizeof(struct banyan_env_options))
void banyan_env_options_init(struct banyan_env_options *options, size_t struct_size);

/* Where results go.  Rows in which nobody chooses hold 0. */
struct banyan_env_arrays {
    size_t struct_size;  /* sizeof(struct banyan_env_arrays) */
    float *observations; /* [games][rows][banyan_observation_size]: what the row's player knows */
    int8_t *masks;       /* [games][rows][width]: 1: the action is legal */
    int8_t *movers;      /* [games][rows]: the player who chooses; -1: nobody */
    float *rewards;      /* [games][players]: returns() in the step that ends a game, else 0 */
    uint8_t *done; /* [games]: 1 after a step in which the game ended, or while it stays over */

    /* [games][players][banyan_observation_size]: what each player knows at the end of a game, written in the
     * step that ends it; those of other games stay as they are */
    float *final_observations;
};

struct banyan_env;

/* Makes an env, in which all games are at their start.  BANYAN_INVALID: options, setup. */
enum banyan_status banyan_env_create(struct banyan_env **out, const struct banyan_game *game,
                                     const struct banyan_env_options *options,
                                     struct banyan_error *err);
void banyan_env_destroy(struct banyan_env *env);

int banyan_env_rows(const struct banyan_env *env);  /* of each game: 1 or players */
int banyan_env_width(const struct banyan_env *env); /* banyan_policy_width */

/* Returns the state of game number index: borrowed, until the next call that is without const. */
const void *banyan_env_state(const struct banyan_env *env, int index);

/* Restarts the random streams of all games, as create does with this seed; games that have begun
 * are not changed. */
void banyan_env_seed(struct banyan_env *env, uint64_t seed);

/* Restarts the random stream of one game, as that of the only game of an env with this seed; a game
 * that has begun is not changed. */
void banyan_env_seed_one(struct banyan_env *env, int index, uint64_t seed);

/* Begins new games where which[game] is not 0 (NULL: everywhere), and writes the arrays of all games:
 * rewards are 0. */
enum banyan_status banyan_env_reset(struct banyan_env *env, const uint8_t *which,
                                    const struct banyan_env_arrays *out, struct banyan_error *err);

/* An action in the first row of a game, which counts for all its rows: the game does not change in
 * this step, also if it is over, and its rewards are 0.  So games can wait while players in others
 * choose. */
#define BANYAN_ENV_HOLD INT64_MIN

/* Plays actions[games][rows] and writes the arrays.  BANYAN_ILLEGAL names the first action that is not
 * legal: then nothing has changed. */
enum banyan_status banyan_env_step(struct banyan_env *env, const int64_t *actions,
                                   const struct banyan_env_arrays *out, struct banyan_error *err);

#ifdef __cplusplus
}
#endif
#endif
