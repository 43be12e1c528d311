/* Games that are written in Python: makes the table of one out of what banyan/define.py has checked. */
#include "define.h"

#include <stdio.h>

static bool define_imports(struct defined *defined)
{
    PyObject *marshal = PyImport_ImportModule("marshal");
    if (marshal) {
        defined->dumps = PyObject_GetAttrString(marshal, "dumps");
        defined->loads = PyObject_GetAttrString(marshal, "loads");
    }
    Py_XDECREF(marshal);
    return defined->dumps && defined->loads;
}

static bool define_texts(struct defined *defined)
{
    struct banyan_game *rules = &defined->rules;
    return core_read_text(defined->name, "name", &rules->name) &&
           core_read_text(defined->title, "title", &rules->title);
}

/* (name, title, players, max_legal, max_plies, return_min, return_max, actions, (C, H, W), state_size,
 * traits, methods) */
static bool define_read(struct defined *defined, PyObject *args)
{
    struct banyan_game *rules = &defined->rules;
    PyObject *methods;
    int state_size, traits;
    if (!PyArg_ParseTuple(args, "UUiiiffi(iii)iiO!", &defined->name, &defined->title,
                          &rules->players, &rules->max_legal, &rules->max_plies, &rules->return_min,
                          &rules->return_max, &rules->policy_size, &rules->planes[0],
                          &rules->planes[1], &rules->planes[2], &state_size, &traits, &PyTuple_Type,
                          &methods)) {
        defined->name = defined->title = NULL;
        return false;
    }
    Py_IncRef(defined->name);
    Py_IncRef(defined->title);
    for (int i = 0; i < DEFINE_METHODS && i < (int)PyTuple_Size(methods); ++i) {
        PyObject *method = PyTuple_GetItem(methods, i);
        defined->method[i] = method == Py_None ? NULL : Py_NewRef(method);
    }
    rules->state_size = (size_t)state_size;
    rules->traits = (unsigned)traits;
    rules->action_count = rules->policy_size;
    return define_texts(defined) && define_imports(defined);
}

/* Names the kinds of dice, for trees and records. */
static void define_kinds(struct defined *defined)
{
    for (int i = 0; i < DEFINE_KINDS; ++i) {
        snprintf(defined->kind[i], sizeof defined->kind[i], i ? "die %d" : "die", i);
        defined->kinds[i] = defined->kind[i];
    }
    if (defined->rules.traits & BANYAN_CHANCE)
        defined->rules.dice_kinds = defined->kinds;
}

static void define_fill(struct defined *defined)
{
    struct banyan_game *rules = &defined->rules;
    rules->struct_size = sizeof *rules;
    rules->ctx = defined;
    rules->action_bytes = 8;
    define_kinds(defined);
    define_set_rules(rules, defined);
    define_set_looks(rules, defined);
}

void define_free(struct defined *defined)
{
    if (!defined)
        return;
    for (int i = 0; i < DEFINE_METHODS; ++i)
        Py_XDECREF(defined->method[i]);
    Py_XDECREF(defined->name);
    Py_XDECREF(defined->title);
    Py_XDECREF(defined->dumps);
    Py_XDECREF(defined->loads);
    PyMem_Free(defined);
}

PyObject *define_game(const struct core *core, PyObject *args)
{
    struct defined *defined = PyMem_Calloc(1, sizeof *defined);
    if (!defined)
        return PyErr_NoMemory();
    defined->core = core;
    if (!define_read(defined, args)) {
        define_free(defined);
        return NULL;
    }
    define_fill(defined);
    PyObject *game = game_make(core, &defined->rules, defined);
    if (!game)
        define_free(defined);
    return game;
}
