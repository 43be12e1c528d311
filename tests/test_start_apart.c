/* Threads that start on another processor, and may use all of them afterwards. */
#define _GNU_SOURCE
#include "base/start_apart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int here;         /* the processor on which the caller is said to run */
static int wishes;       /* how often the processors of the thread were set */
static cpu_set_t set[2]; /* to which ones */

/* In place of those of the C library, which the library under test would call. */
int sched_getcpu(void)
{
    return here;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *cpus)
{
    int (*real)(pthread_t, size_t, const cpu_set_t *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_setaffinity_np");
    assert_true(wishes < 2);
    set[wishes++] = *cpus;
    return real(thread, size, cpus);
}

static pthread_mutex_t moved = PTHREAD_MUTEX_INITIALIZER;

static void *see(void *argument)
{
    pthread_mutex_lock(&moved); /* start_apart has returned */
    sched_getaffinity(0, sizeof(cpu_set_t), argument);
    pthread_mutex_unlock(&moved);
    return argument;
}

/* Starts a thread; returns the processors that it may use. */
static cpu_set_t see_thread(void)
{
    cpu_set_t allowed;
    pthread_t thread;
    void *result = NULL;
    CPU_ZERO(&allowed);
    wishes = 0;
    pthread_mutex_lock(&moved);
    assert_true(start_apart(&thread, see, &allowed));
    pthread_mutex_unlock(&moved);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &allowed);
    return allowed;
}

static void test_starts_elsewhere(void **unused)
{
    (void)unused;
    cpu_set_t all;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    if (CPU_COUNT(&all) < 2) {
        printf("SKIPPED: there is one processor only\n");
        skip();
    }
    for (here = 0; here < CPU_SETSIZE; ++here) {
        if (!CPU_ISSET((size_t)here, &all))
            continue;
        cpu_set_t allowed = see_thread(), others = all;
        CPU_CLR((size_t)here, &others);
        assert_true(CPU_EQUAL(&allowed, &all));
        assert_int_equal(wishes, 2);
        assert_true(CPU_EQUAL(&set[0], &others));
    }
}

/* Where there is no other processor, or the system does not name the caller's, the thread starts all the same. */
static void test_nowhere_else(void **unused)
{
    (void)unused;
    cpu_set_t all, pinned, allowed;
    unsigned cpu = 0;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    here = -1;
    allowed = see_thread();
    assert_true(CPU_EQUAL(&allowed, &all));
    assert_int_equal(syscall(SYS_getcpu, &cpu, NULL, NULL), 0);
    here = (int)cpu;
    CPU_ZERO(&pinned);
    CPU_SET((size_t)cpu, &pinned);
    assert_int_equal(sched_setaffinity(0, sizeof pinned, &pinned), 0);
    allowed = see_thread();
    assert_true(CPU_EQUAL(&allowed, &pinned));
    assert_int_equal(wishes, 0);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts_elsewhere),
        cmocka_unit_test(test_nowhere_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
