/* The rules of Go, and the tables of its functions: boards of 9x9, 13x13 and 19x19. */
#include "games/go/go.h"

#include "games/go/chains.h"

#include <string.h>

int go_neighbours(int size, int cell, int out[4])
{
    int row = cell / size, column = cell % size, count = 0;
    if (row > 0)
        out[count++] = cell - size;
    if (column > 0)
        out[count++] = cell - 1;
    if (column < size - 1)
        out[count++] = cell + 1;
    if (row < size - 1)
        out[count++] = cell + size;
    return count;
}

bool go_is_over(const struct go_state *state)
{
    const uint16_t *moves = go_moves(state);
    int plies = state->plies;
    bool passed =
        plies >= 2 && moves[plies - 1] == go_pass(state) && moves[plies - 2] == go_pass(state);
    return passed || plies == go_plies_max(state);
}

void go_begin(struct go_state *state)
{
    uint64_t hash = 0;
    memcpy(go_stones(state), go_start(state), (size_t)go_cells(state));
    for (int cell = 0; cell < go_cells(state); ++cell)
        if (go_stones(state)[cell] != GO_EMPTY)
            hash ^= go_hash_stone(go_stones(state)[cell], cell);
    state->mover = state->first;
    state->past[0] = hash;
}

/* Writes the chain of the stone on `cell` to chain[].  Returns its size, 0 as soon as a liberty is
 * found. */
static int go_captured_chain(const struct go_state *state, int cell, uint16_t chain[])
{
    const uint8_t *stones = go_stones(state);
    uint8_t in_chain[GO_CELLS_MAX] = {0};
    int count = 0, next[4];
    chain[count++] = (uint16_t)cell;
    in_chain[cell] = 1;
    for (int i = 0; i < count; ++i) {
        int near = go_neighbours(state->size, chain[i], next);
        for (int k = 0; k < near; ++k) {
            if (stones[next[k]] == GO_EMPTY)
                return 0;
            if (stones[next[k]] != stones[cell] || in_chain[next[k]])
                continue;
            in_chain[next[k]] = 1;
            chain[count++] = (uint16_t)next[k];
        }
    }
    return count;
}

bool go_has_liberty(const struct go_state *state, int cell)
{
    uint16_t chain[GO_CELLS_MAX];
    return go_captured_chain(state, cell, chain) == 0;
}

/* Takes the other player's chains beside `cell` that have no liberty left; returns the hash of the
 * board. */
static uint64_t go_capture(struct go_state *state, int cell, uint64_t hash)
{
    uint8_t *stones = go_stones(state);
    uint16_t chain[GO_CELLS_MAX];
    int next[4], near = go_neighbours(state->size, cell, next), other = 3 - stones[cell];
    for (int k = 0; k < near; ++k) {
        int count = stones[next[k]] == other ? go_captured_chain(state, next[k], chain) : 0;
        for (int i = 0; i < count; ++i) {
            stones[chain[i]] = GO_EMPTY;
            hash ^= go_hash_stone(other, chain[i]);
            state->captured = 1;
        }
    }
    return hash;
}

void go_play(struct go_state *state, int action)
{
    uint64_t hash = go_hash(state);
    if (action != go_pass(state)) {
        go_stones(state)[action] = (uint8_t)(1 + state->mover);
        hash = go_capture(state, action, hash ^ go_hash_stone(1 + state->mover, action));
    }
    go_moves(state)[state->plies] = (uint16_t)action;
    state->past[++state->plies] = hash;
    state->mover = (uint8_t)(1 - state->mover);
}

/* Whether the present board has occurred earlier in the game. */
static bool go_has_been(const struct go_state *state)
{
    for (int i = 0; i < state->plies; ++i)
        if (state->past[i] == go_hash(state))
            return true;
    return false;
}

const char *go_forbidden(const struct go_state *state, int action)
{
    uint64_t copy[BANYAN_STATE_MAX / 8];
    struct go_state *after = (struct go_state *)copy;
    if (go_is_over(state))
        return "the game is over";
    if (action == go_pass(state))
        return NULL;
    if (go_stones(state)[action] != GO_EMPTY)
        return "a stone stands there";
    memcpy(copy, state, GO_STATE_BYTES((size_t)state->size));
    go_play(after, action);
    if (!go_has_liberty(after, action))
        return "the stone would have no liberty (suicide)";
    return go_has_been(after) ? "it repeats an earlier board (superko)" : NULL;
}

