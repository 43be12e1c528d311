/* The library's version is the same as a number, as text and in the headers. */
#include <banyan/version.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

static void number_text_and_headers_agree(void **unused)
{
    unsigned major, minor, patch;
    char rest;
    (void)unused;
    assert_int_equal(sscanf(banyan_version_text(), "%u.%u.%u%c", &major, &minor, &patch, &rest), 3);
    assert_int_equal(banyan_version(), major * 10000 + minor * 100 + patch);
    assert_int_equal(banyan_version(), BANYAN_VERSION_NUMBER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(number_text_and_headers_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
