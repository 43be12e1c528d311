/* Random games of Blood Bowl end, keep to the bounds, and mirror. */
#include "bloodbowl_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static struct random_game game;

static void test_random_games(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; ++seed)
        if (!random_play(&game, seed))
            fail_msg("seed %d: %s\n%s", (int)seed, game.failure, game.setup);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_games)};
    if (argc > 2) { /* test_bloodbowl_random FIRST COUNT: a longer run of other games */
        uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
        int failures = 0;
        for (uint64_t seed = first; seed < first + count; ++seed)
            if (!random_play(&game, seed)) {
                printf("seed %llu: %s\n", (unsigned long long)seed, game.failure);
                ++failures;
            }
        printf("%ld decisions, %d failures\n", game.decisions, failures);
        return failures > 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
