/* Ctrl-C asks a long command to stop and to print what it has; a second one ends the program. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT sets the flag that is returned; static storage. */
const volatile bool *interrupt_watch(void);

#endif
