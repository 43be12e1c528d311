/* Makes the HTML of an object for notebooks, by a function of banyan/show.py. */
#include "core.h"

PyObject *core_show(PyObject *self, const char *function)
{
    PyObject *module = PyImport_ImportModule("banyan.show");
    PyObject *html = module ? PyObject_CallMethod(module, function, "O", self) : NULL;
    Py_XDECREF(module);
    return html;
}
