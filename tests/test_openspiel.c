/* Hex and Breakthrough against random games of OpenSpiel's rules.
 *
 *     test_openspiel          the recorded games, tests/data/openspiel.txt
 *     test_openspiel FILE     other games, made by tools/openspiel-rules
 *
 * That script says what a line holds: who moved and what was legal at every ply, and who won. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "game_lines.h"

#include <banyan/game.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACTIONS_MAX = 361, STATE_WORDS = 32 };

/* The sum of the CRC-32 of all legal moves' texts.  OpenSpiel's texts have no x between two
 * squares. */
static uint64_t legal_checks(const struct banyan_game *game, const void *state, int player)
{
    banyan_action actions[ACTIONS_MAX];
    int count = game->legal(game, state, player, actions);
    uint64_t sum = 0;
    for (int i = 0; i < count; ++i) {
        char text[16];
        game->action_format(game, state, player, actions[i], text, sizeof text);
        char *captures = strchr(text + 1, 'x');
        if (captures)
            memmove(captures, captures + 1, strlen(captures));
        sum += crc32_of(text);
    }
    return sum;
}

/* Plays the moves of a line; returns the sum over its plies. */
static uint64_t play_moves(const struct banyan_game *game, void *state, char *moves)
{
    uint64_t sum = 0;
    for (char *move = strtok(moves, " \n"); move; move = strtok(NULL, " \n")) {
        banyan_action joint[2];
        struct banyan_error err = {.message = ""};
        unsigned movers = game->movers(game, state);
        if (!movers)
            fail_msg("the game is over before %s", move);
        int player = movers == 2;
        sum = sum * 1000003 + 2 * legal_checks(game, state, player) + (uint64_t)player;
        if (game->action_parse(game, state, player, move, &joint[player], &err) != BANYAN_OK)
            fail_msg("%s", err.message);
        game->apply(game, state, joint, NULL);
    }
    return sum;
}

static void check_line(char *line)
{
    const struct banyan_game *game;
    uint64_t state[STATE_WORDS], sum;
    char name[32], winner;
    float values[2];
    int used = 0;
    assert_int_equal(sscanf(line, "%31s %c %" SCNx64 " %n", name, &winner, &sum, &used), 3);
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    assert_true(game->state_size <= sizeof state && game->max_legal <= ACTIONS_MAX);
    assert_int_equal(game->init(game, state, NULL, NULL, NULL), BANYAN_OK);
    uint64_t ours = play_moves(game, state, line + used);
    if (ours != sum)
        fail_msg("%s: other moves are legal than OpenSpiel says", name);
    assert_int_equal(game->movers(game, state), 0);
    game->returns(game, state, values);
    assert_true(values[0] == (winner == 'b' ? 1 : -1) && values[1] == -values[0]);
}

int main(int argc, char **argv)
{
    return game_lines_main(argc, argv, TEST_DATA "/openspiel.txt", 100);
}
