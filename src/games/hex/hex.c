/* The rules of Hex, and the tables of its functions: boards of 5x5 to 19x19. */
#include "games/hex/hex.h"

#include "base/compiler.h"
#include "base/rng.h"

#include <string.h>

/* Writes the neighbours of a cell to out[6] and returns how many there are. */
static int hex_neighbours(int size, int cell, int out[6])
{
    static const int8_t steps[6][2] = {{0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}, {1, 0}};
    int row = cell / size, column = cell % size, count = 0;
    for (int i = 0; i < 6; ++i) {
        int r = row + steps[i][0], c = column + steps[i][1];
        if (r >= 0 && r < size && c >= 0 && c < size)
            out[count++] = r * size + c;
    }
    return count;
}

int hex_count(const struct hex_state *state, int player)
{
    int count = 0;
    for (int i = 0; i < state->words; ++i)
        count += bits_count64(hex_bits(state, HEX_STONES + player)[i]);
    return count;
}

bool hex_may_swap(const struct hex_state *state)
{
    return state->swap && hex_count(state, 1 - state->mover) == 1;
}

/* The distance of a cell from player's first edge: 0 to size - 1. */
static int hex_distance(const struct hex_state *state, int player, int cell)
{
    return player == 0 ? cell / state->size : cell % state->size;
}

/* Whether a cell lies at player's first edge or next to a linked stone of player. */
static bool hex_is_reached(const struct hex_state *state, int player, int cell)
{
    int next[6], count = hex_neighbours(state->size, cell, next);
    bool reached = hex_distance(state, player, cell) == 0;
    for (int i = 0; i < count; ++i)
        reached = reached || hex_has(state, HEX_LINKED + player, next[i]);
    return reached;
}

/* Links the stone on `cell` and all stones connected with it.  True: they reach the far edge. */
static bool hex_link(struct hex_state *state, int player, int cell)
{
    int waiting[HEX_CELLS_MAX], count = 0; /* linked stones whose neighbours are not examined */
    bool arrived = false;
    hex_add(state, HEX_LINKED + player, cell);
    waiting[count++] = cell;
    while (count > 0) {
        int next[6], from = waiting[--count], near = hex_neighbours(state->size, from, next);
        arrived = arrived || hex_distance(state, player, from) == state->size - 1;
        for (int i = 0; i < near; ++i) {
            if (!hex_has(state, HEX_STONES + player, next[i]) ||
                hex_has(state, HEX_LINKED + player, next[i]))
                continue;
            hex_add(state, HEX_LINKED + player, next[i]);
            waiting[count++] = next[i];
        }
    }
    return arrived;
}

void hex_place(struct hex_state *state, int player, int cell)
{
    hex_add(state, HEX_STONES + player, cell);
    if (state->result != HEX_OPEN || !hex_is_reached(state, player, cell) ||
        !hex_link(state, player, cell))
        return;
    state->result = (uint8_t)(HEX_BLACK_WON + player);
    memset(state->bits + HEX_LINKED * state->words, 0, 2 * 8 * (size_t)state->words);
}

/* The opponent's only stone becomes one of the mover's, reflected. */
static void hex_swap(struct hex_state *state)
{
    const uint64_t *theirs = hex_bits(state, HEX_STONES + 1 - state->mover);
    int word = 0;
    while (!theirs[word])
        ++word;
    int cell = 64 * word + bits_first64(theirs[word]);
    memset(state->bits, 0, HEX_SETS * 8 * (size_t)state->words);
    hex_place(state, state->mover, hex_reflect(state, cell));
}

void hex_play(struct hex_state *state, int action)
{
    bool second = hex_may_swap(state);
    if (action == hex_swap_action(state))
        hex_swap(state);
    else
        hex_place(state, state->mover, action);
    if (second)
        state->swap = 0;
    state->mover = (uint8_t)(1 - state->mover);
}

static unsigned hex_movers(const struct banyan_game *game, const void *at)
{
    const struct hex_state *state = at;
    return state->result == HEX_OPEN ? 1u << state->mover : 0;
}

