/* Finds the instruction-set level of the processor. */
#include "base/cpu.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

static const char *const names[CPU_LEVELS + 1] = {"portable",    "avx2", "avx512", "avx512-vbmi",
                                                  "avx512-bf16", "amx",  NULL};

/* --- the processor --- */

struct cpu_feature {
    const char *name;
    enum cpu_level level; /* the lowest level that needs it; CPU_LEVELS: no level does */
    unsigned char where, bit;
};

#if defined(__x86_64__)

/* Registers that the instruction CPUID fills (Intel's manual, volume 2A). */
enum { BASIC_ECX, LEAF7_EBX, LEAF7_ECX, LEAF7_EDX, LEAF7_1_EAX, EXTENDED_ECX, CPU_WORDS };

static const struct cpu_feature features[] = {
    {"sse4.2", CPU_AVX2, BASIC_ECX, 20},
    {"popcnt", CPU_AVX2, BASIC_ECX, 23},
    {"lzcnt", CPU_AVX2, EXTENDED_ECX, 5},
    {"bmi", CPU_AVX2, LEAF7_EBX, 3},
    {"bmi2", CPU_AVX2, LEAF7_EBX, 8},
    {"avx", CPU_AVX2, BASIC_ECX, 28},
    {"fma", CPU_AVX2, BASIC_ECX, 12},
    {"avx2", CPU_AVX2, LEAF7_EBX, 5},
    {"avx512f", CPU_AVX512, LEAF7_EBX, 16},
    {"avx512bw", CPU_AVX512, LEAF7_EBX, 30},
    {"avx512vl", CPU_AVX512, LEAF7_EBX, 31},
    {"avx512dq", CPU_AVX512, LEAF7_EBX, 17},
    {"avx512cd", CPU_AVX512, LEAF7_EBX, 28},
    {"avx512vbmi", CPU_AVX512_VBMI, LEAF7_ECX, 1},
    {"avx512vbmi2", CPU_AVX512_VBMI, LEAF7_ECX, 6},
    {"avx512vnni", CPU_LEVELS, LEAF7_ECX, 11},
    {"avx512bf16", CPU_AVX512_BF16, LEAF7_1_EAX, 5},
    {"amx-tile", CPU_AMX, LEAF7_EDX, 24},
    {"amx-bf16", CPU_AMX, LEAF7_EDX, 22},
};

static void cpu_read(unsigned long words[CPU_WORDS])
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    memset(words, 0, CPU_WORDS * sizeof *words);
    if (__get_cpuid(1, &a, &b, &c, &d))
        words[BASIC_ECX] = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
        words[LEAF7_EBX] = b, words[LEAF7_ECX] = c, words[LEAF7_EDX] = d;
        if (a >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d))
            words[LEAF7_1_EAX] = a;
    }
    if (__get_cpuid(0x80000001u, &a, &b, &c, &d))
        words[EXTENDED_ECX] = c;
}

/* The highest level whose registers the operating system saves when it switches threads.  A program
 * must also ask the system for permission to use the tile registers of AMX; the code that uses them
 * does so. */
static enum cpu_level cpu_system_level(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2"))
        return CPU_PORTABLE;
    return __builtin_cpu_supports("avx512f") ? CPU_AMX : CPU_AVX2;
}

#elif defined(__aarch64__) && defined(__linux__)

enum { CPU_WORDS = 1 };

static const struct cpu_feature features[] = {
    {"asimd", CPU_LEVELS, 0, 1},
    {"crc32", CPU_LEVELS, 0, 7},
    {"asimddp", CPU_LEVELS, 0, 20},
    {"sve", CPU_LEVELS, 0, 22},
};
_Static_assert(HWCAP_ASIMD == 1 << 1 && HWCAP_CRC32 == 1 << 7 && HWCAP_ASIMDDP == 1 << 20 &&
                   HWCAP_SVE == 1 << 22,
               "the bits of the table above");

static void cpu_read(unsigned long words[CPU_WORDS])
{
    words[0] = getauxval(AT_HWCAP);
}

static enum cpu_level cpu_system_level(void)
{
    return CPU_PORTABLE;
}

#else

enum { CPU_WORDS = 1 };

static const struct cpu_feature features[] = {{NULL, CPU_LEVELS, 0, 0}};

static void cpu_read(unsigned long words[CPU_WORDS])
{
    words[0] = 0;
}

static enum cpu_level cpu_system_level(void)
{
    return CPU_PORTABLE;
}

#endif

enum { CPU_FEATURES = sizeof features / sizeof *features };

static bool cpu_has(const unsigned long words[CPU_WORDS], const struct cpu_feature *feature)
{
    return words[feature->where] >> feature->bit & 1;
}

const char *cpu_feature(int i, bool *present)
{
    unsigned long words[CPU_WORDS];
    if (i >= CPU_FEATURES || !features[i].name)
        return NULL;
    cpu_read(words);
    *present = cpu_has(words, &features[i]);
    return features[i].name;
}

enum cpu_level cpu_processor_level(void)
{
    unsigned long words[CPU_WORDS];
    enum cpu_level level = cpu_system_level();
    cpu_read(words);
    for (int i = 0; i < CPU_FEATURES; ++i)
        if (features[i].level <= level && !cpu_has(words, &features[i]))
            level = features[i].level - 1; /* >= 0: no feature has level CPU_PORTABLE */
    return level;
}

/* --- the level in use --- */

static atomic_int cpu_chosen; /* the level plus 1; 0: not yet found */

/* Relaxed order is enough: threads that find the level at the same time find the same one. */
enum cpu_level cpu_level(void)
{
    int chosen = atomic_load_explicit(&cpu_chosen, memory_order_relaxed);
    if (!chosen) {
        chosen = (int)cpu_processor_level() + 1;
        atomic_store_explicit(&cpu_chosen, chosen, memory_order_relaxed);
    }
    return (enum cpu_level)(chosen - 1);
}

void cpu_limit(enum cpu_level level)
{
    enum cpu_level most = cpu_processor_level();
    atomic_store_explicit(&cpu_chosen, (int)(level < most ? level : most) + 1,
                          memory_order_relaxed);
}

enum banyan_status cpu_limit_named(const char *name, struct banyan_error *err)
{
    enum cpu_level most = cpu_processor_level();
    for (int i = 0; names[i]; ++i) {
        if (strcmp(names[i], name) != 0)
            continue;
        if (i > (int)most)
            return banyan_fail(err, BANYAN_UNSUPPORTED,
                               "this processor has no %s; its highest level is %s", name,
                               names[most]);
        cpu_limit((enum cpu_level)i);
        return BANYAN_OK;
    }
    return banyan_fail(err, BANYAN_INVALID,
                       "no instruction level is called '%s'; there are portable, avx2, avx512, "
                       "avx512-vbmi, avx512-bf16 and amx",
                       name);
}

const char *cpu_level_name(enum cpu_level level)
{
    return names[level];
}
