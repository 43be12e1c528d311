/* Measures the peak rate of multiply-adds with AMX, which a process must request from the kernel. */
#undef _POSIX_C_SOURCE
#define _DEFAULT_SOURCE

#include "cli/bench/bench_peak.h"

#include "base/cpu.h"
#include "cli/timing.h"

#if defined(__AMX_BF16__) && defined(__linux__)

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PEAK_REQUEST = 0x1023, PEAK_TILE_DATA = 18, PEAK_ROUNDS = 1 << 14, PEAK_TILES = 4 };

struct peak_config {
    uint8_t palette, start, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
};

static bool peak_allowed(void)
{
    return cpu_level() >= CPU_AMX && syscall(SYS_arch_prctl, PEAK_REQUEST, PEAK_TILE_DATA) == 0;
}

/* Tiles 0..3 are sums, 4 and 5 are rows, 6 and 7 columns: 16 x 16 sums of 32 products each. */
static void peak_round(void)
{
    for (int round = 0; round < PEAK_ROUNDS; ++round) {
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(1, 4, 7);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
    }
}

double peak_amx(double seconds)
{
    static struct peak_config config;
    static uint16_t ones[512];
    volatile struct peak_config *seen =
        &config; /* without volatile gcc 12 drops the writes to config */
    double best = 0, start = timing_cpu_s();
    if (!peak_allowed())
        return 0;
    seen->palette = 1;
    for (int i = 0; i < 8; ++i) {
        seen->row_bytes[i] = 64;
        seen->rows[i] = 16;
    }
    for (int i = 0; i < 512; ++i)
        ones[i] = 0x3c00;
    _tile_loadconfig(&config);
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    _tile_loadd(4, ones, 64);
    _tile_loadd(5, ones, 64);
    _tile_loadd(6, ones, 64);
    _tile_loadd(7, ones, 64);
    while (timing_cpu_s() - start < seconds) {
        double before = timing_cpu_s(), spent;
        peak_round();
        spent = timing_cpu_s() - before;
        double rate = 2.0 * PEAK_TILES * 16 * 16 * 32 * PEAK_ROUNDS / spent / 1e9;
        best = rate > best ? rate : best;
    }
    _tile_release();
    return best;
}

#else

double peak_amx(double seconds)
{
    (void)seconds;
    return 0;
}

#endif
