/* Arrays of numbers: the memory behind memoryviews that calls return, and arrays of the caller. */
#include "dlpack.h"

#include <math.h>
#include <string.h>

struct array {
    struct core_shape shape;
    Py_ssize_t strides[CORE_DIMENSIONS_MAX];
    char format[2];
    void *data;
    PyObject *owner; /* keeps the data; NULL: they are this array's */
};

static Py_ssize_t array_item(char format)
{
    return strchr("bB?", format) ? 1 : strchr("hH", format) ? 2 : strchr("fiI", format) ? 4 : 8;
}

static Py_ssize_t array_count(const struct core_shape *shape)
{
    Py_ssize_t count = 1;
    for (int i = 0; i < shape->dimensions; ++i)
        count *= shape->size[i];
    return count;
}

static void array_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    struct array *array = CORE_DATA(self, struct array);
    if (!array->owner)
        PyMem_Free(array->data);
    Py_XDECREF(array->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DecRef((PyObject *)type);
}

static int array_getbuffer(PyObject *self, Py_buffer *view, int flags)
{
    struct array *array = CORE_DATA(self, struct array);
    Py_ssize_t item = array_item(array->format[0]);
    *view =
        (Py_buffer){.buf = array->data,
                    .obj = Py_NewRef(self),
                    .len = array_count(&array->shape) * item,
                    .itemsize = item,
                    .ndim = array->shape.dimensions,
                    .format = flags & PyBUF_FORMAT ? array->format : NULL,
                    .shape = flags & PyBUF_ND ? array->shape.size : NULL,
                    .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? array->strides : NULL};
    return 0;
}

/* The arguments stream, max_version, dl_device and copy are ignored: memory of the processor needs
 * none of them. */
static PyObject *array_dlpack(PyObject *self, PyObject *const *values, Py_ssize_t count,
                              PyObject *keywords)
{
    static const struct core_parameters parameters = {
        "__dlpack__", 0, 0, {"stream", "max_version", "dl_device", "copy", NULL}};
    struct core_call call = {values, count, keywords};
    const struct array *array = CORE_DATA(self, struct array);
    PyObject *given[4];
    if (!core_arguments(&parameters, &call, given))
        return NULL;
    return dlpack_export(self, &array->shape, array->data);
}

static PyObject *array_dlpack_device(PyObject *self, PyObject *unused)
{
    return Py_BuildValue("(ii)", 1, 0); /* the processor */
}

static PyMethodDef array_methods[] = {
    CORE_FAST("__dlpack__", array_dlpack,
              "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n"
              "--\n\nReturn the memory as a capsule of DLPack, without a copy."),
    {"__dlpack_device__", array_dlpack_device, METH_NOARGS, NULL},
    {0}};

static PyType_Slot array_slots[] = {{Py_tp_dealloc, (void *)array_dealloc},
                                    {Py_tp_methods, array_methods},
                                    {Py_bf_getbuffer, (void *)array_getbuffer},
                                    {Py_tp_doc, "Memory of an array that a memoryview shows."},
                                    {0, NULL}};

PyType_Spec array_spec = {.name = "banyan._core.Array",
                          .basicsize = sizeof(PyObject) + sizeof(struct array),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          .slots = array_slots};

static PyObject *array_object(PyTypeObject *type, const struct core_shape *shape)
{
    PyObject *self = PyType_GenericAlloc(type, 0);
    if (!self)
        return NULL;
    struct array *array = CORE_DATA(self, struct array);
    Py_ssize_t stride = array_item(shape->format);
    array->shape = *shape;
    array->format[0] = shape->format;
    for (int i = shape->dimensions - 1; i >= 0; --i) {
        array->strides[i] = stride;
        stride *= shape->size[i];
    }
    return self;
}

