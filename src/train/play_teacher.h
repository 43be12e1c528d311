/* A teacher: a player that plays the first generations in the network's place.
 *
 *      teacher chooses --> targets: its action, its estimate of the value
 *            |
 *            +--> played; or, now and then, any legal action (`teacher_stray`)
 *
 * A network with random weights takes long to learn what a fast player knows.  The network must
 * also see positions that the teacher's own choices never reach: hence the random actions (as in
 * DAgger, Ross 2011).
 */
#ifndef TRAIN_PLAY_TEACHER_H
#define TRAIN_PLAY_TEACHER_H

#include "train/play.h"

/* The players of one thread, one for each seat. */
struct play_teacher;

/* *out: NULL if the network plays. */
enum banyan_status play_teacher_create(struct play_teacher **out, const struct play_job *job,
                                       struct banyan_error *err);
void play_teacher_destroy(struct play_teacher *teacher);

/* Plays one whole game from `state`; *record has this start as text. */
enum banyan_status play_teacher_game(struct play_teacher *teacher, void *state,
                                     struct banyan_rng *rng, struct record *record,
                                     struct banyan_error *err);

#endif
