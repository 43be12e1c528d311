/* The queue whose workers are threads of this process; URLs and settings that are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "queue_behaviour.h"

#include <math.h>

static void begin(double lease_ms)
{
    settings.lease_ms = lease_ms;
    done(queue_open(&owner, "memory:", &settings, &err));
    worker = owner;
}

static void expect_refused(const char *url, const char *told)
{
    assert_true(queue_open(&owner, url, &settings, &err) != BANYAN_OK);
    assert_null(owner);
    assert_non_null(strstr(err.message, told));
}

static void wrong_settings_are_refused(void **unused)
{
    (void)unused;
    expect_refused("memory", "'memory' is no queue: redis://HOST");
    settings.name = "a b";
    expect_refused("memory:", "'a b' is no name");
    settings.name = NULL;
    settings.limit = 0;
    expect_refused("memory:", "limit >= 1");
    settings.limit = 1;
    settings.patience_ms = -1;
    expect_refused("memory:", "patience >= 0 ms, not -1");
    settings.patience_ms = (double)NAN;
    expect_refused("memory:", "patience >= 0 ms, not nan");
}

int main(void)
{
    const struct CMUnitTest tests[] = {QUEUE_BEHAVIOUR, QUEUE_TEST(wrong_settings_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
