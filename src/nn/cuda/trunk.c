#include "nn/cuda/trunk.h"

#include "nn/ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRUNK_CONVS = 1 + 2 * NN_MAX_BLOCKS, TRUNK_ALIGN = 8 };

/* Vectors of channels on the device, one of each for every convolution. */
enum trunk_vector { TRUNK_SHIFT, TRUNK_SCALE, TRUNK_MEAN, TRUNK_INVERSE, TRUNK_VECTORS };

struct trunk {
    const struct device *device;
    const struct nn_model *model;
    bool learning;
    struct plain_trunk plain;
    struct kernels kernels; /* its count: of the boards as they are */
    int convs, padded;      /* planes of the input board: a multiple of TRUNK_ALIGN */
    size_t element;         /* bytes of a board's number */
    int room;               /* positions that there is memory for */
    struct convolve stem, body;
    /* on the device */
    void *weights[TRUNK_CONVS]; /* in the boards' type */
    float *vectors;             /* [TRUNK_VECTORS][convs][channels] */
    float *blend;               /* [3][channels] */
    float *pool_weights;        /* [blocks][channels][2 channels], where a block has a pool */
    float *pool_bias;           /* [blocks][channels] */
    float *staging;             /* fp32 weights of one convolution */
    float *planes;
    void *input, *board, *inner, *scratch;     /* of a search; learning: dtrunk, dinner, dspare */
    void *pre[TRUNK_CONVS], *out[TRUNK_CONVS]; /* learning; the same without a batch norm */
    float *pooled[NN_MAX_BLOCKS], *spread, *dpooled;
    float *pool_gradient, *pool_bias_gradient;
    double *sums; /* [2][KERNELS_CHUNKS][channels] */
    void *workspace;
    void *dweights; /* of one convolution, in the boards' type */
    /* of gradients, and last of the forward pass */
    float *head_weights[KERNELS_HEADS + 1], *head_boards[KERNELS_HEADS + 1], *head_gradient;
    size_t head_room[KERNELS_HEADS + 1];
    /* of this step */
    struct kernels_head heads[KERNELS_HEADS];
    const struct nn_conv *head_convs[KERNELS_HEADS];
    int head_count;
    struct plain_step step;
    bool failed;
    /* on the host */
    double *host_sums;                            /* as sums */
    float *host_vectors, *host_gradient;          /* [4][channels]; of one tensor */
    float *host_scale, *host_inverse, *host_mean; /* [convs][channels] */
};

static const struct nn_conv *trunk_conv(const struct nn_model *model, int i)
{
    const struct nn_block *block = &model->blocks[(i - 1) / 2];
    return i == 0 ? &model->stem : i % 2 ? &block->first : &block->second;
}

static size_t trunk_offset(const struct trunk *trunk, int tensor)
{
    return trunk->model->tensors[tensor].offset;
}

static bool trunk_batch_norm(const struct trunk *trunk)
{
    return trunk->learning && trunk->model->arch.norm == NN_NORM_BATCH;
}

static float *trunk_vector(const struct trunk *trunk, enum trunk_vector which, int conv)
{
    size_t channels = (size_t)trunk->model->arch.channels;
    return trunk->vectors + ((size_t)which * (size_t)trunk->convs + (size_t)conv) * channels;
}

static int trunk_padded(const struct trunk *trunk, int conv)
{
    return conv == 0 ? trunk->padded : trunk->model->arch.channels;
}

/* --- memory --- */

static void trunk_boards_free(struct trunk *trunk)
{
    convolve_destroy(&trunk->stem);
    convolve_destroy(&trunk->body);
    for (int i = 0; i < trunk->convs; ++i) {
        if (trunk->pre[i] != trunk->out[i])
            device_free(trunk->pre[i]);
        device_free(trunk->out[i]);
        trunk->pre[i] = trunk->out[i] = NULL;
    }
    for (int b = 0; b < trunk->model->arch.blocks; ++b) {
        device_free(trunk->pooled[b]);
        trunk->pooled[b] = NULL;
    }
    void **const blocks[] = {(void **)&trunk->planes,
                             &trunk->input,
                             &trunk->board,
                             &trunk->inner,
                             &trunk->scratch,
                             (void **)&trunk->spread,
                             (void **)&trunk->dpooled,
                             &trunk->workspace};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        device_free(*blocks[i]);
        *blocks[i] = NULL;
    }
    trunk->room = 0;
}

