/* The instruction sets that this program uses, as one scale of levels.  Each level includes all
 * levels before it.
 *
 *     portable < avx2 < avx512 < avx512-vbmi < avx512-bf16 < amx
 *                 |       |          |             \______/
 *           games, nn     nn       games          oneDNN only (and `banyan bench nn`)
 *
 * A file named FILE_avx2.c or FILE_avx512.c is compiled for its level, and its functions are called
 * only where cpu_level() allows it.  Games, matrix products and norms give the same bits at every
 * level.
 *
 * The level is that of the processor, found at the first call, unless cpu_limit() lowers it.  The
 * level and the registered games are all the state that the library keeps.  The program and every
 * test lower the level to that of the environment variable BANYAN_CPU_LEVEL (docs/building.md); the
 * library reads no environment. */
#ifndef BASE_CPU_H
#define BASE_CPU_H

#include <banyan/status.h>

#include <stdbool.h>

enum cpu_level {
    CPU_PORTABLE,
    CPU_AVX2,        /* AVX2, FMA, BMI, BMI2, LZCNT, POPCNT: Haswell, Zen */
    CPU_AVX512,      /* AVX-512 F, BW, CD, DQ, VL: Skylake-SP */
    CPU_AVX512_VBMI, /* VBMI, VBMI2: Ice Lake */
    CPU_AVX512_BF16, /* products of bf16: Zen 4 */
    CPU_AMX,         /* AMX with bf16: Sapphire Rapids */
    CPU_LEVELS
};

/* The level that may be used: the processor's level or the limit, whichever is lower.  Any thread.
 */
enum cpu_level cpu_level(void);

/* The level of the processor and the operating system, without regard to the limit. */
enum cpu_level cpu_processor_level(void);

/* Uses no instructions beyond this level from now on.  To be called by one thread, before any other
 * function.  A limit above the processor's level changes nothing. */
void cpu_limit(enum cpu_level level);

/* As the function above, with the level's name.  BANYAN_INVALID: no level has this name.
 * BANYAN_UNSUPPORTED: the processor is below this level. */
enum banyan_status cpu_limit_named(const char *name, struct banyan_error *err);

/* "portable", "avx2", ... */
const char *cpu_level_name(enum cpu_level level);

/* The name of instruction set number i, and in *present whether the processor has it.  NULL: there
 * are no more. */
const char *cpu_feature(int i, bool *present);

#endif
