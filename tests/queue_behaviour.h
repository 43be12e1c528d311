/* What every kind of queue must do: jobs and results in order, leases, workers that die, everything done at
 * least once, blobs.  A program that includes this file after cmocka.h defines begin(). */
#ifndef TESTS_QUEUE_BEHAVIOUR_H
#define TESTS_QUEUE_BEHAVIOUR_H

#include "base/clock.h"
#include "queue/queue.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LONG_MS = 60000 }; /* a wait that something ends */

static struct banyan_error err;
static struct queue *owner, *worker;   /* two ends of one queue */
static struct queue_settings settings; /* of both */

/* Opens both ends; the program that includes this file says how. */
static void begin(double lease_ms);

static void done(enum banyan_status status)
{
    if (status != BANYAN_OK)
        fail_msg("%s", err.message);
}

static void offer(uint64_t number, const char *text)
{
    const struct queue_item job = {.number = number, .bytes = text, .length = strlen(text)};
    done(queue_offer(owner, &job, &err));
}

static struct queue_item *take(double wait_ms)
{
    struct queue_item *job;
    done(queue_take(worker, wait_ms, &job, &err));
    return job;
}

static void give(struct queue_item *job, const char *text)
{
    const struct queue_item result = {.bytes = text, .length = strlen(text)};
    done(queue_give(worker, job, &result, &err));
}

static struct queue_item *fetch(double wait_ms)
{
    struct queue_item *result;
    done(queue_fetch(owner, wait_ms, &result, &err));
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
    done(queue_acknowledge(owner, result, &err));
}

static void jobs_come_in_order(void **unused)
{
    (void)unused;
    begin(LONG_MS);
    assert_null(take(0));
    offer(7, "seven");
    offer(8, "");
    struct queue_item *seven = take(0), *eight = take(0);
    assert_int_equal(seven->number, 7);
    assert_memory_equal(seven->bytes, "seven", 5);
    assert_int_equal(eight->number, 8);
    assert_int_equal(eight->length, 0);
    done(queue_release(worker, eight, &err));
    eight = take(0);
    assert_int_equal(eight->number, 8);
    assert_int_equal(eight->deliveries, 1); /* it came back undone */
    assert_null(fetch(0));
    give(eight, "8");
    give(seven, "7");
    expect_result(8, "8");
    expect_result(7, "7");
    offer(9, "nine");
    offer(10, "ten");
    assert_int_equal(take(0)->number, 9);
    assert_int_equal(take(0)->number, 10);
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
    assert_int_equal(queue_renew(worker, slow, &err), BANYAN_NOT_FOUND);
    give(slow, "late");
    give(again, "good");
    expect_result(1, "late");
    expect_result(1, "good");
    assert_null(take(50)); /* nothing is left to expire */
    offer(2, "two");
    slow = take(0);
    again = take(LONG_MS);
    done(queue_release(worker, slow, &err)); /* the job is done: nothing is returned */
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
    done(queue_renew(worker, job, &err));
    assert_null(take(5));
    give(job, "1");
    expect_result(1, "1");
}

static void *wait_for_a_job(void *unused)
{
    (void)unused;
    struct queue_item *job;
    struct banyan_error own;
    return queue_take(worker, LONG_MS, &job, &own) == BANYAN_NOT_FOUND ? &err : NULL;
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
    done(queue_end(owner, &err));
    for (int i = 0; i < 3; ++i) {
        void *told;
        pthread_join(threads[i], &told);
        assert_non_null(told);
    }
    give(job, "1"); /* the result of a job that was taken is still accepted */
    expect_result(1, "1");
}

/* A job that nobody finishes comes back to the owner. */
static void poisoned_jobs_are_given_up(void **unused)
{
    (void)unused;
    begin(20);
    offer(3, "poison");
    for (int i = 1; i <= QUEUE_DELIVERIES; ++i)
        assert_int_equal(take(LONG_MS)->deliveries, i);
    struct queue_item *result = NULL;
    while (!result) { /* workers that ask for jobs find that its lease is over */
        assert_null(take(30));
        result = fetch(0);
    }
    assert_int_equal(result->number, 3);
    assert_true(result->given_up);
    assert_int_equal(result->length, 0);
    done(queue_acknowledge(owner, result, &err));
    assert_null(take(50));
}

