/* The architecture of a network.
 *
 *     planes[C][H][W] --stem 3x3--> channels --block-- ... --block--+--> policy  logits of actions
 *                                                                   +--> value   tanh, one or one
 *                                                                   |            for each player
 *                                                                   +--> owner   tanh, each cell
 *                                                                   +--> score   from value's hidden units
 *
 *     block:  x --3x3, norm, ReLU--> r --3x3, norm--> + x (+ pooled r) --ReLU-->
 *
 * A board is what a layer computes for one position: [H][W][channels], one number for each channel
 * of each cell.
 *
 * Policy heads.  `full`: 1x1 convolution, ReLU, fully connected.  `pairs`: every action is a pair
 * of cells, such as the corners of a rectangle; its logit is the dot product of two embeddings, one
 * for each cell, plus a bias.  This needs far fewer weights for the same actions.
 *
 * Norms.  `batch` (Ioffe 2015) keeps running statistics.  `weight` standardises the weights of
 * every output channel instead of its activations (Qiao 2019; Brock 2021): it needs no statistics,
 * does not mix the samples of a batch, and costs nothing in a search.
 */
#ifndef NN_ARCH_H
#define NN_ARCH_H

#include <banyan/options.h>
#include <banyan/status.h>

#include <stdbool.h>
#include <stdint.h>

enum nn_norm { NN_NORM_NONE, NN_NORM_BATCH, NN_NORM_WEIGHT };
enum nn_policy_head { NN_POLICY_FULL, NN_POLICY_PAIRS };

enum { NN_MAX_BLOCKS = 64, NN_MAX_CHANNELS = 1024, NN_MAX_ACTIONS = 1 << 20, NN_MAX_SIDE = 64 };

struct nn_arch {
    /* given by the game */
    int planes, height, width;
    int actions; /* outputs of the policy; 0: no policy head */
    int values;  /* 1: the viewer's value; n: the values of all players, the viewer first */

    /* free to choose */
    int channels, blocks;
    int norm;            /* enum nn_norm, in the trunk */
    bool head_norm;      /* in the heads too */
    int pool;            /* every pool-th block adds the mean and maximum of the board; 0: none */
    int policy_head;     /* enum nn_policy_head */
    int policy_channels; /* full: after the 1x1 convolution; pairs: length of an embedding */
    int value_channels, value_hidden;
    bool owner, score; /* auxiliary heads */
};

extern const struct banyan_option nn_arch_table[];

/* Sets the defaults: a small network.  The fields that the game gives are 0, but values is 1. */
void nn_arch_default(struct nn_arch *arch);

/* Sets the network of the published mushroom report: two blocks of 128 channels with batch norm,
 * and two channels before a policy over all actions.  The fields that the game gives stay as they
 * are. */
void nn_arch_published(struct nn_arch *arch);

/* BANYAN_INVALID: a field is out of its range, or the network would have too many weights. */
enum banyan_status nn_arch_check(const struct nn_arch *arch, struct banyan_error *err);

/* Whether all fields are equal.  It does not compare the padding between fields. */
bool nn_arch_equal(const struct nn_arch *a, const struct nn_arch *b);

static inline int nn_arch_cells(const struct nn_arch *arch)
{
    return arch->height * arch->width;
}

#endif
