/* Owners of a queue in a Redis server, and workers, when their server dies, forgets, or gets another owner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "played.h"
#include "redis_raw.h"

#include <time.h>

static struct redis_server server;
static struct queue_settings settings;
static struct banyan_error err;
static char url[160], prefix[32];
static int tests_begun;

static void done(enum banyan_status status)
{
    if (status != BANYAN_OK)
        fail_msg("%s", err.message);
}

static void sleep_ms(int ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

/* Every test has a queue of its own. */
static int begin(void **unused)
{
    (void)unused;
    ++tests_begun;
    snprintf(prefix, sizeof prefix, "banyan:{rare%d}:", tests_begun);
    snprintf(url, sizeof url, "%s?prefix=rare%d", server.url, tests_begun);
    queue_settings_default(&settings);
    return 0;
}

static struct queue *open_end(enum queue_role role)
{
    struct queue *end;
    struct queue_settings own = settings;
    own.role = role;
    done(queue_open(&end, url, &own, &err));
    return end;
}

static void offer(struct queue *owner, uint64_t number, const char *bytes)
{
    const struct queue_item job = {.number = number, .bytes = bytes, .length = strlen(bytes)};
    done(queue_offer(owner, &job, &err));
}

/* Sends a command of up to three words, the second of which is a key of this queue. */
static void command(const char *name, const char *key, const char *more, char *answer, size_t size)
{
    char whole[96];
    snprintf(whole, sizeof whole, "%s%s", prefix, key);
    const char *const words[] = {name, whole, more, NULL};
    assert_true(redis_raw(&server, words, answer, size));
}

/* --- owners --- */

/* Acknowledgements that cannot be sent wait, and do no harm, however many they are. */
static void acknowledgements_wait_for_the_server(void **unused)
{
    (void)unused;
    enum { JOBS = 80 };
    struct queue_item *job, *results[JOBS];
    struct queue_counts counts;
    settings.patience_ms = 0;
    struct queue *owner = open_end(QUEUE_OWNER), *worker = open_end(QUEUE_WORKER);
    for (int i = 0; i < JOBS; ++i) {
        offer(owner, (uint64_t)i, "job");
        done(queue_take(worker, 60000, &job, &err));
        done(queue_give(worker, job, &(struct queue_item){.length = 0}, &err));
    }
    for (int i = 0; i < JOBS; ++i)
        done(queue_fetch(owner, 60000, &results[i], &err));
    int left = 0;
    redis_server_kill(&server);
    for (int i = 0; i < JOBS; ++i)
        if (queue_acknowledge_later(owner, results[i], &err) != BANYAN_OK && i >= 64)
            results[left++] = results[i];
    assert_in_range(left, 1, JOBS - 64);
    assert_true(redis_server_start(&server, NULL, NULL));
    while (queue_count(worker, &counts, NULL, NULL, &err) != BANYAN_OK)
        sleep_ms(5);
    for (int i = 0; i < left; ++i)
        done(queue_acknowledge(owner, results[i], &err));
    done(queue_count(worker, &counts, NULL, NULL, &err));
    assert_int_equal(counts.given, 0);
    queue_close(worker);
    queue_close(owner);
}

/* Workers hear that the queue is over, although the server has just lost what it knew of it. */
static void a_queue_that_was_lost_can_end(void **unused)
{
    (void)unused;
    struct queue_item *job;
    struct queue_counts counts;
    struct queue *owner = open_end(QUEUE_OWNER), *worker = open_end(QUEUE_WORKER);
    offer(owner, 1, "job");
    command("DEL", "run", NULL, NULL, 0);
    command("DEL", "jobs", NULL, NULL, 0);
    done(queue_end(owner, &err));
    assert_int_equal(queue_take(worker, 0, &job, &err), BANYAN_NOT_FOUND);
    redis_server_kill(&server);
    redis_server_wipe(&server);
    assert_true(redis_server_start(&server, NULL, NULL));
    done(queue_fetch(owner, 0, &job, &err)); /* writes again what was lost */
    done(queue_count(worker, &counts, NULL, NULL, &err));
    assert_int_equal(counts.mode, QUEUE_OVER);
    assert_int_equal(counts.waiting, 0);
    queue_close(worker);
    queue_close(owner);
}

