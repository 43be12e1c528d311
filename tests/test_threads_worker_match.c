/* Gates and tests of a run by the workers of its queue: the same results as here; and an owner who serves the queue
 * while it learns, or plays itself. */
#include "train_queue.h"

#include "match/match_work.h"
#include "players/program/offers.h"

static char cache[80];

#define MATCH_RUN \
    SMALL_RUN ",backend=plain,test=random|first,test-games=6,test-every=2,test-stop=off"

static const char *const match_run_settings[] = {
    "loop", MATCH_RUN, "play", "simulations=10,at-once=8,threads=2", "net", "channels=4,blocks=1",
    NULL};

/* Gates and tests have the same results, too. */
static void check_same_matches(void)
{
    static const char *const sums[] = {
        "SELECT sum(generation * (1000 * gate_games + round(1000 * gate_score) + 7 * published)) "
        "FROM generations",
        "SELECT sum(generation * (100 * games + losses + round(1000 * score))) FROM exams"};
    check_same_runs(embedded, folder);
    for (int i = 0; i < 2; ++i) {
        int64_t wanted = count_rows(embedded, sums[i]);
        assert_true(wanted > 0);
        assert_int_equal(count_rows(folder, sums[i]), wanted);
    }
}

/* One worker plays nothing but games of self-play, and one nothing but matches. */
static void workers_play_gates_and_tests(void **state)
{
    (void)state;
    struct loop_job job = run_job(folder, match_run_settings);
    job.queue = url;
    job.audit = 1;
    played_set(&first, url, 1);
    first.job.kinds = "play";
    played_go(&first);
    played_set(&second, url, 2);
    second.job.kinds = "match";
    played_go(&second);
    done(loop_run(&job, &err));
    played_join(&first, WORKER_OVER);
    played_join(&second, WORKER_OVER);
    assert_int_equal(first.totals.jobs, 120);
    assert_in_range(second.totals.jobs, 4 + 2 * 2,
                    4 * 5 + 2 * 2 * 3); /* four gates, two tests of two */
    assert_int_equal(count_rows(folder, "SELECT sum(audited) FROM workers"), 120 + 4 * 10);
    check_same_matches();
}

/* A sequential gate ends with the same round; what is left of it is not played. */
static void a_sequential_gate_is_the_same(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "loop",
        "generations=2,games=20,gate-games=400,gate-elo0=-300,gate-elo1=300,test=,backend=plain",
        "play",
        "simulations=4",
        "net",
        "channels=4,blocks=1",
        NULL};
    char here[80];
    struct loop_job job = run_job(folder, changes);
    snprintf(here, sizeof here, "%.60s_here", folder);
    done(run_changes(here, changes, NULL, NULL, &err));
    job.queue = url;
    played_start(&first, url, 2);
    done(loop_run(&job, &err));
    played_join(&first, WORKER_OVER);
    const char *const games = "SELECT sum(gate_games * generation) FROM generations";
    assert_true(count_rows(here, games) < 3 * 400);
    assert_int_equal(count_rows(folder, games), count_rows(here, games));
    check_same_file("best.safetensors", here, folder);
    remove_folder(here);
}

/* --- wrong games of gates --- */

/* The next job of a gate, of a queue with a cache for its networks. */
static struct queue *liar_of_gates(struct queue_item **job)
{
    struct queue *queue;
    struct queue_settings settings;
    queue_settings_default(&settings);
    settings.kinds = "match";
    settings.cache = cache;
    if (queue_open(&queue, url, &settings, NULL) != BANYAN_OK)
        abort();
    *job = liar_take(queue);
    return queue;
}

/* Gives the result of playing the job with fewer simulations. */
static void gate_give_lazy(struct queue *queue, struct queue_item *job)
{
    char text[4096], head[QUEUE_HASH + 1], *at;
    struct queue *own;
    struct queue_settings settings;
    struct queue_item *copy, *result;
    struct banyan_error why;
    snprintf(text, sizeof text, "%.*s", (int)job->length, (const char *)job->bytes);
    while ((at = strstr(text, "simulations=4")) != NULL)
        at[12] = '1';
    const struct queue_item lazy = {.number = 1, .bytes = text, .length = job->length};
    queue_settings_default(&settings);
    settings.role = QUEUE_OWNER;
    struct match_work work = {.blobs = queue, .offers = program_offers_inside};
    if (queue_open(&own, "memory:", &settings, NULL) != BANYAN_OK ||
        queue_offer(own, &lazy, NULL) != BANYAN_OK || queue_take(own, 0, &copy, NULL) != BANYAN_OK)
        abort();
    work.queue = own;
    if (match_work(&work, copy, &why) != BANYAN_OK ||
        queue_fetch(own, 60000, &result, NULL) != BANYAN_OK)
        abort();
    queue_hash(job->bytes, job->length, head);
    char *bytes = malloc(result->length);
    memcpy(bytes, result->bytes, result->length);
    memcpy(bytes + 6, head, QUEUE_HASH); /* behind "match " */
    const struct queue_item given = {.bytes = bytes, .length = result->length};
    if (queue_give(queue, job, &given, NULL) != BANYAN_OK)
        abort();
    free(bytes);
    match_work_end(&work);
    queue_close(own);
}

