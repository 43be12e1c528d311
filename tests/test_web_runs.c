/* Runs of training as a page sees them: curves of the database, cut to what can be shown, while the run goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "match/elo.h"
#include "train/database.h"
#include "web/runs.h"
#include "web/session.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GENERATIONS = 1000, PAGE_BYTES = 200000, BUNDLE_BYTES = 81920 };

static struct banyan_error err;
static char base[] = "/tmp/banyan-runs-XXXXXX", folders[2][64];
static struct sources sources;
static struct runs runs;
static struct train_database *db;
static struct loop_generation rows[6000];

static void path_in(char *out, int folder, const char *name)
{
    snprintf(out, 128, "%.63s/%.40s", folders[folder], name);
}

static void remove_run(int folder)
{
    char path[128];
    static const char *const names[] = {"run.db", "run.db-wal", "run.db-shm", "options", "lock"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        path_in(path, folder, names[i]);
        unlink(path);
    }
    rmdir(folders[folder]);
}

static void open_db(int folder)
{
    char path[128];
    path_in(path, folder, "run.db");
    if (train_database_open(&db, path, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
}

static int begin(void **unused)
{
    (void)unused;
    memcpy(base + strlen(base) - 6, "XXXXXX", 6);
    assert_non_null(mkdtemp(base));
    sources = (struct sources){.run_count = 0};
    for (int i = 0; i < 2; ++i) {
        char path[128];
        snprintf(folders[i], sizeof folders[i], "%s/%s", base, i ? "other" : "one");
        assert_int_equal(mkdir(folders[i], 0700), 0);
        assert_true(sources_add_run(&sources, folders[i]));
        path_in(path, i, "options");
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_true(fputs("game othello\nloop generations=9\n", file) >= 0 && fclose(file) == 0);
    }
    runs_begin(&runs, &sources);
    open_db(0);
    return 0;
}

static int end(void **unused)
{
    (void)unused;
    train_database_close(db);
    runs_end(&runs);
    remove_run(0);
    remove_run(1);
    rmdir(base);
    return 0;
}

/* Adds generations whose numbers have all their digits. */
static void add_generations(int first, int last)
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, (uint64_t)first);
    assert_int_equal(train_database_begin(db, &err), BANYAN_OK);
    for (int i = first; i <= last; ++i) {
        struct loop_generation *g = &rows[i];
        *g = (struct loop_generation){.generation = i, .games = 200, .gate_games = 40};
        g->learned.policy = 2 + banyan_rng_unit(&rng);
        g->learned.entropy = 1.5 + banyan_rng_unit(&rng);
        g->learned.value = banyan_rng_unit(&rng);
        g->held.positions = 100;
        g->held.policy = 2 + banyan_rng_unit(&rng);
        g->held.value = banyan_rng_unit(&rng);
        g->gate_score = banyan_rng_unit(&rng);
        g->published = g->gate_score > 0.5;
        g->elo = 1000 * banyan_rng_unit(&rng);
        g->play_s = 10 * banyan_rng_unit(&rng);
        g->learn_s = 10 * banyan_rng_unit(&rng);
        assert_int_equal(train_database_add_generation(db, TRAIN_DATABASE_GENERATIONS, g, &err),
                         BANYAN_OK);
    }
    assert_int_equal(train_database_commit(db, &err), BANYAN_OK);
}

static void add_test(int64_t generation, const char *opponent, double score)
{
    struct train_database_test test = {
        .generation = generation, .games = 100, .losses = 3, .score = score};
    snprintf(test.opponent, sizeof test.opponent, "%s", opponent);
    assert_int_equal(train_database_add_test(db, &test, &err), BANYAN_OK);
}

/* The first of the runs, with its curves. */
static json_t *curves_of(unsigned which)
{
    runs_changed(&runs, which);
    json_t *all = runs_json(&runs, which);
    assert_string_equal(json_string_value(json_object_get(all, "problem")), "");
    json_t *one = json_incref(json_array_get(json_object_get(all, "runs"), 0));
    json_decref(all);
    return one;
}

static double point(const json_t *run, const char *column, size_t i)
{
    const json_t *curves = json_object_get(run, "curves");
    return json_number_value(json_array_get(json_object_get(curves, column), i));
}

static void same(double shown, double stored)
{
    assert_true(fabs(shown - stored) <= 5.01e-5 * fabs(stored)); /* five digits */
}

