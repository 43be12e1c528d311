/* Every registered game keeps the contract of <banyan/game.h>.
 *
 *     test_contract               all games
 *     test_contract NAME          one game, ten times as long
 *     test_contract NAME INDEX    only that one random game, to look into a failure
 */
#include "contract_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { GAMES_MAX = 128, GAMES_LEAST = 5, GAMES_MOST = 1500 };

/* Games of a variant are played until their states have so many bytes together. So the number of
 * games does not depend on the machine, and a small game takes about as much work as a large
 * one. */
static const double bytes = 3e5;

/* Start texts besides the usual one. */
static const struct {
    const char *name;
    const char *setups[8];
} starts[] = {
    {"bandit", {"", "0.5 0.5 0.1", "1 0", "0.000001 0.999999"}},
    {"pig", {"", "target=20", "target=10 horizon=7", "scores=90,95 turn=4"}},
    {"pig-3", {"", "target=20 horizon=30"}},
    {"tree",
     {"", "file:" TEST_DATA "/tree/gamble.tree", "file:" TEST_DATA "/tree/first-iterations.tree"}},
    {"tree-2", {"", "file:" TEST_DATA "/tree/trap.tree"}},
    {"tree-zero", {"", "file:" TEST_DATA "/tree/trap.tree", "file:" TEST_DATA "/tree/priors.tree"}},
    {"tree-3", {"", "file:" TEST_DATA "/tree/three.tree"}},
    {"matrix", {"", "3 1 4;1 5 9;2 6 5", "1 2 3 4 5 6 7 8"}},
    {"bimatrix", {"", "2 0;0 1|1 0;0 2", "1 2 3|-1 0.5 7"}},
};

static const char *const *find_setups(const char *name)
{
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i)
        if (strcmp(starts[i].name, name) == 0)
            return starts[i].setups;
    return NULL;
}

static void test_game(void **state)
{
    const struct banyan_game *game = *state, *found = NULL;
    static struct contract c;
    contract_open(&c, game, find_setups(game->name));
    assert_int_equal(banyan_game_find(game->name, &found, NULL), BANYAN_OK);
    assert_ptr_equal(found, game); /* names are unique */
    int games = contract_run(&c, GAMES_LEAST, GAMES_MOST, bytes);
    printf("%-16s %5d games %7ld positions %6d keys\n", game->name, games, c.positions,
           c.seen_count);
    contract_free(&c);
    if (c.failures)
        fail_msg("%d failures:\n%s", c.failures, c.report);
}

static int run_one(const char *name, const char *index)
{
    const struct banyan_game *game;
    struct banyan_error err;
    static struct contract c;
    if (banyan_game_find(name, &game, &err) != BANYAN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    contract_open(&c, game, find_setups(name));
    if (index)
        contract_game(&c, (int)strtol(index, NULL, 10));
    else
        contract_run(&c, GAMES_LEAST, 10 * GAMES_MOST, 10 * bytes);
    printf("%ld positions, %d failures\n%s", c.positions, c.failures, c.report);
    contract_free(&c);
    return c.failures > 0;
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[GAMES_MAX];
    int n = 0;
    if (argc > 1)
        return run_one(argv[1], argc > 2 ? argv[2] : NULL);
    for (const struct banyan_game *game; n < GAMES_MAX && (game = banyan_game_at(n)); ++n)
        tests[n] = (struct CMUnitTest){
            .name = game->name, .test_func = test_game, .initial_state = (void *)(uintptr_t)game};
    return _cmocka_run_group_tests("contract", tests, (size_t)n, NULL, NULL);
}
