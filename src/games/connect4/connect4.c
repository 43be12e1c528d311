/* The rules of Connect Four, and the table of its functions. */
#include "games/connect4/connect4.h"

#include <banyan/observe.h>

#include "base/compiler.h"
#include "base/rng.h"

#include <string.h>

static unsigned connect4_movers(const struct banyan_game *game, const void *at)
{
    const struct connect4_state *state = at;
    return state->result == CONNECT4_OPEN ? 1u << state->mover : 0;
}

static int connect4_legal(const struct banyan_game *game, const void *at, int player,
                          banyan_action *out)
{
    (void)player;
    int count = 0;
    for (unsigned column = 0; column < CONNECT4_COLUMNS; ++column)
        if (connect4_room(at, column))
            out[count++] = column;
    return count;
}

static int connect4_legal_count(const struct banyan_game *game, const void *at, int player)
{
    (void)player;
    return bits_count64(connect4_landings(at));
}

/* Writes a column in which a disc completes a line of four of the mover, or else one in which it
 * would complete a line of the opponent. */
static int connect4_decisive(const struct banyan_game *game, const void *at, int player,
                             banyan_action *out)
{
    (void)player;
    const struct connect4_state *state = at;
    uint64_t landings = connect4_landings(state);
    uint64_t squares = connect4_completes(state->own) & landings;
    if (!squares)
        squares = connect4_completes(state->other) & landings;
    if (squares)
        out[0] = (banyan_action)(bits_first64(squares) / 7);
    return squares != 0;
}

static void connect4_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                           struct banyan_dice *dice)
{
    (void)dice;
    struct connect4_state *state = at;
    connect4_drop(state, (unsigned)joint[state->mover]);
}

static void connect4_returns(const struct banyan_game *game, const void *at, float *out)
{
    const struct connect4_state *state = at;
    out[0] = (float)(state->result == CONNECT4_X_WON) - (float)(state->result == CONNECT4_O_WON);
    out[1] = 0 - out[0];
}

/* The hash key of the position.  Bit 63, which is not a square, stands for the mover. */
static uint64_t connect4_key(const struct banyan_game *game, const void *at, int viewer)
{
    (void)viewer;
    const struct connect4_state *state = at;
    return rng_mix(state->own ^ rng_mix(state->other ^ (uint64_t)state->mover << 63));
}

/* Plays random moves.  When a full column is drawn, another is drawn: the open columns stay equally
 * likely. */
static void connect4_rollout(const struct banyan_game *game, void *at, int policy, int max_plies,
                             struct banyan_rng *rng)
{
    (void)policy;
    struct connect4_state state = *(struct connect4_state *)at;
    struct banyan_rng stream = *rng;
    while (state.result == CONNECT4_OPEN && max_plies > 0) {
        unsigned column = rng_below(&stream, CONNECT4_COLUMNS);
        if (connect4_room(&state, column)) {
            connect4_drop(&state, column);
            --max_plies;
        }
    }
    *rng = stream;
    memcpy(at, &state, sizeof state);
}

/* Three planes of 6 x 7, top row first: the viewer's discs, the opponent's, and whether the viewer
 * is to move. */
static void connect4_encode(const struct banyan_game *game, const void *at, int viewer,
                            float *planes)
{
    const struct connect4_state *state = at;
    bool moves = state->mover == viewer;
    uint64_t own = moves ? state->own : state->other, other = moves ? state->other : state->own;
    for (int i = 0; i < CONNECT4_SQUARES; ++i) {
        int square = 7 * (i % CONNECT4_COLUMNS) + CONNECT4_ROWS - 1 - i / CONNECT4_COLUMNS;
        planes[i] = (float)(own >> square & 1);
        planes[CONNECT4_SQUARES + i] = (float)(other >> square & 1);
        planes[2 * CONNECT4_SQUARES + i] = (float)moves;
    }
}

static int connect4_policy_index(const struct banyan_game *game, const void *at, int player,
                                 banyan_action action)
{
    (void)at;
    return (int)action;
}

