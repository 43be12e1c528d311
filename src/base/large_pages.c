/* Asks Linux for large pages. */
#define _DEFAULT_SOURCE
#include "base/large_pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(MADV_HUGEPAGE)

void large_pages(void *memory, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)memory;
    uintptr_t from = (at + page - 1) / page * page, to = (at + bytes) / page * page;
    if (from < to)
        (void)madvise((char *)memory + (from - at), to - from, MADV_HUGEPAGE);
}

#else

void large_pages(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

#endif