/* An owner that was stopped for long learns that another one came, also if that one has left. */
static void an_owner_notices_that_another_one_was_there(void **unused)
{
    (void)unused;
    enum { STEP_MS = 3000 }; /* an owner says more often that it is there */
    struct queue_item *result;
    struct queue *sleeper = open_end(QUEUE_OWNER);
    command("DEL", "owner", NULL, NULL, 0); /* as after 10 s of silence */
    struct queue *other = open_end(QUEUE_OWNER);
    queue_close(other);
    sleep_ms(STEP_MS);
    assert_int_equal(queue_fetch(sleeper, 0, &result, &err), BANYAN_ILLEGAL);
    assert_non_null(strstr(err.message, "has become the owner of this queue"));
    queue_close(sleeper);
}

/* An owner that was silent for long goes on if no other came, and writes again what may be lost. */
static void an_owner_that_was_silent_goes_on(void **unused)
{
    (void)unused;
    enum { STEP_MS = 3000 };
    struct queue_item *item;
    struct queue *owner = open_end(QUEUE_OWNER), *worker = open_end(QUEUE_WORKER);
    offer(owner, 1, "job");
    command("DEL", "owner", NULL, NULL, 0);
    command("DEL", "jobs", NULL, NULL, 0);
    sleep_ms(STEP_MS);
    done(queue_fetch(owner, 0, &item, &err));
    done(queue_take(worker, 60000, &item, &err));
    assert_int_equal(item->number, 1);
    queue_close(worker);
    queue_close(owner);
}

static void blobs_of_an_earlier_owner_are_forgotten(void **unused)
{
    (void)unused;
    void *bytes;
    size_t length;
    struct queue *owner = open_end(QUEUE_OWNER), *worker = open_end(QUEUE_WORKER);
    done(queue_put(owner, "old", "bytes", 5, &err));
    command("SET", "new:half", "x", NULL, 0);
    queue_close(owner);
    owner = open_end(QUEUE_OWNER);
    assert_int_equal(queue_get(worker, "old", &bytes, &length, &err), BANYAN_NOT_FOUND);
    char answer[16];
    command("EXISTS", "new:half", NULL, answer, sizeof answer);
    assert_memory_equal(answer, ":0", 2);
    queue_close(worker);
    queue_close(owner);
}

static void *stop_soon(void *flag)
{
    sleep_ms(300);
    banyan_flag_set(flag);
    return NULL;
}

/* While an owner of this name is there, another one waits until it is stopped. */
static void check_waits_for(const char *name)
{
    banyan_flag stop = {0};
    pthread_t thread;
    struct queue *owner, *second;
    settings.name = name;
    owner = open_end(QUEUE_OWNER);
    settings.name = NULL;
    settings.role = QUEUE_OWNER;
    settings.stop = &stop;
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stop), 0);
    assert_int_equal(queue_open(&second, url, &settings, &err), BANYAN_INTERRUPTED);
    pthread_join(thread, NULL);
    queue_close(owner);
}

static void waiting_for_another_owner_can_be_stopped(void **unused)
{
    (void)unused;
    check_waits_for("elsewhere-1-1");
}

/* Another machine or container may have the same host name: that its process is not here does not mean that it is dead. */
static void an_owner_elsewhere_is_not_dead(void **unused)
{
    (void)unused;
    char host[33] = "", name[QUEUE_NAME + 1];
    gethostname(host, sizeof host - 1);
    snprintf(name, sizeof name, "%s-1000000000-000001", host); /* no process has this number */
    check_waits_for(name);
}

/* --- workers --- */

/* The entries of the stream of jobs, as the server writes them. */
static void read_jobs(char *out, size_t size)
{
    char key[96];
    snprintf(key, sizeof key, "%sjobs", prefix);
    const char *const words[] = {"XRANGE", key, "-", "+", NULL};
    assert_true(redis_raw(&server, words, out, size));
}

