/* Every registered game keeps the contract of <banyan/game.h>.
 *
 *     test_contract               all games
 *     test_contract NAME          one game, ten times as long
 *     test_contract NAME INDEX    only that one random game, to look into a failure
 */
#include <banyan/check.h>

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GAMES_MAX = 128, SEED = 2026 };

/* Start texts besides the usual one. */
static const struct {
    const char *name;
    const char *setups[8];
} starts[] = {
    {"bandit", {"0.5 0.5 0.1", "1 0", "0.000001 0.999999"}},
    {"pig", {"target=20", "target=10 horizon=7", "scores=90,95 turn=4"}},
    {"pig-3", {"target=20 horizon=30"}},
    {"tree",
     {"file:" TEST_DATA "/tree/gamble.tree", "file:" TEST_DATA "/tree/first-iterations.tree"}},
    {"bloodbowl-3", {"mode=path ask=human"}},
    {"bloodbowl-7", {"mode=path ask=human"}},
    {"tree-2", {"file:" TEST_DATA "/tree/trap.tree"}},
    {"tree-zero", {"file:" TEST_DATA "/tree/trap.tree", "file:" TEST_DATA "/tree/priors.tree"}},
    {"tree-3", {"file:" TEST_DATA "/tree/three.tree"}},
    {"matrix", {"3 1 4;1 5 9;2 6 5", "1 2 3 4 5 6 7 8"}},
    {"bimatrix", {"2 0;0 1|1 0;0 2", "1 2 3|-1 0.5 7"}},
};

static const char *const *find_setups(const char *name)
{
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i)
        if (strcmp(starts[i].name, name) == 0)
            return starts[i].setups;
    return NULL;
}

static void print_fault(void *unused, const char *message)
{
    (void)unused;
    printf("%s\n", message);
}

static struct banyan_check_options options_of(const struct banyan_game *game)
{
    struct banyan_check_options options;
    banyan_check_options_default(&options);
    options.seed = SEED;
    options.games = 1500;
    options.setups = find_setups(game->name);
    options.report = print_fault;
    return options;
}

static void test_game(void **state)
{
    const struct banyan_game *game = *state, *found = NULL;
    const struct banyan_check_options options = options_of(game);
    struct banyan_check_report report = {.struct_size = sizeof report};
    struct banyan_error err;
    assert_int_equal(banyan_game_find(game->name, &found, NULL), BANYAN_OK);
    assert_ptr_equal(found, game); /* names are unique */
    enum banyan_status status = banyan_game_check(game, &options, &report, &err);
    printf("%-16s %5d games %7lld positions %6lld keys\n", game->name, report.games,
           (long long)report.positions, (long long)report.keys);
    if (status != BANYAN_OK)
        fail_msg("%d faults, first %s", report.faults, err.message);
}

static int run_one(const char *name, const char *index)
{
    const struct banyan_game *game;
    struct banyan_check_report report = {.struct_size = sizeof report};
    struct banyan_error err;
    if (banyan_game_find(name, &game, &err) != BANYAN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    struct banyan_check_options options = options_of(game);
    options.first = index ? (int)strtol(index, NULL, 10) : 0;
    options.games *= 10;
    options.state_bytes *= 10;
    if (index)
        options.games = 1;
    banyan_game_check(game, &options, &report, &err);
    printf("%lld positions, %d faults\n", (long long)report.positions, report.faults);
    return report.faults > 0;
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[GAMES_MAX];
    int n = 0;
    if (argc > 1)
        return run_one(argv[1], argc > 2 ? argv[2] : NULL);
    assert_null(banyan_game_at(-1));
    assert_null(banyan_game_at(INT_MIN));
    for (const struct banyan_game *game; n < GAMES_MAX && (game = banyan_game_at(n)); ++n)
        tests[n] = (struct CMUnitTest){
            .name = game->name, .test_func = test_game, .initial_state = (void *)(uintptr_t)game};
    return _cmocka_run_group_tests("contract", tests, (size_t)n, NULL, NULL);
}
