/* Pig, for two and three players: rules, texts and the tables of their functions. */
#include "games/pig/pig.h"

#include <banyan/observe.h>

#include "base/rng.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static bool pig_won(const struct pig *pig)
{
    return pig->score[pig->mover] >= pig->target;
}

static bool pig_over(const struct pig *pig)
{
    return pig_won(pig) || pig->ply >= pig->horizon;
}

/* --- setup --- */

static enum banyan_status pig_expected(struct text_reader *reader, const char *what,
                                       struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_INVALID, "pig, %s: expected %s", text_where(reader).text, what);
}

static bool pig_read_number(struct text_reader *reader, int lo, int hi, uint16_t *out)
{
    int64_t number;
    if (!text_integer(reader, lo, hi, &number))
        return false;
    *out = (uint16_t)number;
    return true;
}

static bool pig_read_scores(struct text_reader *reader, struct pig *pig)
{
    for (int p = 0; p < pig->players; ++p)
        if ((p && !text_take(reader, ",")) ||
            !pig_read_number(reader, 0, 2 * PIG_MAX_TARGET, &pig->score[p]))
            return false;
    return true;
}

/* Reads the settings, which may stand in any order and may each be left out. */
static enum banyan_status pig_read(struct pig *pig, struct text_reader *reader,
                                   struct banyan_error *err)
{
    uint16_t player = 1;
    while (!text_end(reader)) {
        if (text_take(reader, "target=")) {
            if (!pig_read_number(reader, 2, PIG_MAX_TARGET, &pig->target))
                return pig_expected(reader, "a target of 2..1000", err);
        } else if (text_take(reader, "horizon=")) {
            if (!pig_read_number(reader, 1, PIG_MAX_PLIES, &pig->horizon))
                return pig_expected(reader, "a horizon of 1..1000 plies", err);
        } else if (text_take(reader, "scores=")) {
            if (!pig_read_scores(reader, pig))
                return pig_expected(reader, "one score per player, as in 0,0", err);
        } else if (text_take(reader, "turn=")) {
            if (!pig_read_number(reader, 0, PIG_MAX_TARGET, &pig->turn))
                return pig_expected(reader, "a turn total", err);
        } else if (text_take(reader, "player=")) {
            if (!pig_read_number(reader, 1, pig->players, &player))
                return pig_expected(reader, "the number of a player", err);
        } else if (text_take(reader, "ply=")) {
            if (!pig_read_number(reader, 0, PIG_MAX_PLIES, &pig->ply))
                return pig_expected(reader, "a ply of 0..1000", err);
        } else {
            return pig_expected(reader, "target=, horizon=, scores=, turn=, player= or ply=", err);
        }
    }
    pig->mover = (uint8_t)(player - 1);
    return BANYAN_OK;
}

static enum banyan_status pig_check(const struct pig *pig, struct banyan_error *err)
{
    for (int p = 0; p < pig->players; ++p)
        if (p != pig->mover && pig->score[p] >= pig->target)
            return banyan_fail(err, BANYAN_INVALID,
                               "pig: player %d has won, so player= must name that player", p + 1);
    if (pig_won(pig) ? pig->turn != 0 : pig->score[pig->mover] + pig->turn >= pig->target)
        return banyan_fail(
            err, BANYAN_INVALID,
            "pig: score %d with turn total %d reaches the target: add the turn total to the score",
            pig->score[pig->mover], pig->turn);
    if (pig->turn == 1)
        return banyan_fail(err, BANYAN_INVALID,
                           "pig: a turn total is never 1: a roll of 1 ends the turn");
    if (pig->ply > pig->horizon)
        return banyan_fail(err, BANYAN_INVALID, "pig: ply %d is after the horizon %d", pig->ply,
                           pig->horizon);
    return BANYAN_OK;
}

static enum banyan_status pig_setup(struct pig *pig, const char *setup, int players,
                                    struct banyan_error *err)
{
    struct text_reader reader;
    memset(pig, 0, sizeof *pig);
    pig->players = (uint8_t)players;
    pig->target = 100;
    pig->horizon = PIG_MAX_PLIES;
    text_open(&reader, setup ? setup : "");
    enum banyan_status status = pig_read(pig, &reader, err);
    return status == BANYAN_OK ? pig_check(pig, err) : status;
}

static enum banyan_status pig_init_2(const struct banyan_game *game, void *state, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err)
{
    (void)rng;
    return pig_setup(state, setup, 2, err);
}

static enum banyan_status pig_init_3(const struct banyan_game *game, void *state, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err)
{
    (void)rng;
    return pig_setup(state, setup, 3, err);
}

/* --- rules --- */

static unsigned pig_movers(const struct banyan_game *game, const void *state)
{
    const struct pig *pig = state;
    return pig_over(pig) ? 0 : 1u << pig->mover;
}

/* A player may not hold before the first roll of the turn. */
static int pig_legal(const struct banyan_game *game, const void *state, int player,
                     banyan_action *out)
{
    (void)player;
    const struct pig *pig = state;
    out[0] = PIG_ROLL;
    if (pig->turn == 0)
        return 1;
    out[1] = PIG_HOLD;
    return 2;
}

