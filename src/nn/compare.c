/* Compares two backends on the same weights and positions. */
#include "nn/compare.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARE_ACTIONS = 24 };

/* The positions, and the results of both backends. */
struct compare {
    const struct nn_model *model;
    int count;
    struct nn_batch batch;
    float *params, *planes, *policy, *weight, *values, *owner, *score;
    int *start;
    int32_t *actions;
    float *logits[2], *said[2], *gradients[2];
    struct nn_losses losses[2];
};

static float compare_uniform(struct banyan_rng *rng)
{
    return (float)(2 * rng_unit(rng) - 1);
}

static void compare_free(struct compare *compare)
{
    void *const blocks[] = {compare->params,    compare->planes,       compare->policy,
                            compare->weight,    compare->values,       compare->owner,
                            compare->score,     compare->start,        compare->actions,
                            compare->logits[0], compare->logits[1],    compare->said[0],
                            compare->said[1],   compare->gradients[0], compare->gradients[1]};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        free(blocks[i]);
}

static bool compare_allocate(struct compare *compare)
{
    const struct nn_arch *arch = &compare->model->arch;
    size_t n = (size_t)compare->count, cells = (size_t)nn_arch_cells(arch);
    bool good = true;
    compare->params = nn_block_create(compare->model->size);
    compare->planes = nn_block_create(n * cells * (size_t)arch->planes);
    compare->policy = nn_block_create(n * COMPARE_ACTIONS);
    compare->weight = nn_block_create(n);
    compare->values = nn_block_create(n * (size_t)arch->values);
    compare->owner = nn_block_create(n * cells);
    compare->score = nn_block_create(n);
    compare->start = calloc(n + 1, sizeof *compare->start);
    compare->actions = calloc(n * COMPARE_ACTIONS, sizeof *compare->actions);
    for (int i = 0; i < 2; ++i) {
        compare->logits[i] = nn_block_create(n * COMPARE_ACTIONS);
        compare->said[i] = nn_block_create(n * (size_t)arch->values);
        compare->gradients[i] = nn_block_create(compare->model->size);
        good = good && compare->logits[i] && compare->said[i] && compare->gradients[i];
    }
    return good && compare->params && compare->planes && compare->policy && compare->weight &&
           compare->values && compare->owner && compare->score && compare->start &&
           compare->actions;
}

/* Weights as in a trained network: none is 0, and none is large. */
static enum banyan_status compare_weights(struct compare *compare, struct banyan_rng *rng,
                                          struct banyan_error *err)
{
    const struct nn_model *model = compare->model;
    nn_model_start(model, compare->params, 11);
    for (int i = 0; i < model->tensor_count; ++i) {
        const struct nn_tensor *tensor = &model->tensors[i];
        float size = tensor->role == NN_BIAS ? 0.2f : tensor->role == NN_STATISTIC ? 0.1f : 0.02f;
        for (size_t j = 0; tensor->role != NN_TABLE && j < tensor->count; ++j)
            compare->params[tensor->offset + j] += size * compare_uniform(rng);
    }
    if (model->arch.policy_head == NN_POLICY_PAIRS && model->arch.actions)
        return nn_model_rectangles(model, 1, compare->params, err);
    return BANYAN_OK;
}

static void compare_positions(struct compare *compare, struct banyan_rng *rng)
{
    const struct nn_arch *arch = &compare->model->arch;
    int cells = nn_arch_cells(arch), most = arch->actions;
    most = most < COMPARE_ACTIONS ? most : COMPARE_ACTIONS;
    for (int i = 0; i < compare->count * cells * arch->planes; ++i)
        compare->planes[i] = rng_below(rng, 3) ? 0 : 1;
    for (int i = 0; i < compare->count * cells; ++i)
        compare->owner[i] = (float)rng_below(rng, 3) - 1;
    for (int i = 0; i < compare->count; ++i) {
        int at = compare->start[i];
        compare->start[i + 1] = at + most;
        compare->weight[i] = 1;
        compare->score[i] = compare_uniform(rng);
        for (int j = 0; j < arch->values; ++j)
            compare->values[i * arch->values + j] = compare_uniform(rng);
        for (int j = 0; j < most; ++j) {
            compare->actions[at + j] = (int32_t)((i + j * (arch->actions / most)) % arch->actions);
            compare->policy[at + j] = 2 * (float)(j + 1) / (float)(most * (most + 1));
        }
    }
    compare->batch = (struct nn_batch){compare->count,
                                       compare->planes,
                                       compare->start,
                                       compare->actions,
                                       compare->policy,
                                       compare->weight,
                                       compare->values,
                                       compare->owner,
                                       compare->score,
                                       1,
                                       0.5f,
                                       0.5f};
}

