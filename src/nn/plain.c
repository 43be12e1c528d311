/* The plain backend: the reference, and what runs where no plugin does.
 *
 * One walk over the layers serves search and learning.  Learning keeps every layer's output (and,
 * for batch norm, its input); the gradient runs back through three boards of trunk width.
 */
#include "nn/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN_BATCH = 64 }; /* positions of one forward pass in a search */

/* A convolution's place in the walk. */
struct plain_layer {
    const struct nn_conv *conv;
    float *pre; /* [rows][out] before batch norm */
    float *out; /* [rows][out] */
};

struct plain_block {
    struct plain_layer first, second;
    float *pooled, *spread; /* [count][2 channels], [count][channels] */
};

struct plain {
    const struct nn_model *model;
    struct ops ops;
    const struct plain_trunk *trunk; /* learning; NULL: our own */
    float *folded;                   /* for forward */
    float *effective; /* for gradients: standardised weights in place of the raw ones */
    float *deffective;
    char description[32];
    bool failed; /* the trunk, in this step */

    /* activations for `room` positions; all in one allocation */
    int room;
    bool learning; /* there is room for gradients */
    float *memory;
    float *input;
    struct plain_layer stem, policy, value, owner;
    struct plain_block blocks[NN_MAX_BLOCKS];
    float *embed, *hidden, *values, *score;
    /* gradients */
    float *dtrunk, *dinner, *dspare; /* [rows][channels] */
    float *dhead;                    /* [rows][widest head] */
    float *dembed, *dhidden, *dvalues, *dscore, *dpooled, *dlogits;
};

/* One walk. */
struct plain_walk {
    struct plain *plain;
    int count;
    const float *weights; /* multiplied with */
    const float *params;  /* learning: gains, biases of batch norms */
    float *gradients;     /* learning; NULL: a search */
};

static float *plain_at(const struct plain *plain, const float *block, int tensor)
{
    return (float *)block + plain->model->tensors[tensor].offset;
}

/* --- memory --- */

/* Handing memory out; without memory it is only measured. */
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

/* Places everything for `room` positions. */
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

/* The patches of the widest convolution, for any number of positions. */
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

/* --- one convolution with norm --- */

static struct ops_conv plain_shape(const struct plain_walk *walk, const struct nn_conv *conv)
{
    const struct nn_arch *arch = &walk->plain->model->arch;
    return (struct ops_conv){walk->count, arch->height, arch->width,
                             conv->in,    conv->out,    conv->kernel};
}

static size_t plain_rows(const struct plain_walk *walk)
{
    return (size_t)walk->count * (size_t)nn_arch_cells(&walk->plain->model->arch);
}

static struct ops_norm plain_norm(const struct plain_walk *walk, const struct nn_conv *conv)
{
    const struct plain *plain = walk->plain;
    return (struct ops_norm){plain_rows(walk), conv->out, plain_at(plain, walk->params, conv->gain),
                             plain_at(plain, walk->params, conv->bias)};
}

/* What the convolution gives; x NULL: of a trunk that is elsewhere. */
static void plain_conv_product(const struct plain_walk *walk, const struct plain_layer *layer,
                               const float *x, const float *bias)
{
    struct plain *plain = walk->plain;
    const struct nn_conv *conv = layer->conv;
    struct ops_conv shape = plain_shape(walk, conv);
    if (x) {
        ops_conv_forward(&plain->ops, &shape, x, plain_at(plain, walk->weights, conv->weight), bias,
                         layer->pre);
        return;
    }
    plain->trunk->head(plain->trunk->ctx, conv, layer->pre);
    size_t size = plain_rows(walk) * (size_t)conv->out;
    for (size_t i = 0; bias && i < size; ++i)
        layer->pre[i] += bias[i % (size_t)conv->out];
}

/* Without the ReLU. */
static void plain_conv_forward(const struct plain_walk *walk, const struct plain_layer *layer,
                               const float *x)
{
    struct plain *plain = walk->plain;
    const struct nn_conv *conv = layer->conv;
    bool batch_norm = walk->gradients && conv->norm == NN_NORM_BATCH;
    plain_conv_product(walk, layer, x,
                       batch_norm ? NULL : plain_at(plain, walk->weights, conv->bias));
    if (!batch_norm)
        return;
    struct ops_norm norm = plain_norm(walk, conv);
    ops_batch_norm_forward(&norm, layer->pre, plain_at(plain, walk->gradients, conv->mean),
                           plain_at(plain, walk->gradients, conv->variance), layer->out);
}

