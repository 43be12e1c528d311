/* Ctrl-C: the first asks a command to stop and print what it has, the second ends the program.  SIGTERM and SIGHUP
 * end it at once. */
#include "cli/interrupt.h"

#include "players/program/process.h"

#include <signal.h>
#include <string.h>

/* Global, because a signal handler has no argument that could carry it. */
static banyan_flag interrupt_flag;

/* Ends this program as the signal would without a handler; outside programs end with it, also those that hang. */
static void interrupt_end(int number)
{
    process_kill_all();
    signal(number, SIG_DFL);
    raise(number);
}

static void interrupt_catch(int number, void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void interrupt_handler(int number)
{
    interrupt_catch(number, interrupt_end); /* for the second one */
    banyan_flag_set(&interrupt_flag);
}

bool interrupt_seen(void)
{
    return banyan_flag_is_set(&interrupt_flag);
}

/* Unless it is ignored, as SIGHUP is under nohup. */
static void interrupt_end_by(int number)
{
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        interrupt_catch(number, interrupt_end);
}

const banyan_flag *interrupt_watch(void)
{
    interrupt_catch(SIGINT, interrupt_handler);
    interrupt_end_by(SIGTERM);
    interrupt_end_by(SIGHUP);
    process_watch_always(&interrupt_flag);
    return &interrupt_flag;
}

const banyan_flag *interrupt_watch_also_term(void)
{
    interrupt_watch();
    interrupt_catch(SIGTERM, interrupt_handler);
    return &interrupt_flag;
}
