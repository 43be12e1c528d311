/* Games that are written in Python: calls of their methods, and values as bytes. */
#include "define.h"

#include <math.h>
#include <string.h>

/* Each level takes five bytes at least, so a deeper state does not fit into the largest state_size. */
enum { DEFINE_DEPTH = 500 };

bool define_enter(struct define_call *call, const struct banyan_game *game)
{
    call->game = game->ctx;
    call->refuses = false;
    bool foreign = !PyGILState_GetThisThreadState();
    call->gil = PyGILState_Ensure();
    call->carry = foreign ? &call->game->foreign : carry_here();
    return !call->carry->broken;
}

void define_leave(struct define_call *call)
{
    PyGILState_Release(call->gil);
}

void define_broken(struct define_call *call)
{
    if (call->refuses && PyErr_ExceptionMatches(PyExc_Exception)) {
        PyErr_Clear();
        return;
    }
    carry_keep(call->carry);
    call->carry->broken = true;
}

void define_wrong(struct define_call *call, const char *method, PyObject *result,
                  const char *wanted)
{
    PyErr_Clear();
    core_fail(call->game->core, BANYAN_INVALID, "%s: %s() returns %s", call->game->rules.name,
              method, wanted);
    define_broken(call);
    Py_XDECREF(result);
}

static PyObject *define_python(PyObject *function, PyObject *args)
{
    struct carry before;
    carry_pause(&before);
    PyObject *result = PyObject_CallObject(function, args);
    carry_resume(&before);
    return result;
}

PyObject *define_method(struct define_call *call, enum define_method method, PyObject *args,
                        const struct define_luck *luck)
{
    struct banyan_dice dice;
    struct banyan_rng rng;
    PyObject *function = call->game->method[method];
    if (luck && luck->dice)
        dice = *luck->dice;
    if (luck && luck->rng)
        rng = *luck->rng;
    PyObject *result = args ? define_python(function, args) : NULL;
    if (!result && args && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
        carry_keep(call->carry);
        if (luck && luck->dice)
            *luck->dice = dice;
        if (luck && luck->rng)
            *luck->rng = rng;
        result = define_python(function, args);
    }
    Py_XDECREF(args);
    if (!result)
        define_broken(call);
    return result;
}

PyObject *define_ask(struct define_call *call, enum define_method method, const void *state,
                     PyObject *more)
{
    PyObject *value = more ? define_value(call, state) : NULL;
    PyObject *first = value ? PyTuple_Pack(1, value) : NULL;
    PyObject *args = first ? PySequence_Concat(first, more) : NULL;
    Py_XDECREF(more);
    Py_XDECREF(value);
    Py_XDECREF(first);
    return value ? define_method(call, method, args, NULL) : NULL;
}

/* --- values and bytes --- */

PyObject *define_value(struct define_call *call, const void *state)
{
    uint32_t length;
    memcpy(&length, state, sizeof length);
    PyObject *bytes =
        PyBytes_FromStringAndSize((const char *)state + sizeof length, (Py_ssize_t)length);
    PyObject *value = bytes ? PyObject_CallFunctionObjArgs(call->game->loads, bytes, NULL) : NULL;
    Py_XDECREF(bytes);
    if (!value)
        define_broken(call);
    return value;
}

/* Uses version 2 of marshal: in later versions the bytes do not depend on the value alone. */
PyObject *define_dump(struct define_call *call, PyObject *value)
{
    const struct defined *game = call->game;
    PyObject *bytes = PyObject_CallFunction(game->dumps, "Oi", value, 2);
    if (!bytes && PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Clear();
        core_fail(game->core, BANYAN_INVALID,
                  "%s: states and keys are made of numbers, texts, bytes, tuples and lists",
                  game->rules.name);
    }
    return bytes;
}

/* The first object that a state may not hold, borrowed; NULL: there is none.  marshal alone would turn an
 * array into bytes.  NaN is refused because its sign is not in its text. */
