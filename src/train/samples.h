/* The positions of a recorded game as arrays, for learning outside of the program.
 *
 *      record --samples_read--> | observations | policies | results | searched |   a row for each choice
 *                                                                                  that has a policy target
 *
 * A row is what banyan_observe shows to the player who chooses, and how the game went on from there.  Values are
 * scaled: -1 is the least return of the game, 1 the most.
 */
#ifndef TRAIN_SAMPLES_H
#define TRAIN_SAMPLES_H

#include "train/replay.h"

struct samples {
    const struct banyan_game *game; /* borrowed */
    struct replay *replay;          /* owned; checks that records follow the rules */
    int width, policy;              /* numbers of an observation, of a policy */
    int count, room;                /* rows of the last record; for how many there is memory */
    float *observations;            /* [count][width]; owned, like all below */
    float *policies;                /* [count][policy] weights of the search, which sum to 1 */
    float *results;                 /* [count][players] results, the player who chose first */
    float *searched;                /* [count] value of the root for the player who chose */
    int32_t *choices;               /* [count] number of the choice in its game, from 0 */
};

/* BANYAN_UNSUPPORTED: the game has no policy head or no observation. */
enum banyan_status samples_begin(struct samples *samples, const struct banyan_game *game,
                                 struct banyan_error *err);
void samples_end(struct samples *samples);

/* Writes the rows of a record in place of those before.  BANYAN_ILLEGAL: the rules do not allow the record. */
enum banyan_status samples_read(struct samples *samples, const struct record *record,
                                struct banyan_error *err);

#endif
