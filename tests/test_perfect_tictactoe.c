/* The player `mcts:simulations=1000` against perfect play in tic-tac-toe: one seed of the five of
 * slow_perfect_tictactoe.c. */
#include "perfect_tictactoe.h"

static void the_default_player_does_not_lose(void **unused)
{
    (void)unused;
    assert_true(perfect_losses("", 1) <= 2);
}

static void without_solver_it_hardly_loses(void **unused)
{
    (void)unused;
    assert_true(perfect_losses(",solver=off", 1) <= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_player_does_not_lose),
        cmocka_unit_test(without_solver_it_hardly_loses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
