/* Lays out the parameters of a network in one block, and sets their first values. */
#include "nn/model.h"

#include "base/numeric.h"
#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- layout of the tensors --- */

static int model_add(struct nn_model *model, const char *layer, const char *part, enum nn_role role,
                     int dims, const int shape[])
{
    assert(model->tensor_count < NN_MAX_TENSORS);
    struct nn_tensor *tensor = &model->tensors[model->tensor_count];
    snprintf(tensor->name, sizeof tensor->name, "%s.%s", layer, part);
    tensor->dims = dims;
    tensor->role = role;
    tensor->count = 1;
    for (int i = 0; i < dims; ++i) {
        tensor->shape[i] = shape[i];
        tensor->count *= (size_t)shape[i];
    }
    tensor->offset = model->size;
    model->size += (tensor->count + 15) & ~(size_t)15; /* every tensor begins a cache line */
    return model->tensor_count++;
}

static int model_add_vector(struct nn_model *model, const char *layer, const char *part,
                            enum nn_role role, int length)
{
    return model_add(model, layer, part, role, 1, &length);
}

static struct nn_conv model_conv(struct nn_model *model, const char *layer, int in, int out,
                                 int kernel)
{
    bool head = kernel == 1;
    struct nn_conv conv = {.in = in,
                           .out = out,
                           .kernel = kernel,
                           .norm = head && !model->arch.head_norm ? NN_NORM_NONE : model->arch.norm,
                           .relu = true,
                           .gain = -1,
                           .mean = -1,
                           .variance = -1};
    int shape[] = {out, kernel, kernel, in};
    conv.weight = model_add(model, layer, "weight", NN_WEIGHT, 4, shape);
    model->tensors[conv.weight].spread =
        conv.norm == NN_NORM_WEIGHT ? 1 : sqrtf(2 / (float)(kernel * kernel * in));
    conv.bias = model_add_vector(model, layer, "bias", NN_BIAS, out);
    if (conv.norm != NN_NORM_NONE) {
        conv.gain = model_add_vector(model, layer, "gain", NN_BIAS, out);
        /* a ReLU halves the mean square of the layer's output; this gain makes up for that */
        model->tensors[conv.gain].start = conv.norm == NN_NORM_WEIGHT ? 1.41421356f : 1;
    }
    if (conv.norm == NN_NORM_BATCH) {
        conv.mean = model_add_vector(model, layer, "mean", NN_STATISTIC, out);
        conv.variance = model_add_vector(model, layer, "variance", NN_STATISTIC, out);
        model->tensors[conv.variance].start = 1;
    }
    return conv;
}

static struct nn_dense model_dense(struct nn_model *model, const char *layer, int in, int out)
{
    int shape[] = {out, in};
    struct nn_dense dense = {.in = in, .out = out};
    dense.weight = model_add(model, layer, "weight", NN_WEIGHT, 2, shape);
    dense.bias = model_add_vector(model, layer, "bias", NN_BIAS, out);
    model->tensors[dense.weight].spread = sqrtf(1 / (float)in);
    return dense;
}

/* Makes the second convolution of a block give zeros at the start, so that a new deep network
 * computes the same as a shallow one. */
static void model_quiet(struct nn_model *model, const struct nn_conv *conv)
{
    model->tensors[conv->gain >= 0 ? conv->gain : conv->weight].start = 0;
    if (conv->gain < 0)
        model->tensors[conv->weight].spread = 0;
}

static struct nn_block model_block(struct nn_model *model, int number)
{
    const struct nn_arch *arch = &model->arch;
    struct nn_block block = {.pool = {.out = 0}};
    char layer[NN_NAME_MAX - 16];
    snprintf(layer, sizeof layer, "block%d.first", number);
    block.first = model_conv(model, layer, arch->channels, arch->channels, 3);
    snprintf(layer, sizeof layer, "block%d.second", number);
    block.second = model_conv(model, layer, arch->channels, arch->channels, 3);
    block.second.relu = false; /* the ReLU comes after the sum */
    model_quiet(model, &block.second);
    if (arch->pool && (number + 1) % arch->pool == 0) {
        snprintf(layer, sizeof layer, "block%d.pool", number);
        block.pool = model_dense(model, layer, 2 * arch->channels, arch->channels);
        model->tensors[block.pool.weight].spread = 0;
    }
    return block;
}

