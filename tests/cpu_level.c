/* Linked into every test: lowers the level of instructions to BANYAN_CPU_LEVEL before main, as the
 * program does.  Exit status 77, which ctest counts as skipped, where the processor does not reach
 * that level. */
#include "base/cpu.h"

#include <stdio.h>
#include <stdlib.h>

enum { LEVEL_SKIPPED = 77 };

__attribute__((constructor)) static void level_limit(void)
{
    struct banyan_error err;
    const char *level = getenv("BANYAN_CPU_LEVEL");
    if (!level || !*level)
        return;
    enum banyan_status status = cpu_limit_named(level, &err);
    if (status == BANYAN_OK)
        return;
    fprintf(stderr, "%s: %s\n", status == BANYAN_UNSUPPORTED ? "SKIPPED" : "BANYAN_CPU_LEVEL",
            err.message);
    exit(status == BANYAN_UNSUPPORTED ? LEVEL_SKIPPED : EXIT_FAILURE);
}
