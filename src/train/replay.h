/* The window of recent games that learning draws from.
 *
 *      records --replay_add--> window --replay_sample--> positions, images, targets --> lesson
 *
 * A position is made by replaying its game; nothing but the records is kept.
 */
#ifndef TRAIN_REPLAY_H
#define TRAIN_REPLAY_H

#include "nn/backend.h"
#include "train/record.h"

struct replay; /* one at a time */

/* game and arch are borrowed. */
enum banyan_status replay_create(struct replay **out, const struct banyan_game *game,
                                 const struct nn_arch *arch, struct banyan_error *err);
void replay_destroy(struct replay *replay);

/* Takes the record over (and leaves it empty) after playing it through by the rules:
 * BANYAN_ILLEGAL where they do not agree. */
enum banyan_status replay_add(struct replay *replay, struct record *record,
                              struct banyan_error *err);

/* Forgets the oldest games beyond so many positions. */
void replay_trim(struct replay *replay, int64_t positions);

int64_t replay_games(const struct replay *replay);
int64_t replay_positions(const struct replay *replay); /* that teach */

/* Calls show(ctx, state, number) for every position of a record, 0 the first. */
enum banyan_status replay_show(const struct banyan_game *game, const struct record *record,
                               void (*show)(void *ctx, const void *state, int number), void *ctx);

/* How targets are made. */
struct replay_options {
    double value_mix; /* share of the root's value in the value target; the rest is the result */
    bool symmetries;  /* random images */
};

/* A batch of positions, uniformly drawn, as a lesson: it points into the replay and is good until
 * the next call. */
enum banyan_status replay_sample(struct replay *replay, const struct replay_options *options,
                                 int count, struct banyan_rng *rng, struct nn_lesson *lesson,
                                 struct banyan_error *err);

#endif
