/* A oneDNN engine with its stream, and how primitives run on it. */
#include "nn/onednn/work.h"
#include "nn/onednn/openmp.h"

#include <string.h>

enum { WORK_ARGUMENTS = 6 };

static const char *work_reason(dnnl_status_t status)
{
    switch (status) {
    case dnnl_out_of_memory:
        return "out of memory";
    case dnnl_invalid_arguments:
        return "invalid arguments";
    case dnnl_unimplemented:
        return "this library has no kernel for this machine";
    default:
        return "runtime error";
    }
}

enum banyan_status work_failed(dnnl_status_t status, const char *what, struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_UNSUPPORTED, "oneDNN: %s: %s", what, work_reason(status));
}

enum banyan_status work_create(struct work *work, int threads, struct banyan_error *err)
{
    memset(work, 0, sizeof *work);
    work->threads = threads > 0 ? threads : 1;
    work_begin(work);
    dnnl_status_t status = dnnl_engine_create(&work->engine, dnnl_cpu, 0);
    if (status == dnnl_success)
        status = dnnl_stream_create(&work->stream, work->engine, dnnl_stream_default_flags);
    return status == dnnl_success ? BANYAN_OK : work_failed(status, "cannot make an engine", err);
}

void work_destroy(struct work *work)
{
    if (work->stream)
        dnnl_stream_destroy(work->stream);
    if (work->engine)
        dnnl_engine_destroy(work->engine);
    memset(work, 0, sizeof *work);
}

void work_begin(const struct work *work)
{
    omp_set_num_threads(work->threads);
}

dnnl_status_t work_run(const struct work *work, dnnl_primitive_t primitive,
                       const struct work_argument *arguments, int count)
{
    dnnl_exec_arg_t args[WORK_ARGUMENTS] = {{0, NULL}};
    dnnl_status_t status = dnnl_success;
    int made = 0;
    while (made < count && status == dnnl_success) {
        args[made].arg = arguments[made].name;
        status = dnnl_memory_create(&args[made].memory, &arguments[made].desc, work->engine,
                                    arguments[made].at);
        made += status == dnnl_success;
    }
    if (status == dnnl_success)
        status = dnnl_primitive_execute(primitive, work->stream, count, args);
    if (status == dnnl_success)
        status = dnnl_stream_wait(work->stream);
    for (int i = 0; i < made; ++i)
        dnnl_memory_destroy(args[i].memory);
    return status;
}

dnnl_status_t reorder_create(struct reorder *reorder, const struct work *work,
                             const dnnl_memory_desc_t *from, const dnnl_memory_desc_t *to)
{
    dnnl_primitive_desc_t desc;
    memset(reorder, 0, sizeof *reorder);
    reorder->from = *from;
    reorder->to = *to;
    dnnl_status_t status =
        dnnl_reorder_primitive_desc_create(&desc, from, work->engine, to, work->engine, NULL);
    if (status != dnnl_success)
        return status;
    status = dnnl_primitive_create(&reorder->primitive, desc);
    dnnl_primitive_desc_destroy(desc);
    return status;
}

dnnl_status_t reorder_run(const struct reorder *reorder, const struct work *work, const void *from,
                          void *to)
{
    const struct work_argument arguments[] = {{DNNL_ARG_FROM, reorder->from, (void *)from},
                                              {DNNL_ARG_TO, reorder->to, to}};
    return work_run(work, reorder->primitive, arguments, 2);
}

void reorder_destroy(struct reorder *reorder)
{
    if (reorder->primitive)
        dnnl_primitive_destroy(reorder->primitive);
    reorder->primitive = NULL;
}
