/* The plain backend: the reference, used when there is no plugin.
 *
 * The same pass over the layers serves searches and training.  Training stores every layer's output
 * (and the input of every batch norm); the backward pass needs three boards of the trunk's width.
 */
#include "nn/plain_pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN_BATCH = 64 }; /* positions of one forward pass in a search */

/* --- memory --- */

/* Hands out parts of a block of memory; without a block it only counts the size needed. */
struct plain_store {
    float *memory;
    size_t used;
};

static float *plain_take(struct plain_store *store, size_t n)
{
    float *at = store->memory ? store->memory + store->used : NULL;
    store->used += (n + 15) & ~(size_t)15;
    return at;
}

static void plain_place_layer(struct plain_layer *layer, const struct nn_conv *conv,
                              struct plain_store *store, size_t rows, bool learning)
{
    layer->conv = conv;
    layer->out = plain_take(store, rows * (size_t)conv->out);
    layer->pre = learning && conv->norm == NN_NORM_BATCH
                     ? plain_take(store, rows * (size_t)conv->out)
                     : layer->out;
}

static void plain_place_gradients(struct plain *plain, struct plain_store *store, size_t count,
                                  size_t rows)
{
    const struct nn_arch *arch = &plain->model->arch;
    size_t channels = (size_t)arch->channels, cells = (size_t)nn_arch_cells(arch);
    size_t widest = 2 * (size_t)arch->policy_channels;
    if (widest < (size_t)arch->value_channels)
        widest = (size_t)arch->value_channels;
    size_t board = plain->trunk ? 0 : rows * channels;
    plain->dtrunk = plain_take(store, board);
    plain->dinner = plain_take(store, board);
    plain->dspare = plain_take(store, board);
    plain->dhead = plain_take(store, rows * widest);
    plain->dembed = plain_take(store, (cells + 1) * 2 * (size_t)arch->policy_channels);
    plain->dhidden = plain_take(store, count * (size_t)arch->value_hidden * 2);
    plain->dvalues = plain_take(store, count * (size_t)arch->values);
    plain->dscore = plain_take(store, count);
    plain->dpooled = plain_take(store, count * 3 * channels);
    plain->dlogits = plain_take(store, 2 * (size_t)arch->actions);
}

static void plain_place_trunk(struct plain *plain, struct plain_store *store, size_t count,
                              bool learning)
{
    const struct nn_model *model = plain->model;
    const struct nn_arch *arch = &model->arch;
    size_t rows = count * (size_t)nn_arch_cells(arch);
    plain->input = plain_take(store, rows * (size_t)arch->planes);
    plain_place_layer(&plain->stem, &model->stem, store, rows, learning);
    for (int i = 0; i < arch->blocks; ++i) {
        struct plain_block *block = &plain->blocks[i];
        plain_place_layer(&block->first, &model->blocks[i].first, store, rows, learning);
        plain_place_layer(&block->second, &model->blocks[i].second, store, rows, learning);
        block->pooled = plain_take(store, count * 2 * (size_t)arch->channels);
        block->spread = plain_take(store, count * (size_t)arch->channels);
    }
}

/* Assigns the memory for `room` positions. */
static void plain_place(struct plain *plain, struct plain_store *store, int room, bool learning)
{
    const struct nn_model *model = plain->model;
    const struct nn_arch *arch = &model->arch;
    size_t count = (size_t)room, cells = (size_t)nn_arch_cells(arch), rows = count * cells;
    if (!plain->trunk)
        plain_place_trunk(plain, store, count, learning);
    plain_place_layer(&plain->policy, &model->policy_conv, store, rows, learning);
    plain_place_layer(&plain->value, &model->value_conv, store, rows, learning);
    plain_place_layer(&plain->owner, &model->owner, store, rows, learning);
    plain->embed = plain_take(store, count * (cells + 1) * 2 * (size_t)arch->policy_channels);
    plain->hidden = plain_take(store, count * (size_t)arch->value_hidden);
    plain->values = plain_take(store, count * (size_t)arch->values);
    plain->score = plain_take(store, count);
    if (learning)
        plain_place_gradients(plain, store, count, rows);
}

/* The memory for patches of the widest convolution, for any number of positions. */
static size_t plain_patch_room(const struct nn_model *model)
{
    const struct nn_arch *arch = &model->arch;
    int in = arch->channels > arch->planes ? arch->channels : arch->planes;
    struct ops_conv conv = {1 << 16, arch->height, arch->width, in, arch->channels, 3};
    return ops_conv_room(&conv);
}

