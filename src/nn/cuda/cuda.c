/* The backend on CUDA devices: the trunk is computed on the device (<nn/cuda/trunk.h>), the small
 * last layers on the host, as in the other backends.  Weights are exchanged as fp32 tensors. */
#include "nn/cuda/trunk.h"
#include "nn/heads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CUDA_BATCH = 512 }; /* positions of one forward pass */

struct cuda {
    const struct nn_model *model;
    struct device device;
    enum kernels_type type;
    float *folded;
    struct trunk *trunk;   /* for searches */
    struct trunk *learner; /* for training; made when first needed */
    void *plain;           /* the plain backend's context, which trains with learner */
    struct nn_heads heads;
    float *policy, *value; /* [CUDA_BATCH][cells][channels] */
    char description[192];
};

/* --- search --- */

/* The first convolution of a head, with bias and ReLU. */
static bool cuda_head(struct cuda *cuda, const struct nn_conv *conv, int count, float *out)
{
    const float *bias = cuda->folded + cuda->model->tensors[conv->bias].offset;
    size_t rows = (size_t)count * (size_t)nn_arch_cells(&cuda->model->arch);
    if (!trunk_head(cuda->trunk, conv, cuda->folded, out))
        return false;
    for (size_t row = 0; row < rows; ++row)
        for (int o = 0; o < conv->out; ++o, ++out) {
            *out += bias[o];
            if (conv->relu && *out < 0)
                *out = 0;
        }
    return true;
}

static enum banyan_status cuda_forward(void *ctx, const struct nn_request *request,
                                       struct banyan_error *err)
{
    struct cuda *cuda = ctx;
    const struct nn_model *model = cuda->model;
    size_t planes = (size_t)model->arch.planes * (size_t)nn_arch_cells(&model->arch);
    for (int first = 0; first < request->count; first += CUDA_BATCH) {
        int left = request->count - first, count = left < CUDA_BATCH ? left : CUDA_BATCH;
        if (!trunk_forward(cuda->trunk, count, request->planes + (size_t)first * planes) ||
            (model->arch.actions && !cuda_head(cuda, &model->policy_conv, count, cuda->policy)) ||
            !cuda_head(cuda, &model->value_conv, count, cuda->value))
            return device_failed("forward", err);
        nn_heads_answer(&cuda->heads, request, first, count, cuda->policy, cuda->value);
    }
    return BANYAN_OK;
}

static enum banyan_status cuda_load(void *ctx, const float *params, struct banyan_error *err)
{
    struct cuda *cuda = ctx;
    nn_fold(cuda->model, params, cuda->folded);
    return trunk_load(cuda->trunk, cuda->folded) ? BANYAN_OK : device_failed("weights", err);
}

/* --- training --- */

/* A training step always computes in fp32: in bf16 its gradients would have an error of up to a
 * tenth (measured on an H100), and a step would only take a third less time. */
static enum banyan_status cuda_learn_begin(struct cuda *cuda, struct banyan_error *err)
{
    enum banyan_status status =
        trunk_create(&cuda->learner, &cuda->device, cuda->model, KERNELS_FP32, true, err);
    if (status == BANYAN_OK)
        status = nn_plain.open(cuda->model, NULL, &cuda->plain, err);
    if (status == BANYAN_OK)
        nn_plain_trunk(cuda->plain, trunk_plain(cuda->learner));
    return status;
}

static enum banyan_status cuda_gradients(void *ctx, const float *params,
                                         const struct nn_batch *batch, float *gradients,
                                         struct nn_losses *losses, struct banyan_error *err)
{
    struct cuda *cuda = ctx;
    enum banyan_status status = cuda->plain ? BANYAN_OK : cuda_learn_begin(cuda, err);
    if (status != BANYAN_OK)
        return status;
    return nn_plain.gradients(cuda->plain, params, batch, gradients, losses, err);
}

/* --- opening --- */

static void cuda_close(void *ctx)
{
    struct cuda *cuda = ctx;
    if (cuda->plain)
        nn_plain.close(cuda->plain);
    trunk_destroy(cuda->learner);
    trunk_destroy(cuda->trunk);
    nn_heads_close(&cuda->heads);
    device_close(&cuda->device);
    free(cuda->folded);
    free(cuda->policy);
    free(cuda->value);
    free(cuda);
}

static enum banyan_status cuda_choose(struct cuda *cuda, const char *type, struct banyan_error *err)
{
    if (*type && strcmp(type, "fp32") != 0 && strcmp(type, "bf16") != 0)
        return banyan_fail(err, BANYAN_INVALID, "type=%s: cuda has fp32 and bf16", type);
    cuda->type = strcmp(type, "fp32") == 0 ? KERNELS_FP32 : KERNELS_BF16;
    bool wide = cuda->type == KERNELS_FP32;
    snprintf(cuda->description, sizeof cuda->description, "cuda %s %s%s", wide ? "fp32" : "bf16",
             cuda->device.name, wide ? "" : "; trains in fp32");
    return BANYAN_OK;
}

static enum banyan_status cuda_allocate(struct cuda *cuda, struct banyan_error *err)
{
    const struct nn_model *model = cuda->model;
    size_t rows = (size_t)CUDA_BATCH * (size_t)nn_arch_cells(&model->arch);
    cuda->folded = nn_block_create(model->size);
    cuda->policy = nn_block_create(rows * (size_t)model->policy_conv.out);
    cuda->value = nn_block_create(rows * (size_t)model->value_conv.out);
    if (!cuda->folded || !cuda->policy || !cuda->value)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    enum banyan_status status = nn_heads_open(&cuda->heads, model, cuda->folded, CUDA_BATCH, err);
    if (status == BANYAN_OK)
        status = trunk_create(&cuda->trunk, &cuda->device, model, cuda->type, false, err);
    return status;
}

static enum banyan_status cuda_open(const struct nn_model *model,
                                    const struct nn_backend_options *options, void **ctx,
                                    struct banyan_error *err)
{
    struct cuda *cuda = calloc(1, sizeof *cuda);
    if (!cuda)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    cuda->model = model;
    enum banyan_status status = device_open(&cuda->device, err);
    if (status == BANYAN_OK)
        status = cuda_choose(cuda, options ? options->type : "", err);
    if (status == BANYAN_OK)
        status = cuda_allocate(cuda, err);
    if (status != BANYAN_OK) {
        cuda_close(cuda);
        return status;
    }
    *ctx = cuda;
    return BANYAN_OK;
}

static const char *cuda_describe(const void *ctx)
{
    return ((const struct cuda *)ctx)->description;
}

extern const struct nn_backend banyan_nn_cuda;
const struct nn_backend banyan_nn_cuda = {
    .name = "cuda",
    .help = "CUDA devices, with cuDNN and cuBLAS: fp32; bf16 for searches",
    .trains = true,
    .open = cuda_open,
    .close = cuda_close,
    .load = cuda_load,
    .forward = cuda_forward,
    .gradients = cuda_gradients,
    .describe = cuda_describe,
};
