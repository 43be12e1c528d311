/* Updates weights from gradients by SGD with momentum or AdamW. */
#include "nn/optimizer.h"

#include "base/numeric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const optimizer_methods[] = {"sgd", "adamw", NULL};

#define AT(member) offsetof(struct nn_optimizer_options, member)
/* clang-format off */
const struct banyan_option nn_optimizer_table[] = {
    {"method", BANYAN_OPTION_CHOICE, AT(method), 0, 0, optimizer_methods, 0, "optimisation method"},
    {"rate", BANYAN_OPTION_REAL, AT(rate), 0, 100, NULL, 0, "learning rate"},
    {"momentum", BANYAN_OPTION_REAL, AT(momentum), 0, 0.9999, NULL, 0, "SGD: share of the last step that is added to the next"},
    {"beta1", BANYAN_OPTION_REAL, AT(beta1), 0, 0.9999, NULL, 0, "AdamW: decay of the first moment"},
    {"beta2", BANYAN_OPTION_REAL, AT(beta2), 0, 0.999999, NULL, 0, "AdamW: decay of the second moment"},
    {"epsilon", BANYAN_OPTION_REAL, AT(epsilon), 1e-12, 1, NULL, 0, "AdamW: added to the square root of the second moment"},
    {"decay", BANYAN_OPTION_REAL, AT(decay), 0, 10, NULL, 0, "weight decay"},
    {"clip", BANYAN_OPTION_REAL, AT(clip), 0, 1e9, NULL, 0, "largest norm of the gradient; 0: no limit"},
    {"average", BANYAN_OPTION_REAL, AT(average), 0, 0.99999, NULL, 0, "decay of the averaged weights, which play the games; 0: no averaging"},
    {"follow", BANYAN_OPTION_REAL, AT(follow), 0, 1, NULL, 0, "batch norm: weight of the newest batch in the running statistics"},
    {0},
};
/* clang-format on */
#undef AT

void nn_optimizer_options_default(struct nn_optimizer_options *options)
{
    *options = (struct nn_optimizer_options){.method = NN_ADAMW,
                                             .rate = 2e-3,
                                             .momentum = 0.9,
                                             .beta1 = 0.9,
                                             .beta2 = 0.99,
                                             .epsilon = 1e-8,
                                             .decay = 0.01,
                                             .clip = 5,
                                             .average = 0.99,
                                             .follow = 0.1};
}

enum banyan_status nn_state_create(struct nn_state *state, const struct nn_model *model,
                                   struct banyan_error *err)
{
    *state = (struct nn_state){nn_block_create(model->size), nn_block_create(model->size),
                               nn_block_create(model->size), nn_block_create(model->size), 0};
    if (state->params && state->average && state->first && state->second)
        return BANYAN_OK;
    nn_state_destroy(state);
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %zu weights and their moments",
                       model->size);
}

void nn_state_destroy(struct nn_state *state)
{
    free(state->params);
    free(state->average);
    free(state->first);
    free(state->second);
    memset(state, 0, sizeof *state);
}

void nn_state_start(struct nn_state *state, const struct nn_model *model, uint64_t seed)
{
    nn_model_start(model, state->params, seed);
    memcpy(state->average, state->params, model->size * sizeof *state->params);
    memset(state->first, 0, model->size * sizeof *state->first);
    memset(state->second, 0, model->size * sizeof *state->second);
    state->step = 0;
}

static bool optimizer_learns(const struct nn_tensor *tensor)
{
    return tensor->role == NN_WEIGHT || tensor->role == NN_BIAS;
}

double nn_gradient_norm(const struct nn_model *model, const float *gradients)
{
    double sum = 0;
    for (int i = 0; i < model->tensor_count; ++i) {
        const struct nn_tensor *tensor = &model->tensors[i];
        const float *gradient = gradients + tensor->offset;
        for (size_t j = 0; optimizer_learns(tensor) && j < tensor->count; ++j)
            sum += (double)gradient[j] * gradient[j];
    }
    return sqrt(sum);
}

/* One tensor, and the numbers of this step. */
struct optimizer_part {
    const struct nn_optimizer_options *options;
    size_t count;
    float *params, *gradient, *first, *second;
    float rate, keep; /* keep: decay multiplies a weight by this */
    float scale;      /* of the gradient */
    float unbias1, unbias2;
};

static void optimizer_sgd(const struct optimizer_part *part)
{
    float momentum = (float)part->options->momentum;
    for (size_t i = 0; i < part->count; ++i) {
        part->first[i] = momentum * part->first[i] + part->scale * part->gradient[i];
        part->params[i] = part->keep * part->params[i] - part->rate * part->first[i];
    }
}

static void optimizer_adamw(const struct optimizer_part *part)
{
    float beta1 = (float)part->options->beta1, beta2 = (float)part->options->beta2;
    float epsilon = (float)part->options->epsilon;
    for (size_t i = 0; i < part->count; ++i) {
        float g = part->scale * part->gradient[i];
        part->first[i] = beta1 * part->first[i] + (1 - beta1) * g;
        part->second[i] = beta2 * part->second[i] + (1 - beta2) * g * g;
        float root = sqrtf(part->second[i] * part->unbias2) + epsilon;
        part->params[i] =
            part->keep * part->params[i] - part->rate * part->unbias1 * part->first[i] / root;
    }
}

static void optimizer_follow(const struct optimizer_part *part)
{
    float follow = (float)part->options->follow;
    for (size_t i = 0; i < part->count; ++i)
        part->params[i] += follow * (part->gradient[i] - part->params[i]);
}

/* Updates the averaged weights.  In the first steps the decay is smaller, so that the random start
 * is soon forgotten. */
static void optimizer_average(const struct nn_model *model, double decay, struct nn_state *state)
{
    double early = 1 - 1 / (double)(state->step + 1);
    float keep = (float)(decay < early ? decay : early);
    for (size_t i = 0; i < model->size; ++i)
        state->average[i] += (1 - keep) * (state->params[i] - state->average[i]);
}

double nn_optimizer_step(const struct nn_model *model, const struct nn_optimizer_options *options,
                         double rate_factor, float *gradients, struct nn_state *state)
{
    double norm = nn_gradient_norm(model, gradients), rate = options->rate * rate_factor;
    if (!isfinite(norm))
        return norm;
    double step = (double)++state->step;
    struct optimizer_part part = {
        .options = options,
        .rate = (float)rate,
        .scale = options->clip > 0 && norm > options->clip ? (float)(options->clip / norm) : 1,
        .unbias1 = (float)(1 / (1 - numeric_pow(options->beta1, step))),
        .unbias2 = (float)(1 / (1 - numeric_pow(options->beta2, step)))};
    for (int i = 0; i < model->tensor_count; ++i) {
        const struct nn_tensor *tensor = &model->tensors[i];
        part.count = tensor->count;
        part.params = state->params + tensor->offset;
        part.gradient = gradients + tensor->offset;
        part.first = state->first + tensor->offset;
        part.second = state->second + tensor->offset;
        part.keep = tensor->role == NN_WEIGHT ? (float)(1 - rate * options->decay) : 1;
        if (tensor->role == NN_STATISTIC)
            optimizer_follow(&part);
        else if (optimizer_learns(tensor))
            (options->method == NN_SGD ? optimizer_sgd : optimizer_adamw)(&part);
    }
    optimizer_average(model, options->average, state);
    return norm;
}
