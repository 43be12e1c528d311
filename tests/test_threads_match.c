/* Matches with many threads: small ones, since this test also runs under ThreadSanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/match.h"

#include <stdio.h>
#include <string.h>

static struct banyan_error err;

static struct match_result played(const char *name, const char *a, const char *b, int jobs)
{
    const char *const specs[] = {a, b};
    const struct banyan_game *game;
    struct match_options options;
    struct match_result result;
    match_options_default(&options);
    options.games = 24;
    options.jobs = jobs;
    assert_int_equal(banyan_game_find(name, &game, &err), BANYAN_OK);
    if (match_run(game, specs, 2, &options, &result, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return result;
}

static void same(const char *name, const char *a, const char *b)
{
    struct match_result one = played(name, a, b, 1), many = played(name, a, b, 6);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(one.players[i].wins, many.players[i].wins);
        assert_int_equal(one.players[i].draws, many.players[i].draws);
        assert_int_equal(one.players[i].decisions, many.players[i].decisions);
        assert_int_equal(one.players[i].simulations, many.players[i].simulations);
        assert_true(one.players[i].returns == many.players[i].returns);
    }
    assert_int_equal(one.distinct_games, many.distinct_games);
    assert_int_equal(one.plies, many.plies);
}

static void searches_share_nothing(void **unused)
{
    (void)unused;
    same("tictactoe", "mcts:simulations=40", "perfect");
    same("othello-4x4", "mcts:simulations=30", "mcts:simulations=30,rule=puct");
    same("pig", "mcts:simulations=10", "random");
}

static void programs_share_nothing(void **unused)
{
    (void)unused;
    same("tictactoe", "exec:" TEST_DATA "/engines/fake.sh good", "random");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_share_nothing),
        cmocka_unit_test(programs_share_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
