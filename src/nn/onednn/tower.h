/* A training step's trunk in bf16, as plain's gradients want it.
 *
 * Forward, boards and weights are pairs of bf16 numbers, x = high + low, and a convolution is three:
 *
 *      x * w = high * w.high + low * w.high + high * w.low      summed in fp32
 *
 * so that what comes out is as good as in fp32 and each ReLU is open or shut as it is there; with
 * single ones a unit in five hundred is not, and gradients are off by the root of that.  What flows
 * back is single: its errors average out.
 *
 *      batch --> slice 0 of thread 0 \                               / gradients of slice 0 \
 *            --> slice 1 of thread 1  >-- batch norms: over all -- <  gradients of slice 1   > sum
 *            --> ...                 /                               \ ...                   /
 *
 * Every thread has primitives and boards of its own and works alone but for the sums of a batch
 * norm. */
#ifndef NN_ONEDNN_TOWER_H
#define NN_ONEDNN_TOWER_H

#include "nn/plain.h"

struct tower;

/* This machine and this network can. */
bool tower_serves(const struct nn_model *model);

/* BANYAN_UNSUPPORTED: they cannot. */
enum banyan_status tower_create(struct tower **out, const struct nn_model *model, int threads,
                                struct banyan_error *err);
void tower_destroy(struct tower *tower);
const struct plain_trunk *tower_trunk(const struct tower *tower);

#endif
