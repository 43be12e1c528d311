/* The CUDA kernels of kernels.h. */
#include "nn/cuda/kernels.h"

#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace {

constexpr int threads = 256;
constexpr int tile = 32; /* channels of a thread block that sums over rows */
constexpr int lanes = 8; /* rows that such a thread block reads at once */

__device__ float get(const float *at, size_t i)
{
    return at[i];
}

__device__ float get(const __nv_bfloat16 *at, size_t i)
{
    return __bfloat162float(at[i]);
}

__device__ void put(float *at, size_t i, float value)
{
    at[i] = value;
}

__device__ void put(__nv_bfloat16 *at, size_t i, float value)
{
    at[i] = __float2bfloat16_rn(value);
}

__device__ size_t thread_index()
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

unsigned blocks_for(size_t n)
{
    return (unsigned)((n + threads - 1) / threads);
}

size_t rows_of(const struct kernels *k)
{
    return (size_t)k->count * (size_t)k->cells;
}

template <typename T>
__global__ void planes_kernel(size_t n, int planes, int padded, int cells, const float *from, T *to)
{
    size_t i = thread_index();
    if (i >= n)
        return;
    size_t plane = i % padded, cell = i / padded % cells, position = i / padded / cells;
    put(to, i, plane < (size_t)planes ? from[(position * planes + plane) * cells + cell] : 0.0f);
}

template <typename T>
__global__ void weights_kernel(size_t n, int width, int padded, const float *from, T *to)
{
    size_t i = thread_index();
    if (i >= n)
        return;
    size_t column = i % padded, row = i / padded;
    put(to, i, column < (size_t)width ? from[row * width + column] : 0.0f);
}

template <typename T>
__global__ void unweights_kernel(size_t n, int width, int padded, const T *from, float *to)
{
    size_t i = thread_index();
    if (i < n)
        to[i] = get(from, i / width * padded + i % width);
}

template <typename T>
__global__ void finish_kernel(size_t n, int channels, int cells, struct kernels_finish f)
{
    size_t i = thread_index();
    if (i >= n)
        return;
    size_t c = i % channels, position = i / channels / cells;
    float value = get((const T *)f.pre, i);
    if (f.scale)
        value *= f.scale[c];
    if (f.shift)
        value += f.shift[c];
    if (f.residual)
        value += get((const T *)f.residual, i);
    if (f.spread)
        value += f.spread[position * channels + c];
    put((T *)f.out, i, f.relu && value < 0 ? 0.0f : value);
}

/* Adds up the values of a thread block's lanes; its first row of threads writes the sums to *to. */
__device__ void fold(double *shared, double value, double *to)
{
    shared[threadIdx.y * tile + threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.y == 0 && to) {
        double all = 0;
        for (int i = 0; i < lanes; ++i)
            all += shared[i * tile + threadIdx.x];
        *to = all;
    }
    __syncthreads();
}

/* Launched as a grid of (channels / tile, chunks) blocks of (tile, lanes) threads. */
template <typename T>
__global__ void sums_kernel(size_t rows, int channels, const T *x, double *sum, double *square)
{
    __shared__ double shared[tile * lanes];
    int c = blockIdx.x * tile + threadIdx.x;
    double one = 0, two = 0;
    for (size_t row = (size_t)blockIdx.y * lanes + threadIdx.y; c < channels && row < rows;
         row += (size_t)gridDim.y * lanes) {
        double value = get(x, row * channels + c);
        one += value;
        two += value * value;
    }
    size_t at = (size_t)blockIdx.y * channels + c;
    fold(shared, one, c < channels ? sum + at : nullptr);
    fold(shared, two, c < channels ? square + at : nullptr);
}

template <typename T>
__global__ void mask_kernel(size_t rows, int channels, struct kernels_mask m)
{
    __shared__ double shared[tile * lanes];
    int c = blockIdx.x * tile + threadIdx.x;
    double sum = 0, product = 0;
    for (size_t row = (size_t)blockIdx.y * lanes + threadIdx.y; c < channels && row < rows;
         row += (size_t)gridDim.y * lanes) {
        size_t i = row * channels + c;
        float dy = get((const T *)m.out, i) > 0 ? get((const T *)m.dy, i) : 0.0f;
        put((T *)m.dy, i, dy);
        sum += dy;
        if (m.pre)
            product += (double)dy * ((get((const T *)m.pre, i) - m.mean[c]) * m.inverse[c]);
    }
    size_t at = (size_t)blockIdx.y * channels + c;
    fold(shared, sum, c < channels ? m.sum + at : nullptr);
    if (m.pre)
        fold(shared, product, c < channels ? m.product + at : nullptr);
}

template <typename T> __global__ void blend_kernel(size_t n, int channels, struct kernels_blend b)
{
    size_t i = thread_index();
    if (i >= n)
        return;
    size_t c = i % channels;
    put((T *)b.dx, i, b.a[c] * get((const T *)b.dy, i) + b.b[c] * get((const T *)b.pre, i) + b.c[c]);
}