PyObject *core_array_make(const struct core *core, const struct core_shape *shape, void **data)
{
    PyObject *self = array_object(core->array, shape);
    if (!self)
        return NULL;
    struct array *array = CORE_DATA(self, struct array);
    array->data = PyMem_Calloc((size_t)array_count(shape) + 1, (size_t)array_item(shape->format));
    *data = array->data;
    if (array->data)
        return self;
    Py_DecRef(self);
    return PyErr_NoMemory();
}

PyObject *core_array_new(const struct core *core, const struct core_shape *shape, void **data)
{
    PyObject *array = core_array_make(core, shape, data);
    PyObject *view = array ? PyMemoryView_FromObject(array) : NULL;
    Py_XDECREF(array); /* the view has a reference to it */
    return view;
}

/* An array over the memory of an object that has no buffer but __dlpack__, such as a tensor of PyTorch. */
static PyObject *array_foreign(const struct core *core, PyObject *object)
{
    struct core_shape shape;
    void *data;
    PyObject *capsule = PyObject_CallMethod(object, "__dlpack__", NULL);
    if (!capsule || !dlpack_read(capsule, &shape, &data)) {
        Py_XDECREF(capsule);
        return NULL;
    }
    PyObject *self = array_object(core->array, &shape);
    if (!self) {
        Py_DecRef(capsule);
        return NULL;
    }
    CORE_DATA(self, struct array)->data = data;
    CORE_DATA(self, struct array)->owner = capsule;
    return self;
}

/* Whether the numbers are aligned, so that C may read them: NumPy can make arrays that are not. */
static bool array_aligned(const Py_buffer *view)
{
    bool number = view->itemsize == 2 || view->itemsize == 4 || view->itemsize == 8;
    return !number || (uintptr_t)view->buf % (size_t)view->itemsize == 0;
}

/* Opens an array of the caller's.  Returns false without an exception if the object is no array, or
 * not aligned. */
static bool array_view(const struct core *core, PyObject *object, int flags, Py_buffer *view)
{
    PyObject *array = PyObject_CheckBuffer(object)                   ? Py_NewRef(object)
                      : PyObject_HasAttrString(object, "__dlpack__") ? array_foreign(core, object)
                                                                     : NULL;
    bool well = array && PyObject_GetBuffer(array, view, flags) == 0;
    if (well && !array_aligned(view)) {
        PyBuffer_Release(view);
        well = false;
    }
    Py_XDECREF(array);
    PyErr_Clear();
    return well;
}

static const char *array_type(char format)
{
    return format == 'f' ? "float32" : format == 'b' ? "int8" : "uint64";
}

/* Whether the buffer's numbers are of this format; 8 bytes without sign are 'L' or 'Q', int8 may be bool. */
static bool array_fits(const Py_buffer *view, char format)
{
    const char *given = view->format ? view->format : "B";
    if (*given == '@' || *given == '=' || *given == '<')
        ++given;
    if (!*given || given[1])
        return false;
    if (format == 'Q')
        return (*given == 'Q' || *given == 'L') && view->itemsize == 8;
    return *given == format || (format == 'b' && *given == '?');
}

/* "float32 of shape (3, 8, 8)" */
static void array_describe(const struct core_shape *shape, char *out, size_t size)
{
    int length = PyOS_snprintf(out, size, "%s of shape (", array_type(shape->format));
    for (int i = 0; i < shape->dimensions; ++i)
        length += shape->size[i] < 0
                      ? PyOS_snprintf(out + length, size - (size_t)length, "%sn", i ? ", " : "")
                      : PyOS_snprintf(out + length, size - (size_t)length, "%s%zd", i ? ", " : "",
                                      shape->size[i]);
    PyOS_snprintf(out + length, size - (size_t)length, ")");
}

/* Opens object and compares it with shape; sizes of -1 in shape are replaced by the sizes of
 * object. */
