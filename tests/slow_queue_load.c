/* The messages of a thousand workers: 64 processes take jobs, sleep for a tenth of a second, and
 * give results of 600 bytes.  1,000 workers whose jobs take 1.6 s send as many messages.  Every job
 * counts once.  The test prints, for docs/cluster.md, how many jobs came a second and what a job
 * cost server and owner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "queue/queue.h"
#include "redis_server.h"

#include <sys/resource.h>

enum { PROCESSES = 64, JOBS = 6400, SLEEP_MS = 100, RESULT = 600, LONG_MS = 60000 };

static struct redis_server server;
static struct queue *owner;
static struct banyan_error err;

static void open_end(struct queue **out, enum queue_role role)
{
    char url[160];
    struct queue_settings settings;
    queue_settings_default(&settings);
    settings.role = role;
    snprintf(url, sizeof url, "%s?prefix=load", server.url);
    if (queue_open(out, url, &settings, &err) != BANYAN_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
}

/* The course of a process; its exit status is 0 when the queue is over. */
static int sleep_through_jobs(void)
{
    struct queue *queue;
    struct queue_item *job;
    char bytes[RESULT] = "result";
    const struct queue_item result = {.bytes = bytes, .length = sizeof bytes};
    const struct timespec rest = {.tv_nsec = SLEEP_MS * 1000000L};
    enum banyan_status status;
    open_end(&queue, QUEUE_WORKER);
    while ((status = queue_take(queue, LONG_MS, &job, &err)) == BANYAN_OK) {
        if (!job)
            continue;
        nanosleep(&rest, NULL);
        if (queue_give(queue, job, &result, &err) != BANYAN_OK)
            break;
    }
    queue_close(queue);
    return status != BANYAN_NOT_FOUND;
}

/* Processor time of the server so far. */
static double server_cpu_s(void)
{
    char path[64], line[1024] = "";
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)server.process);
    FILE *file = fopen(path, "r");
    if (file && fgets(line, sizeof line, file) && strrchr(line, ')'))
        assert_int_equal(sscanf(strrchr(line, ')') + 1,
                                " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                                &system),
                         2);
    if (file)
        fclose(file);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

static double own_cpu_s(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* Fetches a result; whether it is the first of its job. */
static bool fetch(bool finished[])
{
    struct queue_item *result;
    assert_int_equal(queue_fetch(owner, LONG_MS, &result, &err), BANYAN_OK);
    assert_non_null(result);
    assert_int_equal(result->length, RESULT);
    bool is_new = !finished[result->number];
    finished[result->number] = true;
    assert_int_equal(queue_acknowledge_later(owner, result, &err), BANYAN_OK);
    return is_new;
}

static void a_thousand_workers_are_served(void **unused)
{
    (void)unused;
    static bool finished[JOBS];
    pid_t processes[PROCESSES];
    int status, again = 0;
    fflush(NULL);
    for (int i = 0; i < PROCESSES; ++i)
        if ((processes[i] = fork()) == 0)
            _exit(sleep_through_jobs());
    open_end(&owner, QUEUE_OWNER);
    for (uint64_t i = 0; i < JOBS; ++i)
        assert_int_equal(queue_offer(owner, &(struct queue_item){.number = i}, &err), BANYAN_OK);
    for (int i = 0; i < PROCESSES; ++i) /* now all of them are awake */
        again += !fetch(finished);
    double begun_ms = clock_now_ms(), theirs_s = server_cpu_s(), ours_s = own_cpu_s();
    for (int i = PROCESSES; i < JOBS; ++i)
        while (!fetch(finished))
            ++again;
    double seconds = (clock_now_ms() - begun_ms) / 1e3, jobs = JOBS - PROCESSES;
    printf(
        "%.0f jobs/s of %.0f; a job costs the server %.0f us, the owner %.0f us; %d came twice\n",
        jobs / seconds, 1e3 / SLEEP_MS * PROCESSES, (server_cpu_s() - theirs_s) * 1e6 / jobs,
        (own_cpu_s() - ours_s) * 1e6 / jobs, again);
    assert_int_equal(queue_end(owner, &err), BANYAN_OK);
    for (int i = 0; i < PROCESSES; ++i) {
        waitpid(processes[i], &status, 0);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    for (int i = 0; i < JOBS; ++i)
        assert_true(finished[i]);
    queue_close(owner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_thousand_workers_are_served)};
    if (!redis_server_begin(&server))
        return 77;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    redis_server_destroy(&server);
    return failed;
}
