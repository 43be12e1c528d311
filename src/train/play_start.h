/* The position in which a game of self-play begins: that of the rules, or one after random plies. */
#ifndef TRAIN_PLAY_START_H
#define TRAIN_PLAY_START_H

#include "match/opening.h"
#include "train/play.h"

/* Writes the position to state and its text to record->start (owned by the record).  With the option
 * random-plies a number from 0 to random_plies is drawn, and as many random plies are played that do not
 * end the game.
 * opening: room for them, used by one thread at a time; rng: the game's random numbers.
 * Errors: those of init(); BANYAN_INVALID: so many random plies end every game; BANYAN_NO_MEMORY. */
enum banyan_status play_start(const struct play_job *job, struct opening *opening, void *state,
                              struct banyan_rng *rng, struct record *record,
                              struct banyan_error *err);

#endif
