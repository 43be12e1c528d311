/* Every backward pass against finite differences, and the matrix products against each other. */
#include "nn/ops.h"

#include "nn_check.h"

static struct gemm_space space;

static struct ops check_ops(size_t room)
{
    return (struct ops){.kernel = gemm_kernel_best(),
                        .space = &space,
                        .patches = calloc(room ? room : 1, sizeof(float)),
                        .patch_room = room};
}

/* --- products --- */

static void check_product(const struct gemm_kernel *kernel, int m, int n, int k, bool transposed)
{
    float *a = nn_check_random((size_t)(m * k), 1), *b = nn_check_random((size_t)(k * n), 2);
    float *c = nn_check_random((size_t)(m * n), 3), *d = nn_check_random((size_t)(m * n), 3);
    struct gemm product = {.m = m, .n = n, .k = k, .c = c, .c_row = n, .add = true};
    product.a = transposed ? (struct gemm_view){a, 1, m} : (struct gemm_view){a, k, 1};
    product.b = transposed ? (struct gemm_view){b, 1, k} : (struct gemm_view){b, n, 1};
    gemm_run(kernel, &space, &product);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = d[i * n + j];
            for (int p = 0; p < k; ++p)
                sum += (double)(transposed ? a[p * m + i] : a[i * k + p]) *
                       (transposed ? b[j * k + p] : b[p * n + j]);
            assert_true(fabs(sum - c[i * n + j]) < 1e-4 * (1 + sqrt(k)));
        }
    product.c = d;
    gemm_run(&gemm_portable, &space, &product);
    assert_memory_equal(c, d, sizeof *c * (size_t)(m * n));
    free(a), free(b), free(c), free(d);
}

static void test_products_agree_to_the_bit(void **state)
{
    (void)state;
    const struct gemm_kernel *kernels[4];
    gemm_kernel_list(kernels);
    for (int i = 0; kernels[i]; ++i)
        for (int transposed = 0; transposed < 2; ++transposed) {
            check_product(kernels[i], 1, 1, 1, transposed);
            check_product(kernels[i], 13, 33, 300, transposed);
            check_product(kernels[i], 100, 520, 37, transposed);
            check_product(kernels[i], 7, 5, 517, transposed);
        }
}

static void test_product_of_nothing_is_zero(void **state)
{
    (void)state;
    float c[4] = {1, 2, 3, 4}, none[1] = {0};
    struct gemm product = {
        .m = 2, .n = 2, .a = {none, 0, 1}, .b = {none, 2, 1}, .c = c, .c_row = 2};
    gemm_run(gemm_kernel_best(), &space, &product);
    for (int i = 0; i < 4; ++i)
        assert_true(c[i] == 0);
}

/* --- convolution --- */

struct conv_case {
    struct ops ops;
    struct ops_conv conv;
    float *x, *weight, *bias, *y;
};

static void conv_case_forward(void *ctx)
{
    struct conv_case *c = ctx;
    ops_conv_forward(&c->ops, &c->conv, c->x, c->weight, c->bias, c->y);
}

static void check_conv(struct ops_conv conv)
{
    size_t rows = (size_t)(conv.count * conv.height * conv.width);
    size_t in = rows * (size_t)conv.in, out = rows * (size_t)conv.out;
    size_t weights = (size_t)(conv.out * conv.kernel * conv.kernel * conv.in);
    struct conv_case c = {check_ops(ops_conv_room(&conv)),
                          conv,
                          nn_check_random(in, 1),
                          nn_check_random(weights, 2),
                          nn_check_random((size_t)conv.out, 3),
                          calloc(out, sizeof(float))};
    float *dy = nn_check_random(out, 4), *dx = calloc(in, sizeof *dx);
    float *dweight = calloc(weights, sizeof *dweight),
          *dbias = calloc((size_t)conv.out, sizeof *dx);
    struct nn_check check = {conv_case_forward, &c, c.y, out, dy};
    ops_conv_backward(&c.ops, &conv, c.x, c.weight,
                      &(struct ops_back){.dy = dy, .dx = dx, .dweight = dweight, .dbias = dbias});
    nn_check_gradient(&check, c.x, in, dx, 1e-3, "convolution, input");
    nn_check_gradient(&check, c.weight, weights, dweight, 1e-3, "convolution, weight");
    nn_check_gradient(&check, c.bias, (size_t)conv.out, dbias, 1e-3, "convolution, bias");
    free(c.ops.patches), free(c.x), free(c.weight), free(c.bias), free(c.y);
    free(dy), free(dx), free(dweight), free(dbias);
}

