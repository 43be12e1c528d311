/* A worker behind a bad link to the queue's server: cut off for a time, slow, cut again and again.  Nothing is
 * lost, others go on, and so does the worker when the link is back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "queue/queue.h"
#include "redis_raw.h"
#include "tcp_proxy.h"

#include <stdlib.h>

enum { LEASE_MS = 300, LONG_MS = 60000, JOBS = 30 };

static struct redis_server server;
static struct tcp_proxy proxy;
static struct banyan_error err;
static struct queue *owner;
static int tests_begun;
static double lease_ms = LEASE_MS;

/* A worker that does every job until the queue is over. */
struct helper {
    struct queue *queue;
    pthread_t thread;
    atomic_int begun;  /* jobs that it has taken */
    atomic_bool holds; /* it waits with the job that it has */
    atomic_bool lost;  /* it has found that its server does not answer */
};

static struct helper near, far;

static void done(enum banyan_status status, const struct banyan_error *problem)
{
    if (status != BANYAN_OK)
        fail_msg("%s", problem->message);
}

static void hear_of_loss(void *ctx, const char *why)
{
    struct helper *helper = ctx;
    atomic_store(&helper->lost, why != NULL);
}

static void open_end(struct queue **out, const char *url, const char *name, enum queue_role role)
{
    char whole[192];
    struct queue_settings settings;
    queue_settings_default(&settings);
    settings.role = role;
    settings.name = name;
    settings.lease_ms = lease_ms;
    settings.lost = hear_of_loss;
    settings.lost_ctx = strcmp(name, "far") == 0 ? &far : &near;
    snprintf(whole, sizeof whole, "%s?prefix=link%d", url, tests_begun);
    done(queue_open(out, whole, &settings, &err), &err);
}

static void *help(void *argument)
{
    struct helper *helper = argument;
    struct queue_item *job;
    struct banyan_error why;
    while (queue_take(helper->queue, LONG_MS, &job, &why) == BANYAN_OK) {
        if (!job)
            continue;
        uint64_t value = 3 * job->number + 1;
        const struct queue_item result = {.bytes = &value, .length = sizeof value};
        atomic_fetch_add(&helper->begun, 1);
        while (atomic_load(&helper->holds))
            tcp_proxy_sleep(PROXY_STEP_MS);
        done(queue_give(helper->queue, job, &result, &why), &why);
    }
    return NULL;
}

static void start(struct helper *helper, const char *url, const char *name)
{
    atomic_store(&helper->lost, false);
    open_end(&helper->queue, url, name, QUEUE_WORKER);
    atomic_store(&helper->begun, 0);
    assert_int_equal(pthread_create(&helper->thread, NULL, help, helper), 0);
}

static void join(struct helper *helper)
{
    pthread_join(helper->thread, NULL);
    queue_close(helper->queue);
}

/* A new queue with its owner and the worker behind the link. */
static void begin(void)
{
    char url[64];
    ++tests_begun;
    tcp_proxy_begin(&proxy, server.socket);
    snprintf(url, sizeof url, "redis://127.0.0.1:%d", proxy.port);
    open_end(&owner, server.url, "owner", QUEUE_OWNER);
    start(&far, url, "far");
}

static void end(void)
{
    done(queue_end(owner, &err), &err);
    join(&far);
    queue_close(owner);
    tcp_proxy_end(&proxy);
}

static void offer(uint64_t first, int count)
{
    for (int i = 0; i < count; ++i)
        done(queue_offer(owner, &(struct queue_item){.number = first + (uint64_t)i}, &err), &err);
}

/* Fetches one result, which has to be right; jobs that were given up are offered again.  Returns
 * the name of the result's worker. */
static const char *fetch(bool finished[])
{
    static char worker[QUEUE_NAME + 1];
    struct queue_item *result;
    uint64_t value = 0;
    do
        done(queue_fetch(owner, LONG_MS, &result, &err), &err);
    while (!result);
    snprintf(worker, sizeof worker, "%s", result->worker);
    if (result->given_up) {
        offer(result->number, 1);
    } else {
        assert_int_equal(result->length, sizeof value);
        memcpy(&value, result->bytes, sizeof value);
        assert_int_equal(value, 3 * result->number + 1);
        finished[result->number] = true;
    }
    done(queue_acknowledge(owner, result, &err), &err);
    return worker;
}

static void fetch_all(bool finished[], int count)
{
    for (int i = 0; i < count; ++i)
        while (!finished[i])
            fetch(finished);
}

static void wait_for(const atomic_int *count, int least)
{
    while (atomic_load(count) < least)
        tcp_proxy_sleep(PROXY_STEP_MS);
}

/* Waits until the far worker waits in the server for a job: it is the only client that does. */
static void wait_for_idle(void)
{
    char info[8192];
    const char *const words[] = {"INFO", "clients", NULL};
    do
        assert_true(redis_raw(&server, words, info, sizeof info));
    while (!strstr(info, "blocked_clients:1"));
}

