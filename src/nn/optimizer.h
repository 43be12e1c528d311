/* Updates weights from gradients: SGD with momentum, or AdamW (Loshchilov 2019). */
#ifndef NN_OPTIMIZER_H
#define NN_OPTIMIZER_H

#include "nn/model.h"

enum nn_method { NN_SGD, NN_ADAMW };

struct nn_optimizer_options {
    int method;                   /* enum nn_method */
    double rate;                  /* learning rate */
    double momentum;              /* SGD */
    double beta1, beta2, epsilon; /* AdamW */
    double decay;   /* applies to weights, not to biases and gains; each step subtracts the share
                       `rate * decay` */
    double clip;    /* largest norm of the whole gradient; 0: none */
    double average; /* decay of the averaged weights; 0: no averaging */
    double follow;  /* how fast running statistics approach those of a batch */
};

extern const struct banyan_option nn_optimizer_table[];
void nn_optimizer_options_default(struct nn_optimizer_options *options);

/* Everything that training keeps from step to step: four blocks [model->size]. */
struct nn_state {
    float *params;
    float *average; /* exponential mean of params; searches use these weights */
    float *first;   /* momentum, or first moment */
    float *second;  /* second moment */
    int64_t step;
};

enum banyan_status nn_state_create(struct nn_state *state, const struct nn_model *model,
                                   struct banyan_error *err);
void nn_state_destroy(struct nn_state *state);

/* The state of a new network: nn_model_start, no steps. */
void nn_state_start(struct nn_state *state, const struct nn_model *model, uint64_t seed);

/* Euclidean norm of the gradient over all learned parameters. */
double nn_gradient_norm(const struct nn_model *model, const float *gradients);

/* One step with the learning rate options->rate * rate_factor and clipped gradients; the block
 * `gradients` stays as it is.  Returns the norm before clipping; if it is not finite, nothing changes. */
double nn_optimizer_step(const struct nn_model *model, const struct nn_optimizer_options *options,
                         double rate_factor, float *gradients, struct nn_state *state);

#endif
