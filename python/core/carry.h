/* Exceptions of games that are written in Python.
 *
 *      State.apply() --> libbanyan --> callback --> the game's method raises
 *            ^                            |
 *            |                     carry_keep(): the exception waits, the callbacks of this
 *       core_carried()             thread answer "the game is over" from now on
 *
 * The library's calls to a game cannot fail.  So the first exception is kept in the thread, the search or
 * player that is running is asked to stop, and the method that the Python program called raises the
 * exception at its end.
 *
 * Threads: each has a struct carry of its own.  Threads that the library has started (foreign
 * threads) share one, which belongs to the game: it is not known for which run they work, so their
 * exception ends all runs of the game, and each of these runs raises it.
 */
#ifndef CORE_CARRY_H
#define CORE_CARRY_H

#include "core.h"

struct carry {
    PyObject *raised[3];    /* the first exception: type, value, traceback */
    bool broken;            /* a callback had no answer, so the results of the run are wrong */
    banyan_flag *stop;      /* of a thread: stop flag of its run; NULL: the run has none */
    struct carry_run *runs; /* of foreign threads: the runs that are not over */
    bool refuses; /* during a check: an exception of read() only means that the text is no state */
};

/* The struct of this thread. */
struct carry *carry_here(void);

/* Takes the exception that is set, unless one is kept already, and asks the run to stop. */
void carry_keep(struct carry *carry);

/* Called before and after a run that a flag can stop.  foreign: the struct for foreign threads; NULL: the
 * game is not written in Python.  carry_end returns false if the run was broken. */
struct carry_run {
    banyan_flag *stop, *stop_before;
    struct carry *foreign;
    struct carry_run *next; /* of the same game */
};
void carry_begin(struct carry_run *run, struct carry *foreign, banyan_flag *stop);
bool carry_end(struct carry_run *run);

/* Called before and after a call of Python code.  If that code calls the library, exceptions of
 * those inner calls are raised to that code, which may catch them. */
void carry_pause(struct carry *before);
void carry_resume(const struct carry *before);

/* Forgets the exception of foreign threads that no run will raise. */
void carry_forget(struct carry *foreign);

#endif