/* The job of a worker that is cut off goes to another one.  When the link is back, its own result
 * comes too, and it goes on. */
static void a_worker_is_cut_off(void **unused)
{
    (void)unused;
    bool finished[JOBS + 2] = {false};
    atomic_store(&far.holds, true);
    begin();
    offer(0, 1);
    wait_for(&far.begun, 1);
    atomic_store(&proxy.down, true);
    start(&near, server.url, "near");
    offer(1, JOBS - 1);
    fetch_all(finished, JOBS); /* the near worker does every job */
    atomic_store(&far.holds, false);
    atomic_store(&proxy.down, false);
    while (strcmp(fetch(finished), "far") != 0) /* the result of the job that it held */
        ;
    atomic_store(&near.holds, true);
    offer(JOBS, 2);
    wait_for(&far.begun, 2); /* the far worker goes on */
    atomic_store(&near.holds, false);
    done(queue_end(owner, &err), &err);
    join(&near);
    end();
}

/* Whether a worker that waits for a job finds out that its link is down long before its wait in the server (15 s)
 * is over. */
static bool idle_worker_notices(void)
{
    enum { SOON_MS = 12000 };
    lease_ms = LONG_MS; /* a worker that waits also looks for leases that are over */
    begin();
    lease_ms = LEASE_MS;
    wait_for_idle();
    double begun_ms = clock_now_ms();
    atomic_store(&proxy.down, true);
    while (!atomic_load(&far.lost))
        tcp_proxy_sleep(PROXY_STEP_MS);
    bool soon = clock_now_ms() - begun_ms < SOON_MS;
    atomic_store(&proxy.down, false);
    end(); /* the worker hears that the queue is over */
    return soon;
}

/* An idle worker hears nothing, whether there is no job or its link is down.  On a busy machine it
 * may notice too late, so there are three tries. */
static void an_idle_worker_notices_a_dead_link(void **unused)
{
    (void)unused;
    assert_true(idle_worker_notices() || idle_worker_notices() || idle_worker_notices());
}

/* A blob of 100 kB at 200 kB/s comes while jobs go on; then everything takes 5 ms longer, each way. */
static void a_slow_link_is_enough(void **unused)
{
    (void)unused;
    enum { LENGTH = 100000 };
    bool finished[JOBS] = {false};
    char hash[QUEUE_HASH + 1], *bytes = calloc(1, LENGTH);
    struct queue *reader;
    char url[64];
    void *found;
    size_t length;
    begin();
    snprintf(url, sizeof url, "redis://127.0.0.1:%d", proxy.port);
    open_end(&reader, url, "reader", QUEUE_WORKER);
    queue_hash(bytes, LENGTH, hash);
    done(queue_put(owner, hash, bytes, LENGTH, &err), &err);
    atomic_store(&proxy.bytes_ms, 200);
    offer(0, JOBS / 2);
    done(queue_get(reader, hash, &found, &length, &err), &err);
    assert_int_equal(length, LENGTH);
    assert_memory_equal(found, bytes, LENGTH);
    atomic_store(&proxy.delay_ms, 5);
    offer(JOBS / 2, JOBS - JOBS / 2);
    fetch_all(finished, JOBS);
    free(found);
    free(bytes);
    queue_close(reader);
    end();
}

/* Every so many pieces of data a connection is cut; all jobs are done in spite of it. */
static void fetch_over_breaks(int cut_every)
{
    bool finished[3 * JOBS] = {false};
    begin();
    atomic_store(&proxy.cut_every, cut_every);
    offer(0, 3 * JOBS);
    fetch_all(finished, 3 * JOBS);
    atomic_store(&proxy.cut_every, 0);
    end();
}

static void a_link_that_breaks_loses_nothing(void **unused)
{
    (void)unused;
    fetch_over_breaks(20);
}

/* If the answer with a job is lost, the worker gets the job again before its lease is over. */
static void a_job_that_did_not_arrive_comes_again(void **unused)
{
    (void)unused;
    lease_ms = 60 * 60e3;
    fetch_over_breaks(7);
    lease_ms = LEASE_MS;
}

static int stop_server(void **unused)
{
    (void)unused;
    redis_server_destroy(&server);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_is_cut_off), cmocka_unit_test(an_idle_worker_notices_a_dead_link),
        cmocka_unit_test(a_slow_link_is_enough), cmocka_unit_test(a_link_that_breaks_loses_nothing),
        cmocka_unit_test(a_job_that_did_not_arrive_comes_again)};
    struct queue_settings settings;
    if (!redis_server_create(&server)) {
        puts("SKIPPED: there is no redis-server");
        return 77;
    }
    queue_settings_default(&settings);
    if (queue_open(&owner, server.url, &settings, &err) == BANYAN_UNSUPPORTED) {
        printf("SKIPPED: %s\n", err.message);
        stop_server(NULL);
        return 77;
    }
    queue_close(owner);
    return cmocka_run_group_tests(tests, NULL, stop_server);
}