static unsigned go_movers(const struct banyan_game *game, const void *at)
{
    const struct go_state *state = at;
    return go_is_over(state) ? 0 : 1u << state->mover;
}

static int go_legal(const struct banyan_game *game, const void *at, int player, banyan_action *out)
{
    (void)player;
    struct go_chains board;
    const uint8_t *stones = go_stones(at);
    int count = 0;
    go_chains_take(&board, at);
    for (int cell = 0; cell < go_pass(at); ++cell)
        if (stones[cell] == GO_EMPTY && go_chains_legal(&board, go_point(&board, cell)))
            out[count++] = (banyan_action)cell;
    out[count++] = (banyan_action)go_pass(at);
    return count;
}

static void go_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                     struct banyan_dice *dice)
{
    (void)dice;
    struct go_state *state = at;
    go_play(state, (int)joint[state->mover]);
}

/* The hash key of the position.  The earlier boards decide what is legal, now and later, so they
 * are part of the key. */
static uint64_t go_key(const struct banyan_game *game, const void *at, int viewer)
{
    (void)viewer;
    const struct go_state *state = at;
    const uint16_t *moves = go_moves(state);
    bool passed = state->plies > 0 && moves[state->plies - 1] == go_pass(state);
    uint64_t past = 0;
    for (int i = 0; i < state->plies; ++i)
        past += rng_mix(state->past[i]);
    uint64_t rest = (uint64_t)(uint16_t)state->komi << 32 | (uint64_t)state->plies << 3 |
                    (uint64_t)go_is_over(state) << 2 | (uint64_t)passed << 1 | state->mover;
    return rng_mix(past ^ rng_mix(go_hash(state) ^ rng_mix(rest)));
}

static const char *const go_players[] = {"black", "white"};

/* Games without levels of their own get levels that evaluate by random playouts; in Go none of
 * these plays better than a beginner. */
static const char *const go_levels[] = {
    "random", "best:simulations=20", "best:simulations=100", "best:simulations=600", "best", NULL};

#define GO_VARIANT(name_, n)                                                                     \
    {                                                                                            \
        .struct_size = sizeof(struct banyan_game), .name = name_, .title = "Go (" #n "x" #n ")", \
        .players = 2, .state_size = GO_STATE_BYTES(n), .action_bytes = (n) < 16 ? 1 : 2,         \
        .max_legal = (n) * (n) + 1, .max_plies = GO_PLIES(n), .return_min = -1, .return_max = 1, \
        .policy_size = (n) * (n) + 1, .planes = {8, n, n}, .traits = BANYAN_ZERO_SUM,            \
        .init = go_init, .movers = go_movers, .legal = go_legal, .apply = go_apply,              \
        .returns = go_returns, .key = go_key, .format = go_format,                               \
        .action_format = go_action_format, .action_parse = go_action_parse,                      \
        .action_count = (n) * (n) + 1, .rollout = go_rollout, .rollout_policies = go_policies,   \
        .rollout_logged = go_rollout_logged, .encode = go_encode, .features = go_features,       \
        .policy_index = go_policy_index, .symmetries = 8, .symmetry = go_symmetry,               \
        .symmetry_action = go_symmetry_action, .mirror = go_mirror,                              \
        .mirror_action = go_mirror_action, .targets = go_targets, .points = go_points,           \
        .priors = go_priors, .draw = go_draw, .svg = go_svg, .board = go_board,                  \
        .board_cells = go_board_cells, .player_names = go_players,                               \
        .best = "mcts:rule=grave,grave-prior=20,evaluator=(rollout:policy=answer)",              \
        .levels = go_levels,                                                                     \
    }

static const struct banyan_game variants[] = {
    GO_VARIANT("go-9x9", 9),
    GO_VARIANT("go-13x13", 13),
    GO_VARIANT("go", 19),
};

const struct banyan_game *go_variant(int index);
const struct banyan_game *go_variant(int index)
{
    return index < (int)(sizeof variants / sizeof *variants) ? &variants[index] : NULL;
}
