/* Convolutions of oneDNN 2.x.  Descriptors of memory and convolutions are made only in
 * descriptors.c, because oneDNN 3 makes them in another way.  Boards are NHWC, except for Winograd;
 * weights have the layout that the kernel prefers. */
#ifndef NN_ONEDNN_DESCRIPTORS_H
#define NN_ONEDNN_DESCRIPTORS_H

#include <dnnl.h>

#include <stdbool.h>

struct conv_shape {
    int count, height, width, in, out, kernel;
    int winograd; /* Winograd's algorithm with half the multiplications (Lavin 2016): boards are
                   * in blocks of 16 channels */
};

/* Operations fused with a forward convolution. */
struct conv_extra {
    bool bias, sum, relu; /* y = relu(x * w + bias + y) */
    bool training;
};

struct conv {
    dnnl_primitive_t primitive;
    dnnl_memory_desc_t weights; /* in the kernel's layout */
    char kernel[64];            /* name of the kernel */
};

enum conv_pass { CONV_FORWARD, CONV_BACKWARD_DATA, CONV_BACKWARD_WEIGHTS };

struct conv_types {
    dnnl_data_type_t type; /* of the inputs */
    bool wide;             /* the result of the pass is fp32, whatever the inputs are */
};

dnnl_status_t conv_create(struct conv *conv, dnnl_engine_t engine, enum conv_pass pass,
                          const struct conv_shape *shape, struct conv_types types,
                          const struct conv_extra *extra);
void conv_destroy(struct conv *conv);

/* Descriptors of a board with this number of channels, of a vector, and of weights in the order of files.
 * Winograd's weights can only be packed from [out][in][row][column]. */
dnnl_memory_desc_t conv_board(const struct conv_shape *shape, int channels, dnnl_data_type_t type);
dnnl_memory_desc_t conv_vector(int length, dnnl_data_type_t type);
dnnl_memory_desc_t conv_file_weights(const struct conv_shape *shape);

#endif
