/* What plugins use of the plain backend in training: everything except the convolutions, or except the trunk. */
#ifndef NN_PLAIN_H
#define NN_PLAIN_H

#include "nn/backend.h"
#include "nn/ops.h"

/* Makes a context of nn_plain use engine (borrowed) for convolutions. */
void nn_plain_engine(void *ctx, const struct ops_engine *engine);

/* The inputs and outputs of a training step. */
struct plain_step {
    int count;
    const float *planes;  /* [count][planes][height][width] */
    const float *weights; /* the parameters, with standardised weights in place of the raw ones */
    const float *params;  /* the raw parameters */
    float *gradients;     /* running statistics are overwritten, everything else is added to */
};

/* The trunk of a training step, computed outside the plain backend: everything between the planes
 * and the first convolutions of the heads, and these convolutions.  False: it failed. */
struct plain_trunk {
    void *ctx;
    bool (*forward)(void *ctx, const struct plain_step *step);
    /* out[rows][conv->out]: a head's convolution without bias and norm; all memory is borrowed */
    void (*head)(void *ctx, const struct nn_conv *conv, float *out);
    bool (*head_back)(void *ctx, const struct nn_conv *conv, const float *dout);
    /* called after all heads: adds the gradients of the step's weights to dweights, and all others
     * to the step's gradients */
    bool (*backward)(void *ctx, float *dweights);
};

/* Makes a context of nn_plain train with trunk (borrowed). */
void nn_plain_trunk(void *ctx, const struct plain_trunk *trunk);

#endif