/* What is offered for later goes out with the next look for results, in order, unless it is withdrawn. */
static void jobs_can_be_offered_for_later(void **unused)
{
    (void)unused;
    begin(LONG_MS);
    for (uint64_t number = 0; number < 30; ++number) {
        const struct queue_item job = {.number = number, .bytes = "job", .length = 3};
        done(queue_offer_later(owner, &job, &err));
    }
    done(queue_withdraw(owner, 28, 2, &err));
    assert_null(fetch(0));
    for (uint64_t number = 0; number < 28; ++number) {
        struct queue_item *job = take(0);
        assert_non_null(job);
        assert_int_equal(job->number, number);
        give(job, "done");
        expect_result(number, "done");
    }
    assert_null(take(0));
}

/* A job that is no longer wanted is not taken, also not after a lease; its result may come. */
static void unwanted_jobs_are_withdrawn(void **unused)
{
    (void)unused;
    begin(5000); /* longer than a busy machine needs up to the wait for its end */
    for (uint64_t number = 4; number < 9; ++number)
        offer(number, "job");
    struct queue_item *four = take(0), *five = take(0);
    done(queue_withdraw(owner, 5, 3, &err));
    struct queue_item *eight = take(0);
    assert_int_equal(eight->number, 8);
    give(four, "4");
    give(eight, "8");
    assert_null(take(5500)); /* also the lease of job 5 is over */
    give(five, "5");
    expect_result(4, "4");
    expect_result(8, "8");
    expect_result(5, "5");
    assert_null(take(0));
    offer(5, "again");
    assert_int_equal(take(LONG_MS)->number, 5);
}

/* Jobs of other kinds stay for others, in whatever order they come. */
static void workers_choose_kinds(void **unused)
{
    (void)unused;
    settings.kinds = "play,tune";
    begin(LONG_MS);
    offer(1, "match 1");
    offer(2, "playing 2");
    offer(3, "play 3");
    offer(4, "tune");
    offer(5, "match 5");
    assert_int_equal(take(0)->number, 3);
    struct queue_item *tune = take(0);
    assert_int_equal(tune->number, 4);
    assert_int_equal(tune->deliveries, 1);
    assert_null(take(300));
    offer(6, "play 6");
    assert_int_equal(take(LONG_MS)->number, 6);
    struct queue_counts counts;
    done(queue_count(owner, &counts, NULL, NULL, &err));
    assert_int_equal(counts.waiting, 3);
    assert_int_equal(counts.leased, 3);
}

static void workers_wait_for_a_slow_owner(void **unused)
{
    (void)unused;
    settings.limit = 2;
    begin(LONG_MS);
    for (uint64_t i = 0; i < 4; ++i)
        offer(i, "job");
    struct queue_item *first = take(0), *second = take(0);
    give(first, "0");
    struct queue_item *third = take(0);
    assert_non_null(third);
    give(second, "1");
    assert_null(take(10)); /* two results wait */
    give(third, "2");      /* what was begun is delivered */
    expect_result(0, "0");
    assert_null(take(10));
    expect_result(1, "1");
    expect_result(2, "2");
    assert_non_null(take(LONG_MS));
}

static void modes_hold_workers(void **unused)
{
    (void)unused;
    struct queue_item *job;
    begin(LONG_MS);
    offer(1, "one");
    done(queue_set_mode(owner, QUEUE_PAUSED, &err));
    assert_null(take(10));
    done(queue_set_mode(owner, QUEUE_DRAINED, &err));
    assert_int_equal(queue_take(worker, LONG_MS, &job, &err), BANYAN_NOT_FOUND);
    done(queue_set_mode(owner, QUEUE_OPEN, &err));
    assert_int_equal(take(LONG_MS)->number, 1);
}

static void expect_blob(const char *name, const char *text)
{
    void *bytes;
    size_t length;
    done(queue_get(worker, name, &bytes, &length, &err));
    assert_int_equal(length, strlen(text));
    assert_memory_equal(bytes, text, length);
    free(bytes);
}

