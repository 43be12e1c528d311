/* Ctrl-C: the first asks a command to stop and print what it has, the second ends the program. */
#include "cli/interrupt.h"

#include "players/program/process.h"

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

static void interrupt_catch(int signal_number)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = interrupt_handler;
    action.sa_flags = (int)SA_RESETHAND; /* the second one ends the program */
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

const banyan_flag *interrupt_watch(void)
{
    interrupt_catch(SIGINT);
    process_watch_always(&interrupt_flag);
    return &interrupt_flag;
}

const banyan_flag *interrupt_watch_also_term(void)
{
    interrupt_catch(SIGTERM);
    return interrupt_watch();
}
