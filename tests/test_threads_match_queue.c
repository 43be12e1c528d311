/* Matches and tuning by the workers of a queue in a Redis server: the same results as here, whoever plays, however
 * often results arrive, and whatever is in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/match_work.h"
#include "match/tune.h"
#include "players/program/offers.h"
#include "redis_raw.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { WORKERS = 4 };

/* What a worker does besides its work. */
enum habit {
    HONEST,
    TRIPLE,  /* delivers every result three times */
    FORGETS, /* returns every third job */
    MUTATES, /* changes one character of every second result */
    SLOW,    /* begins its fourth job when everybody else has nothing left to do */
    OTHERS,  /* every second result is that of a job of another match */
    UNFIT,   /* cannot play */
    DECLINES /* finds no settings in the queue for its first jobs */
};

struct helper {
    pthread_t thread;
    struct queue *queue;
    enum habit habit;
    int waits_for;   /* it begins when all workers have had so many jobs */
    int done, games; /* jobs that it had, and games in them */
};

static struct redis_server server;
static char url[160]; /* of the test's queue */
static int tests_begun;
static struct banyan_error err;
static const struct banyan_game *game;
static struct match_options options;
static const char *specs[2] = {"mcts:simulations=12,memory=1M", "mcts:simulations=6,memory=1M"};

static atomic_int jobs_begun; /* by all workers */
static struct helper helpers[WORKERS];
static int helper_count;

/* --- workers --- */

/* Adds the last result twice more. */
static void deliver_again(void)
{
    char key[96];
    snprintf(key, sizeof key, "banyan:{t%d}:done", tests_begun);
    const char *const words[] = {
        "EVAL",
        "local e = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1] "
        "if e then for i = 1, 2 do redis.call('XADD', KEYS[1], '*', unpack(e[2])) end end return 1",
        "1", key, NULL};
    assert_true(redis_raw(&server, words, NULL, 0));
}

static void done(enum banyan_status status, const struct banyan_error *problem)
{
    if (status != BANYAN_OK)
        fail_msg("%s", problem->message);
}

/* The right result of the job, as text; the caller frees it. */
static char *right_result(struct queue *from, const struct queue_item *job)
{
    struct queue_settings settings;
    struct queue *own;
    struct queue_item *copy, *result;
    struct banyan_error why;
    char name[QUEUE_HASH + 1];
    void *blob;
    size_t length;
    queue_settings_default(&settings);
    settings.role = QUEUE_OWNER;
    done(queue_open(&own, "memory:", &settings, &why), &why);
    snprintf(name, sizeof name, "%.64s", strstr(job->bytes, "settings\":\"") + 11);
    done(queue_get(from, name, &blob, &length, &why), &why);
    done(queue_put(own, name, blob, length, &why), &why);
    free(blob);
    done(queue_offer(own, job, &why), &why);
    done(queue_take(own, 0, &copy, &why), &why);
    struct match_work work = {.queue = own, .blobs = own, .offers = program_offers_inside};
    done(match_work(&work, copy, &why), &why);
    done(queue_fetch(own, 60000, &result, &why), &why);
    char *text = strndup(result->bytes, result->length);
    match_work_end(&work);
    queue_close(own);
    return text;
}

/* Gives a result that differs from the right one in the first action or return of its first game. */
static void give_mutated(struct helper *helper, struct queue_item *job)
{
    struct banyan_error why;
    char *text = right_result(helper->queue, job);
    bool action = helper->done % 4 == 1;
    char *at = strstr(text, action ? "\"codes\":[[\"" : "\"returns\":[");
    assert_non_null(at);
    at += 11;
    *at = action ? (*at == '9' ? '0' : '9') : *at == '-' ? ' ' : '7';
    const struct queue_item wrong = {.bytes = text, .length = strlen(text)};
    done(queue_give(helper->queue, job, &wrong, &why), &why);
    free(text);
}

/* Gives the result of a job of another match. */
static void give_other(struct helper *helper, struct queue_item *job)
{
    struct banyan_error why;
    char text[96];
    snprintf(text, sizeof text, "match %064d\n", helper->done);
    const struct queue_item other = {.bytes = text, .length = strlen(text)};
    done(queue_give(helper->queue, job, &other, &why), &why);
}

/* Gives a result that ends with this text instead of games. */
static void give_text(struct helper *helper, struct queue_item *job, const char *text)
{
    struct banyan_error why;
    char hash[QUEUE_HASH + 1], bytes[256];
    queue_hash(job->bytes, job->length, hash);
    snprintf(bytes, sizeof bytes, "match %s\n%s", hash, text);
    const struct queue_item result = {.bytes = bytes, .length = strlen(bytes)};
    done(queue_give(helper->queue, job, &result, &why), &why);
}