static uint64_t connect4_mirror_columns(uint64_t discs)
{
    uint64_t image = 0;
    for (int column = 0; column < CONNECT4_COLUMNS; ++column)
        image |= (discs >> 7 * column & 63) << 7 * (CONNECT4_COLUMNS - 1 - column);
    return image;
}

/* k = 0: the position as it is; 1: left and right exchanged. */
static void connect4_symmetry(const struct banyan_game *game, const void *at, int k, void *out)
{
    struct connect4_state image = *(const struct connect4_state *)at;
    if (k == 1) {
        image.own = connect4_mirror_columns(image.own);
        image.other = connect4_mirror_columns(image.other);
    }
    memcpy(out, &image, sizeof image);
}

static banyan_action connect4_symmetry_action(const struct banyan_game *game, const void *at, int k,
                                              banyan_action action)
{
    (void)at;
    return k == 1 ? CONNECT4_COLUMNS - 1 - action : action;
}

/* Exchanges the players' names.  Discs are stored as the mover's and the opponent's, so they stay
 * as they are. */
static void connect4_mirror(const struct banyan_game *game, const void *at, void *out)
{
    static const uint8_t results[] = {[CONNECT4_OPEN] = CONNECT4_OPEN,
                                      [CONNECT4_X_WON] = CONNECT4_O_WON,
                                      [CONNECT4_O_WON] = CONNECT4_X_WON,
                                      [CONNECT4_DRAWN] = CONNECT4_DRAWN};
    struct connect4_state image = *(const struct connect4_state *)at;
    image.mover = (uint8_t)(1 - image.mover);
    image.result = results[image.result];
    memcpy(out, &image, sizeof image);
}

static banyan_action connect4_mirror_action(const struct banyan_game *game, const void *at,
                                            banyan_action action)
{
    (void)at;
    return action;
}

static const struct banyan_feature connect4_features[] = {
    {.name = "own", .help = "1 where the viewer's discs are", .shape = {1}, .max = 1},
    {.name = "other", .help = "1 where the opponent's discs are", .shape = {1}, .max = 1},
    {.name = "to-move", .help = "1 everywhere if the viewer is to move", .shape = {1}, .max = 1},
    {0}};

static const struct banyan_game connect4 = {
    .struct_size = sizeof(struct banyan_game),
    .name = "connect4",
    .title = "Connect Four",
    .players = 2,
    .state_size = sizeof(struct connect4_state),
    .action_bytes = 1,
    .max_legal = CONNECT4_COLUMNS,
    .max_plies = CONNECT4_SQUARES,
    .return_min = -1,
    .return_max = 1,
    .policy_size = CONNECT4_COLUMNS,
    .planes = {3, CONNECT4_ROWS, CONNECT4_COLUMNS},
    .traits = BANYAN_ZERO_SUM,
    .init = connect4_init,
    .movers = connect4_movers,
    .legal = connect4_legal,
    .apply = connect4_apply,
    .returns = connect4_returns,
    .key = connect4_key,
    .format = connect4_format,
    .action_format = connect4_action_format,
    .action_parse = connect4_action_parse,
    .rollout = connect4_rollout,
    .heuristic = connect4_heuristic,
    .bounds = connect4_bounds,
    .legal_count = connect4_legal_count,
    .decisive = connect4_decisive,
    .encode = connect4_encode,
    .features = connect4_features,
    .policy_index = connect4_policy_index,
    .symmetries = 2,
    .symmetry = connect4_symmetry,
    .symmetry_action = connect4_symmetry_action,
    .mirror = connect4_mirror,
    .mirror_action = connect4_mirror_action,
    .draw = connect4_draw,
    .player_names = (const char *const[]){"X", "O"},
    .svg = connect4_svg,
    .board = connect4_board,
    .board_cells = connect4_board_cells,
};

const struct banyan_game *connect4_variant(int index);
const struct banyan_game *connect4_variant(int index)
{
    return index == 0 ? &connect4 : NULL;
}