static void blobs_are_kept(void **unused)
{
    (void)unused;
    char hash[QUEUE_HASH + 1];
    void *bytes;
    size_t length;
    begin(LONG_MS);
    queue_hash("abc", 3, hash); /* FIPS 180-2, appendix B.1 */
    assert_string_equal(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_int_equal(queue_get(worker, hash, &bytes, &length, &err), BANYAN_NOT_FOUND);
    done(queue_put(owner, hash, "abc", 3, &err));
    done(queue_put(owner, "run", "first", 5, &err));
    done(queue_put(owner, "run", "", 0, &err));
    done(queue_put(owner, "run", "second", 6, &err));
    expect_blob(hash, "abc");
    expect_blob("run", "second");
    done(queue_drop(owner, "run", &err));
    assert_int_equal(queue_get(worker, "run", &bytes, &length, &err), BANYAN_NOT_FOUND);
    done(queue_put(owner, hash, "abd", 3, &err));
    assert_int_equal(queue_get(worker, hash, &bytes, &length, &err), BANYAN_CORRUPT);
    assert_int_equal(queue_put(owner, "../x", "", 0, &err), BANYAN_INVALID);
}

static void large_blobs_are_kept(void **unused)
{
    (void)unused;
    enum { LENGTH = (5 << 19) + 7 }; /* two and a half chunks, and a bit */
    char hash[QUEUE_HASH + 1], *bytes = malloc(LENGTH);
    void *found;
    size_t length;
    begin(LONG_MS);
    for (size_t i = 0; i < LENGTH; ++i)
        bytes[i] = (char)(i * 2654435761u >> 13);
    queue_hash(bytes, LENGTH, hash);
    done(queue_put(owner, hash, bytes, LENGTH, &err));
    done(queue_get(worker, hash, &found, &length, &err));
    assert_int_equal(length, LENGTH);
    assert_memory_equal(found, bytes, LENGTH);
    free(found);
    free(bytes);
}

/* A blob that came more than a week ago is deleted when a new one comes. */
static void expect_pruned(const char *folder, const char *old)
{
    char hash[QUEUE_HASH + 1], path[128];
    const struct timespec then = {.tv_sec = time(NULL) - 8 * 24 * 3600}, times[] = {then, then};
    assert_int_equal(utimensat(AT_FDCWD, old, times, 0), 0);
    queue_hash("def", 3, hash);
    snprintf(path, sizeof path, "%s/%s", folder, hash);
    done(queue_put(owner, hash, "def", 3, &err));
    expect_blob(hash, "def");
    assert_int_equal(access(old, F_OK), -1);
    assert_int_equal(unlink(path), 0);
}

/* Blobs that are in the machine's folder are not asked for again, unless their bytes have changed. */
static void a_cache_keeps_blobs(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/banyan-cache-XXXXXX", path[128], hash[QUEUE_HASH + 1];
    assert_non_null(mkdtemp(folder));
    settings.cache = folder;
    begin(LONG_MS);
    queue_hash("abc", 3, hash);
    snprintf(path, sizeof path, "%s/%s", folder, hash);
    done(queue_put(owner, hash, "abc", 3, &err));
    expect_blob(hash, "abc");
    done(queue_drop(owner, hash, &err));
    expect_blob(hash, "abc");
    FILE *file = fopen(path, "w");
    fputs("abx", file);
    fclose(file);
    done(queue_put(owner, hash, "abc", 3, &err));
    expect_blob(hash, "abc");
    expect_pruned(folder, path);
    snprintf(path, sizeof path, "%s/lock", folder);
    unlink(path);
    rmdir(folder);
}

static void see_worker(void *ctx, const char *name, const char *report)
{
    *(int *)ctx += strcmp(report, "7 games/s") == 0 && strlen(name) > 0;
}

static void items_are_counted(void **unused)
{
    (void)unused;
    struct queue_counts counts;
    int seen = 0;
    begin(LONG_MS);
    for (uint64_t i = 0; i < 6; ++i)
        offer(i, "job");
    take(0);
    give(take(0), "1");
    give(take(0), "2");
    struct queue_item *wrong = fetch(LONG_MS);
    assert_true(strlen(wrong->worker) > 0);
    done(queue_refuse(owner, wrong, "it has a bad checksum", &err));
    done(queue_report(worker, "7 games/s", &err));
    done(queue_count(owner, &counts, see_worker, &seen, &err));
    assert_int_equal(counts.mode, QUEUE_OPEN);
    assert_int_equal(counts.waiting, 3);
    assert_int_equal(counts.leased, 1);
    assert_int_equal(counts.given, 1);
    assert_int_equal(counts.bad, 1);
    assert_int_equal(counts.workers, 1);
    assert_int_equal(seen, 1);
    done(queue_clear(owner, &err));
    done(queue_count(owner, &counts, NULL, NULL, &err));
    assert_int_equal(counts.waiting + counts.given + counts.bad, 0);
}

/* After the next fetch at the latest the server has forgotten an acknowledged result. */
static void acknowledging_may_wait_for_a_fetch(void **unused)
{
    (void)unused;
    struct queue_counts counts;
    struct queue_item *none;
    begin(LONG_MS);
    offer(1, "job");
    give(take(1), "1");
    done(queue_acknowledge_later(owner, fetch(LONG_MS), &err));
    done(queue_fetch(owner, 0, &none, &err));
    assert_null(none);
    done(queue_count(owner, &counts, NULL, NULL, &err));
    assert_int_equal(counts.waiting + counts.leased + counts.given + counts.bad, 0);
}

/* --- many workers, of whom some forget their jobs --- */

enum { MANY_JOBS = 2000, MANY_WORKERS = 6 };

static void *work(void *argument)
{
    unsigned state = (unsigned)(uintptr_t)argument;
    struct queue_item *job;
    struct banyan_error own;
    while (queue_take(worker, LONG_MS, &job, &own) == BANYAN_OK) {
        if (!job)
            continue;
        state = state * 1103515245u + 12345u;
        unsigned draw = state >> 16 & 63;
        uint64_t value = 3 * job->number + 1;
        const struct queue_item result = {.bytes = &value, .length = sizeof value};
        if (draw == 0)
            continue; /* dies with the job */
        if (draw < 4)
            queue_release(worker, job, &own);
        else
            queue_give(worker, job, &result, &own);
    }
    return NULL;
}

static void nothing_is_lost(void **unused)
{
    (void)unused;
    pthread_t threads[MANY_WORKERS];
    static bool finished[MANY_JOBS];
    int left = MANY_JOBS;
    memset(finished, 0, sizeof finished);
    begin(30);
    for (int i = 0; i < MANY_WORKERS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)(i + 1)), 0);
    for (int i = 0; i < MANY_JOBS; ++i)
        offer((uint64_t)i, "job");
    while (left > 0) {
        struct queue_item *result = fetch(LONG_MS);
        uint64_t value;
        assert_non_null(result);
        if (result->given_up) { /* a slow machine's leases ended too often */
            offer(result->number, "job");
            done(queue_acknowledge(owner, result, &err));
            continue;
        }
        assert_int_equal(result->length, sizeof value);
        memcpy(&value, result->bytes, sizeof value);
        assert_int_equal(value, 3 * result->number + 1);
        left -= !finished[result->number];
        finished[result->number] = true;
        queue_acknowledge(owner, result, &err);
    }
    done(queue_end(owner, &err));
    for (int i = 0; i < MANY_WORKERS; ++i)
        pthread_join(threads[i], NULL);
}

