/* The multi-armed bandit: rules, texts and the table of its functions. */
#include "games/bandit/bandit.h"

#include <banyan/observe.h>

#include "base/rng.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static enum banyan_status bandit_read(struct bandit *bandit, struct text_reader *reader,
                                      struct banyan_error *err)
{
    int64_t number;
    while (text_decimal(reader, 6, 0, BANDIT_UNIT, &number)) {
        if (bandit->arms == BANDIT_MAX_ARMS)
            return banyan_fail(err, BANYAN_INVALID, "bandit: more than %d arms", BANDIT_MAX_ARMS);
        bandit->chance[bandit->arms++] = (uint32_t)number;
    }
    if (bandit->arms == 0)
        return banyan_fail(err, BANYAN_INVALID,
                           "bandit: expected each arm's probability of winning, as in '0.9 0.6'");
    if (text_take(reader, "pulled=") && text_integer(reader, 1, bandit->arms, &number)) {
        bandit->pulled = (uint8_t)number;
        bandit->won = text_take(reader, "won");
        if (!bandit->won && !text_take(reader, "lost"))
            return banyan_fail(err, BANYAN_INVALID, "bandit: expected 'won' or 'lost' at %s",
                               text_where(reader).text);
    }
    if (!text_end(reader))
        return banyan_fail(err, BANYAN_INVALID,
                           "bandit: expected a probability of 0..1 with at most 6 decimals, or "
                           "'pulled=ARM won', at %s",
                           text_where(reader).text);
    return BANYAN_OK;
}

static enum banyan_status bandit_init(const struct banyan_game *game, void *state,
                                      const char *setup, struct banyan_rng *rng,
                                      struct banyan_error *err)
{
    (void)rng;
    struct bandit *bandit = state;
    memset(bandit, 0, sizeof *bandit);
    struct text_reader reader;
    text_open(&reader, setup && *setup ? setup : "0.9 0.6");
    return bandit_read(bandit, &reader, err);
}

static unsigned bandit_movers(const struct banyan_game *game, const void *state)
{
    const struct bandit *bandit = state;
    return bandit->pulled ? 0 : 1;
}

static int bandit_legal(const struct banyan_game *game, const void *state, int player,
                        banyan_action *out)
{
    (void)player;
    const struct bandit *bandit = state;
    for (int arm = 0; arm < bandit->arms; ++arm)
        out[arm] = (banyan_action)arm;
    return bandit->arms;
}

static void bandit_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                         struct banyan_dice *dice)
{
    struct bandit *bandit = state;
    int chance = (int)bandit->chance[joint[0]];
    bandit->pulled = (uint8_t)(joint[0] + 1);
    bandit->won = banyan_dice_chance(dice, BANDIT_WIN, chance, BANDIT_UNIT);
}

static void bandit_returns(const struct banyan_game *game, const void *state, float *out)
{
    const struct bandit *bandit = state;
    out[0] = bandit->won;
}

static uint64_t bandit_key(const struct banyan_game *game, const void *state, int viewer)
{
    (void)viewer;
    const struct bandit *bandit = state;
    uint64_t key = rng_mix(bandit->pulled * 2u + bandit->won);
    for (int arm = 0; arm < bandit->arms; ++arm)
        key = rng_mix(key ^ (bandit->chance[arm] + 1u));
    return key;
}

static int bandit_format(const struct banyan_game *game, const void *state, char *out, size_t size)
{
    const struct bandit *bandit = state;
    struct text writer = text_start(out, size);
    for (int arm = 0; arm < bandit->arms; ++arm) {
        text_add(&writer, arm ? " " : "");
        text_add_decimal(&writer, bandit->chance[arm], 6);
    }
    if (bandit->pulled)
        text_add(&writer, " pulled=%d %s", bandit->pulled, bandit->won ? "won" : "lost");
    return (int)writer.length;
}

static int bandit_action_format(const struct banyan_game *game, const void *state, int player,
                                banyan_action action, char *out, size_t size)
{
    (void)state, (void)player;
    return snprintf(out, size, "%d", (int)action + 1);
}