static int hex_legal(const struct banyan_game *game, const void *at, int player, banyan_action *out)
{
    (void)player;
    const struct hex_state *state = at;
    int count = 0;
    for (int i = 0; i < state->words; ++i)
        for (uint64_t left = hex_empty(state, i); left; left &= left - 1)
            out[count++] = (banyan_action)(64 * i + bits_first64(left));
    if (hex_may_swap(state))
        out[count++] = (banyan_action)hex_swap_action(state);
    return count;
}

static void hex_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                      struct banyan_dice *dice)
{
    (void)dice;
    struct hex_state *state = at;
    hex_play(state, (int)joint[state->mover]);
}

static void hex_returns(const struct banyan_game *game, const void *at, float *out)
{
    const struct hex_state *state = at;
    out[0] = state->result == HEX_BLACK_WON ? 1 : -1;
    out[1] = 0 - out[0];
}

/* The hash key of the position.  The linked sets follow from the stones. */
static uint64_t hex_key(const struct banyan_game *game, const void *at, int viewer)
{
    (void)viewer;
    const struct hex_state *state = at;
    uint64_t key = (uint64_t)(1 + state->mover + 2 * state->swap);
    for (int i = 0; i < 2 * state->words; ++i)
        key = rng_mix(key * 0x9e3779b97f4a7c15u ^ state->bits[i]);
    return key;
}

static const char *const hex_players[] = {"black", "white"};

/* max_plies: every cell is filled, and once a stone is swapped. */
#define HEX_VARIANT(name_, n)                                                                     \
    {                                                                                             \
        .struct_size = sizeof(struct banyan_game), .name = name_, .title = "Hex (" #n "x" #n ")", \
        .players = 2, .state_size = HEX_STATE_BYTES(n), .action_bytes = (n) < 16 ? 1 : 2,         \
        .max_legal = (n) * (n), .max_plies = (n) * (n) + 1, .return_min = -1, .return_max = 1,    \
        .policy_size = (n) * (n) + 1, .planes = {4, n, n}, .traits = BANYAN_ZERO_SUM,             \
        .init = hex_init, .movers = hex_movers, .legal = hex_legal, .apply = hex_apply,           \
        .returns = hex_returns, .key = hex_key, .format = hex_format,                             \
        .action_format = hex_action_format, .action_parse = hex_action_parse,                     \
        .action_count = (n) * (n) + 1, .rollout = hex_rollout,                                    \
        .rollout_logged = hex_rollout_logged, .encode = hex_encode, .features = hex_features,     \
        .policy_index = hex_policy_index, .symmetries = 2, .symmetry = hex_symmetry,              \
        .symmetry_action = hex_symmetry_action, .mirror = hex_mirror,                             \
        .mirror_action = hex_mirror_action, .draw = hex_draw, .svg = hex_svg,                     \
        .player_names = hex_players, .best = "mcts:rule=grave,grave-bias=0.001",                  \
        .board = hex_board, .board_cells = hex_board_cells,                                       \
    }

static const struct banyan_game variants[] = {
    HEX_VARIANT("hex", 11),       HEX_VARIANT("hex-5x5", 5),    HEX_VARIANT("hex-6x6", 6),
    HEX_VARIANT("hex-7x7", 7),    HEX_VARIANT("hex-8x8", 8),    HEX_VARIANT("hex-9x9", 9),
    HEX_VARIANT("hex-10x10", 10), HEX_VARIANT("hex-12x12", 12), HEX_VARIANT("hex-13x13", 13),
    HEX_VARIANT("hex-14x14", 14), HEX_VARIANT("hex-15x15", 15), HEX_VARIANT("hex-16x16", 16),
    HEX_VARIANT("hex-17x17", 17), HEX_VARIANT("hex-18x18", 18), HEX_VARIANT("hex-19x19", 19),
};

const struct banyan_game *hex_variant(int index);
const struct banyan_game *hex_variant(int index)
{
    return index < (int)(sizeof variants / sizeof *variants) ? &variants[index] : NULL;
}
