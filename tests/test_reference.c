/* The search of the library against a plain reference (reference/reference.h), in random small
 * games: every node's visits, sums and bounds, and what is chosen.
 *
 *     test_reference [FIRST [COUNT]]    seeds; 0 and 10,000 if not given
 */
#include "reference/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef SEED_COUNT
#define SEED_COUNT 10000
#endif

static uint64_t first_seed = 0, seed_count = SEED_COUNT;

static void test_random_games(void **unused)
{
    static draw_table table;
    struct comparison comparison = {0};
    const char *option = "", *trait = "";
    (void)unused;
    if (!compare_many(first_seed, seed_count, table, &comparison))
        fail_msg("%s", comparison.message);
    draw_print(table);
    uint64_t least = draw_least(table, &option, &trait);
    printf("%llu simulations, %llu nodes compared, %llu choices, %llu of them ties\n"
           "least often: %s with %s, %llu times\n",
           (unsigned long long)comparison.simulations, (unsigned long long)comparison.nodes,
           (unsigned long long)comparison.choices, (unsigned long long)comparison.ties, option,
           trait, (unsigned long long)least);
    assert_true(least >= seed_count / 1000);
    assert_true(comparison.ties <= comparison.choices / 1000);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        first_seed = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        seed_count = strtoull(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_games)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
