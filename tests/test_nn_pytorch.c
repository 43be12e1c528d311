/* Our networks compared with the same networks in PyTorch. `tools/pytorch-net fixture` wrote the
 * files of tests/data/nn: logits, losses, gradients, and the losses of 100 steps. */
#include "nn/checkpoint.h"
#include "nn/compare.h"

#include "nn_check.h"

#include <stdio.h>

enum { STEPS = 100 };

struct fixture {
    struct safetensors *file;
    struct nn_model model;
    struct nn_state state;
    struct nn_batch batch;
    int start[64];
    int32_t actions[512];
    float *gradients;
    const struct nn_backend *backend;
    void *ctx;
};

static float *fixture_floats(const struct fixture *fixture, const char *name, size_t *count)
{
    int at = safetensors_find(fixture->file, name);
    if (at < 0)
        fail_msg("the fixture has no '%s'", name);
    size_t n = safetensors_size(fixture->file, at);
    float *out = nn_block_create(n);
    assert_int_equal(safetensors_floats(fixture->file, at, out, NULL), BANYAN_OK);
    if (count)
        *count = n;
    return out;
}

static void fixture_weights(struct fixture *fixture)
{
    for (int i = 0; i < fixture->model.tensor_count; ++i) {
        const struct nn_tensor *tensor = &fixture->model.tensors[i];
        size_t n;
        if (tensor->role == NN_STATISTIC)
            continue;
        float *values = fixture_floats(fixture, tensor->name, &n);
        assert_int_equal(n, tensor->count);
        memcpy(fixture->state.params + tensor->offset, values, n * sizeof *values);
        free(values);
    }
}

static void fixture_batch(struct fixture *fixture)
{
    size_t n, all;
    float *actions = fixture_floats(fixture, "sample.actions", &all);
    float *score = fixture_floats(fixture, "sample.score", &n);
    float *weight = nn_block_create(n);
    for (size_t i = 0; i < all; ++i)
        fixture->actions[i] = (int32_t)actions[i];
    for (size_t i = 0; i < n; ++i) {
        fixture->start[i + 1] = (int)((i + 1) * (all / n));
        weight[i] = 1;
    }
    fixture->batch = (struct nn_batch){(int)n,
                                       fixture_floats(fixture, "sample.planes", NULL),
                                       fixture->start,
                                       fixture->actions,
                                       fixture_floats(fixture, "sample.policy", NULL),
                                       weight,
                                       fixture_floats(fixture, "sample.values", NULL),
                                       fixture_floats(fixture, "sample.owner", NULL),
                                       score,
                                       1,
                                       0.5f,
                                       0.25f};
    free(actions);
}

