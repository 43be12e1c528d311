/* Hex as input of a network, its symmetry, and the exchange of the players. */
#include "games/hex/hex.h"

#include <banyan/observe.h>

#include <string.h>

/* The networks see every player as black: white's board is reflected in the long diagonal, so that
 * the viewer links top and bottom. */
static int planes_cell(const struct hex_state *state, int player, int cell)
{
    return player == 0 ? cell : hex_reflect(state, cell);
}

/* Four planes of size x size: the viewer's stones, the opponent's, whether the viewer is to move,
 * whether the mover may swap. */
void hex_encode(const struct banyan_game *game, const void *at, int viewer, float *planes)
{
    const struct hex_state *state = at;
    int cells = state->size * state->size;
    bool may_swap = state->result == HEX_OPEN && hex_may_swap(state);
    for (int i = 0; i < cells; ++i) {
        int cell = planes_cell(state, viewer, i);
        planes[i] = (float)hex_has(state, HEX_STONES + viewer, cell);
        planes[cells + i] = (float)hex_has(state, HEX_STONES + 1 - viewer, cell);
        planes[2 * cells + i] = (float)(state->mover == viewer);
        planes[3 * cells + i] = (float)may_swap;
    }
}

const struct banyan_feature hex_features[] = {
    {.name = "own", .help = "1 where the viewer's stones are", .shape = {1}, .max = 1},
    {.name = "other", .help = "1 where the opponent's stones are", .shape = {1}, .max = 1},
    {.name = "to-move", .help = "1 everywhere if the viewer is to move", .shape = {1}, .max = 1},
    {.name = "may-swap", .help = "1 everywhere if the mover may swap", .shape = {1}, .max = 1},
    {0}};

int hex_policy_index(const struct banyan_game *game, const void *at, int player,
                     banyan_action action)
{
    const struct hex_state *state = at;
    int cell = (int)action;
    return cell == hex_swap_action(state) ? cell : planes_cell(state, player, cell);
}

/* Writes the image of state to out: the stones of player p on `cell` become stones of player
 * p ^ exchange on image(state, cell). */
static void planes_move(const struct hex_state *state, int exchange,
                        int (*image)(const struct hex_state *state, int cell),
                        struct hex_state *out)
{
    memset(out, 0, HEX_STATE_BYTES(state->size));
    out->size = state->size;
    out->words = state->words;
    out->swap = state->swap;
    for (int player = 0; player < 2; ++player)
        for (int cell = 0; cell < state->size * state->size; ++cell)
            if (hex_has(state, HEX_STONES + player, cell))
                hex_place(out, player ^ exchange, image(state, cell));
    out->mover = (uint8_t)(state->mover ^ exchange);
}

static int planes_same(const struct hex_state *state, int cell)
{
    (void)state;
    return cell;
}

static int planes_turned(const struct hex_state *state, int cell)
{
    return state->size * state->size - 1 - cell;
}

/* k = 0: the position as it is; 1: turned by 180 degrees. */
void hex_symmetry(const struct banyan_game *game, const void *at, int k, void *out)
{
    planes_move(at, 0, k == 1 ? planes_turned : planes_same, out);
}

banyan_action hex_symmetry_action(const struct banyan_game *game, const void *at, int k,
                                  banyan_action action)
{
    const struct hex_state *state = at;
    int cell = (int)action;
    return k == 1 && cell != hex_swap_action(state) ? (banyan_action)planes_turned(state, cell)
                                                    : action;
}

/* Exchanges the colours and reflects the board, so that black still links top and bottom. */
void hex_mirror(const struct banyan_game *game, const void *at, void *out)
{
    planes_move(at, 1, hex_reflect, out);
}

banyan_action hex_mirror_action(const struct banyan_game *game, const void *at,
                                banyan_action action)
{
    const struct hex_state *state = at;
    int cell = (int)action;
    return cell == hex_swap_action(state) ? action : (banyan_action)hex_reflect(state, cell);
}
