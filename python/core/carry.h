/* Exceptions of games that are written in Python.
 *
 *      State.apply() --> libbanyan --> callback --> the game's method raises
 *            ^                            |
 *            |                     carry_keep(): the exception waits, the callbacks of this
 *       core_carried()             thread answer "the game is over" from now on
 *
 * The library's calls to a game cannot fail.  So the first exception is kept in the thread, what runs is
 * asked to stop, and the method of Python that began it all raises the exception when it ends.
 *
 * Threads: each has its own.  Those that the library has started (foreign threads) share one, which
 * belongs to the game.
 */
#ifndef CORE_CARRY_H
#define CORE_CARRY_H

#include "core.h"

struct carry {
    PyObject *raised[3]; /* the first exception: type, value, traceback */
    bool broken;         /* a callback had no answer: what runs is nonsense by now */
    banyan_flag *stop;   /* of what runs; NULL: it ends by itself */
};

/* Of this thread. */
struct carry *carry_here(void);

/* Takes the exception that is set, and asks what runs to stop. */
void carry_keep(struct carry *carry);

/* Around a run that a flag can stop.  foreign: of the game; NULL: it is not written in Python.
 * carry_end returns false where the run was broken. */
struct carry_run {
    banyan_flag *stop_before;
    struct carry *foreign;
};
void carry_begin(struct carry_run *run, struct carry *foreign, banyan_flag *stop);
bool carry_end(struct carry_run *run);

#endif
