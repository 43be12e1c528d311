/* A CUDA device: its libraries, its memory, and its errors as statuses. */
#include "nn/cuda/device.h"

#include <stdio.h>
#include <string.h>

static enum banyan_status device_refuse(const char *what, const char *why, struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_UNSUPPORTED, "CUDA: %s: %s", what, why);
}

static enum banyan_status device_libraries(struct device *device, struct banyan_error *err)
{
    cudaError_t error = cudaStreamCreate(&device->stream);
    if (error != cudaSuccess)
        return device_refuse("cannot make a stream", cudaGetErrorString(error), err);
    cudnnStatus_t dnn = cudnnCreate(&device->dnn);
    if (dnn == CUDNN_STATUS_SUCCESS)
        dnn = cudnnSetStream(device->dnn, device->stream);
    if (dnn != CUDNN_STATUS_SUCCESS)
        return device_refuse("cannot start cuDNN", cudnnGetErrorString(dnn), err);
    cublasStatus_t blas = cublasCreate(&device->blas);
    if (blas == CUBLAS_STATUS_SUCCESS)
        blas = cublasSetStream(device->blas, device->stream);
    if (blas == CUBLAS_STATUS_SUCCESS) /* fp32 products must not be rounded to a smaller type */
        blas = cublasSetMathMode(device->blas, CUBLAS_PEDANTIC_MATH);
    if (blas != CUBLAS_STATUS_SUCCESS)
        return device_refuse("cannot start cuBLAS", cublasGetStatusString(blas), err);
    return BANYAN_OK;
}

enum banyan_status device_open(struct device *device, struct banyan_error *err)
{
    struct cudaDeviceProp properties;
    int count = 0;
    memset(device, 0, sizeof *device);
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0)
        return device_refuse("no device found",
                             error == cudaSuccess ? "there is none" : cudaGetErrorString(error),
                             err);
    error = cudaSetDevice(0);
    if (error == cudaSuccess)
        error = cudaGetDeviceProperties(&properties, 0);
    if (error != cudaSuccess)
        return device_refuse("cannot use the device", cudaGetErrorString(error), err);
    if (properties.major < 8)
        return device_refuse(properties.name, "bf16 needs compute capability 8.0", err);
    snprintf(device->name, sizeof device->name, "%.127s", properties.name);
    enum banyan_status status = device_libraries(device, err);
    if (status != BANYAN_OK)
        device_close(device);
    return status;
}

void device_close(struct device *device)
{
    if (device->blas)
        cublasDestroy(device->blas);
    if (device->dnn)
        cudnnDestroy(device->dnn);
    if (device->stream)
        cudaStreamDestroy(device->stream);
    memset(device, 0, sizeof *device);
}

/* --- memory --- */

void *device_block(size_t bytes)
{
    void *block = NULL;
    return cudaMalloc(&block, bytes ? bytes : 1) == cudaSuccess ? block : NULL;
}

void device_free(void *block)
{
    if (block)
        cudaFree(block);
}

bool device_send(const struct device *device, void *to, const void *from, size_t bytes)
{
    /* the caller may change the data as soon as this returns */
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, device->stream) ==
               cudaSuccess &&
           cudaStreamSynchronize(device->stream) == cudaSuccess;
}

bool device_fetch(const struct device *device, void *to, const void *from, size_t bytes)
{
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, device->stream) ==
               cudaSuccess &&
           cudaStreamSynchronize(device->stream) == cudaSuccess;
}

bool device_clear(const struct device *device, void *at, size_t bytes)
{
    return cudaMemsetAsync(at, 0, bytes, device->stream) == cudaSuccess;
}

bool device_wait(const struct device *device)
{
    return cudaStreamSynchronize(device->stream) == cudaSuccess &&
           cudaGetLastError() == cudaSuccess;
}

/* --- products: cuBLAS reads matrices by columns, so it sees the transpose of each of ours --- */

bool device_product(const struct device *device, const struct device_product *p)
{
    const float one = 1, zero = 0;
    return cublasSgemm(device->blas, p->transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, p->n,
                       p->rows, p->k, &one, p->b, p->transposed ? p->k : p->n, p->a, p->k, &zero,
                       p->c, p->n) == CUBLAS_STATUS_SUCCESS;
}

bool device_outer(const struct device *device, const struct device_outer *o)
{
    const float one = 1, zero = 0;
    return cublasSgemm(device->blas, CUBLAS_OP_N, CUBLAS_OP_T, o->n, o->m, o->rows, &one, o->b,
                       o->n, o->a, o->m, &zero, o->c, o->n) == CUBLAS_STATUS_SUCCESS;
}

enum banyan_status device_failed(const char *what, struct banyan_error *err)
{
    cudaError_t error = cudaGetLastError();
    return device_refuse(
        what, error == cudaSuccess ? "a library reported an error" : cudaGetErrorString(error),
        err);
}