static int queue_setup(void **unused)
{
    (void)unused;
    queue_settings_default(&settings);
    return 0;
}

static int queue_teardown(void **unused)
{
    (void)unused;
    queue_close(worker == owner ? NULL : worker);
    queue_close(owner);
    worker = owner = NULL;
    return 0;
}

#define QUEUE_TEST(test) cmocka_unit_test_setup_teardown(test, queue_setup, queue_teardown)
#define QUEUE_BEHAVIOUR                                                                         \
    QUEUE_TEST(jobs_come_in_order), QUEUE_TEST(leases_end), QUEUE_TEST(renewing_keeps_a_lease), \
        QUEUE_TEST(acknowledging_may_wait_for_a_fetch), QUEUE_TEST(the_end_wakes_workers),      \
        QUEUE_TEST(poisoned_jobs_are_given_up), QUEUE_TEST(jobs_can_be_offered_for_later),      \
        QUEUE_TEST(unwanted_jobs_are_withdrawn), QUEUE_TEST(workers_choose_kinds),              \
        QUEUE_TEST(workers_wait_for_a_slow_owner), QUEUE_TEST(modes_hold_workers),              \
        QUEUE_TEST(blobs_are_kept), QUEUE_TEST(large_blobs_are_kept),                           \
        QUEUE_TEST(a_cache_keeps_blobs), QUEUE_TEST(items_are_counted),                         \
        QUEUE_TEST(nothing_is_lost)

#endif
