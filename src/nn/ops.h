/* The operations of the plain backend, each forward function next to its backward function.
 *
 * Activations are [sample][row][column][channel].  `rows` is samples x cells for operations that
 * work on channels only.  A backward function gets the gradient of its output, writes the gradient
 * of its input (`dx`; NULL where it is not needed) and adds to the gradients of its parameters.
 */
#ifndef NN_OPS_H
#define NN_OPS_H

#include "nn/gemm.h"

#include <stddef.h>
#include <stdint.h>

struct ops_conv;

/* What a backward function of a layer gets and gives: it reads dy, writes dx and adds to the
 * others.  Fields that a layer has no use for are ignored. */
struct ops_back {
    const float *dy; /* the gradient of the layer's output */
    float *dx;       /* the gradient of its input; NULL: it is not needed */
    float *dweight;
    float *dgain; /* gradients of norms */
    float *dbias; /* NULL for convolutions without a bias */
};

/* Another implementation of convolutions; NULL: the matrix products of <nn/gemm.h>. */
struct ops_engine {
    void *ctx;
    /* The same as ops_conv_forward and ops_conv_backward; false: not supported, use the products.
     */
    bool (*forward)(void *ctx, const struct ops_conv *conv, const float *x, const float *weight,
                    const float *bias, float *y);
    bool (*backward)(void *ctx, const struct ops_conv *conv, const float *x, const float *weight,
                     const struct ops_back *back);
};

/* Working memory of one thread. */
struct ops {
    const struct ops_engine *engine; /* borrowed */
    const struct gemm_kernel *kernel;
    struct gemm_space *space; /* owned */
    float *patches;           /* [patch_room], owned */
    size_t patch_room;
};

/* A convolution over a board with zero padding. */
struct ops_conv {
    int count, height, width; /* samples, board */
    int in, out, kernel;      /* kernel 1 or 3 */
};

/* y[rows][out] = x[rows][in] * weight[out][kernel][kernel][in] + bias[out]; bias may be NULL. */
void ops_conv_forward(struct ops *ops, const struct ops_conv *conv, const float *x,
                      const float *weight, const float *bias, float *y);
void ops_conv_backward(struct ops *ops, const struct ops_conv *conv, const float *x,
                       const float *weight, const struct ops_back *back);

/* Floats of ops->patches that conv needs. */
size_t ops_conv_room(const struct ops_conv *conv);

/* y[count][out] = x[count][in] * weight[out][in] + bias[out] */
struct ops_dense {
    int count, in, out;
};
void ops_dense_forward(struct ops *ops, const struct ops_dense *dense, const float *x,
                       const float *weight, const float *bias, float *y);
void ops_dense_backward(struct ops *ops, const struct ops_dense *dense, const float *x,
                        const float *weight, const struct ops_back *back);

/* Weight standardisation: out[o] = gain[o] * (weight[o] - mean) / sqrt(fan * variance + 1e-5),
 * every output channel by its own mean and variance over its fan inputs. */
void ops_weight_norm_forward(int outs, int fan, const float *weight, const float *gain, float *out);
void ops_weight_norm_backward(int outs, int fan, const float *weight, const float *gain,
                              const struct ops_back *back);

/* Batch norm over rows: y = (x - mean) / sqrt(variance + 1e-5) * gain + bias.  mean and variance
 * [channels] are written; y may be x if no backward pass follows. */
struct ops_norm {
    size_t rows;
    int channels;
    const float *gain, *bias;
};
void ops_batch_norm_forward(const struct ops_norm *norm, const float *x, float *mean,
                            float *variance, float *y);
void ops_batch_norm_backward(const struct ops_norm *norm, const float *x, const float *mean,
                             const float *variance, const struct ops_back *back);
#define OPS_NORM_EPSILON 1e-5f

/* In place.  The backward function uses the output: it keeps dy where y > 0. */
void ops_relu_forward(size_t n, float *y);
void ops_relu_backward(size_t n, const float *y, float *dy);

/* In place. */
void ops_tanh_forward(size_t n, float *y);
void ops_tanh_backward(size_t n, const float *y, float *dy);

/* out[count][2 * channels] = mean and maximum over the cells of x[count][cells][channels]; the
 * backward function adds to dx. */
struct ops_pool {
    int count, cells, channels;
};
void ops_pool_forward(const struct ops_pool *pool, const float *x, float *out);
void ops_pool_backward(const struct ops_pool *pool, const float *x, const float *out,
                       const float *dout, float *dx);

/* y[count][cells][channels] += v[count][channels], and back: dv = sum over cells of dy. */
void ops_spread_forward(const struct ops_pool *pool, const float *v, float *y);
void ops_spread_backward(const struct ops_pool *pool, const float *dy, float *dv);

/* Logits of the listed actions only: out[i] = hidden . weight[action[i]] + bias[action[i]].  The
 * backward adds to dx[in], which the caller has zeroed. */
struct ops_rows {
    int in;
    int n;
    const int32_t *actions; /* [n] */
};
void ops_rows_forward(const struct ops_rows *rows, const float *hidden, const float *weight,
                      const float *bias, float *out);
void ops_rows_backward(const struct ops_rows *rows, const float *hidden, const float *weight,
                       const struct ops_back *back);

/* Head of pairs: embed[cells + 1][2 * length]; the last cell is the mean of all others.  out[i] =
 * embed[a][first half] . embed[b][second half] / sqrt(length) + bias[action[i]] with a, b =
 * table[action[i]].  ops_mean_cell_forward writes that last cell; the backward function distributes
 * its gradient. */
struct ops_pairs {
    int cells, length;
    int n;
    const int32_t *actions; /* [n] */
    const float *table;     /* [][2] */
};
void ops_mean_cell_forward(const struct ops_pairs *pairs, float *embed);
void ops_mean_cell_backward(const struct ops_pairs *pairs, float *dembed);
void ops_pairs_forward(const struct ops_pairs *pairs, const float *embed, const float *bias,
                       float *out);
void ops_pairs_backward(const struct ops_pairs *pairs, const float *embed, const float *dout,
                        float *dembed, float *dbias);

/* Cross-entropy of softmax(logits) against target, both [n], target sums to 1; dlogits =
 * weight * (softmax - target).  Returns the loss, unweighted. */
double ops_softmax_loss(int n, const float *logits, const float *target, float weight,
                        float *dlogits);
/* Computes the probabilities in place. */
void ops_softmax(int n, float *logits);

/* (y - target)^2 summed; dy = weight * 2 (y - target). */
double ops_square_loss(int n, const float *y, const float *target, float weight, float *dy);

/* a . b in eight interleaved sums, the same on every machine. */
float ops_dot(int n, const float *a, const float *b);

#endif
