/* The rules of tic-tac-toe, and the table of its functions: the model for a game inside Banyan
 * (docs/adding-a-game.md). */
#include "games/tictactoe/tictactoe.h"

#include <banyan/observe.h>

#include "base/compiler.h"
#include "base/rng.h"

#include <string.h>

static unsigned tictactoe_movers(const struct banyan_game *game, const void *at)
{
    const struct tictactoe_state *state = at;
    return state->result == TICTACTOE_OPEN ? 1u << state->mover : 0;
}

static int tictactoe_legal(const struct banyan_game *game, const void *at, int player,
                           banyan_action *out)
{
    (void)player;
    int count = 0;
    for (unsigned left = tictactoe_empty(at); left; left &= left - 1)
        out[count++] = (banyan_action)bits_first64(left);
    return count;
}

static int tictactoe_legal_count(const struct banyan_game *game, const void *at, int player)
{
    (void)player;
    return bits_count64(tictactoe_empty(at));
}

/* Writes a square that completes a line of the mover, or else one that would complete a line of the
 * opponent. */
static int tictactoe_decisive(const struct banyan_game *game, const void *at, int player,
                              banyan_action *out)
{
    const struct tictactoe_state *state = at;
    unsigned empty = tictactoe_empty(state);
    unsigned squares = tictactoe_completes(state->marks[player]) & empty;
    if (!squares)
        squares = tictactoe_completes(state->marks[1 - player]) & empty;
    if (squares)
        out[0] = (banyan_action)bits_first64(squares);
    return squares != 0;
}

static void tictactoe_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                            struct banyan_dice *dice)
{
    (void)dice;
    struct tictactoe_state *state = at;
    tictactoe_mark(state, (unsigned)joint[state->mover]);
}

static void tictactoe_returns(const struct banyan_game *game, const void *at, float *out)
{
    const struct tictactoe_state *state = at;
    out[0] = (float)(state->result == TICTACTOE_X_WON) - (float)(state->result == TICTACTOE_O_WON);
    out[1] = 0 - out[0];
}

/* The hash key of the position; the viewer does not matter, because nothing is hidden.  The mover
 * is part of the key because mirror() makes positions in which O moved first. */
static uint64_t tictactoe_key(const struct banyan_game *game, const void *at, int viewer)
{
    (void)viewer;
    const struct tictactoe_state *state = at;
    return rng_mix(0x746963746163746fu + state->marks[0] + ((uint64_t)state->marks[1] << 9) +
                   ((uint64_t)state->mover << 18));
}

/* The numbers of the empty squares, four bits each, lowest first. */
static uint64_t tictactoe_squares(unsigned empty, int count)
{
    if (count == TICTACTOE_SQUARES)
        return 0x876543210u;
    uint64_t list = 0;
    for (int at = 0; at < 4 * count; at += 4, empty &= empty - 1)
        list |= (uint64_t)bits_first64(empty) << at;
    return list;
}

/* Plays random moves.  The last entry of the list replaces the square that was drawn.  One random
 * fraction of 60 bits gives all draws of a game: the 9! orders of the squares share the 2^60
 * fractions, so no order is favoured by more than one part in 2^41. */
static void tictactoe_rollout(const struct banyan_game *game, void *at, int policy, int max_plies,
                              struct banyan_rng *rng)
{
    (void)policy;
    struct tictactoe_state state = *(struct tictactoe_state *)at;
    int count = bits_count64(tictactoe_empty(&state));
    uint64_t list = tictactoe_squares(tictactoe_empty(&state), count);
    uint64_t fraction = rng_next(rng) >> 4, unit = (uint64_t)1 << 60;
    while (state.result == TICTACTOE_OPEN && max_plies-- > 0) {
        uint64_t product = fraction * (uint64_t)count--;
        fraction = product & (unit - 1);
        int drawn = 4 * (int)(product >> 60);
        unsigned square = list >> drawn & 15;
        list ^= (square ^ (list >> 4 * count & 15)) << drawn;
        tictactoe_mark(&state, square);
    }
    memcpy(at, &state, sizeof state);
}

static void tictactoe_bounds(const struct banyan_game *game, const void *at, int player, float *lo,
                             float *hi)
{
    const struct tictactoe_state *state = at;
    float both[2];
    tictactoe_returns(game, at, both);
    *lo = state->result == TICTACTOE_OPEN ? -1 : both[player];
    *hi = state->result == TICTACTOE_OPEN ? 1 : both[player];
}

/* Three planes: the viewer's marks, the opponent's, and whether the viewer is to move. */
static void tictactoe_encode(const struct banyan_game *game, const void *at, int viewer,
                             float *planes)
{
    const struct tictactoe_state *state = at;
    for (int square = 0; square < TICTACTOE_SQUARES; ++square) {
        planes[square] = (float)(state->marks[viewer] >> square & 1);
        planes[9 + square] = (float)(state->marks[1 - viewer] >> square & 1);
        planes[18 + square] = (float)(state->mover == viewer);
    }
}

