/* The rules of Breakthrough, and the table of its functions. */
#include "games/breakthrough/breakthrough.h"

#include <banyan/observe.h>

#include "base/compiler.h"
#include "base/rng.h"

#include <string.h>

static unsigned breakthrough_movers(const struct banyan_game *game, const void *at)
{
    const struct breakthrough_state *state = at;
    return state->result == BREAKTHROUGH_OPEN ? 1u << state->mover : 0;
}

/* Lists the actions by square, then by direction.  A player always has an action:
 * the foremost piece can go diagonally, because no own piece stands in front of it. */
static int breakthrough_legal(const struct banyan_game *game, const void *at, int player,
                              banyan_action *out)
{
    (void)player;
    uint64_t able[3];
    int count = 0;
    breakthrough_able(at, able);
    for (uint64_t left = able[0] | able[1] | able[2]; left; left &= left - 1) {
        int square = bits_first64(left);
        for (int direction = 0; direction < 3; ++direction)
            if (able[direction] >> square & 1)
                out[count++] = (banyan_action)(3 * square + direction);
    }
    return count;
}

static void breakthrough_apply(const struct banyan_game *game, void *at,
                               const banyan_action joint[], struct banyan_dice *dice)
{
    (void)dice;
    struct breakthrough_state *state = at;
    breakthrough_play(state, (int)joint[state->mover]);
}

static void breakthrough_returns(const struct banyan_game *game, const void *at, float *out)
{
    const struct breakthrough_state *state = at;
    out[0] = state->result == BREAKTHROUGH_BLACK_WON ? 1 : -1;
    out[1] = 0 - out[0];
}

static uint64_t breakthrough_key(const struct banyan_game *game, const void *at, int viewer)
{
    (void)viewer;
    const struct breakthrough_state *state = at;
    uint64_t black = rng_mix(state->pieces[0] ^ 0x9e3779b97f4a7c15u);
    return rng_mix(rng_mix(black ^ state->pieces[1]) + state->mover);
}

static int breakthrough_random(const struct breakthrough_state *state, struct banyan_rng *rng)
{
    uint64_t able[3];
    breakthrough_able(state, able);
    int first = bits_count64(able[0]), second = first + bits_count64(able[1]);
    int n = (int)rng_below(rng, (uint32_t)(second + bits_count64(able[2])));
    int direction = (n >= first) + (n >= second);
    uint64_t left = able[direction];
    for (n -= direction == 2 ? second : direction == 1 ? first : 0; n > 0; --n)
        left &= left - 1;
    return 3 * bits_first64(left) + direction;
}

static void breakthrough_rollout(const struct banyan_game *game, void *at, int policy,
                                 int max_plies, struct banyan_rng *rng)
{
    (void)policy;
    struct breakthrough_state state = *(struct breakthrough_state *)at;
    struct banyan_rng stream = *rng;
    for (; state.result == BREAKTHROUGH_OPEN && max_plies > 0; --max_plies)
        breakthrough_play(&state, breakthrough_random(&state, &stream));
    *rng = stream;
    memcpy(at, &state, sizeof state);
}

static void breakthrough_rollout_logged(const struct banyan_game *game, void *at, int policy,
                                        int max_plies, struct banyan_rng *rng,
                                        struct banyan_playout *playout)
{
    (void)policy;
    struct breakthrough_state *state = at;
    for (; state->result == BREAKTHROUGH_OPEN && max_plies > 0; --max_plies) {
        int action = breakthrough_random(state, rng);
        if (playout->count < playout->room)
            playout->moves[playout->count++] =
                (uint32_t)(state->mover * BREAKTHROUGH_ACTIONS + action);
        breakthrough_play(state, action);
    }
}

/* Three planes of 8 x 8: the viewer's pieces, the opponent's, whether the viewer is to move.  The
 * first row of a plane is the row that the viewer wants to reach. */
static void breakthrough_encode(const struct banyan_game *game, const void *at, int viewer,
                                float *planes)
{
    const struct breakthrough_state *state = at;
    for (int i = 0; i < 64; ++i) {
        int square = viewer ? i ^ 56 : i;
        planes[i] = (float)(state->pieces[viewer] >> square & 1);
        planes[64 + i] = (float)(state->pieces[1 - viewer] >> square & 1);
        planes[128 + i] = (float)(state->mover == viewer);
    }
}

/* The action of the other colour that corresponds to this one: rows are counted from the other
 * side. */
static banyan_action breakthrough_turned(banyan_action action)
{
    return 3 * (action / 3 ^ 56) + action % 3;
}

static int breakthrough_policy_index(const struct banyan_game *game, const void *at, int player,
                                     banyan_action action)
{
    (void)at;
    return (int)(player ? breakthrough_turned(action) : action);
}