template <typename T> __global__ void add_kernel(size_t n, const T *x, T *y)
{
    size_t i = thread_index();
    if (i < n)
        put(y, i, get(x, i) + get(y, i));
}

/* One thread for each position and channel. */
template <typename T>
__global__ void pool_kernel(size_t n, int channels, int cells, const T *x, float *pooled)
{
    size_t i = thread_index();
    if (i >= n)
        return;
    size_t c = i % channels, position = i / channels, first = position * cells * channels + c;
    float sum = 0, most = get(x, first);
    for (int cell = 0; cell < cells; ++cell) {
        float value = get(x, first + (size_t)cell * channels);
        sum += value;
        most = value > most ? value : most;
    }
    pooled[position * 2 * channels + c] = sum / cells;
    pooled[position * 2 * channels + channels + c] = most;
}

template <typename T>
__global__ void pool_back_kernel(size_t n, int channels, int cells, const T *x, const float *pooled,
                                 const float *dpooled, T *dx)
{
    size_t i = thread_index();
    if (i >= n)
        return;
    size_t c = i % channels, position = i / channels, first = position * cells * channels + c;
    float mean = dpooled[position * 2 * channels + c] / cells;
    float best = dpooled[position * 2 * channels + channels + c];
    float most = pooled[position * 2 * channels + channels + c];
    bool found = false;
    for (int cell = 0; cell < cells; ++cell) {
        size_t at = first + (size_t)cell * channels;
        bool here = !found && get(x, at) == most;
        put(dx, at, get(dx, at) + mean + (here ? best : 0.0f));
        found = found || here;
    }
}

template <typename T>
__global__ void spread_back_kernel(size_t n, int channels, int cells, const T *dy, float *dv)
{
    size_t i = thread_index();
    if (i >= n)
        return;
    size_t first = i / channels * cells * channels + i % channels;
    float sum = 0;
    for (int cell = 0; cell < cells; ++cell)
        sum += get(dy, first + (size_t)cell * channels);
    dv[i] = sum;
}

__global__ void bias_kernel(size_t n, int width, const float *bias, float *y)
{
    size_t i = thread_index();
    if (i < n)
        y[i] += bias[i % width];
}

__global__ void bias_back_kernel(int rows, int width, const float *dy, float *dbias)
{
    size_t c = thread_index();
    double sum = 0;
    if (c >= (size_t)width)
        return;
    for (int row = 0; row < rows; ++row)
        sum += dy[(size_t)row * width + c];
    dbias[c] = (float)sum;
}

template <typename T>
__global__ void head_kernel(size_t n, int channels, int outs, const T *x, const float *weight,
                            float *out)
{
    size_t i = thread_index();
    if (i >= n)
        return;
    size_t row = i / outs, o = i % outs;
    float sum = 0;
    for (int c = 0; c < channels; ++c)
        sum += get(x, row * channels + c) * weight[o * channels + c];
    out[i] = sum;
}

/* Launched as a grid of (channels / tile, outs) blocks of (tile, lanes) threads. */
template <typename T>
__global__ void head_weights_kernel(size_t rows, int channels, int outs, const T *x,
                                    const float *dout, float *dweight)
{
    __shared__ double shared[tile * lanes];
    int c = blockIdx.x * tile + threadIdx.x, o = blockIdx.y;
    double sum = 0, all = 0;
    for (size_t row = threadIdx.y; c < channels && row < rows; row += lanes)
        sum += (double)get(x, row * channels + c) * dout[row * outs + o];
    fold(shared, sum, threadIdx.y == 0 ? &all : nullptr);
    if (threadIdx.y == 0 && c < channels)
        dweight[(size_t)o * channels + c] = (float)all;
}

struct heads_back {
    struct kernels_head heads[KERNELS_HEADS];
    int n;
};

template <typename T> __global__ void heads_back_kernel(size_t n, int channels, heads_back back, T *dx)
{
    size_t i = thread_index();
    if (i >= n)
        return;
    size_t row = i / channels, c = i % channels;
    float sum = 0;
    for (int h = 0; h < back.n; ++h)
        for (int o = 0; o < back.heads[h].outs; ++o)
            sum += back.heads[h].dout[row * back.heads[h].outs + o] *
                   back.heads[h].weight[(size_t)o * channels + c];
    put(dx, i, sum);
}

dim3 sums_blocks(int channels, int chunks)
{
    return dim3((unsigned)((channels + tile - 1) / tile), (unsigned)chunks);
}

} // namespace

/* Launches a template for the board's type. */
#define LAUNCH(k, kernel, grid, block, ...)                                                        \
    do {                                                                                           \
        if ((k)->type == KERNELS_FP32) {                                                           \
            typedef float T;                                                                       \
            kernel<T><<<grid, block, 0, (k)->stream>>>(__VA_ARGS__);                               \
        } else {                                                                                   \
            typedef __nv_bfloat16 T;                                                               \
            kernel<T><<<grid, block, 0, (k)->stream>>>(__VA_ARGS__);                               \
        }                                                                                          \
    } while (0)