static bool trunk_boards_learning(struct trunk *trunk, size_t board)
{
    bool good = true;
    for (int i = 0; i < trunk->convs && good; ++i) {
        trunk->out[i] = device_block(board);
        trunk->pre[i] = trunk_batch_norm(trunk) ? device_block(board) : trunk->out[i];
        good = trunk->out[i] && trunk->pre[i];
    }
    return good;
}

/* Boards and convolutions for exactly count positions. */
static bool trunk_boards(struct trunk *trunk, int count)
{
    const struct nn_arch *arch = &trunk->model->arch;
    size_t n = (size_t)count, cells = (size_t)nn_arch_cells(arch), rows = n * cells;
    size_t channels = (size_t)arch->channels, board = rows * channels * trunk->element;
    struct convolve_shape stem = {count, arch->height, arch->width, trunk->padded, arch->channels};
    struct convolve_shape body = {count, arch->height, arch->width, arch->channels, arch->channels};
    trunk_boards_free(trunk);
    trunk->kernels.count = count;
    if (!convolve_create(&trunk->stem, trunk->device, &stem, trunk->kernels.type,
                         trunk->learning) ||
        !convolve_create(&trunk->body, trunk->device, &body, trunk->kernels.type, trunk->learning))
        return false;
    size_t workspace = trunk->stem.room > trunk->body.room ? trunk->stem.room : trunk->body.room;
    trunk->planes = device_block(rows * (size_t)arch->planes * sizeof(float));
    trunk->input = device_block(rows * (size_t)trunk->padded * trunk->element);
    trunk->board = device_block(board);
    trunk->inner = device_block(board);
    trunk->scratch = device_block(board);
    trunk->spread = device_block(n * channels * sizeof(float));
    trunk->dpooled = device_block(n * 2 * channels * sizeof(float));
    trunk->workspace = device_block(workspace);
    bool good = trunk->planes && trunk->input && trunk->board && trunk->inner && trunk->scratch &&
                trunk->spread && trunk->dpooled && trunk->workspace;
    for (int b = 0; b < arch->blocks && good; ++b)
        if (trunk->model->blocks[b].pool.out) {
            trunk->pooled[b] = device_block(n * 2 * channels * sizeof(float));
            good = trunk->pooled[b];
        }
    good = good && (!trunk->learning || trunk_boards_learning(trunk, board));
    trunk->room = good ? count : 0;
    return good;
}

void trunk_destroy(struct trunk *trunk)
{
    if (!trunk)
        return;
    trunk_boards_free(trunk);
    for (int i = 0; i < trunk->convs; ++i)
        device_free(trunk->weights[i]);
    for (int i = 0; i <= KERNELS_HEADS; ++i) {
        device_free(trunk->head_weights[i]);
        device_free(trunk->head_boards[i]);
    }
    void *const there[] = {trunk->vectors,           trunk->blend,         trunk->pool_weights,
                           trunk->pool_bias,         trunk->staging,       trunk->sums,
                           trunk->dweights,          trunk->head_gradient, trunk->pool_gradient,
                           trunk->pool_bias_gradient};
    for (size_t i = 0; i < sizeof there / sizeof *there; ++i)
        device_free(there[i]);
    void *const here[] = {trunk->host_sums,  trunk->host_vectors, trunk->host_gradient,
                          trunk->host_scale, trunk->host_inverse, trunk->host_mean};
    for (size_t i = 0; i < sizeof here / sizeof *here; ++i)
        free(here[i]);
    free(trunk);
}

