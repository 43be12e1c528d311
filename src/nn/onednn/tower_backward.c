/* The backward pass of the bf16 trunk, and the sums over all slices. */
#include "nn/onednn/tower_parts.h"

#include <string.h>

/* Uses the sums of a masked gradient: they give the gradients of bias and gain, and the factors of
 * the norm's backward pass. */
static void tower_norm_back(struct tower *tower, int i)
{
    const struct nn_conv *conv = tower_conv(tower->model, i);
    size_t channels = (size_t)conv->out, at = (size_t)i * channels;
    double rows = (double)tower->count * nn_arch_cells(&tower->model->arch);
    for (size_t c = 0; c < channels; ++c) {
        double sum = 0, product = 0;
        for (int s = 0; s < workers_size(tower->workers); ++s) {
            sum += tower->slices[s].convs[i].sum[c];
            product += tower->slices[s].convs[i].second[c];
        }
        tower->gradients[tower_offset(tower, conv->bias) + c] = (float)sum;
        if (!tower_batch_norm(tower))
            continue;
        tower->gradients[tower_offset(tower, conv->gain) + c] = (float)product;
        double scale = (double)tower->scale[at + c], inverse = (double)tower->inverse[at + c];
        double b = -scale * product / rows * inverse;
        tower->blend[0][c] = (float)scale;
        tower->blend[1][c] = (float)b;
        tower->blend[2][c] = (float)(-scale * sum / rows - b * (double)tower->mean[at + c]);
    }
}

/* Masks dy, the gradient of layer i's output, by its ReLU, and computes its sums. */
static void slice_layer_mask(struct tower *tower, int number, int i, lanes_half *dy)
{
    struct slice *slice = &tower->slices[number];
    struct tower_conv *conv = &slice->convs[i];
    struct lanes_board board = tower_board(tower, slice);
    size_t at = (size_t)i * (size_t)board.channels;
    bool norm = tower_batch_norm(tower);
    struct lanes_mask mask = {conv->out.high,
                              norm ? conv->pre : NULL,
                              tower->mean + at,
                              tower->inverse + at,
                              dy,
                              conv->sum,
                              conv->second};
    memset(conv->sum, 0, sizeof conv->sum);
    memset(conv->second, 0, sizeof conv->second);
    lanes_mask(&board, &mask);
}

/* Returns the gradient of the convolution's output: with a batch norm dpre, which may be dy;
 * without one, dy itself. */
static const lanes_half *slice_layer_norm(struct tower *tower, int number, int i,
                                          const lanes_half *dy, lanes_half *dpre)
{
    struct slice *slice = &tower->slices[number];
    struct lanes_board board = tower_board(tower, slice);
    if (!tower_batch_norm(tower))
        return dy; /* gradients of biases are summed at the end */
    workers_wait(tower->workers);
    if (number == 0)
        tower_norm_back(tower, i);
    workers_wait(tower->workers);
    struct lanes_blend blend = {
        dy, slice->convs[i].pre, tower->blend[0], tower->blend[1], tower->blend[2], dpre};
    lanes_blend(&board, &blend);
    return dpre;
}

static void slice_layer_back(struct tower *tower, struct slice *slice, int i, const lanes_half *x,
                             const lanes_half *dpre, lanes_half *dx)
{
    struct tower_conv *conv = &slice->convs[i];
    const struct nn_conv *what = tower_conv(tower->model, i);
    struct conv_shape shape = slice_shape(tower, slice, i);
    dnnl_memory_desc_t in = conv_board(&shape, shape.in, dnnl_bf16);
    dnnl_memory_desc_t out = conv_board(&shape, shape.out, dnnl_bf16);
    const struct work_argument weights[] = {
        {DNNL_ARG_SRC, in, (void *)x},
        {DNNL_ARG_DIFF_DST, out, (void *)dpre},
        {DNNL_ARG_DIFF_WEIGHTS, conv->made[CONV_BACKWARD_WEIGHTS].weights, conv->packed_gradients}};
    const struct work_argument data[] = {
        {DNNL_ARG_DIFF_DST, out, (void *)dpre},
        {DNNL_ARG_WEIGHTS, conv->made[CONV_BACKWARD_DATA].weights, conv->data_packed},
        {DNNL_ARG_DIFF_SRC, in, dx}};
    if (slice->failed || !slice->count)
        return;
    slice->failed =
        work_run(&slice->work, conv->made[CONV_BACKWARD_WEIGHTS].primitive, weights, 3) !=
            dnnl_success ||
        reorder_run(&conv->gradients, &slice->work, conv->packed_gradients,
                    slice->gradients + tower_offset(tower, what->weight)) != dnnl_success ||
        (dx &&
         work_run(&slice->work, conv->made[CONV_BACKWARD_DATA].primitive, data, 3) != dnnl_success);
}

