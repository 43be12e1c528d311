/* The trunk of a training step in bf16, with gradients as exact as the plain backend's.
 *
 * In the forward pass, activations and weights are pairs of bf16 numbers, x = high + low, and a
 * convolution is three convolutions:
 *
 *     x * w = high * w.high + low * w.high + high * w.low      summed in fp32
 *
 * So the results are as exact as in fp32, and each ReLU passes or blocks as in fp32.  With single
 * bf16 numbers, one ReLU in five hundred would differ, and the gradients would have a relative
 * error of sqrt(1/500).  Gradients are single bf16 numbers: their errors average out.
 *
 *     batch --> slice 0 of thread 0 \                               / gradients of slice 0 \
 *           --> slice 1 of thread 1  >-- batch norms: over all -- <  gradients of slice 1   > sum
 *           --> ...                 /                               \ ...                   /
 *
 * Every thread has its own primitives and boards and works alone, except for the sums of a batch
 * norm.
 */
#ifndef NN_ONEDNN_TOWER_H
#define NN_ONEDNN_TOWER_H

#include "nn/plain.h"

struct tower;

/* Whether this machine and this network are supported. */
bool tower_serves(const struct nn_model *model);

/* BANYAN_UNSUPPORTED: the machine or the network is not supported. */
enum banyan_status tower_create(struct tower **out, const struct nn_model *model, int threads,
                                struct banyan_error *err);
void tower_destroy(struct tower *tower);
const struct plain_trunk *tower_trunk(const struct tower *tower);

#endif
