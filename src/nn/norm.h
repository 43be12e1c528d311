/* The operations of a batch norm on a tile of the board, for each instruction set
 * (norm_core.inc.h). */
#ifndef NN_NORM_H
#define NN_NORM_H

#include <stddef.h>

enum { NORM_TILE = 16 };

/* Some rows of at most sixteen neighbouring channels. */
struct norm_tile {
    size_t rows, stride;
    int width; /* NORM_TILE, except for the narrow kernel */
};

/* Arrays with one entry for each channel of the tile: for the forward functions, then for the
 * backward ones. */
struct norm_outputs {
    const float *mean, *deviation, *gain, *bias;
};
struct norm_channels {
    const float *mean;
    const double *inverse; /* 1 / deviation */
    const double *scale;   /* gain / deviation */
    double *sum, *along;   /* sums of dy, and of dy times the normed input; later the means of
                              both */
};

struct norm_kernel {
    /* sum += x */
    void (*sum)(const struct norm_tile *tile, const float *x, double *sum);
    /* squares += (x - mean)^2 */
    void (*squares)(const struct norm_tile *tile, const float *x, const double *mean,
                    double *squares);
    /* y = (x - mean) / deviation * gain + bias */
    void (*apply)(const struct norm_tile *tile, const float *x, struct norm_outputs by, float *y);
    /* With u = (x - mean) * inverse: sum += dy, along += dy u. */
    void (*back_sums)(const struct norm_tile *tile, const float *x, const float *dy,
                      struct norm_channels by);
    /* dx = scale * (dy - sum - u * along) */
    void (*back)(const struct norm_tile *tile, const float *x, const float *dy,
                 struct norm_channels by, float *dx);
};

extern const struct norm_kernel norm_avx2, norm_avx512;

#endif
