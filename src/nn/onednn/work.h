/* A oneDNN engine with its stream, and functions that run primitives on it. */
#ifndef NN_ONEDNN_WORK_H
#define NN_ONEDNN_WORK_H

#include "nn/onednn/descriptors.h"

#include <banyan/status.h>

struct work {
    dnnl_engine_t engine;
    bool borrows; /* the engine belongs to another work */
    dnnl_stream_t stream;
    int threads;
    void *scratch; /* memory for the running primitive, as large as any has needed so far */
    size_t scratch_bytes;
};

enum banyan_status work_create(struct work *work, int threads, struct banyan_error *err);
/* For another thread, which runs the same primitives: borrows the engine. */
enum banyan_status work_share(struct work *work, const struct work *with, struct banyan_error *err);
void work_destroy(struct work *work);

/* An attribute by which primitives use the scratch memory of the struct work that runs them, so
 * that they may run in any number of threads at once. The caller destroys *attr. */
dnnl_status_t work_attributes(dnnl_primitive_attr_t *attr);

/* Sets the number of threads for this thread's primitives to work->threads. */
void work_begin(const struct work *work);

/* One argument of a primitive. */
struct work_argument {
    int name; /* DNNL_ARG_... */
    dnnl_memory_desc_t desc;
    void *at;
};

dnnl_status_t work_run(struct work *work, dnnl_primitive_t primitive,
                       const struct work_argument *arguments, int count);

/* Copies to = from, in another type or layout. */
struct reorder {
    dnnl_primitive_t primitive;
    dnnl_memory_desc_t from, to;
};
dnnl_status_t reorder_create(struct reorder *reorder, const struct work *work,
                             const dnnl_memory_desc_t *from, const dnnl_memory_desc_t *to);
dnnl_status_t reorder_run(const struct reorder *reorder, struct work *work, const void *from,
                          void *to);
void reorder_destroy(struct reorder *reorder);

/* Returns BANYAN_UNSUPPORTED with oneDNN's reason. */
enum banyan_status work_failed(dnnl_status_t status, const char *what, struct banyan_error *err);

#endif
