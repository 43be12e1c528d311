/* Random play in Hex.  A stone never hurts its owner, and exactly one side links its edges on a
 * full board.  So the board is filled at random, and the winner is found once. */
#include "games/hex/hex.h"

#include "base/compiler.h"
#include "base/rng.h"

#include <string.h>

/* Black's edges are above and below the board, white's to the left and right of it. */
static bool rollout_is_black(const struct hex_state *state, int row, int column)
{
    if (row < 0 || row >= state->size)
        return true;
    if (column < 0 || column >= state->size)
        return false;
    return hex_has(state, HEX_STONES, state->size * row + column);
}

/* Follows the border between black and white from the corner a1, where top and left edge meet.
 *
 *      black . ahead        The white cell is at (row, column); the black one is its neighbour in
 *         \ / \             `direction`, the cell ahead is the next neighbour clockwise.  A step
 *       white               makes the cell ahead the new black or white cell, by its colour.
 *
 * Black stones along this border are connected with the top, white ones with the left edge.  So
 * black has won if the border comes to the bottom, and white if it comes to the right.  There are
 * about size^1.75 steps, fewer than cells. */
enum hex_result hex_full_result(const struct hex_state *state)
{
    /* the six directions, counterclockwise from the right */
    static const int8_t rows[6] = {0, -1, -1, 0, 1, 1}, columns[6] = {1, 1, 0, -1, -1, 0};
    int row = 0, column = -1, direction = 1;
    for (;;) {
        int ahead = direction == 0 ? 5 : direction - 1;
        int r = row + rows[ahead], c = column + columns[ahead];
        if (rollout_is_black(state, r, c)) {
            if (r == state->size)
                return HEX_BLACK_WON;
            direction = ahead;
        } else {
            if (c == state->size)
                return HEX_WHITE_WON;
            row = r;
            column = c;
            direction = direction == 5 ? 0 : direction + 1;
        }
    }
}

/* Writes the empty cells to out and returns their number. */
static int rollout_empty(const struct hex_state *state, uint16_t out[])
{
    int count = 0;
    for (int i = 0; i < state->words; ++i)
        for (uint64_t left = hex_empty(state, i); left; left &= left - 1)
            out[count++] = (uint16_t)(64 * i + bits_first64(left));
    return count;
}

/* Adds player's moves on `count` cells to playout, unless it is NULL. */
static void rollout_note(const struct hex_state *state, struct banyan_playout *playout, int player,
                         const uint16_t cells[], int count)
{
    int first = player * (state->size * state->size + 1);
    for (int i = 0; playout && i < count && playout->count < playout->room; ++i)
        playout->moves[playout->count++] = (uint32_t)(first + cells[i]);
}

/* Fills the board: every way in which the players can share the cells is equally likely.  cells[]
 * is reordered, so that the cells of the mover come first. */
static void rollout_fill(struct hex_state *state, uint16_t cells[], int count,
                         struct banyan_rng *rng)
{
    int own = (count + 1) / 2, mover = state->mover;
    for (int i = 0; i < own; ++i) {
        int k = i + (int)rng_below(rng, (uint32_t)(count - i));
        uint16_t cell = cells[k];
        cells[k] = cells[i];
        cells[i] = cell;
        hex_add(state, HEX_STONES + mover, cell);
    }
    for (int i = 0; i < state->words; ++i)
        state->bits[(HEX_STONES + 1 - mover) * state->words + i] |= hex_empty(state, i);
    state->mover = (uint8_t)(count % 2 == 0 ? mover : 1 - mover);
    state->result = (uint8_t)hex_full_result(state);
    memset(state->bits + HEX_LINKED * state->words, 0, 2 * 8 * (size_t)state->words);
}

/* One random ply; "swap" is as likely as each of the cells.  Returns the action. */
static uint16_t rollout_ply(struct hex_state *state, struct banyan_rng *rng)
{
    uint16_t cells[HEX_CELLS_MAX + 1];
    int count = rollout_empty(state, cells);
    if (hex_may_swap(state))
        cells[count++] = (uint16_t)hex_swap_action(state);
    uint16_t action = cells[rng_below(rng, (uint32_t)count)];
    hex_play(state, action);
    return action;
}

void hex_rollout_logged(const struct banyan_game *game, void *at, int policy, int max_plies,
                        struct banyan_rng *rng, struct banyan_playout *playout)
{
    (void)policy;
    struct hex_state *state = at;
    uint16_t cells[HEX_CELLS_MAX];
    while (state->result == HEX_OPEN && max_plies > 0) {
        int count = rollout_empty(state, cells), mover = state->mover, own = (count + 1) / 2;
        if (!state->swap && count <= max_plies) {
            rollout_fill(state, cells, count, rng);
            rollout_note(state, playout, mover, cells, own);
            rollout_note(state, playout, 1 - mover, cells + own, count - own);
            return;
        }
        uint16_t action = rollout_ply(state, rng);
        rollout_note(state, playout, mover, &action, 1);
        --max_plies;
    }
}

void hex_rollout(const struct banyan_game *game, void *at, int policy, int max_plies,
                 struct banyan_rng *rng)
{
    hex_rollout_logged(game, at, policy, max_plies, rng, NULL);
}