static uint64_t breakthrough_mirror_columns(uint64_t pieces)
{
    uint64_t image = 0;
    for (int column = 0; column < 8; ++column)
        image |= (pieces >> column & BREAKTHROUGH_LEFT) << (7 - column);
    return image;
}

/* k = 0: the position as it is; 1: left and right exchanged. */
static void breakthrough_symmetry(const struct banyan_game *game, const void *at, int k, void *out)
{
    struct breakthrough_state image = *(const struct breakthrough_state *)at;
    if (k == 1) {
        image.pieces[0] = breakthrough_mirror_columns(image.pieces[0]);
        image.pieces[1] = breakthrough_mirror_columns(image.pieces[1]);
    }
    memcpy(out, &image, sizeof image);
}

static banyan_action breakthrough_symmetry_action(const struct banyan_game *game, const void *at,
                                                  int k, banyan_action action)
{
    (void)at;
    return k == 1 ? 3 * (action / 3 ^ 7) + 2 - action % 3 : action;
}

static uint64_t breakthrough_mirror_rows(uint64_t pieces)
{
    uint64_t image = 0;
    for (int row = 0; row < 8; ++row)
        image |= (pieces >> 8 * row & 255) << 8 * (7 - row);
    return image;
}

/* Exchanges the colours and turns the board upside down. */
static void breakthrough_mirror(const struct banyan_game *game, const void *at, void *out)
{
    static const uint8_t results[] = {BREAKTHROUGH_OPEN, BREAKTHROUGH_WHITE_WON,
                                      BREAKTHROUGH_BLACK_WON};
    const struct breakthrough_state *state = at;
    struct breakthrough_state image = {.mover = (uint8_t)(1 - state->mover),
                                       .result = results[state->result]};
    image.pieces[0] = breakthrough_mirror_rows(state->pieces[1]);
    image.pieces[1] = breakthrough_mirror_rows(state->pieces[0]);
    memcpy(out, &image, sizeof image);
}

static banyan_action breakthrough_mirror_action(const struct banyan_game *game, const void *at,
                                                banyan_action action)
{
    (void)at;
    return breakthrough_turned(action);
}

static const struct banyan_feature breakthrough_features[] = {
    {.name = "own", .help = "1 where the viewer's pieces are", .shape = {1}, .max = 1},
    {.name = "other", .help = "1 where the opponent's pieces are", .shape = {1}, .max = 1},
    {.name = "to-move", .help = "1 everywhere if the viewer is to move", .shape = {1}, .max = 1},
    {0}};

/* max_plies: a piece makes at most 7 steps. */
static const struct banyan_game breakthrough = {
    .struct_size = sizeof(struct banyan_game),
    .name = "breakthrough",
    .title = "Breakthrough (8x8)",
    .players = 2,
    .state_size = sizeof(struct breakthrough_state),
    .action_bytes = 1,
    .max_legal = 3 * BREAKTHROUGH_PIECES,
    .max_plies = 2 * 7 * BREAKTHROUGH_PIECES,
    .return_min = -1,
    .return_max = 1,
    .policy_size = BREAKTHROUGH_ACTIONS,
    .planes = {3, 8, 8},
    .traits = BANYAN_ZERO_SUM,
    .init = breakthrough_init,
    .movers = breakthrough_movers,
    .legal = breakthrough_legal,
    .apply = breakthrough_apply,
    .returns = breakthrough_returns,
    .key = breakthrough_key,
    .format = breakthrough_format,
    .action_format = breakthrough_action_format,
    .action_parse = breakthrough_action_parse,
    .action_count = BREAKTHROUGH_ACTIONS,
    .rollout = breakthrough_rollout,
    .best = "mcts:evaluator=(rollout:cutoff=10),implicit-minimax=0.4",
    .rollout_logged = breakthrough_rollout_logged,
    .decisive = breakthrough_decisive,
    .heuristic = breakthrough_heuristic,
    .encode = breakthrough_encode,
    .features = breakthrough_features,
    .policy_index = breakthrough_policy_index,
    .symmetries = 2,
    .symmetry = breakthrough_symmetry,
    .symmetry_action = breakthrough_symmetry_action,
    .mirror = breakthrough_mirror,
    .mirror_action = breakthrough_mirror_action,
    .draw = breakthrough_draw,
    .levels = (const char *const[]){"random", "mcts:simulations=30", "mcts:simulations=400", "best",
                                    NULL},
    .svg = breakthrough_svg,
    .board = breakthrough_board,
    .board_cells = breakthrough_board_cells,
    .player_names = (const char *const[]){"black", "white"},
};

const struct banyan_game *breakthrough_variant(int index);
const struct banyan_game *breakthrough_variant(int index)
{
    return index == 0 ? &breakthrough : NULL;
}