/* The gradient of a head's convolution goes to a trunk that is elsewhere. */
static void plain_hand_back(const struct plain_walk *walk, const struct nn_conv *conv,
                            const float *dout, float *dbias)
{
    struct plain *plain = walk->plain;
    size_t size = plain_rows(walk) * (size_t)conv->out;
    for (size_t i = 0; dbias && i < size; ++i)
        dbias[i % (size_t)conv->out] += dout[i];
    if (!plain->trunk->head_back(plain->trunk->ctx, conv, dout))
        plain->failed = true;
}

/* From the gradient of standardised weights to that of the weights and their gains. */
static void plain_weight_norm_back(const struct plain_walk *walk, const struct nn_conv *conv)
{
    struct plain *plain = walk->plain;
    ops_weight_norm_backward(conv->out, conv->kernel * conv->kernel * conv->in,
                             plain_at(plain, walk->params, conv->weight),
                             plain_at(plain, walk->params, conv->gain),
                             plain_at(plain, plain->deffective, conv->weight),
                             plain_at(plain, walk->gradients, conv->weight),
                             plain_at(plain, walk->gradients, conv->gain));
}

/* dout is overwritten with the gradient of what the convolution gave; x NULL: its input is in a
 * trunk elsewhere. */
static void plain_conv_backward(const struct plain_walk *walk, const struct plain_layer *layer,
                                const float *x, float *dout, float *dx)
{
    struct plain *plain = walk->plain;
    const struct nn_conv *conv = layer->conv;
    struct ops_conv shape = plain_shape(walk, conv);
    float *dbias = plain_at(plain, walk->gradients, conv->bias);
    if (conv->norm == NN_NORM_BATCH) {
        struct ops_norm norm = plain_norm(walk, conv);
        ops_batch_norm_backward(&norm, layer->pre, plain_at(plain, walk->gradients, conv->mean),
                                plain_at(plain, walk->gradients, conv->variance), dout, dout,
                                plain_at(plain, walk->gradients, conv->gain), dbias);
        dbias = NULL;
    }
    if (!x) {
        plain_hand_back(walk, conv, dout, dbias);
        return;
    }
    float *dweight = plain_at(
        plain, conv->norm == NN_NORM_WEIGHT ? plain->deffective : walk->gradients, conv->weight);
    ops_conv_backward(&plain->ops, &shape, x, plain_at(plain, walk->weights, conv->weight), dout,
                      dx, dweight, dbias);
    if (conv->norm == NN_NORM_WEIGHT)
        plain_weight_norm_back(walk, conv);
}

static void plain_dense_forward(const struct plain_walk *walk, const struct nn_dense *dense,
                                const float *x, float *y)
{
    struct plain *plain = walk->plain;
    struct ops_dense shape = {walk->count, dense->in, dense->out};
    ops_dense_forward(&plain->ops, &shape, x, plain_at(plain, walk->weights, dense->weight),
                      plain_at(plain, walk->weights, dense->bias), y);
}

static void plain_dense_backward(const struct plain_walk *walk, const struct nn_dense *dense,
                                 const float *x, const float *dy, float *dx)
{
    struct plain *plain = walk->plain;
    struct ops_dense shape = {walk->count, dense->in, dense->out};
    ops_dense_backward(&plain->ops, &shape, x, plain_at(plain, walk->weights, dense->weight), dy,
                       dx, plain_at(plain, walk->gradients, dense->weight),
                       plain_at(plain, walk->gradients, dense->bias));
}

static void plain_add(size_t n, const float *x, float *y)
{
    for (size_t i = 0; i < n; ++i)
        y[i] += x[i];
}

/* --- the trunk --- */

static size_t plain_trunk_size(const struct plain_walk *walk)
{
    return plain_rows(walk) * (size_t)walk->plain->model->arch.channels;
}

