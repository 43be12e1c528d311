/* Norms, activations, pooling. */
#include "base/numeric.h"
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
                              const float *dout, float *dweight, float *dgain)
{
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
        dgain[o] += (float)along;
    }
}

/* --- batch norm --- */

/* Channels are walked a tile at a time, so that what is read of a row lies together; the sums of
 * each run over the rows in order. */
enum { NORM_TILE = 16 };

struct norm_tile {
    size_t rows, channels, first; /* of the board, of its tile */
    int width;                    /* channels of the tile */
};

static struct norm_tile norm_tile(const struct ops_norm *norm, int first)
{
    int left = norm->channels - first;
    return (struct norm_tile){norm->rows, (size_t)norm->channels, (size_t)first,
                              left < NORM_TILE ? left : NORM_TILE};
}

static void norm_measure(const struct norm_tile *tile, const float *x, float *mean, float *variance)
{
    double sum[NORM_TILE] = {0}, squares[NORM_TILE] = {0}, rows = (double)tile->rows;
    const float *at = x + tile->first;
    for (size_t row = 0; row < tile->rows; ++row, at += tile->channels)
        for (int c = 0; c < tile->width; ++c)
            sum[c] += at[c];
    for (int c = 0; c < tile->width; ++c)
        sum[c] /= rows;
    at = x + tile->first;
    for (size_t row = 0; row < tile->rows; ++row, at += tile->channels)
        for (int c = 0; c < tile->width; ++c)
            squares[c] += (at[c] - sum[c]) * (at[c] - sum[c]);
    for (int c = 0; c < tile->width; ++c) {
        mean[tile->first + (size_t)c] = (float)sum[c];
        variance[tile->first + (size_t)c] = (float)(squares[c] / rows);
    }
}

void ops_batch_norm_forward(const struct ops_norm *norm, const float *x, float *mean,
                            float *variance, float *y)
{
    int channels = norm->channels;
    for (int first = 0; first < channels; first += NORM_TILE) {
        struct norm_tile tile = norm_tile(norm, first);
        float deviation[NORM_TILE];
        norm_measure(&tile, x, mean, variance);
        for (int c = 0; c < tile.width; ++c)
            deviation[c] = sqrtf(variance[first + c] + OPS_NORM_EPSILON);
        for (size_t row = 0; row < norm->rows; ++row) {
            size_t at = row * (size_t)channels + (size_t)first;
            for (int c = 0; c < tile.width; ++c)
                y[at + (size_t)c] =
                    (x[at + (size_t)c] - mean[first + c]) / deviation[c] * norm->gain[first + c] +
                    norm->bias[first + c];
        }
    }
}

/* With u the normed input: dx = gain / deviation * (dy - mean(dy) - u * mean(dy u)). */
static void norm_tile_backward(const struct norm_tile *tile, const struct ops_norm *norm,
                               const float *x, const float *mean, const float *variance,
                               const float *dy, float *dx, double *sum, double *along)
{
    double inverse[NORM_TILE], rows = (double)tile->rows;
    for (int c = 0; c < tile->width; ++c) {
        inverse[c] = 1 / sqrt((double)variance[c] + (double)OPS_NORM_EPSILON);
        sum[c] = along[c] = 0;
    }
    for (size_t row = 0; row < tile->rows; ++row)
        for (int c = 0; c < tile->width; ++c) {
            double d = dy[row * tile->channels + (size_t)c];
            sum[c] += d;
            along[c] += d * (x[row * tile->channels + (size_t)c] - mean[c]) * inverse[c];
        }
    for (size_t row = 0; row < tile->rows; ++row)
        for (int c = 0; c < tile->width; ++c) {
            size_t at = row * tile->channels + (size_t)c;
            double u = (x[at] - mean[c]) * inverse[c];
            dx[at] = (float)(norm->gain[tile->first + (size_t)c] * inverse[c] *
                             (dy[at] - sum[c] / rows - u * along[c] / rows));
        }
}

void ops_batch_norm_backward(const struct ops_norm *norm, const float *x, const float *mean,
                             const float *variance, const float *dy, float *dx, float *dgain,
                             float *dbias)
{
    for (int first = 0; first < norm->channels; first += NORM_TILE) {
        struct norm_tile tile = norm_tile(norm, first);
        double sum[NORM_TILE], along[NORM_TILE];
        norm_tile_backward(&tile, norm, x + first, mean + first, variance + first, dy + first,
                           dx + first, sum, along);
        for (int c = 0; c < tile.width; ++c) {
            dbias[first + c] += (float)sum[c];
            dgain[first + c] += (float)along[c];
        }
    }
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

/* The maximum's gradient goes to the first cell that has it. */
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