static PyObject *define_odd(PyObject *value, int depth)
{
    const PyTypeObject *type = Py_TYPE(value);
    if (type == &PyTuple_Type || type == &PyList_Type) {
        bool tuple = type == &PyTuple_Type;
        Py_ssize_t length = tuple ? PyTuple_Size(value) : PyList_Size(value);
        PyObject *odd = depth ? NULL : value;
        for (Py_ssize_t i = 0; !odd && i < length; ++i)
            odd =
                define_odd(tuple ? PyTuple_GetItem(value, i) : PyList_GetItem(value, i), depth - 1);
        return odd;
    }
    bool plain = type == &PyLong_Type || type == &PyUnicode_Type || type == &PyBytes_Type ||
                 type == &PyBool_Type || value == Py_None ||
                 (type == &PyFloat_Type && !isnan(PyFloat_AsDouble(value)));
    return plain ? NULL : value;
}

/* Raises an error and returns false if the value is no state. */
static bool define_is_state(const struct defined *game, PyObject *value)
{
    PyObject *odd = define_odd(value, DEFINE_DEPTH);
    const char *name = game->rules.name;
    if (value == Py_None) {
        core_fail(game->core, BANYAN_INVALID,
                  "%s: a state is None: new(), apply() and determinize() return the state", name);
    } else if (odd) {
        PyObject *type = PyType_GetName(Py_TYPE(odd));
        const char *text = type ? PyUnicode_AsUTF8AndSize(type, NULL) : NULL;
        PyErr_Clear();
        core_fail(
            game->core, BANYAN_INVALID,
            "%s: a state is made of numbers, texts, bytes, tuples and lists, nested at most %d "
            "deep; got %s",
            name, DEFINE_DEPTH,
            PyFloat_CheckExact(odd) ? "nan"
            : text                  ? text
                                    : "?");
        Py_XDECREF(type);
    }
    return value != Py_None && !odd;
}

bool define_store(struct define_call *call, PyObject *value, void *state)
{
    const struct defined *game = call->game;
    size_t room = game->rules.state_size;
    PyObject *bytes = define_is_state(game, value) ? define_dump(call, value) : NULL;
    uint32_t length = bytes ? (uint32_t)PyBytes_Size(bytes) : 0;
    bool fits = bytes && length + sizeof length <= room;
    if (fits) {
        memset(state, 0, room);
        memcpy(state, &length, sizeof length);
        memcpy((char *)state + sizeof length, PyBytes_AsString(bytes), length);
    } else if (bytes) {
        core_fail(game->core, BANYAN_INVALID, "%s: a state takes %zu bytes, and state_size is %zu",
                  game->rules.name, length + sizeof length, room);
    }
    Py_XDECREF(bytes);
    if (!fits)
        define_broken(call);
    return fits;
}

/* --- numbers --- */

/* Reads the numbers of a list and of the lists in it, to a depth of four. */
static bool define_add_number(PyObject *object, int depth, int count, float *out, int *at)
{
    if (PyFloat_Check(object) || PyLong_Check(object) || !PySequence_Check(object)) {
        double number = PyFloat_AsDouble(object);
        if (*at >= count || (number == -1 && PyErr_Occurred()))
            return false;
        out[(*at)++] = (float)number;
        return true;
    }
    Py_ssize_t length = depth ? PySequence_Size(object) : -1;
    bool well = length >= 0;
    for (Py_ssize_t i = 0; well && i < length; ++i) {
        PyObject *item = PySequence_GetItem(object, i);
        well = item && define_add_number(item, depth - 1, count, out, at);
        Py_XDECREF(item);
    }
    return well;
}

/* Reads a contiguous array of float32 or float64 of any shape. */
static bool define_copy_numbers(PyObject *object, int count, float *out)
{
    Py_buffer view;
    if (!PyObject_CheckBuffer(object) ||
        PyObject_GetBuffer(object, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0)
        return false;
    const char *format = view.format ? view.format : "B";
    bool single = strcmp(format, "f") == 0;
    bool fits = (single || strcmp(format, "d") == 0) && view.len == count * view.itemsize;
    for (int i = 0; fits && i < count; ++i)
        out[i] = single ? ((const float *)view.buf)[i] : (float)((const double *)view.buf)[i];
    PyBuffer_Release(&view);
    return fits;
}

bool define_numbers(PyObject *object, int count, float least, float most, float *out)
{
    int at = 0;
    bool well = define_copy_numbers(object, count, out);
    if (!well) {
        PyErr_Clear();
        well = define_add_number(object, 4, count, out, &at) && at == count;
    }
    for (int i = 0; well && i < count; ++i)
        well = isfinite(out[i]) && out[i] >= least && out[i] <= most;
    return well;
}