static int tictactoe_policy_index(const struct banyan_game *game, const void *at, int player,
                                  banyan_action action)
{
    (void)at;
    return (int)action;
}

/* Each bit of k switches one symmetry on: 1 mirrors the columns, 2 mirrors the rows, 4 exchanges
 * rows and columns. */
static banyan_action tictactoe_symmetry_action(const struct banyan_game *game, const void *at,
                                               int k, banyan_action action)
{
    (void)at;
    banyan_action row = action / 3, column = action % 3;
    if (k & 1)
        column = 2 - column;
    if (k & 2)
        row = 2 - row;
    return k & 4 ? 3 * column + row : 3 * row + column;
}

static void tictactoe_symmetry(const struct banyan_game *game, const void *at, int k, void *out)
{
    const struct tictactoe_state *state = at;
    struct tictactoe_state image = *state;
    for (int player = 0; player < 2; ++player) {
        unsigned marks = 0;
        for (unsigned left = state->marks[player]; left; left &= left - 1)
            marks |=
                1u << tictactoe_symmetry_action(NULL, at, k, (banyan_action)bits_first64(left));
        image.marks[player] = (uint16_t)marks;
    }
    memcpy(out, &image, sizeof image);
}

/* The position with X and O exchanged.  The mover also gets the other name. */
static void tictactoe_mirror(const struct banyan_game *game, const void *at, void *out)
{
    static const uint8_t results[] = {[TICTACTOE_OPEN] = TICTACTOE_OPEN,
                                      [TICTACTOE_X_WON] = TICTACTOE_O_WON,
                                      [TICTACTOE_O_WON] = TICTACTOE_X_WON,
                                      [TICTACTOE_DRAWN] = TICTACTOE_DRAWN};
    const struct tictactoe_state *state = at;
    struct tictactoe_state image = {.marks = {state->marks[1], state->marks[0]},
                                    .mover = (uint8_t)(1 - state->mover),
                                    .result = results[state->result]};
    memcpy(out, &image, sizeof image);
}

static banyan_action tictactoe_mirror_action(const struct banyan_game *game, const void *at,
                                             banyan_action action)
{
    (void)at;
    return action;
}

static const struct banyan_feature tictactoe_features[] = {
    {.name = "own", .help = "1 where the viewer's marks are", .shape = {1}, .max = 1},
    {.name = "other", .help = "1 where the opponent's marks are", .shape = {1}, .max = 1},
    {.name = "to-move", .help = "1 everywhere if the viewer is to move", .shape = {1}, .max = 1},
    {0}};

static const struct banyan_game tictactoe = {
    .struct_size = sizeof(struct banyan_game),
    .name = "tictactoe",
    .title = "Tic-tac-toe",
    .players = 2,
    .state_size = sizeof(struct tictactoe_state),
    .action_bytes = 1,
    .max_legal = TICTACTOE_SQUARES,
    .max_plies = TICTACTOE_SQUARES,
    .return_min = -1,
    .return_max = 1,
    .policy_size = TICTACTOE_SQUARES,
    .planes = {3, 3, 3},
    .traits = BANYAN_ZERO_SUM,
    .init = tictactoe_init,
    .movers = tictactoe_movers,
    .legal = tictactoe_legal,
    .apply = tictactoe_apply,
    .returns = tictactoe_returns,
    .key = tictactoe_key,
    .format = tictactoe_format,
    .action_format = tictactoe_action_format,
    .action_parse = tictactoe_action_parse,
    .rollout = tictactoe_rollout,
    .legal_count = tictactoe_legal_count,
    .decisive = tictactoe_decisive,
    .bounds = tictactoe_bounds,
    .encode = tictactoe_encode,
    .features = tictactoe_features,
    .policy_index = tictactoe_policy_index,
    .symmetries = 8,
    .symmetry = tictactoe_symmetry,
    .symmetry_action = tictactoe_symmetry_action,
    .mirror = tictactoe_mirror,
    .mirror_action = tictactoe_mirror_action,
    .draw = tictactoe_draw,
    .player_names = (const char *const[]){"X", "O"},
    .levels =
        (const char *const[]){"random", "mcts:simulations=4", "mcts:simulations=9", "best", NULL},
    .svg = tictactoe_svg,
    .board = tictactoe_board,
    .board_cells = tictactoe_board_cells,
};

const struct banyan_game *tictactoe_variant(int index);
const struct banyan_game *tictactoe_variant(int index)
{
    return index == 0 ? &tictactoe : NULL;
}
