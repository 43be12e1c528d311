/* The table of the game's functions, for each size of pitch. */
#include "games/bloodbowl/table.h"
#include "base/rng.h"
#include "games/bloodbowl/board.h"
#include "games/bloodbowl/observe.h"
#include "games/bloodbowl/players/bot.h"
#include "games/bloodbowl/players/eval.h"
#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/text.h"
#include "games/bloodbowl/words.h"

#include <string.h>

static unsigned table_movers(const struct banyan_game *game, const void *state)
{
    int team = bb_asked(state);
    return team == BB_NOBODY ? 0 : 1u << team;
}

static int table_legal(const struct banyan_game *game, const void *state, int player,
                       banyan_action *out)
{
    (void)player;
    return bb_legal(state, out);
}

static void table_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                        struct banyan_dice *dice)
{
    struct bb_state *s = state;
    struct bb_action action = bb_action_unpack(s, joint[bb_asked(s)]);
    bb_apply(s, &action, dice);
}

static void table_returns(const struct banyan_game *game, const void *state, float *out)
{
    const struct bb_state *s = state;
    int lead = s->team[BB_HOME].score - s->team[BB_AWAY].score;
    out[BB_HOME] = (float)((lead > 0) - (lead < 0));
    out[BB_AWAY] = -out[BB_HOME];
}

static void table_points(const struct banyan_game *game, const void *state, float *out)
{
    const struct bb_state *s = state;
    out[BB_HOME] = s->team[BB_HOME].score;
    out[BB_AWAY] = s->team[BB_AWAY].score;
}

/* A hash of the whole state; nothing is hidden, so the viewer does not matter. */
static uint64_t table_key(const struct banyan_game *game, const void *state, int viewer)
{
    const unsigned char *bytes = state;
    uint64_t hash = 0x9e3779b97f4a7c15u, word;
    (void)viewer;
    static_assert(sizeof(struct bb_state) % 8 == 0, "hashed by words");
    for (size_t i = 0; i < sizeof(struct bb_state); i += 8) {
        memcpy(&word, bytes + i, 8);
        hash = (hash ^ word) * 0x9fb21c651e98df25u;
        hash ^= hash >> 32;
    }
    return rng_mix(hash);
}

static int table_format(const struct banyan_game *game, const void *state, char *out, size_t size)
{
    return bb_format(state, out, size);
}

static int table_action_format(const struct banyan_game *game, const void *state, int player,
                               banyan_action action, char *out, size_t size)
{
    struct bb_action a = bb_action_unpack(state, action);
    (void)player;
    return bb_action_format(state, &a, out, size);
}

static enum banyan_status table_action_parse(const struct banyan_game *game, const void *state,
                                             int player, const char *text, banyan_action *out,
                                             struct banyan_error *err)
{
    struct bb_action a;
    banyan_action legal[BB_MAX_LEGAL];
    enum banyan_status status = bb_action_parse(state, text, &a, err);
    if (status != BANYAN_OK)
        return status;
    if (bb_asked(state) != player)
        return banyan_fail(err, BANYAN_ILLEGAL, "it is not %s's decision",
                           banyan_game_player_name(game, player));
    banyan_action packed = bb_action_pack(&a);
    int n = bb_legal(state, legal);
    for (int i = 0; i < n; ++i)
        if (legal[i] == packed) {
            *out = packed;
            return BANYAN_OK;
        }
    return banyan_fail(err, BANYAN_ILLEGAL, "'%s' is not possible here", text);
}

static const char *const table_policies[] = {"random", "scripted", NULL};

static void table_rollout(const struct banyan_game *game, void *state, int policy, int max_plies,
                          struct banyan_rng *rng)
{
    struct bb_state *s = state;
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, rng);
    if (policy == 1) {
        bot_rollout(s, max_plies, &dice);
        return;
    }
    for (; max_plies > 0 && bb_asked(s) != BB_NOBODY; --max_plies) {
        struct bb_action action = bb_random_action(s, rng);
        bb_apply(s, &action, &dice);
    }
}

static float table_heuristic(const struct banyan_game *game, const void *state, int player)
{
    return bb_value(state, player);
}

