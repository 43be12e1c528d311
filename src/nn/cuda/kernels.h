/* The operations on the device between convolutions.  Boards are [row][channel] in fp32 or bf16,
 * with rows = positions x cells; vectors of channels and sums are fp32 or double.  Every function
 * only launches its work; errors are reported at the next synchronisation.  Shapes and meanings are
 * as in <nn/ops.h>. */
#ifndef NN_CUDA_KERNELS_H
#define NN_CUDA_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kernels_type { KERNELS_FP32, KERNELS_BF16 };
enum { KERNELS_CHUNKS = 64, KERNELS_HEADS = 3 };

struct CUstream_st;

/* Parameters that stay the same for many calls. */
struct kernels {
    struct CUstream_st *stream;
    enum kernels_type type;
    int count, cells, channels;
};

/* planes[count][planes][cells] -> board[count][cells][padded], zeros from `planes` on */
void kernels_planes(const struct kernels *k, int planes, int padded, const float *from, void *to);

/* to[rows][padded] = from[rows][width], zeros from `width` on: weights into the board's type */
void kernels_weights(const struct kernels *k, size_t rows, int width, int padded, const float *from,
                     void *to);
/* Copies weights back: into fp32, without the padding. */
void kernels_unweights(const struct kernels *k, size_t rows, int width, int padded,
                       const void *from, float *to);

/* out = relu(scale * pre + shift + residual + spread[position]); NULL: without that term */
struct kernels_finish {
    const void *pre, *residual;
    const float *scale, *shift, *spread;
    bool relu;
    void *out;
};
void kernels_finish(const struct kernels *k, const struct kernels_finish *f);

/* Sums over rows by chunks: sum[KERNELS_CHUNKS][channels] and the same of squares. */
void kernels_sums(const struct kernels *k, const void *x, double *sum, double *square);

/* Keeps dy where out > 0 and sets it to 0 elsewhere; computes sums of chunks of dy and, if pre is
 * not NULL, of dy * (pre - mean) * inverse. */
struct kernels_mask {
    const void *out, *pre;
    const float *mean, *inverse;
    void *dy;
    double *sum, *product;
};
void kernels_mask(const struct kernels *k, const struct kernels_mask *m);

/* dx = a * dy + b * pre + c; dx may be dy */
struct kernels_blend {
    const void *dy, *pre;
    const float *a, *b, *c;
    void *dx;
};
void kernels_blend(const struct kernels *k, const struct kernels_blend *b);

/* y += x */
void kernels_add(const struct kernels *k, const void *x, void *y);

/* pooled[count][2 * channels] = mean and maximum over the board.  Backward: adds to dx; the
 * gradient of the maximum goes to the first cell that has the maximum. */
void kernels_pool(const struct kernels *k, const void *x, float *pooled);
void kernels_pool_back(const struct kernels *k, const void *x, const float *pooled,
                       const float *dpooled, void *dx);
/* dv[count][channels] = sum over the board of dy */
void kernels_spread_back(const struct kernels *k, const void *dy, float *dv);

/* y[count][width] += bias[width], and dbias[width] = sum over positions of dy[count][width] */
void kernels_bias(const struct kernels *k, int width, const float *bias, float *y);
void kernels_bias_back(const struct kernels *k, int width, const float *dy, float *dbias);

/* A 1x1 convolution to a few fp32 channels. */
struct kernels_head {
    int outs;
    const float *weight; /* [outs][channels] */
    const float *dout;   /* [rows][outs]; backward */
};
void kernels_head(const struct kernels *k, const void *x, const struct kernels_head *head,
                  float *out);
void kernels_head_weights(const struct kernels *k, const void *x, const struct kernels_head *head,
                          float *dweight);
/* dx = the sum of the gradients of n heads */
void kernels_heads_back(const struct kernels *k, const struct kernels_head *heads, int n, void *dx);

#ifdef __cplusplus
}
#endif

#endif
