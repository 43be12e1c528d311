/* Convolutions of oneDNN 2.x: all of its descriptors are made here, because version 3 makes them
 * otherwise.  Boards are NHWC, but for Winograd's; weights are in whatever layout the kernel likes. */
#ifndef NN_ONEDNN_DESCRIPTORS_H
#define NN_ONEDNN_DESCRIPTORS_H

#include <dnnl.h>

#include <stdbool.h>

struct conv_shape {
    int count, height, width, in, out, kernel;
    int winograd; /* half the multiplications (Lavin 2016): boards are in blocks of 16 channels */
};

/* What a forward convolution does besides. */
struct conv_extra {
    bool bias, sum, relu; /* y = relu(x * w + bias + y) */
    bool training;
};

struct conv {
    dnnl_primitive_t primitive;
    dnnl_memory_desc_t weights; /* as the kernel wants them */
    char kernel[64];            /* its name */
};

enum conv_pass { CONV_FORWARD, CONV_BACKWARD_DATA, CONV_BACKWARD_WEIGHTS };

struct conv_types {
    dnnl_data_type_t type; /* of the inputs */
    bool wide;             /* outputs that leave the trunk, and gradients of weights, are fp32 */
};

dnnl_status_t conv_create(struct conv *conv, dnnl_engine_t engine, enum conv_pass pass,
                          const struct conv_shape *shape, struct conv_types types,
                          const struct conv_extra *extra);
void conv_destroy(struct conv *conv);

/* Board of `channels`, plain vector, weights in file order; for Winograd's, which are packed from
 * that only, [out][in][row][column]. */
dnnl_memory_desc_t conv_board(const struct conv_shape *shape, int channels, dnnl_data_type_t type);
dnnl_memory_desc_t conv_vector(int length, dnnl_data_type_t type);
dnnl_memory_desc_t conv_file_weights(const struct conv_shape *shape);

#endif
