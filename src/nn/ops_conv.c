/* Convolutions as matrix products over patches, and fully connected layers. */
#include "nn/ops.h"

#include <string.h>

enum { CONV_ROWS = 1024 }; /* number of patches per matrix product, approximately */

static int conv_chunk(const struct ops_conv *conv)
{
    int images = CONV_ROWS / (conv->height * conv->width);
    images = images > 0 ? images : 1;
    return images < conv->count ? images : conv->count;
}

size_t ops_conv_room(const struct ops_conv *conv)
{
    size_t cells = (size_t)conv->height * (size_t)conv->width;
    return conv->kernel == 1 ? 0 : (size_t)conv_chunk(conv) * cells * 9 * (size_t)conv->in;
}

/* For every pair of a patch cell and a board cell of one image: copies x to patches (gather), or
 * adds patches to x. */
static void conv_patches(const struct ops_conv *conv, float *x, float *patches, bool gather)
{
    int in = conv->in;
    size_t bytes = sizeof(float) * (size_t)in;
    for (int row = 0; row < conv->height; ++row)
        for (int column = 0; column < conv->width; ++column)
            for (int k = 0; k < 9; ++k, patches += in) {
                int r = row + k / 3 - 1, c = column + k % 3 - 1;
                bool inside = r >= 0 && r < conv->height && c >= 0 && c < conv->width;
                float *cell = inside ? x + (r * conv->width + c) * in : NULL;
                if (gather && inside)
                    memcpy(patches, cell, bytes);
                else if (gather)
                    memset(patches, 0, bytes);
                for (int i = 0; !gather && inside && i < in; ++i)
                    cell[i] += patches[i];
            }
}

/* The patches of `images` images beginning at x; for kernel 1 they are x itself. */
static const float *conv_gather(struct ops *ops, const struct ops_conv *conv, const float *x,
                                int images)
{
    if (conv->kernel == 1)
        return x;
    int cells = conv->height * conv->width;
    for (int i = 0; i < images; ++i) /* x is only read when gathering */
        conv_patches(conv, (float *)x + (long)i * cells * conv->in,
                     ops->patches + (long)i * cells * 9 * conv->in, true);
    return ops->patches;
}

static void conv_add_bias(long rows, int out, const float *bias, float *y)
{
    for (long row = 0; row < rows; ++row, y += out)
        for (int o = 0; o < out; ++o)
            y[o] += bias[o];
}

void ops_conv_forward(struct ops *ops, const struct ops_conv *conv, const float *x,
                      const float *weight, const float *bias, float *y)
{
    int cells = conv->height * conv->width, fan = conv->kernel * conv->kernel * conv->in;
    int chunk = conv_chunk(conv);
    if (ops->engine && ops->engine->forward(ops->engine->ctx, conv, x, weight, bias, y))
        return;
    for (int first = 0; first < conv->count; first += chunk) {
        int images = conv->count - first < chunk ? conv->count - first : chunk;
        const float *from = x + (long)first * cells * conv->in;
        struct gemm product = {.m = images * cells,
                               .n = conv->out,
                               .k = fan,
                               .a = {conv_gather(ops, conv, from, images), fan, 1},
                               .b = {weight, 1, fan},
                               .c = y + (long)first * cells * conv->out,
                               .c_row = conv->out};
        gemm_run(ops->kernel, ops->space, &product);
    }
    if (bias)
        conv_add_bias((long)conv->count * cells, conv->out, bias, y);
}

/* Computes dpatches = dy * weight, then adds every patch to the cells that it came from. */
static void conv_backward_data(struct ops *ops, const struct ops_conv *conv, const float *weight,
                               const float *dy, int images, float *dx)
{
    int cells = conv->height * conv->width, fan = conv->kernel * conv->kernel * conv->in;
    float *patches = conv->kernel == 1 ? dx : ops->patches;
    struct gemm product = {.m = images * cells,
                           .n = fan,
                           .k = conv->out,
                           .a = {dy, conv->out, 1},
                           .b = {weight, fan, 1},
                           .c = patches,
                           .c_row = fan};
    gemm_run(ops->kernel, ops->space, &product);
    if (conv->kernel == 1)
        return;
    memset(dx, 0, sizeof *dx * (size_t)images * (size_t)cells * (size_t)conv->in);
    for (int i = 0; i < images; ++i)
        conv_patches(conv, dx + (long)i * cells * conv->in,
                     patches + (long)i * cells * 9 * conv->in, false);
}

void ops_conv_backward(struct ops *ops, const struct ops_conv *conv, const float *x,
                       const float *weight, const struct ops_back *back)
{
    int cells = conv->height * conv->width, fan = conv->kernel * conv->kernel * conv->in;
    int chunk = conv_chunk(conv);
    const float *dy = back->dy;
    if (ops->engine && ops->engine->backward(ops->engine->ctx, conv, x, weight, back))
        return;
    for (int first = 0; first < conv->count; first += chunk) {
        int images = conv->count - first < chunk ? conv->count - first : chunk;
        long rows = (long)first * cells;
        struct gemm product = {.m = conv->out,
                               .n = fan,
                               .k = images * cells,
                               .a = {dy + rows * conv->out, 1, conv->out},
                               .b = {conv_gather(ops, conv, x + rows * conv->in, images), fan, 1},
                               .c = back->dweight,
                               .c_row = fan,
                               .add = true};
        gemm_run(ops->kernel, ops->space, &product);
        if (back->dx)
            conv_backward_data(ops, conv, weight, dy + rows * conv->out, images,
                               back->dx + rows * conv->in);
    }
    for (long row = 0; back->dbias && row < (long)conv->count * cells; ++row)
        for (int o = 0; o < conv->out; ++o)
            back->dbias[o] += dy[row * conv->out + o];
}

/* --- fully connected: a convolution of one cell --- */

void ops_dense_forward(struct ops *ops, const struct ops_dense *dense, const float *x,
                       const float *weight, const float *bias, float *y)
{
    struct ops_conv conv = {dense->count, 1, 1, dense->in, dense->out, 1};
    ops_conv_forward(ops, &conv, x, weight, bias, y);
}

void ops_dense_backward(struct ops *ops, const struct ops_dense *dense, const float *x,
                        const float *weight, const struct ops_back *back)
{
    struct ops_conv conv = {dense->count, 1, 1, dense->in, dense->out, 1};
    ops_conv_backward(ops, &conv, x, weight, back);
}
