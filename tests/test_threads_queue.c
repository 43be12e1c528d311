/* The queue whose workers are threads of this process; URLs, settings and networks that are
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "queue_behaviour.h"
#include "train/loop_state.h"

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

/* --- the network of a run --- */

static int puts_refused; /* how many more calls of put are refused */

static enum banyan_status put_sometimes(struct queue *queue, const char *name, const void *bytes,
                                        size_t length, struct banyan_error *why)
{
    (void)queue, (void)name, (void)bytes, (void)length;
    return puts_refused-- > 0 ? banyan_fail(why, BANYAN_IO, "refused") : BANYAN_OK;
}

/* A network that the queue did not take is put into it again. */
static void a_refused_network_is_put_again(void **unused)
{
    (void)unused;
    static const char a_file[] = TEST_DATA "/old/README.md";
    static const struct queue_functions can = {.put = put_sometimes};
    struct queue queue = {.can = &can};
    struct loop loop = {.queue = &queue};
    char hash[JOB_HASH + 1];
    puts_refused = 1;
    assert_int_equal(loop_queue_network(&loop, a_file, hash, &err), BANYAN_IO);
    assert_string_equal(loop.network_hash, "");
    done(loop_queue_network(&loop, a_file, hash, &err));
    assert_int_equal(puts_refused, -1);
    assert_string_equal(loop.network_hash, hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {QUEUE_BEHAVIOUR, QUEUE_TEST(wrong_settings_are_refused),
                                       cmocka_unit_test(a_refused_network_is_put_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
