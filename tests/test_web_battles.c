/* The page's view of a bot's battles: what the files of its decisions say, and no other files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "web/battles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char recorded[] = TEST_DATA "/battles";
static const char room[] = "battle-gen8randombattle-156";

static json_t *read_decisions(const char *folder, int64_t first)
{
    struct banyan_error err;
    json_t *out;
    if (battles_decisions(folder, room, first, &out, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return out;
}

/* A line of the file as it is. */
static json_t *line_of(int number)
{
    char path[512], *line = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s.jsonl", recorded, room);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int i = 0; i <= number; ++i)
        assert_true(getline(&line, &size, file) > 0);
    fclose(file);
    json_t *out = json_loads(line, 0, NULL);
    free(line);
    assert_non_null(out);
    return out;
}

static json_t *table_of(const json_t *decision)
{
    return json_object_get(json_object_get(decision, "detail"), "table");
}

/* Every table is that of the file, and every action has words; attacks tell their damage. */
static void test_tables_are_those_of_the_file(void **state)
{
    (void)state;
    json_t *decisions = read_decisions(recorded, 0);
    int damages = 0;
    assert_int_equal(json_array_size(decisions), 3);
    for (size_t i = 0; i < 3; ++i) {
        json_t *line = line_of((int)i), *table = table_of(json_array_get(decisions, i));
        assert_int_equal(json_array_size(table), json_array_size(table_of(line)));
        assert_true(json_array_size(table) > 3);
        for (size_t k = 0; k < json_array_size(table); ++k) {
            json_t *row = json_array_get(table, k);
            const char *note = json_string_value(json_object_get(row, "note"));
            assert_true(*json_string_value(json_object_get(row, "words")));
            damages += strstr(note, "damage ") != NULL;
            json_object_del(row, "words");
            json_object_del(row, "note");
            assert_true(json_equal(row, json_array_get(table_of(line), k)));
        }
        assert_true(json_is_object(json_object_get(json_array_get(decisions, i), "cards")));
        assert_null(json_object_get(json_array_get(decisions, i), "request"));
        json_decref(line);
    }
    assert_true(damages > 3);
    json_decref(decisions);
    decisions = read_decisions(recorded, 2);
    assert_int_equal(json_array_size(decisions), 1);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(decisions, 0), "number")),
                     2);
    json_decref(decisions);
}

static void test_list(void **state)
{
    (void)state;
    json_t *list = battles_list(recorded);
    assert_int_equal(json_array_size(list), 1);
    const json_t *row = json_array_get(list, 0);
    assert_string_equal(json_string_value(json_object_get(row, "room")), room);
    assert_int_equal(json_integer_value(json_object_get(row, "decisions")), 3);
    assert_int_equal(json_integer_value(json_object_get(row, "turn")), 3);
    json_decref(list);
    list = battles_list(NULL);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    list = battles_list("nowhere");
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
}

/* What the bot expected, in the order of its decisions. */
static void test_expected(void **state)
{
    (void)state;
    json_t *expected = battles_expected(recorded, room);
    const json_t *values = json_object_get(expected, "values");
    assert_string_equal(json_string_value(json_object_get(expected, "who")), "carl2");
    assert_int_equal(json_array_size(values), 3);
    for (int i = 0; i < 3; ++i) {
        json_t *line = line_of(i), *one = json_array_get(values, (size_t)i);
        assert_true(json_equal(json_array_get(one, 0), json_object_get(line, "log_bytes")));
        assert_true(json_equal(json_array_get(one, 1),
                               json_object_get(json_object_get(line, "detail"), "value")));
        json_decref(line);
    }
    json_decref(expected);
    expected = battles_expected(recorded, "battle-1");
    assert_true(json_is_null(expected));
    json_decref(expected);
}

static void add_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A line that is not complete yet is left out; one that is no decision is reported; a name with a
 * path is refused. */
static void test_files_that_grow_and_files_that_are_none(void **state)
{
    (void)state;
    char folder[] = "/tmp/banyan-battles-XXXXXX", path[128];
    struct banyan_error err;
    json_t *out;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/%s.jsonl", folder, room);
    add_text(path, "{\"turn\": 1, \"choice\": \"move 1\", \"detail\": null}\n{\"turn\": 2");
    out = read_decisions(folder, 0);
    assert_int_equal(json_array_size(out), 1);
    json_decref(out);
    add_text(path, ", \"detail\": {\"table\": [1, {\"action\": 7}], \"state\": \"nonsense\"}}\n");
    out = read_decisions(folder, 1);
    assert_int_equal(json_array_size(out), 1);
    assert_true(json_is_null(json_object_get(json_array_get(out, 0), "cards")));
    assert_true(json_is_null(json_object_get(json_array_get(out, 0), "detail")));
    json_decref(out);
    add_text(path, "garbage\n");
    assert_int_equal(battles_decisions(folder, room, 2, &out, &err), BANYAN_INVALID);
    assert_string_equal(err.message,
                        "battle-gen8randombattle-156: line 3 is no decision of banyan showdown");
    out = battles_expected(folder, room); /* what is no decision says nothing */
    assert_int_equal(json_array_size(json_object_get(out, "values")), 0);
    json_decref(out);
    snprintf(path, sizeof path, "%s/battle-1.jsonl", folder); /* a pipe nobody writes into */
    assert_int_equal(mkfifo(path, 0600), 0);
    out = battles_list(folder);
    assert_int_equal(json_array_size(out), 1);
    json_decref(out);
    static const char *const names[] = {"", "../etc/passwd", "battle-1", "/battle-x"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        assert_int_equal(battles_decisions(folder, names[i], 0, &out, &err), BANYAN_NOT_FOUND);
    remove(path);
    snprintf(path, sizeof path, "%s/%s.jsonl", folder, room);
    remove(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_are_those_of_the_file),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_expected),
        cmocka_unit_test(test_files_that_grow_and_files_that_are_none),
    };
    return cmocka_run_group_tests_name("web battles", tests, NULL, NULL);
}
