/* Go against random games of GNU Go's rules.
 *
 *     test_go_gnugo          the recorded games, tests/data/gnugo.txt
 *     test_go_gnugo FILE     other games, made by tools/gnugo-rules
 *
 * That script says what a line holds: which points were legal at every ply, and what was captured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "game_lines.h"

#include "games/go/go.h"

#include <banyan/game.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The sum of the CRC-32 of the names of all points that may be played. */
static uint64_t legal_checks(const struct banyan_game *game, const void *state, int player)
{
    banyan_action actions[GO_CELLS_MAX + 1];
    uint64_t sum = 0;
    int count = game->legal(game, state, player, actions);
    assert_int_equal(actions[count - 1], go_pass(state));
    for (int i = 0; i < count - 1; ++i) {
        char text[16];
        game->action_format(game, state, player, actions[i], text, sizeof text);
        sum += crc32_of(text);
    }
    return sum;
}

static int stones_of(const struct go_state *state, int stone)
{
    int count = 0;
    for (int cell = 0; cell < go_cells(state); ++cell)
        count += go_stones(state)[cell] == stone;
    return count;
}

/* Plays the moves of a line; returns the sum over its plies.  captured[p]: stones that player p took. */
static uint64_t play_moves(const struct banyan_game *game, void *state, char *moves,
                           int captured[2])
{
    uint64_t sum = 0;
    for (char *move = strtok(moves, " \n"); move; move = strtok(NULL, " \n")) {
        banyan_action joint[2];
        struct banyan_error err = {.message = ""};
        int player = game->movers(game, state) == 2, before = stones_of(state, 2 - player);
        sum = sum * 1000003 + legal_checks(game, state, player);
        if (game->action_parse(game, state, player, move, &joint[player], &err) != BANYAN_OK)
            fail_msg("%s", err.message);
        game->apply(game, state, joint, NULL);
        captured[player] += before - stones_of(state, 2 - player);
    }
    return sum;
}

static void check_line(char *line)
{
    static uint64_t state[BANYAN_STATE_MAX / 8];
    const struct banyan_game *game;
    uint64_t sum;
    char name[32];
    int black, white, used = 0, captured[2] = {0};
    assert_int_equal(sscanf(line, "%31s %d %d %" SCNx64 " %n", name, &black, &white, &sum, &used),
                     4);
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    assert_int_equal(game->init(game, state, NULL, NULL, NULL), BANYAN_OK);
    uint64_t ours = play_moves(game, state, line + used, captured);
    if (ours != sum)
        fail_msg("%s: other moves are legal than GNU Go says", name);
    assert_int_equal(captured[0], black);
    assert_int_equal(captured[1], white);
}

int main(int argc, char **argv)
{
    return game_lines_main(argc, argv, TEST_DATA "/gnugo.txt", 40);
}
