/* The interface of backends, which compute networks: one table of functions.
 *
 *     params (fp32 block) --load--> backend --forward--> logits of the listed actions, values
 *     params, batch ---------gradients--------------> gradients (fp32 block), losses
 *
 * Weights are only exchanged as the block of <nn/model.h>, so training can continue with another
 * backend.  `plain` is always available and is the reference; the others are plugins.
 */
#ifndef NN_BACKEND_H
#define NN_BACKEND_H

#include "base/cpu.h"
#include "nn/model.h"

#include <stdbool.h>
#include <stdint.h>

/* Positions to evaluate: their planes and actions, and where to write values and logits. */
struct nn_request {
    int count;
    const float *planes;    /* [count][planes][height][width] */
    const int *start;       /* [count + 1]: where each position's actions begin; start[0] = 0 */
    const int32_t *actions; /* [start[count]] legal ones, each below arch.actions */
    float *logits;          /* [start[count]] written */
    float *values;          /* [count][values] written, -1..1 */
};

/* A batch of training positions with their targets. */
struct nn_batch {
    int count;
    const float *planes;
    const int *start;
    const int32_t *actions;
    const float *policy;        /* [start[count]] sums to 1 for every position */
    const float *policy_weight; /* [count]; 0: the policy of this position is not trained */
    const float *values;        /* [count][values] -1..1 */
    const float *owner;         /* [count][height][width] -1..1; NULL without that head */
    const float *score;         /* [count]; NULL without that head */
    float value_weight, owner_weight, score_weight; /* factors of the losses; the policy's is 1 */
};

/* Sums over the positions of a batch, without the factors of the losses.  The sums of the policy
 * (policy, entropy, policy_positions) weight each position by policy_weight. */
struct nn_losses {
    double policy;  /* cross-entropy */
    double entropy; /* of the targets: the smallest possible cross-entropy */
    double value;   /* squared error, sum over values */
    double owner;   /* squared error, mean over cells */
    double score;   /* squared error */
    double policy_positions, positions;
};

enum { NN_DESCRIPTION_MAX = 192 };

struct nn_backend_options {
    char type[16]; /* "" (the backend's choice), "fp32", "bf16" */
    int threads;
};

struct nn_backend {
    const char *name, *help;
    bool trains;
    /* model is borrowed.  A context serves one thread at a time. */
    enum banyan_status (*open)(const struct nn_model *model,
                               const struct nn_backend_options *options, void **ctx,
                               struct banyan_error *err);
    void (*close)(void *ctx);
    /* Makes another context with the same weights and its own working memory, for forward in another thread at
     * the same time.  It must be closed before ctx.  load and gradients are for ctx only, and only while no other
     * thread computes.  NULL: this backend computes one batch after the other. */
    enum banyan_status (*share)(void *ctx, void **out, struct banyan_error *err);
    /* Copies from params[model->size] what forward needs. */
    enum banyan_status (*load)(void *ctx, const float *params, struct banyan_error *err);
    enum banyan_status (*forward)(void *ctx, const struct nn_request *request,
                                  struct banyan_error *err);
    /* Writes gradients[model->size] of the mean loss over the batch.  Running statistics get the
     * statistics of this batch, tables get 0. */
    enum banyan_status (*gradients)(void *ctx, const float *params, const struct nn_batch *batch,
                                    float *gradients, struct nn_losses *losses,
                                    struct banyan_error *err);
    /* What open chose, and why: "onednn bf16 jit:avx512, as requested; trains in fp32: this
     * processor has no AMX". */
    const char *(*describe)(const void *ctx);
    /* Called after a plugin was loaded while instructions are limited (base/cpu.h), because the
     * plugin has its own copy of that limit.  NULL: the plugin does not compute on the CPU. */
    void (*limit)(enum cpu_level level);
};

extern const struct nn_backend nn_plain;

/* What the functions nn_loss_... need to add the loss of one position and to write its gradient.  `weight` is
 * that of one position, 1 / count. */
struct nn_head {
    const struct nn_batch *batch;
    const struct nn_arch *arch;
    float weight;
};
void nn_loss_policy(const struct nn_head *head, int position, const float *logits, float *dlogits,
                    struct nn_losses *losses);
void nn_loss_value(const struct nn_head *head, int position, const float *values, float *dvalues,
                   struct nn_losses *losses);
void nn_loss_owner(const struct nn_head *head, int position, const float *owner, float *downer,
                   struct nn_losses *losses);
void nn_loss_score(const struct nn_head *head, int position, const float *score, float *dscore,
                   struct nn_losses *losses);

/* [count][planes][cells] -> [count][cells][planes] */
void nn_planes_last(const struct nn_arch *arch, int count, const float *planes, float *out);

/* Writes the weights and biases for a search, with folded norms: folded[model->size].  Of each
 * convolution only weight and bias are valid. */
void nn_fold(const struct nn_model *model, const float *params, float *folded);

#endif
