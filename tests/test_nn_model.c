/* Whole networks: gradients against finite differences of the loss, learning by heart, answers that
 * do not depend on the batch. */
#include "nn/backend.h"
#include "nn/optimizer.h"

#include "nn_check.h"

enum { POSITIONS = 5 };

/* The smallest network that has every kind of layer. */
static struct nn_arch small_arch(int norm, int head)
{
    struct nn_arch arch;
    nn_arch_default(&arch);
    arch.planes = 2, arch.height = 3, arch.width = 4;
    arch.actions = head == NN_POLICY_PAIRS ? 61 : 7;
    arch.values = 2;
    arch.channels = 5, arch.blocks = 2, arch.norm = norm, arch.pool = 2;
    arch.policy_head = head, arch.policy_channels = 3;
    arch.value_channels = 2, arch.value_hidden = 6;
    arch.owner = arch.score = true;
    arch.head_norm = norm == NN_NORM_BATCH;
    return arch;
}

struct learner {
    struct nn_model model;
    struct nn_state state;
    struct nn_batch batch;
    void *ctx;
    float *gradients;
    int start[POSITIONS + 1];
    int32_t actions[3 * POSITIONS];
    float policy[3 * POSITIONS], weight[POSITIONS], owner[12 * POSITIONS], score[POSITIONS];
    float values[2 * POSITIONS];
    float *planes;
};

static void learner_create(struct learner *learner, int norm, int head)
{
    struct nn_arch arch = small_arch(norm, head);
    struct banyan_error err;
    memset(learner, 0, sizeof *learner);
    assert_int_equal(nn_model_build(&learner->model, &arch, &err), BANYAN_OK);
    assert_int_equal(nn_state_create(&learner->state, &learner->model, &err), BANYAN_OK);
    nn_state_start(&learner->state, &learner->model, 7);
    if (head == NN_POLICY_PAIRS)
        assert_int_equal(nn_model_rectangles(&learner->model, 1, learner->state.params, &err),
                         BANYAN_OK);
    assert_int_equal(nn_plain.open(&learner->model, NULL, &learner->ctx, &err), BANYAN_OK);
    learner->gradients = nn_block_create(learner->model.size);
    learner->planes = nn_check_random(POSITIONS * 2 * 12, 3);
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 9);
    for (int i = 0; i < POSITIONS; ++i) {
        learner->start[i + 1] = 3 * (i + 1);
        learner->weight[i] = i == 2 ? 0 : 1;
        learner->score[i] = (float)banyan_rng_unit(&rng);
        for (int j = 0; j < 3; ++j) {
            learner->actions[3 * i + j] = (int32_t)((i + 2 * j) % arch.actions);
            learner->policy[3 * i + j] = j == i % 3 ? 0.8f : 0.1f;
        }
        learner->values[2 * i] = (float)(i % 3 - 1);
        learner->values[2 * i + 1] = -learner->values[2 * i];
        for (int j = 0; j < 12; ++j)
            learner->owner[12 * i + j] = (float)banyan_rng_below(&rng, 3) - 1;
    }
    learner->batch = (struct nn_batch){POSITIONS,
                                       learner->planes,
                                       learner->start,
                                       learner->actions,
                                       learner->policy,
                                       learner->weight,
                                       learner->values,
                                       learner->owner,
                                       learner->score,
                                       0.7f,
                                       0.3f,
                                       0.2f};
}

static void learner_destroy(struct learner *learner)
{
    nn_plain.close(learner->ctx);
    nn_state_destroy(&learner->state);
    free(learner->gradients);
    free(learner->planes);
}

static double learner_loss(struct learner *learner, float *gradients)
{
    struct nn_losses losses;
    assert_int_equal(nn_plain.gradients(learner->ctx, learner->state.params, &learner->batch,
                                        gradients, &losses, NULL),
                     BANYAN_OK);
    const struct nn_batch *batch = &learner->batch;
    return (losses.policy + batch->value_weight * losses.value +
            batch->owner_weight * losses.owner + batch->score_weight * losses.score) /
           POSITIONS;
}

/* With biases of 0, ReLUs are at their kink, and layers with small outputs hide their gradients. */
static void learner_shake(struct learner *learner)
{
    float *noise = nn_check_random(learner->model.size, 21);
    for (int i = 0; i < learner->model.tensor_count; ++i) {
        const struct nn_tensor *tensor = &learner->model.tensors[i];
        for (size_t j = 0; tensor->role <= NN_BIAS && j < tensor->count; ++j)
            learner->state.params[tensor->offset + j] += 0.3f * noise[tensor->offset + j];
    }
    free(noise);
}

