/* Exchanges arrays by DLPack, for objects without Python's buffer protocol, such as tensors of
 * PyTorch. */
#include "dlpack.h"

#include <stdlib.h>

/* The layout is that of https://dmlc.github.io/dlpack (version 0.8, the capsules called
 * "dltensor"). */
struct dlpack_tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t dimensions;
    uint8_t kind, bits;
    uint16_t lanes;
    int64_t *shape, *strides; /* strides in items; NULL: row by row */
    uint64_t offset;          /* of the first item, in bytes */
};

struct dlpack_managed {
    struct dlpack_tensor tensor;
    void *owner; /* a reference to an object */
    void (*free)(struct dlpack_managed *self);
    int64_t sizes[2 * CORE_DIMENSIONS_MAX];
};

enum { DLPACK_CPU = 1 };

static const struct {
    uint8_t kind, bits;
    char format;
} dlpack_types[] = {{2, 32, 'f'}, {2, 64, 'd'}, {0, 8, 'b'}, {0, 16, 'h'},
                    {0, 32, 'i'}, {0, 64, 'q'}, {1, 8, 'B'}, {1, 16, 'H'},
                    {1, 32, 'I'}, {1, 64, 'Q'}, {6, 8, '?'}};
enum { DLPACK_TYPES = sizeof dlpack_types / sizeof *dlpack_types };

/* --- out --- */

static void dlpack_free(struct dlpack_managed *self)
{
    PyGILState_STATE gil = PyGILState_Ensure(); /* the new owner may be in any thread */
    Py_DecRef(self->owner);
    PyGILState_Release(gil);
    free(self);
}

/* Frees the memory of a capsule that nobody has taken over. */
static void dlpack_drop(PyObject *capsule)
{
    struct dlpack_managed *managed =
        PyCapsule_IsValid(capsule, "dltensor") ? PyCapsule_GetPointer(capsule, "dltensor") : NULL;
    if (managed)
        managed->free(managed);
}

PyObject *dlpack_export(PyObject *owner, const struct core_shape *shape, void *data)
{
    struct dlpack_managed *managed = calloc(1, sizeof *managed);
    if (!managed)
        return PyErr_NoMemory();
    int64_t stride = 1, *strides = managed->sizes + CORE_DIMENSIONS_MAX;
    managed->tensor = (struct dlpack_tensor){.data = data,
                                             .device_type = DLPACK_CPU,
                                             .dimensions = shape->dimensions,
                                             .lanes = 1,
                                             .shape = managed->sizes,
                                             .strides = strides};
    for (int i = shape->dimensions - 1; i >= 0; --i) {
        managed->sizes[i] = shape->size[i];
        strides[i] = stride;
        stride *= shape->size[i];
    }
    for (int i = 0; i < DLPACK_TYPES; ++i)
        if (dlpack_types[i].format == shape->format) {
            managed->tensor.kind = dlpack_types[i].kind;
            managed->tensor.bits = dlpack_types[i].bits;
        }
    managed->owner = Py_NewRef(owner);
    managed->free = dlpack_free;
    PyObject *capsule = PyCapsule_New(managed, "dltensor", dlpack_drop);
    if (!capsule)
        dlpack_free(managed);
    return capsule;
}

/* --- in --- */

static bool dlpack_is_whole(const struct dlpack_tensor *tensor)
{
    int64_t stride = 1;
    for (int i = tensor->dimensions - 1; tensor->strides && i >= 0; --i) {
        if (tensor->shape[i] != 1 && tensor->strides[i] != stride)
            return false;
        stride *= tensor->shape[i];
    }
    return true;
}

bool dlpack_read(PyObject *capsule, struct core_shape *shape, void **data)
{
    const struct dlpack_tensor *tensor = PyCapsule_GetPointer(capsule, "dltensor");
    if (!tensor)
        return false;
    *shape = (struct core_shape){.dimensions = tensor->dimensions};
    for (int i = 0; i < DLPACK_TYPES; ++i)
        if (dlpack_types[i].kind == tensor->kind && dlpack_types[i].bits == tensor->bits)
            shape->format = dlpack_types[i].format;
    bool fits = tensor->device_type == DLPACK_CPU && tensor->lanes == 1 && shape->format &&
                tensor->dimensions >= 0 && tensor->dimensions <= CORE_DIMENSIONS_MAX &&
                dlpack_is_whole(tensor);
    for (int i = 0; fits && i < tensor->dimensions; ++i)
        shape->size[i] = (Py_ssize_t)tensor->shape[i];
    *data = (char *)tensor->data + tensor->offset;
    return fits;
}
