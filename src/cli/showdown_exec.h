/* The player "exec:COMMAND" on a Showdown server: another program decides, by the line protocol of
 * docs/protocol.md. */
#ifndef CLI_SHOWDOWN_EXEC_H
#define CLI_SHOWDOWN_EXEC_H

#include "showdown/decide.h"

/* Its settings are the COMMAND.  Each decision is a new game for the program.  It begins in the position that
 * the bot knows; what the bot does not know of the foe is drawn from what is possible. */
extern const struct decide_chooser showdown_exec;

#endif
