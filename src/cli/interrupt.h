/* Ctrl-C asks a long command to stop and to print what it has; a second one ends the program. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <banyan/stop.h>

/* From now on SIGINT sets the flag that is returned; static storage.  A second one, SIGTERM and SIGHUP end the program,
 * and kill the outside programs that it started. */
const banyan_flag *interrupt_watch(void);

/* As interrupt_watch, for commands that run as a service: SIGTERM sets the flag, too. */
const banyan_flag *interrupt_watch_also_term(void);

/* Whether such a signal has come.  If so, the program ends with CLI_INTERRUPTED (main.c). */
bool interrupt_seen(void);

#endif
