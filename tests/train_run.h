/* A small run of training, and whether two runs have the same games and networks. */
#ifndef TESTS_TRAIN_RUN_H
#define TESTS_TRAIN_RUN_H

#include "train/loop.h"

#include "nn_check.h"

#include <sqlite3.h>
#include <stdio.h>
#include <time.h>

static inline const struct banyan_game *game_called(const char *name)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    return game;
}

static inline void remove_folder(const char *path)
{
    char command[160];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

static inline void keep_last(void *ctx, const struct loop_generation *generation)
{
    if (ctx)
        *(struct loop_generation *)ctx = *generation;
}

/* A run of tic-tac-toe with these changes of its settings. */
static inline struct loop_job run_job(const char *path, const char *const *changes)
{
    struct loop_job job = {
        .game = game_called("tictactoe"), .folder = path, .changes = changes, .lease_ms = 30000};
    assert_int_equal(loop_settings_default(job.game, &job.settings, NULL), BANYAN_OK);
    return job;
}

static inline enum banyan_status run_changes(const char *path, const char *const *changes,
                                             const banyan_flag *stop, struct loop_generation *last,
                                             struct banyan_error *err)
{
    struct loop_job job = run_job(path, changes);
    job.stop = stop;
    job.report = keep_last;
    job.ctx = last;
    return loop_run(&job, err);
}

#define SMALL_RUN                                                                                 \
    "generations=4,games=30,passes=4,batch=32,window=300,gate-games=10,gate-simulations=4,test=," \
    "seed=3"

static const char *const small_run[] = {
    "loop", SMALL_RUN, "play", "simulations=10,at-once=8,threads=2", "net", "channels=4,blocks=1",
    NULL};

static inline void sleep_ms(unsigned ms)
{
    struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};
    nanosleep(&time, NULL);
}

static inline int64_t count_rows(const char *path, const char *sql)
{
    char file[96];
    sqlite3 *db;
    sqlite3_stmt *statement;
    snprintf(file, sizeof file, "%s/run.db", path);
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t count = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return count;
}

static inline void check_same_file(const char *name, const char *one, const char *two)
{
    char command[256];
    snprintf(command, sizeof command, "cmp '%s/%s' '%s/%s'", one, name, two, name);
    assert_int_equal(system(command), 0);
}

/* The games of a generation, each as bytes; returns their number. */
static inline int read_games(const char *path, int generation, unsigned char *games[30],
                             size_t sizes[30])
{
    char file[112];
    struct record_reader *reader;
    struct record record = {.start = NULL};
    int count = 0;
    snprintf(file, sizeof file, "%s/records/g%05d.rec", path, generation);
    assert_int_equal(record_reader_open(&reader, file, "tictactoe", NULL), BANYAN_OK);
    for (; record_reader_next(reader, &record); ++count) {
        assert_true(record.number < 30 && !games[record.number]);
        assert_int_equal(record_pack(&record, &games[record.number], &sizes[record.number], NULL),
                         BANYAN_OK);
    }
    record_free(&record);
    record_reader_close(reader);
    return count;
}

static inline void check_same_games(const char *one, const char *two, int generations)
{
    for (int generation = 1; generation <= generations; ++generation) {
        unsigned char *a[30] = {NULL}, *b[30] = {NULL};
        size_t m[30], n[30];
        assert_int_equal(read_games(one, generation, a, m), 30);
        assert_int_equal(read_games(two, generation, b, n), 30);
        for (int i = 0; i < 30; ++i) {
            assert_int_equal(m[i], n[i]);
            assert_memory_equal(a[i], b[i], m[i]);
            free(a[i]);
            free(b[i]);
        }
    }
}

/* Two runs of so many generations of small_run's 30 games have the same games and networks. */
static inline void check_same_runs_of(int generations, const char *one, const char *two)
{
    assert_int_equal(count_rows(two, "SELECT count(*) FROM games"), 30 * generations);
    assert_int_equal(count_rows(two, "SELECT count(*) FROM generations"), generations);
    check_same_file("best.safetensors", one, two);
    check_same_file("learner.safetensors", one, two);
    check_same_games(one, two, generations);
}

/* Two runs of small_run have the same games and networks. */
static inline void check_same_runs(const char *one, const char *two)
{
    check_same_runs_of(4, one, two);
}

#endif
