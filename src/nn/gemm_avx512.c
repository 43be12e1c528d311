/* The kernel of matrix products for AVX-512: 12 x 32, with 24 of the 32 registers as accumulators.
 */
#include "nn/gemm.h"

#if defined(__AVX512F__)

#include <immintrin.h>

enum { AVX512_ROWS = 12, AVX512_COLUMNS = 32 };

static void gemm_avx512_run(int k, const float *a, const float *b, float *tile)
{
    __m512 sum[AVX512_ROWS][2];
    for (int i = 0; i < AVX512_ROWS; ++i)
        sum[i][0] = sum[i][1] = _mm512_setzero_ps();
    for (int p = 0; p < k; ++p, a += AVX512_ROWS, b += AVX512_COLUMNS) {
        __m512 b0 = _mm512_load_ps(b), b1 = _mm512_load_ps(b + 16);
        for (int i = 0; i < AVX512_ROWS; ++i) {
            __m512 value = _mm512_set1_ps(a[i]);
            sum[i][0] = _mm512_add_ps(sum[i][0], _mm512_mul_ps(value, b0));
            sum[i][1] = _mm512_add_ps(sum[i][1], _mm512_mul_ps(value, b1));
        }
    }
    for (int i = 0; i < AVX512_ROWS; ++i) {
        _mm512_store_ps(tile + i * AVX512_COLUMNS, sum[i][0]);
        _mm512_store_ps(tile + i * AVX512_COLUMNS + 16, sum[i][1]);
    }
}

const struct gemm_kernel gemm_avx512 = {"avx512", AVX512_ROWS, AVX512_COLUMNS, gemm_avx512_run};

#endif
