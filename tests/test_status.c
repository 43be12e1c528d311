/* Statuses and errors. */
#include <banyan/status.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static void test_fail_fills_the_error(void **unused)
{
    (void)unused;
    struct banyan_error err = {.message = "old"};
    assert_int_equal(banyan_fail(&err, BANYAN_NOT_FOUND, "no %s of %d", "game", 7),
                     BANYAN_NOT_FOUND);
    assert_int_equal(err.status, BANYAN_NOT_FOUND);
    assert_string_equal(err.message, "no game of 7");
}

static void test_fail_without_an_error(void **unused)
{
    (void)unused;
    assert_int_equal(banyan_fail(NULL, BANYAN_IO, "%s", "unheard"), BANYAN_IO);
}

/* Text from a user cannot break a message into lines or colour the terminal. */
static void test_message_is_one_line(void **unused)
{
    (void)unused;
    struct banyan_error err;
    banyan_fail(&err, BANYAN_INVALID, "'%s' is wrong", "a\nb\r\x1b[31m\x7f\tc");
    assert_string_equal(err.message, "'a?b??[31m??c' is wrong");
    banyan_fail(&err, BANYAN_INVALID, "caf\xc3\xa9");
    assert_string_equal(err.message, "caf\xc3\xa9");
}

static void test_long_message_is_cut(void **unused)
{
    (void)unused;
    struct banyan_error err;
    char text[2 * BANYAN_MESSAGE_MAX];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    banyan_fail(&err, BANYAN_INVALID, "%s", text);
    assert_int_equal(strlen(err.message), BANYAN_MESSAGE_MAX - 1);
}

static void test_names(void **unused)
{
    (void)unused;
    assert_string_equal(banyan_status_name(BANYAN_OK), "ok");
    assert_string_equal(banyan_status_name(BANYAN_NOT_FOUND), "not found");
    for (int a = BANYAN_OK; a <= BANYAN_INTERRUPTED; ++a)
        for (int b = BANYAN_OK; b < a; ++b)
            assert_string_not_equal(banyan_status_name((enum banyan_status)a),
                                    banyan_status_name((enum banyan_status)b));
    assert_string_equal(banyan_status_name((enum banyan_status)99), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail_fills_the_error),
        cmocka_unit_test(test_fail_without_an_error),
        cmocka_unit_test(test_message_is_one_line),
        cmocka_unit_test(test_long_message_is_cut),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
