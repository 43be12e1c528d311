/* 3x3 convolutions by cuDNN; only convolve.c and this header use cuDNN's descriptors.  They use
 * cuDNN's older functions, which need far less code than its graph API.  If cuDNN drops those
 * functions, only these two files have to change. */
#ifndef NN_CUDA_CONVOLVE_H
#define NN_CUDA_CONVOLVE_H

#include "nn/cuda/device.h"

enum convolve_pass { CONVOLVE_FORWARD, CONVOLVE_DATA, CONVOLVE_WEIGHTS, CONVOLVE_PASSES };

struct convolve_shape {
    int count, height, width, in, out; /* in and out: numbers of channels with padding */
};

/* The convolutions of one shape; passes that were not requested stay unset. */
struct convolve {
    struct convolve_shape shape;
    cudnnTensorDescriptor_t x, y;
    cudnnFilterDescriptor_t weights; /* [out][row][column][in] */
    cudnnConvolutionDescriptor_t conv;
    cudnnConvolutionFwdAlgo_t forward;
    cudnnConvolutionBwdDataAlgo_t data;
    cudnnConvolutionBwdFilterAlgo_t back;
    size_t room; /* bytes of workspace that the passes need */
};

bool convolve_create(struct convolve *convolve, const struct device *device,
                     const struct convolve_shape *shape, enum kernels_type type, bool learning);
void convolve_destroy(struct convolve *convolve);

/* Inputs and outputs of a pass, on the device; workspace has convolve->room bytes. */
struct convolve_run {
    const void *x, *weights, *dy;
    void *out; /* y, dx or dweights */
    void *workspace;
};
bool convolve_run(const struct convolve *convolve, const struct device *device,
                  enum convolve_pass pass, const struct convolve_run *run);

#endif