/* A worker that finds no job of its kind leaves the others where they are. */
static void jobs_of_other_kinds_stay(void **unused)
{
    (void)unused;
    char before[512], after[512];
    struct queue_item *job;
    struct queue *owner = open_end(QUEUE_OWNER), *all = open_end(QUEUE_WORKER);
    settings.kinds = "match";
    struct queue *worker = open_end(QUEUE_WORKER);
    offer(owner, 1, "play one");
    offer(owner, 2, "play two");
    read_jobs(before, sizeof before);
    done(queue_take(worker, 0, &job, &err));
    assert_null(job);
    read_jobs(after, sizeof after);
    assert_string_equal(before, after);
    offer(owner, 3, "match three");
    done(queue_take(worker, 0, &job, &err));
    assert_int_equal(job->number, 3);
    for (uint64_t i = 1; i <= 2; ++i) {
        done(queue_take(all, 0, &job, &err));
        assert_int_equal(job->number, i);
    }
    queue_close(worker);
    queue_close(all);
    queue_close(owner);
}

static void leases_are_renewed_together(void **unused)
{
    (void)unused;
    enum { JOBS = 40 };
    struct queue_item *jobs[JOBS];
    struct queue_counts counts;
    struct queue *owner = open_end(QUEUE_OWNER), *worker = open_end(QUEUE_WORKER);
    for (int i = 0; i < JOBS; ++i)
        offer(owner, (uint64_t)i, "job");
    for (int i = 0; i < JOBS; ++i)
        done(queue_take(worker, 0, &jobs[i], &err));
    sleep_ms(50);
    double begun_ms = clock_now_ms();
    done(queue_renew_all(worker, jobs, JOBS, &err));
    done(queue_count(worker, &counts, NULL, NULL, &err));
    assert_int_equal(counts.leased, JOBS);
    assert_true(counts.oldest_lease_ms <= clock_now_ms() - begun_ms + 1);
    queue_close(worker);
    queue_close(owner);
}

/* A worker that does not hear from its server does not say that it has no job. */
static void an_idle_worker_knows_that_its_server_is_away(void **unused)
{
    (void)unused;
    static struct played idle;
    struct queue_counts counts = {.workers = 0};
    struct queue *owner = open_end(QUEUE_OWNER);
    played_set(&idle, url, 1);
    idle.job.idle_exit_ms = 3000;
    played_go(&idle);
    while (counts.workers == 0)
        done(queue_count(owner, &counts, NULL, NULL, &err));
    redis_server_kill(&server);
    pthread_join(idle.thread, NULL);
    assert_int_equal(idle.status, BANYAN_IO);
    assert_non_null(strstr(idle.error.message, "no job came for a while (--idle-exit): "));
    assert_true(redis_server_start(&server, NULL, NULL));
    queue_close(owner);
}

/* --- */

static int stop_server(void **unused)
{
    (void)unused;
    redis_server_destroy(&server);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(acknowledgements_wait_for_the_server, begin),
        cmocka_unit_test_setup(a_queue_that_was_lost_can_end, begin),
        cmocka_unit_test_setup(an_owner_notices_that_another_one_was_there, begin),
        cmocka_unit_test_setup(an_owner_that_was_silent_goes_on, begin),
        cmocka_unit_test_setup(blobs_of_an_earlier_owner_are_forgotten, begin),
        cmocka_unit_test_setup(waiting_for_another_owner_can_be_stopped, begin),
        cmocka_unit_test_setup(an_owner_elsewhere_is_not_dead, begin),
        cmocka_unit_test_setup(jobs_of_other_kinds_stay, begin),
        cmocka_unit_test_setup(leases_are_renewed_together, begin),
        cmocka_unit_test_setup(an_idle_worker_knows_that_its_server_is_away, begin),
    };
    if (!redis_server_begin(&server))
        return 77;
    return cmocka_run_group_tests(tests, NULL, stop_server);
}
