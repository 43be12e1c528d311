/* The page's server without a socket: recorded games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "web/folder.h"
#include "web/message.h"
#include "web/recorded.h"
#include "web_table.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* Plays a game, and saves it to a file. */
static void play_and_save(struct table *table, const char *game, const char *path)
{
    struct banyan_error err;
    sit(table, &(struct table_question){.game = game, .seats = "first\nrandom", .seed = 5});
    play_on(table);
    char *record = table_record(table, &err);
    assert_non_null(record);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(record, file) >= 0 && fclose(file) == 0);
    free(record);
}

/* The position at the end of a record is the one that was played; going back works; a name with a
 * path is refused. */
static void test_recorded(void **state)
{
    (void)state;
    char folder[] = "/tmp/banyan-web-XXXXXX", path[64];
    struct recorded recorded = {.game = NULL};
    struct table table = {.game = NULL};
    struct banyan_error err;
    json_t *shown;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/one.jsonl", folder);
    play_and_save(&table, "pig", path);

    json_t *files = recorded_files(folder), *now = table_json(&table);
    assert_int_equal(json_array_size(files), 1);
    json_decref(files);
    if (recorded_open(&recorded, folder, "one.jsonl", 0, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    static const int back_and_forth[] = {0, 3, 1};
    for (size_t i = 0; i < 3; ++i) {
        assert_int_equal(recorded_show(&recorded, back_and_forth[i], -1, &shown, &err), BANYAN_OK);
        assert_int_equal(recorded.at.ply, back_and_forth[i]);
        json_decref(shown);
    }
    assert_int_equal(recorded_show(&recorded, table.record.plies, -1, &shown, &err), BANYAN_OK);
    assert_true(json_equal(shown, json_object_get(now, "position")));
    json_decref(shown);
    json_decref(now);
    assert_int_equal(recorded_show(&recorded, table.record.plies + 1, -1, &shown, &err),
                     BANYAN_INVALID);
    json_t *all = recorded_json(&recorded);
    assert_int_equal(json_array_size(json_object_get(all, "moves")), table.record.plies);
    assert_int_equal(json_array_size(json_object_get(all, "returns")), 2);
    json_decref(all);

    static const char *const wrong[] = {"two.jsonl", "../one.jsonl", "/etc/passwd",
                                        "one",       ".jsonl",       ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        assert_int_equal(recorded_open(&recorded, folder, wrong[i], 0, &err), BANYAN_NOT_FOUND);
    assert_int_not_equal(recorded_open(&recorded, folder, "one.jsonl", 1, &err), BANYAN_OK);
    assert_int_equal(recorded_open(&recorded, NULL, "one.jsonl", 0, &err), BANYAN_NOT_FOUND);
    assert_int_equal(recorded_show(&recorded, 0, -1, &shown, &err), BANYAN_INVALID);
    recorded_close(&recorded);
    table_close(&table);
    remove(path);
    rmdir(folder);
}

/* The last position that is shown of a recorded game is the one at which it ended. */
static void test_last_position(void **state)
{
    (void)state;
    static const char *const games[] = {"othello", "mushroom", "bloodbowl-3", "pokemon"};
    char folder[] = "/tmp/banyan-web-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/one.jsonl", folder);
    for (size_t i = 0; i < sizeof games / sizeof *games; ++i) {
        struct recorded recorded = {.game = NULL};
        struct table table = {.game = NULL};
        struct banyan_error err;
        json_t *shown;
        play_and_save(&table, games[i], path);
        assert_int_equal(recorded_open(&recorded, folder, "one.jsonl", 0, &err), BANYAN_OK);
        assert_int_equal(recorded_show(&recorded, table.record.plies, -1, &shown, &err), BANYAN_OK);
        json_t *now = table_json(&table);
        assert_true(json_equal(shown, json_object_get(now, "position")));
        json_decref(now);
        json_decref(shown);
        recorded_close(&recorded);
        table_close(&table);
    }
    remove(path);
    rmdir(folder);
}

/* The last position of game number index is reached; its number of plies. */
static int play_recorded(const char *folder, const char *name, int index)
{
    struct recorded recorded = {.game = NULL};
    struct banyan_error err;
    json_t *shown;
    if (recorded_open(&recorded, folder, name, index, &err) != BANYAN_OK)
        fail_msg("%s: %s", name, err.message);
    int plies = recorded.record.plies;
    if (recorded_show(&recorded, plies, -1, &shown, &err) != BANYAN_OK)
        fail_msg("%s: %s", name, err.message);
    json_decref(shown);
    recorded_close(&recorded);
    return plies;
}

/* Games that other programs recorded: botbowl, the judge, Pokemon Showdown. */
static void test_recorded_formats(void **state)
{
    (void)state;
    char folder[] = "/tmp/banyan-web-XXXXXX", path[64];
    struct recorded recorded = {.game = NULL};
    struct banyan_error err;
    for (int game = 0; game < 17;
         ++game) /* also with set-ups that botbowl refused, and ways of its own */
        assert_in_range(play_recorded(TEST_DATA "/bloodbowl", "path.jsonl.gz", game), 10, 10000);
    assert_int_equal(recorded_open(&recorded, TEST_DATA "/bloodbowl", "path.jsonl.gz", 100, &err),
                     BANYAN_NOT_FOUND);
    assert_int_equal(
        recorded_open(&recorded, TEST_DATA "/showdown", "battle-gen8randombattle-156.log", 0, &err),
        BANYAN_OK);
    json_t *files = recorded_files(TEST_DATA "/showdown"); /* decisions belong to their logs */
    assert_int_equal(json_array_size(files), 2);
    json_decref(files);
    json_t *all = recorded_json(&recorded);
    assert_int_equal(json_array_size(json_object_get(json_object_get(all, "expected"), "values")),
                     0); /* they were made at random */
    const char *log = json_string_value(json_object_get(all, "log"));
    assert_non_null(strstr(log, "|switch|p1a: Bisharp|"));
    json_decref(all);
    recorded_close(&recorded);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/judge.log", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("INIT", file);
    for (int row = 0; row < 10; ++row)
        fputs(" 11111111111111111", file);
    assert_true(fputs("\nFIRST -1 -1 -1 -1 5\nSECOND -1 -1 -1 -1 7\nFINISH\nSCOREFIRST 0\n"
                      "SCORESECOND 0\n",
                      file) >= 0 &&
                fclose(file) == 0);
    assert_int_equal(play_recorded(folder, "judge.log", 0), 2);
    assert_int_not_equal(recorded_open(&recorded, folder, "judge.log", 1, &err), BANYAN_OK);
    remove(path);
    rmdir(folder);
}

/* Writes the log of a battle of this many lines, which are compressed, and opens it. */
static enum banyan_status open_compressed(const char *folder, int lines, struct recorded *recorded)
{
    char path[64];
    struct banyan_error err;
    snprintf(path, sizeof path, "%s/battle.jsonl.gz", folder);
    gzFile out = gzopen(path, "wb");
    assert_non_null(out);
    for (int i = 0; i < lines; ++i)
        assert_int_equal(gzputs(out, "|turn|1\n"), 8);
    assert_int_equal(gzclose(out), Z_OK);
    enum banyan_status status = recorded_open(recorded, folder, "battle.jsonl.gz", 0, &err);
    if (status != BANYAN_OK)
        assert_non_null(strstr(err.message, "more than 4194304 bytes"));
    remove(path);
    return status;
}

/* A compressed log is read as a log, if it has at most 4 MiB. */
static void test_compressed_battles(void **state)
{
    (void)state;
    char folder[] = "/tmp/banyan-web-XXXXXX";
    struct recorded recorded = {.game = NULL};
    assert_non_null(mkdtemp(folder));
    assert_int_equal(open_compressed(folder, 2, &recorded), BANYAN_OK);
    assert_string_equal(recorded.log, "|turn|1\n|turn|1\n");
    assert_int_equal(open_compressed(folder, 1 << 19, &recorded), BANYAN_OK);
    assert_int_equal(strlen(recorded.log), 4 << 20);
    assert_int_equal(open_compressed(folder, (1 << 19) + 1, &recorded), BANYAN_INVALID);
    assert_null(recorded.log);
    recorded_close(&recorded);
    rmdir(folder);
}

/* A named pipe, into which nobody writes, and a folder are no files of games. */
static void test_what_is_no_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/banyan-web-XXXXXX", fifo[64], below[64];
    struct recorded recorded = {.game = NULL};
    struct banyan_error err;
    assert_non_null(mkdtemp(folder));
    snprintf(fifo, sizeof fifo, "%s/pipe.jsonl", folder);
    snprintf(below, sizeof below, "%s/below.jsonl", folder);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(mkdir(below, 0700), 0);
    json_t *files = recorded_files(folder);
    assert_int_equal(json_array_size(files), 0);
    json_decref(files);
    assert_int_equal(recorded_open(&recorded, folder, "pipe.jsonl", 0, &err), BANYAN_NOT_FOUND);
    assert_int_equal(recorded_open(&recorded, folder, "below.jsonl", 0, &err), BANYAN_NOT_FOUND);
    remove(fifo);
    rmdir(below);
    rmdir(folder);
}

/* Of many files the newest are listed; the others can be opened all the same. */
static void test_many_files(void **state)
{
    enum { MANY = FOLDER_FILES + 10 };
    (void)state;
    char folder[] = "/tmp/banyan-web-XXXXXX", path[64];
    struct recorded recorded = {.game = NULL};
    struct banyan_error err;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < MANY; ++i) {
        snprintf(path, sizeof path, "%s/game-%03d.jsonl", folder, i);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_true(fputs("no game\n", file) >= 0 && fclose(file) == 0);
        struct timespec old[2] = {{.tv_sec = 1000 - i},
                                  {.tv_sec = 1000 - i}}; /* game-000 is the newest */
        assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    }
    json_t *files = recorded_files(folder);
    assert_int_equal(json_array_size(files), FOLDER_FILES);
    for (int i = 0; i < FOLDER_FILES; ++i) {
        snprintf(path, sizeof path, "game-%03d.jsonl", i);
        assert_string_equal(json_string_value(json_array_get(files, (size_t)i)), path);
    }
    json_decref(files);
    /* it is found, and is no game */
    snprintf(path, sizeof path, "game-%03d.jsonl", MANY - 1);
    assert_int_equal(recorded_open(&recorded, folder, path, 0, &err), BANYAN_CORRUPT);
    for (int i = 0; i < MANY; ++i) {
        snprintf(path, sizeof path, "%s/game-%03d.jsonl", folder, i);
        remove(path);
    }
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded),         cmocka_unit_test(test_last_position),
        cmocka_unit_test(test_recorded_formats), cmocka_unit_test(test_compressed_battles),
        cmocka_unit_test(test_what_is_no_file),  cmocka_unit_test(test_many_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
