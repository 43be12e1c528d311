/* A decision that `banyan showdown --save` wrote down, made once more. */
#ifndef CLI_SHOWDOWN_REPLAY_H
#define CLI_SHOWDOWN_REPLAY_H

#include <banyan/status.h>

#include <stdbool.h>

/* path: a .jsonl of decisions; line: which, from 1; 0: all that were searched.  Prints the tables;
 * *same: every decision and every table came out as it was. */
enum banyan_status showdown_replay(const char *path, int line, bool json, bool *same,
                                   struct banyan_error *err);

#endif