static void model_policy(struct nn_model *model)
{
    const struct nn_arch *arch = &model->arch;
    int cells = nn_arch_cells(arch);
    if (arch->policy_head == NN_POLICY_FULL) {
        model->policy_conv =
            model_conv(model, "policy.conv", arch->channels, arch->policy_channels, 1);
        model->policy =
            model_dense(model, "policy.full", cells * arch->policy_channels, arch->actions);
        model->tensors[model->policy.weight].spread *= 0.1f; /* so that the policy is almost
                                                              * uniform at the start */
        return;
    }
    model->policy_conv =
        model_conv(model, "policy.embed", arch->channels, 2 * arch->policy_channels, 1);
    model->policy_conv.relu = false;
    model->pair_bias = model_add_vector(model, "policy.pairs", "bias", NN_BIAS, arch->actions);
    int shape[] = {arch->actions, 2};
    model->pair_cells = model_add(model, "policy.pairs", "cells", NN_TABLE, 2, shape);
}

static void model_value(struct nn_model *model)
{
    const struct nn_arch *arch = &model->arch;
    int cells = nn_arch_cells(arch);
    model->value_conv = model_conv(model, "value.conv", arch->channels, arch->value_channels, 1);
    model->value_hidden =
        model_dense(model, "value.hidden", cells * arch->value_channels, arch->value_hidden);
    model->tensors[model->value_hidden.weight].spread *= 1.41421356f;
    model->value = model_dense(model, "value.out", arch->value_hidden, arch->values);
    if (arch->score)
        model->score = model_dense(model, "score.out", arch->value_hidden, 1);
    if (arch->owner) {
        model->owner = model_conv(model, "owner.conv", arch->channels, 1, 1);
        model->owner.relu = false;
    }
}

enum banyan_status nn_model_build(struct nn_model *model, const struct nn_arch *arch,
                                  struct banyan_error *err)
{
    memset(model, 0, sizeof *model);
    enum banyan_status status = nn_arch_check(arch, err);
    if (status != BANYAN_OK)
        return status;
    model->arch = *arch;
    model->pair_cells = model->pair_bias = -1;
    model->stem = model_conv(model, "stem", arch->planes, arch->channels, 3);
    for (int i = 0; i < arch->blocks; ++i)
        model->blocks[i] = model_block(model, i);
    if (arch->actions)
        model_policy(model);
    model_value(model);
    return BANYAN_OK;
}

const struct nn_tensor *nn_model_find(const struct nn_model *model, const char *name)
{
    for (int i = 0; i < model->tensor_count; ++i)
        if (strcmp(model->tensors[i].name, name) == 0)
            return &model->tensors[i];
    return NULL;
}

/* --- the weights of a new network --- */

float *nn_block_create(size_t size)
{
    size_t bytes = (size * sizeof(float) + 63) & ~(size_t)63;
    float *block = aligned_alloc(64, bytes ? bytes : 64);
    if (block)
        memset(block, 0, bytes);
    return block;
}

/* A standard normal number, by Marsaglia's polar method. */
static double model_normal(struct banyan_rng *rng)
{
    for (;;) {
        double u = 2 * rng_unit(rng) - 1, v = 2 * rng_unit(rng) - 1, s = u * u + v * v;
        if (s > 0 && s < 1)
            return u * sqrt(-2 * numeric_ln(s) / s);
    }
}