static struct ops_pool plain_pool(const struct plain_walk *walk)
{
    const struct nn_arch *arch = &walk->plain->model->arch;
    return (struct ops_pool){walk->count, nn_arch_cells(arch), arch->channels};
}

static void plain_block_forward(const struct plain_walk *walk, int number, const float *x)
{
    const struct nn_dense *dense = &walk->plain->model->blocks[number].pool;
    struct plain_block *block = &walk->plain->blocks[number];
    size_t size = plain_trunk_size(walk);
    plain_conv_forward(walk, &block->first, x);
    ops_relu_forward(size, block->first.out);
    plain_conv_forward(walk, &block->second, block->first.out);
    plain_add(size, x, block->second.out);
    if (dense->out) {
        struct ops_pool pool = plain_pool(walk);
        ops_pool_forward(&pool, block->first.out, block->pooled);
        plain_dense_forward(walk, dense, block->pooled, block->spread);
        ops_spread_forward(&pool, block->spread, block->second.out);
    }
    ops_relu_forward(size, block->second.out);
}

/* dtrunk: in, gradient of the block's output; out, of its input. */
static void plain_block_backward(const struct plain_walk *walk, int number, const float *x)
{
    struct plain *plain = walk->plain;
    const struct nn_dense *dense = &plain->model->blocks[number].pool;
    struct plain_block *block = &plain->blocks[number];
    struct ops_pool pool = plain_pool(walk);
    size_t size = plain_trunk_size(walk);
    float *dspread = plain->dpooled + (long)walk->count * 2 * pool.channels;
    ops_relu_backward(size, block->second.out, plain->dtrunk);
    if (dense->out) {
        ops_spread_backward(&pool, plain->dtrunk, dspread);
        plain_dense_backward(walk, dense, block->pooled, dspread, plain->dpooled);
    }
    memcpy(plain->dspare, plain->dtrunk, size * sizeof *plain->dspare);
    plain_conv_backward(walk, &block->second, block->first.out, plain->dspare, plain->dinner);
    if (dense->out)
        ops_pool_backward(&pool, block->first.out, block->pooled, plain->dpooled, plain->dinner);
    ops_relu_backward(size, block->first.out, plain->dinner);
    plain_conv_backward(walk, &block->first, x, plain->dinner, plain->dspare);
    plain_add(size, plain->dspare, plain->dtrunk);
}

static const float *plain_block_input(const struct plain *plain, int number)
{
    return number ? plain->blocks[number - 1].second.out : plain->stem.out;
}

static const float *plain_trunk_forward(const struct plain_walk *walk, const float *planes)
{
    struct plain *plain = walk->plain;
    const struct nn_arch *arch = &plain->model->arch;
    nn_planes_last(arch, walk->count, planes, plain->input);
    plain_conv_forward(walk, &plain->stem, plain->input);
    ops_relu_forward(plain_trunk_size(walk), plain->stem.out);
    for (int i = 0; i < arch->blocks; ++i)
        plain_block_forward(walk, i, plain_block_input(plain, i));
    return plain_block_input(plain, arch->blocks);
}

static void plain_trunk_backward(const struct plain_walk *walk)
{
    struct plain *plain = walk->plain;
    for (int i = plain->model->arch.blocks - 1; i >= 0; --i)
        plain_block_backward(walk, i, plain_block_input(plain, i));
    ops_relu_backward(plain_trunk_size(walk), plain->stem.out, plain->dtrunk);
    plain_conv_backward(walk, &plain->stem, plain->input, plain->dtrunk, NULL);
}

/* --- heads --- */

static void plain_head_conv(const struct plain_walk *walk, const struct plain_layer *layer,
                            const float *trunk)
{
    plain_conv_forward(walk, layer, trunk);
    if (layer->conv->relu)
        ops_relu_forward(plain_rows(walk) * (size_t)layer->conv->out, layer->out);
}

/* dhead, of the head's convolution, comes to dtrunk. */
static void plain_head_back(const struct plain_walk *walk, const struct plain_layer *layer,
                            const float *trunk)
{
    struct plain *plain = walk->plain;
    if (layer->conv->relu)
        ops_relu_backward(plain_rows(walk) * (size_t)layer->conv->out, layer->out, plain->dhead);
    plain_conv_backward(walk, layer, trunk, plain->dhead, plain->dspare);
    if (trunk)
        plain_add(plain_trunk_size(walk), plain->dspare, plain->dtrunk);
}

