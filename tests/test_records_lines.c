/* Lines of files, and suites of positions: how lines end, and the status of what cannot be read. */
#include "records/records.h"
#include "records/suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct records_source *open_bytes(const char *bytes, size_t size)
{
    struct records_source *source;
    assert_int_equal(records_open_memory("here", bytes, size, &source, NULL), BANYAN_OK);
    return source;
}

/* --- lines --- */

static void how_lines_end(void **unused)
{
    static const char bytes[] = "one\ntwo\r\n\n\r\n a\0b\nlast";
    static const struct {
        const char *line;
        size_t length;
    } right[] = {{"one", 3}, {"two", 3}, {"", 0}, {"", 0}, {" a\0b", 4}, {"last", 4}};
    struct records_source *source = open_bytes(bytes, sizeof bytes - 1);
    char *line;
    size_t length;
    (void)unused;
    for (size_t i = 0; i < sizeof right / sizeof *right; ++i) {
        assert_int_equal(records_line(source, &line, &length, NULL), BANYAN_OK);
        assert_int_equal(length, right[i].length);
        assert_memory_equal(line, right[i].line, length + 1);
        assert_int_equal(records_line_number(source), i + 1);
    }
    assert_int_equal(records_line(source, &line, NULL, NULL), BANYAN_OK);
    assert_null(line);
    assert_string_equal(records_path(source), "here");
    records_close(source);
}

/* A line is at most one byte shorter than 64 MiB. */
static void the_longest_line(void **unused)
{
    enum { MOST = 64 << 20 };
    char *bytes = malloc(MOST + 1), *line;
    size_t length;
    struct banyan_error err;
    (void)unused;
    assert_non_null(bytes);
    memset(bytes, 'x', MOST + 1);
    struct records_source *source = open_bytes(bytes, MOST - 1);
    assert_int_equal(records_line(source, &line, &length, &err), BANYAN_OK);
    assert_int_equal(length, MOST - 1);
    records_close(source);
    source = open_bytes(bytes, MOST);
    assert_int_equal(records_line(source, &line, &length, &err), BANYAN_CORRUPT);
    assert_non_null(strstr(err.message, "67108864 bytes"));
    records_close(source);
    free(bytes);
}

/* The status of reading a line that does not fit into memory, in a process that may take 16 MiB
 * more than it has. */
static int read_without_room(const char *bytes, size_t size)
{
    struct rlimit limit;
    struct records_source *source;
    char *line;
    FILE *pages = fopen("/proc/self/statm", "r");
    unsigned long used = 0;
    if (!pages || fscanf(pages, "%lu", &used) != 1 || fclose(pages) != 0)
        return 77;
    limit.rlim_cur = limit.rlim_max = used * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)16 << 20);
    if (records_open_memory("here", bytes, size, &source, NULL) != BANYAN_OK ||
        setrlimit(RLIMIT_AS, &limit) != 0)
        return 77;
    void *volatile more = malloc((size_t)32 << 20);
    free(more);
    if (more)
        return 77; /* the limit is not kept, as in an emulator */
    return (int)records_line(source, &line, NULL, NULL);
}

static void a_line_without_room(void **unused)
{
    enum { SIZE = 40 << 20 };
    char *bytes = malloc(SIZE);
    int status;
    (void)unused;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    free(bytes);
    skip(); /* a sanitizer needs terabytes of addresses */
#endif
    assert_non_null(bytes);
    memset(bytes, 'x', SIZE);
    pid_t child = fork();
    if (child == 0)
        _exit(read_without_room(bytes, SIZE));
    assert_int_equal(waitpid(child, &status, 0), child);
    free(bytes);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(status), BANYAN_NO_MEMORY);
}

/* --- suites --- */

static enum banyan_status read_suite(const char *text, struct suite *suite,
                                     struct banyan_error *err)
{
    struct records_source *source = open_bytes(text, strlen(text));
    enum banyan_status status = suite_read(source, suite, err);
    records_close(source);
    return status;
}

static void a_suite(void **unused)
{
    struct suite suite;
    struct banyan_error err = {.message = ""};
    (void)unused;
    assert_int_equal(read_suite("# text\n\n  \t\ngame tictactoe\nposition  one two \t\n"
                                "\tmoves a1 b2\nplayer 1\nbest c3\navoid a3\nlevel 2.5\n"
                                "score -3\nvalue -1 0.5\nlegal 7\nposition two\nlegal 0\n",
                                &suite, &err),
                     BANYAN_OK);
    assert_int_equal(suite.count, 2);
    const struct suite_position *one = &suite.positions[0], *two = &suite.positions[1];
    assert_string_equal(one->game->name, "tictactoe");
    assert_string_equal(one->id, "one two");
    assert_string_equal(one->moves, "a1 b2");
    assert_string_equal(one->best, "c3");
    assert_string_equal(one->avoid, "a3");
    assert_int_equal(one->line, 5);
    assert_int_equal(one->player, 1);
    assert_int_equal(one->legal, 7);
    assert_true(one->level == 2.5 && one->score == -3 && one->value_lo == -1 &&
                one->value_hi == 0.5);
    assert_int_equal(two->line, 14);
    assert_int_equal(two->player, -1);
    assert_int_equal(two->legal, 0);
    assert_null(two->moves);
    assert_true(two->level != two->level && two->score != two->score &&
                two->value_lo != two->value_lo);
    suite_free(&suite);
}

/* What is wrong, and in which line. */
static void wrong_suites(void **unused)
{
#define BEGIN "game tictactoe\nposition one\n"
    static const char *const cases[][2] = {
        {"position one\n", "here:1: the game must be named"},
        {"game chess\n", "here:1:"},
        {"game\n", "here:1: a value is missing after game"},
        {"game tictactoe\nlegal 3\n", "here:2: this word must not stand before"},
        {BEGIN "lgal 3\n", "here:3: unknown word, did you mean 'legal'"},
        {BEGIN "legal x\n", "here:3: expected a number"},
        {BEGIN "legal 3 4\n", "here:3: too many numbers"},
        {BEGIN "legal 1.5\n", "here:3: out of range"},
        {BEGIN "legal -1\n", "here:3: out of range"},
        {BEGIN "legal 2147483648\n", "here:3: out of range"},
        {BEGIN "player 2\n", "here:3: out of range"},
        {BEGIN "level inf\n", "here:3: expected a number"},
        {BEGIN "value 1\n", "here:3: expected numbers"},
        {BEGIN "value 1 2 3\n", "here:3: too many numbers"}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct suite suite;
        struct banyan_error err = {.message = ""};
        assert_int_equal(read_suite(cases[i][0], &suite, &err), BANYAN_CORRUPT);
        if (!strstr(err.message, cases[i][1]))
            fail_msg("'%s' does not say '%s'", err.message, cases[i][1]);
        suite_free(&suite);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(how_lines_end),
                                       cmocka_unit_test(the_longest_line),
                                       cmocka_unit_test(a_line_without_room),
                                       cmocka_unit_test(a_suite), cmocka_unit_test(wrong_suites)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
