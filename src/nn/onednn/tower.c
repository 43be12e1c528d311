#include "nn/onednn/tower.h"

#include "nn/onednn/crew.h"
#include "nn/onednn/lanes.h"
#include "nn/onednn/work.h"
#include "nn/ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOWER_CONVS = 1 + 2 * NN_MAX_BLOCKS, TOWER_HEADS = 3 };

/* One convolution of a slice. */
struct tower_conv {
    struct conv made[3]; /* by enum conv_pass */
    struct conv more;    /* forward, added to what is there */
    struct reorder forward_weights, data_weights, gradients;
    void *packed, *packed_low, *data_packed, *packed_gradients; /* in the kernels' layouts */
    float *pre; /* a board; the slice's own where no batch norm wants it again */
    struct lanes_pair out;
    double sum[LANES_CHANNELS], second[LANES_CHANNELS]; /* of this slice, for norms and biases */
};

struct slice {
    int first, count; /* positions of the lesson */
    struct work work;
    struct ops ops; /* products of the pools' dense layers */
    struct tower_conv convs[TOWER_CONVS];
    int made; /* positions that the primitives are for; 0: none */
    float *nhwc, *pre;
    float *rest; /* of one convolution's weights, what their high halves leave */
    struct lanes_pair input;
    lanes_half *dtrunk, *dinner, *dspare;
    float *pooled[NN_MAX_BLOCKS], *spread, *dpooled; /* [count][2 channels], [count][channels] */
    float *gradients;                                /* [trunk] as in the block of parameters */
    float *head_gradients;                           /* [largest head] */
    bool failed;
};

/* What the threads are doing. */
struct tower {
    const struct nn_model *model;
    struct plain_trunk trunk;
    struct crew *crew;
    struct slice *slices; /* one for each thread */
    int convs;            /* of the trunk */
    size_t size;          /* of the trunk's parameters, which come first */
    int widest_head;
    int count;
    const float *planes, *weights, *params;
    float *gradients;
    /* norms of this step, all slices together: [convs][channels] */
    float *mean, *inverse, *scale, *shift, *blend[3];
    /* gradients of the heads, kept until all are there */
    struct lanes_head heads[TOWER_HEADS];
    const struct nn_conv *head_convs[TOWER_HEADS];
    float *douts[TOWER_HEADS];
    size_t dout_room[TOWER_HEADS];
    int head_count;
};

static const struct nn_conv *tower_conv(const struct nn_model *model, int i)
{
    const struct nn_block *block = &model->blocks[(i - 1) / 2];
    return i == 0 ? &model->stem : i % 2 ? &block->first : &block->second;
}

static struct lanes_board tower_board(const struct tower *tower, const struct slice *slice)
{
    const struct nn_arch *arch = &tower->model->arch;
    /* a slice that failed has no boards: it only keeps step with the others */
    return (struct lanes_board){slice->failed ? 0 : slice->count, nn_arch_cells(arch),
                                arch->channels};
}

static size_t tower_offset(const struct tower *tower, int tensor)
{
    return tower->model->tensors[tensor].offset;
}

static bool tower_batch_norm(const struct tower *tower)
{
    return tower->model->arch.norm == NN_NORM_BATCH;
}

/* --- making and unmaking --- */

static void tower_conv_destroy(struct tower_conv *conv, bool own_pre)
{
    for (int pass = 0; pass < 3; ++pass)
        conv_destroy(&conv->made[pass]);
    conv_destroy(&conv->more);
    reorder_destroy(&conv->forward_weights);
    reorder_destroy(&conv->data_weights);
    reorder_destroy(&conv->gradients);
    void *const blocks[] = {conv->packed,           conv->packed_low, conv->data_packed,
                            conv->packed_gradients, conv->out.high,   conv->out.low};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        free(blocks[i]);
    if (own_pre)
        free(conv->pre);
    memset(conv, 0, sizeof *conv);
}

static void slice_empty(struct tower *tower, struct slice *slice)
{
    for (int i = 0; i < tower->convs; ++i)
        tower_conv_destroy(&slice->convs[i], tower_batch_norm(tower));
    for (int i = 0; i < tower->model->arch.blocks; ++i) {
        free(slice->pooled[i]);
        slice->pooled[i] = NULL;
    }
    void **const blocks[] = {(void **)&slice->nhwc,   (void **)&slice->input.high,
                             (void **)&slice->pre,    (void **)&slice->input.low,
                             (void **)&slice->rest,   (void **)&slice->dtrunk,
                             (void **)&slice->dinner, (void **)&slice->dspare,
                             (void **)&slice->spread, (void **)&slice->dpooled};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        free(*blocks[i]);
        *blocks[i] = NULL;
    }
    slice->made = 0;
}