/* By central differences. */
static double learner_slope(struct learner *learner, float *at, float step, float *spare)
{
    float before = *at;
    *at = before + step;
    double above = learner_loss(learner, spare);
    *at = before - step;
    double below = learner_loss(learner, spare);
    *at = before;
    return (above - below) / (2 * (double)step);
}

/* A long step may cross the kink of a ReLU, and with a short one rounding dominates: the better
 * of both counts. */
static void check_gradients(int norm, int head)
{
    struct learner learner;
    learner_create(&learner, norm, head);
    learner_shake(&learner);
    float *spare = nn_block_create(learner.model.size);
    learner_loss(&learner, learner.gradients);
    for (int i = 0; i < learner.model.tensor_count; ++i) {
        const struct nn_tensor *tensor = &learner.model.tensors[i];
        double error = 0, size = 0;
        for (size_t j = 0; tensor->role <= NN_BIAS && j < tensor->count; ++j) {
            float *at = learner.state.params + tensor->offset + j;
            double gradient = learner.gradients[tensor->offset + j];
            double best = INFINITY, expected = 0;
            for (float step = 1.0f / 512; step > 1.0f / 16384; step /= 8) {
                double slope = learner_slope(&learner, at, step, spare);
                if (fabs(slope - gradient) < best) {
                    best = fabs(slope - gradient);
                    expected = slope;
                }
            }
            error += best * best;
            size += expected * expected;
        }
        if (sqrt(error) > 2e-2 * sqrt(size) + 1e-4)
            fail_msg("norm %d head %d, %s: error %g of %g", norm, head, tensor->name, sqrt(error),
                     sqrt(size));
        if (tensor->role == NN_WEIGHT)
            assert_true(size > 0);
    }
    free(spare);
    learner_destroy(&learner);
}

/* Position i of the batch alone. */
static struct nn_batch learner_single(const struct learner *learner, int i)
{
    static const int start[] = {0, 3};
    struct nn_batch batch = learner->batch;
    batch.count = 1;
    batch.planes += (size_t)i * 24;
    batch.start = start;
    batch.actions += 3 * i;
    batch.policy += 3 * i;
    batch.policy_weight += i;
    batch.values += 2 * i;
    batch.owner += 12 * i;
    batch.score += i;
    return batch;
}

/* The losses of position i that an evaluation shows: of the policy, its entropy, and of the values. */
static void learner_losses(struct learner *learner, int i, struct nn_losses *out)
{
    const struct nn_batch batch = learner_single(learner, i);
    float logits[3], values[2];
    const struct nn_request request = {1, batch.planes, batch.start, batch.actions, logits, values};
    assert_int_equal(nn_plain.forward(learner->ctx, &request, NULL), BANYAN_OK);
    double sum = 0;
    for (int j = 0; j < 3; ++j)
        sum += exp((double)logits[j]);
    for (int j = 0; j < 3; ++j) {
        double p = (double)batch.policy[j] * (double)batch.policy_weight[0];
        out->policy -= p * (logits[j] - log(sum));
        out->entropy -= p * log((double)batch.policy[j]);
    }
    for (int k = 0; k < 2; ++k)
        out->value += pow((double)values[k] - (double)batch.values[k], 2);
}

static void check_near(double a, double b)
{
    if (fabs(a - b) > 1e-4 * (1 + fabs(b)))
        fail_msg("%g instead of %g", a, b);
}

/* Losses are sums over positions, and gradients their means: those of a batch follow from those of its
 * positions one by one, and from what an evaluation answers. */
