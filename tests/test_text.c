/* The writer and the reader of small texts. */
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* With buffers of every size the pieces together give what one snprintf gives. */
static void test_writer_is_snprintf(void **unused)
{
    (void)unused;
    for (size_t size = 0; size < 20; ++size) {
        char out[32], expected[32];
        memset(out, 'z', sizeof out);
        memset(expected, 'z', sizeof expected);
        int n = snprintf(size ? expected : NULL, size, "abc-%d-%s", 42, "xyz");
        struct text text = text_start(size ? out : NULL, size);
        text_add(&text, "abc");
        text_add(&text, "-%d", 42);
        text_add(&text, "%s", "");
        text_add(&text, "-%s", "xyz");
        assert_int_equal(text.length, n);
        assert_memory_equal(out, expected, sizeof out);
    }
}

static void test_decimals_written(void **unused)
{
    (void)unused;
    static const struct {
        int64_t value;
        int digits;
        const char *text;
    } rows[] = {{900000, 6, "0.9"}, {1, 6, "0.000001"}, {-1050, 2, "-10.5"}, {-5, 2, "-0.05"},
                {0, 2, "0"},        {100, 2, "1"},      {7, 0, "7"},         {-30, 0, "-30"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char out[32];
        struct text text = text_start(out, sizeof out);
        text_add_decimal(&text, rows[i].value, rows[i].digits);
        assert_string_equal(out, rows[i].text);
    }
}

static void test_decimals_read(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int digits;
        bool good;
        int64_t value;
    } rows[] = {
        {"0.9", 6, true, 900000},
        {" .5", 2, true, 50},
        {"-0.05", 2, true, -5},
        {"+3", 2, true, 300},
        {"3.", 2, true, 300},
        {"0.123", 2, false, 0},
        {"", 2, false, 0},
        {".", 2, false, 0},
        {"-", 2, false, 0},
        {"1e3", 2, false, 0},
        {"12x", 0, false, 0},
        {"1.5", 0, false, 0},
        {"1.2.3", 2, false, 0},
        {"99999999999999999999", 0, false, 0},
        {"1001", 0, false, 0},
        {"-1001", 0, false, 0},
        {"9223372036854775807", 2, false, 0},
        {"1000", 0, true, 1000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct text_reader reader;
        int64_t value = 77, most = 1000;
        for (int d = 0; d < rows[i].digits; ++d)
            most *= 10;
        text_open(&reader, rows[i].text);
        assert_int_equal(text_decimal(&reader, rows[i].digits, -most, most, &value), rows[i].good);
        if (rows[i].good) {
            assert_true(value == rows[i].value);
            assert_true(text_end(&reader));
        } else {
            /* after a failure the reader has not moved */
            assert_ptr_equal(reader.at, rows[i].text);
        }
    }
}

static void test_pieces(void **unused)
{
    (void)unused;
    struct text_reader reader;
    char word[5];
    int64_t number;
    text_open(&reader, "  key = word-1 # the rest of the line\n\t12;ab.longer");
    assert_false(text_take(&reader, "word"));
    assert_true(text_take(&reader, "key"));
    assert_true(text_take(&reader, "="));
    assert_false(text_word(&reader, word, sizeof word)); /* the word is too long for 4 bytes */
    char longer[7];
    assert_true(text_word(&reader, longer, sizeof longer));
    assert_string_equal(longer, "word-1");
    assert_string_equal(text_where(&reader).text, "line 2, column 2");
    assert_false(text_integer(&reader, 0, 11, &number));
    assert_true(text_integer(&reader, 0, 12, &number));
    assert_false(text_word(&reader, word, sizeof word));
    assert_true(text_take(&reader, ";"));
    assert_true(text_word(&reader, word, sizeof word));
    assert_string_equal(word, "ab");
    assert_false(text_end(&reader));
    text_open(&reader, "one line");
    text_take(&reader, "one");
    assert_string_equal(text_where(&reader).text, "column 5");
    text_open(&reader, " # nothing\n");
    assert_true(text_end(&reader));
}

/* Unicode 15, table 3-7: the first and last characters of every length, and their neighbours. */
static void test_utf8(void **unused)
{
    (void)unused;
    static const char *const good[] = {"",
                                       "plain",
                                       "caf\xC3\xA9",
                                       "\xC2\x80",
                                       "\xDF\xBF",
                                       "\xE0\xA0\x80",
                                       "\xED\x9F\xBF",
                                       "\xEE\x80\x80",
                                       "\xEF\xBF\xBF",
                                       "\xF0\x90\x80\x80",
                                       "\xF4\x8F\xBF\xBF"};
    static const char *const bad[] = {"\xE9",
                                      "caf\xE9",
                                      "\x80",
                                      "\xC1\xBF",
                                      "\xC3",
                                      "\xC3"
                                      "a",
                                      "\xE0\x9F\xBF",
                                      "\xED\xA0\x80",
                                      "\xE2\x82",
                                      "\xE2\x82"
                                      "a",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80\x80",
                                      "\xF0\x90\x80"};
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i)
        assert_true(text_is_utf8(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        assert_false(text_is_utf8(bad[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writer_is_snprintf),
        cmocka_unit_test(test_decimals_written),
        cmocka_unit_test(test_decimals_read),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_utf8),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
