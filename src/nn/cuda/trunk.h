/* The trunk of a network on a device, with the first convolutions of its heads.  Planes go to the
 * device, and a few small fp32 boards come back to the host.
 *
 *     host: planes --> | device: input, stem, blocks, 1x1 heads | --> host: heads' boards
 *     host: weights -->| in the boards' type                    | --> host: gradients
 */
#ifndef NN_CUDA_TRUNK_H
#define NN_CUDA_TRUNK_H

#include "nn/cuda/convolve.h"
#include "nn/plain.h"

struct trunk;

/* device and model are borrowed.  learning: makes boards and gradients for plain_trunk; otherwise
 * the trunk serves searches, with norms folded into the weights. */
enum banyan_status trunk_create(struct trunk **out, const struct device *device,
                                const struct nn_model *model, enum kernels_type type, bool learning,
                                struct banyan_error *err);
void trunk_destroy(struct trunk *trunk);

/* Copies weights[model->size] to the device. */
bool trunk_load(struct trunk *trunk, const float *weights);

/* Computes the trunk for count positions (search). */
bool trunk_forward(struct trunk *trunk, int count, const float *planes);

/* out[rows][conv->out] on the host: a head's convolution of the trunk's last board, without bias.
 * weights: the block that contains the head's weights. */
bool trunk_head(struct trunk *trunk, const struct nn_conv *conv, const float *weights, float *out);

/* The trunk as nn_plain calls it in training; borrowed. */
const struct plain_trunk *trunk_plain(struct trunk *trunk);

#endif