static enum banyan_status plain_reserve(struct plain *plain, int count, bool learning,
                                        struct banyan_error *err)
{
    if (count <= plain->room && (plain->learning || !learning))
        return BANYAN_OK;
    free(plain->memory);
    plain->room = 0;
    struct plain_store store = {NULL, 0};
    plain_place(plain, &store, count, learning);
    plain->memory = nn_block_create(store.used);
    if (!plain->memory)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a batch of %d positions (%zu MB)",
                           count, store.used * sizeof(float) >> 20);
    store = (struct plain_store){plain->memory, 0};
    plain_place(plain, &store, count, learning);
    plain->room = count;
    plain->learning = learning;
    return BANYAN_OK;
}
/* --- the backend --- */

/* Copies the raw weights, standardised if the norm says so; sets their gradients to 0. */
static void plain_prepare(struct plain *plain, const float *params, float *gradients)
{
    const struct nn_model *model = plain->model;
    memset(gradients, 0, model->size * sizeof *gradients);
    if (model->arch.norm != NN_NORM_WEIGHT) {
        memcpy(plain->effective, params, model->size * sizeof *params);
        return;
    }
    memset(plain->deffective, 0, model->size * sizeof *plain->deffective);
    nn_fold(model, params, plain->effective);
}

/* Converts the variances to the unbiased estimate, which running statistics use. */
static void plain_unbias(const struct plain_pass *pass)
{
    const struct nn_model *model = pass->plain->model;
    float rows = (float)plain_rows(pass);
    for (int i = 0; i < model->tensor_count; ++i) {
        const struct nn_tensor *tensor = &model->tensors[i];
        if (tensor->role == NN_STATISTIC && strstr(tensor->name, ".variance") && rows > 1)
            for (size_t j = 0; j < tensor->count; ++j)
                pass->gradients[tensor->offset + j] *= rows / (rows - 1);
    }
}

/* The forward pass of the trunk, in this backend or in another; the heads follow. */
static const float *plain_learn_trunk(const struct plain_pass *pass, const struct nn_batch *batch)
{
    struct plain *plain = pass->plain;
    if (!plain->trunk) {
        memset(plain->dtrunk, 0, plain_trunk_size(pass) * sizeof *plain->dtrunk);
        return plain_trunk_forward(pass, batch->planes);
    }
    struct plain_step step = {pass->count, batch->planes, pass->weights, pass->params,
                              pass->gradients};
    plain->failed = !plain->trunk->forward(plain->trunk->ctx, &step);
    return NULL;
}

static void plain_learn_trunk_back(const struct plain_pass *pass)
{
    struct plain *plain = pass->plain;
    const struct nn_model *model = plain->model;
    if (!plain->trunk) {
        plain_trunk_backward(pass);
        return;
    }
    bool standardised = model->arch.norm == NN_NORM_WEIGHT;
    if (!plain->trunk->backward(plain->trunk->ctx,
                                standardised ? plain->deffective : pass->gradients))
        plain->failed = true;
    if (!standardised)
        return;
    plain_weight_norm_back(pass, &model->stem);
    for (int i = 0; i < model->arch.blocks; ++i) {
        plain_weight_norm_back(pass, &model->blocks[i].first);
        plain_weight_norm_back(pass, &model->blocks[i].second);
    }
    const struct nn_conv *heads[] = {&model->policy_conv, &model->value_conv, &model->owner};
    for (int i = 0; i < 3; ++i)
        if (heads[i]->out && heads[i]->norm == NN_NORM_WEIGHT)
            plain_weight_norm_back(pass, heads[i]);
}

static enum banyan_status plain_gradients(void *ctx, const float *params,
                                          const struct nn_batch *batch, float *gradients,
                                          struct nn_losses *losses, struct banyan_error *err)
{
    struct plain *plain = ctx;
    enum banyan_status status = plain_reserve(plain, batch->count, true, err);
    if (status != BANYAN_OK)
        return status;
    plain_prepare(plain, params, gradients);
    *losses = (struct nn_losses){.policy = 0};
    struct plain_pass pass = {plain, batch->count, plain->effective, params, gradients};
    struct nn_head head = {batch, &plain->model->arch, 1 / (float)batch->count};
    const float *trunk = plain_learn_trunk(&pass, batch);
    if (plain->failed)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "the backend that computes the trunk failed");
    plain_heads_forward(&pass, trunk);
    if (head.arch->actions)
        plain_policy_learn(&pass, &head, trunk, losses);
    plain_value_learn(&pass, &head, trunk, losses);
    if (head.arch->owner && batch->owner)
        plain_owner_learn(&pass, &head, trunk, losses);
    plain_learn_trunk_back(&pass);
    plain_unbias(&pass);
    return plain->failed
               ? banyan_fail(err, BANYAN_UNSUPPORTED, "the backend that computes the trunk failed")
               : BANYAN_OK;
}

