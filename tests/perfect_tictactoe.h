/* Matches of the program's player `mcts:simulations=1000` against perfect play in tic-tac-toe. */
#ifndef TESTS_PERFECT_TICTACTOE_H
#define TESTS_PERFECT_TICTACTOE_H

#include "cli_program.h"

/* Games lost of 1,000 for each of the seeds 1..seeds; more: options added to the player's. */
static inline int perfect_losses(const char *more, int seeds)
{
    int losses = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        char words[256];
        snprintf(words, sizeof words,
                 "match tictactoe mcts:simulations=1000%s perfect --games 1000 -s %d --json", more,
                 seed);
        json_t *result = run_long_json(words);
        assert_int_equal(json_integer_value(json_object_get(result, "games")), 1000);
        assert_int_equal(json_integer_value(json_object_get(result, "wins_a")), 0);
        losses += (int)json_integer_value(json_object_get(result, "wins_b"));
        json_decref(result);
    }
    print_message("mcts:simulations=1000%s: lost %d of %d games\n", more, losses, 1000 * seeds);
    return losses;
}

#endif
