/* In every game that hides something, neither a drawn state nor anything that is shown tells what
 * is hidden. */
#include "leak_kuhn.h"
#include "leak_pokemon.h"

static const struct leak_game *const leak_games[] = {&leak_kuhn, &leak_pokemon};

enum { LEAK_GAMES = sizeof leak_games / sizeof *leak_games };

static void test_every_hidden_game(void **unused)
{
    (void)unused;
    for (int i = 0; banyan_game_at(i); ++i) {
        const struct banyan_game *game = banyan_game_at(i);
        bool known = !(game->traits & BANYAN_HIDDEN);
        for (int k = 0; k < LEAK_GAMES; ++k)
            known |= strcmp(leak_games[k]->name, game->name) == 0;
        if (!known)
            fail_msg("%s hides something, but has no leak test", game->name);
    }
}

static void test_kuhn(void **unused)
{
    (void)unused;
    leak_test(&leak_kuhn, (struct leak_size){200, 200, 100, 5, 50});
}

static void test_pokemon(void **unused)
{
    (void)unused;
    leak_test(&leak_pokemon, (struct leak_size){200, 200, 100, 5, 30});
}

static void test_planted_leaks(void **unused)
{
    (void)unused;
    for (int k = 0; k < LEAK_GAMES; ++k)
        leak_plant_test(leak_games[k], 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_hidden_game),
                                       cmocka_unit_test(test_kuhn), cmocka_unit_test(test_pokemon),
                                       cmocka_unit_test(test_planted_leaks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
