/* What the files of the tower share: creation (tower.c), the forward pass with the heads
 * (tower_forward.c), the backward pass (tower_backward.c). */
#ifndef NN_ONEDNN_TOWER_PARTS_H
#define NN_ONEDNN_TOWER_PARTS_H

#include "nn/onednn/lanes.h"
#include "nn/onednn/tower.h"
#include "nn/onednn/work.h"
#include "nn/onednn/workers.h"
#include "nn/ops.h"

enum { TOWER_CONVS = 1 + 2 * NN_MAX_BLOCKS, TOWER_HEADS = 3 };

/* One convolution for one slice. */
struct tower_conv {
    struct conv made[3]; /* one for each enum conv_pass */
    struct conv more;    /* forward, adding to the output */
    struct reorder forward_weights, data_weights, gradients;
    void *packed, *packed_low, *data_packed, *packed_gradients; /* weights in the kernels'
                                                                 * layouts */
    float *pre; /* the output before the norm; slice->pre unless a batch norm needs it later */
    struct lanes_pair out;
    double sum[LANES_CHANNELS], second[LANES_CHANNELS]; /* sums of this slice, for norms and
                                                         * biases */
};

struct slice {
    int first, count; /* positions of the batch */
    struct work work;
    struct ops ops; /* matrix products of the pools' dense layers */
    struct tower_conv convs[TOWER_CONVS];
    int made; /* number of positions for which the primitives were made; 0: none */
    float *nhwc, *pre;
    float *rest; /* the low halves of one convolution's weights, as fp32 */
    struct lanes_pair input;
    lanes_half *dtrunk, *dinner, *dspare;
    float *pooled[NN_MAX_BLOCKS], *spread, *dpooled; /* [count][2 channels], [count][channels] */
    float *gradients;                                /* [trunk], in the order of the parameters */
    float *head_gradients;                           /* [all heads] */
    bool failed;
};

/* The trunk and the present step of all threads. */
struct tower {
    const struct nn_model *model;
    struct plain_trunk trunk;
    struct workers *workers;
    struct slice *slices; /* one for each thread */
    int convs;            /* of the trunk */
    size_t size;          /* number of the trunk's parameters, which come first */
    int count;
    const float *planes, *weights, *params;
    float *gradients;
    /* norms of this step, over all slices: [convs][channels] */
    float *mean, *inverse, *scale, *shift, *blend[3];
    /* gradients of the heads, stored until all are known */
    struct lanes_head heads[TOWER_HEADS];
    const struct nn_conv *head_convs[TOWER_HEADS];
    float *douts[TOWER_HEADS];
    size_t dout_room[TOWER_HEADS];
    int head_count;
};

static inline const struct nn_conv *tower_conv(const struct nn_model *model, int i)
{
    const struct nn_block *block = &model->blocks[(i - 1) / 2];
    return i == 0 ? &model->stem : i % 2 ? &block->first : &block->second;
}

static inline struct lanes_board tower_board(const struct tower *tower, const struct slice *slice)
{
    const struct nn_arch *arch = &tower->model->arch;
    /* a slice that failed has no boards; it only waits at the same points as the others */
    return (struct lanes_board){slice->failed ? 0 : slice->count, nn_arch_cells(arch),
                                arch->channels};
}

static inline size_t tower_offset(const struct tower *tower, int tensor)
{
    return tower->model->tensors[tensor].offset;
}

static inline bool tower_batch_norm(const struct tower *tower)
{
    return tower->model->arch.norm == NN_NORM_BATCH;
}

static inline struct conv_shape slice_shape(const struct tower *tower, const struct slice *slice,
                                            int i)
{
    const struct nn_arch *arch = &tower->model->arch;
    const struct nn_conv *conv = tower_conv(tower->model, i);
    return (struct conv_shape){slice->count, arch->height, arch->width, conv->in,
                               conv->out,    conv->kernel, false};
}

/* The slice's part of a head's board. */
static inline struct lanes_head slice_head(const struct tower *tower, const struct slice *slice,
                                           const struct lanes_head *head)
{
    size_t at =
        (size_t)slice->first * (size_t)nn_arch_cells(&tower->model->arch) * (size_t)head->outs;
    return (struct lanes_head){head->outs, head->weight, head->out ? head->out + at : NULL,
                               head->dout ? head->dout + at : NULL};
}

static inline const struct lanes_pair *slice_trunk(const struct tower *tower,
                                                   const struct slice *slice)
{
    return &slice->convs[tower->convs - 1].out;
}

static inline bool tower_failed(const struct tower *tower)
{
    for (int i = 0; i < workers_size(tower->workers); ++i)
        if (tower->slices[i].failed)
            return true;
    return false;
}

/* The caller frees the memory; NULL: no memory. */
void *slice_block(size_t bytes);
/* Makes primitives and boards for slice->count positions. */
bool slice_make(struct tower *tower, struct slice *slice);

/* The functions of struct plain_trunk; ctx: a struct tower. */
bool tower_forward(void *ctx, const struct plain_step *step);
void tower_head(void *ctx, const struct nn_conv *conv, float *out);
bool tower_head_back(void *ctx, const struct nn_conv *conv, const float *dout);
bool tower_backward(void *ctx, float *dweights);

#endif