/* As match_work does with a job that it cannot play; it also lets others come first. */
static void give_error(struct helper *helper, struct queue_item *job)
{
    const struct timespec step = {.tv_nsec = 20 * 1000000L};
    give_text(helper, job, "error \x1b[2Jno \xff\n");
    nanosleep(&step, NULL);
}

/* Waits until there is no other job: nobody has one, and none waits. */
static void let_others_work(struct queue *queue)
{
    const struct timespec step = {.tv_nsec = 1000000};
    struct queue_counts counts;
    struct banyan_error why;
    for (int quiet = 0, begun = 0; quiet < 400;) { /* the owner may be about to offer one */
        done(queue_count(queue, &counts, NULL, NULL, &why), &why);
        bool none = counts.waiting == 0 && counts.leased <= 1 && counts.given == 0;
        quiet = none && atomic_load(&jobs_begun) == begun ? quiet + 1 : 0;
        begun = atomic_load(&jobs_begun);
        nanosleep(&step, NULL);
    }
}

static void work_once(struct helper *helper, struct match_work *work, struct queue_item *job)
{
    struct banyan_error why;
    ++helper->done;
    atomic_fetch_add(&jobs_begun, 1);
    helper->games += atoi(strstr(job->bytes, "\"games\":") + 8);
    if (helper->habit == SLOW && helper->done == 4)
        let_others_work(helper->queue);
    if (helper->habit == FORGETS && helper->done % 3 == 0)
        queue_release(helper->queue, job, NULL);
    else if (helper->habit == MUTATES && helper->done % 2)
        give_mutated(helper, job);
    else if (helper->habit == OTHERS && helper->done % 2)
        give_other(helper, job);
    else if (helper->habit == UNFIT)
        give_error(helper, job);
    else if (helper->habit == DECLINES && helper->done <= 4)
        give_text(helper, job, "");
    else
        done(match_work(work, job, &why), &why);
    if (helper->habit == TRIPLE)
        deliver_again();
}

static void *help(void *argument)
{
    struct helper *helper = argument;
    struct queue_item *job;
    struct banyan_error why;
    enum banyan_status status;
    struct match_work work = {
        .queue = helper->queue, .blobs = helper->queue, .offers = program_offers_inside};
    const struct timespec step = {.tv_nsec = 1000000L};
    while (atomic_load(&jobs_begun) < helper->waits_for)
        nanosleep(&step, NULL);
    while ((status = queue_take(helper->queue, 100, &job, &why)) == BANYAN_OK)
        if (job)
            work_once(helper, &work, job);
    if (status != BANYAN_NOT_FOUND) { /* the queue is not over */
        fprintf(stderr, "a worker failed: %s\n", why.message);
        abort();
    }
    match_work_end(&work);
    return NULL;
}

static void start_helpers(int count, enum habit habit)
{
    struct queue_settings settings;
    queue_settings_default(&settings);
    helper_count = count;
    int begun = atomic_load(&jobs_begun);
    for (int i = 0; i < count; ++i) {
        helpers[i] = (struct helper){.habit = i == 0 ? habit : HONEST};
        assert_int_equal(queue_open(&helpers[i].queue, url, &settings, &err), BANYAN_OK);
        if (habit == UNFIT) { /* the owner asks how many workers there are */
            assert_int_equal(queue_report(helpers[i].queue, "here", &err), BANYAN_OK);
            helpers[i].waits_for = i > 0 ? begun + 10 : 0;
        }
        assert_int_equal(pthread_create(&helpers[i].thread, NULL, help, &helpers[i]), 0);
    }
}

/* They end when the queue is over. */
static void join_helpers(void)
{
    for (int i = 0; i < helper_count; ++i) {
        pthread_join(helpers[i].thread, NULL);
        queue_close(helpers[i].queue);
    }
    helper_count = 0;
}

/* --- matches --- */

/* Names a new queue: workers leave one that is over. */
static void new_queue(void)
{
    snprintf(url, sizeof url, "%s?prefix=t%d", server.url, ++tests_begun);
}

static int reset(void **unused)
{
    (void)unused;
    new_queue();
    assert_int_equal(banyan_game_find("tictactoe", &game, &err), BANYAN_OK);
    match_options_default(&options);
    options.games = 60;
    options.opening_plies = 2;
    options.offers = program_offers;
    return 0;
}

