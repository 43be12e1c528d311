/* Matrix products for the plain backend.
 *
 *     C[m][n] (+)= A[m][k] B[k][n]         A and B may have any strides, so a transpose costs nothing
 *
 *     A panel  k x rows                    B panel  k x columns
 *     a0 a0 a0 ..                          b0 b1 b2 ...
 *     a1 a1 a1 ..     --- kernel --->      C tile rows x columns
 *
 * Every element is summed over k in order, in blocks of GEMM_DEPTH, by separate multiplications and
 * additions.  So all kernels give the same bits on every machine, and a row does not depend on the
 * other rows.
 */
#ifndef NN_GEMM_H
#define NN_GEMM_H

#include <stdbool.h>

enum {
    GEMM_DEPTH = 256,    /* k of one pass */
    GEMM_HEIGHT = 96,    /* rows of A packed at once; a multiple of every kernel's rows */
    GEMM_WIDTH = 512,    /* columns of B packed at once; a multiple of every kernel's columns */
    GEMM_TILE_MAX = 512, /* room for the largest kernel's tile */
};

struct gemm_view {
    const float *at; /* borrowed; element (i, j) is at[i * row + j * column] */
    int row, column;
};

struct gemm {
    int m, n, k;
    struct gemm_view a, b;
    float *c;  /* [m][c_row] */
    int c_row; /* >= n */
    bool add;  /* adds to C; otherwise C is overwritten */
};

/* Packed panels; one for each thread. */
struct gemm_space {
    _Alignas(64) float a[GEMM_HEIGHT * GEMM_DEPTH];
    _Alignas(64) float b[GEMM_WIDTH * GEMM_DEPTH];
    _Alignas(64) float tile[GEMM_TILE_MAX];
};

struct gemm_kernel {
    const char *name;
    int rows, columns;
    /* tile[rows][columns] = sum over k of a[k][rows] x b[k][columns] */
    void (*run)(int k, const float *a, const float *b, float *tile);
};

extern const struct gemm_kernel gemm_portable, gemm_avx2, gemm_avx512;

/* The fastest kernel for this machine. */
const struct gemm_kernel *gemm_kernel_best(void);

/* The kernels that this machine can run, NULL at the end; kernels[4]. */
void gemm_kernel_list(const struct gemm_kernel **kernels);

void gemm_run(const struct gemm_kernel *kernel, struct gemm_space *space,
              const struct gemm *product);

#endif
