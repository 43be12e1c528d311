/* The primitives of a search and their weights: what all threads that use a network share.
 *
 * There is one plan for each batch size 1, 2, 4, ... up to PLAN_BATCH, made when it is first wanted.  A
 * primitive runs in any number of threads at once: each gives it scratch memory of its own.
 */
#ifndef NN_ONEDNN_PLANS_H
#define NN_ONEDNN_PLANS_H

#include "nn/model.h"
#include "nn/onednn/work.h"

#include <pthread.h>

enum { PLAN_SIZES = 8, PLAN_BATCH = 1 << (PLAN_SIZES - 1), PLAN_LAYERS = 2 * 64 + 3 };

/* A convolution for one batch size. */
struct step {
    const struct nn_conv *conv;
    struct conv made;
    struct reorder weights; /* from the block of folded weights */
    void *packed;           /* weights in the layout of the kernel */
    dnnl_memory_desc_t in, out;
};

/* All primitives and weights for one batch size. */
struct plan {
    bool made, loaded;
    bool winograd;                  /* the boards in the blocks have Winograd's layout */
    struct reorder enter, leave;    /* into Winograd's layout, and back */
    struct step steps[PLAN_LAYERS]; /* stem, blocks, policy, value */
};

struct plans {
    const struct nn_model *model;
    struct work work;
    dnnl_data_type_t type;
    struct plan sizes[PLAN_SIZES];
    int step_count;
    float *folded;        /* [model->size] weights and biases with folded norms */
    float *turned;        /* weights of one convolution, [out][in][row][column] */
    pthread_mutex_t lock; /* held while a plan is looked for and made */
};

/* threads: how many threads compute one batch.  The type is fp32; the caller may set another before
 * the first plan is made.  The caller destroys *out, after a failure too. */
enum banyan_status plans_create(struct plans **out, const struct nn_model *model, int threads,
                                struct banyan_error *err);
void plans_destroy(struct plans *plans);

/* Sets the weights to those of params.  No thread may compute meanwhile. */
void plans_load(struct plans *plans, const float *params);

/* Finds or makes the plan of the smallest batch size that holds count positions. */
dnnl_status_t plans_find(struct plans *plans, int count, const struct plan **out, int *batch);

#endif