static void pig_pass(struct pig *pig)
{
    pig->turn = 0;
    pig->mover = (uint8_t)((pig->mover + 1) % pig->players);
}

static void pig_hold(struct pig *pig)
{
    pig->score[pig->mover] = (uint16_t)(pig->score[pig->mover] + pig->turn);
    pig_pass(pig);
    ++pig->ply;
}

/* When score and turn total reach the target, the player has won immediately, without an action to
 * hold. */
static void pig_roll(struct pig *pig, int face)
{
    ++pig->ply;
    if (face == 1) {
        pig_pass(pig);
        return;
    }
    pig->turn = (uint16_t)(pig->turn + face);
    int total = pig->score[pig->mover] + pig->turn;
    if (total >= pig->target) {
        pig->score[pig->mover] = (uint16_t)total;
        pig->turn = 0;
    }
}

static void pig_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                      struct banyan_dice *dice)
{
    struct pig *pig = state;
    if (joint[pig->mover] == PIG_HOLD)
        pig_hold(pig);
    else
        pig_roll(pig, banyan_dice_roll(dice, PIG_DIE, 6));
}

/* The winner gets 1 and the others share -1; everybody gets 0 when the game ends at the horizon. */
static void pig_returns(const struct banyan_game *game, const void *state, float *out)
{
    const struct pig *pig = state;
    for (int p = 0; p < pig->players; ++p)
        out[p] = !pig_won(pig) ? 0 : p == pig->mover ? 1 : -1.0f / (float)(pig->players - 1);
}

/* The key leaves out the ply, so that the same scores at different plies are one position.  A
 * search that needs exact values near the horizon must not merge positions by key. */
static uint64_t pig_key(const struct banyan_game *game, const void *state, int viewer)
{
    (void)viewer;
    const struct pig *pig = state;
    uint64_t scores = 0;
    for (int p = 0; p < PIG_MAX_PLAYERS; ++p)
        scores = scores << 16 | pig->score[p];
    uint64_t rest = (uint64_t)pig->target << 32 | (uint64_t)pig->turn << 16 |
                    (uint64_t)pig->mover << 8 | pig_over(pig);
    return rng_mix(rng_mix(scores + 1) ^ rest);
}

static int pig_format(const struct banyan_game *game, const void *state, char *out, size_t size)
{
    const struct pig *pig = state;
    struct text writer = text_start(out, size);
    text_add(&writer, "target=%d horizon=%d scores=", pig->target, pig->horizon);
    for (int p = 0; p < pig->players; ++p)
        text_add(&writer, "%s%d", p ? "," : "", pig->score[p]);
    text_add(&writer, " turn=%d player=%d ply=%d", pig->turn, pig->mover + 1, pig->ply);
    return (int)writer.length;
}

static const char *const pig_action_names[] = {[PIG_ROLL] = "roll", [PIG_HOLD] = "hold"};

static int pig_action_format(const struct banyan_game *game, const void *state, int player,
                             banyan_action action, char *out, size_t size)
{
    (void)state, (void)player;
    return snprintf(out, size, "%s", pig_action_names[action]);
}

static enum banyan_status pig_action_parse(const struct banyan_game *game, const void *state,
                                           int player, const char *text, banyan_action *out,
                                           struct banyan_error *err)
{
    const struct pig *pig = state;
    int action = PIG_ROLL;
    while (action <= PIG_HOLD && strcmp(pig_action_names[action], text) != 0)
        ++action;
    if (action > PIG_HOLD)
        return banyan_fail(err, BANYAN_INVALID, "'%s' is neither 'roll' nor 'hold'", text);
    if (pig_movers(game, pig) != 1u << player)
        return banyan_fail(err, BANYAN_ILLEGAL, "it is not player %d's turn", player + 1);
    if (action == PIG_HOLD && pig->turn == 0)
        return banyan_fail(err, BANYAN_ILLEGAL, "there is nothing to hold yet: roll first");
    *out = (banyan_action)action;
    return BANYAN_OK;
}

/* --- heuristic, planes and picture --- */

enum pig_policy { PIG_RANDOM, PIG_HOLD_AT_20 };

static const char *const pig_rollout_policies[] = {
    [PIG_RANDOM] = "random", [PIG_HOLD_AT_20] = "hold20", NULL};

static void pig_rollout(const struct banyan_game *game, void *state, int policy, int max_plies,
                        struct banyan_rng *rng)
{
    struct pig *pig = state;
    for (; max_plies > 0 && !pig_over(pig); --max_plies) {
        bool hold =
            pig->turn > 0 && (policy == PIG_HOLD_AT_20 ? pig->turn >= 20 : rng_next(rng) >> 63);
        if (hold)
            pig_hold(pig);
        else
            pig_roll(pig, 1 + (int)rng_below(rng, 6));
    }
}

static int pig_standing(const struct pig *pig, int player)
{
    return pig->score[player] + (player == pig->mover ? pig->turn : 0);
}

