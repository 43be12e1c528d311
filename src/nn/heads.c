/* The last layers of policy and value, computed on the host for the backends onednn and cuda. */
#include "nn/heads.h"

#include <stdlib.h>
#include <string.h>

enum banyan_status nn_heads_open(struct nn_heads *heads, const struct nn_model *model,
                                 const float *folded, int room, struct banyan_error *err)
{
    const struct nn_arch *arch = &model->arch;
    size_t cells = (size_t)nn_arch_cells(arch);
    *heads = (struct nn_heads){.model = model, .folded = folded, .room = room};
    heads->hidden = nn_block_create((size_t)room * (size_t)arch->value_hidden);
    heads->embed = nn_block_create((cells + 1) * 2 * (size_t)arch->policy_channels);
    heads->ops.kernel = gemm_kernel_best();
    heads->ops.space = aligned_alloc(64, sizeof *heads->ops.space);
    if (heads->hidden && heads->embed && heads->ops.space)
        return BANYAN_OK;
    nn_heads_close(heads);
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
}

void nn_heads_close(struct nn_heads *heads)
{
    free(heads->hidden);
    free(heads->embed);
    free(heads->ops.space);
    memset(heads, 0, sizeof *heads);
}

static const float *heads_param(const struct nn_heads *heads, int tensor)
{
    return heads->folded + heads->model->tensors[tensor].offset;
}

static void heads_values(struct nn_heads *heads, int count, const float *value, float *values)
{
    const struct nn_model *model = heads->model;
    const struct nn_dense *layers[] = {&model->value_hidden, &model->value};
    const float *in[] = {value, heads->hidden};
    float *out[] = {heads->hidden, values};
    for (int i = 0; i < 2; ++i) {
        struct ops_dense shape = {count, layers[i]->in, layers[i]->out};
        ops_dense_forward(&heads->ops, &shape, in[i], heads_param(heads, layers[i]->weight),
                          heads_param(heads, layers[i]->bias), out[i]);
        size_t n = (size_t)count * (size_t)layers[i]->out;
        (i ? ops_tanh_forward : ops_relu_forward)(n, out[i]);
    }
}

/* The logits of one position from its board. */
static void heads_logits(struct nn_heads *heads, const float *board, int n, const int32_t *actions,
                         float *logits)
{
    const struct nn_model *model = heads->model;
    const struct nn_arch *arch = &model->arch;
    size_t cells = (size_t)nn_arch_cells(arch), wide = (size_t)model->policy_conv.out;
    if (arch->policy_head == NN_POLICY_FULL) {
        struct ops_rows rows = {model->policy.in, n, actions};
        ops_rows_forward(&rows, board, heads_param(heads, model->policy.weight),
                         heads_param(heads, model->policy.bias), logits);
        return;
    }
    struct ops_pairs pairs = {(int)cells, arch->policy_channels, n, actions,
                              heads_param(heads, model->pair_cells)};
    memcpy(heads->embed, board, sizeof *board * cells * wide);
    ops_mean_cell_forward(&pairs, heads->embed);
    ops_pairs_forward(&pairs, heads->embed, heads_param(heads, model->pair_bias), logits);
}

void nn_heads_answer(struct nn_heads *heads, const struct nn_request *request, int first, int count,
                     const float *policy, const float *value)
{
    const struct nn_arch *arch = &heads->model->arch;
    size_t board = (size_t)nn_arch_cells(arch) * (size_t)heads->model->policy_conv.out;
    heads_values(heads, count, value, request->values + (size_t)first * (size_t)arch->values);
    for (int i = 0; arch->actions && i < count; ++i) {
        int start = request->start[first + i];
        heads_logits(heads, policy + (size_t)i * board, request->start[first + i + 1] - start,
                     request->actions + start, request->logits + start);
    }
}