static void *slice_block(size_t bytes)
{
    return aligned_alloc(64, (bytes + 63) & ~(size_t)63);
}

static bool slice_pair(struct lanes_pair *pair, size_t size)
{
    pair->high = slice_block(size * sizeof *pair->high);
    pair->low = slice_block(size * sizeof *pair->low);
    return pair->high && pair->low;
}

static bool tower_conv_make(const struct tower *tower, struct slice *slice, int i)
{
    const struct nn_model *model = tower->model;
    const struct nn_arch *arch = &model->arch;
    const struct nn_conv *conv = tower_conv(model, i);
    const struct conv_extra plain = {.training = true};
    const struct conv_extra added = {.training = true, .sum = true};
    struct conv_shape shape = {slice->count, arch->height, arch->width, conv->in,
                               conv->out,    conv->kernel, false};
    struct tower_conv *made = &slice->convs[i];
    size_t rows = (size_t)slice->count * (size_t)nn_arch_cells(arch);
    dnnl_memory_desc_t file = conv_file_weights(&shape);
    dnnl_status_t status = dnnl_success;
    for (int pass = 0; pass < 3 && status == dnnl_success; ++pass) {
        if (i == 0 && pass == CONV_BACKWARD_DATA)
            continue;
        status = conv_create(&made->made[pass], slice->work.engine, (enum conv_pass)pass, &shape,
                             dnnl_bf16, pass != CONV_BACKWARD_DATA, &plain);
    }
    if (status == dnnl_success)
        status = conv_create(&made->more, slice->work.engine, CONV_FORWARD, &shape, dnnl_bf16, true,
                             &added);
    if (status == dnnl_success &&
        !dnnl_memory_desc_equal(&made->more.weights, &made->made[CONV_FORWARD].weights))
        return false; /* both read the same packed weights */
    if (status == dnnl_success)
        status = reorder_create(&made->forward_weights, &slice->work, &file,
                                &made->made[CONV_FORWARD].weights);
    if (status == dnnl_success && i > 0)
        status = reorder_create(&made->data_weights, &slice->work, &file,
                                &made->made[CONV_BACKWARD_DATA].weights);
    if (status == dnnl_success)
        status = reorder_create(&made->gradients, &slice->work,
                                &made->made[CONV_BACKWARD_WEIGHTS].weights, &file);
    if (status != dnnl_success)
        return false;
    made->packed = slice_block(dnnl_memory_desc_get_size(&made->made[CONV_FORWARD].weights));
    made->packed_low = slice_block(dnnl_memory_desc_get_size(&made->made[CONV_FORWARD].weights));
    made->data_packed =
        i ? slice_block(dnnl_memory_desc_get_size(&made->made[CONV_BACKWARD_DATA].weights)) : NULL;
    made->packed_gradients =
        slice_block(dnnl_memory_desc_get_size(&made->made[CONV_BACKWARD_WEIGHTS].weights));
    made->pre = slice->pre;
    if (tower_batch_norm(tower))
        made->pre = slice_block(rows * (size_t)conv->out * sizeof *made->pre);
    return slice_pair(&made->out, rows * (size_t)conv->out) && made->packed && made->packed_low &&
           (made->data_packed || i == 0) && made->packed_gradients && made->pre;
}

/* Weights of the largest convolution. */
static size_t tower_widest(const struct tower *tower)
{
    size_t most = 0;
    for (int i = 0; i < tower->convs; ++i) {
        size_t count = tower->model->tensors[tower_conv(tower->model, i)->weight].count;
        most = count > most ? count : most;
    }
    return most;
}

/* Primitives and boards for slice->count positions. */
static bool slice_make(struct tower *tower, struct slice *slice)
{
    const struct nn_arch *arch = &tower->model->arch;
    size_t count = (size_t)slice->count, cells = (size_t)nn_arch_cells(arch), rows = count * cells;
    size_t channels = (size_t)arch->channels, board = rows * channels * sizeof(lanes_half);
    slice_empty(tower, slice);
    slice->pre = tower_batch_norm(tower) ? NULL : slice_block(rows * channels * sizeof *slice->pre);
    slice->rest = slice_block(tower_widest(tower) * sizeof *slice->rest);
    bool good = slice->rest && (slice->pre || tower_batch_norm(tower));
    for (int i = 0; i < tower->convs && good; ++i)
        good = tower_conv_make(tower, slice, i);
    for (int i = 0; i < arch->blocks && good; ++i)
        if (tower->model->blocks[i].pool.out) {
            slice->pooled[i] = slice_block(count * 2 * channels * sizeof(float));
            good = slice->pooled[i];
        }
    slice->nhwc = slice_block(rows * (size_t)arch->planes * sizeof(float));
    good = slice_pair(&slice->input, rows * (size_t)arch->planes) && good;
    slice->dtrunk = slice_block(board);
    slice->dinner = slice_block(board);
    slice->dspare = slice_block(board);
    slice->spread = slice_block(count * channels * sizeof(float));
    slice->dpooled = slice_block(count * 2 * channels * sizeof(float));
    good = good && slice->nhwc && slice->dtrunk && slice->dinner && slice->dspare &&
           slice->spread && slice->dpooled;
    slice->made = good ? slice->count : 0;
    return good;
}