static bool trunk_allocate(struct trunk *trunk)
{
    const struct nn_arch *arch = &trunk->model->arch;
    size_t channels = (size_t)arch->channels, blocks = (size_t)arch->blocks + 1;
    size_t wide = channels > (size_t)trunk->padded ? channels : (size_t)trunk->padded;
    size_t largest = 9 * channels * wide, convs = (size_t)trunk->convs;
    size_t heads = (size_t)(2 * arch->policy_channels + arch->value_channels + 1);
    if (largest < heads * channels)
        largest = heads * channels;
    if (largest < 2 * channels * channels)
        largest = 2 * channels * channels;
    bool good = true;
    for (int i = 0; i < trunk->convs && good; ++i) {
        trunk->weights[i] =
            device_block(9 * channels * (size_t)trunk_padded(trunk, i) * trunk->element);
        good = trunk->weights[i];
    }
    for (int i = 0; i <= KERNELS_HEADS; ++i) {
        trunk->head_weights[i] = device_block(heads * channels * sizeof(float));
        good = good && trunk->head_weights[i];
    }
    trunk->vectors = device_block(TRUNK_VECTORS * convs * channels * sizeof(float));
    trunk->blend = device_block(3 * channels * sizeof(float));
    trunk->pool_weights = device_block(blocks * 2 * channels * channels * sizeof(float));
    trunk->pool_bias = device_block(blocks * channels * sizeof(float));
    trunk->pool_gradient = device_block(2 * channels * channels * sizeof(float));
    trunk->pool_bias_gradient = device_block(channels * sizeof(float));
    trunk->staging = device_block(largest * sizeof(float));
    trunk->sums = device_block(2 * KERNELS_CHUNKS * channels * sizeof(double));
    trunk->dweights = device_block(largest * trunk->element);
    trunk->head_gradient = device_block(heads * channels * sizeof(float));
    trunk->host_sums = calloc(2 * KERNELS_CHUNKS * channels, sizeof *trunk->host_sums);
    trunk->host_vectors = calloc(4 * channels, sizeof *trunk->host_vectors);
    trunk->host_gradient = calloc(largest, sizeof *trunk->host_gradient);
    trunk->host_scale = calloc(convs * channels, sizeof *trunk->host_scale);
    trunk->host_inverse = calloc(convs * channels, sizeof *trunk->host_inverse);
    trunk->host_mean = calloc(convs * channels, sizeof *trunk->host_mean);
    return good && trunk->vectors && trunk->blend && trunk->pool_weights && trunk->pool_bias &&
           trunk->pool_gradient && trunk->pool_bias_gradient && trunk->staging && trunk->sums &&
           trunk->dweights && trunk->head_gradient && trunk->host_sums && trunk->host_vectors &&
           trunk->host_gradient && trunk->host_scale && trunk->host_inverse && trunk->host_mean;
}

/* --- weights --- */

bool trunk_load(struct trunk *trunk, const float *weights)
{
    const struct nn_model *model = trunk->model;
    size_t channels = (size_t)model->arch.channels;
    bool good = true;
    for (int i = 0; i < trunk->convs && good; ++i) {
        const struct nn_conv *conv = trunk_conv(model, i);
        size_t rows = 9 * (size_t)conv->out;
        good =
            device_send(trunk->device, trunk->staging, weights + trunk_offset(trunk, conv->weight),
                        rows * (size_t)conv->in * sizeof *weights) &&
            device_send(trunk->device, trunk_vector(trunk, TRUNK_SHIFT, i),
                        weights + trunk_offset(trunk, conv->bias), channels * sizeof *weights);
        if (good)
            kernels_weights(&trunk->kernels, rows, conv->in, trunk_padded(trunk, i), trunk->staging,
                            trunk->weights[i]);
    }
    for (int b = 0; b < model->arch.blocks && good; ++b) {
        const struct nn_dense *dense = &model->blocks[b].pool;
        if (dense->out)
            good =
                device_send(trunk->device,
                            trunk->pool_weights + (size_t)b * 2 * channels * channels,
                            weights + trunk_offset(trunk, dense->weight),
                            2 * channels * channels * sizeof *weights) &&
                device_send(trunk->device, trunk->pool_bias + (size_t)b * channels,
                            weights + trunk_offset(trunk, dense->bias), channels * sizeof *weights);
    }
    return good && device_wait(trunk->device);
}

/* --- forward --- */

static bool trunk_input(struct trunk *trunk, int count, const float *planes)
{
    const struct nn_arch *arch = &trunk->model->arch;
    size_t bytes = (size_t)arch->planes * (size_t)nn_arch_cells(arch) * sizeof *planes;
    size_t empty = (size_t)(trunk->room - count) * bytes;
    bool good = device_send(trunk->device, trunk->planes, planes, (size_t)count * bytes);
    if (good && empty)
        good = device_clear(trunk->device, (char *)trunk->planes + (size_t)count * bytes, empty);
    if (good)
        kernels_planes(&trunk->kernels, arch->planes, trunk->padded, trunk->planes, trunk->input);
    return good;
}

