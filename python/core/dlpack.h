/* Arrays by DLPack (https://dmlc.github.io/dlpack), as `__dlpack__` of Python's packages hands them over. */
#ifndef CORE_DLPACK_H
#define CORE_DLPACK_H

#include "core.h"

/* A capsule over data[shape], which holds on to owner; NULL: an exception is set. */
PyObject *dlpack_export(PyObject *owner, const struct core_shape *shape, void *data);

/* Reads a capsule of somebody else, who keeps the memory as long as the capsule lives.  False, perhaps with an
 * exception: it is not contiguous memory of the processor, or holds no plain numbers. */
bool dlpack_read(PyObject *capsule, struct core_shape *shape, void **data);

#endif