static bool array_open(const struct core *core, PyObject *object, const char *name,
                       struct core_shape *shape, int flags, Py_buffer *view)
{
    char wanted[128];
    array_describe(shape, wanted, sizeof wanted);
    if (!array_view(core, object, flags, view)) {
        PyErr_Format(PyExc_TypeError, "%s must be a contiguous, aligned, writable array: %s", name,
                     wanted);
        return false;
    }
    bool fits = array_fits(view, shape->format) && view->ndim == shape->dimensions;
    for (int i = 0; fits && i < shape->dimensions; ++i) {
        fits = shape->size[i] < 0 || view->shape[i] == shape->size[i];
        shape->size[i] = view->shape[i];
    }
    if (!fits) {
        PyErr_Format(PyExc_ValueError,
                     "%s must be %s; this array has format '%s' and %d dimensions (%zd bytes)",
                     name, wanted, view->format ? view->format : "B", view->ndim, view->len);
        PyBuffer_Release(view);
    }
    return fits;
}

PyObject *core_array_out(const struct core *core, PyObject *out, const struct core_shape *shape,
                         void **data, Py_buffer *view)
{
    struct core_shape wanted = *shape;
    memset(view, 0, sizeof *view);
    if (!out)
        return core_array_new(core, shape, data);
    if (!array_open(core, out, "out", &wanted, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | PyBUF_WRITABLE,
                    view))
        return NULL;
    *data = view->buf;
    return Py_NewRef(out);
}

/* --- numbers that the caller gives --- */

static bool floats_from_array(const Py_buffer *view, int rows, int columns, float *out)
{
    const char *format = view->format ? view->format : "B";
    bool single = strcmp(format, "f") == 0, twice = strcmp(format, "d") == 0;
    bool fits = (single || twice) && view->ndim == (columns ? 2 : 1) && view->shape[0] == rows &&
                (!columns || view->shape[1] == columns);
    size_t count = (size_t)rows * (size_t)(columns ? columns : 1);
    for (size_t i = 0; fits && i < count; ++i)
        out[i] = single ? ((const float *)view->buf)[i] : (float)((const double *)view->buf)[i];
    return fits;
}

/* Reads a list of length count, whose parts are numbers or, where columns is not 0, lists of numbers. */
static bool floats_from_list(PyObject *object, int count, int columns, float *out)
{
    if (PyUnicode_Check(object) || PySequence_Size(object) != count) {
        PyErr_Clear();
        return false;
    }
    for (int i = 0; i < count; ++i) {
        PyObject *item = PySequence_GetItem(object, i);
        bool fits = item;
        if (item && columns)
            fits = floats_from_list(item, columns, 0, out + (size_t)i * (size_t)columns);
        else if (item)
            out[i] = (float)PyFloat_AsDouble(item);
        Py_XDECREF(item);
        if (PyErr_Occurred())
            PyErr_Clear(), fits = false;
        if (!fits)
            return false;
    }
    return true;
}

bool core_read_floats(const struct core *core, PyObject *object, const char *name, int rows,
                      int columns, float *out)
{
    Py_buffer view;
    bool fits;
    if (array_view(core, object, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT, &view)) {
        fits = floats_from_array(&view, rows, columns, out);
        PyBuffer_Release(&view);
    } else {
        fits = floats_from_list(object, rows, columns, out);
    }
    size_t count = (size_t)rows * (size_t)(columns ? columns : 1);
    for (size_t i = 0; fits && i < count; ++i)
        if (!isfinite(out[i])) {
            PyErr_Format(PyExc_ValueError, "%s: number %zu is not finite", name, i);
            return false;
        }
    if (!fits && columns)
        PyErr_Format(PyExc_ValueError,
                     "%s must be numbers of shape (%d, %d): a contiguous array of float32 or "
                     "float64, or lists",
                     name, rows, columns);
    else if (!fits)
        PyErr_Format(PyExc_ValueError,
                     "%s must be %d numbers: a contiguous array of float32 or float64, or a list",
                     name, rows);
    return fits;
}

