/* 3x3 convolutions by cuDNN, forward and backward. */
#include "nn/cuda/convolve.h"

#include <string.h>

/* Algorithms that need more memory are not used. */
static const size_t convolve_room_max = (size_t)512 << 20;

enum { CONVOLVE_CANDIDATES = 8 };

static bool convolve_good(cudnnStatus_t status)
{
    return status == CUDNN_STATUS_SUCCESS;
}

static bool convolve_describe(struct convolve *c, cudnnDataType_t type)
{
    const struct convolve_shape *s = &c->shape;
    return convolve_good(cudnnCreateTensorDescriptor(&c->x)) &&
           convolve_good(cudnnCreateTensorDescriptor(&c->y)) &&
           convolve_good(cudnnCreateFilterDescriptor(&c->weights)) &&
           convolve_good(cudnnCreateConvolutionDescriptor(&c->conv)) &&
           convolve_good(cudnnSetTensor4dDescriptor(c->x, CUDNN_TENSOR_NHWC, type, s->count, s->in,
                                                    s->height, s->width)) &&
           convolve_good(cudnnSetTensor4dDescriptor(c->y, CUDNN_TENSOR_NHWC, type, s->count, s->out,
                                                    s->height, s->width)) &&
           convolve_good(cudnnSetFilter4dDescriptor(c->weights, type, CUDNN_TENSOR_NHWC, s->out,
                                                    s->in, 3, 3)) &&
           convolve_good(cudnnSetConvolution2dDescriptor(
               c->conv, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT)) &&
           /* without this call cuDNN may round fp32 to TF32 */
           convolve_good(cudnnSetConvolutionMathType(
               c->conv, type == CUDNN_DATA_FLOAT ? CUDNN_FMA_MATH : CUDNN_TENSOR_OP_MATH));
}

static void convolve_grow(struct convolve *c, size_t bytes)
{
    if (bytes > c->room)
        c->room = bytes;
}

/* Chooses the first algorithm of cuDNN's heuristics that fits in the memory and gives the same
 * result every time.  The functions for the three passes differ only in types. */
static bool convolve_choose_forward(struct convolve *c, cudnnHandle_t dnn)
{
    cudnnConvolutionFwdAlgoPerf_t found[CONVOLVE_CANDIDATES];
    int count = 0;
    if (!convolve_good(cudnnGetConvolutionForwardAlgorithm_v7(dnn, c->x, c->weights, c->conv, c->y,
                                                              CONVOLVE_CANDIDATES, &count, found)))
        return false;
    for (int i = 0; i < count; ++i)
        if (convolve_good(found[i].status) && found[i].memory <= convolve_room_max &&
            found[i].determinism == CUDNN_DETERMINISTIC) {
            c->forward = found[i].algo;
            convolve_grow(c, found[i].memory);
            return true;
        }
    return false;
}

static bool convolve_choose_data(struct convolve *c, cudnnHandle_t dnn)
{
    cudnnConvolutionBwdDataAlgoPerf_t found[CONVOLVE_CANDIDATES];
    int count = 0;
    if (!convolve_good(cudnnGetConvolutionBackwardDataAlgorithm_v7(
            dnn, c->weights, c->y, c->conv, c->x, CONVOLVE_CANDIDATES, &count, found)))
        return false;
    for (int i = 0; i < count; ++i)
        if (convolve_good(found[i].status) && found[i].memory <= convolve_room_max &&
            found[i].determinism == CUDNN_DETERMINISTIC) {
            c->data = found[i].algo;
            convolve_grow(c, found[i].memory);
            return true;
        }
    return false;
}

static bool convolve_choose_weights(struct convolve *c, cudnnHandle_t dnn)
{
    cudnnConvolutionBwdFilterAlgoPerf_t found[CONVOLVE_CANDIDATES];
    int count = 0;
    if (!convolve_good(cudnnGetConvolutionBackwardFilterAlgorithm_v7(
            dnn, c->x, c->y, c->conv, c->weights, CONVOLVE_CANDIDATES, &count, found)))
        return false;
    for (int i = 0; i < count; ++i)
        if (convolve_good(found[i].status) && found[i].memory <= convolve_room_max &&
            found[i].determinism == CUDNN_DETERMINISTIC) {
            c->back = found[i].algo;
            convolve_grow(c, found[i].memory);
            return true;
        }
    return false;
}

bool convolve_create(struct convolve *convolve, const struct device *device,
                     const struct convolve_shape *shape, enum kernels_type type, bool learning)
{
    memset(convolve, 0, sizeof *convolve);
    convolve->shape = *shape;
    bool good = convolve_describe(convolve,
                                  type == KERNELS_FP32 ? CUDNN_DATA_FLOAT : CUDNN_DATA_BFLOAT16) &&
                convolve_choose_forward(convolve, device->dnn);
    if (good && learning)
        good = convolve_choose_data(convolve, device->dnn) &&
               convolve_choose_weights(convolve, device->dnn);
    if (!good)
        convolve_destroy(convolve);
    return good;
}

void convolve_destroy(struct convolve *convolve)
{
    if (convolve->x)
        cudnnDestroyTensorDescriptor(convolve->x);
    if (convolve->y)
        cudnnDestroyTensorDescriptor(convolve->y);
    if (convolve->weights)
        cudnnDestroyFilterDescriptor(convolve->weights);
    if (convolve->conv)
        cudnnDestroyConvolutionDescriptor(convolve->conv);
    memset(convolve, 0, sizeof *convolve);
}

bool convolve_run(const struct convolve *c, const struct device *device, enum convolve_pass pass,
                  const struct convolve_run *run)
{
    const float one = 1, zero = 0;
    switch (pass) {
    case CONVOLVE_FORWARD:
        return convolve_good(cudnnConvolutionForward(
            device->dnn, &one, c->x, run->x, c->weights, run->weights, c->conv, c->forward,
            run->workspace, c->room, &zero, c->y, run->out));
    case CONVOLVE_DATA:
        return convolve_good(cudnnConvolutionBackwardData(
            device->dnn, &one, c->weights, run->weights, c->y, run->dy, c->conv, c->data,
            run->workspace, c->room, &zero, c->x, run->out));
    default:
        return convolve_good(cudnnConvolutionBackwardFilter(
            device->dnn, &one, c->x, run->x, c->y, run->dy, c->conv, c->back, run->workspace,
            c->room, &zero, c->weights, run->out));
    }
}
