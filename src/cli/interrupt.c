/* Ctrl-C: the first asks a command to stop and print what it has, the second ends the program. */
#include "cli/interrupt.h"

#include <signal.h>
#include <string.h>

/* Global, because a signal handler has no argument that could carry it. */
static banyan_flag interrupt_flag;

static void interrupt_handler(int number)
{
    (void)number;
    banyan_flag_set(&interrupt_flag);
}

bool interrupt_seen(void)
{
    return banyan_flag_is_set(&interrupt_flag);
}

const banyan_flag *interrupt_watch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = interrupt_handler;
    action.sa_flags = (int)SA_RESETHAND; /* the second SIGINT ends the program */
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    return &interrupt_flag;
}
