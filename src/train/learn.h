/* Learning from a window of games: batches, steps, losses. */
#ifndef TRAIN_LEARN_H
#define TRAIN_LEARN_H

#include "nn/backend.h"
#include "nn/optimizer.h"
#include "train/replay.h"

#include <banyan/stop.h>

struct learn_options {
    int batch;
    double rate_factor; /* present factor of the learning rate */
    float value_weight, owner_weight, score_weight;
    struct replay_options replay;
    struct nn_optimizer_options optimizer;
};

/* Losses as means over some batches; steps and positions are counts. */
struct learn_report {
    int64_t steps, positions;
    double policy, entropy, value, owner, score;
    double norm; /* norm of the gradient */
};

/* What a learning step works on: the network, and the source of positions; all borrowed. */
struct learn_setting {
    const struct nn_model *model;
    const struct nn_backend *backend;
    void *ctx; /* context of the backend */
    const struct learn_options *options;
    struct replay *replay;
    struct banyan_rng *rng; /* random numbers that choose the positions */
    /* Called after every step, for other work of this thread; its failure ends the learning; may be NULL. */
    enum banyan_status (*between)(void *ctx, struct banyan_error *err);
    void *between_ctx;
};

/* Makes `steps` steps from state.  stop: checked before every step; BANYAN_INTERRUPTED leaves
 * state as it was between two steps. */
enum banyan_status learn_steps(const struct learn_setting *setting, int64_t steps,
                               struct nn_state *state, const banyan_flag *stop,
                               struct learn_report *report, struct banyan_error *err);

/* Computes the losses of params on `batches` batches, without learning. */
enum banyan_status learn_measure(const struct learn_setting *setting, int64_t batches,
                                 const float *params, struct learn_report *report,
                                 struct banyan_error *err);

#endif
