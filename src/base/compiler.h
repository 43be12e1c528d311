/* Functions that need more than standard C17: each uses an extension of the compiler. */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

#include <stdint.h>

/* Number of set bits. */
static inline int bits_count64(uint64_t bits)
{
    return __builtin_popcountll(bits);
}

/* Index of the lowest set bit; bits != 0. */
static inline int bits_first64(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

/* Index of the highest set bit; bits != 0. */
static inline int bits_last64(uint64_t bits)
{
    return 63 - __builtin_clzll(bits);
}

/* Reads and writes of a byte that threads share.  The byte is a plain one, because public headers
 * hold it, and C++ does not know C17's atomic types. */
static inline void byte_store_relaxed(unsigned char *at, unsigned char value)
{
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
}

static inline unsigned char byte_load_relaxed(const unsigned char *at)
{
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

/* A lock is a word that is 0 while nobody holds it.  word_take writes value and returns the old one;
 * word_give writes value.  A thread that takes a word sees everything that the thread which gave it
 * wrote before (acquire and release). */
static inline uint32_t word_load_relaxed(const uint32_t *at)
{
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

static inline uint32_t word_take(uint32_t *at, uint32_t value)
{
    return __atomic_exchange_n(at, value, __ATOMIC_ACQUIRE);
}

static inline void word_give(uint32_t *at, uint32_t value)
{
    __atomic_store_n(at, value, __ATOMIC_RELEASE);
}

/* Reads the number of an object that another thread has made; the reader sees the object complete. */
static inline uint32_t word_load_acquire(const uint32_t *at)
{
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

/* If the word is 0, sets it to value and returns 0; otherwise returns the word. */
static inline uint32_t word_settle(uint32_t *at, uint32_t value)
{
    uint32_t is = 0;
    __atomic_compare_exchange_n(at, &is, value, 0, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE);
    return is;
}

/* Adds to a count and returns the old count.  Does not order other reads and writes. */
static inline uint32_t word_add_relaxed(uint32_t *at, uint32_t value)
{
    return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
}

/* Starts to fetch the cache line at `at`, which will be read soon. */
static inline void memory_prefetch(const void *at)
{
    __builtin_prefetch(at);
}

/* Starts to fetch the cache line at `at`, which will be written soon, from the processor that wrote it last.
 * Compilers choose x86's instruction for this only if every processor they build for has it; processors
 * that lack it do nothing. */
static inline void memory_prefetch_write(const void *at)
{
#if defined(__x86_64__)
    __asm__ volatile("prefetchw (%0)" : : "r"(at));
#else
    __builtin_prefetch(at, 1);
#endif
}

/* Tells the processor that this is a loop which waits for another thread. */
static inline void processor_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
