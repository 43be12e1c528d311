/* From gradients to better weights: SGD with momentum, or AdamW (Loshchilov 2019). */
#ifndef NN_OPTIMIZER_H
#define NN_OPTIMIZER_H

#include "nn/model.h"

enum nn_method { NN_SGD, NN_ADAMW };

struct nn_optimizer_options {
    int method;                   /* enum nn_method */
    double rate;                  /* step size; SGD: of the velocity */
    double momentum;              /* SGD */
    double beta1, beta2, epsilon; /* AdamW */
    double decay;   /* of weights, not of biases and gains; a share `rate * decay` each step */
    double clip;    /* largest norm of the whole gradient; 0: none */
    double average; /* decay of the averaged weights; 0: they are the weights */
    double follow;  /* how fast running statistics follow */
};

extern const struct banyan_option nn_optimizer_table[];
void nn_optimizer_options_default(struct nn_optimizer_options *options);

/* Everything that learning carries from step to step: four blocks [model->size]. */
struct nn_state {
    float *params;
    float *average; /* exponential mean of params: what plays */
    float *first;   /* momentum, or first moment */
    float *second;  /* second moment */
    int64_t step;
};

enum banyan_status nn_state_create(struct nn_state *state, const struct nn_model *model,
                                   struct banyan_error *err);
void nn_state_destroy(struct nn_state *state);

/* A new network: nn_model_start, no steps. */
void nn_state_start(struct nn_state *state, const struct nn_model *model, uint64_t seed);

/* Euclidean norm over everything that is learned. */
double nn_gradient_norm(const struct nn_model *model, const float *gradients);

/* One step at options->rate * rate_factor.  gradients are scaled in place when clipped.  Returns
 * their norm before; a norm that is not finite changes nothing. */
double nn_optimizer_step(const struct nn_model *model, const struct nn_optimizer_options *options,
                         double rate_factor, float *gradients, struct nn_state *state);

#endif
