/* What the files of the trunk share: memory, weights, a search's forward pass (trunk.c), training
 * (trunk_learn.c). */
#ifndef NN_CUDA_TRUNK_PARTS_H
#define NN_CUDA_TRUNK_PARTS_H

#include "nn/cuda/trunk.h"

enum { TRUNK_CONVS = 1 + 2 * NN_MAX_BLOCKS, TRUNK_ALIGN = 8 };

/* Vectors of channels on the device, one of each for every convolution. */
enum trunk_vector { TRUNK_SHIFT, TRUNK_SCALE, TRUNK_MEAN, TRUNK_INVERSE, TRUNK_VECTORS };

struct trunk {
    const struct device *device;
    const struct nn_model *model;
    bool learning;
    struct plain_trunk plain;
    struct kernels kernels; /* its count is that of the present boards */
    int convs, padded;      /* padded: planes of the input board, a multiple of TRUNK_ALIGN */
    size_t element;         /* bytes of one number of a board */
    int room;               /* number of positions that fit in the memory */
    struct convolve stem, body;
    /* on the device */
    void *weights[TRUNK_CONVS]; /* in the boards' type */
    float *vectors;             /* [TRUNK_VECTORS][convs][channels] */
    float *blend;               /* [3][channels] */
    float *pool_weights;        /* [blocks][channels][2 channels], where a block has a pool */
    float *pool_bias;           /* [blocks][channels] */
    float *staging;             /* fp32 weights of one convolution */
    float *planes;
    void *input, *board, *inner, *scratch;     /* in training the last three are gradients: dtrunk,
                                                * dinner, dspare of the plain backend */
    void *pre[TRUNK_CONVS], *out[TRUNK_CONVS]; /* training; without a batch norm pre[i] is
                                                * out[i] */
    float *pooled[NN_MAX_BLOCKS], *spread, *dpooled;
    float *pool_gradient, *pool_bias_gradient;
    double *sums; /* [2][KERNELS_CHUNKS][channels] */
    void *workspace;
    void *dweights; /* gradients of one convolution's weights, in the boards' type */
    /* of each head, for the backward pass; the last entry is for the forward pass */
    float *head_weights[KERNELS_HEADS + 1], *head_boards[KERNELS_HEADS + 1], *head_gradient;
    size_t head_room[KERNELS_HEADS + 1];
    /* of this step */
    struct kernels_head heads[KERNELS_HEADS];
    const struct nn_conv *head_convs[KERNELS_HEADS];
    int head_count;
    struct plain_step step;
    bool failed;
    /* on the host */
    double *host_sums;                            /* copy of sums */
    float *host_vectors, *host_gradient;          /* [4][channels]; of one tensor */
    float *host_scale, *host_inverse, *host_mean; /* [convs][channels] */
};

static inline const struct nn_conv *trunk_conv(const struct nn_model *model, int i)
{
    const struct nn_block *block = &model->blocks[(i - 1) / 2];
    return i == 0 ? &model->stem : i % 2 ? &block->first : &block->second;
}

static inline size_t trunk_offset(const struct trunk *trunk, int tensor)
{
    return trunk->model->tensors[tensor].offset;
}

static inline bool trunk_batch_norm(const struct trunk *trunk)
{
    return trunk->learning && trunk->model->arch.norm == NN_NORM_BATCH;
}

static inline float *trunk_vector(const struct trunk *trunk, enum trunk_vector which, int conv)
{
    size_t channels = (size_t)trunk->model->arch.channels;
    return trunk->vectors + ((size_t)which * (size_t)trunk->convs + (size_t)conv) * channels;
}

static inline int trunk_padded(const struct trunk *trunk, int conv)
{
    return conv == 0 ? trunk->padded : trunk->model->arch.channels;
}

static inline const void *trunk_last(const struct trunk *trunk)
{
    return trunk->learning ? trunk->out[trunk->convs - 1] : trunk->board;
}

/* Makes the boards for count positions; frees the old ones. */
bool trunk_boards(struct trunk *trunk, int count);
bool trunk_input(struct trunk *trunk, int count, const float *planes);
/* out = convolution i of x, without norm or bias */
bool trunk_convolve(struct trunk *trunk, int i, const void *x, void *out);
/* spread = the pooled board after the block's dense layer */
bool trunk_pool(struct trunk *trunk, int block, const void *inner, float *pooled);
/* Makes head_boards[number] at least size numbers large. */
bool trunk_head_room(struct trunk *trunk, int number, size_t size);

/* The functions of struct plain_trunk; ctx: a struct trunk. */
bool trunk_learn_forward(void *ctx, const struct plain_step *step);
void trunk_learn_head(void *ctx, const struct nn_conv *conv, float *out);
bool trunk_learn_head_back(void *ctx, const struct nn_conv *conv, const float *dout);
bool trunk_learn_backward(void *ctx, float *dweights);

#endif
