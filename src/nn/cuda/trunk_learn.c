/* A training step on the device: the forward pass with batch norms, the gradients of the heads, the
 * backward pass. */
#include "nn/cuda/trunk_parts.h"

#include "nn/ops.h"

#include <math.h>

/* --- forward --- */

/* Adds up the device's sums of chunks: [2][channels] at the front of host_sums. */
static bool trunk_sums(struct trunk *trunk)
{
    size_t channels = (size_t)trunk->model->arch.channels;
    size_t chunked = KERNELS_CHUNKS * channels;
    double *sums = trunk->host_sums;
    if (!device_fetch(trunk->device, sums, trunk->sums, 2 * chunked * sizeof *sums))
        return false;
    for (size_t kind = 0; kind < 2; ++kind)
        for (size_t c = 0; c < channels; ++c) {
            double all = 0;
            for (size_t chunk = 0; chunk < KERNELS_CHUNKS; ++chunk)
                all += sums[kind * chunked + chunk * channels + c];
            sums[kind * channels + c] = all; /* this element has already been read */
        }
    return true;
}

/* Computes the norm's scale and shift from mean and deviation of pre. */
static bool trunk_norm(struct trunk *trunk, int i)
{
    const struct nn_conv *conv = trunk_conv(trunk->model, i);
    const struct plain_step *step = &trunk->step;
    size_t channels = (size_t)conv->out, at = (size_t)i * channels;
    size_t bytes = channels * sizeof(float);
    double rows = (double)step->count * nn_arch_cells(&trunk->model->arch);
    float *vectors = trunk->host_vectors;
    kernels_sums(&trunk->kernels, trunk->pre[i], trunk->sums,
                 trunk->sums + KERNELS_CHUNKS * channels);
    if (!trunk_sums(trunk))
        return false;
    for (size_t c = 0; c < channels; ++c) {
        double mean = trunk->host_sums[c] / rows;
        double variance = trunk->host_sums[channels + c] / rows - mean * mean;
        variance = variance > 0 ? variance : 0;
        double inverse = 1 / sqrt(variance + (double)OPS_NORM_EPSILON);
        double scale = (double)step->params[trunk_offset(trunk, conv->gain) + c] * inverse;
        double bias = (double)step->params[trunk_offset(trunk, conv->bias) + c];
        trunk->host_mean[at + c] = (float)mean;
        trunk->host_inverse[at + c] = (float)inverse;
        trunk->host_scale[at + c] = (float)scale;
        vectors[TRUNK_SHIFT * channels + c] = (float)(bias - mean * scale);
        step->gradients[trunk_offset(trunk, conv->mean) + c] = (float)mean;
        step->gradients[trunk_offset(trunk, conv->variance) + c] = (float)variance;
    }
    return device_send(trunk->device, trunk_vector(trunk, TRUNK_SHIFT, i), vectors, bytes) &&
           device_send(trunk->device, trunk_vector(trunk, TRUNK_SCALE, i), trunk->host_scale + at,
                       bytes) &&
           device_send(trunk->device, trunk_vector(trunk, TRUNK_MEAN, i), trunk->host_mean + at,
                       bytes) &&
           device_send(trunk->device, trunk_vector(trunk, TRUNK_INVERSE, i),
                       trunk->host_inverse + at, bytes);
}

static bool trunk_layer(struct trunk *trunk, int i, const void *x, const void *residual,
                        const float *spread)
{
    if (!trunk_convolve(trunk, i, x, trunk->pre[i]))
        return false;
    if (trunk_batch_norm(trunk) && !trunk_norm(trunk, i))
        return false;
    struct kernels_finish finish = {.pre = trunk->pre[i],
                                    .residual = residual,
                                    .shift = trunk_vector(trunk, TRUNK_SHIFT, i),
                                    .spread = spread,
                                    .relu = true,
                                    .out = trunk->out[i]};
    if (trunk_batch_norm(trunk))
        finish.scale = trunk_vector(trunk, TRUNK_SCALE, i);
    kernels_finish(&trunk->kernels, &finish);
    return true;
}

bool trunk_learn_forward(void *ctx, const struct plain_step *step)
{
    struct trunk *trunk = ctx;
    const struct nn_model *model = trunk->model;
    trunk->step = *step;
    trunk->head_count = 0;
    trunk->failed = false;
    if (step->count != trunk->room && !trunk_boards(trunk, step->count))
        return false;
    if (!trunk_load(trunk, step->weights) || !trunk_input(trunk, step->count, step->planes) ||
        !trunk_layer(trunk, 0, trunk->input, NULL, NULL))
        return false;
    for (int b = 0; b < model->arch.blocks; ++b) {
        int first = 1 + 2 * b, second = 2 + 2 * b;
        bool pool = model->blocks[b].pool.out;
        const void *x = trunk->out[2 * b];
        if (!trunk_layer(trunk, first, x, NULL, NULL) ||
            (pool && !trunk_pool(trunk, b, trunk->out[first], trunk->pooled[b])) ||
            !trunk_layer(trunk, second, trunk->out[first], x, pool ? trunk->spread : NULL))
            return false;
    }
    return device_wait(trunk->device);
}

