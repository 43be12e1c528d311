/* The forward pass of the bf16 trunk: convolutions of pairs, norms over all slices, pools; then the
 * heads. */
#include "nn/onednn/tower_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool slice_conv(struct slice *slice, struct tower_conv *conv, const struct conv_shape *shape,
                       const struct lanes_pair *x)
{
    const struct {
        const struct conv *made;
        const void *x, *weights;
    } parts[] = {{&conv->made[CONV_FORWARD], x->high, conv->packed},
                 {&conv->more, x->low, conv->packed},
                 {&conv->more, x->high, conv->packed_low}};
    for (int i = 0; i < 3; ++i) {
        const struct work_argument arguments[] = {
            {DNNL_ARG_SRC, conv_board(shape, shape->in, dnnl_bf16), (void *)parts[i].x},
            {DNNL_ARG_WEIGHTS, parts[i].made->weights, (void *)parts[i].weights},
            {DNNL_ARG_DST, conv_board(shape, shape->out, dnnl_f32), conv->pre}};
        if (work_run(&slice->work, parts[i].made->primitive, arguments, 3) != dnnl_success)
            return false;
    }
    return true;
}

/* Computes mean and deviation of every channel over all slices; called by one thread. */
static void tower_norm(struct tower *tower, int i)
{
    const struct nn_conv *conv = tower_conv(tower->model, i);
    size_t channels = (size_t)conv->out, at = (size_t)i * channels;
    double rows = (double)tower->count * nn_arch_cells(&tower->model->arch);
    for (size_t c = 0; c < channels; ++c) {
        double sum = 0, square = 0;
        for (int s = 0; s < workers_size(tower->workers); ++s) {
            sum += tower->slices[s].convs[i].sum[c];
            square += tower->slices[s].convs[i].second[c];
        }
        double mean = sum / rows, variance = square / rows - mean * mean;
        variance = variance > 0 ? variance : 0;
        double inverse = 1 / sqrt(variance + (double)OPS_NORM_EPSILON);
        float gain = tower->params[tower_offset(tower, conv->gain) + c];
        float bias = tower->params[tower_offset(tower, conv->bias) + c];
        tower->mean[at + c] = (float)mean;
        tower->inverse[at + c] = (float)inverse;
        tower->scale[at + c] = gain * (float)inverse;
        tower->shift[at + c] = bias - (float)mean * gain * (float)inverse;
        tower->gradients[tower_offset(tower, conv->mean) + c] = (float)mean;
        tower->gradients[tower_offset(tower, conv->variance) + c] = (float)variance;
    }
}

/* Convolution i of x with its norm, and the terms added before the ReLU. */
static void slice_layer(struct tower *tower, int number, int i, const struct lanes_pair *x,
                        const struct lanes_pair *residual, const float *spread)
{
    struct slice *slice = &tower->slices[number];
    struct tower_conv *conv = &slice->convs[i];
    const struct nn_conv *what = tower_conv(tower->model, i);
    struct lanes_board board = tower_board(tower, slice);
    struct conv_shape shape = slice_shape(tower, slice, i);
    struct lanes_finish finish = {
        .pre = conv->pre, .residual = residual, .spread = spread, .relu = true, .out = conv->out};
    if (slice->count && !slice->failed)
        slice->failed = !slice_conv(slice, conv, &shape, x);
    if (tower_batch_norm(tower)) {
        size_t at = (size_t)i * (size_t)what->out;
        memset(conv->sum, 0, sizeof conv->sum);
        memset(conv->second, 0, sizeof conv->second);
        lanes_sums(&board, conv->pre, conv->sum, conv->second);
        workers_wait(tower->workers);
        if (number == 0)
            tower_norm(tower, i);
        workers_wait(tower->workers);
        finish.scale = tower->scale + at;
        finish.shift = tower->shift + at;
    } else
        finish.shift = tower->weights + tower_offset(tower, what->bias);
    lanes_finish(&board, &finish);
}

static void slice_pool(struct tower *tower, struct slice *slice, int block)
{
    const struct nn_dense *dense = &tower->model->blocks[block].pool;
    struct lanes_board board = tower_board(tower, slice);
    struct ops_dense shape = {board.count, dense->in, dense->out};
    lanes_pool(&board, &slice->convs[1 + 2 * block].out, slice->pooled[block]);
    ops_dense_forward(&slice->ops, &shape, slice->pooled[block],
                      tower->weights + tower_offset(tower, dense->weight),
                      tower->weights + tower_offset(tower, dense->bias), slice->spread);
}