static void test_losses_of_a_batch(void **state)
{
    (void)state;
    for (int norm = NN_NORM_NONE; norm <= NN_NORM_WEIGHT; norm += NN_NORM_WEIGHT - NN_NORM_NONE)
        for (int head = NN_POLICY_FULL; head <= NN_POLICY_PAIRS; ++head) {
            struct learner l;
            struct nn_losses all, one, sum = {.policy = 0}, seen = {.policy = 0};
            learner_create(&l, norm, head);
            learner_shake(&l);
            assert_int_equal(nn_plain.load(l.ctx, l.state.params, NULL), BANYAN_OK);
            assert_int_equal(
                nn_plain.gradients(l.ctx, l.state.params, &l.batch, l.gradients, &all, NULL),
                BANYAN_OK);
            float *single = nn_block_create(l.model.size), *mean = nn_block_create(l.model.size);
            for (int i = 0; i < POSITIONS; ++i) {
                const struct nn_batch batch = learner_single(&l, i);
                assert_int_equal(
                    nn_plain.gradients(l.ctx, l.state.params, &batch, single, &one, NULL),
                    BANYAN_OK);
                sum.owner += one.owner, sum.score += one.score;
                for (size_t j = 0; j < l.model.size; ++j)
                    mean[j] += single[j] / POSITIONS;
                learner_losses(&l, i, &seen);
            }
            check_near(all.policy, seen.policy);
            check_near(all.entropy, seen.entropy);
            check_near(all.value, seen.value);
            check_near(all.owner, sum.owner);
            check_near(all.score, sum.score);
            assert_true(all.positions == POSITIONS && all.policy_positions == POSITIONS - 1);
            assert_true(sum.owner > 0 && sum.score > 0);
            for (int i = 0; i < l.model.tensor_count; ++i)
                for (size_t j = 0;
                     l.model.tensors[i].role <= NN_BIAS && j < l.model.tensors[i].count; ++j)
                    check_near((double)l.gradients[l.model.tensors[i].offset + j],
                               (double)mean[l.model.tensors[i].offset + j]);
            free(single);
            free(mean);
            learner_destroy(&l);
        }
}

static void test_gradients(void **state)
{
    (void)state;
    for (int norm = NN_NORM_NONE; norm <= NN_NORM_WEIGHT; ++norm)
        for (int head = NN_POLICY_FULL; head <= NN_POLICY_PAIRS; ++head)
            check_gradients(norm, head);
}

static void test_learns_by_heart(void **state)
{
    (void)state;
    for (int method = NN_SGD; method <= NN_ADAMW; ++method)
        for (int norm = NN_NORM_NONE; norm <= NN_NORM_WEIGHT; ++norm) {
            struct learner learner;
            learner_create(&learner, norm, NN_POLICY_FULL);
            struct nn_optimizer_options options;
            nn_optimizer_options_default(&options);
            options.method = method;
            options.rate = method == NN_SGD ? 0.02 : 0.01;
            options.decay = 0;
            double first = learner_loss(&learner, learner.gradients), last = first;
            for (int step = 0; step < 400; ++step) {
                nn_optimizer_step(&learner.model, &options, 1, learner.gradients, &learner.state);
                last = learner_loss(&learner, learner.gradients);
            }
            assert_int_equal(learner.state.step, 400);
            if (!(last < 0.7 && first > 1))
                fail_msg("method %d norm %d: loss %g -> %g", method, norm, first, last);
            learner_destroy(&learner);
        }
}

/* The outputs for a position do not depend on the other positions of the batch, to the bit. */
static void test_answers_do_not_depend_on_the_batch(void **state)
{
    (void)state;
    for (int head = NN_POLICY_FULL; head <= NN_POLICY_PAIRS; ++head) {
        struct learner learner;
        learner_create(&learner, NN_NORM_WEIGHT, head);
        learner_shake(&learner);
        float logits[3 * POSITIONS], values[2 * POSITIONS], one_logits[3], one_values[2];
        struct nn_request request = {POSITIONS,       learner.planes, learner.start,
                                     learner.actions, logits,         values};
        assert_int_equal(nn_plain.load(learner.ctx, learner.state.params, NULL), BANYAN_OK);
        assert_int_equal(nn_plain.forward(learner.ctx, &request, NULL), BANYAN_OK);
        for (int i = 0; i < POSITIONS; ++i) {
            struct nn_request one = {1,
                                     learner.planes + 24 * i,
                                     learner.start,
                                     learner.actions + 3 * i,
                                     one_logits,
                                     one_values};
            assert_int_equal(nn_plain.forward(learner.ctx, &one, NULL), BANYAN_OK);
            assert_memory_equal(one_logits, logits + 3 * i, sizeof one_logits);
            assert_memory_equal(one_values, values + 2 * i, sizeof one_values);
            assert_true(values[2 * i] > -1 && values[2 * i] < 1);
        }
        learner_destroy(&learner);
    }
}

/* If the running statistics follow immediately, the network of the search computes what the
 * trained one computes. */