static enum banyan_status bandit_action_parse(const struct banyan_game *game, const void *state,
                                              int player, const char *text, banyan_action *out,
                                              struct banyan_error *err)
{
    (void)player;
    const struct bandit *bandit = state;
    struct text_reader reader;
    int64_t arm;
    text_open(&reader, text);
    if (!text_integer(&reader, 1, INT32_MAX, &arm) || !text_end(&reader))
        return banyan_fail(err, BANYAN_INVALID, "'%s' is not the number of an arm: write 1..%d",
                           text, bandit->arms);
    if (arm > bandit->arms || bandit->pulled)
        return banyan_fail(err, BANYAN_ILLEGAL, "arm %d cannot be pulled here", (int)arm);
    *out = (banyan_action)(arm - 1);
    return BANYAN_OK;
}

/* For each arm: its probability of winning, whether it exists, whether it was pulled; then the
 * result. */
static void bandit_encode(const struct banyan_game *game, const void *state, int viewer,
                          float *planes)
{
    (void)viewer;
    const struct bandit *bandit = state;
    for (int arm = 0; arm < BANDIT_MAX_ARMS; ++arm) {
        planes[arm] = (float)bandit->chance[arm] / BANDIT_UNIT;
        planes[BANDIT_MAX_ARMS + arm] = arm < bandit->arms;
        planes[2 * BANDIT_MAX_ARMS + arm] = arm + 1 == bandit->pulled;
    }
    planes[3 * BANDIT_MAX_ARMS] = bandit->won;
}

static const struct banyan_feature bandit_features[] = {
    {.name = "chances",
     .help = "the arms' probabilities of winning",
     .kind = BANYAN_FEATURE_REAL,
     .shape = {BANDIT_MAX_ARMS, 1, 1},
     .max = 1},
    {.name = "arms",
     .help = "1 for each arm that is there",
     .shape = {BANDIT_MAX_ARMS, 1, 1},
     .max = 1},
    {.name = "pulled",
     .help = "1 for the arm that was pulled",
     .shape = {BANDIT_MAX_ARMS, 1, 1},
     .max = 1},
    {.name = "won", .help = "1 if the pulled arm won", .shape = {1, 1, 1}, .max = 1},
    {0}};

static int bandit_policy_index(const struct banyan_game *game, const void *state, int player,
                               banyan_action action)
{
    (void)state;
    return (int)action;
}

static int bandit_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                       size_t size)
{
    (void)viewer;
    const struct bandit *bandit = state;
    struct text writer = text_start(out, size);
    for (int arm = 0; arm < bandit->arms; ++arm) {
        text_add(&writer, "arm %d wins with probability ", arm + 1);
        text_add_decimal(&writer, bandit->chance[arm], 6);
        if (bandit->pulled == arm + 1)
            text_add(&writer, "  <- pulled, %s", bandit->won ? "won" : "lost");
        text_add(&writer, "\n");
    }
    return (int)writer.length;
}

static const char *const bandit_dice_kinds[] = {[BANDIT_WIN] = "win", NULL};

static const struct banyan_game bandit_game = {
    .struct_size = sizeof(struct banyan_game),
    .name = "bandit",
    .title = "Multi-armed bandit",
    .players = 1,
    .state_size = sizeof(struct bandit),
    .action_bytes = 1,
    .max_legal = BANDIT_MAX_ARMS,
    .max_plies = 1,
    .return_min = 0,
    .return_max = 1,
    .policy_size = BANDIT_MAX_ARMS,
    .traits = BANYAN_CHANCE,
    .init = bandit_init,
    .movers = bandit_movers,
    .legal = bandit_legal,
    .apply = bandit_apply,
    .returns = bandit_returns,
    .key = bandit_key,
    .format = bandit_format,
    .action_format = bandit_action_format,
    .action_parse = bandit_action_parse,
    .policy_index = bandit_policy_index,
    .planes = {3 * BANDIT_MAX_ARMS + 1, 1, 1},
    .encode = bandit_encode,
    .features = bandit_features,
    .draw = bandit_draw,
    .dice_kinds = bandit_dice_kinds,
    .levels =
        (const char *const[]){"best", NULL}, /* a game of one player has no levels of strength */
};

const struct banyan_game *bandit_variant(int index)
{
    return index == 0 ? &bandit_game : NULL;
}