extern "C" {

void kernels_planes(const struct kernels *k, int planes, int padded, const float *from, void *to)
{
    size_t n = rows_of(k) * (size_t)padded;
    LAUNCH(k, planes_kernel, blocks_for(n), threads, n, planes, padded, k->cells, from, (T *)to);
}

void kernels_weights(const struct kernels *k, size_t rows, int width, int padded, const float *from,
                     void *to)
{
    size_t n = rows * (size_t)padded;
    LAUNCH(k, weights_kernel, blocks_for(n), threads, n, width, padded, from, (T *)to);
}

void kernels_unweights(const struct kernels *k, size_t rows, int width, int padded,
                       const void *from, float *to)
{
    size_t n = rows * (size_t)width;
    LAUNCH(k, unweights_kernel, blocks_for(n), threads, n, width, padded, (const T *)from, to);
}

void kernels_finish(const struct kernels *k, const struct kernels_finish *f)
{
    size_t n = rows_of(k) * (size_t)k->channels;
    LAUNCH(k, finish_kernel, blocks_for(n), threads, n, k->channels, k->cells, *f);
}

void kernels_sums(const struct kernels *k, const void *x, double *sum, double *square)
{
    dim3 grid = sums_blocks(k->channels, KERNELS_CHUNKS), block(tile, lanes);
    LAUNCH(k, sums_kernel, grid, block, rows_of(k), k->channels, (const T *)x, sum, square);
}

void kernels_mask(const struct kernels *k, const struct kernels_mask *m)
{
    dim3 grid = sums_blocks(k->channels, KERNELS_CHUNKS), block(tile, lanes);
    LAUNCH(k, mask_kernel, grid, block, rows_of(k), k->channels, *m);
}

void kernels_blend(const struct kernels *k, const struct kernels_blend *b)
{
    size_t n = rows_of(k) * (size_t)k->channels;
    LAUNCH(k, blend_kernel, blocks_for(n), threads, n, k->channels, *b);
}

void kernels_add(const struct kernels *k, const void *x, void *y)
{
    size_t n = rows_of(k) * (size_t)k->channels;
    LAUNCH(k, add_kernel, blocks_for(n), threads, n, (const T *)x, (T *)y);
}

void kernels_pool(const struct kernels *k, const void *x, float *pooled)
{
    size_t n = (size_t)k->count * (size_t)k->channels;
    LAUNCH(k, pool_kernel, blocks_for(n), threads, n, k->channels, k->cells, (const T *)x, pooled);
}

void kernels_pool_back(const struct kernels *k, const void *x, const float *pooled,
                       const float *dpooled, void *dx)
{
    size_t n = (size_t)k->count * (size_t)k->channels;
    LAUNCH(k, pool_back_kernel, blocks_for(n), threads, n, k->channels, k->cells, (const T *)x,
           pooled, dpooled, (T *)dx);
}

void kernels_spread_back(const struct kernels *k, const void *dy, float *dv)
{
    size_t n = (size_t)k->count * (size_t)k->channels;
    LAUNCH(k, spread_back_kernel, blocks_for(n), threads, n, k->channels, k->cells, (const T *)dy,
           dv);
}

void kernels_bias(const struct kernels *k, int width, const float *bias, float *y)
{
    size_t n = (size_t)k->count * (size_t)width;
    bias_kernel<<<blocks_for(n), threads, 0, k->stream>>>(n, width, bias, y);
}

void kernels_bias_back(const struct kernels *k, int width, const float *dy, float *dbias)
{
    bias_back_kernel<<<blocks_for((size_t)width), threads, 0, k->stream>>>(k->count, width, dy,
                                                                          dbias);
}

void kernels_head(const struct kernels *k, const void *x, const struct kernels_head *head,
                  float *out)
{
    size_t n = rows_of(k) * (size_t)head->outs;
    LAUNCH(k, head_kernel, blocks_for(n), threads, n, k->channels, head->outs, (const T *)x,
           head->weight, out);
}

void kernels_head_weights(const struct kernels *k, const void *x, const struct kernels_head *head,
                          float *dweight)
{
    dim3 grid = sums_blocks(k->channels, head->outs), block(tile, lanes);
    LAUNCH(k, head_weights_kernel, grid, block, rows_of(k), k->channels, head->outs, (const T *)x,
           head->dout, dweight);
}

void kernels_heads_back(const struct kernels *k, const struct kernels_head *heads, int n, void *dx)
{
    size_t size = rows_of(k) * (size_t)k->channels;
    heads_back back = {};
    back.n = n;
    for (int i = 0; i < n; ++i)
        back.heads[i] = heads[i];
    LAUNCH(k, heads_back_kernel, blocks_for(size), threads, size, k->channels, back, (T *)dx);
}

} // extern "C"