static void slice_pack(struct tower *tower, struct slice *slice)
{
    for (int i = 0; i < tower->convs && slice->count && !slice->failed; ++i) {
        struct tower_conv *conv = &slice->convs[i];
        const float *weight =
            tower->weights + tower_offset(tower, tower_conv(tower->model, i)->weight);
        lanes_rest(tower->model->tensors[tower_conv(tower->model, i)->weight].count, weight,
                   slice->rest);
        slice->failed = reorder_run(&conv->forward_weights, &slice->work, weight, conv->packed) !=
                            dnnl_success ||
                        reorder_run(&conv->forward_weights, &slice->work, slice->rest,
                                    conv->packed_low) != dnnl_success ||
                        (i && reorder_run(&conv->data_weights, &slice->work, weight,
                                          conv->data_packed) != dnnl_success);
    }
}

static void slice_forward(void *ctx, int number)
{
    struct tower *tower = ctx;
    struct slice *slice = &tower->slices[number];
    const struct nn_model *model = tower->model;
    const struct nn_arch *arch = &model->arch;
    size_t planes = (size_t)nn_arch_cells(arch) * (size_t)arch->planes;
    work_begin(&slice->work);
    slice->failed = slice->made != slice->count && !slice_make(tower, slice);
    slice_pack(tower, slice);
    if (!slice->failed) {
        nn_planes_last(arch, slice->count, tower->planes + (size_t)slice->first * planes,
                       slice->nhwc);
        lanes_split((size_t)slice->count * planes, slice->nhwc, &slice->input);
    }
    /* a slice that failed continues, because the other threads wait for it at every norm */
    slice_layer(tower, number, 0, &slice->input, NULL, NULL);
    for (int b = 0; b < arch->blocks; ++b) {
        const struct lanes_pair *x = &slice->convs[2 * b].out;
        slice_layer(tower, number, 1 + 2 * b, x, NULL, NULL);
        if (model->blocks[b].pool.out)
            slice_pool(tower, slice, b);
        slice_layer(tower, number, 2 + 2 * b, &slice->convs[1 + 2 * b].out, x,
                    model->blocks[b].pool.out ? slice->spread : NULL);
    }
}

bool tower_forward(void *ctx, const struct plain_step *step)
{
    struct tower *tower = ctx;
    int size = workers_size(tower->workers);
    tower->count = step->count;
    tower->planes = step->planes;
    tower->weights = step->weights;
    tower->params = step->params;
    tower->gradients = step->gradients;
    tower->head_count = 0;
    for (int i = 0; i < size; ++i) {
        struct slice *slice = &tower->slices[i];
        slice->first = (int)((int64_t)step->count * i / size);
        slice->count = (int)((int64_t)step->count * (i + 1) / size) - slice->first;
    }
    workers_run(tower->workers, slice_forward, tower);
    return !tower_failed(tower);
}

/* --- heads --- */

static void slice_head_forward(void *ctx, int number)
{
    struct tower *tower = ctx;
    struct slice *slice = &tower->slices[number];
    struct lanes_board board = tower_board(tower, slice);
    struct lanes_head head = slice_head(tower, slice, &tower->heads[TOWER_HEADS - 1]);
    lanes_head(&board, slice_trunk(tower, slice), &head);
}

void tower_head(void *ctx, const struct nn_conv *conv, float *out)
{
    struct tower *tower = ctx;
    tower->heads[TOWER_HEADS - 1] = (struct lanes_head){
        conv->out, tower->weights + tower_offset(tower, conv->weight), out, NULL};
    workers_run(tower->workers, slice_head_forward, tower);
}

bool tower_head_back(void *ctx, const struct nn_conv *conv, const float *dout)
{
    struct tower *tower = ctx;
    int number = tower->head_count;
    size_t size =
        (size_t)tower->count * (size_t)nn_arch_cells(&tower->model->arch) * (size_t)conv->out;
    if (size > tower->dout_room[number]) {
        free(tower->douts[number]);
        tower->douts[number] = slice_block(size * sizeof *dout);
        tower->dout_room[number] = tower->douts[number] ? size : 0;
    }
    if (!tower->douts[number])
        return false;
    memcpy(tower->douts[number], dout, size * sizeof *dout);
    tower->heads[number] = (struct lanes_head){
        conv->out, tower->weights + tower_offset(tower, conv->weight), NULL, tower->douts[number]};
    tower->head_convs[tower->head_count++] = conv;
    return true;
}