static void test_convolution(void **state)
{
    (void)state;
    check_conv((struct ops_conv){2, 3, 4, 2, 3, 3});
    check_conv((struct ops_conv){3, 1, 5, 3, 2, 3});
    check_conv((struct ops_conv){3, 4, 2, 5, 2, 1});
    /* patches of one cell are the cells themselves */
    assert_int_equal(ops_conv_room(&(struct ops_conv){3, 4, 2, 5, 2, 1}), 0);
}

/* A convolution computed by its definition. */
static void test_convolution_is_its_definition(void **state)
{
    (void)state;
    struct ops_conv conv = {2, 4, 5, 3, 2, 3};
    struct ops ops = check_ops(ops_conv_room(&conv));
    float *x = nn_check_random(2 * 20 * 3, 1), *w = nn_check_random(2 * 9 * 3, 2), y[2 * 20 * 2];
    ops_conv_forward(&ops, &conv, x, w, NULL, y);
    for (int n = 0; n < 2; ++n)
        for (int cell = 0; cell < 20; ++cell)
            for (int o = 0; o < 2; ++o) {
                double sum = 0;
                for (int k = 0; k < 9; ++k)
                    for (int i = 0; i < 3; ++i) {
                        int r = cell / 5 + k / 3 - 1, c = cell % 5 + k % 3 - 1;
                        if (r >= 0 && r < 4 && c >= 0 && c < 5)
                            sum +=
                                (double)x[((n * 4 + r) * 5 + c) * 3 + i] * w[(o * 9 + k) * 3 + i];
                    }
                assert_true(fabs(sum - y[(n * 20 + cell) * 2 + o]) < 1e-4);
            }
    free(ops.patches), free(x), free(w);
}

/* --- fully connected --- */

struct dense_case {
    struct ops ops;
    struct ops_dense dense;
    float *x, *weight, *bias, y[64];
};

static void dense_case_forward(void *ctx)
{
    struct dense_case *c = ctx;
    ops_dense_forward(&c->ops, &c->dense, c->x, c->weight, c->bias, c->y);
}

static void test_dense(void **state)
{
    (void)state;
    struct dense_case c = {check_ops(0),           {3, 7, 5},
                           nn_check_random(21, 1), nn_check_random(35, 2),
                           nn_check_random(5, 3),  {0}};
    float *dy = nn_check_random(15, 4), dx[21] = {0}, dweight[35] = {0}, dbias[5] = {0};
    struct nn_check check = {dense_case_forward, &c, c.y, 15, dy};
    ops_dense_backward(&c.ops, &c.dense, c.x, c.weight,
                       &(struct ops_back){.dy = dy, .dx = dx, .dweight = dweight, .dbias = dbias});
    nn_check_gradient(&check, c.x, 21, dx, 1e-3, "dense, input");
    nn_check_gradient(&check, c.weight, 35, dweight, 1e-3, "dense, weight");
    nn_check_gradient(&check, c.bias, 5, dbias, 1e-3, "dense, bias");
    free(c.ops.patches), free(c.x), free(c.weight), free(c.bias), free(dy);
}

/* --- norms --- */

struct norm_case {
    struct ops_norm norm;
    float *x, *gain, *bias, mean[3], variance[3], y[64];
};

static void batch_norm_case_forward(void *ctx)
{
    struct norm_case *c = ctx;
    ops_batch_norm_forward(&c->norm, c->x, c->mean, c->variance, c->y);
}

