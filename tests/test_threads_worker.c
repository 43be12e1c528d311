/* A run whose games are played by workers over a queue in Redis: the same bytes as without it, whoever
 * comes and goes, and whatever wrong results arrive. */
#include "train_queue.h"

#include <stdatomic.h>

/* --- the same bytes --- */

/* A run that `count` workers play equals the run in the folder `wanted`. */
static void check_workers(int count, const char *const *changes, const char *wanted)
{
    struct played played[4];
    struct loop_job job = run_job(folder, changes);
    int64_t jobs = 0;
    job.queue = url;
    for (int i = 0; i < count; ++i)
        played_start(&played[i], url, 1 + i % 2);
    done(loop_run(&job, &err));
    for (int i = 0; i < count; ++i) {
        played_join(&played[i], WORKER_OVER);
        jobs += played[i].totals.jobs;
    }
    assert_true(jobs >= 120);
    check_same_runs(wanted, folder);
}

static void one_worker_plays_all(void **state)
{
    (void)state;
    check_workers(1, small_run, embedded);
}

static void two_workers_share(void **state)
{
    (void)state;
    check_workers(2, small_run, embedded);
}

static void four_workers_share(void **state)
{
    (void)state;
    check_workers(4, small_run, embedded);
}

/* Games that are played while the network learns are the same, too. */
static void workers_play_ahead(void **state)
{
    (void)state;
    static const char *const ahead[] = {
        "loop", SMALL_RUN ",ahead=1",  "play", "simulations=10,at-once=8,threads=2,random-plies=4",
        "net",  "channels=4,blocks=1", NULL};
    char wanted[96];
    snprintf(wanted, sizeof wanted, "%s_ahead", embedded);
    done(run_changes(wanted, ahead, NULL, NULL, &err));
    check_workers(2, ahead, wanted);
    remove_folder(wanted);
}

/* --- workers who leave --- */

/* After some games the first worker is stopped, and another one comes. */
static void relieve(void *ctx, const char *what, int64_t games, int64_t total)
{
    bool *relieved = ctx;
    (void)total;
    if (*relieved || strcmp(what, "games") != 0 || games < 40)
        return;
    *relieved = true;
    banyan_flag_set(&first.stop);
    played_join(&first, WORKER_STOPPED);
    played_start(&second, url, 1);
}

/* What a worker has not finished goes back at once, not when its lease is over. */
static void a_stopped_worker_returns_its_jobs(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "loop", "generations=1,games=80,gate-games=0,test=", "net", "channels=4,blocks=1", NULL};
    bool relieved = false;
    struct loop_job job = run_job(folder, changes);
    double begun_ms = clock_now_ms();
    job.queue = url;
    job.lease_ms = 300e3;
    job.progress = relieve;
    job.ctx = &relieved;
    played_start(&first, url, 2);
    done(loop_run(&job, &err));
    assert_true(relieved);
    played_join(&second, WORKER_OVER);
    assert_true(clock_now_ms() - begun_ms < job.lease_ms);
}

/* What happens to a worker whose server dies while it plays. */
struct stranded {
    bool begun, ended_in_time;
    atomic_bool ended;
};

static void *stranded_run(void *argument)
{
    struct stranded *stranded = argument;
    played_run(&first);
    atomic_store(&stranded->ended, true);
    return NULL;
}

/* After some games the server dies.  Half a second later, when the worker has a result and waits
 * for the server, the worker is stopped; then the server comes back, and another worker. */
static void strand(void *ctx, const char *what, int64_t games, int64_t total)
{
    enum { SOON_MS = 60000 };
    struct stranded *stranded = ctx;
    (void)total;
    if (stranded->begun || strcmp(what, "games") != 0 || games < 10)
        return;
    stranded->begun = true;
    redis_server_kill(&server);
    sleep_ms(500);
    banyan_flag_set(&first.stop);
    double begun_ms = clock_now_ms();
    while (!atomic_load(&stranded->ended) && clock_now_ms() < begun_ms + SOON_MS)
        sleep_ms(5);
    stranded->ended_in_time = atomic_load(&stranded->ended);
    assert_true(redis_server_start(&server, NULL, NULL));
    played_join(&first, WORKER_STOPPED);
    played_start(&second, url, 1);
}

