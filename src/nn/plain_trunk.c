/* The plain backend's trunk: convolutions with their norms, residual blocks, and the backward pass.
 */
#include "nn/plain_pass.h"

#include <string.h>

/* --- one convolution with norm --- */

static struct ops_conv plain_shape(const struct plain_pass *pass, const struct nn_conv *conv)
{
    const struct nn_arch *arch = &pass->plain->model->arch;
    return (struct ops_conv){pass->count, arch->height, arch->width,
                             conv->in,    conv->out,    conv->kernel};
}

size_t plain_rows(const struct plain_pass *pass)
{
    return (size_t)pass->count * (size_t)nn_arch_cells(&pass->plain->model->arch);
}

static struct ops_norm plain_norm(const struct plain_pass *pass, const struct nn_conv *conv)
{
    const struct plain *plain = pass->plain;
    return (struct ops_norm){plain_rows(pass), conv->out, plain_at(plain, pass->params, conv->gain),
                             plain_at(plain, pass->params, conv->bias)};
}

/* The output of the convolution; x NULL: a trunk outside this backend computes it. */
static void plain_conv_product(const struct plain_pass *pass, const struct plain_layer *layer,
                               const float *x, const float *bias)
{
    struct plain *plain = pass->plain;
    const struct nn_conv *conv = layer->conv;
    struct ops_conv shape = plain_shape(pass, conv);
    if (x) {
        ops_conv_forward(&plain->ops, &shape, x, plain_at(plain, pass->weights, conv->weight), bias,
                         layer->pre);
        return;
    }
    plain->trunk->head(plain->trunk->ctx, conv, layer->pre);
    size_t size = plain_rows(pass) * (size_t)conv->out;
    for (size_t i = 0; bias && i < size; ++i)
        layer->pre[i] += bias[i % (size_t)conv->out];
}

/* The convolution with its norm, without the ReLU. */
void plain_conv_forward(const struct plain_pass *pass, const struct plain_layer *layer,
                        const float *x)
{
    struct plain *plain = pass->plain;
    const struct nn_conv *conv = layer->conv;
    bool batch_norm = pass->gradients && conv->norm == NN_NORM_BATCH;
    plain_conv_product(pass, layer, x,
                       batch_norm ? NULL : plain_at(plain, pass->weights, conv->bias));
    if (!batch_norm)
        return;
    struct ops_norm norm = plain_norm(pass, conv);
    ops_batch_norm_forward(&norm, layer->pre, plain_at(plain, pass->gradients, conv->mean),
                           plain_at(plain, pass->gradients, conv->variance), layer->out);
}

/* Passes the gradient of a head's convolution to a trunk outside this backend. */
static void plain_hand_back(const struct plain_pass *pass, const struct nn_conv *conv,
                            const float *dout, float *dbias)
{
    struct plain *plain = pass->plain;
    size_t size = plain_rows(pass) * (size_t)conv->out;
    for (size_t i = 0; dbias && i < size; ++i)
        dbias[i % (size_t)conv->out] += dout[i];
    if (!plain->trunk->head_back(plain->trunk->ctx, conv, dout))
        plain->failed = true;
}

/* Converts the gradient of standardised weights to that of the weights and their gains. */
void plain_weight_norm_back(const struct plain_pass *pass, const struct nn_conv *conv)
{
    struct plain *plain = pass->plain;
    ops_weight_norm_backward(
        conv->out, conv->kernel * conv->kernel * conv->in,
        plain_at(plain, pass->params, conv->weight), plain_at(plain, pass->params, conv->gain),
        &(struct ops_back){.dy = plain_at(plain, plain->deffective, conv->weight),
                           .dweight = plain_at(plain, pass->gradients, conv->weight),
                           .dgain = plain_at(plain, pass->gradients, conv->gain)});
}

/* Overwrites dout with the gradient of the convolution's output; x NULL: its input is in a trunk
 * outside this backend. */
void plain_conv_backward(const struct plain_pass *pass, const struct plain_layer *layer,
                         const float *x, float *dout, float *dx)
{
    struct plain *plain = pass->plain;
    const struct nn_conv *conv = layer->conv;
    struct ops_conv shape = plain_shape(pass, conv);
    float *dbias = plain_at(plain, pass->gradients, conv->bias);
    if (conv->norm == NN_NORM_BATCH) {
        struct ops_norm norm = plain_norm(pass, conv);
        ops_batch_norm_backward(
            &norm, layer->pre, plain_at(plain, pass->gradients, conv->mean),
            plain_at(plain, pass->gradients, conv->variance),
            &(struct ops_back){.dy = dout,
                               .dx = dout,
                               .dgain = plain_at(plain, pass->gradients, conv->gain),
                               .dbias = dbias});
        dbias = NULL;
    }
    if (!x) {
        plain_hand_back(pass, conv, dout, dbias);
        return;
    }
    float *dweight = plain_at(
        plain, conv->norm == NN_NORM_WEIGHT ? plain->deffective : pass->gradients, conv->weight);
    ops_conv_backward(&plain->ops, &shape, x, plain_at(plain, pass->weights, conv->weight),
                      &(struct ops_back){.dy = dout, .dx = dx, .dweight = dweight, .dbias = dbias});
    if (conv->norm == NN_NORM_WEIGHT)
        plain_weight_norm_back(pass, conv);
}

