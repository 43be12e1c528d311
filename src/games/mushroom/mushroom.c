/* The rules of the mushroom game, and one table of its functions for each kind of processor.  FIRST
 * is player 0. */
#include "games/mushroom/mushroom.h"

#include "base/cpu.h"
#include "games/mushroom/general.h"
#include "games/mushroom/table.h"
#include "games/mushroom/windows_portable.h"

#include "games/mushroom/play.inc.h"

static int mushroom_legal_portable(const struct banyan_game *game, const void *state, int player,
                                   banyan_action *out)
{
    (void)player;
    return play_legal(state, out);
}

static void mushroom_priors_portable(const struct banyan_game *game, const void *state, int player,
                                     const banyan_action *actions, int n, float *out)
{
    play_priors(state, player, actions, n, out);
}

static void mushroom_apply_portable(const struct banyan_game *game, void *at,
                                    const banyan_action joint[], struct banyan_dice *dice)
{
    (void)dice;
    struct mushroom_state *state = at;
    play_action(state, (int)joint[state->mover]);
}

static void mushroom_rollout_portable(const struct banyan_game *game, void *state, int policy,
                                      int max_plies, struct banyan_rng *rng)
{
    play_rollout(state, policy, max_plies, rng);
}

static unsigned mushroom_movers(const struct banyan_game *game, const void *at)
{
    const struct mushroom_state *state = at;
    return state->passes >= 2 ? 0 : 1u << state->mover;
}

static void mushroom_returns(const struct banyan_game *game, const void *at, float *out)
{
    int difference = mushroom_difference(at, 0);
    out[0] = (float)((difference > 0) - (difference < 0));
    out[1] = 0 - out[0];
}

static void mushroom_points(const struct banyan_game *game, const void *at, float *out)
{
    const struct mushroom_state *state = at;
    for (int player = 0; player < 2; ++player)
        out[player] = (float)cells_count(state->owned[player]);
}

/* The second pass in a row ends the game: the player who is ahead wins by passing. */
static int mushroom_decisive(const struct banyan_game *game, const void *at, int player,
                             banyan_action *out)
{
    const struct mushroom_state *state = at;
    out[0] = BOARD_PASS;
    return state->passes > 0 && mushroom_difference(state, player) > 0;
}

/* The hash key: it covers all fields but the last action.  Four independent sums are faster than
 * one chain of multiplications. */
static uint64_t mushroom_key(const struct banyan_game *game, const void *at, int viewer)
{
    (void)viewer;
    const struct mushroom_state *state = at;
    uint64_t words[BOARD_BYTES / 8], sums[4] = {0, 1, 2, 3};
    memcpy(words, state->digits, sizeof words);
    for (int i = 0; i < BOARD_BYTES / 8; ++i)
        sums[i & 3] = rng_rotate(sums[i & 3] * 0x9fb21c651e98df25u + words[i], 29);
    for (int player = 0; player < 2; ++player)
        for (int k = 0; k < 3; ++k)
            sums[k] = (sums[k] ^ state->owned[player].word[k]) * 0xd6e8feb86659fd93u + sums[3];
    uint64_t turn = (uint64_t)(2 * state->passes + state->mover);
    return rng_mix(sums[0] ^ rng_mix(sums[1] ^ rng_mix(sums[2] ^ rng_mix(sums[3] + turn))));
}

static const char *const mushroom_policies[] = {"random", "rectangles", "greedy", NULL};
static const char *const mushroom_levels[] = {"random",
                                              "mcts:simulations=10",
                                              "mcts:simulations=100",
                                              "greedy",
                                              "alphabeta:depth=2,time=0ms",
                                              "tournament:nodes=3000,time=0ms",
                                              "best",
                                              NULL};
static const char *const mushroom_players[] = {"FIRST", "SECOND"};

/* Bound of a game's length: a rectangle takes at least two mushrooms; before each rectangle
 * there is at most one pass, and two passes end the game. */
#define MUSHROOM_GAME(level_)                                                                  \
    {                                                                                          \
        .struct_size = sizeof(struct banyan_game), .name = "mushroom",                         \
        .title = "Mushroom game (NYPC 2025)", .players = 2,                                    \
        .state_size = sizeof(struct mushroom_state), .action_bytes = 2,                        \
        .max_legal = BOARD_MAX_LEGAL + 1, .max_plies = BOARD_CELLS + 2, .return_min = -1,      \
        .return_max = 1, .policy_size = BOARD_MAX_LEGAL + 1,                                   \
        .planes = {13, BOARD_ROWS, BOARD_COLUMNS}, .traits = BANYAN_ZERO_SUM,                  \
        .init = mushroom_init, .movers = mushroom_movers, .legal = mushroom_legal_##level_,    \
        .apply = mushroom_apply_##level_, .returns = mushroom_returns, .key = mushroom_key,    \
        .decisive = mushroom_decisive, .format = mushroom_format,                              \
        .action_format = mushroom_action_format, .action_parse = mushroom_action_parse,        \
        .rollout = mushroom_rollout_##level_, .rollout_policies = mushroom_policies,           \
        .heuristic = mushroom_heuristic, .bounds = mushroom_bounds,                            \
        .priors = mushroom_priors_##level_, .encode = mushroom_encode,                         \
        .policy_index = mushroom_policy_index, .symmetries = 4, .symmetry = mushroom_symmetry, \
        .symmetry_action = mushroom_symmetry_action, .mirror = mushroom_mirror,                \
        .mirror_action = mushroom_mirror_action, .targets = mushroom_targets,                  \
        .points = mushroom_points, .draw = mushroom_draw, .svg = mushroom_svg,                 \
        .offers = mushroom_offers, .player_names = mushroom_players, .best = "tournament",     \
        .levels = mushroom_levels, .features = mushroom_features, .board = mushroom_board,     \
        .board_cells = mushroom_board_cells,                                                   \
    }

#if defined(__x86_64__)

static const struct banyan_game games[MUSHROOM_LEVELS] = {
    [MUSHROOM_PORTABLE] = MUSHROOM_GAME(portable),
    [MUSHROOM_AVX2] = MUSHROOM_GAME(avx2),
    [MUSHROOM_AVX512] = MUSHROOM_GAME(avx512),
};

enum mushroom_level mushroom_level(void)
{
    return cpu_level() >= CPU_AVX512_VBMI ? MUSHROOM_AVX512
           : cpu_level() >= CPU_AVX2      ? MUSHROOM_AVX2
                                          : MUSHROOM_PORTABLE;
}

#else

static const struct banyan_game games[1] = {MUSHROOM_GAME(portable)};

enum mushroom_level mushroom_level(void)
{
    return MUSHROOM_PORTABLE;
}

#endif

const struct banyan_game *mushroom_at(enum mushroom_level level)
{
    return &games[level];
}

const struct banyan_game *mushroom_variant(int index);
const struct banyan_game *mushroom_variant(int index)
{
    return index == 0 ? mushroom_at(mushroom_level()) : general_at(index - 1);
}