static void test_batch_norm_folds(void **state)
{
    (void)state;
    struct learner learner;
    learner_create(&learner, NN_NORM_BATCH, NN_POLICY_FULL);
    learner_shake(&learner);
    struct nn_optimizer_options options;
    nn_optimizer_options_default(&options);
    options.rate = 0, options.decay = 0, options.follow = 1;
    double loss = learner_loss(&learner, learner.gradients);
    nn_optimizer_step(&learner.model, &options, 1, learner.gradients, &learner.state);
    float logits[3 * POSITIONS], values[2 * POSITIONS], spare[3];
    struct nn_request request = {POSITIONS,       learner.planes, learner.start,
                                 learner.actions, logits,         values};
    nn_plain.load(learner.ctx, learner.state.params, NULL);
    nn_plain.forward(learner.ctx, &request, NULL);
    struct nn_losses losses = {.policy = 0};
    struct nn_head plain_head = {&learner.batch, &learner.model.arch, 1};
    for (int i = 0; i < POSITIONS; ++i) {
        nn_loss_policy(&plain_head, i, logits + 3 * i, spare, &losses);
        nn_loss_value(&plain_head, i, values + 2 * i, spare, &losses);
    }
    learner.batch.owner_weight = learner.batch.score_weight = 0;
    loss = learner_loss(&learner, learner.gradients);
    double folded = (losses.policy + 0.7 * losses.value) / POSITIONS;
    assert_true(fabs(loss - folded) < 0.02 * loss); /* running variances are unbiased estimates */
    learner_destroy(&learner);
}

static void test_bad_architectures(void **state)
{
    (void)state;
    static struct nn_model model;
    struct banyan_error err;
    struct nn_arch arch = small_arch(NN_NORM_NONE, NN_POLICY_FULL);
    arch.channels = 0;
    assert_int_equal(nn_model_build(&model, &arch, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "channels=0"));
    arch = small_arch(NN_NORM_NONE, NN_POLICY_FULL);
    arch.actions = NN_MAX_ACTIONS, arch.height = arch.width = 64, arch.policy_channels = 256;
    assert_int_equal(nn_model_build(&model, &arch, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "weights"));
}

/* The published network of the report on the 10x17 game. */
static void test_published_size(void **state)
{
    (void)state;
    static struct nn_model model;
    struct nn_arch arch = {.planes = 64,
                           .height = 10,
                           .width = 17,
                           .actions = 8246,
                           .values = 1,
                           .channels = 128,
                           .blocks = 2,
                           .norm = NN_NORM_BATCH,
                           .policy_channels = 2,
                           .value_channels = 4,
                           .value_hidden = 128};
    assert_int_equal(nn_model_build(&model, &arch, NULL), BANYAN_OK);
    assert_true(fabs(nn_model_flops(&model) / 1e6 - 232) < 1);
    assert_true(fabs((double)model.size / 1e6 - 3.6) < 0.1);
}

static void test_rectangles(void **state)
{
    (void)state;
    struct learner learner;
    learner_create(&learner, NN_NORM_NONE, NN_POLICY_PAIRS);
    const float *table =
        learner.state.params + learner.model.tensors[learner.model.pair_cells].offset;
    for (int i = 0; i < 60; ++i) /* 3x4: 6 * 10 rectangles, then the pass */
        assert_true(table[2 * i] <= table[2 * i + 1] && table[2 * i + 1] < 12);
    assert_true(table[120] == 12 && table[121] == 12);
    struct banyan_error err;
    struct nn_arch arch = small_arch(NN_NORM_NONE, NN_POLICY_PAIRS);
    arch.actions = 25; /* rectangles by left side: 6 pairs of rows, 4 columns; then the pass */
    assert_int_equal(nn_model_build(&learner.model, &arch, &err), BANYAN_OK);
    float *sides = nn_block_create(learner.model.size);
    assert_int_equal(nn_model_rectangles(&learner.model, 1, sides, &err), BANYAN_OK);
    const float *last = sides + learner.model.tensors[learner.model.pair_cells].offset + 2 * 23;
    assert_true(last[0] == 11 && last[1] == 11 && last[2] == 12);
    free(sides);
    arch.actions = 59;
    assert_int_equal(nn_model_build(&learner.model, &arch, &err), BANYAN_OK);
    assert_int_equal(nn_model_rectangles(&learner.model, 1, learner.state.params, &err),
                     BANYAN_INVALID);
    learner_destroy(&learner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses_of_a_batch),
        cmocka_unit_test(test_gradients),
        cmocka_unit_test(test_learns_by_heart),
        cmocka_unit_test(test_answers_do_not_depend_on_the_batch),
        cmocka_unit_test(test_batch_norm_folds),
        cmocka_unit_test(test_bad_architectures),
        cmocka_unit_test(test_published_size),
        cmocka_unit_test(test_rectangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