static void plain_heads_forward(const struct plain_walk *walk, const float *trunk)
{
    struct plain *plain = walk->plain;
    const struct nn_model *model = plain->model;
    const struct nn_arch *arch = &model->arch;
    if (arch->actions)
        plain_head_conv(walk, &plain->policy, trunk);
    plain_head_conv(walk, &plain->value, trunk);
    plain_dense_forward(walk, &model->value_hidden, plain->value.out, plain->hidden);
    ops_relu_forward((size_t)walk->count * (size_t)arch->value_hidden, plain->hidden);
    plain_dense_forward(walk, &model->value, plain->hidden, plain->values);
    ops_tanh_forward((size_t)walk->count * (size_t)arch->values, plain->values);
}

static struct ops_pairs plain_pairs(const struct plain *plain, int n, const int32_t *actions)
{
    const struct nn_model *model = plain->model;
    return (struct ops_pairs){nn_arch_cells(&model->arch), model->arch.policy_channels, n, actions,
                              NULL};
}

/* The logits of one position's actions. */
static void plain_logits(const struct plain_walk *walk, int position, int n, const int32_t *actions,
                         float *logits)
{
    struct plain *plain = walk->plain;
    const struct nn_model *model = plain->model;
    const struct nn_arch *arch = &model->arch;
    long cells = nn_arch_cells(arch);
    const float *board = plain->policy.out + position * cells * plain->policy.conv->out;
    if (arch->policy_head == NN_POLICY_FULL) {
        struct ops_rows rows = {model->policy.in, n, actions};
        ops_rows_forward(&rows, board, plain_at(plain, walk->weights, model->policy.weight),
                         plain_at(plain, walk->weights, model->policy.bias), logits);
        return;
    }
    struct ops_pairs pairs = plain_pairs(plain, n, actions);
    float *embed = plain->embed + position * (cells + 1) * 2 * arch->policy_channels;
    pairs.table = plain_at(plain, walk->weights, model->pair_cells);
    memcpy(embed, board, sizeof *embed * (size_t)cells * 2 * (size_t)arch->policy_channels);
    ops_mean_cell_forward(&pairs, embed);
    ops_pairs_forward(&pairs, embed, plain_at(plain, walk->weights, model->pair_bias), logits);
}

static void plain_logits_backward(const struct plain_walk *walk, int position, int n,
                                  const int32_t *actions, const float *dlogits)
{
    struct plain *plain = walk->plain;
    const struct nn_model *model = plain->model;
    const struct nn_arch *arch = &model->arch;
    long cells = nn_arch_cells(arch), wide = plain->policy.conv->out;
    const float *board = plain->policy.out + position * cells * wide;
    float *dboard = plain->dhead + position * cells * wide;
    memset(dboard, 0, sizeof *dboard * (size_t)(cells * wide));
    if (arch->policy_head == NN_POLICY_FULL) {
        struct ops_rows rows = {model->policy.in, n, actions};
        ops_rows_backward(&rows, board, plain_at(plain, walk->weights, model->policy.weight),
                          dlogits, dboard, plain_at(plain, walk->gradients, model->policy.weight),
                          plain_at(plain, walk->gradients, model->policy.bias));
        return;
    }
    struct ops_pairs pairs = plain_pairs(plain, n, actions);
    pairs.table = plain_at(plain, walk->weights, model->pair_cells);
    memset(plain->dembed, 0, sizeof *dboard * (size_t)((cells + 1) * wide));
    ops_pairs_backward(&pairs, plain->embed + position * (cells + 1) * wide, dlogits, plain->dembed,
                       plain_at(plain, walk->gradients, model->pair_bias));
    ops_mean_cell_backward(&pairs, plain->dembed);
    memcpy(dboard, plain->dembed, sizeof *dboard * (size_t)(cells * wide));
}

/* --- losses and what flows back from them --- */

