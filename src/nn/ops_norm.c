/* Norms, activations, pooling. */
#include "base/cpu.h"
#include "base/numeric.h"
#include "nn/arch.h"
#include "nn/ops.h"

#include <math.h>
#include <string.h>

/* --- weight standardisation --- */

struct weight_norm {
    double mean, scale; /* out = gain * (weight - mean) * scale */
};

static struct weight_norm weight_norm_measure(int fan, const float *weight)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < fan; ++i)
        sum += weight[i];
    double mean = sum / fan;
    for (int i = 0; i < fan; ++i)
        squares += (weight[i] - mean) * (weight[i] - mean);
    /* fan * variance is the sum of squares */
    return (struct weight_norm){mean, 1 / sqrt(squares + 1e-5)};
}

void ops_weight_norm_forward(int outs, int fan, const float *weight, const float *gain, float *out)
{
    for (int o = 0; o < outs; ++o, weight += fan, out += fan) {
        struct weight_norm norm = weight_norm_measure(fan, weight);
        for (int i = 0; i < fan; ++i)
            out[i] = (float)(gain[o] * (weight[i] - norm.mean) * norm.scale);
    }
}

/* With u = (w - mean) * scale: dw = gain * scale * (d - mean(d) - u * sum(d u)). */
void ops_weight_norm_backward(int outs, int fan, const float *weight, const float *gain,
                              const struct ops_back *back)
{
    const float *dout = back->dy;
    float *dweight = back->dweight;
    for (int o = 0; o < outs; ++o, weight += fan, dout += fan, dweight += fan) {
        struct weight_norm norm = weight_norm_measure(fan, weight);
        double sum = 0, along = 0;
        for (int i = 0; i < fan; ++i) {
            sum += dout[i];
            along += dout[i] * (weight[i] - norm.mean) * norm.scale;
        }
        for (int i = 0; i < fan; ++i) {
            double u = (weight[i] - norm.mean) * norm.scale;
            dweight[i] += (float)(gain[o] * norm.scale * (dout[i] - sum / fan - u * along));
        }
        back->dgain[o] += (float)along;
    }
}

/* --- batch norm --- */

#define NORM_CORE(name) norm_portable_##name
#define NORM_WIDTH      NORM_TILE
#include "nn/norm_core.inc.h"
#undef NORM_CORE
#undef NORM_WIDTH

/* The kernel for fewer than sixteen channels. */
#define NORM_CORE(name) norm_narrow_##name
#define NORM_WIDTH      tile->width
#include "nn/norm_core.inc.h"

static const struct norm_kernel norm_portable = {norm_portable_sum, norm_portable_squares,
                                                 norm_portable_apply, norm_portable_back_sums,
                                                 norm_portable_back};
static const struct norm_kernel norm_narrow = {norm_narrow_sum, norm_narrow_squares,
                                               norm_narrow_apply, norm_narrow_back_sums,
                                               norm_narrow_back};

static const struct norm_kernel *norm_best(void)
{
#if defined(__x86_64__)
    if (cpu_level() >= CPU_AVX512)
        return &norm_avx512;
    if (cpu_level() >= CPU_AVX2)
        return &norm_avx2;
#endif
    return &norm_portable;
}

/* The board is processed in blocks of rows that stay in the first-level cache; in each block, one
 * tile after the other. */
enum { NORM_ROWS = 64 };

struct norm_walk {
    const struct ops_norm *norm;
    size_t row, at; /* row and first element of the tile */
    int first;      /* its first channel */
    struct norm_tile tile;
    const struct norm_kernel *kernel, *best;
};

static struct norm_walk norm_walk(const struct ops_norm *norm)
{
    return (struct norm_walk){.norm = norm, .first = -NORM_TILE, .best = norm_best()};
}

/* The next tile; false: there is none. */
static bool norm_next(struct norm_walk *walk)
{
    const struct ops_norm *norm = walk->norm;
    size_t channels = (size_t)norm->channels;
    walk->first += NORM_TILE;
    if (walk->first >= norm->channels) {
        walk->first = 0;
        walk->row += NORM_ROWS;
    }
    if (walk->row >= norm->rows)
        return false;
    size_t left = norm->rows - walk->row;
    int wide = norm->channels - walk->first;
    walk->at = walk->row * channels + (size_t)walk->first;
    walk->tile = (struct norm_tile){left < NORM_ROWS ? left : NORM_ROWS, channels,
                                    wide < NORM_TILE ? wide : NORM_TILE};
    walk->kernel = wide < NORM_TILE ? &norm_narrow : walk->best;
    return true;
}

static struct norm_outputs norm_outputs_from(const struct norm_outputs *all, int first)
{
    return (struct norm_outputs){all->mean + first, all->deviation + first, all->gain + first,
                                 all->bias + first};
}

static struct norm_channels norm_from(const struct norm_channels *all, int first)
{
    return (struct norm_channels){.mean = all->mean + first,
                                  .inverse = all->inverse + first,
                                  .scale = all->scale + first,
                                  .sum = all->sum + first,
                                  .along = all->along + first};
}

static void norm_measure(const struct ops_norm *norm, const float *x, float *mean, float *variance)
{
    double sum[NN_MAX_CHANNELS] = {0}, squares[NN_MAX_CHANNELS] = {0}, rows = (double)norm->rows;
    for (struct norm_walk walk = norm_walk(norm); norm_next(&walk);)
        walk.kernel->sum(&walk.tile, x + walk.at, sum + walk.first);
    for (int c = 0; c < norm->channels; ++c)
        sum[c] /= rows;
    for (struct norm_walk walk = norm_walk(norm); norm_next(&walk);)
        walk.kernel->squares(&walk.tile, x + walk.at, sum + walk.first, squares + walk.first);
    for (int c = 0; c < norm->channels; ++c) {
        mean[c] = (float)sum[c];
        variance[c] = (float)(squares[c] / rows);
    }
}