static bool trunk_convolve(struct trunk *trunk, int i, const void *x, void *out)
{
    const struct convolve_run run = {
        .x = x, .weights = trunk->weights[i], .out = out, .workspace = trunk->workspace};
    return convolve_run(i ? &trunk->body : &trunk->stem, trunk->device, CONVOLVE_FORWARD, &run);
}

/* spread = pooled board through the block's dense layer */
static bool trunk_pool(struct trunk *trunk, int block, const void *inner, float *pooled)
{
    int channels = trunk->model->arch.channels;
    size_t size = (size_t)channels * (size_t)channels;
    const struct device_product product = {.rows = trunk->kernels.count,
                                           .n = channels,
                                           .k = 2 * channels,
                                           .transposed = true,
                                           .a = pooled,
                                           .b = trunk->pool_weights + (size_t)block * 2 * size,
                                           .c = trunk->spread};
    kernels_pool(&trunk->kernels, inner, pooled);
    if (!device_product(trunk->device, &product))
        return false;
    kernels_bias(&trunk->kernels, channels, trunk->pool_bias + (size_t)block * (size_t)channels,
                 trunk->spread);
    return true;
}

static int trunk_batch(int count)
{
    int batch = 1;
    while (batch < count)
        batch *= 2;
    return batch;
}

bool trunk_forward(struct trunk *trunk, int count, const float *planes)
{
    const struct nn_model *model = trunk->model;
    struct kernels_finish finish = {.relu = true};
    int batch = trunk_batch(count);
    /* what is there serves smaller batches too, unless they are far smaller */
    if ((batch > trunk->room || batch * 4 <= trunk->room) && !trunk_boards(trunk, batch))
        return false;
    if (!trunk_input(trunk, count, planes) || !trunk_convolve(trunk, 0, trunk->input, trunk->board))
        return false;
    finish.pre = finish.out = trunk->board;
    finish.shift = trunk_vector(trunk, TRUNK_SHIFT, 0);
    kernels_finish(&trunk->kernels, &finish);
    for (int b = 0; b < model->arch.blocks; ++b) {
        int first = 1 + 2 * b, second = 2 + 2 * b;
        bool pool = model->blocks[b].pool.out;
        if (!trunk_convolve(trunk, first, trunk->board, trunk->inner))
            return false;
        finish = (struct kernels_finish){.pre = trunk->inner,
                                         .shift = trunk_vector(trunk, TRUNK_SHIFT, first),
                                         .relu = true,
                                         .out = trunk->inner};
        kernels_finish(&trunk->kernels, &finish);
        if ((pool && !trunk_pool(trunk, b, trunk->inner, trunk->pooled[b])) ||
            !trunk_convolve(trunk, second, trunk->inner, trunk->scratch))
            return false;
        finish = (struct kernels_finish){.pre = trunk->scratch,
                                         .residual = trunk->board,
                                         .shift = trunk_vector(trunk, TRUNK_SHIFT, second),
                                         .spread = pool ? trunk->spread : NULL,
                                         .relu = true,
                                         .out = trunk->board};
        kernels_finish(&trunk->kernels, &finish);
    }
    trunk->step.count = count;
    return true;
}

/* --- heads --- */

static const void *trunk_last(const struct trunk *trunk)
{
    return trunk->learning ? trunk->out[trunk->convs - 1] : trunk->board;
}

static bool trunk_head_room(struct trunk *trunk, int number, size_t size)
{
    if (size <= trunk->head_room[number])
        return true;
    device_free(trunk->head_boards[number]);
    trunk->head_boards[number] = device_block(size * sizeof(float));
    trunk->head_room[number] = trunk->head_boards[number] ? size : 0;
    return trunk->head_boards[number] != NULL;
}

bool trunk_head(struct trunk *trunk, const struct nn_conv *conv, const float *weights, float *out)
{
    size_t cells = (size_t)nn_arch_cells(&trunk->model->arch), wide = (size_t)conv->out;
    size_t size = (size_t)trunk->kernels.count * cells * wide;
    struct kernels_head head = {.outs = conv->out, .weight = trunk->head_weights[KERNELS_HEADS]};
    if (!trunk_head_room(trunk, KERNELS_HEADS, size) ||
        !device_send(trunk->device, trunk->head_weights[KERNELS_HEADS],
                     weights + trunk_offset(trunk, conv->weight),
                     wide * (size_t)conv->in * sizeof *weights))
        return false;
    kernels_head(&trunk->kernels, trunk_last(trunk), &head, trunk->head_boards[KERNELS_HEADS]);
    return device_fetch(trunk->device, out, trunk->head_boards[KERNELS_HEADS],
                        (size_t)trunk->step.count * cells * wide * sizeof *out);
}

