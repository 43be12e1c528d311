/* The queue in a Redis server: what every queue does; a server that dies, and one that forgets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "queue_behaviour.h"
#include "redis_server.h"

static struct redis_server server;

static int tests_begun; /* every test has a queue of its own */

static struct queue *open_end(enum queue_role role)
{
    char url[160];
    struct queue *end;
    struct queue_settings own = settings;
    own.role = role;
    snprintf(url, sizeof url, "%s?prefix=test%d", server.url, tests_begun);
    done(queue_open(&end, url, &own, &err));
    return end;
}

static void begin(double lease_ms)
{
    settings.lease_ms = lease_ms;
    ++tests_begun;
    owner = open_end(QUEUE_OWNER);
    worker = open_end(QUEUE_WORKER);
}

/* What the server has written survives, and clients connect again. */
static void a_killed_server_loses_nothing(void **unused)
{
    (void)unused;
    begin(LONG_MS);
    offer(1, "one");
    offer(2, "two");
    offer(3, "three");
    struct queue_item *one = take(LONG_MS), *two = take(LONG_MS);
    give(one, "1");
    redis_server_kill(&server);
    assert_true(redis_server_start(&server, NULL, NULL));
    done(queue_renew(worker, two, &err));
    give(two, "2");
    give(take(LONG_MS), "3");
    expect_result(1, "1");
    expect_result(2, "2");
    expect_result(3, "3");
    assert_null(take(0));
    assert_null(fetch(0));
}

/* Counts what is said about a lost server in [0], about one that is back in [1]. */
static void count_news(void *ctx, const char *why)
{
    int *news = ctx;
    ++news[why == NULL];
}

static void a_lost_server_is_told_once(void **unused)
{
    (void)unused;
    int news[2] = {0};
    settings.lost = count_news;
    settings.lost_ctx = news;
    settings.patience_ms = 2000;
    begin(LONG_MS);
    redis_server_kill(&server);
    assert_int_equal(queue_report(worker, "here", &err), BANYAN_IO);
    assert_int_equal(queue_report(worker, "here", &err), BANYAN_IO);
    assert_int_equal(news[0], 1);
    assert_int_equal(news[1], 0);
    assert_true(redis_server_start(&server, NULL, NULL));
    while (queue_report(worker, "here", &err) != BANYAN_OK) /* a busy machine has less patience */
        ;
    assert_int_equal(news[0], 1);
    assert_int_equal(news[1], 1);
}

static void a_wiped_server_is_written_again(void **unused)
{
    (void)unused;
    begin(LONG_MS);
    done(queue_put(owner, "run", "settings", 8, &err));
    for (uint64_t i = 1; i <= 3; ++i)
        offer(i, "job");
    struct queue_item *one = take(LONG_MS), *two = take(LONG_MS);
    give(one, "1");
    expect_result(1, "1");
    redis_server_kill(&server);
    redis_server_wipe(&server);
    assert_true(redis_server_start(&server, NULL, NULL));
    give(two, "2"); /* the job's entry in Redis is lost, its result arrives */
    expect_result(2, "2");
    expect_blob("run", "settings");
    struct queue_item *three = take(LONG_MS);
    while (three->number == 2) { /* the owner wrote the job again before it read the result */
        give(three, "again");
        three = take(LONG_MS);
    }
    assert_int_equal(three->number, 3);
    give(three, "3");
    struct queue_item *result = fetch(LONG_MS);
    while (result->number == 2) {
        done(queue_acknowledge(owner, result, &err));
        result = fetch(LONG_MS);
    }
    assert_int_equal(result->number, 3);
}

/* Results that an owner had not acknowledged come to the next owner, which may open the queue at
 * once. */
static void an_owner_goes_on(void **unused)
{
    (void)unused;
    begin(LONG_MS);
    offer(1, "one");
    offer(2, "two");
    offer(3, "three");
    give(take(LONG_MS), "1");
    give(take(LONG_MS), "2");
    assert_non_null(fetch(LONG_MS)); /* read, but never acknowledged */
    queue_close(owner);
    owner = open_end(QUEUE_OWNER);
    expect_result(1, "1");
    expect_result(2, "2");
    assert_null(take(0)); /* it has not offered job 3 again */
    offer(3, "three");
    assert_int_equal(take(LONG_MS)->number, 3);
}

/* Says in one line what is wrong, and soon. */
static void expect_refused(const char *url, const char *told)
{
    double begun_ms = clock_now_ms();
    assert_true(queue_open(&owner, url, &settings, &err) != BANYAN_OK);
    assert_null(owner);
    if (!strstr(err.message, told))
        fail_msg("not '%s' but '%s'", told, err.message);
    assert_null(strchr(err.message, '\n'));
    assert_true(clock_now_ms() - begun_ms < LONG_MS);
}

static void wrong_urls_are_refused(void **unused)
{
    (void)unused;
    expect_refused("redis:/x", "an unknown scheme");
    expect_refused("redis://", "a wrong HOST:PORT");
    expect_refused("redis://h:66000", "a wrong HOST:PORT");
    expect_refused("redis://h:", "a wrong HOST:PORT");
    expect_refused("redis://[::1]x", "a wrong HOST:PORT");
    expect_refused("redis://a:b%4@h", "a wrong user or password");
    expect_refused("redis://h/x", "a database is a number");
    expect_refused("redis://h?x=1", "only ?prefix=NAME");
    expect_refused("redis://h?prefix=a/b", "a prefix is of letters");
    expect_refused("redis+unix://?prefix=x", "no path");
    expect_refused("rediss://h", "stunnel");
    expect_refused("redis+unix:///nowhere/socket", "start one (`make redis`");
}

/* Starts the server with an option that it should not have. */
static void expect_server_refused(const char *name, const char *value, const char *told)
{
    redis_server_kill(&server);
    assert_true(redis_server_start(&server, name, value));
    expect_refused(server.url, told);
}

static void wrong_servers_are_refused(void **unused)
{
    (void)unused;
    expect_server_refused("--requirepass", "secret", "wants a password: BANYAN_REDIS_PASSWORD");
    setenv("BANYAN_REDIS_PASSWORD", "wrong", 1);
    expect_refused(server.url, "refuses the password");
    setenv("BANYAN_REDIS_PASSWORD", "secret", 1);
    done(queue_open(&owner, server.url, &settings, &err));
    unsetenv("BANYAN_REDIS_PASSWORD");
    queue_close(owner);
    owner = NULL;
    expect_server_refused("--maxmemory-policy", "allkeys-lru", "maxmemory-policy noeviction");
}

static int stop_server(void **unused)
{
    (void)unused;
    redis_server_destroy(&server);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {QUEUE_BEHAVIOUR,
                                       QUEUE_TEST(a_killed_server_loses_nothing),
                                       QUEUE_TEST(a_lost_server_is_told_once),
                                       QUEUE_TEST(a_wiped_server_is_written_again),
                                       QUEUE_TEST(an_owner_goes_on),
                                       QUEUE_TEST(wrong_urls_are_refused),
                                       QUEUE_TEST(wrong_servers_are_refused)};
    if (!redis_server_begin(&server))
        return 77;
    queue_settings_default(&settings);
    return cmocka_run_group_tests(tests, NULL, stop_server);
}