static void fixture_open(struct fixture *fixture, const char *name, const char *backend)
{
    char path[512];
    struct nn_arch arch;
    struct nn_backend_options options = {"fp32", 1};
    struct banyan_error err = {.message = ""};
    memset(fixture, 0, sizeof *fixture);
    snprintf(path, sizeof path, "%s/nn/%s.safetensors", TEST_DATA, name);
    if (safetensors_read(&fixture->file, path, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    nn_arch_default(&arch);
    assert_int_equal(banyan_options_parse(nn_arch_table, &arch,
                                          safetensors_note(fixture->file, "network"), &err),
                     BANYAN_OK);
    assert_int_equal(nn_model_build(&fixture->model, &arch, &err), BANYAN_OK);
    assert_int_equal(nn_state_create(&fixture->state, &fixture->model, &err), BANYAN_OK);
    fixture->gradients = nn_block_create(fixture->model.size);
    fixture_weights(fixture);
    fixture_batch(fixture);
    if (nn_backend_open(backend, &fixture->model, &options, &fixture->backend, &fixture->ctx,
                        &err) != BANYAN_OK)
        fail_msg("%s", err.message);
}

static void fixture_close(struct fixture *fixture)
{
    const void *const blocks[] = {fixture->batch.planes, fixture->batch.policy,
                                  fixture->batch.values, fixture->batch.owner,
                                  fixture->batch.score,  fixture->batch.policy_weight};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
        free((void *)blocks[i]);
    fixture->backend->close(fixture->ctx);
    nn_state_destroy(&fixture->state);
    safetensors_free(fixture->file);
    free(fixture->gradients);
}

static double fixture_loss(struct fixture *fixture)
{
    struct nn_losses losses;
    const struct nn_batch *batch = &fixture->batch;
    assert_int_equal(fixture->backend->gradients(fixture->ctx, fixture->state.params, batch,
                                                 fixture->gradients, &losses, NULL),
                     BANYAN_OK);
    return (losses.policy + losses.value + 0.5 * losses.owner + 0.25 * losses.score) / batch->count;
}

static void check_close(const char *what, const float *ours, const float *theirs, size_t n)
{
    double error = 0, size = 0;
    for (size_t i = 0; i < n; ++i) {
        error += ((double)ours[i] - theirs[i]) * ((double)ours[i] - theirs[i]);
        size += (double)theirs[i] * theirs[i];
    }
    if (!(sqrt(error) <= 1e-4 * sqrt(size) + 1e-6))
        fail_msg("%s: relative error %g", what, sqrt(error / size));
}

static void check_gradients(struct fixture *fixture)
{
    float *said = fixture_floats(fixture, "said.losses", NULL);
    double loss = fixture_loss(fixture);
    assert_true(fabs(loss - (double)said[0]) < 1e-4 * (double)said[0]);
    for (int i = 0; i < fixture->model.tensor_count; ++i) {
        const struct nn_tensor *tensor = &fixture->model.tensors[i];
        char name[96];
        if (tensor->role > NN_BIAS)
            continue;
        snprintf(name, sizeof name, "gradient.%s", tensor->name);
        float *theirs = fixture_floats(fixture, name, NULL);
        check_close(name, fixture->gradients + tensor->offset, theirs, tensor->count);
        free(theirs);
    }
    free(said);
}

/* Batch norm uses the statistics of the batch in PyTorch's fixture, and running statistics in a
 * search. */
static void check_forward(struct fixture *fixture)
{
    float logits[512], values[256];
    struct nn_request request = {fixture->batch.count,
                                 fixture->batch.planes,
                                 fixture->batch.start,
                                 fixture->batch.actions,
                                 logits,
                                 values};
    size_t n, m;
    if (fixture->model.arch.norm == NN_NORM_BATCH)
        return;
    float *their_logits = fixture_floats(fixture, "said.logits", &n);
    float *their_values = fixture_floats(fixture, "said.values", &m);
    assert_int_equal(fixture->backend->load(fixture->ctx, fixture->state.params, NULL), BANYAN_OK);
    assert_int_equal(fixture->backend->forward(fixture->ctx, &request, NULL), BANYAN_OK);
    check_close("logits", logits, their_logits, n);
    check_close("values", values, their_values, m);
    free(their_logits);
    free(their_values);
}

static void check_steps(struct fixture *fixture, int method, const char *name, double tolerance)
{
    struct nn_optimizer_options options;
    nn_optimizer_options_default(&options);
    options.method = method;
    options.rate = method == NN_SGD ? 0.01 : 0.002;
    options.decay = method == NN_SGD ? 0 : 0.1;
    options.clip = 0;
    float *theirs = fixture_floats(fixture, name, NULL);
    fixture_weights(fixture);
    memset(fixture->state.first, 0, fixture->model.size * sizeof(float));
    memset(fixture->state.second, 0, fixture->model.size * sizeof(float));
    fixture->state.step = 0;
    for (int step = 0; step < STEPS; ++step) {
        double loss = fixture_loss(fixture);
        if (fabs(loss - (double)theirs[step]) > tolerance * (double)theirs[step])
            fail_msg("%s: step %d: loss %g, PyTorch %g", name, step, loss, (double)theirs[step]);
        nn_optimizer_step(&fixture->model, &options, 1, fixture->gradients, &fixture->state);
    }
    free(theirs);
}

static const char *const fixtures[] = {"weight", "batch", "none", "pairs"};

static void check_backend(const char *backend)
{
    for (int i = 0; i < 4; ++i) {
        static struct fixture fixture;
        fixture_open(&fixture, fixtures[i], backend);
        check_gradients(&fixture);
        check_forward(&fixture);
        check_steps(&fixture, NN_SGD, "said.sgd", 1e-4);
        check_steps(&fixture, NN_ADAMW, "said.adamw", 2e-2);
        fixture_close(&fixture);
    }
}

static void test_plain(void **state)
{
    (void)state;
    check_backend("plain");
}

static void test_onednn(void **state)
{
    (void)state;
    struct banyan_error err;
    if (!nn_backend_find("onednn", &err)) {
        printf("SKIPPED: %s\n", err.message);
        skip();
    }
    check_backend("onednn");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_onednn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