/* --- learning: forward --- */

/* Chunk sums of the device, added up: [2][channels] at the front of host_sums. */
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
            sums[kind * channels + c] = all; /* behind what is still to be read */
        }
    return true;
}

/* Mean and deviation of pre become scale and shift of the norm. */
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

static bool trunk_learn_forward(void *ctx, const struct plain_step *step)
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

static void trunk_learn_head(void *ctx, const struct nn_conv *conv, float *out)
{
    struct trunk *trunk = ctx;
    if (!trunk_head(trunk, conv, trunk->step.weights, out))
        trunk->failed = true; /* said by the next call that can */
}

static bool trunk_learn_head_back(void *ctx, const struct nn_conv *conv, const float *dout)
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

/* --- learning: backward --- */

/* What is on the device is added to a tensor on the host. */
static bool trunk_collect(struct trunk *trunk, const float *from, size_t size, float *to)
{
    if (!device_fetch(trunk->device, trunk->host_gradient, from, size * sizeof *from))
        return false;
    for (size_t i = 0; i < size; ++i)
        to[i] += trunk->host_gradient[i];
    return true;
}

/* dy, of layer i's output, is masked by its ReLU; its sums give the gradients of bias and gain, and
 * the norm's way back. */
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

/* The gradient of what convolution i gave, from that of its norm's output; may be in place. */
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
    kernels_spread_back(&trunk->kernels, trunk->board, trunk->spread);
    kernels_bias_back(&trunk->kernels, channels, trunk->spread, trunk->pool_bias_gradient);
    if (!device_outer(trunk->device, count, channels, 2 * channels, trunk->spread,
                      trunk->pooled[block], trunk->pool_gradient) ||
        !device_product(trunk->device, &product))
        return false;
    kernels_pool_back(&trunk->kernels, trunk->out[1 + 2 * block], trunk->pooled[block],
                      trunk->dpooled, trunk->inner);
    return trunk_collect(trunk, trunk->pool_gradient, size,
                         gradients + trunk_offset(trunk, dense->weight)) &&
           trunk_collect(trunk, trunk->pool_bias_gradient, wide,
                         gradients + trunk_offset(trunk, dense->bias));
}

/* board: in, the gradient of the block's output; out, that of its input. */
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

static bool trunk_learn_backward(void *ctx, float *dweights)
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

/* --- opening --- */

enum banyan_status trunk_create(struct trunk **out, const struct device *device,
                                const struct nn_model *model, enum kernels_type type, bool learning,
                                struct banyan_error *err)
{
    const struct nn_arch *arch = &model->arch;
    *out = NULL;
    if (arch->channels % TRUNK_ALIGN)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "CUDA: channels=%d: the backend wants a multiple of %d", arch->channels,
                           TRUNK_ALIGN);
    struct trunk *trunk = calloc(1, sizeof *trunk);
    if (!trunk)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    trunk->device = device;
    trunk->model = model;
    trunk->learning = learning;
    trunk->plain = (struct plain_trunk){trunk, trunk_learn_forward, trunk_learn_head,
                                        trunk_learn_head_back, trunk_learn_backward};
    trunk->convs = 1 + 2 * arch->blocks;
    trunk->padded = (arch->planes + TRUNK_ALIGN - 1) / TRUNK_ALIGN * TRUNK_ALIGN;
    trunk->element = type == KERNELS_FP32 ? sizeof(float) : sizeof(float) / 2;
    trunk->kernels = (struct kernels){.stream = device->stream,
                                      .type = type,
                                      .cells = nn_arch_cells(arch),
                                      .channels = arch->channels};
    if (!trunk_allocate(trunk)) {
        trunk_destroy(trunk);
        return banyan_fail(err, BANYAN_NO_MEMORY, "CUDA: no memory for a network");
    }
    *out = trunk;
    return BANYAN_OK;
}

const struct plain_trunk *trunk_plain(struct trunk *trunk)
{
    return &trunk->plain;
}
