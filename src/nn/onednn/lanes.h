/* The operations of a bf16 training step between convolutions.  Boards are [row][channel]; the
 * number of channels is a multiple of LANES.  Gradients are bf16.  Activations are pairs of bf16
 * numbers, or fp32 when they come from a convolution; sums are double, vectors of channels fp32.
 * Needs AVX-512. */
#ifndef NN_ONEDNN_LANES_H
#define NN_ONEDNN_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 16, LANES_CHANNELS = 1024 };

typedef uint16_t lanes_half;

/* Whether this machine has the instructions that these functions need. */
bool lanes_here(void);

/* A board whose elements are high + low: together they keep 16 bits of a number, and products of
 * bf16 numbers can use all of them.  low NULL: bf16 only. */
struct lanes_pair {
    lanes_half *high, *low;
};

/* to = from; any n. */
void lanes_split(size_t n, const float *from, const struct lanes_pair *to);

/* to = from minus its bf16 rounding. */
void lanes_rest(size_t n, const float *from, float *to);

struct lanes_board {
    int count, cells, channels; /* samples, rows of each */
};

/* Adds to the sum and to the sum of squares of every channel. */
void lanes_sums(const struct lanes_board *board, const float *x, double *sum, double *square);

/* out = relu(scale * pre + shift + residual + spread[sample]); NULL: without that term. */
struct lanes_finish {
    const float *pre;
    const struct lanes_pair *residual;
    const float *scale, *shift, *spread;
    bool relu;
    struct lanes_pair out;
};
void lanes_finish(const struct lanes_board *board, const struct lanes_finish *finish);

/* x = relu(x + spread[sample]). */
void lanes_spread(const struct lanes_board *board, const float *spread, lanes_half *x);

/* Keeps dy where out > 0 (out NULL: everywhere) and sets it to 0 elsewhere.  Adds the sums of dy
 * over rows to sum and, if pre is not NULL, those of dy * (pre - mean) * inverse to product. */
struct lanes_mask {
    const lanes_half *out; /* the high half */
    const float *pre, *mean, *inverse;
    lanes_half *dy;
    double *sum, *product;
};
void lanes_mask(const struct lanes_board *board, const struct lanes_mask *mask);

/* dx = a * dy + b * pre + c; dx may be dy. */
struct lanes_blend {
    const lanes_half *dy;
    const float *pre, *a, *b, *c;
    lanes_half *dx;
};
void lanes_blend(const struct lanes_board *board, const struct lanes_blend *blend);

/* y += x */
void lanes_add(const struct lanes_board *board, const lanes_half *x, lanes_half *y);

/* The same as the operations of <nn/ops.h>: pooled[count][2 * channels], dv[count][channels]. */
void lanes_pool(const struct lanes_board *board, const struct lanes_pair *x, float *pooled);
void lanes_pool_back(const struct lanes_board *board, const struct lanes_pair *x,
                     const float *pooled, const float *dpooled, lanes_half *dx);
void lanes_spread_back(const struct lanes_board *board, const lanes_half *dy, float *dv);

/* A 1x1 convolution to a few fp32 channels: out[rows][outs] = x * weight[outs][channels]. */
struct lanes_head {
    int outs;
    const float *weight;
    float *out;        /* forward */
    const float *dout; /* backward */
};
void lanes_head(const struct lanes_board *board, const struct lanes_pair *x,
                const struct lanes_head *head);
/* Adds to dweight[outs][channels]; x: the high halves. */
void lanes_head_weights(const struct lanes_board *board, const lanes_half *x,
                        const struct lanes_head *head, float *dweight);
/* dx = the sum of the gradients of all heads. */
void lanes_heads_back(const struct lanes_board *board, const struct lanes_head *heads, int n,
                      lanes_half *dx);

#endif
