/* What plugins of the CPU take from the plain backend: everything but the convolutions. */
#ifndef NN_PLAIN_H
#define NN_PLAIN_H

#include "nn/backend.h"
#include "nn/ops.h"

/* A context of nn_plain convolves with engine (borrowed) from now on. */
void nn_plain_engine(void *ctx, const struct ops_engine *engine);

/* What a learning step computes with. */
struct plain_step {
    int count;
    const float *planes;  /* [count][planes][height][width] */
    const float *weights; /* the block of parameters with standardised weights in place */
    const float *params;  /* as they are */
    float *gradients;     /* running statistics are written, the rest is added to */
};

/* The trunk of a learning step, computed elsewhere: what lies between the planes and the heads'
 * first convolutions, and these.  False: it failed. */
struct plain_trunk {
    void *ctx;
    bool (*forward)(void *ctx, const struct plain_step *step);
    /* out[rows][conv->out] of a head's convolution, without bias and norm; all memory is borrowed */
    void (*head)(void *ctx, const struct nn_conv *conv, float *out);
    bool (*head_back)(void *ctx, const struct nn_conv *conv, const float *dout);
    /* after all heads: gradients of the step's weights are added to dweights, of all else to its
     * gradients */
    bool (*backward)(void *ctx, float *dweights);
};

/* A context of nn_plain learns with trunk (borrowed) from now on. */
void nn_plain_trunk(void *ctx, const struct plain_trunk *trunk);

#endif
