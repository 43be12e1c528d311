/* The primitives of a search and their weights, for each batch size. */
#include "nn/onednn/plans.h"

#include "nn/backend.h"

#include <stdlib.h>
#include <string.h>

static const struct nn_conv *plans_conv(const struct nn_model *model, int i)
{
    int blocks = 2 * model->arch.blocks;
    if (i == 0)
        return &model->stem;
    if (i <= blocks)
        return (i - 1) % 2 ? &model->blocks[(i - 1) / 2].second : &model->blocks[(i - 1) / 2].first;
    return i == blocks + 1 && model->arch.actions ? &model->policy_conv : &model->value_conv;
}

static dnnl_status_t step_create(struct plans *plans, struct plan *plan, int i, int batch)
{
    struct step *step = &plan->steps[i];
    const struct nn_model *model = plans->model;
    const struct nn_arch *arch = &model->arch;
    const struct nn_conv *conv = plans_conv(model, i);
    bool head = i > 2 * arch->blocks, second = !head && i > 0 && i % 2 == 0;
    struct conv_shape shape = {batch,
                               arch->height,
                               arch->width,
                               conv->in,
                               conv->out,
                               conv->kernel,
                               plan->winograd && i > 0 && !head};
    bool pooled = second && model->blocks[i / 2 - 1].pool.out;
    struct conv_extra extra = {.bias = true, .sum = second, .relu = head ? conv->relu : !pooled};
    dnnl_memory_desc_t file = conv_file_weights(&shape);
    step->conv = conv;
    step->in = conv_board(&shape, conv->in, plans->type);
    step->out = conv_board(&shape, conv->out, head ? dnnl_f32 : plans->type);
    dnnl_status_t status = conv_create(&step->made, plans->work.engine, CONV_FORWARD, &shape,
                                       (struct conv_types){plans->type, head}, &extra);
    if (status == dnnl_success)
        status = reorder_create(&step->weights, &plans->work, &file, &step->made.weights);
    if (status != dnnl_success)
        return status;
    size_t bytes = dnnl_memory_desc_get_size(&step->made.weights);
    step->packed = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
    return step->packed ? dnnl_success : dnnl_out_of_memory;
}

static void plan_destroy(struct plans *plans, struct plan *plan)
{
    for (int i = 0; i < plans->step_count; ++i) {
        conv_destroy(&plan->steps[i].made);
        reorder_destroy(&plan->steps[i].weights);
        free(plan->steps[i].packed);
    }
    reorder_destroy(&plan->enter);
    reorder_destroy(&plan->leave);
    memset(plan, 0, sizeof *plan);
}

/* Winograd is faster for fp32 boards from a batch of 8 on.  A pool reads boards row by row, not in
 * Winograd's layout. */
static bool plans_winograd(const struct plans *plans, int batch)
{
    const struct nn_arch *arch = &plans->model->arch;
    bool pools = false;
    for (int i = 0; i < arch->blocks; ++i)
        pools = pools || plans->model->blocks[i].pool.out;
    return plans->type == dnnl_f32 && batch >= 8 && arch->blocks && arch->channels % 16 == 0 &&
           !pools;
}

static dnnl_status_t plan_create(struct plans *plans, struct plan *plan, int batch, bool winograd)
{
    const struct nn_arch *arch = &plans->model->arch;
    struct conv_shape shape = {.count = batch, .height = arch->height, .width = arch->width};
    dnnl_status_t status = dnnl_success;
    plan->winograd = winograd;
    for (int i = 0; i < plans->step_count && status == dnnl_success; ++i)
        status = step_create(plans, plan, i, batch);
    if (status == dnnl_success && winograd) {
        dnnl_memory_desc_t rows = conv_board(&shape, arch->channels, plans->type);
        shape.winograd = true;
        dnnl_memory_desc_t blocks = conv_board(&shape, arch->channels, plans->type);
        status = reorder_create(&plan->enter, &plans->work, &rows, &blocks);
        if (status == dnnl_success)
            status = reorder_create(&plan->leave, &plans->work, &blocks, &rows);
    }
    if (status != dnnl_success)
        plan_destroy(plans, plan);
    plan->made = status == dnnl_success;
    return status;
}

/* The weights of a convolution in the order that its reorder expects. */
static const float *plans_weights(struct plans *plans, const struct plan *plan, int i)
{
    const struct nn_conv *conv = plan->steps[i].conv;
    const float *from = plans->folded + plans->model->tensors[conv->weight].offset;
    float *to = plans->turned;
    if (!plan->winograd || i == 0 || i > 2 * plans->model->arch.blocks)
        return from;
    for (int o = 0; o < conv->out; ++o)
        for (int in = 0; in < conv->in; ++in)
            for (int cell = 0; cell < 9; ++cell)
                *to++ = from[(o * 9 + cell) * conv->in + in];
    return plans->turned;
}

static dnnl_status_t plan_load(struct plans *plans, struct plan *plan)
{
    dnnl_status_t status = dnnl_success;
    for (int i = 0; !plan->loaded && i < plans->step_count && status == dnnl_success; ++i) {
        struct step *step = &plan->steps[i];
        status =
            reorder_run(&step->weights, &plans->work, plans_weights(plans, plan, i), step->packed);
    }
    plan->loaded = status == dnnl_success;
    return status;
}

/* Makes the plan, unless it is there already, and gives it the present weights. */
static dnnl_status_t plans_make(struct plans *plans, struct plan *plan, int batch)
{
    dnnl_status_t status = dnnl_success;
    if (!plan->made && plans_winograd(plans, batch))
        plan_create(plans, plan, batch, true); /* Winograd is not available everywhere */
    if (!plan->made)
        status = plan_create(plans, plan, batch, false);
    if (status == dnnl_success)
        status = plan_load(plans, plan);
    if (status != dnnl_success)
        plan_destroy(plans, plan);
    return status;
}

dnnl_status_t plans_find(struct plans *plans, int count, const struct plan **out, int *batch)
{
    int size = 0;
    while (1 << size < count)
        ++size;
    *batch = 1 << size;
    *out = &plans->sizes[size];
    pthread_mutex_lock(&plans->lock);
    dnnl_status_t status = plans_make(plans, &plans->sizes[size], *batch);
    pthread_mutex_unlock(&plans->lock);
    return status;
}

void plans_load(struct plans *plans, const float *params)
{
    nn_fold(plans->model, params, plans->folded);
    for (int i = 0; i < PLAN_SIZES; ++i)
        plans->sizes[i].loaded = false;
}

enum banyan_status plans_create(struct plans **out, const struct nn_model *model, int threads,
                                struct banyan_error *err)
{
    size_t channels = (size_t)model->arch.channels;
    struct plans *plans = *out = calloc(1, sizeof *plans);
    if (!plans)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    pthread_mutex_init(&plans->lock, NULL);
    plans->model = model;
    plans->type = dnnl_f32;
    plans->step_count = 2 + 2 * model->arch.blocks + (model->arch.actions > 0);
    plans->folded = nn_block_create(model->size);
    plans->turned = nn_block_create(channels * channels * 9);
    enum banyan_status status = work_create(&plans->work, threads, err);
    if (status == BANYAN_OK && !(plans->folded && plans->turned))
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    return status;
}

void plans_destroy(struct plans *plans)
{
    if (!plans)
        return;
    for (int i = 0; i < PLAN_SIZES; ++i)
        plan_destroy(plans, &plans->sizes[i]);
    work_destroy(&plans->work);
    pthread_mutex_destroy(&plans->lock);
    free(plans->folded);
    free(plans->turned);
    free(plans);
}
