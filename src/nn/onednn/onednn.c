/* The backend on oneDNN: the forward pass of a search with all operations fused, and training
 * through the plain backend, with oneDNN's convolutions (fp32) or its own trunk (bf16, tower.h).
 *
 *     planes -> bf16 or fp32 -> [conv + ReLU] -> ([conv + ReLU] -> [conv + sum + ReLU]) ... -> heads, fp32
 *
 * Threads share the primitives and their weights (plans.h); each has boards of its own.
 */
#include "nn/heads.h"
#include "nn/onednn/lanes.h"
#include "nn/onednn/learner.h"
#include "nn/onednn/plans.h"
#include "nn/onednn/tower.h"
#include "nn/plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct onednn {
    const struct nn_model *model;
    struct plans *plans;           /* shared with the contexts of other threads */
    bool borrows;                  /* the plans belong to another context, and this one does not
                                    * train */
    struct work work;              /* runs the plans in this thread */
    void *input, *trunk, *inner;   /* boards of PLAN_BATCH positions */
    float *policy, *value;         /* outputs of the heads' convolutions */
    float *nhwc, *pooled, *spread; /* scratch */
    float *wide;                   /* a board in fp32, for pools of bf16 boards without the
                                    * functions of lanes.h */
    struct nn_heads heads;
    struct learner *learner; /* training in fp32, one convolution at a time */
    struct tower *tower;     /* training in bf16, the whole trunk */
    void *plain;
    bool matrix_unit; /* kernels for bf16 use AMX */
    char description[NN_DESCRIPTION_MAX];
};

/* --- numbers of the trunk's type --- */

static bool onednn_is_wide(const struct onednn *onednn)
{
    return onednn->plans->type == dnnl_f32;
}

