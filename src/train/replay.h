/* The window of recent games that learning draws from.
 *
 *      records --replay_add--> window --replay_sample--> positions, images, targets --> batch
 *
 * Positions are made by replaying their games; only the records are stored.
 */
#ifndef TRAIN_REPLAY_H
#define TRAIN_REPLAY_H

#include "nn/backend.h"
#include "train/record.h"

struct replay; /* used by one thread at a time */

/* game and arch are borrowed; arch is NULL where only replay_check is called. */
enum banyan_status replay_create(struct replay **out, const struct banyan_game *game,
                                 const struct nn_arch *arch, struct banyan_error *err);
void replay_destroy(struct replay *replay);

/* Whether the rules allow the record: BANYAN_ILLEGAL if an action is not legal, the game does not end,
 * or the returns are not those of its end. */
enum banyan_status replay_check(struct replay *replay, const struct record *record,
                                struct banyan_error *err);

/* Whether a choice has a policy target: only such choices are learned from. */
bool replay_is_sample(const struct record_choice *choice);

/* A return of the game as -1 (the least) to 1 (the most). */
float replay_scaled(const struct banyan_game *game, float value);

/* Takes the record's contents (and leaves it empty) after replaying it by the rules:
 * BANYAN_ILLEGAL if an action is not legal, or the game does not end. */
enum banyan_status replay_add(struct replay *replay, struct record *record,
                              struct banyan_error *err);

/* Drops the oldest games, as long as at least this many positions are left; the newest game stays. */
void replay_trim(struct replay *replay, int64_t positions);

int64_t replay_games(const struct replay *replay);
int64_t replay_positions(const struct replay *replay); /* number of positions with targets */

/* Calls show(ctx, state, number) for the state before every choice, with the choice's number from 0, and for the
 * last state. */
enum banyan_status replay_show(const struct banyan_game *game, const struct record *record,
                               void (*show)(void *ctx, const void *state, int number), void *ctx);

/* How targets are made. */
struct replay_options {
    double value_mix; /* share of the root's value in the value target; the rest is the result */
    bool symmetries;  /* random symmetric images */
};

/* Makes a batch of positions, uniformly drawn; it points into the replay and is valid until the
 * next call. */
enum banyan_status replay_sample(struct replay *replay, const struct replay_options *options,
                                 int count, struct banyan_rng *rng, struct nn_batch *batch,
                                 struct banyan_error *err);

#endif