void trunk_learn_head(void *ctx, const struct nn_conv *conv, float *out)
{
    struct trunk *trunk = ctx;
    if (!trunk_head(trunk, conv, trunk->step.weights, out))
        trunk->failed = true; /* the next call that can return an error reports it */
}

bool trunk_learn_head_back(void *ctx, const struct nn_conv *conv, const float *dout)
{
    struct trunk *trunk = ctx;
    int number = trunk->head_count;
    size_t wide = (size_t)conv->out;
    size_t size = (size_t)trunk->step.count * (size_t)nn_arch_cells(&trunk->model->arch) * wide;
    if (trunk->failed || !trunk_head_room(trunk, number, size) ||
        !device_send(trunk->device, trunk->head_boards[number], dout, size * sizeof *dout) ||
        !device_send(trunk->device, trunk->head_weights[number],
                     trunk->step.weights + trunk_offset(trunk, conv->weight),
                     wide * (size_t)conv->in * sizeof *dout))
        return false;
    trunk->heads[number] =
        (struct kernels_head){conv->out, trunk->head_weights[number], trunk->head_boards[number]};
    trunk->head_convs[number] = conv;
    ++trunk->head_count;
    return true;
}

/* --- backward --- */

/* Adds a gradient on the device to a tensor on the host. */
static bool trunk_collect(struct trunk *trunk, const float *from, size_t size, float *to)
{
    if (!device_fetch(trunk->device, trunk->host_gradient, from, size * sizeof *from))
        return false;
    for (size_t i = 0; i < size; ++i)
        to[i] += trunk->host_gradient[i];
    return true;
}

/* Masks dy, the gradient of layer i's output, by the ReLU.  The sums of the masked dy give the
 * gradients of bias and gain, and the factors of the norm's backward pass. */
static bool trunk_mask(struct trunk *trunk, int i, void *dy)
{
    const struct nn_conv *conv = trunk_conv(trunk->model, i);
    size_t channels = (size_t)conv->out, at = (size_t)i * channels;
    double rows = (double)trunk->step.count * nn_arch_cells(&trunk->model->arch);
    bool norm = trunk_batch_norm(trunk);
    float *blend = trunk->host_vectors, *gradients = trunk->step.gradients;
    const struct kernels_mask mask = {trunk->out[i],
                                      norm ? trunk->pre[i] : NULL,
                                      trunk_vector(trunk, TRUNK_MEAN, i),
                                      trunk_vector(trunk, TRUNK_INVERSE, i),
                                      dy,
                                      trunk->sums,
                                      trunk->sums + KERNELS_CHUNKS * channels};
    kernels_mask(&trunk->kernels, &mask);
    if (!trunk_sums(trunk))
        return false;
    for (size_t c = 0; c < channels; ++c) {
        double sum = trunk->host_sums[c], product = trunk->host_sums[channels + c];
        gradients[trunk_offset(trunk, conv->bias) + c] = (float)sum;
        if (!norm)
            continue;
        gradients[trunk_offset(trunk, conv->gain) + c] = (float)product;
        double scale = (double)trunk->host_scale[at + c];
        double b = -scale * product / rows * (double)trunk->host_inverse[at + c];
        blend[c] = (float)scale;
        blend[channels + c] = (float)b;
        blend[2 * channels + c] =
            (float)(-scale * sum / rows - b * (double)trunk->host_mean[at + c]);
    }
    return !norm || device_send(trunk->device, trunk->blend, blend, 3 * channels * sizeof *blend);
}

/* Returns the gradient of the output of convolution i.  dy is the gradient of its norm's output;
 * dpre, where the result is written, may be dy. */
static const void *trunk_norm_back(struct trunk *trunk, int i, const void *dy, void *dpre)
{
    size_t channels = (size_t)trunk->model->arch.channels;
    if (!trunk_batch_norm(trunk))
        return dy;
    const struct kernels_blend blend = {
        dy,  trunk->pre[i], trunk->blend, trunk->blend + channels, trunk->blend + 2 * channels,
        dpre};
    kernels_blend(&trunk->kernels, &blend);
    return dpre;
}

