/* Exceptions of games that are written in Python: kept where they happen, raised where the call ends. */
#include "carry.h"

#include <string.h>

static _Thread_local struct carry carry_own;
static int carry_kept; /* exceptions in all threads that wait to be raised; changes under the GIL */

struct carry *carry_here(void)
{
    return &carry_own;
}

void carry_keep(struct carry *carry)
{
    if (carry->raised[0]) {
        PyErr_Clear();
    } else {
        PyErr_Fetch(&carry->raised[0], &carry->raised[1], &carry->raised[2]);
        ++carry_kept;
    }
    if (carry->stop)
        banyan_flag_set(carry->stop);
    for (struct carry_run *run = carry->runs; run; run = run->next)
        if (run->stop)
            banyan_flag_set(run->stop);
}

PyObject *core_carried(PyObject *result)
{
    struct carry *carry = &carry_own;
    if (!carry_kept || !carry->raised[0])
        return result;
    Py_XDECREF(result);
    PyErr_Clear(); /* drops errors that the first exception has caused */
    PyErr_Restore(carry->raised[0], carry->raised[1], carry->raised[2]);
    memset(carry->raised, 0, sizeof carry->raised);
    carry->broken = false;
    --carry_kept;
    return NULL;
}

void carry_pause(struct carry *before)
{
    *before = carry_own;
    carry_own = (struct carry){.stop = NULL};
}

void carry_resume(const struct carry *before)
{
    carry_own = *before;
}

void carry_forget(struct carry *foreign)
{
    PyObject *raised[3];
    if (foreign->runs || !foreign->raised[0])
        return;
    memcpy(raised, foreign->raised, sizeof raised);
    memset(foreign->raised, 0, sizeof foreign->raised);
    foreign->broken = false;
    --carry_kept;
    for (int i = 0; i < 3; ++i)
        Py_XDECREF(raised[i]);
}

/* Copies the exception of foreign threads to this thread, unless this thread has one.  Other runs
 * of the game may be wrong, too, so the last of these runs clears the exception. */
static void carry_take(struct carry *foreign)
{
    PyObject *taken[3];
    carry_own.broken = carry_own.broken || foreign->broken;
    for (int i = 0; i < 3; ++i) {
        taken[i] = foreign->raised[i];
        Py_XINCREF(taken[i]);
    }
    if (!foreign->runs)
        carry_forget(foreign);
    if (!carry_own.raised[0]) {
        memcpy(carry_own.raised, taken, sizeof taken);
        ++carry_kept;
        return;
    }
    for (int i = 0; i < 3; ++i)
        Py_XDECREF(taken[i]);
}

void carry_begin(struct carry_run *run, struct carry *foreign, banyan_flag *stop)
{
    *run = (struct carry_run){.stop = stop, .stop_before = carry_own.stop, .foreign = foreign};
    carry_own.stop = stop;
    if (!foreign)
        return;
    run->next = foreign->runs;
    foreign->runs = run;
    if (foreign->broken && stop)
        banyan_flag_set(stop);
}

bool carry_end(struct carry_run *run)
{
    struct carry *foreign = run->foreign;
    carry_own.stop = run->stop_before;
    if (!foreign)
        return !carry_own.broken;
    struct carry_run **at = &foreign->runs;
    while (*at != run)
        at = &(*at)->next;
    *at = run->next;
    if (foreign->raised[0])
        carry_take(foreign);
    return !carry_own.broken;
}