static void slice_pool_back(struct tower *tower, struct slice *slice, int block)
{
    const struct nn_dense *dense = &tower->model->blocks[block].pool;
    struct lanes_board board = tower_board(tower, slice);
    struct ops_dense shape = {board.count, dense->in, dense->out};
    lanes_spread_back(&board, slice->dtrunk, slice->spread);
    ops_dense_backward(
        &slice->ops, &shape, slice->pooled[block],
        tower->weights + tower_offset(tower, dense->weight),
        &(struct ops_back){.dy = slice->spread,
                           .dx = slice->dpooled,
                           .dweight = slice->gradients + tower_offset(tower, dense->weight),
                           .dbias = slice->gradients + tower_offset(tower, dense->bias)});
    lanes_pool_back(&board, &slice->convs[1 + 2 * block].out, slice->pooled[block], slice->dpooled,
                    slice->dinner);
}

static void slice_block_back(struct tower *tower, int number, int b)
{
    struct slice *slice = &tower->slices[number];
    struct lanes_board board = tower_board(tower, slice);
    int first = 1 + 2 * b, second = 2 + 2 * b;
    slice_layer_mask(tower, number, second, slice->dtrunk);
    const lanes_half *dpre = slice_layer_norm(tower, number, second, slice->dtrunk, slice->dspare);
    slice_layer_back(tower, slice, second, slice->convs[first].out.high, dpre, slice->dinner);
    if (tower->model->blocks[b].pool.out)
        slice_pool_back(tower, slice, b);
    slice_layer_mask(tower, number, first, slice->dinner);
    dpre = slice_layer_norm(tower, number, first, slice->dinner, slice->dinner);
    slice_layer_back(tower, slice, first, slice->convs[2 * b].out.high, dpre, slice->dspare);
    lanes_add(&board, slice->dspare, slice->dtrunk);
}

static void slice_backward(void *ctx, int number)
{
    struct tower *tower = ctx;
    struct slice *slice = &tower->slices[number];
    struct lanes_board board = tower_board(tower, slice);
    struct lanes_head heads[TOWER_HEADS];
    float *gradient = slice->head_gradients;
    work_begin(&slice->work);
    memset(slice->gradients, 0, tower->size * sizeof *slice->gradients);
    for (int i = 0; i < tower->head_count; ++i) {
        size_t size = (size_t)tower->heads[i].outs * (size_t)board.channels;
        heads[i] = slice_head(tower, slice, &tower->heads[i]);
        memset(gradient, 0, size * sizeof *gradient);
        lanes_head_weights(&board, slice_trunk(tower, slice)->high, &heads[i], gradient);
        gradient += size;
    }
    lanes_heads_back(&board, heads, tower->head_count, slice->dtrunk);
    for (int b = tower->model->arch.blocks - 1; b >= 0; --b)
        slice_block_back(tower, number, b);
    slice_layer_mask(tower, number, 0, slice->dtrunk);
    const lanes_half *dpre = slice_layer_norm(tower, number, 0, slice->dtrunk, slice->dtrunk);
    slice_layer_back(tower, slice, 0, slice->input.high, dpre, NULL);
}

static void tower_add(size_t n, const float *from, float *to)
{
    for (size_t i = 0; i < n; ++i)
        to[i] += from[i];
}

static void tower_add_tensor(const struct tower *tower, const struct slice *slice, int tensor,
                             float *to)
{
    size_t at = tower_offset(tower, tensor);
    tower_add(tower->model->tensors[tensor].count, slice->gradients + at, to + at);
}

/* Adds the gradients of all slices. */
static void tower_collect(struct tower *tower, float *dweights)
{
    size_t channels = (size_t)tower->model->arch.channels;
    for (int s = 0; s < workers_size(tower->workers); ++s) {
        const struct slice *slice = &tower->slices[s];
        const float *head = slice->head_gradients;
        for (int i = 0; i < tower->convs; ++i)
            tower_add_tensor(tower, slice, tower_conv(tower->model, i)->weight, dweights);
        for (int b = 0; b < tower->model->arch.blocks; ++b)
            if (tower->model->blocks[b].pool.out) {
                tower_add_tensor(tower, slice, tower->model->blocks[b].pool.weight,
                                 tower->gradients);
                tower_add_tensor(tower, slice, tower->model->blocks[b].pool.bias, tower->gradients);
            }
        for (int i = 0; i < tower->head_count; ++i) {
            size_t size = (size_t)tower->heads[i].outs * channels;
            const struct nn_conv *conv = tower->head_convs[i];
            tower_add(size, head,
                      (conv->norm == NN_NORM_WEIGHT ? dweights : tower->gradients) +
                          tower_offset(tower, conv->weight));
            head += size;
        }
    }
}

bool tower_backward(void *ctx, float *dweights)
{
    struct tower *tower = ctx;
    workers_run(tower->workers, slice_backward, tower);
    if (!tower_batch_norm(tower))
        for (int i = 0; i < tower->convs; ++i)
            tower_norm_back(tower, i);
    tower_collect(tower, dweights);
    return !tower_failed(tower);
}
