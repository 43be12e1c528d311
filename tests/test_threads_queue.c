/* The queue: jobs and results in order, leases, workers that die, everything done at least once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "queue/queue.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_MS = 60000 }; /* a wait that something ends */

static struct banyan_error err;
static struct queue *queue;

static void begin(double lease_ms)
{
    assert_int_equal(queue_memory_open(&queue, lease_ms, &err), BANYAN_OK);
}

static int finish(void **unused)
{
    (void)unused;
    queue_close(queue);
    queue = NULL;
    return 0;
}

static void offer(uint64_t number, const char *text)
{
    const struct queue_item job = {.number = number, .bytes = text, .length = strlen(text)};
    assert_int_equal(queue_offer(queue, &job, &err), BANYAN_OK);
}

static struct queue_item *take(double wait_ms)
{
    struct queue_item *job;
    assert_int_equal(queue_take(queue, wait_ms, &job, &err), BANYAN_OK);
    return job;
}

static void give(struct queue_item *job, const char *text)
{
    const struct queue_item result = {.bytes = text, .length = strlen(text)};
    assert_int_equal(queue_give(queue, job, &result, &err), BANYAN_OK);
}

static struct queue_item *fetch(double wait_ms)
{
    struct queue_item *result;
    assert_int_equal(queue_fetch(queue, wait_ms, &result, &err), BANYAN_OK);
    return result;
}

/* The next result is that of job `number`, and has this text. */
static void expect_result(uint64_t number, const char *text)
{
    struct queue_item *result = fetch(LONG_MS);
    assert_non_null(result);
    assert_int_equal(result->number, number);
    assert_int_equal(result->length, strlen(text));
    assert_memory_equal(result->bytes, text, strlen(text));
    assert_int_equal(queue_acknowledge(queue, result, &err), BANYAN_OK);
}

static void jobs_come_in_order(void **unused)
{
    (void)unused;
    begin(LONG_MS);
    assert_null(take(0));
    offer(7, "seven");
    offer(8, "");
    offer(9, "nine");
    struct queue_item *seven = take(0), *eight = take(0);
    assert_int_equal(seven->number, 7);
    assert_memory_equal(seven->bytes, "seven", 5);
    assert_int_equal(eight->number, 8);
    assert_int_equal(eight->length, 0);
    assert_int_equal(queue_release(queue, eight, &err), BANYAN_OK);
    eight = take(0); /* before nine, which was offered later */
    assert_int_equal(eight->number, 8);
    assert_int_equal(eight->deliveries, 2);
    assert_null(fetch(0));
    give(eight, "8");
    give(seven, "7");
    expect_result(8, "8");
    expect_result(7, "7");
    assert_int_equal(take(0)->number, 9);
    assert_null(take(1));
}

/* The job of a worker that dies is taken by another; both results arrive if it was only slow. */
static void leases_end(void **unused)
{
    (void)unused;
    begin(20);
    offer(1, "one");
    struct queue_item *slow = take(0), *again = take(LONG_MS);
    assert_int_equal(again->number, 1);
    assert_memory_equal(again->bytes, "one", 3);
    assert_int_equal(again->deliveries, 2);
    assert_int_equal(queue_renew(queue, slow, &err), BANYAN_NOT_FOUND);
    give(slow, "late");
    give(again, "good");
    expect_result(1, "late");
    expect_result(1, "good");
    assert_null(take(50)); /* nothing is left to expire */
    offer(2, "two");
    slow = take(0);
    again = take(LONG_MS);
    assert_int_equal(queue_release(queue, slow, &err),
                     BANYAN_OK); /* it is no longer there to return */
    give(again, "2");
    assert_null(take(0));
    expect_result(2, "2");
}

static void renewing_keeps_a_lease(void **unused)
{
    (void)unused;
    begin(LONG_MS);
    offer(1, "one");
    struct queue_item *job = take(0);
    assert_int_equal(queue_renew(queue, job, &err), BANYAN_OK);
    assert_null(take(5));
    give(job, "1");
    expect_result(1, "1");
}

static void *wait_for_a_job(void *unused)
{
    (void)unused;
    struct queue_item *job;
    struct banyan_error own;
    return queue_take(queue, LONG_MS, &job, &own) == BANYAN_NOT_FOUND ? &err : NULL;
}

static void the_end_wakes_workers(void **unused)
{
    (void)unused;
    pthread_t threads[3];
    begin(LONG_MS);
    offer(1, "one");
    struct queue_item *job = take(0);
    for (int i = 0; i < 3; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, wait_for_a_job, NULL), 0);
    queue_end(queue);
    for (int i = 0; i < 3; ++i) {
        void *told;
        pthread_join(threads[i], &told);
        assert_non_null(told);
    }
    give(job, "1"); /* what is being done may still be delivered */
    expect_result(1, "1");
}

/* --- many workers, of whom some forget their jobs --- */

enum { MANY_JOBS = 2000, MANY_WORKERS = 6 };

static void *work(void *argument)
{
    unsigned state = (unsigned)(uintptr_t)argument;
    struct queue_item *job;
    struct banyan_error own;
    while (queue_take(queue, LONG_MS, &job, &own) == BANYAN_OK) {
        if (!job)
            continue;
        state = state * 1103515245u + 12345u;
        unsigned draw = state >> 16 & 63;
        uint64_t value = 3 * job->number + 1;
        const struct queue_item result = {.bytes = &value, .length = sizeof value};
        if (draw == 0)
            continue; /* dies with the job */
        if (draw < 4)
            queue_release(queue, job, &own);
        else
            queue_give(queue, job, &result, &own);
    }
    return NULL;
}

static void nothing_is_lost(void **unused)
{
    (void)unused;
    pthread_t threads[MANY_WORKERS];
    static bool done[MANY_JOBS];
    int left = MANY_JOBS;
    memset(done, 0, sizeof done);
    begin(30);
    for (int i = 0; i < MANY_WORKERS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)(i + 1)), 0);
    for (int i = 0; i < MANY_JOBS; ++i)
        offer((uint64_t)i, "job");
    while (left > 0) {
        struct queue_item *result = fetch(LONG_MS);
        uint64_t value;
        assert_non_null(result);
        assert_int_equal(result->length, sizeof value);
        memcpy(&value, result->bytes, sizeof value);
        assert_int_equal(value, 3 * result->number + 1);
        left -= !done[result->number];
        done[result->number] = true;
        queue_acknowledge(queue, result, &err);
    }
    queue_end(queue);
    for (int i = 0; i < MANY_WORKERS; ++i)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(jobs_come_in_order, finish),
        cmocka_unit_test_teardown(leases_end, finish),
        cmocka_unit_test_teardown(renewing_keeps_a_lease, finish),
        cmocka_unit_test_teardown(the_end_wakes_workers, finish),
        cmocka_unit_test_teardown(nothing_is_lost, finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
