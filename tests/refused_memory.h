/* Allocations that are refused one by one, and blocks that nobody frees.
 *
 *     work runs with its 1st, 2nd, 3rd ... allocation refused, until it needs no more of them:
 *     each time it must say BANYAN_NO_MEMORY, with a message, and must have freed all that it took
 *
 * Programs named test_memory_* are linked with --wrap (cmake/tests.cmake), so what the sources of this
 * repository allocate comes here; what other libraries allocate does not. */
#ifndef REFUSED_MEMORY_H
#define REFUSED_MEMORY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <banyan/status.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);

enum { REFUSED_BLOCKS = 1 << 16 };

static struct {
    bool counting;
    long allowed; /* number of allocations before the one that is refused; < 0: it was refused */
    int held;     /* number of blocks that work took and did not free */
    void *blocks[REFUSED_BLOCKS]; /* [held] */
} refused;

static bool refused_now(void)
{
    return refused.counting && refused.allowed-- == 0;
}

static void *refused_keep(void *block)
{
    if (refused.counting && block) {
        assert_true(refused.held < REFUSED_BLOCKS);
        refused.blocks[refused.held++] = block;
    }
    return block;
}

static void refused_forget(const void *block)
{
    for (int i = refused.held - 1; block && i >= 0; --i)
        if (refused.blocks[i] == block) {
            refused.blocks[i] = refused.blocks[--refused.held];
            return;
        }
}

void *__wrap_malloc(size_t size)
{
    return refused_now() ? NULL : refused_keep(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refused_now() ? NULL : refused_keep(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
    if (refused_now())
        return NULL;
    refused_forget(block);
    return refused_keep(__real_realloc(block, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return refused_now() ? NULL : refused_keep(__real_aligned_alloc(alignment, size));
}

char *__wrap_strdup(const char *text)
{
    return refused_now() ? NULL : refused_keep(__real_strdup(text));
}

void __wrap_free(void *block)
{
    refused_forget(block);
    __real_free(block);
}

/* Work frees all that it makes, whether it succeeds or not. */
typedef enum banyan_status refused_work(void *ctx, struct banyan_error *err);

/* Returns how many allocations work needs. */
static inline long refuse_each(refused_work *work, void *ctx, const char *what)
{
    for (long n = 0;; ++n) {
        struct banyan_error err = {.message = ""};
        refused.allowed = n;
        refused.held = 0;
        refused.counting = true;
        enum banyan_status status = work(ctx, &err);
        refused.counting = false;
        bool complete = refused.allowed >= 0;
        if (refused.held)
            fail_msg("%s, allocation %ld refused: %d blocks are not freed", what, n, refused.held);
        if (complete && status != BANYAN_OK)
            fail_msg("%s: %s", what, err.message);
        if (complete)
            return n;
        if (status != BANYAN_NO_MEMORY || !err.message[0])
            fail_msg("%s, allocation %ld refused: status %d, message '%s'", what, n, (int)status,
                     err.message);
    }
}

#endif
