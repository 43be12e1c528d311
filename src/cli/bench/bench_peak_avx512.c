/* Measures the peak rate of multiply-adds with AVX-512. */
#include "cli/bench/bench_peak.h"

#include "base/cpu.h"

#if defined(__AVX512F__)

#include <immintrin.h>
#include <stdbool.h>

enum { PEAK_SUMS = 10, PEAK_LANES = 16, PEAK_ROUNDS = 1 << 16 };

/* Ten independent sums, each in a register of its own: no product waits for the one before it. */
static float peak_round(void)
{
    __m512 factor = _mm512_set1_ps(0.999f), term = _mm512_set1_ps(0.001f), a = term, b = term;
    __m512 c = term, d = term, e = term, f = term, g = term, h = term, i = term, j = term;
    for (int round = 0; round < PEAK_ROUNDS; ++round) {
        a = _mm512_fmadd_ps(a, factor, term);
        b = _mm512_fmadd_ps(b, factor, term);
        c = _mm512_fmadd_ps(c, factor, term);
        d = _mm512_fmadd_ps(d, factor, term);
        e = _mm512_fmadd_ps(e, factor, term);
        f = _mm512_fmadd_ps(f, factor, term);
        g = _mm512_fmadd_ps(g, factor, term);
        h = _mm512_fmadd_ps(h, factor, term);
        i = _mm512_fmadd_ps(i, factor, term);
        j = _mm512_fmadd_ps(j, factor, term);
    }
    float out[PEAK_LANES];
    __m512 left = _mm512_add_ps(_mm512_add_ps(a, b), _mm512_add_ps(c, _mm512_add_ps(d, e)));
    __m512 right = _mm512_add_ps(_mm512_add_ps(f, g), _mm512_add_ps(h, _mm512_add_ps(i, j)));
    _mm512_storeu_ps(out, _mm512_add_ps(left, right));
    return out[0];
}

double peak_fma_wide(double seconds)
{
    bool here = cpu_level() >= CPU_AVX512;
    return here ? peak_best(peak_round, 2.0 * PEAK_SUMS * PEAK_LANES * PEAK_ROUNDS, seconds) : 0;
}

#else

double peak_fma_wide(double seconds)
{
    (void)seconds;
    return 0;
}

#endif
