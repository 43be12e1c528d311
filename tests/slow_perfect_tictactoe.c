/* The player `mcts:simulations=1000` against perfect play in tic-tac-toe: 5 seeds of 1,000 games. */
#include "perfect_tictactoe.h"

static void the_default_player_does_not_lose(void **unused)
{
    (void)unused;
    assert_true(perfect_losses("", 5) <= 10);
}

static void without_solver_it_hardly_loses(void **unused)
{
    (void)unused;
    assert_true(perfect_losses(",solver=off", 5) <= 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_player_does_not_lose),
        cmocka_unit_test(without_solver_it_hardly_loses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
