/* Makes the descriptors of oneDNN 2.x for convolutions. */
#include "nn/onednn/work.h"

#include <stdio.h>
#include <string.h>

dnnl_memory_desc_t conv_board(const struct conv_shape *shape, int channels, dnnl_data_type_t type)
{
    dnnl_memory_desc_t desc;
    dnnl_dims_t dims = {shape->count, channels, shape->height, shape->width};
    dnnl_memory_desc_init_by_tag(&desc, 4, dims, type, shape->winograd ? dnnl_nChw16c : dnnl_nhwc);
    return desc;
}

dnnl_memory_desc_t conv_vector(int length, dnnl_data_type_t type)
{
    dnnl_memory_desc_t desc;
    dnnl_dims_t dims = {length};
    dnnl_memory_desc_init_by_tag(&desc, 1, dims, type, dnnl_a);
    return desc;
}

static dnnl_memory_desc_t conv_weights(const struct conv_shape *shape, dnnl_data_type_t type,
                                       dnnl_format_tag_t tag)
{
    dnnl_memory_desc_t desc;
    dnnl_dims_t dims = {shape->out, shape->in, shape->kernel, shape->kernel};
    dnnl_memory_desc_init_by_tag(&desc, 4, dims, type, tag);
    return desc;
}

dnnl_memory_desc_t conv_file_weights(const struct conv_shape *shape)
{
    return conv_weights(shape, dnnl_f32, shape->winograd ? dnnl_oihw : dnnl_ohwi);
}

static dnnl_status_t conv_attributes(dnnl_primitive_attr_t *attr, const struct conv_extra *extra)
{
    dnnl_post_ops_t ops;
    dnnl_status_t status = work_attributes(attr);
    if (status != dnnl_success)
        return status;
    status = dnnl_post_ops_create(&ops);
    if (status != dnnl_success)
        return status;
    if (extra->sum)
        status = dnnl_post_ops_append_sum(ops, 1);
    if (status == dnnl_success && extra->relu)
        status = dnnl_post_ops_append_eltwise(ops, 1, dnnl_eltwise_relu, 0, 0);
    if (status == dnnl_success)
        status = dnnl_primitive_attr_set_post_ops(*attr, ops);
    dnnl_post_ops_destroy(ops);
    return status;
}

/* Makes the primitive from its operation descriptor; backward primitives also need `hint`, the
 * descriptor of the forward one. */
static dnnl_status_t conv_finish(struct conv *conv, dnnl_engine_t engine,
                                 const dnnl_convolution_desc_t *desc,
                                 const_dnnl_primitive_attr_t attr, const_dnnl_primitive_desc_t hint,
                                 dnnl_query_t which)
{
    dnnl_primitive_desc_t made;
    dnnl_status_t status = dnnl_primitive_desc_create(&made, desc, attr, engine, hint);
    if (status != dnnl_success)
        return status;
    const char *name = "";
    conv->weights = *dnnl_primitive_desc_query_md(made, which, 0);
    if (dnnl_primitive_desc_query(made, dnnl_query_impl_info_str, 0, &name) == dnnl_success)
        snprintf(conv->kernel, sizeof conv->kernel, "%s", name);
    status = dnnl_primitive_create(&conv->primitive, made);
    dnnl_primitive_desc_destroy(made);
    return status;
}

dnnl_status_t conv_create(struct conv *conv, dnnl_engine_t engine, enum conv_pass pass,
                          const struct conv_shape *shape, struct conv_types types,
                          const struct conv_extra *extra)
{
    dnnl_data_type_t type = types.type, out = types.wide ? dnnl_f32 : type;
    static const dnnl_dims_t strides = {1, 1};
    dnnl_dims_t padding = {shape->kernel / 2, shape->kernel / 2};
    dnnl_memory_desc_t src = conv_board(shape, shape->in, type);
    dnnl_memory_desc_t dst = conv_board(shape, shape->out, type);
    dnnl_memory_desc_t any = conv_weights(shape, type, dnnl_format_tag_any);
    dnnl_memory_desc_t bias = conv_vector(shape->out, dnnl_f32);
    dnnl_memory_desc_t wide_dst = conv_board(shape, shape->out, out);
    dnnl_convolution_desc_t desc, forward;
    dnnl_primitive_desc_t hint = NULL;
    dnnl_primitive_attr_t attr = NULL;
    memset(conv, 0, sizeof *conv);
    dnnl_status_t status = dnnl_convolution_forward_desc_init(
        &forward, extra->training ? dnnl_forward_training : dnnl_forward_inference,
        shape->winograd ? dnnl_convolution_winograd : dnnl_convolution_direct, &src, &any,
        extra->bias ? &bias : NULL, pass == CONV_FORWARD ? &wide_dst : &dst, strides, padding,
        padding);
    if (status != dnnl_success)
        return status;
    if (pass == CONV_FORWARD) {
        status = conv_attributes(&attr, extra);
        if (status == dnnl_success)
            status = conv_finish(conv, engine, &forward, attr, NULL, dnnl_query_weights_md);
        dnnl_primitive_attr_destroy(attr);
        return status;
    }
    status = dnnl_primitive_desc_create(&hint, &forward, NULL, engine, NULL);
    if (status != dnnl_success)
        return status;
    dnnl_memory_desc_t wide_src = conv_board(shape, shape->in, out);
    dnnl_memory_desc_t wide_weights = conv_weights(shape, out, dnnl_format_tag_any);
    if (pass == CONV_BACKWARD_DATA)
        status = dnnl_convolution_backward_data_desc_init(&desc, dnnl_convolution_direct, &wide_src,
                                                          &any, &dst, strides, padding, padding);
    else
        status = dnnl_convolution_backward_weights_desc_init(
            &desc, dnnl_convolution_direct, &src, &wide_weights, extra->bias ? &bias : NULL, &dst,
            strides, padding, padding);
    if (status == dnnl_success)
        status = conv_finish(conv, engine, &desc, NULL, hint,
                             pass == CONV_BACKWARD_DATA ? dnnl_query_weights_md
                                                        : dnnl_query_diff_weights_md);
    dnnl_primitive_desc_destroy(hint);
    return status;
}

void conv_destroy(struct conv *conv)
{
    if (conv->primitive)
        dnnl_primitive_destroy(conv->primitive);
    conv->primitive = NULL;
}