void plain_dense_forward(const struct plain_pass *pass, const struct nn_dense *dense,
                         const float *x, float *y)
{
    struct plain *plain = pass->plain;
    struct ops_dense shape = {pass->count, dense->in, dense->out};
    ops_dense_forward(&plain->ops, &shape, x, plain_at(plain, pass->weights, dense->weight),
                      plain_at(plain, pass->weights, dense->bias), y);
}

void plain_dense_backward(const struct plain_pass *pass, const struct nn_dense *dense,
                          const float *x, const float *dy, float *dx)
{
    struct plain *plain = pass->plain;
    struct ops_dense shape = {pass->count, dense->in, dense->out};
    ops_dense_backward(
        &plain->ops, &shape, x, plain_at(plain, pass->weights, dense->weight),
        &(struct ops_back){.dy = dy,
                           .dx = dx,
                           .dweight = plain_at(plain, pass->gradients, dense->weight),
                           .dbias = plain_at(plain, pass->gradients, dense->bias)});
}

void plain_add(size_t n, const float *x, float *y)
{
    for (size_t i = 0; i < n; ++i)
        y[i] += x[i];
}

/* --- the trunk --- */

size_t plain_trunk_size(const struct plain_pass *pass)
{
    return plain_rows(pass) * (size_t)pass->plain->model->arch.channels;
}

static struct ops_pool plain_pool(const struct plain_pass *pass)
{
    const struct nn_arch *arch = &pass->plain->model->arch;
    return (struct ops_pool){pass->count, nn_arch_cells(arch), arch->channels};
}

static void plain_block_forward(const struct plain_pass *pass, int number, const float *x)
{
    const struct nn_dense *dense = &pass->plain->model->blocks[number].pool;
    struct plain_block *block = &pass->plain->blocks[number];
    size_t size = plain_trunk_size(pass);
    plain_conv_forward(pass, &block->first, x);
    ops_relu_forward(size, block->first.out);
    plain_conv_forward(pass, &block->second, block->first.out);
    plain_add(size, x, block->second.out);
    if (dense->out) {
        struct ops_pool pool = plain_pool(pass);
        ops_pool_forward(&pool, block->first.out, block->pooled);
        plain_dense_forward(pass, dense, block->pooled, block->spread);
        ops_spread_forward(&pool, block->spread, block->second.out);
    }
    ops_relu_forward(size, block->second.out);
}

/* Replaces plain->dtrunk, the gradient of the block's output, by the gradient of its input. */
static void plain_block_backward(const struct plain_pass *pass, int number, const float *x)
{
    struct plain *plain = pass->plain;
    const struct nn_dense *dense = &plain->model->blocks[number].pool;
    struct plain_block *block = &plain->blocks[number];
    struct ops_pool pool = plain_pool(pass);
    size_t size = plain_trunk_size(pass);
    float *dspread = plain->dpooled + (long)pass->count * 2 * pool.channels;
    ops_relu_backward(size, block->second.out, plain->dtrunk);
    if (dense->out) {
        ops_spread_backward(&pool, plain->dtrunk, dspread);
        plain_dense_backward(pass, dense, block->pooled, dspread, plain->dpooled);
    }
    memcpy(plain->dspare, plain->dtrunk, size * sizeof *plain->dspare);
    plain_conv_backward(pass, &block->second, block->first.out, plain->dspare, plain->dinner);
    if (dense->out)
        ops_pool_backward(&pool, block->first.out, block->pooled, plain->dpooled, plain->dinner);
    ops_relu_backward(size, block->first.out, plain->dinner);
    plain_conv_backward(pass, &block->first, x, plain->dinner, plain->dspare);
    plain_add(size, plain->dspare, plain->dtrunk);
}

static const float *plain_block_input(const struct plain *plain, int number)
{
    return number ? plain->blocks[number - 1].second.out : plain->stem.out;
}

const float *plain_trunk_forward(const struct plain_pass *pass, const float *planes)
{
    struct plain *plain = pass->plain;
    const struct nn_arch *arch = &plain->model->arch;
    nn_planes_last(arch, pass->count, planes, plain->input);
    plain_conv_forward(pass, &plain->stem, plain->input);
    ops_relu_forward(plain_trunk_size(pass), plain->stem.out);
    for (int i = 0; i < arch->blocks; ++i)
        plain_block_forward(pass, i, plain_block_input(plain, i));
    return plain_block_input(plain, arch->blocks);
}

void plain_trunk_backward(const struct plain_pass *pass)
{
    struct plain *plain = pass->plain;
    for (int i = plain->model->arch.blocks - 1; i >= 0; --i)
        plain_block_backward(pass, i, plain_block_input(plain, i));
    ops_relu_backward(plain_trunk_size(pass), plain->stem.out, plain->dtrunk);
    plain_conv_backward(pass, &plain->stem, plain->input, plain->dtrunk, NULL);
}
