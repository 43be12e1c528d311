/* Games that people have written down: actions one after another.
 *
 *    "f5 d6 c3"   "f5d6c3"   "1. f5 d6 2. c3"   "rock|paper rock|rock"   "move 1; switch 2"
 */
#ifndef RECORDS_TRANSCRIPT_H
#define RECORDS_TRANSCRIPT_H

#include <banyan/game.h>

/* Plays the actions of text on state and counts them in *steps, forced passes included.
 *
 * Actions are separated by blanks or commas; if the text has a semicolon, by semicolons.  A comma may
 * also be a part of an action ("0,1,0,4").  Actions of players who choose at the same time are
 * joined by '|'.  Actions may follow each other without blanks where the game's own texts allow it.
 * Move numbers ("12.") are skipped.  A pass that is not written is played when it is the only legal
 * action.  rng: for dice; may be NULL in a game without dice.
 */
enum banyan_status transcript_play(const struct banyan_game *game, void *state, const char *text,
                                   struct banyan_rng *rng, uint64_t *steps,
                                   struct banyan_error *err);

/* Reads one joint action ("a|b") of all movers of state. */
enum banyan_status transcript_parse(const struct banyan_game *game, const void *state,
                                    const char *text, banyan_action joint[],
                                    struct banyan_error *err);

#endif
