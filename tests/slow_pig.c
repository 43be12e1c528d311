/* Pig to 50 by search: the player who begins wins 54.6 % (test_pig.c finds the same by value
 * iteration). */
#include "searching.h"

#include <stdio.h>

/* Without transpositions the tree would have no end: a game lasts some hundred plies. */
static void the_first_player_wins_54_6_percent(void **unused)
{
    (void)unused;
    struct searching s;
    float values[2];
    searching_open(&s, "pig", "target=50", "exploration=0.2,transpositions=on", "rollout");
    searching_run(&s, 10000000);
    banyan_search_root_values(s.search, values);
    double found = (values[0] + 1) / 2;
    print_message("pig to 50, 10,000,000 simulations: %.5f, by value iteration 0.54615\n", found);
    assert_true(found > 0.54615 - 0.005 && found < 0.54615 + 0.005);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_player_wins_54_6_percent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
