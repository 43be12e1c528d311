/* A teacher: a player that plays the first generations in the network's place.
 *
 *      teacher chooses --> the lesson: its action, its opinion of the value
 *            |
 *            +--> played; or, now and then, any legal action (`teacher_stray`)
 *
 * Random weights take long to come to what a fast player knows.  What it never plays itself, a
 * network must see too: hence the strays (as in DAgger, Ross 2011).
 */
#ifndef TRAIN_PLAY_TEACHER_H
#define TRAIN_PLAY_TEACHER_H

#include "train/play.h"

/* The players of one thread, one for each seat. */
struct play_teacher;

/* *out: NULL where the network plays. */
enum banyan_status play_teacher_create(struct play_teacher **out, const struct play_job *job,
                                       struct banyan_error *err);
void play_teacher_destroy(struct play_teacher *teacher);

/* One whole game from `state`, a start that *record has as text. */
enum banyan_status play_teacher_game(struct play_teacher *teacher, void *state,
                                     struct banyan_rng *rng, struct record *record,
                                     struct banyan_error *err);

#endif
