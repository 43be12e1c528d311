/* Allocations that are refused one by one, blocks that nobody frees, and bytes behind a block's end.
 *
 *     work runs with its 1st, 2nd, 3rd ... allocation refused, until it makes fewer allocations:
 *     each time it must say BANYAN_NO_MEMORY, with a message, and must have freed all that it took
 *
 * Behind each block lie some bytes that nobody may write: [block ........][guard].  AddressSanitizer has its own.
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

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);

#ifdef __SANITIZE_ADDRESS__
#define REFUSED_GUARD 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define REFUSED_GUARD 0
#endif
#endif
#ifndef REFUSED_GUARD
#define REFUSED_GUARD 32
#endif

enum { REFUSED_BLOCKS = 1 << 16, REFUSED_BYTE = 0xa5 };

struct refused_block {
    unsigned char *at; /* [size], then REFUSED_GUARD bytes */
    size_t size;
};

static struct {
    bool counting;
    long allowed; /* number of allocations before the one that is refused; < 0: it was refused */
    int held;     /* number of blocks that work took and did not free */
    struct refused_block blocks[REFUSED_BLOCKS]; /* [held] */
    size_t bytes, most_bytes; /* of these blocks now; at most since refused_begin() */
    bool overrun;             /* bytes behind a block were written */
    pthread_mutex_t lock;     /* of all these */
} refused = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool refused_now(void)
{
    pthread_mutex_lock(&refused.lock);
    bool now = refused.counting && refused.allowed-- == 0;
    pthread_mutex_unlock(&refused.lock);
    return now;
}

static void *refused_keep(void *block, size_t size)
{
    pthread_mutex_lock(&refused.lock);
    if (refused.counting && block) {
        assert_true(refused.held < REFUSED_BLOCKS);
        refused.blocks[refused.held++] = (struct refused_block){block, size};
        refused.bytes += size;
        refused.most_bytes =
            refused.bytes > refused.most_bytes ? refused.bytes : refused.most_bytes;
        memset((unsigned char *)block + size, REFUSED_BYTE, REFUSED_GUARD);
    }
    pthread_mutex_unlock(&refused.lock);
    return block;
}

static bool refused_is_overrun(const struct refused_block *block)
{
    for (size_t i = 0; i < REFUSED_GUARD; ++i)
        if (block->at[block->size + i] != REFUSED_BYTE)
            return true;
    return false;
}

static void refused_forget(const void *block)
{
    pthread_mutex_lock(&refused.lock);
    int i = block ? refused.held - 1 : -1;
    while (i >= 0 && refused.blocks[i].at != block)
        --i;
    if (i >= 0) {
        refused.overrun = refused.overrun || refused_is_overrun(&refused.blocks[i]);
        refused.bytes -= refused.blocks[i].size;
        refused.blocks[i] = refused.blocks[--refused.held];
    }
    pthread_mutex_unlock(&refused.lock);
}

void *__wrap_malloc(size_t size)
{
    return refused_now() ? NULL : refused_keep(__real_malloc(size + REFUSED_GUARD), size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    size_t bytes = count * size; /* nothing here is so large that this overflows */
    return refused_now() ? NULL : refused_keep(__real_calloc(1, bytes + REFUSED_GUARD), bytes);
}

void *__wrap_realloc(void *block, size_t size)
{
    if (refused_now())
        return NULL;
    refused_forget(block);
    return refused_keep(__real_realloc(block, size + REFUSED_GUARD), size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    size_t more = REFUSED_GUARD ? alignment : 0; /* sizes are multiples of the alignment */
    return refused_now() ? NULL : refused_keep(__real_aligned_alloc(alignment, size + more), size);
}

char *__wrap_strdup(const char *text)
{
    char *copy = __wrap_malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

void __wrap_free(void *block)
{
    refused_forget(block);
    __real_free(block);
}

/* Begins to count: the allocation after the next `allowed` is refused. */
static inline void refused_begin(long allowed)
{
    refused.allowed = allowed;
    refused.held = 0;
    refused.bytes = refused.most_bytes = 0;
    refused.overrun = false;
    refused.counting = true;
}

/* Work frees all that it makes, whether it succeeds or not. */
typedef enum banyan_status refused_work(void *ctx, struct banyan_error *err);

/* Returns how many allocations work needs. */
static inline long refuse_each(refused_work *work, void *ctx, const char *what)
{
    for (long n = 0;; ++n) {
        struct banyan_error err = {.message = ""};
        refused_begin(n);
        enum banyan_status status = work(ctx, &err);
        refused.counting = false;
        bool complete = refused.allowed >= 0;
        if (refused.held)
            fail_msg("%s, allocation %ld refused: %d blocks are not freed", what, n, refused.held);
        if (refused.overrun)
            fail_msg("%s, allocation %ld refused: bytes behind a block were written", what, n);
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