void ops_batch_norm_forward(const struct ops_norm *norm, const float *x, float *mean,
                            float *variance, float *y)
{
    float deviation[NN_MAX_CHANNELS];
    const struct norm_outputs outputs = {mean, deviation, norm->gain, norm->bias};
    norm_measure(norm, x, mean, variance);
    for (int c = 0; c < norm->channels; ++c)
        deviation[c] = sqrtf(variance[c] + OPS_NORM_EPSILON);
    for (struct norm_walk walk = norm_walk(norm); norm_next(&walk);)
        walk.kernel->apply(&walk.tile, x + walk.at, norm_outputs_from(&outputs, walk.first),
                           y + walk.at);
}

/* With u the normalised input: dx = gain / deviation * (dy - mean(dy) - u * mean(dy u)). */
void ops_batch_norm_backward(const struct ops_norm *norm, const float *x, const float *mean,
                             const float *variance, const struct ops_back *back)
{
    double inverse[NN_MAX_CHANNELS], scale[NN_MAX_CHANNELS];
    double sum[NN_MAX_CHANNELS] = {0}, along[NN_MAX_CHANNELS] = {0}, rows = (double)norm->rows;
    const struct norm_channels channels = {
        .mean = mean, .inverse = inverse, .scale = scale, .sum = sum, .along = along};
    for (int c = 0; c < norm->channels; ++c) {
        inverse[c] = 1 / sqrt((double)variance[c] + (double)OPS_NORM_EPSILON);
        scale[c] = (double)norm->gain[c] * inverse[c];
    }
    for (struct norm_walk walk = norm_walk(norm); norm_next(&walk);)
        walk.kernel->back_sums(&walk.tile, x + walk.at, back->dy + walk.at,
                               norm_from(&channels, walk.first));
    for (int c = 0; c < norm->channels; ++c) {
        back->dbias[c] += (float)sum[c];
        back->dgain[c] += (float)along[c];
        sum[c] /= rows;
        along[c] /= rows;
    }
    for (struct norm_walk walk = norm_walk(norm); norm_next(&walk);)
        walk.kernel->back(&walk.tile, x + walk.at, back->dy + walk.at,
                          norm_from(&channels, walk.first), back->dx + walk.at);
}

/* --- activations --- */

void ops_relu_forward(size_t n, float *y)
{
    for (size_t i = 0; i < n; ++i)
        y[i] = y[i] > 0 ? y[i] : 0;
}

void ops_relu_backward(size_t n, const float *y, float *dy)
{
    for (size_t i = 0; i < n; ++i)
        dy[i] = y[i] > 0 ? dy[i] : 0;
}

static double norm_tanh(double x)
{
    double e = numeric_exp(-2 * fabs(x));
    double t = (1 - e) / (1 + e);
    return x < 0 ? -t : t;
}

void ops_tanh_forward(size_t n, float *y)
{
    for (size_t i = 0; i < n; ++i)
        y[i] = (float)norm_tanh(y[i]);
}

void ops_tanh_backward(size_t n, const float *y, float *dy)
{
    for (size_t i = 0; i < n; ++i)
        dy[i] *= 1 - y[i] * y[i];
}

/* --- the whole board --- */

void ops_pool_forward(const struct ops_pool *pool, const float *x, float *out)
{
    int channels = pool->channels;
    for (int n = 0; n < pool->count; ++n, out += 2 * channels) {
        memset(out, 0, sizeof *out * (size_t)channels);
        memcpy(out + channels, x, sizeof *out * (size_t)channels);
        for (int cell = 0; cell < pool->cells; ++cell, x += channels)
            for (int c = 0; c < channels; ++c) {
                out[c] += x[c];
                out[channels + c] = x[c] > out[channels + c] ? x[c] : out[channels + c];
            }
        for (int c = 0; c < channels; ++c)
            out[c] /= (float)pool->cells;
    }
}

/* The gradient of the maximum goes to the first cell that has the maximum. */
void ops_pool_backward(const struct ops_pool *pool, const float *x, const float *out,
                       const float *dout, float *dx)
{
    int channels = pool->channels;
    long image = (long)pool->cells * channels;
    for (int n = 0; n < pool->count; ++n, x += image, dx += image, out += 2 * channels) {
        for (int c = 0; c < channels; ++c) {
            bool found = false;
            for (int cell = 0; cell < pool->cells; ++cell) {
                dx[cell * channels + c] += dout[c] / (float)pool->cells;
                if (!found && x[cell * channels + c] == out[channels + c]) {
                    dx[cell * channels + c] += dout[channels + c];
                    found = true;
                }
            }
        }
        dout += 2 * channels;
    }
}

void ops_spread_forward(const struct ops_pool *pool, const float *v, float *y)
{
    for (int n = 0; n < pool->count; ++n, v += pool->channels)
        for (int cell = 0; cell < pool->cells; ++cell, y += pool->channels)
            for (int c = 0; c < pool->channels; ++c)
                y[c] += v[c];
}

void ops_spread_backward(const struct ops_pool *pool, const float *dy, float *dv)
{
    for (int n = 0; n < pool->count; ++n, dv += pool->channels) {
        memset(dv, 0, sizeof *dv * (size_t)pool->channels);
        for (int cell = 0; cell < pool->cells; ++cell, dy += pool->channels)
            for (int c = 0; c < pool->channels; ++c)
                dv[c] += dy[c];
    }
}
