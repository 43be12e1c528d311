/* Othello perft to depth 12: 1 939 879 668 positions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <banyan/game.h>

#include "othello_perft.h"

/* Positions at exactly this ply, and games that ended before it. Another common count is the sum
 * of both (aartbik.blogspot.com, 2009). */
static void check(int depth, uint64_t positions, uint64_t ended_before, uint64_t both)
{
    const struct banyan_game *game;
    struct othello_state start;
    uint64_t ended = 0;
    assert_int_equal(banyan_game_find("othello", &game, NULL), BANYAN_OK);
    assert_int_equal(game->init(game, &start, NULL, NULL, NULL), BANYAN_OK);
    assert_int_equal(perft(game, &start, depth, &ended), positions);
    assert_int_equal(ended, ended_before);
    assert_int_equal(positions + ended, both);
}

static void test_perft_10(void **unused)
{
    (void)unused;
    check(10, 24571056, 228, 24571284);
}

static void test_perft_11(void **unused)
{
    (void)unused;
    check(11, 212258216, 584, 212258800);
}

static void test_perft_12(void **unused)
{
    (void)unused;
    check(12, 1939879668, 6968, 1939886636);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perft_10),
        cmocka_unit_test(test_perft_11),
        cmocka_unit_test(test_perft_12),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