static float onednn_get(const struct onednn *onednn, const void *board, size_t i)
{
    if (onednn_is_wide(onednn))
        return ((const float *)board)[i];
    uint32_t bits = (uint32_t)((const uint16_t *)board)[i] << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rounds to the nearest number, ties to even. */
static void onednn_put(const struct onednn *onednn, void *board, size_t i, float value)
{
    if (onednn_is_wide(onednn)) {
        ((float *)board)[i] = value;
        return;
    }
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits += 0x7fff + (bits >> 16 & 1);
    ((uint16_t *)board)[i] = (uint16_t)(bits >> 16);
}

/* --- one batch --- */

static dnnl_status_t onednn_step(struct onednn *onednn, const struct step *step, void *in,
                                 void *out)
{
    float *bias = onednn->plans->folded + onednn->model->tensors[step->conv->bias].offset;
    const struct work_argument arguments[] = {
        {DNNL_ARG_SRC, step->in, in},
        {DNNL_ARG_WEIGHTS, step->made.weights, step->packed},
        {DNNL_ARG_BIAS, conv_vector(step->conv->out, dnnl_f32), bias},
        {DNNL_ARG_DST, step->out, out}};
    return work_run(&onednn->work, step->made.primitive, arguments, 4);
}

/* Whether the functions of lanes.h can be used: bf16 boards whose channels fill whole vectors. */
static bool onednn_lanes(const struct onednn *onednn)
{
    return !onednn_is_wide(onednn) && onednn->model->arch.channels % LANES == 0 && lanes_here();
}

static void onednn_pool_dense(struct onednn *onednn, const struct nn_dense *dense, int count)
{
    struct ops_dense shape = {count, dense->in, dense->out};
    ops_dense_forward(&onednn->heads.ops, &shape, onednn->pooled,
                      onednn->plans->folded + onednn->model->tensors[dense->weight].offset,
                      onednn->plans->folded + onednn->model->tensors[dense->bias].offset,
                      onednn->spread);
}

static void onednn_widen(const struct onednn *onednn, size_t size, const void *from, float *to)
{
    for (size_t i = 0; i < size; ++i)
        to[i] = onednn_get(onednn, from, i);
}

/* Computes the mean and maximum of inner over the board, applies the dense layer, adds the result
 * to trunk; then ReLU. */
static void onednn_pool(struct onednn *onednn, const struct nn_dense *dense, int count)
{
    const struct nn_arch *arch = &onednn->model->arch;
    struct ops_pool pool = {count, nn_arch_cells(arch), arch->channels};
    size_t size = (size_t)count * (size_t)pool.cells * (size_t)pool.channels;
    if (onednn_lanes(onednn)) {
        struct lanes_board board = {count, pool.cells, pool.channels};
        const struct lanes_pair inner = {onednn->inner, NULL};
        lanes_pool(&board, &inner, onednn->pooled);
        onednn_pool_dense(onednn, dense, count);
        lanes_spread(&board, onednn->spread, onednn->trunk);
        return;
    }
    bool wide = onednn_is_wide(onednn);
    float *board = wide ? onednn->inner : onednn->wide;
    if (!wide)
        onednn_widen(onednn, size, onednn->inner, board);
    ops_pool_forward(&pool, board, onednn->pooled);
    onednn_pool_dense(onednn, dense, count);
    board = wide ? onednn->trunk : onednn->wide;
    if (!wide)
        onednn_widen(onednn, size, onednn->trunk, board);
    ops_spread_forward(&pool, onednn->spread, board);
    ops_relu_forward(size, board);
    for (size_t i = 0; !wide && i < size; ++i)
        onednn_put(onednn, onednn->trunk, i, board[i]);
}

static dnnl_status_t onednn_trunk(struct onednn *onednn, const struct plan *plan, int count)
{
    const struct nn_model *model = onednn->model;
    const struct step *steps = plan->steps;
    void *board = onednn->trunk, *other = onednn->inner;
    dnnl_status_t status = onednn_step(onednn, &steps[0], onednn->input, onednn->trunk);
    if (plan->winograd && status == dnnl_success) {
        status = reorder_run(&plan->enter, &onednn->work, onednn->trunk, onednn->inner);
        board = onednn->inner;
        other = onednn->trunk;
    }
    for (int i = 0; i < model->arch.blocks && status == dnnl_success; ++i) {
        status = onednn_step(onednn, &steps[1 + 2 * i], board, other);
        if (status == dnnl_success)
            status = onednn_step(onednn, &steps[2 + 2 * i], other, board);
        if (status == dnnl_success && model->blocks[i].pool.out)
            onednn_pool(onednn, &model->blocks[i].pool, count);
    }
    if (plan->winograd && status == dnnl_success)
        status = reorder_run(&plan->leave, &onednn->work, board, other);
    return status;
}

/* Converts the first `size` numbers of nhwc to the trunk's type, and writes zeros up to `all`. */
static void onednn_input(struct onednn *onednn, size_t size, size_t all)
{
    memset(onednn->nhwc + size, 0, (all - size) * sizeof *onednn->nhwc);
    if (onednn_is_wide(onednn))
        memcpy(onednn->input, onednn->nhwc, all * sizeof *onednn->nhwc);
    else if (lanes_here())
        lanes_split(all, onednn->nhwc, &(struct lanes_pair){onednn->input, NULL});
    else
        for (size_t i = 0; i < all; ++i)
            onednn_put(onednn, onednn->input, i, onednn->nhwc[i]);
}

/* Computes at most PLAN_BATCH positions, beginning with number `first`. */
static dnnl_status_t onednn_batch(struct onednn *onednn, const struct nn_request *request,
                                  int first, int count)
{
    const struct nn_model *model = onednn->model;
    const struct nn_arch *arch = &model->arch;
    size_t planes = (size_t)arch->planes * (size_t)nn_arch_cells(arch);
    const struct plan *plan;
    int batch;
    dnnl_status_t status = plans_find(onednn->plans, count, &plan, &batch);
    if (status != dnnl_success)
        return status;
    nn_planes_last(arch, count, request->planes + (size_t)first * planes, onednn->nhwc);
    onednn_input(onednn, (size_t)count * planes, (size_t)batch * planes);
    status = onednn_trunk(onednn, plan, batch);
    int next = 1 + 2 * arch->blocks;
    if (status == dnnl_success && arch->actions)
        status = onednn_step(onednn, &plan->steps[next++], onednn->trunk, onednn->policy);
    if (status == dnnl_success)
        status = onednn_step(onednn, &plan->steps[next], onednn->trunk, onednn->value);
    if (status != dnnl_success)
        return status;
    nn_heads_answer(&onednn->heads, request, first, count, onednn->policy, onednn->value);
    return dnnl_success;
}

static enum banyan_status onednn_forward(void *ctx, const struct nn_request *request,
                                         struct banyan_error *err)
{
    struct onednn *onednn = ctx;
    dnnl_status_t status = dnnl_success;
    work_begin(&onednn->work);
    for (int first = 0; first < request->count && status == dnnl_success; first += PLAN_BATCH) {
        int left = request->count - first;
        status = onednn_batch(onednn, request, first, left < PLAN_BATCH ? left : PLAN_BATCH);
    }
    return status == dnnl_success ? BANYAN_OK : work_failed(status, "forward", err);
}

static enum banyan_status onednn_load(void *ctx, const float *params, struct banyan_error *err)
{
    (void)err;
    plans_load(((struct onednn *)ctx)->plans, params);
    return BANYAN_OK;
}

/* --- training --- */

/* Returns NULL when a training step computes in bf16, otherwise the reason why it uses fp32.
 * Without AMX, a step in bf16 could not use the pairs of tower.h, and its gradients would have an
 * error of 3 %. */
static const char *onednn_trains_fp32(const struct onednn *onednn)
{
    if (onednn_is_wide(onednn))
        return "as the search does";
    if (!onednn->matrix_unit)
        return "this processor has no AMX";
    if (!lanes_here())
        return "AVX-512 may not be used";
    return tower_serves(onednn->model) ? NULL : "its channels are not a multiple of 16";
}

/* Chooses the training code: in bf16 the whole trunk at once, in fp32 one convolution after the
 * other. */
static enum banyan_status onednn_learn_begin(struct onednn *onednn, struct banyan_error *err)
{
    enum banyan_status status = nn_plain.open(onednn->model, NULL, &onednn->plain, err);
    if (status != BANYAN_OK)
        return status;
    if (onednn_trains_fp32(onednn)) {
        status = learner_create(&onednn->learner, onednn->work.threads, err);
        if (status == BANYAN_OK)
            nn_plain_engine(onednn->plain, learner_engine(onednn->learner));
        return status;
    }
    status = tower_create(&onednn->tower, onednn->model, onednn->work.threads, err);
    if (status == BANYAN_OK)
        nn_plain_trunk(onednn->plain, tower_trunk(onednn->tower));
    return status;
}

static enum banyan_status onednn_gradients(void *ctx, const float *params,
                                           const struct nn_batch *batch, float *gradients,
                                           struct nn_losses *losses, struct banyan_error *err)
{
    struct onednn *onednn = ctx;
    enum banyan_status status =
        onednn->learner || onednn->tower ? BANYAN_OK : onednn_learn_begin(onednn, err);
    if (status != BANYAN_OK)
        return status;
    work_begin(&onednn->work);
    return nn_plain.gradients(onednn->plain, params, batch, gradients, losses, err);
}

/* --- opening --- */

static void onednn_close(void *ctx)
{
    struct onednn *onednn = ctx;
    if (onednn->plain)
        nn_plain.close(onednn->plain);
    learner_destroy(onednn->learner);
    tower_destroy(onednn->tower);
    work_destroy(&onednn->work);
    nn_heads_close(&onednn->heads);
    if (!onednn->borrows)
        plans_destroy(onednn->plans);
    void *const blocks[] = {onednn->input,  onednn->trunk,  onednn->inner,
                            onednn->policy, onednn->value,  onednn->nhwc,
                            onednn->pooled, onednn->spread, onednn->wide};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        free(blocks[i]);
    free(onednn);
}

/* The working memory of a thread. */
static enum banyan_status onednn_allocate(struct onednn *onednn, struct banyan_error *err)
{
    const struct nn_arch *arch = &onednn->model->arch;
    size_t batch = PLAN_BATCH, cells = (size_t)nn_arch_cells(arch), rows = batch * cells;
    size_t channels = (size_t)arch->channels;
    onednn->input = nn_block_create(rows * (size_t)arch->planes);
    onednn->trunk = nn_block_create(rows * channels);
    onednn->inner = nn_block_create(rows * channels);
    onednn->policy = nn_block_create(rows * (size_t)onednn->model->policy_conv.out);
    onednn->value = nn_block_create(rows * (size_t)arch->value_channels);
    onednn->nhwc = nn_block_create(rows * (size_t)arch->planes);
    onednn->pooled = nn_block_create(batch * 2 * channels);
    onednn->spread = nn_block_create(batch * channels);
    onednn->wide = nn_block_create(arch->pool && !onednn_lanes(onednn) ? rows * channels : 0);
    if (!(onednn->input && onednn->trunk && onednn->inner && onednn->policy && onednn->value &&
          onednn->nhwc && onednn->pooled && onednn->spread && onednn->wide))
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    return nn_heads_open(&onednn->heads, onednn->model, onednn->plans->folded, PLAN_BATCH, err);
}

/* Whether the kernels use AMX; only then is bf16 faster than fp32. */
static bool onednn_has_matrix_unit(struct onednn *onednn)
{
    struct conv_shape shape = {8, 8, 8, 64, 64, 3, false};
    struct conv_extra extra = {.bias = true};
    struct conv conv;
    bool amx = conv_create(&conv, onednn->plans->work.engine, CONV_FORWARD, &shape,
                           (struct conv_types){dnnl_bf16, false}, &extra) == dnnl_success &&
               strstr(conv.kernel, "amx");
    conv_destroy(&conv);
    return amx;
}

/* Makes everything for a search of one position; *kernel: the name of the kernel of the trunk. */
static dnnl_status_t onednn_try(struct onednn *onednn, dnnl_data_type_t type, const char **kernel)
{
    const struct plan *plan;
    int batch;
    onednn->plans->type = type;
    dnnl_status_t status = plans_find(onednn->plans, 1, &plan, &batch);
    if (status == dnnl_success)
        *kernel = plan->steps[onednn->model->arch.blocks ? 1 : 0].made.kernel;
    return status;
}

/* Writes the description: "onednn bf16 jit:avx512_core_bf16, as requested; trains in fp32: this
 * processor has no AMX". */
static void onednn_explain(struct onednn *onednn, const char *type, const char *kernel)
{
    bool wide = onednn_is_wide(onednn), asked = *type != 0;
    const char *why = asked && wide && strcmp(type, "bf16") == 0
                          ? "because oneDNN has no bf16 for this processor"
                      : asked               ? "as requested"
                      : onednn->matrix_unit ? "because this processor has AMX"
                                            : "because bf16 is faster with AMX only";
    const char *training = onednn_trains_fp32(onednn);
    snprintf(onednn->description, sizeof onednn->description, "onednn %s %s, %s%s%s",
             wide ? "fp32" : "bf16", kernel, why, training && !wide ? "; trains in fp32: " : "",
             training && !wide ? training : "");
}

/* Replaces bf16 by fp32 where oneDNN has no bf16, even if bf16 was requested, so that a training
 * run can continue on any machine. */
static enum banyan_status onednn_choose(struct onednn *onednn, const char *type,
                                        struct banyan_error *err)
{
    const char *kernel = "";
    if (*type && strcmp(type, "fp32") != 0 && strcmp(type, "bf16") != 0)
        return banyan_fail(err, BANYAN_INVALID, "type=%s: onednn has fp32 and bf16", type);
    onednn->matrix_unit = onednn_has_matrix_unit(onednn);
    bool narrow = *type ? strcmp(type, "bf16") == 0 : onednn->matrix_unit;
    dnnl_status_t status = onednn_try(onednn, narrow ? dnnl_bf16 : dnnl_f32, &kernel);
    if (status == dnnl_unimplemented && narrow)
        status = onednn_try(onednn, dnnl_f32, &kernel);
    if (status != dnnl_success)
        return work_failed(status, "this network", err);
    onednn_explain(onednn, type, kernel);
    return onednn_allocate(onednn, err);
}

static enum banyan_status onednn_open(const struct nn_model *model,
                                      const struct nn_backend_options *options, void **ctx,
                                      struct banyan_error *err)
{
    struct onednn *onednn = calloc(1, sizeof *onednn);
    if (!onednn)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    onednn->model = model;
    enum banyan_status status =
        plans_create(&onednn->plans, model, options ? options->threads : 1, err);
    if (status == BANYAN_OK)
        status = work_share(&onednn->work, &onednn->plans->work, err);
    if (status == BANYAN_OK)
        status = onednn_choose(onednn, options ? options->type : "", err);
    if (status != BANYAN_OK) {
        onednn_close(onednn);
        return status;
    }
    *ctx = onednn;
    return BANYAN_OK;
}

static enum banyan_status onednn_share(void *ctx, void **out, struct banyan_error *err)
{
    const struct onednn *owner = ctx;
    struct onednn *onednn = calloc(1, sizeof *onednn);
    if (!onednn)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for another thread of a network");
    onednn->model = owner->model;
    onednn->plans = owner->plans;
    onednn->borrows = true;
    memcpy(onednn->description, owner->description, sizeof onednn->description);
    enum banyan_status status = work_share(&onednn->work, &owner->plans->work, err);
    if (status == BANYAN_OK)
        status = onednn_allocate(onednn, err);
    if (status != BANYAN_OK) {
        onednn_close(onednn);
        return status;
    }
    *out = onednn;
    return BANYAN_OK;
}

static const char *onednn_describe(const void *ctx)
{
    return ((const struct onednn *)ctx)->description;
}

/* Limits oneDNN's kernels to the same level, unless ONEDNN_MAX_CPU_ISA, which oneDNN reads, is
 * already set. */
static void onednn_limit(enum cpu_level level)
{
    static const char *const most[CPU_LEVELS] = {
        "sse41", "avx2", "avx512_core", "avx512_core_vnni", "avx512_core_bf16", "all"};
    cpu_limit(level);
    setenv("ONEDNN_MAX_CPU_ISA", most[level], 0);
}

extern const struct nn_backend banyan_nn_onednn;
const struct nn_backend banyan_nn_onednn = {
    .name = "onednn",
    .help = "oneDNN on the CPU: fp32; bf16 on processors with AMX",
    .trains = true,
    .open = onednn_open,
    .close = onednn_close,
    .share = onednn_share,
    .load = onednn_load,
    .forward = onednn_forward,
    .gradients = onednn_gradients,
    .describe = onednn_describe,
    .limit = onednn_limit,
};