/* --- forward --- */

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

static struct conv_shape slice_shape(const struct tower *tower, const struct slice *slice, int i)
{
    const struct nn_arch *arch = &tower->model->arch;
    const struct nn_conv *conv = tower_conv(tower->model, i);
    return (struct conv_shape){slice->count, arch->height, arch->width, conv->in,
                               conv->out,    conv->kernel, false};
}

/* Mean and deviation of every channel over all slices; by one thread. */
static void tower_norm(struct tower *tower, int i)
{
    const struct nn_conv *conv = tower_conv(tower->model, i);
    size_t channels = (size_t)conv->out, at = (size_t)i * channels;
    double rows = (double)tower->count * nn_arch_cells(&tower->model->arch);
    for (size_t c = 0; c < channels; ++c) {
        double sum = 0, square = 0;
        for (int s = 0; s < crew_size(tower->crew); ++s) {
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

/* Convolution i of x with its norm, and what is added before the ReLU. */
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
        crew_wait(tower->crew);
        if (number == 0)
            tower_norm(tower, i);
        crew_wait(tower->crew);
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
    /* a slice that failed goes on: the others wait for it at every norm */
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

static bool tower_failed(const struct tower *tower)
{
    for (int i = 0; i < crew_size(tower->crew); ++i)
        if (tower->slices[i].failed)
            return true;
    return false;
}

static bool tower_forward(void *ctx, const struct plain_step *step)
{
    struct tower *tower = ctx;
    int size = crew_size(tower->crew);
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
    crew_run(tower->crew, slice_forward, tower);
    return !tower_failed(tower);
}

/* --- heads --- */

/* The slice's part of a head's board. */
static struct lanes_head slice_head(const struct tower *tower, const struct slice *slice,
                                    const struct lanes_head *head)
{
    size_t at =
        (size_t)slice->first * (size_t)nn_arch_cells(&tower->model->arch) * (size_t)head->outs;
    return (struct lanes_head){head->outs, head->weight, head->out ? head->out + at : NULL,
                               head->dout ? head->dout + at : NULL};
}

static const struct lanes_pair *slice_trunk(const struct tower *tower, const struct slice *slice)
{
    return &slice->convs[tower->convs - 1].out;
}

static void slice_head_forward(void *ctx, int number)
{
    struct tower *tower = ctx;
    struct slice *slice = &tower->slices[number];
    struct lanes_board board = tower_board(tower, slice);
    struct lanes_head head = slice_head(tower, slice, &tower->heads[TOWER_HEADS - 1]);
    lanes_head(&board, slice_trunk(tower, slice), &head);
}

static void tower_head(void *ctx, const struct nn_conv *conv, float *out)
{
    struct tower *tower = ctx;
    tower->heads[TOWER_HEADS - 1] = (struct lanes_head){
        conv->out, tower->weights + tower_offset(tower, conv->weight), out, NULL};
    crew_run(tower->crew, slice_head_forward, tower);
}

static bool tower_head_back(void *ctx, const struct nn_conv *conv, const float *dout)
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

/* --- backward --- */

/* Sums of a masked gradient become those of bias and gain, and how the norm hands it back. */
static void tower_norm_back(struct tower *tower, int i)
{
    const struct nn_conv *conv = tower_conv(tower->model, i);
    size_t channels = (size_t)conv->out, at = (size_t)i * channels;
    double rows = (double)tower->count * nn_arch_cells(&tower->model->arch);
    for (size_t c = 0; c < channels; ++c) {
        double sum = 0, product = 0;
        for (int s = 0; s < crew_size(tower->crew); ++s) {
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

/* dy, of layer i's output, is masked by its ReLU; then the gradient of what its convolution gave is
 * written to dpre, which may be dy. */
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

static const lanes_half *slice_layer_norm(struct tower *tower, int number, int i,
                                          const lanes_half *dy, lanes_half *dpre)
{
    struct slice *slice = &tower->slices[number];
    struct lanes_board board = tower_board(tower, slice);
    if (!tower_batch_norm(tower))
        return dy; /* biases are summed up at the end */
    crew_wait(tower->crew);
    if (number == 0)
        tower_norm_back(tower, i);
    crew_wait(tower->crew);
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
    ops_dense_backward(&slice->ops, &shape, slice->pooled[block],
                       tower->weights + tower_offset(tower, dense->weight), slice->spread,
                       slice->dpooled, slice->gradients + tower_offset(tower, dense->weight),
                       slice->gradients + tower_offset(tower, dense->bias));
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

/* Adds what the slices found. */
static void tower_collect(struct tower *tower, float *dweights)
{
    size_t channels = (size_t)tower->model->arch.channels;
    for (int s = 0; s < crew_size(tower->crew); ++s) {
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

static bool tower_backward(void *ctx, float *dweights)
{
    struct tower *tower = ctx;
    crew_run(tower->crew, slice_backward, tower);
    if (!tower_batch_norm(tower))
        for (int i = 0; i < tower->convs; ++i)
            tower_norm_back(tower, i);
    tower_collect(tower, dweights);
    return !tower_failed(tower);
}

/* --- the tower --- */

void tower_destroy(struct tower *tower)
{
    if (!tower)
        return;
    for (int i = 0; tower->slices && i < crew_size(tower->crew); ++i) {
        struct slice *slice = &tower->slices[i];
        slice_empty(tower, slice);
        work_destroy(&slice->work);
        free(slice->gradients);
        free(slice->head_gradients);
        free(slice->ops.space);
    }
    crew_destroy(tower->crew);
    void *const blocks[] = {tower->mean,     tower->inverse,  tower->scale,    tower->shift,
                            tower->blend[0], tower->blend[1], tower->blend[2], tower->douts[0],
                            tower->douts[1], tower->douts[2], tower->slices};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        free(blocks[i]);
    free(tower);
}

static bool tower_allocate(struct tower *tower)
{
    const struct nn_arch *arch = &tower->model->arch;
    size_t all = (size_t)tower->convs * (size_t)arch->channels;
    size_t heads = (size_t)(2 * arch->policy_channels + arch->value_channels + 1);
    float **const blocks[] = {&tower->mean,     &tower->inverse,  &tower->scale,   &tower->shift,
                              &tower->blend[0], &tower->blend[1], &tower->blend[2]};
    bool good = true;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        *blocks[i] = nn_block_create(all);
        good = good && *blocks[i];
    }
    tower->slices = calloc((size_t)crew_size(tower->crew), sizeof *tower->slices);
    for (int i = 0; tower->slices && i < crew_size(tower->crew); ++i) {
        struct slice *slice = &tower->slices[i];
        slice->gradients = nn_block_create(tower->size);
        slice->head_gradients = nn_block_create(heads * (size_t)arch->channels);
        slice->ops.kernel = gemm_kernel_best();
        slice->ops.space = aligned_alloc(64, sizeof *slice->ops.space);
        good = good && slice->gradients && slice->head_gradients && slice->ops.space;
    }
    return good && tower->slices;
}

enum banyan_status tower_create(struct tower **out, const struct nn_model *model, int threads,
                                struct banyan_error *err)
{
    const struct nn_arch *arch = &model->arch;
    *out = NULL;
    if (!lanes_here() || arch->channels % LANES || arch->channels > LANES_CHANNELS)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "no bf16 training step for this network here");
    struct tower *tower = calloc(1, sizeof *tower);
    if (!tower)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    tower->model = model;
    tower->convs = 1 + 2 * arch->blocks;
    const struct nn_conv *head = arch->actions ? &model->policy_conv : &model->value_conv;
    tower->size = model->tensors[head->weight].offset;
    tower->trunk =
        (struct plain_trunk){tower, tower_forward, tower_head, tower_head_back, tower_backward};
    enum banyan_status status = crew_create(&tower->crew, threads > 0 ? threads : 1, err);
    if (status != BANYAN_OK) {
        free(tower);
        return status;
    }
    if (!tower_allocate(tower))
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    for (int i = 0; status == BANYAN_OK && i < crew_size(tower->crew); ++i)
        status = work_create(&tower->slices[i].work, 1, err);
    if (status != BANYAN_OK) {
        tower_destroy(tower);
        return status;
    }
    *out = tower;
    return BANYAN_OK;
}

const struct plain_trunk *tower_trunk(const struct tower *tower)
{
    return &tower->trunk;
}
