#include "cli/bench_peak.h"

#include "cli/timing.h"

#if defined(__AVX512F__)

#include <immintrin.h>

enum { PEAK_SUMS = 12, PEAK_LANES = 16, PEAK_ROUNDS = 1 << 16 };

/* Independent sums, so that no product waits for the one before it. */
static float peak_round(void)
{
    __m512 sums[PEAK_SUMS], factor = _mm512_set1_ps(0.999f), term = _mm512_set1_ps(0.001f);
    float out[PEAK_LANES], all = 0;
    for (int i = 0; i < PEAK_SUMS; ++i)
        sums[i] = _mm512_set1_ps((float)i);
    for (int round = 0; round < PEAK_ROUNDS; ++round)
        for (int i = 0; i < PEAK_SUMS; ++i)
            sums[i] = _mm512_fmadd_ps(sums[i], factor, term);
    for (int i = 0; i < PEAK_SUMS; ++i) {
        _mm512_storeu_ps(out, sums[i]);
        all += out[0];
    }
    return all;
}

double peak_fma_wide(double seconds)
{
    volatile float keep = 0;
    double best = 0, start = timing_cpu_s();
    if (!__builtin_cpu_supports("avx512f"))
        return 0;
    while (timing_cpu_s() - start < seconds) {
        double before = timing_cpu_s();
        keep += peak_round();
        double rate = 2.0 * PEAK_SUMS * PEAK_LANES * PEAK_ROUNDS / (timing_cpu_s() - before) / 1e9;
        best = rate > best ? rate : best;
    }
    return best;
}

#else

double peak_fma_wide(double seconds)
{
    (void)seconds;
    return 0;
}

#endif
