/* What backends have in common: losses of the heads, layouts of planes, folding of norms. */
#include "nn/backend.h"

#include "base/numeric.h"
#include "nn/ops.h"

#include <math.h>
#include <string.h>

void nn_loss_policy(const struct nn_head *head, int position, const float *logits, float *dlogits,
                    struct nn_losses *losses)
{
    const struct nn_batch *batch = head->batch;
    int start = batch->start[position], n = batch->start[position + 1] - start;
    float weight = batch->policy_weight[position];
    const float *target = batch->policy + start;
    double loss = ops_softmax_loss(n, logits, target, weight * head->weight, dlogits);
    losses->policy += weight * loss;
    losses->policy_positions += weight;
    for (int i = 0; i < n; ++i)
        if (target[i] > 0 && target[i] < 1)
            losses->entropy -= (double)(weight * target[i]) * numeric_ln(target[i]);
}

void nn_loss_value(const struct nn_head *head, int position, const float *values, float *dvalues,
                   struct nn_losses *losses)
{
    int n = head->arch->values;
    losses->value += ops_square_loss(n, values, head->batch->values + (long)position * n,
                                     head->weight * head->batch->value_weight, dvalues);
    losses->positions += 1;
}

void nn_loss_owner(const struct nn_head *head, int position, const float *owner, float *downer,
                   struct nn_losses *losses)
{
    int cells = nn_arch_cells(head->arch);
    float weight = head->weight * head->batch->owner_weight / (float)cells;
    losses->owner +=
        ops_square_loss(cells, owner, head->batch->owner + (long)position * cells, weight, downer) /
        cells;
}

void nn_loss_score(const struct nn_head *head, int position, const float *score, float *dscore,
                   struct nn_losses *losses)
{
    losses->score += ops_square_loss(1, score, head->batch->score + position,
                                     head->weight * head->batch->score_weight, dscore);
}

void nn_planes_last(const struct nn_arch *arch, int count, const float *planes, float *out)
{
    int cells = nn_arch_cells(arch);
    for (int n = 0; n < count; ++n, planes += (long)cells * arch->planes)
        for (int cell = 0; cell < cells; ++cell)
            for (int plane = 0; plane < arch->planes; ++plane)
                *out++ = planes[(long)plane * cells + cell];
}

/* --- folding --- */

static void fold_conv(const struct nn_model *model, const struct nn_conv *conv, const float *params,
                      float *folded)
{
    if (!conv->out || conv->norm == NN_NORM_NONE)
        return;
    const struct nn_tensor *tensors = model->tensors;
    int fan = conv->kernel * conv->kernel * conv->in;
    const float *gain = params + tensors[conv->gain].offset;
    float *weight = folded + tensors[conv->weight].offset;
    if (conv->norm == NN_NORM_WEIGHT) {
        ops_weight_norm_forward(conv->out, fan, params + tensors[conv->weight].offset, gain,
                                weight);
        return;
    }
    const float *mean = params + tensors[conv->mean].offset;
    const float *variance = params + tensors[conv->variance].offset;
    float *bias = folded + tensors[conv->bias].offset;
    for (int o = 0; o < conv->out; ++o) {
        float scale = gain[o] / sqrtf(variance[o] + OPS_NORM_EPSILON);
        for (int i = 0; i < fan; ++i)
            weight[o * fan + i] *= scale;
        bias[o] -= mean[o] * scale;
    }
}

void nn_fold(const struct nn_model *model, const float *params, float *folded)
{
    memcpy(folded, params, model->size * sizeof *folded);
    fold_conv(model, &model->stem, params, folded);
    for (int i = 0; i < model->arch.blocks; ++i) {
        fold_conv(model, &model->blocks[i].first, params, folded);
        fold_conv(model, &model->blocks[i].second, params, folded);
    }
    fold_conv(model, &model->policy_conv, params, folded);
    fold_conv(model, &model->value_conv, params, folded);
    fold_conv(model, &model->owner, params, folded);
}