/* One worker gives a result without games, another one the result of a search with too few
 * simulations; then an honest worker comes. */
static void *lie_about_gates(void *argument)
{
    struct queue_item *job;
    struct queue *queue = liar_of_gates(&job);
    const struct queue_item garbage = {.bytes = "match", .length = 5};
    (void)argument;
    if (queue_give(queue, job, &garbage, NULL) != BANYAN_OK)
        abort();
    queue_close(queue);
    queue = liar_of_gates(&job);
    gate_give_lazy(queue, job);
    queue_close(queue);
    played_start(&first, url, 1);
    return NULL;
}

static void wrong_games_of_a_gate_do_not_count(void **state)
{
    (void)state;
    pthread_t liar;
    struct loop_job job = run_job(folder, match_run_settings);
    job.queue = url;
    job.audit = 1;
    played_set(&second, url, 1);
    second.job.kinds = "play";
    played_go(&second);
    assert_int_equal(pthread_create(&liar, NULL, lie_about_gates, NULL), 0);
    done(loop_run(&job, &err));
    pthread_join(liar, NULL);
    played_join(&first, WORKER_OVER);
    played_join(&second, WORKER_OVER);
    check_same_matches();
    assert_int_equal(count_rows(folder, "SELECT sum(refused) FROM workers"), 2);
    assert_int_equal(count_rows(folder, "SELECT sum(audited) FROM workers"), 120 + 4 * 10);
    assert_int_equal(count_rows(folder, "SELECT count(*) FROM workers WHERE shut_out"), 1);
}

/* --- the owner --- */

/* What has been seen of a run that learns while others play. */
struct watched {
    bool learns, stored;
};

/* Learning begins when a result of the next generation waits: it must be stored before the gate. */
static void watch(void *ctx, const char *what, int64_t games, int64_t total)
{
    struct watched *watched = ctx;
    struct queue_counts counts = {.given = 0};
    (void)games;
    (void)total;
    if (watched->stored)
        return;
    if (strcmp(what, "steps") == 0 && !watched->learns) {
        struct queue *visitor = liar_open(url, QUEUE_VISITOR);
        while (counts.given == 0)
            done(queue_count(visitor, &counts, NULL, NULL, &err));
        queue_close(visitor);
        watched->learns = true;
    } else if (watched->learns) {
        assert_string_equal(what, "games");
        watched->stored = true;
    }
}

static void the_owner_serves_the_queue_while_it_learns(void **state)
{
    (void)state;
    static const char *const ahead[] = {
        "loop", SMALL_RUN ",ahead=1",  "play", "simulations=10,at-once=8,threads=2",
        "net",  "channels=4,blocks=1", NULL};
    struct watched watched = {.learns = false};
    struct loop_job job = run_job(folder, ahead);
    job.queue = url;
    job.progress = watch;
    job.ctx = &watched;
    played_start(&first, url, 1);
    done(loop_run(&job, &err));
    played_join(&first, WORKER_OVER);
    assert_true(watched.stored);
}

static void the_owner_can_play_too(void **state)
{
    (void)state;
    struct loop_job job = run_job(folder, match_run_settings);
    job.queue = url;
    job.local = 2;
    done(loop_run(&job, &err));
    check_same_matches();
    assert_int_equal(count_rows(folder, "SELECT count(DISTINCT worker) FROM games"), 1);
}

/* --- the owner's own threads --- */

static banyan_flag stop; /* ends a run that would never end */

/* Adds a job of a kind that no worker knows. */
static void add_odd_job(void)
{
    char key[96];
    snprintf(key, sizeof key, "banyan:{%s}:jobs", strstr(url, "prefix=") + 7);
    const char *const words[] = {"XADD", key, "*", "n", "1", "b", "odd job", NULL};
    assert_true(redis_raw(&server, words, NULL, 0));
}

/* When the gate begins there is a job that no worker knows. */
static void spoil_gate(void *ctx, const char *what, int64_t games, int64_t total)
{
    bool *spoilt = ctx;
    (void)games;
    (void)total;
    if (strcmp(what, "gate") != 0 || *spoilt)
        return;
    *spoilt = true;
    add_odd_job();
}

static void *stop_late(void *unused)
{
    (void)unused;
    for (int i = 0; i < 3000 && !banyan_flag_is_set(&stop); ++i)
        sleep_ms(100);
    banyan_flag_set(&stop);
    return NULL;
}

