/* Large pages are a wish: whatever the address and the size, memory keeps what it holds. */
#include "base/large_pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { BYTES = 5 << 20 };

static unsigned char byte_at(size_t i)
{
    return (unsigned char)(i * 2654435761u >> 16);
}

static void memory_keeps_what_it_holds(void **unused)
{
    (void)unused;
    static const size_t starts[] = {0, 1, 4095, 4096, 4097, 1 << 21, BYTES - 1, BYTES};
    unsigned char *memory = malloc(BYTES);
    assert_non_null(memory);
    for (size_t i = 0; i < BYTES; ++i)
        memory[i] = byte_at(i);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
        large_pages(memory + starts[i], 0);
        large_pages(memory + starts[i], BYTES - starts[i]);
    }
    for (size_t i = 0; i < BYTES; ++i)
        if (memory[i] != byte_at(i))
            fail_msg("byte %zu has changed", i);
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_keeps_what_it_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
