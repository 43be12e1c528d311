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
}

PyObject *core_carried(PyObject *result)
{
    struct carry *carry = &carry_own;
    if (!carry_kept || !carry->raised[0])
        return result;
    Py_XDECREF(result);
    PyErr_Clear(); /* an error that followed from it is of no interest */
    PyErr_Restore(carry->raised[0], carry->raised[1], carry->raised[2]);
    memset(carry->raised, 0, sizeof carry->raised);
    carry->broken = false;
    --carry_kept;
    return NULL;
}

void carry_begin(struct carry_run *run, struct carry *foreign, banyan_flag *stop)
{
    *run = (struct carry_run){carry_own.stop, foreign};
    carry_own.stop = stop;
    if (foreign)
        foreign->stop = stop;
}

bool carry_end(struct carry_run *run)
{
    struct carry *foreign = run->foreign;
    carry_own.stop = run->stop_before;
    if (!foreign)
        return !carry_own.broken;
    foreign->stop = NULL;
    if (foreign->raised[0] && !carry_own.raised[0]) {
        memcpy(carry_own.raised, foreign->raised, sizeof carry_own.raised);
        carry_own.broken = foreign->broken;
        memset(foreign->raised, 0, sizeof foreign->raised);
        foreign->broken = false;
    }
    return !carry_own.broken;
}
