/* The rules of Othello, and the tables of its functions: three board sizes, each with the functions
 * that suit the processor.  Black is player 0 and moves first. */
#include "games/othello/othello.h"

#include "base/cpu.h"
#include "games/othello/after.h"
#include "games/othello/play.h"
#include "games/othello/players.h"
#include "games/othello/table.h"

static int othello_legal_portable(const struct banyan_game *game, const void *at, int player,
                                  banyan_action *out)
{
    (void)player;
    return play_legal(at, out);
}

static int othello_legal_count_portable(const struct banyan_game *game, const void *at, int player)
{
    (void)player;
    return play_legal_count(at);
}

static uint64_t othello_legal_count_after_portable(const struct banyan_game *game, const void *at,
                                                   int player, int *ended)
{
    (void)player;
    return after_count(at, ended);
}

static void othello_apply_portable(const struct banyan_game *game, void *at,
                                   const banyan_action joint[], struct banyan_dice *dice)
{
    (void)dice;
    struct othello_state *state = at;
    *state = play_action(*state, joint[othello_mover(state)]);
}

static void othello_rollout_portable(const struct banyan_game *game, void *at, int policy,
                                     int max_plies, struct banyan_rng *rng)
{
    (void)policy;
    struct othello_state *state = at;
    *state = play_random(*state, max_plies, rng);
}

static unsigned othello_movers(const struct banyan_game *game, const void *at)
{
    const struct othello_state *state = at;
    return state->moves & OTHELLO_OVER ? 0 : 1u << othello_mover(state);
}

static void othello_returns(const struct banyan_game *game, const void *at, float *out)
{
    const struct othello_state *state = at;
    int difference = board_difference(othello_board(state)), mover = othello_mover(state);
    out[mover] = (float)((difference > 0) - (difference < 0));
    out[1 - mover] = 0 - out[mover];
}

/* The hash key of the position.  The legal squares follow from the other fields, so they are not
 * part of it.  If white is to move, the bit of d4 is flipped in the opponent's discs.  Exactly one
 * side has a disc on d4, so this never makes two positions equal. */
static uint64_t othello_key(const struct banyan_game *game, const void *at, int viewer)
{
    (void)viewer;
    const struct othello_state *state = at;
    return rng_mix(state->own ^ rng_mix(state->other ^ (state->moves & OTHELLO_WHITE)));
}

/* On 4x4 squares a few simulations are enough for perfect play. */
static const char *const othello_small_levels[] = {"random", "mcts:simulations=3", "best", NULL};
static const char *const othello_players[] = {"black", "white"};

/* A game has at most size * size - 4 discs to place, and at most one pass before each of them. */
#define OTHELLO_VARIANT(name_, title_, size_, level_)                                            \
    {                                                                                            \
        .struct_size = sizeof(struct banyan_game), .name = name_, .title = title_, .players = 2, \
        .state_size = sizeof(struct othello_state), .action_bytes = 1, .action_count = 65,       \
        .max_legal = (size_) * (size_)-4, .max_plies = 2 * ((size_) * (size_)-4),                \
        .return_min = -1, .return_max = 1, .policy_size = (size_) * (size_) + 1,                 \
        .planes = {3, size_, size_}, .traits = BANYAN_ZERO_SUM, .init = othello_init_##size_,    \
        .movers = othello_movers, .legal = othello_legal_##level_,                               \
        .apply = othello_apply_##level_, .returns = othello_returns, .key = othello_key,         \
        .format = othello_format, .action_format = othello_action_format,                        \
        .action_parse = othello_action_parse, .rollout = othello_rollout_##level_,               \
        .heuristic = othello_heuristic, .bounds = othello_bounds, .priors = othello_priors,      \
        .encode = othello_encode, .policy_index = othello_policy_index, .symmetries = 8,         \
        .symmetry = othello_symmetry, .symmetry_action = othello_symmetry_action,                \
        .mirror = othello_mirror, .mirror_action = othello_mirror_action,                        \
        .targets = othello_targets, .points = othello_points, .draw = othello_draw,              \
        .svg = othello_svg, .offers = othello_offers, .player_names = othello_players,           \
        .levels = (size_) == 4 ? othello_small_levels : NULL,                                    \
        .best = "mcts:evaluator=heuristic,endgame=on",                                           \
        .legal_count = othello_legal_count_##level_,                                             \
        .legal_count_after = othello_legal_count_after_##level_, .features = othello_features,   \
        .board = othello_draw_board, .board_cells = othello_board_cells,                         \
    }

#define OTHELLO_VARIANTS(level)                                        \
    {                                                                  \
        OTHELLO_VARIANT("othello", "Othello (8x8)", 8, level),         \
            OTHELLO_VARIANT("othello-6x6", "Othello (6x6)", 6, level), \
            OTHELLO_VARIANT("othello-4x4", "Othello (4x4)", 4, level)  \
    }

enum { OTHELLO_SIZES = 3 };

#if defined(__x86_64__)

static const struct banyan_game variants[OTHELLO_LEVELS][OTHELLO_SIZES] = {
    [OTHELLO_PORTABLE] = OTHELLO_VARIANTS(portable),
    [OTHELLO_AVX2] = OTHELLO_VARIANTS(avx2),
    [OTHELLO_AVX512] = OTHELLO_VARIANTS(avx512),
};

enum othello_level othello_level(void)
{
    return cpu_level() >= CPU_AVX512_VBMI ? OTHELLO_AVX512
           : cpu_level() >= CPU_AVX2      ? OTHELLO_AVX2
                                          : OTHELLO_PORTABLE;
}

#else

static const struct banyan_game variants[1][OTHELLO_SIZES] = {OTHELLO_VARIANTS(portable)};

enum othello_level othello_level(void)
{
    return OTHELLO_PORTABLE;
}

#endif

const struct banyan_game *othello_variant_at(int index, enum othello_level level)
{
    return &variants[level][index];
}

const struct banyan_game *othello_variant(int index);
const struct banyan_game *othello_variant(int index)
{
    return index < OTHELLO_SIZES ? othello_variant_at(index, othello_level()) : NULL;
}
