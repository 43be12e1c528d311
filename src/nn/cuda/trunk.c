/* The trunk of a network on a CUDA device: memory, weights, and the forward pass of a search. */
#include "nn/cuda/trunk_parts.h"

#include <stdlib.h>

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

/* Makes boards and convolutions for exactly count positions. */
bool trunk_boards(struct trunk *trunk, int count)
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

bool trunk_input(struct trunk *trunk, int count, const float *planes)
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

bool trunk_convolve(struct trunk *trunk, int i, const void *x, void *out)
{
    const struct convolve_run run = {
        .x = x, .weights = trunk->weights[i], .out = out, .workspace = trunk->workspace};
    return convolve_run(i ? &trunk->body : &trunk->stem, trunk->device, CONVOLVE_FORWARD, &run);
}

bool trunk_pool(struct trunk *trunk, int block, const void *inner, float *pooled)
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
    /* larger boards also serve smaller batches, unless those are far smaller */
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

bool trunk_head_room(struct trunk *trunk, int number, size_t size)
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

/* --- opening --- */

enum banyan_status trunk_create(struct trunk **out, const struct device *device,
                                const struct nn_model *model, enum kernels_type type, bool learning,
                                struct banyan_error *err)
{
    const struct nn_arch *arch = &model->arch;
    *out = NULL;
    if (arch->channels % TRUNK_ALIGN)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "CUDA: channels=%d: the backend needs a multiple of %d", arch->channels,
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