static bool trunk_layer_back(struct trunk *trunk, int i, const void *x, const void *dpre, void *dx,
                             float *dweights)
{
    const struct nn_conv *conv = trunk_conv(trunk->model, i);
    const struct convolve *convolve = i ? &trunk->body : &trunk->stem;
    size_t rows = 9 * (size_t)conv->out;
    const struct convolve_run weights = {
        .x = x, .dy = dpre, .out = trunk->dweights, .workspace = trunk->workspace};
    const struct convolve_run data = {
        .weights = trunk->weights[i], .dy = dpre, .out = dx, .workspace = trunk->workspace};
    if (!convolve_run(convolve, trunk->device, CONVOLVE_WEIGHTS, &weights))
        return false;
    kernels_unweights(&trunk->kernels, rows, conv->in, trunk_padded(trunk, i), trunk->dweights,
                      trunk->staging);
    if (!trunk_collect(trunk, trunk->staging, rows * (size_t)conv->in,
                       dweights + trunk_offset(trunk, conv->weight)))
        return false;
    return !dx || convolve_run(convolve, trunk->device, CONVOLVE_DATA, &data);
}

static bool trunk_pool_back(struct trunk *trunk, int block)
{
    const struct nn_dense *dense = &trunk->model->blocks[block].pool;
    int channels = trunk->model->arch.channels, count = trunk->kernels.count;
    size_t wide = (size_t)channels, size = 2 * wide * wide;
    float *gradients = trunk->step.gradients;
    const struct device_product product = {.rows = count,
                                           .n = 2 * channels,
                                           .k = channels,
                                           .a = trunk->spread,
                                           .b = trunk->pool_weights + (size_t)block * size,
                                           .c = trunk->dpooled};
    const struct device_outer outer = {.rows = count,
                                       .m = channels,
                                       .n = 2 * channels,
                                       .a = trunk->spread,
                                       .b = trunk->pooled[block],
                                       .c = trunk->pool_gradient};
    kernels_spread_back(&trunk->kernels, trunk->board, trunk->spread);
    kernels_bias_back(&trunk->kernels, channels, trunk->spread, trunk->pool_bias_gradient);
    if (!device_outer(trunk->device, &outer) || !device_product(trunk->device, &product))
        return false;
    kernels_pool_back(&trunk->kernels, trunk->out[1 + 2 * block], trunk->pooled[block],
                      trunk->dpooled, trunk->inner);
    return trunk_collect(trunk, trunk->pool_gradient, size,
                         gradients + trunk_offset(trunk, dense->weight)) &&
           trunk_collect(trunk, trunk->pool_bias_gradient, wide,
                         gradients + trunk_offset(trunk, dense->bias));
}

/* Replaces trunk->board, the gradient of the block's output, by the gradient of its input. */
static bool trunk_block_back(struct trunk *trunk, int b, float *dweights)
{
    int first = 1 + 2 * b, second = 2 + 2 * b;
    if (!trunk_mask(trunk, second, trunk->board))
        return false;
    const void *dpre = trunk_norm_back(trunk, second, trunk->board, trunk->scratch);
    if (!trunk_layer_back(trunk, second, trunk->out[first], dpre, trunk->inner, dweights) ||
        (trunk->model->blocks[b].pool.out && !trunk_pool_back(trunk, b)) ||
        !trunk_mask(trunk, first, trunk->inner))
        return false;
    dpre = trunk_norm_back(trunk, first, trunk->inner, trunk->inner);
    if (!trunk_layer_back(trunk, first, trunk->out[2 * b], dpre, trunk->scratch, dweights))
        return false;
    kernels_add(&trunk->kernels, trunk->scratch, trunk->board);
    return true;
}

static bool trunk_heads_back(struct trunk *trunk, float *dweights)
{
    for (int i = 0; i < trunk->head_count; ++i) {
        const struct nn_conv *conv = trunk->head_convs[i];
        kernels_head_weights(&trunk->kernels, trunk_last(trunk), &trunk->heads[i],
                             trunk->head_gradient);
        float *to = conv->norm == NN_NORM_WEIGHT ? dweights : trunk->step.gradients;
        if (!trunk_collect(trunk, trunk->head_gradient, (size_t)conv->out * (size_t)conv->in,
                           to + trunk_offset(trunk, conv->weight)))
            return false;
    }
    kernels_heads_back(&trunk->kernels, trunk->heads, trunk->head_count, trunk->board);
    return true;
}

bool trunk_learn_backward(void *ctx, float *dweights)
{
    struct trunk *trunk = ctx;
    if (trunk->failed || !trunk_heads_back(trunk, dweights))
        return false;
    for (int b = trunk->model->arch.blocks - 1; b >= 0; --b)
        if (!trunk_block_back(trunk, b, dweights))
            return false;
    if (!trunk_mask(trunk, 0, trunk->board))
        return false;
    const void *dpre = trunk_norm_back(trunk, 0, trunk->board, trunk->board);
    return trunk_layer_back(trunk, 0, trunk->input, dpre, NULL, dweights) &&
           device_wait(trunk->device);
}