static void a_worker_stops_while_its_server_is_away(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "loop", "generations=1,games=40,gate-games=0,test=", "net", "channels=4,blocks=1", NULL};
    struct stranded stranded = {.begun = false};
    struct loop_job job = run_job(folder, changes);
    job.queue = url;
    job.lease_ms = 1000;
    job.progress = strand;
    job.ctx = &stranded;
    played_set(&first, url, 2);
    assert_int_equal(pthread_create(&first.thread, NULL, stranded_run, &stranded), 0);
    done(loop_run(&job, &err));
    played_join(&second, WORKER_OVER);
    assert_true(stranded.ended_in_time);
}

static void an_idle_worker_leaves(void **state)
{
    (void)state;
    played_start(&first, url, 1);
    banyan_flag_set(&first.stop);
    played_join(&first, WORKER_STOPPED);
    banyan_flag_clear(&first.stop);
    first.job.idle_exit_ms = 1;
    played_run(&first);
    assert_int_equal(first.status, BANYAN_OK);
    assert_int_equal(first.end, WORKER_IDLE);
}

/* --- wrong results --- */

/* Results that were refused. */
static int64_t bad_results(void)
{
    struct queue_counts counts;
    struct queue *visitor = liar_open(url, QUEUE_VISITOR);
    done(queue_count(visitor, &counts, NULL, NULL, &err));
    queue_close(visitor);
    return counts.bad;
}

/* Gives a result that begins with the job's line, or with another one. */
static void liar_give(struct queue *queue, struct queue_item *item, const char *line,
                      const char *rest)
{
    char text[2 * JOB_TEXT];
    int length = line ? snprintf(text, sizeof text, "%s%s", line, rest)
                      : snprintf(text, sizeof text, "%.*s%s", (int)item->length,
                                 (const char *)item->bytes, rest);
    const struct queue_item result = {.bytes = text, .length = (size_t)length};
    if (queue_give(queue, item, &result, NULL) != BANYAN_OK)
        abort();
}

/* Gives a result of a run with other settings. */
static void liar_give_stale(struct queue *queue, struct queue_item *item)
{
    struct job_play job;
    char line[JOB_TEXT];
    if (job_play_read(&job, item->bytes, item->length, NULL, NULL) != BANYAN_OK)
        abort();
    memset(job.settings, '0', JOB_HASH);
    job_play_write(&job, line);
    liar_give(queue, item, line, "\nno frame");
}

/* Gives some wrong results, then works honestly. */
static void *liar_run(void *argument)
{
    struct queue *queue = argument;
    static const char elsewhere[] =
        "play generation=1 first=0 count=1 network="
        "0000000000000000000000000000000000000000000000000000000000000000 settings="
        "0000000000000000000000000000000000000000000000000000000000000000\n";
    liar_give(queue, liar_take(queue), "garbage", "");
    liar_give(queue, liar_take(queue), NULL, "\n"); /* no games */
    liar_give(queue, liar_take(queue), NULL, "\nno frame");
    liar_give(queue, liar_take(queue), elsewhere, "no frame"); /* of another job */
    liar_give_stale(queue, liar_take(queue));
    queue_close(queue);
    played_start(&first, url, 1);
    return NULL;
}

static void wrong_results_are_played_again(void **state)
{
    (void)state;
    pthread_t liar;
    struct loop_job job = run_job(folder, small_run);
    job.queue = url;
    assert_int_equal(pthread_create(&liar, NULL, liar_run, liar_open(url, QUEUE_WORKER)), 0);
    done(loop_run(&job, &err));
    pthread_join(liar, NULL);
    played_join(&first, WORKER_OVER);
    check_same_runs(embedded, folder);
    assert_int_equal(bad_results(), 3);
}

/* --- results that are nearly right --- */

enum { LIES = 200 };

/* Tells all kinds of lies, under a new name after every third, and then works honestly. */
static void *lie_in_all_ways(void *argument)
{
    struct queue *queue = argument;
    for (int i = 0; i < LIES; ++i) {
        if (i % 3 == 2) {
            queue_close(queue);
            queue = liar_open(url, QUEUE_WORKER);
        }
        lie_tell(queue, liar_take(queue), (enum wrong)(i % WRONG_KINDS), 1);
    }
    queue_close(queue);
    played_start(&first, url, 1);
    return NULL;
}

