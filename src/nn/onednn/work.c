/* A oneDNN engine with its stream, and how primitives run on it. */
#include "nn/onednn/work.h"
#include "nn/onednn/openmp.h"

#include <stdlib.h>
#include <string.h>

enum { WORK_ARGUMENTS = 6, WORK_LINE = 64 };

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

enum banyan_status work_share(struct work *work, const struct work *with, struct banyan_error *err)
{
    *work = (struct work){.engine = with->engine, .borrows = true, .threads = with->threads};
    dnnl_status_t status =
        dnnl_stream_create(&work->stream, work->engine, dnnl_stream_default_flags);
    return status == dnnl_success ? BANYAN_OK : work_failed(status, "cannot make a stream", err);
}

void work_destroy(struct work *work)
{
    free(work->scratch);
    if (work->stream)
        dnnl_stream_destroy(work->stream);
    if (work->engine && !work->borrows)
        dnnl_engine_destroy(work->engine);
    memset(work, 0, sizeof *work);
}

void work_begin(const struct work *work)
{
    omp_set_num_threads(work->threads);
}

dnnl_status_t work_attributes(dnnl_primitive_attr_t *attr)
{
    dnnl_status_t status = dnnl_primitive_attr_create(attr);
    if (status == dnnl_success)
        status = dnnl_primitive_attr_set_scratchpad_mode(*attr, dnnl_scratchpad_mode_user);
    return status;
}

/* Makes the argument for the primitive's scratch memory; *bytes 0: it needs none. */
static dnnl_status_t work_scratch(struct work *work, const_dnnl_primitive_t primitive,
                                  struct work_argument *argument, size_t *bytes)
{
    const_dnnl_primitive_desc_t desc;
    dnnl_status_t status = dnnl_primitive_get_primitive_desc(primitive, &desc);
    if (status != dnnl_success)
        return status;
    argument->name = DNNL_ARG_SCRATCHPAD;
    argument->desc = *dnnl_primitive_desc_query_md(desc, dnnl_query_scratchpad_md, 0);
    *bytes = dnnl_memory_desc_get_size(&argument->desc);
    if (*bytes > work->scratch_bytes) {
        free(work->scratch);
        work->scratch_bytes = (*bytes + WORK_LINE - 1) / WORK_LINE * WORK_LINE;
        work->scratch = aligned_alloc(WORK_LINE, work->scratch_bytes);
        if (!work->scratch)
            work->scratch_bytes = 0;
    }
    argument->at = work->scratch;
    return *bytes && !work->scratch ? dnnl_out_of_memory : dnnl_success;
}

static dnnl_status_t work_argue(const struct work *work, const struct work_argument *argument,
                                dnnl_exec_arg_t *out)
{
    out->arg = argument->name;
    return dnnl_memory_create(&out->memory, &argument->desc, work->engine, argument->at);
}

dnnl_status_t work_run(struct work *work, dnnl_primitive_t primitive,
                       const struct work_argument *arguments, int count)
{
    dnnl_exec_arg_t args[WORK_ARGUMENTS] = {{0, NULL}};
    struct work_argument scratch;
    size_t bytes = 0;
    dnnl_status_t status = work_scratch(work, primitive, &scratch, &bytes);
    int made = 0, all = count + (bytes > 0);
    while (made < all && status == dnnl_success) {
        status = work_argue(work, made < count ? &arguments[made] : &scratch, &args[made]);
        made += status == dnnl_success;
    }
    if (status == dnnl_success)
        status = dnnl_primitive_execute(primitive, work->stream, made, args);
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
    dnnl_primitive_attr_t attr = NULL;
    memset(reorder, 0, sizeof *reorder);
    reorder->from = *from;
    reorder->to = *to;
    dnnl_status_t status = work_attributes(&attr);
    if (status == dnnl_success)
        status =
            dnnl_reorder_primitive_desc_create(&desc, from, work->engine, to, work->engine, attr);
    dnnl_primitive_attr_destroy(attr);
    if (status != dnnl_success)
        return status;
    status = dnnl_primitive_create(&reorder->primitive, desc);
    dnnl_primitive_desc_destroy(desc);
    return status;
}

dnnl_status_t reorder_run(const struct reorder *reorder, struct work *work, const void *from,
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
