/* The parameters of a network: named fp32 tensors in one block of memory.
 *
 *     stem.weight | stem.gain | stem.bias | block0.first.weight | ...          float[size]
 *     ^ offset    ^ offset ...
 *
 * Convolution weights are [out][row][column][in], those of fully connected layers [out][in].  A
 * board that is the input of a fully connected layer is [row][column][channel].  Gradients and
 * moments are blocks of the same layout.
 */
#ifndef NN_MODEL_H
#define NN_MODEL_H

#include "nn/arch.h"

#include <banyan/rng.h>

#include <stdbool.h>
#include <stddef.h>

enum nn_role {
    NN_WEIGHT,    /* learned, with weight decay */
    NN_BIAS,      /* learned, without weight decay; also gains */
    NN_STATISTIC, /* running mean or variance of a batch norm: measured, not learned */
    NN_TABLE      /* constant: the cells of each action's pair */
};

enum { NN_NAME_MAX = 48, NN_MAX_TENSORS = 12 * NN_MAX_BLOCKS + 64 };

struct nn_tensor {
    char name[NN_NAME_MAX];
    int dims, shape[4];
    enum nn_role role;
    size_t offset, count; /* in floats */
    float start;          /* value in a new network, unless random */
    float spread;         /* standard deviation in a new network; 0: all values are `start` */
};

/* A convolution.  weight, bias, gain, mean and variance are indices into model.tensors; -1: none. */
struct nn_conv {
    int in, out, kernel; /* kernel 1 or 3 */
    int norm;            /* enum nn_norm */
    bool relu;
    int weight, bias, gain, mean, variance;
};

struct nn_dense {
    int in, out;
    int weight, bias;
};

struct nn_block {
    struct nn_conv first, second;
    struct nn_dense pool; /* input: [mean, max]; out 0: there is none */
};

struct nn_model {
    struct nn_arch arch;
    struct nn_conv stem;
    struct nn_block blocks[NN_MAX_BLOCKS];
    struct nn_conv policy_conv;
    struct nn_dense policy; /* full */
    int pair_cells;         /* pairs: table [actions][2] of cells; cell H*W is the board's mean */
    int pair_bias;
    struct nn_conv value_conv;
    struct nn_dense value_hidden, value;
    struct nn_conv owner; /* out 0: there is none */
    struct nn_dense score;
    struct nn_tensor tensors[NN_MAX_TENSORS];
    int tensor_count;
    size_t size; /* floats of the block */
};

/* Lays out the tensors in the block.  arch is copied. */
enum banyan_status nn_model_build(struct nn_model *model, const struct nn_arch *arch,
                                  struct banyan_error *err);

/* Sets the parameters of an untrained network: random weights (for convolutions as in He 2015), and
 * the start values of gains, biases and statistics.  Tables are 0. */
void nn_model_start(const struct nn_model *model, float *params, uint64_t seed);

/* The tensor of this name; NULL: there is none. */
const struct nn_tensor *nn_model_find(const struct nn_model *model, const char *name);

/* Floating-point operations of one position's forward pass, counting direct convolutions and
 * products. */
double nn_model_flops(const struct nn_model *model);

/* A block of `size` floats, aligned and zero; freed with free.  NULL: no memory. */
float *nn_block_create(size_t size);

/* Writes the table of a pairs head: all rectangles of at least `least` cells on the board, in order
 * of top row, left column, bottom row, right column.  If the policy has one action for each top,
 * bottom and left only, writes the two ends of each left side.  Further actions (a pass) use the
 * board's mean.  BANYAN_INVALID: the policy has too few actions for either. */
enum banyan_status nn_model_rectangles(const struct nn_model *model, int least, float *params,
                                       struct banyan_error *err);

#endif