static void plain_policy_learn(const struct plain_walk *walk, const struct nn_head *head,
                               const float *trunk, struct nn_losses *losses)
{
    struct plain *plain = walk->plain;
    const struct nn_lesson *lesson = head->lesson;
    float *logits = plain->dlogits + plain->model->arch.actions;
    for (int i = 0; i < walk->count; ++i) {
        int n = lesson->start[i + 1] - lesson->start[i];
        const int32_t *actions = lesson->actions + lesson->start[i];
        plain_logits(walk, i, n, actions, logits);
        nn_loss_policy(head, i, logits, plain->dlogits, losses);
        plain_logits_backward(walk, i, n, actions, plain->dlogits);
    }
    plain_head_back(walk, &plain->policy, trunk);
}

static void plain_value_learn(const struct plain_walk *walk, const struct nn_head *head,
                              const float *trunk, struct nn_losses *losses)
{
    struct plain *plain = walk->plain;
    const struct nn_model *model = plain->model;
    const struct nn_arch *arch = head->arch;
    size_t hidden = (size_t)walk->count * (size_t)arch->value_hidden;
    for (int i = 0; i < walk->count; ++i)
        nn_loss_value(head, i, plain->values + i * arch->values, plain->dvalues + i * arch->values,
                      losses);
    ops_tanh_backward((size_t)walk->count * (size_t)arch->values, plain->values, plain->dvalues);
    plain_dense_backward(walk, &model->value, plain->hidden, plain->dvalues, plain->dhidden);
    if (arch->score && head->lesson->score) {
        plain_dense_forward(walk, &model->score, plain->hidden, plain->score);
        for (int i = 0; i < walk->count; ++i)
            nn_loss_score(head, i, plain->score + i, plain->dscore + i, losses);
        plain_dense_backward(walk, &model->score, plain->hidden, plain->dscore,
                             plain->dhidden + hidden);
        plain_add(hidden, plain->dhidden + hidden, plain->dhidden);
    }
    ops_relu_backward(hidden, plain->hidden, plain->dhidden);
    plain_dense_backward(walk, &model->value_hidden, plain->value.out, plain->dhidden,
                         plain->dhead);
    plain_head_back(walk, &plain->value, trunk);
}

static void plain_owner_learn(const struct plain_walk *walk, const struct nn_head *head,
                              const float *trunk, struct nn_losses *losses)
{
    struct plain *plain = walk->plain;
    int cells = nn_arch_cells(head->arch);
    plain_head_conv(walk, &plain->owner, trunk);
    ops_tanh_forward(plain_rows(walk), plain->owner.out);
    for (int i = 0; i < walk->count; ++i)
        nn_loss_owner(head, i, plain->owner.out + i * cells, plain->dhead + i * cells, losses);
    ops_tanh_backward(plain_rows(walk), plain->owner.out, plain->dhead);
    plain_head_back(walk, &plain->owner, trunk);
}

/* --- the backend --- */

/* Raw weights, standardised where the norm says so; their gradients start at 0. */
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

/* Running variances follow the unbiased estimate. */
static void plain_unbias(const struct plain_walk *walk)
{
    const struct nn_model *model = walk->plain->model;
    float rows = (float)plain_rows(walk);
    for (int i = 0; i < model->tensor_count; ++i) {
        const struct nn_tensor *tensor = &model->tensors[i];
        if (tensor->role == NN_STATISTIC && strstr(tensor->name, ".variance") && rows > 1)
            for (size_t j = 0; j < tensor->count; ++j)
                walk->gradients[tensor->offset + j] *= rows / (rows - 1);
    }
}

/* The trunk and its way back, here or elsewhere; the heads are between. */
static const float *plain_learn_trunk(const struct plain_walk *walk, const struct nn_lesson *lesson)
{
    struct plain *plain = walk->plain;
    if (!plain->trunk) {
        memset(plain->dtrunk, 0, plain_trunk_size(walk) * sizeof *plain->dtrunk);
        return plain_trunk_forward(walk, lesson->planes);
    }
    struct plain_step step = {walk->count, lesson->planes, walk->weights, walk->params,
                              walk->gradients};
    plain->failed = !plain->trunk->forward(plain->trunk->ctx, &step);
    return NULL;
}

