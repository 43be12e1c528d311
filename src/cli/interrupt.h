/* Ctrl-C asks a long command to stop and to print what it has; a second one ends the program. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <banyan/stop.h>

/* From now on SIGINT sets the flag that is returned; static storage. */
const banyan_flag *interrupt_watch(void);

/* Whether SIGINT has come.  If so, the program ends with CLI_INTERRUPTED (main.c). */
bool interrupt_seen(void);

#endif
