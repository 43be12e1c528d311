/* The plain backend's heads: policy, value, owner and score, their losses, and the backward pass.
 */
#include "nn/plain_pass.h"

#include <string.h>

/* --- heads --- */

static void plain_head_conv(const struct plain_pass *pass, const struct plain_layer *layer,
                            const float *trunk)
{
    plain_conv_forward(pass, layer, trunk);
    if (layer->conv->relu)
        ops_relu_forward(plain_rows(pass) * (size_t)layer->conv->out, layer->out);
}

/* Passes dhead, the gradient of a head's convolution, back to dtrunk. */
static void plain_head_back(const struct plain_pass *pass, const struct plain_layer *layer,
                            const float *trunk)
{
    struct plain *plain = pass->plain;
    if (layer->conv->relu)
        ops_relu_backward(plain_rows(pass) * (size_t)layer->conv->out, layer->out, plain->dhead);
    plain_conv_backward(pass, layer, trunk, plain->dhead, plain->dspare);
    if (trunk)
        plain_add(plain_trunk_size(pass), plain->dspare, plain->dtrunk);
}

void plain_heads_forward(const struct plain_pass *pass, const float *trunk)
{
    struct plain *plain = pass->plain;
    const struct nn_model *model = plain->model;
    const struct nn_arch *arch = &model->arch;
    if (arch->actions)
        plain_head_conv(pass, &plain->policy, trunk);
    plain_head_conv(pass, &plain->value, trunk);
    plain_dense_forward(pass, &model->value_hidden, plain->value.out, plain->hidden);
    ops_relu_forward((size_t)pass->count * (size_t)arch->value_hidden, plain->hidden);
    plain_dense_forward(pass, &model->value, plain->hidden, plain->values);
    ops_tanh_forward((size_t)pass->count * (size_t)arch->values, plain->values);
}

static struct ops_pairs plain_pairs(const struct plain *plain, int n, const int32_t *actions)
{
    const struct nn_model *model = plain->model;
    return (struct ops_pairs){nn_arch_cells(&model->arch), model->arch.policy_channels, n, actions,
                              NULL};
}

/* The logits of one position's actions. */
void plain_logits(const struct plain_pass *pass, int position, int n, const int32_t *actions,
                  float *logits)
{
    struct plain *plain = pass->plain;
    const struct nn_model *model = plain->model;
    const struct nn_arch *arch = &model->arch;
    long cells = nn_arch_cells(arch);
    const float *board = plain->policy.out + position * cells * plain->policy.conv->out;
    if (arch->policy_head == NN_POLICY_FULL) {
        struct ops_rows rows = {model->policy.in, n, actions};
        ops_rows_forward(&rows, board, plain_at(plain, pass->weights, model->policy.weight),
                         plain_at(plain, pass->weights, model->policy.bias), logits);
        return;
    }
    struct ops_pairs pairs = plain_pairs(plain, n, actions);
    float *embed = plain->embed + position * (cells + 1) * 2 * arch->policy_channels;
    pairs.table = plain_at(plain, pass->weights, model->pair_cells);
    memcpy(embed, board, sizeof *embed * (size_t)cells * 2 * (size_t)arch->policy_channels);
    ops_mean_cell_forward(&pairs, embed);
    ops_pairs_forward(&pairs, embed, plain_at(plain, pass->weights, model->pair_bias), logits);
}

