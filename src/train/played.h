/* A game of a run's self-play as a struct game_record, which the functions of records/ can show and
 * replay. */
#ifndef TRAIN_PLAYED_H
#define TRAIN_PLAYED_H

#include "records/game_record.h"
#include "train/record.h"

/* Plays the record by the rules, and writes it down.  The values are those of the searches.  BANYAN_ILLEGAL: the
 * rules do not allow it.  The caller frees *out with game_record_free. */
enum banyan_status played_convert(const struct record *record, const struct banyan_game *game,
                                  struct game_record *out, struct banyan_error *err);

/* Reads a game from a file of records.  BANYAN_NOT_FOUND: the file does not have it. */
enum banyan_status played_read(const char *path, const struct banyan_game *game, int64_t generation,
                               int64_t number, struct game_record *out, struct banyan_error *err);

#endif
