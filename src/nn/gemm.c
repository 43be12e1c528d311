/* Matrix products: packing and blocking around the kernels (Goto and van de Geijn 2008). */
#include "nn/gemm.h"

#include "base/cpu.h"
#include "base/least.h"

#include <string.h>

enum { PORTABLE_ROWS = 4, PORTABLE_COLUMNS = 8 };

static void gemm_portable_run(int k, const float *a, const float *b, float *tile)
{
    float sum[PORTABLE_ROWS][PORTABLE_COLUMNS] = {{0}};
    for (int p = 0; p < k; ++p, a += PORTABLE_ROWS, b += PORTABLE_COLUMNS)
        for (int i = 0; i < PORTABLE_ROWS; ++i)
            for (int j = 0; j < PORTABLE_COLUMNS; ++j)
                sum[i][j] += a[i] * b[j];
    memcpy(tile, sum, sizeof sum);
}

const struct gemm_kernel gemm_portable = {"portable", PORTABLE_ROWS, PORTABLE_COLUMNS,
                                          gemm_portable_run};

void gemm_kernel_list(const struct gemm_kernel **kernels)
{
#if defined(__x86_64__)
    if (cpu_level() >= CPU_AVX512)
        *kernels++ = &gemm_avx512;
    if (cpu_level() >= CPU_AVX2)
        *kernels++ = &gemm_avx2;
#endif
    *kernels++ = &gemm_portable;
    *kernels = NULL;
}

const struct gemm_kernel *gemm_kernel_best(void)
{
    const struct gemm_kernel *kernels[4];
    gemm_kernel_list(kernels);
    return kernels[0];
}

/* Packs lines of a view into panels of `wide` lines each, one depth after the other; missing lines
 * are 0.  For A a line is a row; for B a line is a column, and the view is transposed. */
static void gemm_pack(const struct gemm_view *view, int lines, int depth, int wide, float *out)
{
    for (int first = 0; first < lines; first += wide, out += wide * depth) {
        int count = lines - first < wide ? lines - first : wide;
        const float *from = view->at + (long)first * view->row;
        if (count < wide)
            memset(out, 0, sizeof *out * (size_t)(wide * depth));
        if (view->row == 1) {
            for (int p = 0; p < depth; ++p)
                memcpy(out + p * wide, from + (long)p * view->column, sizeof *out * (size_t)count);
            continue;
        }
        for (int i = 0; i < count; ++i) {
            const float *line = from + (long)i * view->row;
            for (int p = 0; p < depth; ++p)
                out[p * wide + i] = line[(long)p * view->column];
        }
    }
}

struct gemm_block {
    int row, column, depth; /* its first element */
    int m, n, k;            /* its size */
};

/* The part of a kernel's tile that lies inside C. */
struct gemm_tile {
    const float *at; /* [m][row] */
    int row;
    int m, n;
};

static void gemm_store(float *c, int c_row, const struct gemm_tile *tile, bool add)
{
    const float *from = tile->at;
    for (int i = 0; i < tile->m; ++i, c += c_row, from += tile->row) {
        if (add)
            for (int j = 0; j < tile->n; ++j)
                c[j] += from[j];
        else
            memcpy(c, from, sizeof *c * (size_t)tile->n);
    }
}

static void gemm_block_run(const struct gemm_kernel *kernel, struct gemm_space *space,
                           const struct gemm *product, const struct gemm_block *block)
{
    bool add = product->add || block->depth > 0;
    for (int j = 0; j < block->n; j += kernel->columns)
        for (int i = 0; i < block->m; i += kernel->rows) {
            kernel->run(block->k, space->a + i * block->k, space->b + j * block->k, space->tile);
            int m = least_int(block->m - i, kernel->rows);
            int n = least_int(block->n - j, kernel->columns);
            float *c = product->c + (long)(block->row + i) * product->c_row + block->column + j;
            gemm_store(c, product->c_row, &(struct gemm_tile){space->tile, kernel->columns, m, n},
                       add);
        }
}

void gemm_run(const struct gemm_kernel *kernel, struct gemm_space *space,
              const struct gemm *product)
{
    const struct gemm_view *a = &product->a, *b = &product->b;
    struct gemm_block block;
    if (product->k == 0 && !product->add)
        for (int i = 0; i < product->m; ++i)
            memset(product->c + (long)i * product->c_row, 0, sizeof(float) * (size_t)product->n);
    for (block.column = 0; block.column < product->n; block.column += GEMM_WIDTH)
        for (block.depth = 0; block.depth < product->k; block.depth += GEMM_DEPTH) {
            block.n = least_int(product->n - block.column, GEMM_WIDTH);
            block.k = least_int(product->k - block.depth, GEMM_DEPTH);
            struct gemm_view columns = {b->at + (long)block.depth * b->row +
                                            (long)block.column * b->column,
                                        b->column, b->row};
            gemm_pack(&columns, block.n, block.k, kernel->columns, space->b);
            for (block.row = 0; block.row < product->m; block.row += GEMM_HEIGHT) {
                block.m = least_int(product->m - block.row, GEMM_HEIGHT);
                struct gemm_view rows = {a->at + (long)block.row * a->row +
                                             (long)block.depth * a->column,
                                         a->row, a->column};
                gemm_pack(&rows, block.m, block.k, kernel->rows, space->a);
                gemm_block_run(kernel, space, product, &block);
            }
        }
}