void nn_model_start(const struct nn_model *model, float *params, uint64_t seed)
{
    memset(params, 0, model->size * sizeof *params);
    for (int i = 0; i < model->tensor_count; ++i) {
        const struct nn_tensor *tensor = &model->tensors[i];
        struct banyan_rng rng;
        banyan_rng_seed(&rng, banyan_rng_child(seed, tensor->name, 0));
        for (size_t j = 0; j < tensor->count; ++j)
            params[tensor->offset + j] =
                tensor->spread > 0 ? tensor->spread * (float)model_normal(&rng) : tensor->start;
    }
}

/* Writes every rectangle as its two corner cells, row by row, at most `room` of them.  Returns the
 * number of rectangles that have at least `least` cells. */
static int model_corners(const struct nn_arch *arch, int least, int room, float *table)
{
    int next = 0, cells = nn_arch_cells(arch);
    for (int corner = 0; corner < cells; ++corner)
        for (int other = corner; other < cells; ++other) {
            int top = corner / arch->width, left = corner % arch->width;
            int bottom = other / arch->width, right = other % arch->width;
            if (right < left || (bottom - top + 1) * (right - left + 1) < least)
                continue;
            if (next < room) {
                table[2 * next] = (float)corner;
                table[2 * next + 1] = (float)other;
            }
            ++next;
        }
    return next;
}

/* Writes the two ends of each left side, for games whose actions give only top, bottom and left,
 * because the position determines the right side. */
static int model_sides(const struct nn_arch *arch, int room, float *table)
{
    int next = 0;
    for (int top = 0; top < arch->height; ++top)
        for (int bottom = top; bottom < arch->height; ++bottom)
            for (int left = 0; left < arch->width && next < room; ++left, ++next) {
                table[2 * next] = (float)(top * arch->width + left);
                table[2 * next + 1] = (float)(bottom * arch->width + left);
            }
    return next;
}

enum banyan_status nn_model_rectangles(const struct nn_model *model, int least, float *params,
                                       struct banyan_error *err)
{
    const struct nn_arch *arch = &model->arch;
    float *table = params + model->tensors[model->pair_cells].offset;
    int sides = arch->height * (arch->height + 1) / 2 * arch->width;
    int next = model_corners(arch, least, arch->actions, table);
    if (next > arch->actions && (arch->actions == sides || arch->actions == sides + 1))
        next = model_sides(arch, arch->actions, table);
    if (next > arch->actions)
        return banyan_fail(err, BANYAN_INVALID,
                           "a %dx%d board has more rectangles than the policy's %d actions",
                           arch->height, arch->width, arch->actions);
    for (; next < arch->actions; ++next)
        table[2 * next] = table[2 * next + 1] = (float)nn_arch_cells(arch);
    return BANYAN_OK;
}

/* --- number of operations --- */

static double model_conv_flops(const struct nn_model *model, const struct nn_conv *conv)
{
    return 2.0 * nn_arch_cells(&model->arch) * conv->kernel * conv->kernel * conv->in * conv->out;
}

double nn_model_flops(const struct nn_model *model)
{
    const struct nn_dense *dense[] = {&model->policy, &model->value_hidden, &model->value,
                                      &model->score};
    const struct nn_conv *convs[] = {&model->stem, &model->policy_conv, &model->value_conv,
                                     &model->owner};
    double flops = 0;
    for (int i = 0; i < 4; ++i) {
        flops += 2.0 * dense[i]->in * dense[i]->out;
        flops += model_conv_flops(model, convs[i]);
    }
    for (int i = 0; i < model->arch.blocks; ++i) {
        const struct nn_block *block = &model->blocks[i];
        flops += model_conv_flops(model, &block->first) + model_conv_flops(model, &block->second) +
                 2.0 * block->pool.in * block->pool.out;
    }
    if (model->arch.policy_head == NN_POLICY_PAIRS)
        flops += 2.0 * model->arch.actions * model->arch.policy_channels;
    return flops;
}
