/* A device with its libraries and memory, and its errors as statuses of Banyan. */
#ifndef NN_CUDA_DEVICE_H
#define NN_CUDA_DEVICE_H

#include "nn/cuda/kernels.h"

#include <banyan/status.h>

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>

struct device {
    cudaStream_t stream;
    cudnnHandle_t dnn;
    cublasHandle_t blas;
    char name[128]; /* "NVIDIA H200" */
};

/* BANYAN_UNSUPPORTED with the reason: no driver, no device, or the device is too old. */
enum banyan_status device_open(struct device *device, struct banyan_error *err);
void device_close(struct device *device);

/* Memory on the device; NULL: none left. */
void *device_block(size_t bytes);
void device_free(void *block);

/* Copy to and from the device, and fill with zeros; false: the device failed. */
bool device_send(const struct device *device, void *to, const void *from, size_t bytes);
bool device_fetch(const struct device *device, void *to, const void *from, size_t bytes);
bool device_clear(const struct device *device, void *at, size_t bytes);

/* Waits for everything that was launched; false: some of it failed. */
bool device_wait(const struct device *device);

/* c[rows][n] = a[rows][k] * b, fp32.  b is [k][n]; with `transposed`, b is stored as [n][k]. */
struct device_product {
    int rows, n, k;
    bool transposed;
    const float *a, *b;
    float *c;
};
bool device_product(const struct device *device, const struct device_product *product);
/* c[m][n] = the transpose of a[rows][m], times b[rows][n]: gradients of weights */
struct device_outer {
    int rows, m, n;
    const float *a, *b;
    float *c;
};
bool device_outer(const struct device *device, const struct device_outer *outer);

/* Returns a status with the last error as text. */
enum banyan_status device_failed(const char *what, struct banyan_error *err);

#endif
