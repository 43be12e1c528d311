/* Backends against each other: the same weights and positions must give the same answers, losses and
 * gradients.  A plugin that is not installed is skipped. */
#include "base/cpu.h"
#include "nn/compare.h"

#include "nn_check.h"

#include <stdio.h>

/* Bounds on the relative errors.  With AMX, type=bf16 must stay within 1e-2; without AMX gradients
 * must be computed in fp32 and stay within its bound. */
static const double fp32_bound = 1e-5, bf16_bound = 1e-2;

struct bound {
    const char *backend, *type;
    double forward, gradient;
};

static bool amx_allowed(void)
{
    const char *most = getenv("ONEDNN_MAX_CPU_ISA");
    return cpu_level() == CPU_AMX && (!most || strstr(most, "AMX") || strcmp(most, "ALL") == 0);
}

/* Checks that the kernel which onednn chose suits the level of instructions; returns the bounds for
 * this kernel. */
static struct bound onednn_bound(const struct bound *bound, const char *chosen)
{
    bool amx = strstr(chosen, "amx") != NULL;
    struct bound out = *bound;
    if (strcmp(bound->backend, "onednn") != 0 || strcmp(bound->type, "bf16") != 0)
        return out;
    if (amx != amx_allowed())
        fail_msg("level %s, and this was chosen: %s", cpu_level_name(cpu_level()), chosen);
    if (!amx && !strstr(chosen, "fp32"))
        fail_msg("no AMX, and nothing says that training takes fp32: %s", chosen);
    if (!amx)
        out.gradient = fp32_bound;
    if (strncmp(chosen, "onednn fp32", 11) == 0)
        out.forward = fp32_bound;
    return out;
}

static void check_arch(const struct nn_arch *arch, const struct bound *asked, const char *what)
{
    static struct nn_model model;
    struct nn_comparison comparison;
    struct banyan_error err = {.message = ""};
    assert_int_equal(nn_model_build(&model, arch, &err), BANYAN_OK);
    const struct nn_contender contenders[] = {{"plain", "fp32"}, {asked->backend, asked->type}};
    enum banyan_status status = nn_compare(&model, contenders, 16, &comparison, &err);
    if (status != BANYAN_OK)
        fail_msg("%s: %s", what, err.message);
    struct bound bound = onednn_bound(asked, comparison.second);
    if (!(comparison.forward <= bound.forward && comparison.gradient <= bound.gradient))
        fail_msg("%s: %s: forward %g, gradient %g (%s)", what, comparison.second,
                 comparison.forward, comparison.gradient, comparison.worst);
    printf("%s: %s: forward %.2g, gradient %.2g (%s)\n", what, comparison.second,
           comparison.forward, comparison.gradient, comparison.worst);
}

static void check_backend(const struct bound *bound)
{
    struct nn_arch arch;
    nn_arch_default(&arch);
    arch.planes = 5, arch.height = 10, arch.width = 7, arch.actions = 30;
    for (int norm = NN_NORM_NONE; norm <= NN_NORM_WEIGHT; ++norm)
        for (int pool = 0; pool < 3; pool += 2) {
            char what[64];
            arch.norm = norm, arch.pool = pool, arch.owner = arch.score = pool;
            arch.policy_channels = pool ? 3 : 8;
            snprintf(what, sizeof what, "norm %d pool %d", norm, pool);
            check_arch(&arch, bound, what);
        }
    arch.policy_head = NN_POLICY_PAIRS;
    arch.actions = 10 * 11 / 2 * (7 * 8 / 2) + 1;
    check_arch(&arch, bound, "pairs");
}

static void test_plain_is_itself(void **state)
{
    (void)state;
    check_backend(&(struct bound){"plain", "fp32", 0, 0});
}

static void test_onednn(void **state)
{
    (void)state;
    struct banyan_error err;
    if (!nn_backend_find("onednn", &err)) {
        printf("SKIPPED: %s\n", err.message);
        skip();
    }
    check_backend(&(struct bound){"onednn", "fp32", fp32_bound, fp32_bound});
    /* a search computes in bf16; the forward pass of training in pairs of bf16 numbers (tower.h) */
    check_backend(&(struct bound){"onednn", "bf16", bf16_bound, bf16_bound});
}

/* Compares CUDA with the plain backend if there is a device; otherwise prints why it is skipped. */
static void test_cuda(void **state)
{
    (void)state;
    static struct nn_model model;
    struct nn_arch arch;
    struct banyan_error err;
    const struct nn_backend *backend = nn_backend_find("cuda", &err);
    void *ctx = NULL;
    nn_arch_default(&arch);
    arch.planes = 5, arch.height = 10, arch.width = 7, arch.actions = 30;
    assert_int_equal(nn_model_build(&model, &arch, NULL), BANYAN_OK);
    if (!backend || backend->open(&model, NULL, &ctx, &err) != BANYAN_OK) {
        printf("SKIPPED: CUDA is not tested on this machine: %s\n", err.message);
        skip();
    }
    backend->close(ctx);
    check_backend(&(struct bound){"cuda", "fp32", fp32_bound, fp32_bound});
    check_backend(&(struct bound){"cuda", "bf16", bf16_bound, bf16_bound});
}

static void test_unknown(void **state)
{
    (void)state;
    struct banyan_error err;
    assert_null(nn_backend_find("onednm", &err));
    assert_non_null(strstr(err.message, "plain, onednn, cuda"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_is_itself),
        cmocka_unit_test(test_onednn),
        cmocka_unit_test(test_cuda),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