static enum banyan_status plain_load(void *ctx, const float *params, struct banyan_error *err)
{
    struct plain *plain = ctx;
    (void)err;
    nn_fold(plain->model, params, plain->folded);
    return BANYAN_OK;
}

static enum banyan_status plain_forward(void *ctx, const struct nn_request *request,
                                        struct banyan_error *err)
{
    struct plain *plain = ctx;
    const struct nn_arch *arch = &plain->model->arch;
    long planes = (long)arch->planes * nn_arch_cells(arch);
    for (int first = 0; first < request->count; first += PLAIN_BATCH) {
        int count = request->count - first < PLAIN_BATCH ? request->count - first : PLAIN_BATCH;
        enum banyan_status status = plain_reserve(plain, count, false, err);
        if (status != BANYAN_OK)
            return status;
        struct plain_pass pass = {plain, count, plain->folded, plain->folded, NULL};
        const float *trunk = plain_trunk_forward(&pass, request->planes + first * planes);
        plain_heads_forward(&pass, trunk);
        memcpy(request->values + (long)first * arch->values, plain->values,
               sizeof(float) * (size_t)(count * arch->values));
        for (int i = 0; arch->actions && i < count; ++i) {
            int start = request->start[first + i];
            plain_logits(&pass, i, request->start[first + i + 1] - start, request->actions + start,
                         request->logits + start);
        }
    }
    return BANYAN_OK;
}

static void plain_close(void *ctx)
{
    struct plain *plain = ctx;
    free(plain->ops.space);
    free(plain->ops.patches);
    if (!plain->borrows)
        free(plain->folded);
    free(plain->effective);
    free(plain->deffective);
    free(plain->memory);
    free(plain);
}

void nn_plain_engine(void *ctx, const struct ops_engine *engine)
{
    ((struct plain *)ctx)->ops.engine = engine;
}

void nn_plain_trunk(void *ctx, const struct plain_trunk *trunk)
{
    ((struct plain *)ctx)->trunk = trunk;
}

/* A context with its working memory, but without weights; NULL: no memory. */
static struct plain *plain_create(const struct nn_model *model)
{
    struct plain *plain = calloc(1, sizeof *plain);
    if (!plain)
        return NULL;
    plain->model = model;
    plain->ops.kernel = gemm_kernel_best();
    plain->ops.patch_room = plain_patch_room(model);
    plain->ops.space = aligned_alloc(64, sizeof *plain->ops.space);
    plain->ops.patches = nn_block_create(plain->ops.patch_room);
    snprintf(plain->description, sizeof plain->description, "plain fp32 %s",
             plain->ops.kernel->name);
    if (plain->ops.space && plain->ops.patches)
        return plain;
    plain_close(plain);
    return NULL;
}

static enum banyan_status plain_open(const struct nn_model *model,
                                     const struct nn_backend_options *options, void **ctx,
                                     struct banyan_error *err)
{
    if (options && options->type[0] && strcmp(options->type, "fp32") != 0)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "backend plain computes in fp32, not in %s",
                           options->type);
    struct plain *plain = plain_create(model);
    if (plain) {
        plain->folded = nn_block_create(model->size);
        plain->effective = nn_block_create(model->size);
        plain->deffective = nn_block_create(model->size);
    }
    if (!plain || !plain->folded || !plain->effective || !plain->deffective) {
        if (plain)
            plain_close(plain);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network of %zu weights",
                           model->size);
    }
    *ctx = plain;
    return BANYAN_OK;
}

static enum banyan_status plain_share(void *ctx, void **out, struct banyan_error *err)
{
    const struct plain *owner = ctx;
    struct plain *plain = plain_create(owner->model);
    if (!plain)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for another thread of a network");
    plain->folded = owner->folded;
    plain->borrows = true;
    *out = plain;
    return BANYAN_OK;
}

static const char *plain_describe(const void *ctx)
{
    return ((const struct plain *)ctx)->description;
}

const struct nn_backend nn_plain = {
    .name = "plain",
    .help = "the reference, in portable C; gives the same bits on every machine",
    .trains = true,
    .open = plain_open,
    .close = plain_close,
    .share = plain_share,
    .load = plain_load,
    .forward = plain_forward,
    .gradients = plain_gradients,
    .describe = plain_describe,
};