/* The lead over the best opponent, as a share of the target. */
static float pig_heuristic(const struct banyan_game *game, const void *state, int player)
{
    const struct pig *pig = state;
    int best = 0;
    for (int p = 0; p < pig->players; ++p)
        if (p != player && pig_standing(pig, p) > best)
            best = pig_standing(pig, p);
    float lead = (float)(pig_standing(pig, player) - best) / (float)pig->target;
    float worst = -1.0f / (float)(pig->players - 1);
    return lead > 1 ? 1 : lead < worst ? worst : lead;
}

/* The scores, beginning with the viewer's, the turn total, and the player whose turn it is; numbers
 * are shares of the target. */
static void pig_encode(const struct banyan_game *game, const void *state, int viewer, float *planes)
{
    const struct pig *pig = state;
    int n = pig->players;
    for (int i = 0; i < n; ++i) {
        int player = (viewer + i) % n;
        planes[i] = (float)pig->score[player] / (float)pig->target;
        planes[n + 1 + i] = player == pig->mover;
    }
    planes[n] = (float)pig->turn / (float)pig->target;
}

static int pig_policy_index(const struct banyan_game *game, const void *state, int player,
                            banyan_action action)
{
    (void)state;
    return (int)action;
}

static void pig_mirror(const struct banyan_game *game, const void *state, void *out)
{
    struct pig *image = out;
    *image = *(const struct pig *)state;
    uint16_t score = image->score[0];
    image->score[0] = image->score[1];
    image->score[1] = score;
    image->mover = (uint8_t)!image->mover;
}

static banyan_action pig_mirror_action(const struct banyan_game *game, const void *state,
                                       banyan_action action)
{
    (void)state;
    return action;
}

static int pig_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                    size_t size)
{
    (void)viewer;
    const struct pig *pig = state;
    struct text writer = text_start(out, size);
    for (int p = 0; p < pig->players; ++p) {
        text_add(&writer, "player %d: %3d of %d", p + 1, pig->score[p], pig->target);
        if (p == pig->mover && pig_won(pig))
            text_add(&writer, ", wins");
        else if (p == pig->mover && !pig_over(pig))
            text_add(&writer, ", on turn with %d", pig->turn);
        text_add(&writer, "\n");
    }
    return (int)writer.length;
}

/* The features with this many players. */
#define PIG_FEATURES(players)                                           \
    {                                                                   \
        {.name = "scores",                                              \
         .help = "scores, the viewer's first, as shares of the target", \
         .kind = BANYAN_FEATURE_REAL,                                   \
         .shape = {players, 1, 1},                                      \
         .max = 1000},                                                  \
            {.name = "turn",                                            \
             .help = "the turn total as a share of the target",         \
             .kind = BANYAN_FEATURE_REAL,                               \
             .shape = {1, 1, 1},                                        \
             .max = 1},                                                 \
            {.name = "mover",                                           \
             .help = "1 for the player on turn, the viewer first",      \
             .shape = {players, 1, 1},                                  \
             .max = 1},                                                 \
        {                                                               \
            0                                                           \
        }                                                               \
    }

static const struct banyan_feature pig_features_2[] = PIG_FEATURES(2);
static const struct banyan_feature pig_features_3[] = PIG_FEATURES(3);

static const char *const pig_dice_kinds[] = {[PIG_DIE] = "die", NULL};

static const char *const pig_levels[] = {"random", "mcts:simulations=20", "mcts:simulations=200",
                                         "best", NULL};

#define PIG_COMMON                                                                                \
    .state_size = sizeof(struct pig), .action_bytes = 1, .max_legal = 2,                          \
    .max_plies = PIG_MAX_PLIES, .return_max = 1, .policy_size = 2,                                \
    .traits = BANYAN_CHANCE | BANYAN_ZERO_SUM, .movers = pig_movers, .legal = pig_legal,          \
    .apply = pig_apply, .returns = pig_returns, .key = pig_key, .format = pig_format,             \
    .action_format = pig_action_format, .action_parse = pig_action_parse, .rollout = pig_rollout, \
    .rollout_policies = pig_rollout_policies, .heuristic = pig_heuristic, .encode = pig_encode,   \
    .policy_index = pig_policy_index, .draw = pig_draw, .dice_kinds = pig_dice_kinds,             \
    .levels = pig_levels

static const struct banyan_game pig_variants[] = {
    {.struct_size = sizeof(struct banyan_game),
     .name = "pig",
     .title = "Pig",
     .players = 2,
     .return_min = -1,
     .planes = {5, 1, 1},
     .features = pig_features_2,
     .init = pig_init_2,
     .mirror = pig_mirror,
     .mirror_action = pig_mirror_action,
     PIG_COMMON},
    {.struct_size = sizeof(struct banyan_game),
     .name = "pig-3",
     .title = "Pig for three",
     .players = 3,
     .return_min = -1,
     .planes = {7, 1, 1},
     .features = pig_features_3,
     .init = pig_init_3,
     PIG_COMMON},
};

const struct banyan_game *pig_variant(int index)
{
    int n = (int)(sizeof pig_variants / sizeof *pig_variants);
    return index >= 0 && index < n ? &pig_variants[index] : NULL;
}
