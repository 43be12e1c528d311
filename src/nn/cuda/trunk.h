/* The trunk of a network on a device, with the first convolutions of its heads: what lies between
 * the planes and a few small fp32 boards that come back to the host.
 *
 *      host: planes --> | device: input, stem, blocks, 1x1 heads | --> host: heads' boards
 *      host: weights -->| in the boards' type                    | --> host: gradients
 */
#ifndef NN_CUDA_TRUNK_H
#define NN_CUDA_TRUNK_H

#include "nn/cuda/convolve.h"
#include "nn/plain.h"

struct trunk;

/* device and model are borrowed.  learning: with boards and gradients for plain_trunk, else for a
 * search, whose norms are folded into the weights. */
enum banyan_status trunk_create(struct trunk **out, const struct device *device,
                                const struct nn_model *model, enum kernels_type type, bool learning,
                                struct banyan_error *err);
void trunk_destroy(struct trunk *trunk);

/* Weights as they are multiplied with: [model->size]. */
bool trunk_load(struct trunk *trunk, const float *weights);

/* Planes of count positions through the trunk (search). */
bool trunk_forward(struct trunk *trunk, int count, const float *planes);

/* out[rows][conv->out] on the host: a head's convolution of the trunk's last board, without bias;
 * weights: the block that the head's are taken from. */
bool trunk_head(struct trunk *trunk, const struct nn_conv *conv, const float *weights, float *out);

/* For a context of nn_plain that learns. */
const struct plain_trunk *trunk_plain(struct trunk *trunk);

#endif
