/* Measures the peak rate of multiply-adds with AVX2 and FMA. */
#include "cli/bench/bench_peak.h"

#include "base/cpu.h"

#if defined(__AVX2__) && defined(__FMA__)

#include <immintrin.h>
#include <stdbool.h>

enum { PEAK_SUMS = 10, PEAK_LANES = 8, PEAK_ROUNDS = 1 << 16 };

/* Ten independent sums, each in a register of its own: no product waits for the one before it. */
static float peak_round(void)
{
    __m256 factor = _mm256_set1_ps(0.999f), term = _mm256_set1_ps(0.001f), a = term, b = term;
    __m256 c = term, d = term, e = term, f = term, g = term, h = term, i = term, j = term;
    for (int round = 0; round < PEAK_ROUNDS; ++round) {
        a = _mm256_fmadd_ps(a, factor, term);
        b = _mm256_fmadd_ps(b, factor, term);
        c = _mm256_fmadd_ps(c, factor, term);
        d = _mm256_fmadd_ps(d, factor, term);
        e = _mm256_fmadd_ps(e, factor, term);
        f = _mm256_fmadd_ps(f, factor, term);
        g = _mm256_fmadd_ps(g, factor, term);
        h = _mm256_fmadd_ps(h, factor, term);
        i = _mm256_fmadd_ps(i, factor, term);
        j = _mm256_fmadd_ps(j, factor, term);
    }
    float out[PEAK_LANES];
    __m256 left = _mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, _mm256_add_ps(d, e)));
    __m256 right = _mm256_add_ps(_mm256_add_ps(f, g), _mm256_add_ps(h, _mm256_add_ps(i, j)));
    _mm256_storeu_ps(out, _mm256_add_ps(left, right));
    return out[0];
}

double peak_fma_narrow(double seconds)
{
    bool here = cpu_level() >= CPU_AVX2;
    return here ? peak_best(peak_round, 2.0 * PEAK_SUMS * PEAK_LANES * PEAK_ROUNDS, seconds) : 0;
}

#else

double peak_fma_narrow(double seconds)
{
    (void)seconds;
    return 0;
}

#endif
