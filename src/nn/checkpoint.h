/* Networks on disk: a safetensors file whose metadata describe the network.
 *
 *     net.safetensors          the averaged weights by their names: the network that plays
 *     training checkpoint      the same, and learn.*, first.*, second.*: needed to continue training
 *
 * Metadata: format, arch (options of <nn/arch.h>), game, step, generation, rng, options (of the training).
 */
#ifndef NN_CHECKPOINT_H
#define NN_CHECKPOINT_H

#include "nn/optimizer.h"
#include "nn/safetensors.h"

#include <banyan/rng.h>

enum { NN_TEXT_MAX = 4096 };

/* The header of a checkpoint: the metadata other than the architecture. */
struct nn_header {
    char game[64];
    int64_t step;
    int64_t generation;
    struct banyan_rng rng;
    char options[NN_TEXT_MAX]; /* of the training that made the network */
};

/* Saves model and state.  whole: with everything that training needs; otherwise only the network
 * that plays. */
enum banyan_status nn_checkpoint_save(const char *path, const struct nn_model *model,
                                      const struct nn_state *state, const struct nn_header *header,
                                      bool whole, struct banyan_error *err);

/* A network that was read from a file. */
struct nn_net {
    struct nn_model model;
    float *params; /* the averaged weights, [model.size], owned */
    struct nn_header header;
};

/* Reads the network that plays.  arch: the architecture if the file does not name one; NULL: such a file is an
 * error. */
enum banyan_status nn_net_read(struct nn_net **out, const char *path, const struct nn_arch *arch,
                               struct banyan_error *err);
enum banyan_status nn_net_parse(struct nn_net **out, const struct safetensors *file,
                                const char *name, const struct nn_arch *arch,
                                struct banyan_error *err);
void nn_net_free(struct nn_net *net);

/* Reads a training checkpoint into *state, which this function creates.  model gets the file's
 * architecture. */
enum banyan_status nn_checkpoint_read(const char *path, struct nn_model *model,
                                      struct nn_state *state, struct nn_header *header,
                                      struct banyan_error *err);

#endif
