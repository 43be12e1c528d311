/* Blood Bowl on the command line: pages, positions, and a game that is followed action by
 * action. */
#include "cli_program.h"
#include "records/records.h"

#define DATA TEST_DATA "/bloodbowl/step.jsonl.gz"

static struct program_run run_words(const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    ;

static struct program_run run_words(const char *format, ...)
{
    char words[7000];
    va_list list;
    va_start(list, format);
    assert_in_range(vsnprintf(words, sizeof words, format, list), 1, sizeof words - 1);
    va_end(list);
    return program_run(NULL, words);
}

/* Players off the pitch stand beside each other, and clock and score have a line each. */
static void test_picture_of_the_start(void **state)
{
    (void)state;
    char *picture = run_well(NULL, "bloodbowl svg " DATA " 1 0");
    int count = 0, x[32], y[32], clock = 0, score = 0;
    for (char *at = picture; count < 32 && (at = strstr(at, " off\" transform=\"")) != NULL; ++at)
        if (sscanf(at, " off\" transform=\"translate(%d,%d)", &x[count], &y[count]) == 2)
            ++count;
    assert_true(count >= 6);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j)
            assert_true(abs(x[i] - x[j]) >= 24 || abs(y[i] - y[j]) >= 24);
    const char *at = strstr(picture, "id=\"clock\"");
    assert_non_null(at);
    assert_int_equal(sscanf(strstr(at, " y="), " y=\"%d\"", &clock), 1);
    assert_non_null(at = strstr(picture, "id=\"score\""));
    assert_int_equal(sscanf(strstr(at, " y="), " y=\"%d\"", &score), 1);
    assert_true(clock - score >= 16);
    assert_contains(picture, "rerolls 1 : 1, nice<");
    assert_contains(picture, "away decides: start game<");
    free(picture);
}

static void test_page(void **state)
{
    (void)state;
    char *page = run_well(NULL, "bloodbowl html " DATA " 2");
    assert_contains(page, "<!DOCTYPE html>");
    assert_contains(page, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    assert_contains(page, "WeatherTable ");
    assert_contains(page, "</html>");
    assert_null(strstr(page, "src=")); /* the page loads nothing from elsewhere */
    assert_null(strstr(page, "href="));
    free(page);
    char *picture = run_well(NULL, "bloodbowl svg " DATA " 2 40");
    assert_contains(picture, "id=\"H1\"");
    free(picture);
    page = run_well(NULL, "page " DATA); /* the page that every game has */
    assert_contains(page, "<!DOCTYPE html>");
    assert_contains(page, "</html>");
    free(page);
    struct program_run run = run_words("bloodbowl svg %s 2 99999", DATA);
    assert_int_equal(run.code, 2);
    assert_contains(run.err, "no decision 99999");
    program_free(&run);
    run = run_words("bloodbowl fly %s", DATA);
    assert_int_equal(run.code, 2);
    program_free(&run);
}

static void test_position(void **state)
{
    (void)state;
    char *position = run_well(NULL, "bloodbowl position bloodbowl-1 mode=path");
    position[strcspn(position, "\n")] = 0;
    struct program_run run = run_words("bloodbowl position bloodbowl-1 '%s'", position);
    run.out[strcspn(run.out, "\n")] = 0;
    assert_string_equal(run.out, position);
    program_free(&run);
    run = run_words("perft bloodbowl-1 1 --position '%s'", position);
    assert_int_equal(run.code, 0);
    program_free(&run);
    run = run_words("perft bloodbowl-3 1 --position '%s'", position);
    assert_int_equal(run.code, 2);
    assert_contains(run.err, "one of bloodbowl-1, not of bloodbowl-3");
    program_free(&run);
    run = run_words("perft bloodbowl 1 --position '{\"game\":\"bloodbowl\"}'");
    assert_int_equal(run.code, 2);
    assert_contains(run.err, "\"variant\" is missing");
    program_free(&run);
    free(position);
}

/* Every step is answered by a line; a step that is not possible changes nothing. */
static void test_follow(void **state)
{
    (void)state;
    static char input[1 << 20];
    struct records_source *source;
    char *line;
    size_t used = 0;
    assert_int_equal(records_open(DATA, &source, NULL), BANYAN_OK);
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(records_line(source, &line, NULL, NULL), BANYAN_OK);
        used += (size_t)snprintf(input + used, sizeof input - used, "%s\n", line);
        if (i == 10)
            used += (size_t)snprintf(
                input + used, sizeof input - used,
                "{\"act\":[\"FLY\",null,null]}\nnonsense\n"
                "{\"act\":[\"START_MOVE\",\"H99\",null]}\n"
                "{\"act\":[\"END_TURN\",null,null],\"dice\":[[\"D6\",9,\"Block\"]]}\n");
    }
    records_close(source);
    struct program_run run = program_run(input, "bloodbowl follow");
    int lines = 0, errors = 0;
    for (char *answer = strtok(run.out, "\n"); answer; answer = strtok(NULL, "\n"), ++lines)
        errors += strncmp(answer, "{\"error\":", 9) == 0;
    assert_int_equal(run.code, 0);
    assert_int_equal(lines, 24);
    assert_int_equal(errors, 4);
    program_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_picture_of_the_start),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_position),
        cmocka_unit_test(test_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
