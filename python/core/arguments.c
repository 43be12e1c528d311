/* Reads the arguments of calls, and numbers and texts out of objects of Python. */
#include "core.h"

#include <banyan/rng.h>

#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int arguments_find(const struct core_parameters *parameters, PyObject *name)
{
    for (int i = 0; parameters->names[i]; ++i)
        if (PyUnicode_CompareWithASCIIString(name, parameters->names[i]) == 0)
            return i;
    PyErr_Format(PyExc_TypeError, "%s() has no parameter '%U'", parameters->function, name);
    return -1;
}

static bool arguments_by_name(const struct core_parameters *parameters,
                              const struct core_call *call, PyObject *out[])
{
    Py_ssize_t count = call->keywords ? PyTuple_Size(call->keywords) : 0;
    for (Py_ssize_t k = 0; k < count; ++k) {
        int i = arguments_find(parameters, PyTuple_GetItem(call->keywords, k));
        if (i < 0)
            return false;
        if (i < call->count) {
            PyErr_Format(PyExc_TypeError, "%s() got '%s' twice", parameters->function,
                         parameters->names[i]);
            return false;
        }
        out[i] = call->values[call->count + k];
    }
    return true;
}

bool core_arguments(const struct core_parameters *parameters, const struct core_call *call,
                    PyObject *out[])
{
    int total = 0;
    for (; parameters->names[total]; ++total)
        out[total] = total < call->count ? call->values[total] : NULL;
    if (call->count > parameters->positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes %d arguments without a name, got %zd",
                     parameters->function, parameters->positional, call->count);
        return false;
    }
    if (!arguments_by_name(parameters, call, out))
        return false;
    for (int i = 0; i < total; ++i) {
        if (i < parameters->required && !out[i]) {
            PyErr_Format(PyExc_TypeError, "%s() needs '%s'", parameters->function,
                         parameters->names[i]);
            return false;
        }
        if (i >= parameters->required && out[i] == Py_None)
            out[i] = NULL;
    }
    return true;
}

/* Reads an int, or an object with __index__, such as numpy's integers. */
static PyObject *read_index(PyObject *object, const char *name)
{
    PyObject *number = PyNumber_Index(object);
    if (!number && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be an int, got %R", name, object);
    }
    return number;
}

bool core_read_int(PyObject *object, const char *name, int64_t least, int64_t most, int64_t *out)
{
    if (!object)
        return true;
    PyObject *number = read_index(object, name);
    if (!number)
        return false;
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DecRef(number);
    if (overflow || value < least || value > most) {
        PyErr_Format(PyExc_ValueError, "%s is %lld..%lld, got %R", name, (long long)least,
                     (long long)most, object);
        return false;
    }
    *out = value;
    return true;
}

bool core_read_word(PyObject *object, const char *name, uint64_t *out)
{
    if (!object)
        return true;
    PyObject *number = read_index(object, name);
    if (!number)
        return false;
    unsigned long long value = PyLong_AsUnsignedLongLong(number);
    Py_DecRef(number);
    if (value == (unsigned long long)-1 && PyErr_Occurred()) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s is 0..2**64-1, got %R", name, object);
        return false;
    }
    *out = value;
    return true;
}

bool core_read_real(PyObject *object, const char *name, double *out)
{
    if (!object)
        return true;
    double value = PyFloat_AsDouble(object);
    if (value == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be a number, got %R", name, object);
        return false;
    }
    *out = value;
    return true;
}

bool core_read_text(PyObject *object, const char *name, const char **out)
{
    if (!object)
        return true;
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s must be a str, got %R", name, object);
        return false;
    }
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(object, &length);
    if (!text)
        return false;
    if ((size_t)length != strlen(text)) {
        PyErr_Format(PyExc_ValueError, "%s has a character 0 in it: %R", name, object);
        return false;
    }
    *out = text;
    return true;
}

bool core_read_bool(PyObject *object, const char *name, bool *out)
{
    if (!object)
        return true;
    if (object != Py_True && object != Py_False) {
        PyErr_Format(PyExc_TypeError, "%s must be True or False, got %R", name, object);
        return false;
    }
    *out = object == Py_True;
    return true;
}

static bool seed_of_system(uint64_t *out)
{
    PyObject *os = PyImport_ImportModule("os");
    PyObject *bytes = os ? PyObject_CallMethod(os, "urandom", "i", (int)sizeof *out) : NULL;
    char *from = bytes ? PyBytes_AsString(bytes) : NULL;
    if (from)
        memcpy(out, from, sizeof *out);
    Py_XDECREF(bytes);
    Py_XDECREF(os);
    return from;
}

/* The operating system is asked once in each process; a fork asks again. */
bool core_read_seed(PyObject *object, uint64_t *out)
{
    static uint64_t own, count; /* under the GIL */
    static pid_t asked;
    if (object)
        return core_read_word(object, "seed", out);
    if (asked != getpid() && !seed_of_system(&own))
        return false;
    asked = getpid();
    *out = banyan_rng_child(own, "seed", ++count);
    return true;
}
