/* Repeats a decision that `banyan showdown --save` wrote to a file. */
#ifndef CLI_SHOWDOWN_REPLAY_H
#define CLI_SHOWDOWN_REPLAY_H

#include <banyan/status.h>

#include <stdbool.h>

/* path: a .jsonl of decisions; line: its number from 1; 0: every decision that was searched.  Prints
 * the tables; *same: every decision and every table equals the recorded one. */
enum banyan_status showdown_replay(const char *path, int line, bool json, bool *same,
                                   struct banyan_error *err);

#endif