static void play(struct match_result *result)
{
    if (match_run(game, specs, 2, &options, result, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
}

/* Times differ; all else that a match tells is the same. */
static void expect_equal(const struct match_result *a, const struct match_result *b)
{
    assert_int_equal(a->games, b->games);
    assert_int_equal(a->first_wins, b->first_wins);
    assert_int_equal(a->first_draws, b->first_draws);
    assert_int_equal(a->distinct_games, b->distinct_games);
    assert_int_equal(a->plies, b->plies);
    assert_memory_equal(a->pairs, b->pairs, sizeof a->pairs);
    assert_memory_equal(&a->llr, &b->llr, sizeof a->llr);
    assert_int_equal(a->sprt, b->sprt);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(a->players[i].wins, b->players[i].wins);
        assert_int_equal(a->players[i].draws, b->players[i].draws);
        assert_int_equal(a->players[i].decisions, b->players[i].decisions);
        assert_int_equal(a->players[i].simulations, b->players[i].simulations);
    }
}

/* Plays the match here and by workers. */
static void compare(int workers, enum habit habit)
{
    struct match_result here, there;
    options.queue_url = NULL;
    play(&here);
    new_queue();
    options.queue_url = url;
    start_helpers(workers, habit);
    play(&there);
    join_helpers();
    expect_equal(&here, &there);
}

static void workers_play_the_same_games(void **unused)
{
    (void)unused;
    compare(1, HONEST);
    options.games = 7; /* the last round is half */
    compare(WORKERS, HONEST);
}

/* Short games share a job, also those of a sequential test, if it cannot decide before they count. */
static void short_games_share_a_job(void **unused)
{
    (void)unused;
    options.games = 2000;
    compare(1, HONEST);
    assert_in_range(helpers[0].done, 32, 500);
    options.use_sprt = true;
    options.sprt = (struct sprt){.elo0 = 0, .elo1 = 1, .alpha = 1e-6, .beta = 1e-6};
    compare(1, HONEST);
    assert_in_range(helpers[0].done, 32, 500);
    assert_int_equal(helpers[0].games, 2000);
}

/* For each worker at most two rounds are played that do not count, even if all others wait for a
 * slow one. */
static void sprt_wastes_few_rounds(void **unused)
{
    (void)unused;
    static const int workers[] = {1, 2, WORKERS};
    options.use_sprt = true;
    options.sprt = (struct sprt){.elo0 = 0, .elo1 = 60, .alpha = 0.05, .beta = 0.05};
    options.games = 4000;
    for (int i = 0; i < 6; ++i) {
        struct match_result result;
        int count = workers[i / 2], games = 0;
        new_queue();
        options.queue_url = url;
        start_helpers(count, i % 2 && count > 1 ? SLOW : HONEST);
        play(&result);
        join_helpers();
        for (int j = 0; j < count; ++j)
            games += helpers[j].games;
        assert_int_not_equal(result.sprt, SPRT_GO_ON);
        assert_in_range(games, result.games, result.games + 2 * 2 * count);
    }
}

static void games_with_dice_are_the_same(void **unused)
{
    (void)unused;
    assert_int_equal(banyan_game_find("pig", &game, &err), BANYAN_OK);
    options.opening_plies = 0;
    options.games = 10;
    compare(2, HONEST);
}

/* The test ends after the same game, with the same likelihood ratio. */
static void sprt_decides_as_here(void **unused)
{
    (void)unused;
    static const int workers[] = {1, 2, WORKERS};
    options.use_sprt = true;
    options.sprt = (struct sprt){.elo0 = 0, .elo1 = 150, .alpha = 0.05, .beta = 0.05};
    options.games = 2000;
    for (int i = 0; i < 3; ++i) {
        options.seed = (uint64_t)(10 + i);
        compare(workers[i], HONEST);
    }
}

static void results_count_once(void **unused)
{
    (void)unused;
    compare(2, TRIPLE);
}

static void jobs_that_come_back_are_played(void **unused)
{
    (void)unused;
    compare(2, FORGETS);
}

static int64_t count_bad(void)
{
    struct queue_settings settings;
    struct queue_counts counts;
    struct queue *visitor;
    queue_settings_default(&settings);
    settings.role = QUEUE_VISITOR;
    assert_int_equal(queue_open(&visitor, url, &settings, &err), BANYAN_OK);
    assert_int_equal(queue_count(visitor, &counts, NULL, NULL, &err), BANYAN_OK);
    queue_close(visitor);
    return counts.bad;
}

static void wrong_results_are_refused(void **unused)
{
    (void)unused;
    options.games = 200;
    compare(1, MUTATES);
    assert_true(helpers[0].done >= 6);
    assert_int_equal(count_bad(), helpers[0].done / 2); /* every second one */
    compare(1, OTHERS);
    assert_int_equal(count_bad(), helpers[0].done / 2);
}

/* A worker that cannot play does not end the match of those that can. */
static void an_unfit_worker_does_no_harm(void **unused)
{
    (void)unused;
    compare(2, UNFIT);
    assert_true(helpers[0].done > 0);
}

/* A worker that cannot play ends the match if it is the only one.  Control characters and bytes
 * that are no UTF-8 do not reach the terminal. */
static void the_only_worker_is_unfit(void **unused)
{
    (void)unused;
    struct match_result result;
    options.queue_url = url;
    start_helpers(1, UNFIT);
    assert_int_equal(match_run(game, specs, 2, &options, &result, &err), BANYAN_IO);
    join_helpers();
    assert_non_null(strstr(err.message, ": ?[2Jno ?"));
}

/* Nobody is to blame for settings that the server had lost. */
static void a_result_without_games_is_not_bad(void **unused)
{
    (void)unused;
    compare(1, DECLINES);
    assert_int_equal(count_bad(), 0);
}

/* Without --allow-exec a worker returns a job with players that are programs. */
static void a_worker_starts_no_programs(void **unused)
{
    (void)unused;
    static const char job[] = "match {\"first\":0,\"games\":2,\"players\":[\"mcts\",\"exec:true\"],"
                              "\"settings\":\"00000000000000000000000000000000"
                              "00000000000000000000000000000000\"}";
    struct queue_settings settings;
    struct queue_counts counts;
    struct queue *own;
    struct queue_item *taken;
    queue_settings_default(&settings);
    settings.role = QUEUE_OWNER;
    assert_int_equal(queue_open(&own, "memory:", &settings, &err), BANYAN_OK);
    const struct queue_item offered = {.number = 1, .bytes = job, .length = sizeof job - 1};
    done(queue_offer(own, &offered, &err), &err);
    done(queue_take(own, 0, &taken, &err), &err);
    struct match_work work = {.queue = own, .blobs = own, .offers = program_offers_inside};
    assert_int_equal(match_work(&work, taken, &err), BANYAN_UNSUPPORTED);
    assert_non_null(strstr(err.message, "--allow-exec"));
    done(queue_count(own, &counts, NULL, NULL, &err), &err);
    assert_int_equal(counts.waiting, 1);
    match_work_end(&work);
    queue_close(own);
}

/* The server of a match, which dies in the middle of it. */
struct outage {
    pthread_t thread;
    bool begun;
    atomic_int lost, back; /* how often the match said so */
};

/* Starts the server when the match has said that it is lost; after a minute in any case. */
static void *start_again(void *argument)
{
    const struct outage *outage = argument;
    const struct timespec step = {.tv_nsec = 10 * 1000000L};
    for (int i = 0; i < 6000 && atomic_load(&outage->lost) == 0; ++i)
        nanosleep(&step, NULL);
    if (!redis_server_start(&server, NULL, NULL))
        abort();
    return NULL;
}

static void break_off(void *ctx, const struct match_result *result)
{
    struct outage *outage = ctx;
    (void)result;
    if (outage->begun)
        return;
    outage->begun = true;
    redis_server_kill(&server);
    assert_int_equal(pthread_create(&outage->thread, NULL, start_again, outage), 0);
}

static void count_news(void *ctx, const char *why)
{
    struct outage *outage = ctx;
    atomic_fetch_add(why ? &outage->lost : &outage->back, 1);
}

static void a_match_tells_that_its_server_is_away(void **unused)
{
    (void)unused;
    struct outage outage = {.begun = false};
    options.progress = break_off;
    options.lost = count_news;
    options.progress_ctx = &outage;
    struct match_result result;
    options.queue_url = url;
    start_helpers(2, HONEST);
    play(&result);
    join_helpers();
    pthread_join(outage.thread, NULL);
    assert_int_equal(result.games, options.games);
    assert_int_equal(atomic_load(&outage.lost), 1);
    assert_int_equal(atomic_load(&outage.back), 1);
}

static void *stop_soon(void *queue)
{
    struct queue_item *job = NULL;
    struct banyan_error problem;
    while (!job)
        if (queue_take(queue, 100, &job, &problem) != BANYAN_OK)
            return NULL;
    banyan_flag_set((banyan_flag *)(uintptr_t)options.stop);
    return NULL;
}

static void a_match_can_be_stopped(void **unused)
{
    (void)unused;
    static banyan_flag stop;
    struct match_result result;
    struct queue_settings settings;
    struct queue *queue;
    pthread_t thread;
    queue_settings_default(&settings);
    assert_int_equal(queue_open(&queue, url, &settings, &err), BANYAN_OK);
    options.queue_url = url;
    options.stop = &stop;
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, queue), 0);
    assert_int_equal(match_run(game, specs, 2, &options, &result, &err), BANYAN_INTERRUPTED);
    assert_true(result.interrupted);
    pthread_join(thread, NULL);
    queue_close(queue);
}