/* Twenty points drawn at random are those of the database, and the message with all points is small
 * enough. */
static void test_curves(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    add_generations(1, GENERATIONS);
    for (int i = 10; i <= GENERATIONS; i += 10) {
        add_test(i, "random", 0.9);
        add_test(i, "mcts:simulations=1000", i / 1000.0);
    }
    json_t *run = curves_of(1);
    banyan_rng_seed(&rng, 5);
    for (int i = 0; i < 20; ++i) {
        int at = (int)banyan_rng_below(&rng, GENERATIONS);
        const struct loop_generation *g = &rows[at + 1];
        assert_int_equal(point(run, "generation", (size_t)at), g->generation);
        same(point(run, "policy", (size_t)at), g->learned.policy);
        same(point(run, "value", (size_t)at), g->learned.value);
        same(point(run, "held_policy", (size_t)at), g->held.policy);
        same(point(run, "elo", (size_t)at), g->elo);
        same(point(run, "gate_score", (size_t)at), g->gate_score);
        same(point(run, "play_s", (size_t)at), g->play_s);
        assert_int_equal(point(run, "published", (size_t)at), g->published);
    }
    assert_null(json_object_get(json_object_get(run, "curves"), "owner")); /* only zeros */
    char *text = json_dumps(run, JSON_COMPACT | JSON_REAL_PRECISION(9));
    assert_non_null(text);
    if (strlen(text) + BUNDLE_BYTES > PAGE_BYTES)
        fail_msg("the run has %d bytes", (int)strlen(text));
    free(text);
    json_decref(run);
}

/* A long run is shown by some of its points; when it grows, the points that were shown stay. */
static void test_long_run(void **unused)
{
    (void)unused;
    add_generations(1, 5000);
    json_t *before = curves_of(1);
    const json_t *shown = json_object_get(json_object_get(before, "curves"), "generation");
    size_t count = json_array_size(shown);
    assert_in_range(count, RUNS_POINTS / 2, RUNS_POINTS);
    assert_int_equal(point(before, "generation", 0), 1);
    assert_int_equal(point(before, "generation", count - 1), 5000);
    add_generations(5001, 5002);
    json_t *after = curves_of(1);
    for (size_t i = 0; i + 1 < count; ++i)
        assert_int_equal(point(after, "generation", i), point(before, "generation", i));
    json_decref(before);
    json_decref(after);
}

static void test_tests(void **unused)
{
    (void)unused;
    double lo, hi;
    add_generations(1, 3);
    add_test(1, "random", 0.5);
    add_test(3, "random", 0.75);
    json_t *run = curves_of(1);
    const json_t *tests = json_object_get(json_object_get(run, "tests"), "random");
    assert_int_equal(json_array_size(tests), 2);
    const json_t *last = json_array_get(tests, 1);
    elo_wilson(75, 100, ELO_Z95, &lo, &hi);
    assert_int_equal(json_integer_value(json_array_get(last, 0)), 3);
    same(json_number_value(json_array_get(last, 2)), 0.75);
    same(json_number_value(json_array_get(last, 3)), lo);
    same(json_number_value(json_array_get(last, 4)), hi);
    json_decref(run);
}

static void test_list(void **unused)
{
    (void)unused;
    runs_changed(&runs, ~0u);
    assert_false(runs_changed(&runs, ~0u));
    add_generations(1, 2);
    add_test(2, "random", 0.75);
    struct record record = {.generation = 3, .number = 4, .choice_count = 60, .returns = {1, -1}};
    assert_int_equal(train_database_add_game(db, &record, "records/g00003.rec", NULL, &err),
                     BANYAN_OK);
    struct loop_generation now = {.generation = 3, .games = 17};
    assert_int_equal(train_database_add_generation(db, TRAIN_DATABASE_PROGRESS, &now, &err),
                     BANYAN_OK);
    assert_true(runs_changed(&runs, 1));
    json_t *list = runs_list_json(&runs);
    const json_t *first = json_array_get(json_object_get(list, "runs"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "name")), "one");
    assert_string_equal(json_string_value(json_object_get(first, "game")), "othello");
    assert_int_equal(json_integer_value(json_object_get(first, "generations")), 2);
    assert_int_equal(json_integer_value(json_object_get(first, "games")), 400);
    const json_t *second = json_array_get(json_object_get(list, "runs"), 1); /* has no file yet */
    assert_int_equal(json_integer_value(json_object_get(second, "generations")), 0);
    json_decref(list);
    json_t *run = curves_of(1);
    const json_t *game = json_array_get(json_object_get(run, "last"), 0);
    assert_int_equal(json_integer_value(json_object_get(game, "number")), 5);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(run, "progress"), "games")),
                     17);
    json_decref(run);
}

