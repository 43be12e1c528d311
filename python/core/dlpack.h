/* Arrays that packages exchange by DLPack (https://dmlc.github.io/dlpack), by the method
 * `__dlpack__`. */
#ifndef CORE_DLPACK_H
#define CORE_DLPACK_H

#include "core.h"

/* A capsule for data[shape], which keeps a reference to owner; NULL: an exception is set. */
PyObject *dlpack_export(PyObject *owner, const struct core_shape *shape, void *data);

/* Reads a capsule of another package, which keeps the memory as long as the capsule lives.  False,
 * perhaps with an exception: the memory is not contiguous, not the processor's, or holds no plain
 * numbers. */
bool dlpack_read(PyObject *capsule, struct core_shape *shape, void **data);

#endif