static enum banyan_status compare_run(struct compare *compare, int which,
                                      const struct nn_contender *contender, char *description,
                                      struct banyan_error *err)
{
    struct nn_backend_options options = {.threads = 1};
    const struct nn_backend *table;
    void *ctx;
    struct nn_request request = {compare->count,   compare->planes,        compare->start,
                                 compare->actions, compare->logits[which], compare->said[which]};
    snprintf(options.type, sizeof options.type, "%s", contender->type);
    enum banyan_status status =
        nn_backend_open(contender->backend, compare->model, &options, &table, &ctx, err);
    if (status != BANYAN_OK)
        return status;
    snprintf(description, NN_DESCRIPTION_MAX, "%s", table->describe(ctx));
    status = table->load(ctx, compare->params, err);
    if (status == BANYAN_OK)
        status = table->forward(ctx, &request, err);
    if (status == BANYAN_OK && table->trains)
        status = table->gradients(ctx, compare->params, &compare->batch, compare->gradients[which],
                                  &compare->losses[which], err);
    table->close(ctx);
    return status;
}

struct distance {
    double error, size; /* sums of squares */
};

static void distance_add(struct distance *distance, const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        distance->error += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
        distance->size += (double)a[i] * a[i];
    }
}

static double distance_relative(const struct distance *distance)
{
    return distance->error > 0 ? sqrt(distance->error / distance->size) : 0;
}

static double compare_loss(const struct nn_losses *losses)
{
    return losses->policy + losses->value + losses->owner + losses->score;
}

static void compare_read(const struct compare *compare, struct nn_comparison *out)
{
    const struct nn_model *model = compare->model;
    struct distance forward = {0, 0};
    distance_add(&forward, compare->logits[0], compare->logits[1],
                 (size_t)compare->start[compare->count]);
    distance_add(&forward, compare->said[0], compare->said[1],
                 (size_t)compare->count * (size_t)model->arch.values);
    out->forward = distance_relative(&forward);
    out->gradient = 0;
    for (int i = 0; i < model->tensor_count; ++i) {
        const struct nn_tensor *tensor = &model->tensors[i];
        struct distance gradient = {0, 0};
        distance_add(&gradient, compare->gradients[0] + tensor->offset,
                     compare->gradients[1] + tensor->offset, tensor->count);
        double relative = distance_relative(&gradient);
        if (relative > out->gradient || (i == 0 && relative >= 0)) {
            out->gradient = relative;
            snprintf(out->worst, sizeof out->worst, "%s", tensor->name);
        }
    }
    double loss = compare_loss(&compare->losses[0]);
    out->loss = fabs(compare_loss(&compare->losses[1]) - loss) / loss;
}

enum banyan_status nn_compare(const struct nn_model *model, const struct nn_contender contenders[],
                              int count, struct nn_comparison *out, struct banyan_error *err)
{
    struct compare compare = {.model = model, .count = count};
    struct banyan_rng rng;
    memset(out, 0, sizeof *out);
    banyan_rng_seed(&rng, 17);
    enum banyan_status status = BANYAN_OK;
    if (!compare_allocate(&compare))
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory to compare backends");
    if (status == BANYAN_OK)
        status = compare_weights(&compare, &rng, err);
    if (status == BANYAN_OK) {
        compare_positions(&compare, &rng);
        status = compare_run(&compare, 0, &contenders[0], out->first, err);
    }
    if (status == BANYAN_OK)
        status = compare_run(&compare, 1, &contenders[1], out->second, err);
    if (status == BANYAN_OK)
        compare_read(&compare, out);
    compare_free(&compare);
    return status;
}