static void plain_logits_backward(const struct plain_pass *pass, int position, int n,
                                  const int32_t *actions, const float *dlogits)
{
    struct plain *plain = pass->plain;
    const struct nn_model *model = plain->model;
    const struct nn_arch *arch = &model->arch;
    long cells = nn_arch_cells(arch), wide = plain->policy.conv->out;
    const float *board = plain->policy.out + position * cells * wide;
    float *dboard = plain->dhead + position * cells * wide;
    memset(dboard, 0, sizeof *dboard * (size_t)(cells * wide));
    if (arch->policy_head == NN_POLICY_FULL) {
        struct ops_rows rows = {model->policy.in, n, actions};
        ops_rows_backward(
            &rows, board, plain_at(plain, pass->weights, model->policy.weight),
            &(struct ops_back){.dy = dlogits,
                               .dx = dboard,
                               .dweight = plain_at(plain, pass->gradients, model->policy.weight),
                               .dbias = plain_at(plain, pass->gradients, model->policy.bias)});
        return;
    }
    struct ops_pairs pairs = plain_pairs(plain, n, actions);
    pairs.table = plain_at(plain, pass->weights, model->pair_cells);
    memset(plain->dembed, 0, sizeof *dboard * (size_t)((cells + 1) * wide));
    ops_pairs_backward(&pairs, plain->embed + position * (cells + 1) * wide, dlogits, plain->dembed,
                       plain_at(plain, pass->gradients, model->pair_bias));
    ops_mean_cell_backward(&pairs, plain->dembed);
    memcpy(dboard, plain->dembed, sizeof *dboard * (size_t)(cells * wide));
}

/* --- losses and their gradients --- */

void plain_policy_learn(const struct plain_pass *pass, const struct nn_head *head,
                        const float *trunk, struct nn_losses *losses)
{
    struct plain *plain = pass->plain;
    const struct nn_batch *batch = head->batch;
    float *logits = plain->dlogits + plain->model->arch.actions;
    for (int i = 0; i < pass->count; ++i) {
        int n = batch->start[i + 1] - batch->start[i];
        const int32_t *actions = batch->actions + batch->start[i];
        plain_logits(pass, i, n, actions, logits);
        nn_loss_policy(head, i, logits, plain->dlogits, losses);
        plain_logits_backward(pass, i, n, actions, plain->dlogits);
    }
    plain_head_back(pass, &plain->policy, trunk);
}

void plain_value_learn(const struct plain_pass *pass, const struct nn_head *head,
                       const float *trunk, struct nn_losses *losses)
{
    struct plain *plain = pass->plain;
    const struct nn_model *model = plain->model;
    const struct nn_arch *arch = head->arch;
    size_t hidden = (size_t)pass->count * (size_t)arch->value_hidden;
    for (int i = 0; i < pass->count; ++i)
        nn_loss_value(head, i, plain->values + i * arch->values, plain->dvalues + i * arch->values,
                      losses);
    ops_tanh_backward((size_t)pass->count * (size_t)arch->values, plain->values, plain->dvalues);
    plain_dense_backward(pass, &model->value, plain->hidden, plain->dvalues, plain->dhidden);
    if (arch->score && head->batch->score) {
        plain_dense_forward(pass, &model->score, plain->hidden, plain->score);
        for (int i = 0; i < pass->count; ++i)
            nn_loss_score(head, i, plain->score + i, plain->dscore + i, losses);
        plain_dense_backward(pass, &model->score, plain->hidden, plain->dscore,
                             plain->dhidden + hidden);
        plain_add(hidden, plain->dhidden + hidden, plain->dhidden);
    }
    ops_relu_backward(hidden, plain->hidden, plain->dhidden);
    plain_dense_backward(pass, &model->value_hidden, plain->value.out, plain->dhidden,
                         plain->dhead);
    plain_head_back(pass, &plain->value, trunk);
}

void plain_owner_learn(const struct plain_pass *pass, const struct nn_head *head,
                       const float *trunk, struct nn_losses *losses)
{
    struct plain *plain = pass->plain;
    int cells = nn_arch_cells(head->arch);
    plain_head_conv(pass, &plain->owner, trunk);
    ops_tanh_forward(plain_rows(pass), plain->owner.out);
    for (int i = 0; i < pass->count; ++i)
        nn_loss_owner(head, i, plain->owner.out + i * cells, plain->dhead + i * cells, losses);
    ops_tanh_backward(plain_rows(pass), plain->owner.out, plain->dhead);
    plain_head_back(pass, &plain->owner, trunk);
}
