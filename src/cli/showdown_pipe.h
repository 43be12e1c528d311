/* `banyan showdown --pipe`: decides in one battle whose connection another program holds. */
#ifndef CLI_SHOWDOWN_PIPE_H
#define CLI_SHOWDOWN_PIPE_H

#include "showdown/battle.h"

/* Reads the lines of one room from standard input, the first of which is ">ROOM".  For each empty line one
 * line is written to standard output: what to send to the room, or an empty line where nothing is to be decided.
 * Ends with the input. */
enum banyan_status showdown_pipe(const struct battle_settings *settings, const char *name,
                                 struct banyan_error *err);

#endif
