/* A game that was recorded from botbowl, as a struct game_record, which can be shown and replayed
 * like any other. */
#ifndef RECORDS_BLOODBOWL_RECORD_H
#define RECORDS_BLOODBOWL_RECORD_H

#include "records/game_record.h"
#include "records/records.h"

/* Reads the game with this index (from 0) in a file of recordings.  BANYAN_NOT_FOUND: the file has fewer games;
 * BANYAN_CORRUPT: it cannot be read, or Banyan's rules do not allow what it says.  The caller frees *out with
 * game_record_free. */
enum banyan_status bloodbowl_record_read(const char *path, int index, struct game_record *out,
                                         struct banyan_error *err);

/* The same for a source, from its next line on. */
enum banyan_status bloodbowl_record_read_from(struct records_source *source, int index,
                                              struct game_record *out, struct banyan_error *err);

#endif