static void table_mirror(const struct banyan_game *game, const void *state, void *out)
{
    bb_mirror(state, out);
}

static banyan_action table_mirror_action(const struct banyan_game *game, const void *state,
                                         banyan_action action)
{
    return bb_mirror_action(state, action);
}

static int table_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                      size_t size)
{
    (void)viewer;
    return bb_draw(state, out, size);
}

#define VARIANT(index, size)                                                                 \
    static enum banyan_status table_init_##size(const struct banyan_game *game, void *state, \
                                                const char *setup, struct banyan_rng *rng,   \
                                                struct banyan_error *err)                    \
    {                                                                                        \
        (void)rng;                                                                           \
        return bb_parse(state, index, setup, err);                                           \
    }
VARIANT(0, 1)
VARIANT(1, 3)
VARIANT(2, 5)
VARIANT(3, 7)
VARIANT(4, 11)
#undef VARIANT

/* Bound of legal actions: placements of 16 players on every square of the half or off the pitch,
 * two lists of squares, and other actions. */
#define VARIANT(game, label, size, half, width, height)                                           \
    {                                                                                             \
        .struct_size = sizeof(struct banyan_game), .name = game, .title = label, .players = 2,    \
        .state_size = sizeof(struct bb_state), .action_bytes = 8,                                 \
        .max_legal = BB_TEAM_MAX * (half + 1) + 200, .max_plies = BB_MAX_PLIES, .return_min = -1, \
        .return_max = 1, .traits = BANYAN_CHANCE | BANYAN_ZERO_SUM, .init = table_init_##size,    \
        .movers = table_movers, .legal = table_legal, .apply = table_apply,                       \
        .returns = table_returns, .key = table_key, .format = table_format,                       \
        .action_format = table_action_format, .action_parse = table_action_parse,                 \
        .rollout = table_rollout, .points = table_points, .heuristic = table_heuristic,           \
        .mirror = table_mirror, .mirror_action = table_mirror_action, .draw = table_draw,         \
        .dice_kinds = bb_die_names, .offers = bb_offers, .rollout_policies = table_policies,      \
        .player_names = table_players, .best = "agent", .levels = table_levels,                   \
        .describe = table_describe, .tell = table_tell, .sheet = table_sheet,                     \
        .person_setup = "mode=path ask=human", .features = bb_features_##size,                    \
        .observe = bb_observe, .policy_size = BB_POLICY(width, height),                           \
        .policy_index = bb_policy_index, .board = bb_board, .board_cells = bb_board_cells,        \
    }

static const char *const table_levels[] = {"random", "scripted", "best", NULL};
static const char *const table_players[] = {"home", "away"};

static int table_describe(const struct banyan_game *game, const void *state, int player,
                          banyan_action action, char *out, size_t size)
{
    struct bb_action a = bb_action_unpack(state, action);
    return bb_describe(state, &a, out, size);
}

static int table_tell(const struct banyan_game *game, const struct banyan_step *step, int viewer,
                      char *out, size_t size)
{
    return bb_tell(step->before, step->after, out, size);
}

static int table_sheet(const struct banyan_game *game, const void *state, int viewer, char *out,
                       size_t size)
{
    return bb_sheet(state, out, size);
}

static const struct banyan_game table_games[] = {
    VARIANT("bloodbowl-1", "Blood Bowl (1 player a side)", 1, 6, 6, 5),
    VARIANT("bloodbowl-3", "Blood Bowl (3 players a side)", 3, 30, 14, 7),
    VARIANT("bloodbowl-5", "Blood Bowl (5 players a side)", 5, 72, 18, 11),
    VARIANT("bloodbowl-7", "Blood Bowl (7 players a side)", 7, 90, 22, 11),
    VARIANT("bloodbowl-11", "Blood Bowl (11 players a side)", 11, 195, 28, 17),
    VARIANT("bloodbowl", "Blood Bowl", 11, 195, 28, 17),
};

const struct banyan_game *bloodbowl_variant(int index)
{
    int n = (int)(sizeof table_games / sizeof *table_games);
    return index >= 0 && index < n ? &table_games[index] : NULL;
}