/* What the warnings about wrong results have said. */
struct reasons {
    bool not_of_job, twice, not_legal;
    unsigned thirds; /* bits: the games that are not of their job, or there twice: number % 3 */
};

static void hear_reason(void *ctx, const char *text)
{
    struct reasons *reasons = ctx;
    bool not_of_job = strstr(text, "is not of this job"), twice = strstr(text, "is there twice");
    int number;
    if ((not_of_job || twice) && sscanf(strstr(text, ": game "), ": game %d", &number) == 1)
        reasons->thirds |= 1u << number % 3;
    reasons->not_of_job |= not_of_job;
    reasons->twice |= twice;
    reasons->not_legal |= strstr(text, ": choice 2 is not legal") != NULL;
}

static struct reasons check_lies(const char *loop_changes)
{
    const char *const changes[] = {"loop", loop_changes,          "play", "simulations=4",
                                   "net",  "channels=4,blocks=1", NULL};
    char honest[96];
    pthread_t liar;
    struct reasons reasons = {.twice = false};
    struct loop_job job = run_job(folder, changes);
    job.warn = hear_reason;
    job.ctx = &reasons;
    snprintf(honest, sizeof honest, "%s_honest", embedded);
    done(run_changes(honest, changes, NULL, NULL, &err));
    job.queue = url;
    assert_int_equal(pthread_create(&liar, NULL, lie_in_all_ways, liar_open(url, QUEUE_WORKER)), 0);
    done(loop_run(&job, &err));
    pthread_join(liar, NULL);
    played_join(&first, WORKER_OVER);
    check_same_file("learner.safetensors", honest, folder);
    assert_int_equal(bad_results(), LIES);
    assert_int_equal(count_rows(folder, "SELECT sum(refused) FROM workers"), LIES);
    remove_folder(honest);
    return reasons;
}

/* None of them counts, and each is kept with its reason, in which games and choices are counted
 * from 1.  A job has one game, or three: then the first game of a job is there twice, or of another
 * generation, or the last game has the number of the next job's first. */
static void no_wrong_result_counts(void **state)
{
    (void)state;
    struct reasons one = check_lies("generations=1,games=80,gate-games=0,test=");
    assert_true(one.not_of_job && one.not_legal && !one.twice);
    begin(NULL);
    struct reasons more = check_lies("generations=1,games=192,gate-games=0,test=");
    assert_true(more.not_of_job && more.twice);
    assert_int_equal(more.thirds, 1u << 1);
}

/* Plays two jobs with half of the simulations, then an honest worker comes. */
static void *lie_lazily(void *argument)
{
    struct queue *queue = argument;
    for (int i = 0; i < 2; ++i)
        lie_tell(queue, liar_take(queue), WRONG_NOTHING, 2);
    queue_close(queue);
    played_start(&first, url, 1);
    return NULL;
}

/* An audit finds a worker that makes too few simulations, and its results no longer count. */
static void a_lazy_worker_is_shut_out(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "loop", SMALL_RUN ",backend=plain", "play", "simulations=10,at-once=8,threads=2",
        "net",  "channels=4,blocks=1",      NULL};
    pthread_t liar;
    struct loop_job job = run_job(folder, changes);
    job.queue = url;
    job.audit = 1;
    assert_int_equal(pthread_create(&liar, NULL, lie_lazily, liar_open(url, QUEUE_WORKER)), 0);
    done(loop_run(&job, &err));
    pthread_join(liar, NULL);
    played_join(&first, WORKER_OVER);
    check_same_runs(embedded, folder);
    assert_int_equal(count_rows(folder, "SELECT count(*) FROM workers WHERE shut_out"), 1);
    assert_int_equal(count_rows(folder, "SELECT sum(refused) FROM workers"), 1);
    assert_int_equal(count_rows(folder, "SELECT sum(audited) FROM workers"), 120 + 4 * 10);
    assert_int_equal(count_rows(folder, "SELECT count(DISTINCT worker) FROM games"), 1);
}

