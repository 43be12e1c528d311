/* The functions of norm.h.  One file for each instruction set includes this header, after defining
 * NORM_CORE(name), which makes the function names, and NORM_WIDTH, the number of channels.  Sums
 * keep their order and operations are not fused, so the results have the same bits everywhere. */
#include "nn/norm.h"

#include <string.h>

#if !defined(NORM_CORE) /* when this header is compiled alone */
#define NORM_CORE(name) norm_##name
#define NORM_WIDTH      tile->width
#endif

static inline void NORM_CORE(sum)(const struct norm_tile *tile, const float *x, double *sum)
{
    double mine[NORM_TILE];
    memcpy(mine, sum, sizeof *sum * (size_t)NORM_WIDTH);
    for (size_t row = 0; row < tile->rows; ++row, x += tile->stride)
        for (int c = 0; c < NORM_WIDTH; ++c)
            mine[c] += (double)x[c];
    memcpy(sum, mine, sizeof *sum * (size_t)NORM_WIDTH);
}

static inline void NORM_CORE(squares)(const struct norm_tile *tile, const float *x,
                                      const double *mean, double *squares)
{
    double mine[NORM_TILE], middle[NORM_TILE];
    memcpy(mine, squares, sizeof *mine * (size_t)NORM_WIDTH);
    memcpy(middle, mean, sizeof *mine * (size_t)NORM_WIDTH);
    for (size_t row = 0; row < tile->rows; ++row, x += tile->stride)
        for (int c = 0; c < NORM_WIDTH; ++c)
            mine[c] += ((double)x[c] - middle[c]) * ((double)x[c] - middle[c]);
    memcpy(squares, mine, sizeof *mine * (size_t)NORM_WIDTH);
}

static inline void NORM_CORE(apply)(const struct norm_tile *tile, const float *x,
                                    struct norm_outputs by, float *y)
{
    for (size_t row = 0; row < tile->rows; ++row, x += tile->stride, y += tile->stride) {
        float out[NORM_TILE]; /* y may be x */
        for (int c = 0; c < NORM_WIDTH; ++c)
            out[c] = (x[c] - by.mean[c]) / by.deviation[c] * by.gain[c] + by.bias[c];
        memcpy(y, out, sizeof *out * (size_t)NORM_WIDTH);
    }
}

static inline void NORM_CORE(back_sums)(const struct norm_tile *tile, const float *x,
                                        const float *dy, struct norm_channels by)
{
    double mine[NORM_TILE], product[NORM_TILE];
    memcpy(mine, by.sum, sizeof *mine * (size_t)NORM_WIDTH);
    memcpy(product, by.along, sizeof *mine * (size_t)NORM_WIDTH);
    for (size_t row = 0; row < tile->rows; ++row, x += tile->stride, dy += tile->stride)
        for (int c = 0; c < NORM_WIDTH; ++c) {
            mine[c] += (double)dy[c];
            product[c] += (double)dy[c] * ((double)x[c] - (double)by.mean[c]) * by.inverse[c];
        }
    memcpy(by.sum, mine, sizeof *mine * (size_t)NORM_WIDTH);
    memcpy(by.along, product, sizeof *mine * (size_t)NORM_WIDTH);
}

static inline void NORM_CORE(back)(const struct norm_tile *tile, const float *x, const float *dy,
                                   struct norm_channels by, float *dx)
{
    for (size_t row = 0; row < tile->rows; ++row) {
        float out[NORM_TILE]; /* dx may be dy */
        for (int c = 0; c < NORM_WIDTH; ++c) {
            double u = ((double)x[c] - (double)by.mean[c]) * by.inverse[c];
            out[c] = (float)(by.scale[c] * ((double)dy[c] - by.sum[c] - u * by.along[c]));
        }
        memcpy(dx, out, sizeof *out * (size_t)NORM_WIDTH);
        x += tile->stride, dy += tile->stride, dx += tile->stride;
    }
}