static void test_batch_norm(void **state)
{
    (void)state;
    struct norm_case c = {
        .x = nn_check_random(33, 1), .gain = nn_check_random(3, 2), .bias = nn_check_random(3, 3)};
    c.norm = (struct ops_norm){11, 3, c.gain, c.bias};
    float *dy = nn_check_random(33, 4), dx[33], dgain[3] = {0}, dbias[3] = {0};
    struct nn_check check = {batch_norm_case_forward, &c, c.y, 33, dy};
    batch_norm_case_forward(&c);
    ops_batch_norm_backward(&c.norm, c.x, c.mean, c.variance,
                            &(struct ops_back){.dy = dy, .dx = dx, .dgain = dgain, .dbias = dbias});
    nn_check_gradient(&check, c.x, 33, dx, 2e-3, "batch norm, input");
    nn_check_gradient(&check, c.gain, 3, dgain, 1e-3, "batch norm, gain");
    nn_check_gradient(&check, c.bias, 3, dbias, 1e-3, "batch norm, bias");
    free(c.x), free(c.gain), free(c.bias), free(dy);
}

static void weight_norm_case_forward(void *ctx)
{
    struct norm_case *c = ctx;
    ops_weight_norm_forward(3, 8, c->x, c->gain, c->y);
}

/* mean 0.002, sum of squares 4 * 0.001^2 = 4e-6; 1 / sqrt(4e-6 + 1e-5) = 267.2612; gain 2: 0.5345225; weights that are
 * all equal give 0. */
static void test_small_weights(void **state)
{
    (void)state;
    const float weights[8] = {0.003f, 0.001f, 0.003f, 0.001f, 7, 7, 7, 7}, gain[2] = {2, 3};
    float out[8];
    ops_weight_norm_forward(2, 4, weights, gain, out);
    for (int i = 0; i < 4; ++i) {
        assert_true(fabs((double)out[i] - (i % 2 ? -0.5345225 : 0.5345225)) < 1e-5);
        assert_true(out[4 + i] == 0.0f);
    }
}

static void test_weight_norm(void **state)
{
    (void)state;
    struct norm_case c = {.x = nn_check_random(24, 1), .gain = nn_check_random(3, 2)};
    float *dy = nn_check_random(24, 4), dweight[24] = {0}, dgain[3] = {0};
    struct nn_check check = {weight_norm_case_forward, &c, c.y, 24, dy};
    ops_weight_norm_backward(3, 8, c.x, c.gain,
                             &(struct ops_back){.dy = dy, .dweight = dweight, .dgain = dgain});
    nn_check_gradient(&check, c.x, 24, dweight, 1e-3, "weight norm, weight");
    nn_check_gradient(&check, c.gain, 3, dgain, 1e-3, "weight norm, gain");
    free(c.x), free(c.gain), free(dy);
}

/* --- activations, the whole board --- */

struct map_case {
    float *x, y[128];
    size_t n, count; /* numbers in x and in y */
    int which;
};

static const struct ops_pool map_pool = {2, 6, 3};

static void map_case_forward(void *ctx)
{
    struct map_case *c = ctx;
    if (c->which < 2) {
        memcpy(c->y, c->x, sizeof *c->x * c->n);
        (c->which ? ops_tanh_forward : ops_relu_forward)(c->n, c->y);
    } else if (c->which == 2) {
        ops_pool_forward(&map_pool, c->x, c->y);
    } else {
        memset(c->y, 0, sizeof c->y);
        ops_spread_forward(&map_pool, c->x, c->y);
    }
}

static void test_maps(void **state)
{
    (void)state;
    const size_t n[] = {40, 40, 36, 6}, count[] = {40, 40, 12, 36};
    static const char *const names[] = {"relu", "tanh", "pool", "spread"};
    for (int which = 0; which < 4; ++which) {
        struct map_case c = {.x = nn_check_random(n[which], 5), .n = n[which], .which = which};
        c.count = count[which];
        float *dy = nn_check_random(c.count, 6), dx[128] = {0};
        struct nn_check check = {map_case_forward, &c, c.y, c.count, dy};
        map_case_forward(&c);
        if (which < 2) {
            memcpy(dx, dy, sizeof *dy * c.n);
            (which ? ops_tanh_backward : ops_relu_backward)(c.n, c.y, dx);
        } else if (which == 2) {
            ops_pool_backward(&map_pool, c.x, c.y, dy, dx);
        } else {
            ops_spread_backward(&map_pool, dy, dx);
        }
        nn_check_gradient(&check, c.x, c.n, dx, 2e-3, names[which]);
        free(c.x), free(dy);
    }
}

