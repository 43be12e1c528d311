/* The leak test with more positions and draws, and with 1,000 searches of each of the two worlds of
 * a position.
 *
 *     slow_leak [POSITIONS [DRAWS [SEARCHES]]]
 */
#include "leak_kuhn.h"
#include "leak_pokemon.h"

static struct leak_size leak_length = {1000, 1000, 400, 0, 30};
static int leak_searches = 1000;

static void test_kuhn(void **unused)
{
    (void)unused;
    leak_test(&leak_kuhn, leak_length);
}

static void test_pokemon(void **unused)
{
    (void)unused;
    leak_test(&leak_pokemon, leak_length);
}

static void test_pokemon_searches(void **unused)
{
    (void)unused;
    leak_test(&leak_pokemon, (struct leak_size){200, 200, 20, leak_searches, 30});
}

static void test_kuhn_searches(void **unused)
{
    (void)unused;
    leak_test(&leak_kuhn, (struct leak_size){200, 200, 20, leak_searches, 50});
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kuhn), cmocka_unit_test(test_pokemon),
                                       cmocka_unit_test(test_kuhn_searches),
                                       cmocka_unit_test(test_pokemon_searches)};
    if (argc > 1)
        leak_length.positions = leak_length.replays = atoi(argv[1]);
    if (argc > 2)
        leak_length.draws = atoi(argv[2]);
    if (argc > 3)
        leak_searches = atoi(argv[3]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