/* An integer of `size` bytes, signed or not, in the machine's byte order.  Those of 2^63 and above become
 * negative. */
static int64_t longs_item(const char *at, bool is_signed, Py_ssize_t size)
{
    if (size == 1)
        return is_signed ? *(const signed char *)at : *(const unsigned char *)at;
    if (size == 2)
        return is_signed ? *(const int16_t *)(const void *)at : *(const uint16_t *)(const void *)at;
    if (size == 4)
        return is_signed ? *(const int32_t *)(const void *)at
                         : (int64_t) * (const uint32_t *)(const void *)at;
    return *(const int64_t *)(const void *)at;
}

/* The rows and columns of an array of the caller's; columns is 0 where it has one dimension. */
static int longs_size(const struct core_shape *shape, int dimension)
{
    return dimension < shape->dimensions ? (int)shape->size[dimension] : 0;
}

static bool longs_from_array(const Py_buffer *view, const struct core_shape *shape, int64_t *out)
{
    int rows = longs_size(shape, 0), columns = longs_size(shape, 1);
    const char *format = view->format ? view->format : "B";
    bool flat = view->ndim == 1 && columns <= 1;
    bool fits = *format && !format[1] && view->itemsize <= 8 && view->ndim >= 1 &&
                view->shape[0] == rows &&
                (flat || (view->ndim == 2 && columns && view->shape[1] == columns));
    bool is_signed = *format && strchr("bhilqn", *format);
    Py_ssize_t count = (Py_ssize_t)rows * (columns ? columns : 1);
    if (!fits || (!is_signed && !strchr("?BHILQN", *format)))
        return false;
    for (Py_ssize_t i = 0; fits && i < count; ++i) {
        out[i] =
            longs_item((const char *)view->buf + i * view->itemsize, is_signed, view->itemsize);
        fits = out[i] >= 0 || is_signed != (shape->format == 'Q');
    }
    return fits;
}

static bool longs_from_number(PyObject *object, char format, int64_t *out)
{
    uint64_t word = 0;
    if (format != 'Q')
        return core_read_int(object, "it", INT64_MIN, INT64_MAX, out);
    bool well = core_read_word(object, "it", &word);
    *out = (int64_t)word;
    return well;
}

static bool longs_from_list(PyObject *object, int count, int columns, char format, int64_t *out)
{
    if (PyUnicode_Check(object) || PySequence_Size(object) != count) {
        PyErr_Clear();
        return false;
    }
    for (int i = 0; i < count; ++i) {
        PyObject *item = PySequence_GetItem(object, i);
        bool fits = item, nested = item && columns && PySequence_Check(item);
        if (nested)
            fits = longs_from_list(item, columns, 0, format, out + (size_t)i * (size_t)columns);
        else if (item && columns <= 1)
            fits = longs_from_number(item, format, &out[i]);
        else
            fits = false;
        Py_XDECREF(item);
        PyErr_Clear();
        if (!fits)
            return false;
    }
    return true;
}

bool core_read_longs(const struct core *core, PyObject *object, const char *name,
                     const struct core_shape *shape, void *out)
{
    int rows = longs_size(shape, 0), columns = longs_size(shape, 1);
    const char *range = shape->format == 'Q' ? " of 0..2**64-1" : " below 2**63";
    Py_buffer view;
    bool fits;
    if (array_view(core, object, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT, &view)) {
        fits = longs_from_array(&view, shape, out);
        PyBuffer_Release(&view);
    } else {
        fits = longs_from_list(object, rows, columns, shape->format, out);
    }
    if (!fits && columns > 1)
        PyErr_Format(PyExc_ValueError,
                     "%s must be integers%s of shape (%d, %d): a contiguous array, or lists", name,
                     range, rows, columns);
    else if (!fits)
        PyErr_Format(PyExc_ValueError, "%s must be %d integers%s: a contiguous array, or a list",
                     name, rows, range);
    return fits;
}