/* --- results that come again --- */

/* Lets the lease of a job end, takes it again, and gives its result twice. */
static void *give_twice(void *argument)
{
    struct queue *one = argument, *two = liar_open(url, QUEUE_WORKER);
    struct queue_item *item = liar_take(one), *again;
    uint64_t number = item->number;
    sleep_ms(1100);
    while ((again = liar_take(two))->number != number)
        queue_release(two, again, NULL);
    lie_tell(one, item, WRONG_NOTHING, 1);
    lie_tell(two, again, WRONG_NOTHING, 1);
    queue_close(one);
    queue_close(two);
    played_start(&first, url, 1);
    return NULL;
}

static void a_result_counts_once(void **state)
{
    (void)state;
    pthread_t giver;
    struct loop_job job = run_job(folder, small_run);
    job.queue = url;
    job.lease_ms = 1000; /* long enough for those who play afterwards, on a busy machine too */
    assert_int_equal(pthread_create(&giver, NULL, give_twice, liar_open(url, QUEUE_WORKER)), 0);
    done(loop_run(&job, &err));
    pthread_join(giver, NULL);
    played_join(&first, WORKER_OVER);
    check_same_runs(embedded, folder);
    assert_true(count_rows(folder, "SELECT sum(duplicates) FROM workers") >= 1);
}

enum { MANY_JOBS = 64 }; /* of 256 games: so that each has several */

/* Writes each job twice, as it is after a server has lost everything and got it again, and lets one thread play them all. */
static void *double_all(void *argument)
{
    struct queue *visitor = argument;
    struct queue_counts counts = {.waiting = 0};
    char key[96];
    snprintf(key, sizeof key, "banyan:{%s}:jobs", strstr(url, "prefix=") + 7);
    const char *const words[] = {
        "EVAL",
        "for _, e in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do "
        "redis.call('XDEL', KEYS[1], e[1]) "
        "for i = 1, 2 do redis.call('XADD', KEYS[1], '*', unpack(e[2])) end end return 1",
        "1", key, NULL};
    while (counts.waiting < MANY_JOBS)
        if (queue_count(visitor, &counts, NULL, NULL, NULL) != BANYAN_OK)
            abort();
    if (!redis_raw(&server, words, NULL, 0))
        abort();
    queue_close(visitor);
    played_start(&first, url, 1);
    return NULL;
}

static void a_thread_may_hold_a_job_twice(void **state)
{
    (void)state;
    static const char *const changes[] = {"loop", "generations=1,games=256,gate-games=0,test=",
                                          "play", "simulations=4,at-once=32",
                                          "net",  "channels=4,blocks=1",
                                          NULL};
    char honest[96];
    pthread_t doubler;
    struct loop_job job = run_job(folder, changes);
    snprintf(honest, sizeof honest, "%s_many", embedded);
    done(run_changes(honest, changes, NULL, NULL, &err));
    job.queue = url;
    assert_int_equal(pthread_create(&doubler, NULL, double_all, liar_open(url, QUEUE_VISITOR)), 0);
    done(loop_run(&job, &err));
    pthread_join(doubler, NULL);
    played_join(&first, WORKER_OVER);
    check_same_file("learner.safetensors", honest, folder);
    assert_int_equal(bad_results(), 0);
    assert_true(count_rows(folder, "SELECT sum(duplicates) FROM workers") > 0);
    remove_folder(honest);
}

/* --- jobs that always fail --- */

static banyan_flag ended;

static void *garble_all(void *argument)
{
    struct queue *queue = argument;
    struct queue_item *item;
    while (!banyan_flag_is_set(&ended))
        if (queue_take(queue, 100, &item, NULL) == BANYAN_OK && item)
            liar_give(queue, item, "garbage", "");
    queue_close(queue);
    return NULL;
}

/* Takes jobs and gives no results, so that their leases end: like workers that crash at the job. */
static void *hold_all(void *argument)
{
    struct queue *queue = argument;
    struct queue_item *item;
    while (!banyan_flag_is_set(&ended)) {
        queue_take(queue, 100, &item, NULL);
        sleep_ms(3);
    }
    queue_close(queue);
    return NULL;
}

