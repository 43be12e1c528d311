/* Game logs in the format of the official tool:
 *
 *      INIT row0 ... row9
 *      FIRST r1 c1 r2 c2 ms          SECOND likewise; -1 four times is a pass
 *      FINISH / SCOREFIRST n / SCORESECOND n        or        ABORT 0|1 reason
 */
#ifndef NYPC_LOG_H
#define NYPC_LOG_H

#include "records/game_record.h"

#include <stdio.h>

/* Reads a log as the record of a game whose players are not known; name: what messages call the
 * log.  BANYAN_CORRUPT: a move breaks the rules, or the log cannot be read.  The caller frees *out
 * with game_record_free. */
enum banyan_status nypc_log_read(FILE *in, const char *name, struct game_record *out,
                                 struct banyan_error *err);

#endif