/* A run is running while a process holds its lock, and no longer. */
static void test_running(void **unused)
{
    (void)unused;
    char path[128], byte;
    int ready[2], done[2];
    path_in(path, 0, "lock");
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(done), 0);
    assert_false(loop_is_running(folders[0]));
    pid_t child = fork();
    if (child == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 18, .l_len = 1};
        int file = open(path, O_RDWR | O_CREAT, 0600);
        close(done[1]);
        _exit(fcntl(file, F_SETLK, &lock) == 0 && write(ready[1], "r", 1) == 1 &&
                      read(done[0], &byte, 1) == 0
                  ? 0
                  : 1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_true(loop_is_running(folders[0]));
    assert_true(runs_changed(&runs, 1));
    close(done[1]);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_false(loop_is_running(folders[0]));
    close(done[0]);
    close(ready[0]);
    close(ready[1]);
}

static void test_names(void **unused)
{
    (void)unused;
    int length;
    struct sources named = {.run_count = 0};
    assert_true(sources_add_run(&named, "runs/a/"));
    assert_true(sources_add_run(&named, "b"));
    assert_false(sources_add_run(&named, "others/a"));
    assert_int_equal(sources_find_run(&named, "a", 1), 0);
    assert_int_equal(sources_find_run(&named, "b", 1), 1);
    assert_int_equal(sources_find_run(&named, "runs", 4), -1);
    assert_int_equal(sources_find_run(&named, "", 0), -1);
    assert_int_equal(memcmp(sources_run_name(&named, 0, &length), "a", 1), 0);
    assert_int_equal(length, 1);
}

/* A file that is no run's database is told, and the run that takes its place is shown, without a name if a pipe
 * stands where its options should be. */
static void test_strange_files(void **unused)
{
    (void)unused;
    char path[128];
    path_in(path, 1, "run.db");
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 5000; ++i)
        putc(i * 7 % 251, file);
    fclose(file);
    runs_changed(&runs, 2);
    json_decref(runs_json(&runs, 2));
    unlink(path);
    train_database_close(db);
    open_db(1);
    add_generations(1, 4);
    path_in(path, 1, "options");
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(20); /* reading a pipe would not end */
    json_t *run = curves_of(2);
    alarm(0);
    assert_int_equal(json_integer_value(json_object_get(run, "generations")), 4);
    json_decref(run);
}

static json_t *hear(struct outbox *outbox)
{
    struct outbox_text *text = outbox_take(outbox);
    json_t *value = text ? json_loadb(text->bytes + OUTBOX_ROOM, text->length, 0, NULL) : NULL;
    free(text);
    return value;
}

static void heard(struct session *session, const char *request, const char *answer,
                  const char *topic)
{
    struct message message;
    if (message_parse(request, strlen(request), &message, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    session_handle(session, &message);
    message_free(&message);
    const char *const wanted[] = {answer, topic};
    for (int i = 0; i < 2 && wanted[i]; ++i) {
        json_t *value = hear(session->outbox);
        assert_string_equal(json_string_value(json_object_get(value, "t")), wanted[i]);
        json_decref(value);
    }
}

static void test_page(void **unused)
{
    (void)unused;
    struct outbox outbox;
    struct session session;
    outbox_init(&outbox, NULL, NULL);
    session_init(&session, &outbox, &sources);
    add_generations(1, 2);
    heard(&session, "{\"t\":\"runs\",\"id\":1}", "ok", "runs");
    heard(&session, "{\"t\":\"train\",\"id\":2,\"runs\":\"one\"}", "ok", "train");
    heard(&session, "{\"t\":\"train\",\"id\":3,\"runs\":\"one\\nother\"}", "ok", "train");
    heard(&session, "{\"t\":\"train\",\"id\":4,\"runs\":\"one\\n../other\"}", "error", NULL);
    heard(&session, "{\"t\":\"leave\",\"id\":5}", "ok", NULL);
    session_free(&session);
    outbox_free(&outbox);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_curves),  TEST(test_long_run), TEST(test_tests),         TEST(test_list),
        TEST(test_running), TEST(test_names),    TEST(test_strange_files), TEST(test_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