static void check_fails(void *(*worker)(void *), double lease_ms, const char *told)
{
    static const char *const changes[] = {"loop", "generations=1,games=1,test=", NULL};
    pthread_t thread;
    struct loop_job job = run_job(folder, changes);
    job.queue = url;
    job.lease_ms = lease_ms;
    banyan_flag_clear(&ended);
    assert_int_equal(pthread_create(&thread, NULL, worker, liar_open(url, QUEUE_WORKER)), 0);
    enum banyan_status status = loop_run(&job, &err);
    banyan_flag_set(&ended);
    pthread_join(thread, NULL);
    assert_int_equal(status, BANYAN_IO);
    if (!strstr(err.message, told))
        fail_msg("not '%s' but '%s'", told, err.message);
}

static void a_job_that_always_fails_ends_the_run(void **state)
{
    (void)state;
    check_fails(garble_all, 30000,
                "came back 5 times without a result, at last because not a line");
    begin(NULL);
    check_fails(hold_all, 1, "came back 5 times without a result, at last because the workers");
}

/* --- runs that are not for this program --- */

/* Offers one job whose settings are these, and expects that a worker refuses it. */
static void check_worker_refuses(const char *text, size_t length, const char *told)
{
    struct job_play job = {.generation = 1, .count = 1};
    char line[JOB_TEXT];
    struct queue *owner = liar_open(url, QUEUE_OWNER);
    queue_hash(text, length, job.settings);
    memcpy(job.network, job.settings, sizeof job.network);
    done(queue_put(owner, job.settings, text, length, &err));
    const struct queue_item item = {
        .number = 1, .bytes = line, .length = (size_t)job_play_write(&job, line)};
    done(queue_offer(owner, &item, &err));
    played_start(&first, url, 1);
    pthread_join(first.thread, NULL);
    assert_int_equal(first.status, BANYAN_UNSUPPORTED);
    if (!strstr(first.error.message, told))
        fail_msg("not '%s' but '%s'", told, first.error.message);
    struct queue_counts counts; /* another worker may do it */
    done(queue_count(owner, &counts, NULL, NULL, &err));
    assert_int_equal(counts.waiting, 1);
    queue_close(owner);
}

static void a_worker_refuses_what_it_should_not_do(void **state)
{
    (void)state;
    char *text;
    size_t length;
    struct loop_job job = run_job(folder, small_run);
    check_worker_refuses("program 0.0.0 1\ngame tictactoe\n", 31, "install the same version");
    snprintf(job.settings.play.teacher, sizeof job.settings.play.teacher, "exec:true");
    done(job_settings_write(job.game, &job.settings, &text, &length, &err));
    begin(NULL);
    check_worker_refuses(text, length, "--allow-exec");
    free(text);
}

/* --- */

static int make_embedded(void **state)
{
    (void)state;
    return run_changes(embedded, small_run, NULL, NULL, &err) == BANYAN_OK ? 0 : 1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(one_worker_plays_all, begin),
        cmocka_unit_test_setup(two_workers_share, begin),
        cmocka_unit_test_setup(four_workers_share, begin),
        cmocka_unit_test_setup(workers_play_ahead, begin),
        cmocka_unit_test_setup(a_stopped_worker_returns_its_jobs, begin),
        cmocka_unit_test_setup(a_worker_stops_while_its_server_is_away, begin),
        cmocka_unit_test_setup(an_idle_worker_leaves, begin),
        cmocka_unit_test_setup(wrong_results_are_played_again, begin),
        cmocka_unit_test_setup(no_wrong_result_counts, begin),
        cmocka_unit_test_setup(a_lazy_worker_is_shut_out, begin),
        cmocka_unit_test_setup(a_result_counts_once, begin),
        cmocka_unit_test_setup(a_thread_may_hold_a_job_twice, begin),
        cmocka_unit_test_setup(a_job_that_always_fails_ends_the_run, begin),
        cmocka_unit_test_setup(a_worker_refuses_what_it_should_not_do, begin),
    };
    if (!start_server("worker"))
        return 77;
    return cmocka_run_group_tests(tests, make_embedded, stop_server);
}
