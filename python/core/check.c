/* _check() of the module: plays a game at random, and tells which promises of <banyan/game.h> it breaks. */
#include "define.h"

#include <banyan/check.h>

#include <string.h>

struct check {
    const struct banyan_game *rules;
    struct banyan_check_options options;
    struct banyan_check_report report;
    enum banyan_status status;
    struct banyan_error err;
    PyObject *told; /* the list of the caller, which gets the messages; borrowed */
    banyan_flag stop;
};

/* Adds a message to the list.  If there is no memory for it, the check ends. */
static void check_tell(void *ctx, const char *message)
{
    struct check *check = ctx;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
    if (!text || PyList_Append(check->told, text) != 0) {
        PyErr_Clear();
        banyan_flag_set(&check->stop);
    }
    Py_XDECREF(text);
    PyGILState_Release(gil);
}

static void check_work(void *ctx)
{
    struct check *check = ctx;
    check->status = banyan_game_check(check->rules, &check->options, &check->report, &check->err);
}

/* A game written in Python is played in this thread: its exceptions are kept here, and stop the check. */
static bool check_without_gil(struct check *check, struct defined *defined)
{
    struct carry *carry = carry_here();
    struct carry_run run;
    if (!defined)
        return core_outside(check_work, check, &check->stop);
    bool refuses = carry->refuses;
    carry->refuses = true;
    carry_begin(&run, &defined->foreign, &check->stop);
    Py_BEGIN_ALLOW_THREADS check_work(check);
    Py_END_ALLOW_THREADS carry_end(&run);
    carry->refuses = refuses;
    return true;
}

/* The exception that a rule has raised, or None. */
static PyObject *check_raised(void)
{
    PyObject *type, *value, *trace;
    PyObject *none = core_carried(Py_NewRef(Py_None));
    if (none)
        return none;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace)
        PyException_SetTraceback(value, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return value;
}

PyObject *check_game(const struct core *core, PyObject *args)
{
    PyObject *owner;
    struct check check = {.report = {.struct_size = sizeof check.report}};
    unsigned long long seed;
    int own;
    banyan_check_options_default(&check.options);
    if (!PyArg_ParseTuple(args, "O!O!iKp", core->game, &owner, &PyList_Type, &check.told,
                          &check.options.games, &seed, &own))
        return NULL;
    check.rules = game_of(owner)->rules;
    check.options.seed = seed;
    check.options.own_setups_only = own;
    check.options.report = check_tell;
    check.options.ctx = &check;
    check.options.stop = &check.stop;
    if (!check_without_gil(&check, game_of(owner)->defined))
        return NULL;
    PyObject *raised = check_raised();
    if (raised == Py_None && check.status != BANYAN_OK && !check.report.faults) {
        Py_DecRef(raised);
        return core_raise(core, &check.err);
    }
    return Py_BuildValue("(iiN)", check.report.last_game, check.report.last_ply, raised);
}
