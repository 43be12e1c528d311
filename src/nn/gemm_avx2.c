/* The kernel of matrix products for AVX2: 6 x 16, with 12 of the 16 registers as accumulators. */
#include "nn/gemm.h"

#if defined(__AVX2__)

#include <immintrin.h>

enum { AVX2_ROWS = 6, AVX2_COLUMNS = 16 };

static void gemm_avx2_run(int k, const float *a, const float *b, float *tile)
{
    __m256 sum[AVX2_ROWS][2];
    for (int i = 0; i < AVX2_ROWS; ++i)
        sum[i][0] = sum[i][1] = _mm256_setzero_ps();
    for (int p = 0; p < k; ++p, a += AVX2_ROWS, b += AVX2_COLUMNS) {
        __m256 b0 = _mm256_load_ps(b), b1 = _mm256_load_ps(b + 8);
        for (int i = 0; i < AVX2_ROWS; ++i) {
            __m256 value = _mm256_broadcast_ss(a + i);
            sum[i][0] = _mm256_add_ps(sum[i][0], _mm256_mul_ps(value, b0));
            sum[i][1] = _mm256_add_ps(sum[i][1], _mm256_mul_ps(value, b1));
        }
    }
    for (int i = 0; i < AVX2_ROWS; ++i) {
        _mm256_store_ps(tile + i * AVX2_COLUMNS, sum[i][0]);
        _mm256_store_ps(tile + i * AVX2_COLUMNS + 8, sum[i][1]);
    }
}

const struct gemm_kernel gemm_avx2 = {"avx2", AVX2_ROWS, AVX2_COLUMNS, gemm_avx2_run};

#endif
