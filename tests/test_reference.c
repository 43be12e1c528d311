/* The search of the library against a plain reference (reference/reference.h), in random small
 * games: every node's visits, sums and bounds, and the chosen action.
 *
 *     test_reference [FIRST [NUMBER]]    seeds; 0 and 10,000 if not given
 */
#include "reference/many.h"
#include "reference/together.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t first_seed = 0, seed_count = 10000;

static void test_random_games(void **unused)
{
    static struct many many;
    (void)unused;
    compare_many(first_seed, seed_count, 1, 0, &many);
    many_print(&many);
    if (many.disagreements)
        fail_msg("%s", many.comparison.message);
    assert_true(draw_least(many.table) >= seed_count / 1000);
    assert_true(many.comparison.ties <= many.comparison.choices / 1000);
}

static void test_several_threads(void **unused)
{
    char message[256] = "";
    uint64_t values = 0;
    (void)unused;
    for (uint64_t seed = first_seed; seed < first_seed + seed_count / 20; ++seed)
        if (!together_holds(seed, &values, message, sizeof message))
            fail_msg("%s", message);
    printf("%llu bounds compared with the exact value\n", (unsigned long long)values);
    assert_true(values > seed_count / 100);
}

static void test_options(void **unused)
{
    char message[256] = "";
    (void)unused;
    if (!options_as_documented(message, sizeof message))
        fail_msg("%s", message);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        first_seed = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        seed_count = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_games),
                                       cmocka_unit_test(test_several_threads),
                                       cmocka_unit_test(test_options)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