/* --- heads --- */

static const int32_t head_actions[] = {4, 0, 2, 2};
static const float head_table[][2] = {{0, 3}, {1, 1}, {4, 2}, {0, 0}, {4, 4}};

struct head_case {
    float *hidden, *weight, *bias, y[8];
    struct ops_rows rows;
    struct ops_pairs pairs;
};

static void rows_case_forward(void *ctx)
{
    struct head_case *c = ctx;
    ops_rows_forward(&c->rows, c->hidden, c->weight, c->bias, c->y);
}

static void pairs_case_forward(void *ctx)
{
    struct head_case *c = ctx;
    ops_mean_cell_forward(&c->pairs, c->hidden);
    ops_pairs_forward(&c->pairs, c->hidden, c->bias, c->y);
}

static void test_heads(void **state)
{
    (void)state;
    struct head_case c = {.hidden = nn_check_random(30, 1),
                          .weight = nn_check_random(5 * 10, 2),
                          .bias = nn_check_random(5, 3),
                          .rows = {10, 4, head_actions},
                          .pairs = {4, 3, 4, head_actions, head_table[0]}};
    float *dy = nn_check_random(4, 4), dx[30] = {0}, dweight[50] = {0}, dbias[5] = {0};
    struct nn_check check = {rows_case_forward, &c, c.y, 4, dy};
    ops_rows_backward(&c.rows, c.hidden, c.weight,
                      &(struct ops_back){.dy = dy, .dx = dx, .dweight = dweight, .dbias = dbias});
    nn_check_gradient(&check, c.hidden, 10, dx, 1e-3, "rows, hidden");
    nn_check_gradient(&check, c.weight, 50, dweight, 1e-3, "rows, weight");
    nn_check_gradient(&check, c.bias, 5, dbias, 1e-3, "rows, bias");

    memset(dx, 0, sizeof dx);
    memset(dbias, 0, sizeof dbias);
    check.forward = pairs_case_forward;
    pairs_case_forward(&c);
    ops_pairs_backward(&c.pairs, c.hidden, dy, dx, dbias);
    ops_mean_cell_backward(&c.pairs, dx);
    nn_check_gradient(&check, c.hidden, 24, dx, 1e-3, "pairs, embeddings");
    nn_check_gradient(&check, c.bias, 5, dbias, 1e-3, "pairs, bias");
    free(c.hidden), free(c.weight), free(c.bias), free(dy);
}

/* --- losses --- */

struct loss_case {
    float *x, target[5], dx[5], y[1];
    bool square;
};

static void loss_case_forward(void *ctx)
{
    struct loss_case *c = ctx;
    c->y[0] = (float)(c->square ? ops_square_loss(5, c->x, c->target, 0.5f, c->dx)
                                : ops_softmax_loss(5, c->x, c->target, 0.5f, c->dx));
}

static void test_losses(void **state)
{
    (void)state;
    const float half[] = {0.5f};
    for (int square = 0; square < 2; ++square) {
        struct loss_case c = {
            .x = nn_check_random(5, 7), .target = {0.1f, 0.4f, 0, 0.3f, 0.2f}, .square = square};
        float dx[5];
        struct nn_check check = {loss_case_forward, &c, c.y, 1, half};
        loss_case_forward(&c);
        memcpy(dx, c.dx, sizeof dx);
        nn_check_gradient(&check, c.x, 5, dx, 2e-3, square ? "square loss" : "cross-entropy");
        free(c.x);
    }
    float big[] = {1e4f, -1e4f, 1e4f}, half_each[] = {0.5f, 0, 0.5f}, d[3];
    assert_true(fabs(ops_softmax_loss(3, big, half_each, 1, d) - log(2)) < 1e-6);
    ops_softmax(3, big);
    assert_true(fabsf(big[0] - 0.5f) < 1e-6f && big[1] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products_agree_to_the_bit),
        cmocka_unit_test(test_product_of_nothing_is_zero),
        cmocka_unit_test(test_convolution),
        cmocka_unit_test(test_convolution_is_its_definition),
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_batch_norm),
        cmocka_unit_test(test_weight_norm),
        cmocka_unit_test(test_small_weights),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_heads),
        cmocka_unit_test(test_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
