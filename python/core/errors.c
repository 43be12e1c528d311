/* Raises banyan.BanyanError: a message, and which kind of error it is. */
#include "core.h"

#include <stdio.h>
#include <string.h>

PyObject *core_raise(const struct core *core, const struct banyan_error *err)
{
    Py_ssize_t length = (Py_ssize_t)strlen(err->message);
    /* a text of the caller's may have been cut within a character */
    PyObject *message = PyUnicode_DecodeUTF8(err->message, length, "replace");
    PyObject *error = message ? PyObject_CallFunctionObjArgs(core->error, message, NULL) : NULL;
    PyObject *status = PyUnicode_FromString(banyan_status_name(err->status));
    if (error && status && PyObject_SetAttrString(error, "status", status) == 0)
        PyErr_SetObject(core->error, error);
    Py_XDECREF(message);
    Py_XDECREF(status);
    Py_XDECREF(error);
    return NULL;
}

PyObject *core_fail(const struct core *core, enum banyan_status status, const char *format, ...)
{
    struct banyan_error err = {.status = status};
    va_list list;
    va_start(list, format);
    vsnprintf(err.message, sizeof err.message, format, list);
    va_end(list);
    return core_raise(core, &err);
}
