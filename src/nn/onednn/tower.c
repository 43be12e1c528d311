/* The trunk of a training step in bf16 on oneDNN: its primitives and memory. */
#include "nn/onednn/tower_parts.h"

#include <stdlib.h>
#include <string.h>

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

void *slice_block(size_t bytes)
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
                             (struct conv_types){dnnl_bf16, pass != CONV_BACKWARD_DATA}, &plain);
    }
    if (status == dnnl_success)
        status = conv_create(&made->more, slice->work.engine, CONV_FORWARD, &shape,
                             (struct conv_types){dnnl_bf16, true}, &added);
    if (status == dnnl_success &&
        !dnnl_memory_desc_equal(&made->more.weights, &made->made[CONV_FORWARD].weights))
        return false; /* the two primitives must use the same packed weights */
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

/* The number of weights of the largest convolution. */
static size_t tower_widest(const struct tower *tower)
{
    size_t most = 0;
    for (int i = 0; i < tower->convs; ++i) {
        size_t count = tower->model->tensors[tower_conv(tower->model, i)->weight].count;
        most = count > most ? count : most;
    }
    return most;
}

bool slice_make(struct tower *tower, struct slice *slice)
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

/* --- the tower --- */

void tower_destroy(struct tower *tower)
{
    if (!tower)
        return;
    for (int i = 0; tower->slices && i < workers_size(tower->workers); ++i) {
        struct slice *slice = &tower->slices[i];
        slice_empty(tower, slice);
        work_destroy(&slice->work);
        free(slice->gradients);
        free(slice->head_gradients);
        free(slice->ops.space);
    }
    workers_destroy(tower->workers);
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
    tower->slices = calloc((size_t)workers_size(tower->workers), sizeof *tower->slices);
    for (int i = 0; tower->slices && i < workers_size(tower->workers); ++i) {
        struct slice *slice = &tower->slices[i];
        slice->gradients = nn_block_create(tower->size);
        slice->head_gradients = nn_block_create(heads * (size_t)arch->channels);
        slice->ops.kernel = gemm_kernel_best();
        slice->ops.space = aligned_alloc(64, sizeof *slice->ops.space);
        good = good && slice->gradients && slice->head_gradients && slice->ops.space;
    }
    return good && tower->slices;
}

bool tower_serves(const struct nn_model *model)
{
    int channels = model->arch.channels;
    return lanes_here() && channels % LANES == 0 && channels <= LANES_CHANNELS;
}

enum banyan_status tower_create(struct tower **out, const struct nn_model *model, int threads,
                                struct banyan_error *err)
{
    *out = NULL;
    if (!tower_serves(model))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "this network cannot be trained in bf16 on this machine");
    struct tower *tower = calloc(1, sizeof *tower);
    if (!tower)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    tower->model = model;
    tower->convs = 1 + 2 * model->arch.blocks;
    const struct nn_conv *head = model->arch.actions ? &model->policy_conv : &model->value_conv;
    tower->size = model->tensors[head->weight].offset;
    tower->trunk =
        (struct plain_trunk){tower, tower_forward, tower_head, tower_head_back, tower_backward};
    enum banyan_status status = workers_create(&tower->workers, threads > 0 ? threads : 1, err);
    if (status != BANYAN_OK) {
        free(tower);
        return status;
    }
    if (!tower_allocate(tower))
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    for (int i = 0; status == BANYAN_OK && i < workers_size(tower->workers); ++i)
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
