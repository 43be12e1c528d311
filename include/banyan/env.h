/* Many games of one kind that all take a step in one call: for programs that learn from batches,
 * also programs in other languages.
 *
 *      actions [games][rows] --> step --> observations, masks, movers, rewards, done
 *
 * Rows: if one player chooses at a time, every game has one row, that of its mover.  If players may
 * choose at the same time (BANYAN_SIMULTANEOUS), every game has one row for each player.
 *
 * Actions are numbers below banyan_env_width: indices of the policy head if the game has one, else
 * places in the list that legal() writes.
 *
 * The arrays belong to the caller, so that nothing is copied; an array that is NULL is not written.
 *
 * If the game refuses the setup of a new game, which the random numbers may decide, banyan_env_reset
 * and banyan_env_step do everything else: that game stays as it was (if it was over, done is 1), all others
 * are reset or stepped, and the arrays of all games are written.  The status and the message are those
 * of the first game that was refused.  Where a game is over, the next step tries again, except with
 * BANYAN_ENV_DISABLED, and a later banyan_env_reset tries again everywhere.
 *
 * Ownership: the game is borrowed and must outlive the env.
 * Threads: an env belongs to one thread at a time; envs are independent of each other.  An env may itself
 * use several threads, each for some of its games; no result depends on their number.
 */
#ifndef BANYAN_ENV_H
#define BANYAN_ENV_H

#include <banyan/observe.h>
#include <banyan/status.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What happens to a game that is over. */
enum banyan_env_autoreset {
    /* the next step begins a new game in its place, with rewards of 0.  That step does not read the
     * actions for this game, except BANYAN_ENV_HOLD, with which the finished game stays for one
     * more step */
    BANYAN_ENV_NEXT_STEP,
    /* the step that ends it begins a new game: rewards, done and final_observations are those of the game that
     * ended, the other arrays show the new game */
    BANYAN_ENV_SAME_STEP,
    BANYAN_ENV_DISABLED /* the game stays over until banyan_env_reset */
};

struct banyan_env_options {
    size_t struct_size; /* sizeof(struct banyan_env_options): set by banyan_env_options_default */
    int games;          /* 1 or more */
    enum banyan_env_autoreset autoreset;
    uint64_t seed;     /* of deals and dice: each game has a random stream of its own */
    const char *setup; /* of each new game, as for init(); copied; NULL: the usual start */
    int threads; /* 1 or more, the caller's included; the others wait between calls, and end with the env */
};

/* Fills *options with the defaults: one game, BANYAN_ENV_NEXT_STEP, seed 1, the usual start, one thread. */
#define banyan_env_options_default(options) \
    banyan_env_options_init((options), sizeof(struct banyan_env_options))
void banyan_env_options_init(struct banyan_env_options *options, size_t struct_size);

/* Where results go.  A row in which nobody chooses holds 0 in observations and masks. */
struct banyan_env_arrays {
    size_t struct_size;  /* sizeof(struct banyan_env_arrays) */
    float *observations; /* [games][rows][banyan_observation_size]: what the row's player knows */
    int8_t *masks;       /* [games][rows][width]: 1: the action is legal */
    int8_t *movers;      /* [games][rows]: the player who chooses; -1: nobody */
    float *rewards;      /* [games][players]: returns() in the step that ends a game, else 0 */
    uint8_t *done; /* [games]: 1 after the step in which the game ended, and while it stays over */

    /* [games][players][banyan_observation_size]: what each player knows at the end of a game, written in the
     * step that ends it; the numbers of the other games stay as they are */
    float *final_observations;
};

struct banyan_env;

/* Makes an env, in which all games are at their start.  BANYAN_INVALID: an option or the setup is wrong. */
enum banyan_status banyan_env_create(struct banyan_env **out, const struct banyan_game *game,
                                     const struct banyan_env_options *options,
                                     struct banyan_error *err);
void banyan_env_destroy(struct banyan_env *env);

int banyan_env_rows(const struct banyan_env *env);  /* of each game: 1 or players */
int banyan_env_width(const struct banyan_env *env); /* banyan_policy_width of the game */

/* Returns the state of game number index, borrowed until the next call that takes the env without const. */
const void *banyan_env_state(const struct banyan_env *env, int index);

/* Restarts the random streams of all games as banyan_env_create does with this seed.  The states stay as
 * they are. */
void banyan_env_seed(struct banyan_env *env, uint64_t seed);

/* Restarts the random stream of one game, like the stream of game 0 in an env with this seed.  The state
 * stays as it is. */
void banyan_env_seed_one(struct banyan_env *env, int index, uint64_t seed);

/* Begins new games where which[game] is not 0 (NULL: everywhere), and writes the arrays of all games, with
 * rewards of 0. */
enum banyan_status banyan_env_reset(struct banyan_env *env, const uint8_t *which,
                                    const struct banyan_env_arrays *out, struct banyan_error *err);

/* This action in the first row of a game counts for all its rows: the game does not change in this step,
 * even if it is over, and its rewards are 0.  So a game can wait while players in other games choose. */
#define BANYAN_ENV_HOLD INT64_MIN

/* Plays actions[games][rows] and writes the arrays.  BANYAN_ILLEGAL: an action is not legal; the message
 * names the first one, and no game has changed. */
enum banyan_status banyan_env_step(struct banyan_env *env, const int64_t *actions,
                                   const struct banyan_env_arrays *out, struct banyan_error *err);

#ifdef __cplusplus
}
#endif
#endif