static void plain_learn_trunk_back(const struct plain_walk *walk)
{
    struct plain *plain = walk->plain;
    const struct nn_model *model = plain->model;
    if (!plain->trunk) {
        plain_trunk_backward(walk);
        return;
    }
    bool standardised = model->arch.norm == NN_NORM_WEIGHT;
    if (!plain->trunk->backward(plain->trunk->ctx,
                                standardised ? plain->deffective : walk->gradients))
        plain->failed = true;
    if (!standardised)
        return;
    plain_weight_norm_back(walk, &model->stem);
    for (int i = 0; i < model->arch.blocks; ++i) {
        plain_weight_norm_back(walk, &model->blocks[i].first);
        plain_weight_norm_back(walk, &model->blocks[i].second);
    }
    const struct nn_conv *heads[] = {&model->policy_conv, &model->value_conv, &model->owner};
    for (int i = 0; i < 3; ++i)
        if (heads[i]->out && heads[i]->norm == NN_NORM_WEIGHT)
            plain_weight_norm_back(walk, heads[i]);
}

static enum banyan_status plain_gradients(void *ctx, const float *params,
                                          const struct nn_lesson *lesson, float *gradients,
                                          struct nn_losses *losses, struct banyan_error *err)
{
    struct plain *plain = ctx;
    enum banyan_status status = plain_reserve(plain, lesson->count, true, err);
    if (status != BANYAN_OK)
        return status;
    plain_prepare(plain, params, gradients);
    *losses = (struct nn_losses){.policy = 0};
    struct plain_walk walk = {plain, lesson->count, plain->effective, params, gradients};
    struct nn_head head = {lesson, &plain->model->arch, 1 / (float)lesson->count};
    const float *trunk = plain_learn_trunk(&walk, lesson);
    if (plain->failed)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "the trunk's backend failed");
    plain_heads_forward(&walk, trunk);
    if (head.arch->actions)
        plain_policy_learn(&walk, &head, trunk, losses);
    plain_value_learn(&walk, &head, trunk, losses);
    if (head.arch->owner && lesson->owner)
        plain_owner_learn(&walk, &head, trunk, losses);
    plain_learn_trunk_back(&walk);
    plain_unbias(&walk);
    return plain->failed ? banyan_fail(err, BANYAN_UNSUPPORTED, "the trunk's backend failed")
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
        struct plain_walk walk = {plain, count, plain->folded, plain->folded, NULL};
        const float *trunk = plain_trunk_forward(&walk, request->planes + first * planes);
        plain_heads_forward(&walk, trunk);
        memcpy(request->values + (long)first * arch->values, plain->values,
               sizeof(float) * (size_t)(count * arch->values));
        for (int i = 0; arch->actions && i < count; ++i) {
            int start = request->start[first + i];
            plain_logits(&walk, i, request->start[first + i + 1] - start, request->actions + start,
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

static enum banyan_status plain_open(const struct nn_model *model,
                                     const struct nn_backend_options *options, void **ctx,
                                     struct banyan_error *err)
{
    if (options && options->type[0] && strcmp(options->type, "fp32") != 0)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "backend plain computes in fp32, not in %s",
                           options->type);
    struct plain *plain = calloc(1, sizeof *plain);
    if (!plain)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    plain->model = model;
    plain->ops.kernel = gemm_kernel_best();
    plain->ops.patch_room = plain_patch_room(model);
    plain->ops.space = aligned_alloc(64, sizeof *plain->ops.space);
    plain->ops.patches = nn_block_create(plain->ops.patch_room);
    plain->folded = nn_block_create(model->size);
    plain->effective = nn_block_create(model->size);
    plain->deffective = nn_block_create(model->size);
    snprintf(plain->description, sizeof plain->description, "plain fp32 %s",
             plain->ops.kernel->name);
    if (!plain->ops.space || !plain->ops.patches || !plain->folded || !plain->effective ||
        !plain->deffective) {
        plain_close(plain);
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network of %zu weights",
                           model->size);
    }
    *ctx = plain;
    return BANYAN_OK;
}

static const char *plain_describe(const void *ctx)
{
    return ((const struct plain *)ctx)->description;
}

const struct nn_backend nn_plain = {
    .name = "plain",
    .help = "portable C, the reference; the same bits on every machine",
    .trains = true,
    .open = plain_open,
    .close = plain_close,
    .load = plain_load,
    .forward = plain_forward,
    .gradients = plain_gradients,
    .describe = plain_describe,
};
