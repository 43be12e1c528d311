/* Learning steps on batches from the window of recent games, and their losses. */
#include "train/learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void learn_add(struct learn_report *report, const struct nn_losses *losses, double norm)
{
    double policy = losses->policy_positions > 0 ? losses->policy_positions : 1;
    double all = losses->positions > 0 ? losses->positions : 1;
    ++report->steps;
    report->positions += (int64_t)losses->positions;
    report->policy += losses->policy / policy;
    report->entropy += losses->entropy / policy;
    report->value += losses->value / all;
    report->owner += losses->owner / all;
    report->score += losses->score / all;
    report->norm += norm;
}

static void learn_mean(struct learn_report *report)
{
    double steps = report->steps > 0 ? (double)report->steps : 1;
    double *const sums[] = {&report->policy, &report->entropy, &report->value,
                            &report->owner,  &report->score,   &report->norm};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; ++i)
        *sums[i] /= steps;
}

static enum banyan_status learn_batch(const struct learn_setting *setting, const float *params,
                                      float *gradients, struct nn_losses *losses,
                                      struct banyan_error *err)
{
    const struct learn_options *options = setting->options;
    struct nn_batch batch;
    enum banyan_status status =
        replay_sample(setting->replay, &options->replay, options->batch, setting->rng, &batch, err);
    if (status != BANYAN_OK)
        return status;
    batch.value_weight = options->value_weight;
    batch.owner_weight = options->owner_weight;
    batch.score_weight = options->score_weight;
    return setting->backend->gradients(setting->ctx, params, &batch, gradients, losses, err);
}

static enum banyan_status learn_pause(const struct learn_setting *setting, struct banyan_error *err)
{
    return setting->between ? setting->between(setting->between_ctx, err) : BANYAN_OK;
}

enum banyan_status learn_steps(const struct learn_setting *setting, int64_t steps,
                               struct nn_state *state, const banyan_flag *stop,
                               struct learn_report *report, struct banyan_error *err)
{
    const struct nn_model *model = setting->model;
    const struct learn_options *options = setting->options;
    float *gradients = nn_block_create(setting->model->size);
    enum banyan_status status = BANYAN_OK;
    memset(report, 0, sizeof *report);
    if (!gradients)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for gradients");
    for (int64_t i = 0; i < steps && status == BANYAN_OK; ++i) {
        struct nn_losses losses;
        if (banyan_flag_is_set(stop)) {
            status = banyan_fail(err, BANYAN_INTERRUPTED, "interrupted");
            break;
        }
        status = learn_batch(setting, state->params, gradients, &losses, err);
        if (status != BANYAN_OK)
            break;
        double norm =
            nn_optimizer_step(model, &options->optimizer, options->rate_factor, gradients, state);
        if (!isfinite(norm))
            status = banyan_fail(err, BANYAN_INVALID,
                                 "learning diverged at step %lld: choose a smaller rate",
                                 (long long)state->step);
        learn_add(report, &losses, norm);
        if (status == BANYAN_OK)
            status = learn_pause(setting, err);
    }
    free(gradients);
    learn_mean(report);
    return status;
}

enum banyan_status learn_measure(const struct learn_setting *setting, int64_t batches,
                                 const float *params, struct learn_report *report,
                                 struct banyan_error *err)
{
    float *gradients = nn_block_create(setting->model->size);
    enum banyan_status status = BANYAN_OK;
    memset(report, 0, sizeof *report);
    if (!gradients)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for gradients");
    for (int64_t i = 0; i < batches && status == BANYAN_OK; ++i) {
        struct nn_losses losses;
        status = learn_batch(setting, params, gradients, &losses, err);
        if (status == BANYAN_OK) {
            learn_add(report, &losses, nn_gradient_norm(setting->model, gradients));
            status = learn_pause(setting, err);
        }
    }
    free(gradients);
    learn_mean(report);
    return status;
}