static enum banyan_status create_special(const struct banyan_game *of, const char *args,
                                         const struct banyan_offer *offers, uint64_t seed,
                                         struct banyan_player *out, struct banyan_error *error)
{
    return banyan_player_create(of, "random", NULL, seed, out, error);
}

/* A player that only this machine has: workers say so, and so does the match. */
static void players_that_workers_lack_are_named(void **unused)
{
    (void)unused;
    static const struct banyan_offer special[] = {
        {"special", "", "plays at random", NULL, create_special}, {0}};
    struct match_result result;
    specs[1] = "special";
    options.offers = special;
    options.queue_url = url;
    start_helpers(1, HONEST);
    assert_true(match_run(game, specs, 2, &options, &result, &err) != BANYAN_OK);
    join_helpers();
    specs[1] = "mcts:simulations=6,memory=1M";
    if (!strstr(err.message, "games 1 to 2, played by ") || !strstr(err.message, "'special'"))
        fail_msg("%s", err.message);
    assert_int_equal(result.games, 0);
}

/* --- tuning --- */

static void tuning_finds_the_same_values(void **unused)
{
    (void)unused;
    struct tune_options tuning;
    struct tune_result here, there;
    struct spsa spsa = {.count = 1,
                        .iterations = 40,
                        .params = {{.name = "exploration", .lo = 0.1, .hi = 2, .start = 1.5}}};
    tune_options_default(&tuning);
    tuning.match.opening_plies = 1;
    const char *player = "mcts:simulations=8,memory=1M";
    assert_int_equal(tune_run(game, player, &spsa, &tuning, &here, &err), BANYAN_OK);
    tuning.match.queue_url = url;
    start_helpers(2, TRIPLE);
    if (tune_run(game, player, &spsa, &tuning, &there, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    join_helpers();
    assert_memory_equal(here.values, there.values, sizeof here.values);
    assert_memory_equal(here.means, there.means, sizeof here.means);
    assert_int_equal(here.wins, there.wins);
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
        cmocka_unit_test_setup(workers_play_the_same_games, reset),
        cmocka_unit_test_setup(short_games_share_a_job, reset),
        cmocka_unit_test_setup(games_with_dice_are_the_same, reset),
        cmocka_unit_test_setup(sprt_decides_as_here, reset),
        cmocka_unit_test_setup(sprt_wastes_few_rounds, reset),
        cmocka_unit_test_setup(results_count_once, reset),
        cmocka_unit_test_setup(jobs_that_come_back_are_played, reset),
        cmocka_unit_test_setup(wrong_results_are_refused, reset),
        cmocka_unit_test_setup(an_unfit_worker_does_no_harm, reset),
        cmocka_unit_test_setup(the_only_worker_is_unfit, reset),
        cmocka_unit_test_setup(a_result_without_games_is_not_bad, reset),
        cmocka_unit_test_setup(a_worker_starts_no_programs, reset),
        cmocka_unit_test_setup(a_match_tells_that_its_server_is_away, reset),
        cmocka_unit_test_setup(a_match_can_be_stopped, reset),
        cmocka_unit_test_setup(players_that_workers_lack_are_named, reset),
        cmocka_unit_test_setup(tuning_finds_the_same_values, reset)};
    struct queue_settings settings;
    struct queue *queue;
    if (!redis_server_create(&server)) {
        puts("SKIPPED: there is no redis-server");
        return 77;
    }
    queue_settings_default(&settings);
    if (queue_open(&queue, server.url, &settings, &err) == BANYAN_UNSUPPORTED) {
        printf("SKIPPED: %s\n", err.message);
        stop_server(NULL);
        return 77;
    }
    queue_close(queue);
    return cmocka_run_group_tests(tests, NULL, stop_server);
}