/* The owner of a gate notices that its threads have failed. */
static void a_gate_ends_when_the_owners_threads_fail(void **state)
{
    (void)state;
    bool spoilt = false;
    pthread_t thread;
    struct loop_job job = run_job(folder, match_run_settings);
    job.queue = url;
    job.local = 1;
    job.progress = spoil_gate;
    job.ctx = &spoilt;
    job.stop = &stop;
    banyan_flag_clear(&stop);
    assert_int_equal(pthread_create(&thread, NULL, stop_late, NULL), 0);
    enum banyan_status status = loop_run(&job, &err);
    banyan_flag_set(&stop);
    pthread_join(thread, NULL);
    assert_int_equal(status, BANYAN_UNSUPPORTED);
    assert_non_null(strstr(err.message, "is of a kind that this program does not know"));
}

/* After some games the queue is drained until the owner's threads have nothing left. */
static void drain_and_resume(void *ctx, const char *what, int64_t games, int64_t total)
{
    bool *resumed = ctx;
    struct queue_counts counts = {.leased = 1};
    (void)total;
    if (strcmp(what, "games") != 0 || games < 5 || *resumed)
        return;
    *resumed = true;
    struct queue *visitor = liar_open(url, QUEUE_VISITOR);
    done(queue_set_mode(visitor, QUEUE_DRAINED, &err));
    while (counts.leased > 0)
        done(queue_count(visitor, &counts, NULL, NULL, &err));
    sleep_ms(500);
    done(queue_set_mode(visitor, QUEUE_OPEN, &err));
    queue_close(visitor);
}

static void the_owner_plays_again_after_a_drain(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "loop", "generations=1,games=40,gate-games=0,test=", "net", "channels=4,blocks=1", NULL};
    bool resumed = false;
    pthread_t thread;
    struct loop_job job = run_job(folder, changes);
    job.queue = url;
    job.local = 1;
    job.progress = drain_and_resume;
    job.ctx = &resumed;
    job.stop = &stop;
    banyan_flag_clear(&stop);
    assert_int_equal(pthread_create(&thread, NULL, stop_late, NULL), 0);
    enum banyan_status status = loop_run(&job, &err);
    banyan_flag_set(&stop);
    pthread_join(thread, NULL);
    done(status);
    assert_true(resumed);
}

/* One worker does one job, another one the others. */
static void *relieve(void *unused)
{
    (void)unused;
    played_set(&first, url, 2);
    first.job.once = true;
    played_run(&first);
    played_start(&second, url, 1);
    return NULL;
}

static void a_worker_can_end_after_one_job(void **state)
{
    (void)state;
    pthread_t thread;
    struct loop_job job = run_job(folder, match_run_settings);
    job.queue = url;
    assert_int_equal(pthread_create(&thread, NULL, relieve, NULL), 0);
    done(loop_run(&job, &err));
    pthread_join(thread, NULL);
    played_join(&second, WORKER_OVER);
    assert_int_equal(first.status, BANYAN_OK);
    assert_int_equal(first.end, WORKER_ONCE);
    assert_int_equal(first.totals.jobs, 1);
    check_same_matches();
}

/* --- more than there is room for --- */

static void too_much_is_refused(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "loop",
        "generations=1,test=random|random|random|random|random|random|random|random|random|random|"
        "random|random|random|random|random|random",
        NULL};
    struct loop_job job = run_job(folder, changes);
    assert_int_equal(loop_run(&job, &err), BANYAN_INVALID);
    assert_string_equal(err.message, "test: more than 15 opponents");
    assert_int_equal(loop_settings_parse(&job.settings, "loop", "games=1000001", &err),
                     BANYAN_INVALID);
}

/* --- */

static int end(void **state)
{
    remove_folder(cache);
    return stop_server(state);
}

static int make_embedded(void **state)
{
    (void)state;
    return run_changes(embedded, match_run_settings, NULL, NULL, &err) == BANYAN_OK ? 0 : 1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(workers_play_gates_and_tests, begin),
        cmocka_unit_test_setup(a_sequential_gate_is_the_same, begin),
        cmocka_unit_test_setup(wrong_games_of_a_gate_do_not_count, begin),
        cmocka_unit_test_setup(the_owner_serves_the_queue_while_it_learns, begin),
        cmocka_unit_test_setup(the_owner_can_play_too, begin),
        cmocka_unit_test_setup(a_gate_ends_when_the_owners_threads_fail, begin),
        cmocka_unit_test_setup(the_owner_plays_again_after_a_drain, begin),
        cmocka_unit_test_setup(a_worker_can_end_after_one_job, begin),
        cmocka_unit_test_setup(too_much_is_refused, begin),
    };
    if (!start_server("gates"))
        return 77;
    snprintf(cache, sizeof cache, "%s_cache", folder);
    return cmocka_run_group_tests(tests, make_embedded, end);
}
