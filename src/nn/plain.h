/* What plugins of the CPU take from the plain backend: everything but the convolutions. */
#ifndef NN_PLAIN_H
#define NN_PLAIN_H

#include "nn/backend.h"
#include "nn/ops.h"

/* A context of nn_plain convolves with engine (borrowed) from now on. */
void nn_plain_engine(void *ctx, const struct ops_engine *engine);

#endif
