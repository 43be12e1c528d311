/* A worker that plays with half of the simulations is found within 250 games, if one game in fifty is played again:
 * expected in 99.4 of 100 runs. */
#include "train_lies.h"
#include "train_run.h"

#include "redis_server.h"

#include <pthread.h>

enum { TRIALS = 100, FOUND = 95 };

static struct redis_server server;
static char folder[64], url[160];
static banyan_flag ended;

static void *be_lazy(void *argument)
{
    struct queue *queue = argument;
    struct queue_item *item;
    while (!banyan_flag_is_set(&ended))
        if (queue_take(queue, 100, &item, NULL) == BANYAN_OK && item)
            lie_tell(queue, item, WRONG_NOTHING, 2);
    queue_close(queue);
    return NULL;
}

/* The worker is found: the trial is over. */
static void end_trial(void *ctx, const char *text)
{
    assert_non_null(strstr(text, "is shut out"));
    banyan_flag_set(ctx);
}

/* Whether the worker is found. */
static bool trial(int number)
{
    static const char *const changes[] = {
        "loop", "generations=1,games=250,gate-games=0,test=,passes=0.001,backend=plain",
        "play", "simulations=8",
        "net",  "channels=4,blocks=1",
        NULL};
    struct banyan_error err;
    pthread_t worker;
    banyan_flag found = {0};
    struct loop_job job = run_job(folder, changes);
    snprintf(url, sizeof url, "%s?prefix=trial%d", server.url, number);
    job.queue = url;
    job.audit = 0.02;
    job.warn = end_trial;
    job.ctx = &found;
    job.stop = &found;
    banyan_flag_clear(&ended);
    assert_int_equal(pthread_create(&worker, NULL, be_lazy, liar_open(url, QUEUE_WORKER)), 0);
    enum banyan_status status = loop_run(&job, &err);
    banyan_flag_set(&ended);
    pthread_join(worker, NULL);
    remove_folder(folder);
    assert_true(status == BANYAN_OK || status == BANYAN_INTERRUPTED);
    return banyan_flag_is_set(&found);
}

static void a_lazy_worker_is_found(void **state)
{
    (void)state;
    int found = 0;
    for (int i = 0; i < TRIALS; ++i)
        found += trial(i);
    printf("found in %d of %d runs\n", found, TRIALS);
    assert_true(found >= FOUND);
}

static int stop_server(void **state)
{
    (void)state;
    redis_server_destroy(&server);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_lazy_worker_is_found)};
    snprintf(folder, sizeof folder, "/tmp/banyan_slow_audits_%ld", (long)getpid());
    if (!redis_server_begin(&server))
        return 77;
    return cmocka_run_group_tests(tests, NULL, stop_server);
}
