/* Helpers of the tests of networks: random numbers, files, and finite differences. */
#ifndef NN_CHECK_H
#define NN_CHECK_H

#include <banyan/rng.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* n numbers of about unit size, in a block that the caller frees. */
static inline float *nn_check_random(size_t n, uint64_t seed)
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, seed);
    float *out = malloc((n ? n : 1) * sizeof *out);
    assert_non_null(out);
    for (size_t i = 0; i < n; ++i)
        out[i] = (float)(3.4 * banyan_rng_unit(&rng) - 1.7);
    return out;
}

/* A whole file, in a block that the caller frees. */
static inline unsigned char *nn_check_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

/* An operation seen as a number: sum of weight[i] * y[i] after its forward ran on ctx. */
struct nn_check {
    void (*forward)(void *ctx);
    void *ctx;
    const float *y;
    size_t count;
    const float *weight; /* [count]; the backward pass gets it as the gradient of y */
};

static inline double nn_check_value(const struct nn_check *check)
{
    double sum = 0;
    check->forward(check->ctx);
    for (size_t i = 0; i < check->count; ++i)
        sum += (double)check->weight[i] * check->y[i];
    return sum;
}

/* gradient[n] of the value by x[n] against central differences: relative error of the whole vector
 * below `tolerance`. */
static inline void nn_check_gradient(const struct nn_check *check, float *x, size_t n,
                                     const float *gradient, double tolerance, const char *what)
{
    const float step = 1.0f / 512;
    double error = 0, size = 0;
    for (size_t i = 0; i < n; ++i) {
        float before = x[i];
        x[i] = before + step;
        double above = nn_check_value(check);
        x[i] = before - step;
        double below = nn_check_value(check);
        x[i] = before;
        double expected = (above - below) / (2 * (double)step);
        error += (expected - gradient[i]) * (expected - gradient[i]);
        size += expected * expected;
    }
    check->forward(check->ctx);
    if (!(sqrt(error) <= tolerance * sqrt(size) + 1e-6))
        fail_msg("%s: relative error %g of the gradient, norm %g", what, sqrt(error / size),
                 sqrt(size));
    assert_true(size > 0);
}

#endif
