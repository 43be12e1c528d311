/* Texts of functions that write as snprintf does. */
#include "core.h"

PyObject *core_text(core_write_fn *write, void *ctx)
{
    char small[BANYAN_TEXT_MAX];
    int length = write(ctx, small, sizeof small);
    if (length < (int)sizeof small)
        return PyUnicode_DecodeUTF8(small, length < 0 ? 0 : length, "replace");
    char *large = PyMem_Malloc((size_t)length + 1);
    if (!large)
        return PyErr_NoMemory();
    write(ctx, large, (size_t)length + 1);
    PyObject *text = PyUnicode_DecodeUTF8(large, length, "replace");
    PyMem_Free(large);
    return text;
}
