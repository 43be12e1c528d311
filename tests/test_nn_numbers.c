/* The optimizer and safetensors files against values computed by hand: the arithmetic is in the comments. */
#include "nn/optimizer.h"
#include "nn/safetensors.h"

#include "nn_check.h"

/* --- the optimizer --- */

/* A network with weights, biases, gains, statistics and a table; all parameters are 1. */
struct stepped {
    struct nn_model model;
    struct nn_optimizer_options options;
    struct nn_state state;
    float *gradients;
};

static void stepped_create(struct stepped *s, int method)
{
    struct nn_arch arch;
    nn_arch_default(&arch);
    arch.planes = 2, arch.height = arch.width = 3, arch.actions = 37, arch.values = 1;
    arch.channels = 4, arch.blocks = 1, arch.value_hidden = 4, arch.norm = NN_NORM_BATCH;
    arch.policy_head = NN_POLICY_PAIRS;
    struct banyan_error err = {.message = ""};
    if (nn_model_build(&s->model, &arch, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(nn_state_create(&s->state, &s->model, &err), BANYAN_OK);
    nn_optimizer_options_default(&s->options);
    s->options.method = method;
    s->options.rate = 0.1, s->options.decay = 0.2, s->options.clip = 0;
    s->options.momentum = 0.9, s->options.beta1 = 0.9, s->options.beta2 = 0.99;
    s->options.average = 0.99, s->options.follow = 0.1;
    s->gradients = nn_block_create(s->model.size);
    for (size_t i = 0; i < s->model.size; ++i)
        s->state.params[i] = s->state.average[i] = 1;
}

static void stepped_destroy(struct stepped *s)
{
    nn_state_destroy(&s->state);
    free(s->gradients);
}

static double stepped_step(struct stepped *s, double factor, float gradient)
{
    for (size_t i = 0; i < s->model.size; ++i)
        s->gradients[i] = gradient;
    return nn_optimizer_step(&s->model, &s->options, factor, s->gradients, &s->state);
}

/* Which parameters decay follows from their names here, independently of the roles that the
 * optimizer uses. */
static bool name_ends(const char *name, const char *end)
{
    size_t length = strlen(name), part = strlen(end);
    return length >= part && strcmp(name + length - part, end) == 0;
}

/* Checks every parameter of the block: weights, biases and gains, statistics, tables. */
static void stepped_check(const struct stepped *s, const float *block, double weight, double bias,
                          double statistic, double table)
{
    int seen[4] = {0};
    for (int i = 0; i < s->model.tensor_count; ++i) {
        const struct nn_tensor *tensor = &s->model.tensors[i];
        int kind = name_ends(tensor->name, "weight")                                        ? 0
                   : name_ends(tensor->name, "bias") || name_ends(tensor->name, "gain")     ? 1
                   : name_ends(tensor->name, "mean") || name_ends(tensor->name, "variance") ? 2
                                                                                            : 3;
        double expected = (const double[]){weight, bias, statistic, table}[kind];
        ++seen[kind];
        for (size_t j = 0; j < tensor->count; ++j)
            if (fabs(block[tensor->offset + j] - expected) > 2e-6)
                fail_msg("%s: %.7f instead of %.7f", tensor->name,
                         (double)block[tensor->offset + j], expected);
    }
    assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
}

/* Loshchilov and Hutter 2019, algorithm 2; rate 0.1, decay 0.2: a weight keeps 1 - 0.1*0.2 = 0.98.
 *   step 1, g 0.5:    m = 0.1*0.5 = 0.05, v = 0.01*0.25 = 0.0025; unbiased m 0.05/0.1 = 0.5,
 *                     v 0.0025/0.01 = 0.25; step 0.1*0.5/0.5 = 0.1
 *                     weight 0.98 - 0.1 = 0.88, bias 1 - 0.1 = 0.9
 *   step 2, g -0.25:  m = 0.045 - 0.025 = 0.02, v = 0.002475 + 0.000625 = 0.0031; unbiased
 *                     m 0.02/0.19 = 0.1052632, v 0.0031/0.0199 = 0.1557789, root 0.3946884;
 *                     step 0.1*0.1052632/0.3946884 = 0.0266700
 *                     weight 0.88*0.98 - 0.02667 = 0.8357300, bias 0.9 - 0.02667 = 0.8733300
 * Statistics follow a tenth of the way: 1 + 0.1 (0.5 - 1) = 0.95, 0.95 + 0.1 (-0.25 - 0.95) = 0.83.
 * The average keeps 1 - 1/(steps + 1) at first: 1/2, then 2/3:
 *   weight 1 + (0.88 - 1)/2 = 0.94, 0.94 + (0.83573 - 0.94)/3 = 0.9052433
 *   bias   1 + (0.9 - 1)/2 = 0.95, 0.95 + (0.87333 - 0.95)/3 = 0.9244433
 *   statistic 0.975, 0.975 + (0.83 - 0.975)/3 = 0.9266667 */
static void adamw_by_hand(void **unused)
{
    (void)unused;
    struct stepped s;
    stepped_create(&s, NN_ADAMW);
    stepped_step(&s, 1, 0.5f);
    stepped_check(&s, s.state.params, 0.88, 0.9, 0.95, 1);
    stepped_check(&s, s.state.average, 0.94, 0.95, 0.975, 1);
    stepped_step(&s, 1, -0.25f);
    stepped_check(&s, s.state.params, 0.83573, 0.87333, 0.83, 1);
    stepped_check(&s, s.state.average, 0.9052433, 0.9244433, 0.9266667, 1);
    assert_int_equal(s.state.step, 2);
    stepped_destroy(&s);
}

/* Epsilon stands beside the root: 0.1*0.5/(0.5 + 1) = 0.0333333.  Half the rate: step
 * 0.05*0.5/1.5 = 0.0166667, and a weight keeps 1 - 0.05*0.2 = 0.99. */
static void epsilon_and_the_schedule_by_hand(void **unused)
{
    (void)unused;
    struct stepped s;
    stepped_create(&s, NN_ADAMW);
    s.options.epsilon = 1;
    stepped_step(&s, 1, 0.5f);
    stepped_check(&s, s.state.params, 0.98 - 0.0333333, 1 - 0.0333333, 0.95, 1);
    stepped_destroy(&s);
    stepped_create(&s, NN_ADAMW);
    s.options.epsilon = 1;
    stepped_step(&s, 0.5, 0.5f);
    stepped_check(&s, s.state.params, 0.99 - 0.0166667, 1 - 0.0166667, 0.95, 1);
    stepped_destroy(&s);
}

/* Velocity: 0.5, then 0.9*0.5 - 0.25 = 0.2.  weight 0.98 - 0.05 = 0.93, 0.93*0.98 - 0.02 = 0.8914;
 * bias 1 - 0.05 = 0.95, 0.95 - 0.02 = 0.93. */
static void momentum_by_hand(void **unused)
{
    (void)unused;
    struct stepped s;
    stepped_create(&s, NN_SGD);
    stepped_step(&s, 1, 0.5f);
    stepped_check(&s, s.state.params, 0.93, 0.95, 0.95, 1);
    stepped_step(&s, 1, -0.25f);
    stepped_check(&s, s.state.params, 0.8914, 0.93, 0.83, 1);
    stepped_destroy(&s);
}

/* n numbers of 0.5 that are learned have the norm 0.5 sqrt n.  Cut at 0.2 sqrt n, the gradient is
 * scaled by 0.4: velocity 0.2, weight 0.98 - 0.02 = 0.96, bias 0.98.  A limit of 0.6 sqrt n, or of
 * 0 = none, changes nothing.  Statistics are no gradient: they are not in the norm and not scaled. */
static void clipping_by_hand(void **unused)
{
    (void)unused;
    const double limits[] = {0.2, 0.6, 0};
    for (int i = 0; i < 3; ++i) {
        struct stepped s;
        stepped_create(&s, NN_SGD);
        double learned = 0;
        for (int t = 0; t < s.model.tensor_count; ++t)
            if (name_ends(s.model.tensors[t].name, "weight") ||
                name_ends(s.model.tensors[t].name, "bias") ||
                name_ends(s.model.tensors[t].name, "gain"))
                learned += (double)s.model.tensors[t].count;
        s.options.clip = limits[i] * sqrt(learned);
        assert_true(fabs(stepped_step(&s, 1, 0.5f) - 0.5 * sqrt(learned)) < 1e-6);
        stepped_check(&s, s.state.params, i ? 0.93 : 0.96, i ? 0.95 : 0.98, 0.95, 1);
        stepped_destroy(&s);
    }
}

static void a_gradient_that_is_not_finite_changes_nothing(void **unused)
{
    (void)unused;
    struct stepped s;
    stepped_create(&s, NN_ADAMW);
    assert_true(stepped_step(&s, 1, INFINITY) > 1e30);
    assert_true(isnan(stepped_step(&s, 1, NAN)));
    stepped_check(&s, s.state.params, 1, 1, 1, 1);
    stepped_check(&s, s.state.average, 1, 1, 1, 1);
    assert_int_equal(s.state.step, 0);
    stepped_destroy(&s);
}

/* Begun anew, a network that has learned has the weights of its seed, in play too, and no moments.
 */
static void a_state_starts_anew(void **unused)
{
    (void)unused;
    struct stepped s;
    stepped_create(&s, NN_ADAMW);
    float *fresh = nn_block_create(s.model.size);
    nn_model_start(&s.model, fresh, 9);
    stepped_step(&s, 1, 0.5f);
    nn_state_start(&s.state, &s.model, 9);
    for (size_t i = 0; i < s.model.size; ++i) {
        assert_true(s.state.params[i] == fresh[i] && s.state.average[i] == fresh[i]);
        assert_true(s.state.first[i] == 0 && s.state.second[i] == 0);
    }
    assert_int_equal(s.state.step, 0);
    free(fresh);
    stepped_destroy(&s);
}

/* --- safetensors: what the format's own rules say of offsets --- */

/* Parses a file of this header and so many bytes of data. */
static enum banyan_status parse_header(const char *header, size_t data)
{
    unsigned char bytes[512] = {0};
    size_t length = strlen(header);
    struct safetensors *file;
    struct banyan_error err = {.message = ""};
    assert_true(length < 256 && 8 + length + data <= sizeof bytes);
    bytes[0] = (unsigned char)length;
    memcpy(bytes + 8, header, length);
    enum banyan_status status = safetensors_parse(&file, bytes, 8 + length + data, "made", &err);
    assert_true((status == BANYAN_OK) == (file != NULL));
    assert_true((status == BANYAN_OK) == (err.message[0] == 0));
    safetensors_free(file);
    return status;
}

#define TENSOR(name, shape, begin, end) \
    "\"" name "\":{\"dtype\":\"F32\",\"shape\":[" shape "],\"data_offsets\":[" begin "," end "]}"

/* https://github.com/huggingface/safetensors, Format: offsets are within the data, begin <= end, no
 * two tensors overlap, no byte is left over, and end - begin is the product of the shape times the
 * size of the type (F32: 4). */
static void offsets_of_safetensors(void **unused)
{
    (void)unused;
    const struct {
        const char *what, *header;
        size_t data;
        bool good;
    } cases[] = {
        {"8 bytes in two tensors",
         "{" TENSOR("a", "1", "0", "4") "," TENSOR("b", "1", "4", "8") "}", 8, true},
        {"in the other order", "{" TENSOR("a", "1", "4", "8") "," TENSOR("b", "1", "0", "4") "}", 8,
         true},
        {"2 x 3 numbers", "{" TENSOR("a", "2,3", "0", "24") "}", 24, true},
        {"a number without a shape", "{" TENSOR("a", "", "0", "4") "}", 4, true},
        {"no numbers", "{" TENSOR("a", "0", "0", "0") "}", 0, true},
        {"end one byte beyond the file", "{" TENSOR("a", "2", "0", "8") "}", 7, false},
        {"end four bytes beyond the file", "{" TENSOR("a", "2", "0", "8") "}", 4, false},
        {"the second begins where the file ends",
         "{" TENSOR("a", "1", "0", "4") "," TENSOR("b", "1", "4", "8") "}", 4, false},
        {"begin and end far beyond", "{" TENSOR("a", "1", "1000000", "1000004") "}", 4, false},
        {"begin behind end", "{" TENSOR("a", "1", "8", "4") "}", 8, false},
        {"end wraps around 2^64: -4",
         "{" TENSOR("a", "1", "18446744073709551612", "18446744073709551616") "}", 4, false},
        {"overlap by one number",
         "{" TENSOR("a", "2", "0", "8") "," TENSOR("b", "2", "4", "12") "}", 12, false},
        {"overlap that leaves as many bytes over",
         "{" TENSOR("a", "2", "0", "8") "," TENSOR("b", "2", "4", "12") "}", 16, false},
        {"one inside the other", "{" TENSOR("a", "3", "0", "12") "," TENSOR("b", "1", "4", "8") "}",
         16, false},
        {"the same place twice", "{" TENSOR("a", "1", "0", "4") "," TENSOR("b", "1", "0", "4") "}",
         8, false},
        {"a hole between two", "{" TENSOR("a", "1", "0", "4") "," TENSOR("b", "1", "8", "12") "}",
         12, false},
        {"bytes left over at the end", "{" TENSOR("a", "1", "0", "4") "}", 5, false},
        {"the same name twice", "{" TENSOR("a", "1", "0", "4") "," TENSOR("a", "1", "4", "8") "}",
         8, false},
        {"shape of 8 bytes in 4", "{" TENSOR("a", "2", "0", "4") "}", 4, false},
        {"shape of 4 bytes in 8", "{" TENSOR("a", "1", "0", "8") "}", 8, false},
        {"a shape whose product wraps around to 4: 2^31 * 2^31 * 4",
         "{" TENSOR("a", "2147483648,2147483648,1", "0", "4") "}", 4, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        if (parse_header(cases[i].header, cases[i].data) !=
            (cases[i].good ? BANYAN_OK : BANYAN_CORRUPT))
            fail_msg("%s: %s", cases[i].what, cases[i].good ? "refused" : "taken");
}

/* The length of the header, 8 bytes little-endian: at least 2 (for "{}"), and at most the bytes
 * that follow. */
static void header_of_safetensors(void **unused)
{
    (void)unused;
    const struct {
        unsigned char bytes[16];
        size_t size;
        bool good;
    } cases[] = {{{2, 0, 0, 0, 0, 0, 0, 0, '{', '}'}, 10, true},
                 {{3, 0, 0, 0, 0, 0, 0, 0, '{', '}'}, 10, false},
                 {{3, 0, 0, 0, 0, 0, 0, 0, '{', '}', ' '}, 11, true},
                 {{1, 0, 0, 0, 0, 0, 0, 0, '{', '}'}, 10, false},
                 {{0, 0, 0, 0, 0, 0, 0, 0, '{', '}'}, 10, false},
                 {{2, 1, 0, 0, 0, 0, 0, 0, '{', '}'}, 10, false},
                 {{2, 0, 0, 0, 0, 0, 0, 1, '{', '}'}, 10, false},
                 {{2, 0, 0, 0, 0, 0, 0, 0x80, '{', '}'}, 10, false},
                 {{2, 0, 0, 0, 0, 0, 0, 0, '{'}, 9, false},
                 {{2, 0, 0, 0, 0, 0, 0}, 7, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct safetensors *file;
        enum banyan_status status =
            safetensors_parse(&file, cases[i].bytes, cases[i].size, "made", NULL);
        if (status != (cases[i].good ? BANYAN_OK : BANYAN_CORRUPT))
            fail_msg("case %d", (int)i);
        safetensors_free(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adamw_by_hand),
        cmocka_unit_test(epsilon_and_the_schedule_by_hand),
        cmocka_unit_test(momentum_by_hand),
        cmocka_unit_test(clipping_by_hand),
        cmocka_unit_test(a_gradient_that_is_not_finite_changes_nothing),
        cmocka_unit_test(a_state_starts_anew),
        cmocka_unit_test(offsets_of_safetensors),
        cmocka_unit_test(header_of_safetensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
