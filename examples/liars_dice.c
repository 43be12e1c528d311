/* Liar's dice with one die each: a game with hidden dice in one file.  Players take turns to bid
 * how often a face lies on the table, counting both dice; a die that shows the highest face counts
 * for every face.  Each bid is higher than the last (more dice, or as many of a higher face).  A
 * player who doubts the last bid says "liar": then the dice are shown, and the bidder wins if the
 * bid is true.
 *
 * An action is a bid, numbered (quantity - 1) * sides + face - 1, as text "2x3"; or "liar".
 * A state as text: both dice, the bids, and "liar" if it was said: "3 1 1x3 2x3 liar".
 *
 *     cc -std=c17 -shared -fPIC liars_dice.c $(pkg-config --cflags banyan) -o liars_dice.so
 *     banyan --game ./liars_dice.so play liars-dice
 */
#include <banyan/plugin.h>
#include <banyan/rng.h>

#include <stdio.h>
#include <string.h>

enum { LIARS_DICE = 2, LIARS_WORD = 32 };

/* Bids rise, so the set of bids is their history. */
struct liars_state {
    uint16_t bids;  /* bit b: bid b was made */
    uint8_t die[2]; /* 1..sides */
    uint8_t called; /* 1: a player said "liar" */
    uint8_t unused;
};

static int liars_sides(const struct banyan_game *game)
{
    return *(const int *)game->ctx;
}

static int liars_bids(const struct banyan_game *game)
{
    return LIARS_DICE * liars_sides(game);
}

/* Returns the number of bids so far; *last becomes the highest bid, -1 if there is none. */
static int liars_count(const struct liars_state *state, int *last)
{
    int count = 0;
    *last = -1;
    for (int bid = 0; bid < 16; ++bid)
        if (state->bids >> bid & 1) {
            ++count;
            *last = bid;
        }
    return count;
}

/* --- rules --- */

static unsigned liars_movers(const struct banyan_game *game, const void *at)
{
    const struct liars_state *state = at;
    int last;
    return state->called ? 0 : 1u << liars_count(state, &last) % 2;
}

static int liars_legal(const struct banyan_game *game, const void *at, int player,
                       banyan_action *out)
{
    int last, n = 0, bids = liars_bids(game);
    liars_count(at, &last);
    for (int bid = last + 1; bid < bids; ++bid)
        out[n++] = (banyan_action)bid;
    if (last >= 0)
        out[n++] = (banyan_action)bids; /* liar */
    return n;
}

static void liars_say(const struct banyan_game *game, struct liars_state *state, int action)
{
    if (action == liars_bids(game))
        state->called = 1;
    else
        state->bids = (uint16_t)(state->bids | 1u << action);
}

static void liars_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                        struct banyan_dice *dice)
{
    int last, mover = liars_count(at, &last) % 2;
    liars_say(game, at, (int)joint[mover]);
}

static void liars_returns(const struct banyan_game *game, const void *at, float *out)
{
    const struct liars_state *state = at;
    int last, bidder = (liars_count(state, &last) + 1) % 2, sides = liars_sides(game);
    int there = 0;
    for (int p = 0; p < LIARS_DICE; ++p)
        there += state->die[p] == last % sides + 1 || state->die[p] == sides;
    out[bidder] = there >= last / sides + 1 ? 1 : -1;
    out[!bidder] = -out[bidder];
}

/* The key of what viewer knows: their own die, the bids, and both dice after "liar". */
static uint64_t liars_key(const struct banyan_game *game, const void *at, int viewer)
{
    const struct liars_state *state = at;
    uint64_t other = state->called ? state->die[!viewer] : 0;
    uint64_t dice = (uint64_t)viewer << 16 | (uint64_t)state->die[viewer] << 8 | other;
    return banyan_rng_child(dice, "liars-dice", (uint64_t)state->bids << 1 | state->called);
}

static uint8_t liars_roll(const struct banyan_game *game, struct banyan_rng *rng)
{
    return (uint8_t)(1 + banyan_rng_below(rng, (uint32_t)liars_sides(game)));
}

static void liars_determinize(const struct banyan_game *game, void *at, int viewer,
                              struct banyan_rng *rng)
{
    struct liars_state *state = at;
    if (!state->called)
        state->die[!viewer] = liars_roll(game, rng);
}

/* --- texts --- */

static int liars_action_format(const struct banyan_game *game, const void *at, int player,
                               banyan_action action, char *out, size_t size)
{
    int sides = liars_sides(game), bid = (int)action;
    if (bid == liars_bids(game))
        return snprintf(out, size, "liar");
    return snprintf(out, size, "%dx%d", bid / sides + 1, bid % sides + 1);
}

/* Returns the legal action with this text, or -1.  *known: whether the text is an action at all. */
static int liars_find(const struct banyan_game *game, const void *at, const char *text, bool *known)
{
    char name[LIARS_WORD];
    int last, bids = liars_bids(game);
    liars_count(at, &last);
    *known = false;
    for (int action = 0; action <= bids; ++action) {
        liars_action_format(game, at, 0, (banyan_action)action, name, sizeof name);
        if (strcmp(name, text) != 0)
            continue;
        *known = true;
        return action == bids ? last >= 0 ? action : -1 : action > last ? action : -1;
    }
    return -1;
}

static enum banyan_status liars_action_parse(const struct banyan_game *game, const void *at,
                                             int player, const char *text, banyan_action *out,
                                             struct banyan_error *err)
{
    bool known;
    int action = liars_find(game, at, text, &known);
    if (!known)
        return banyan_fail(err, BANYAN_INVALID, "'%.20s' is neither a bid such as 2x3 nor 'liar'",
                           text);
    if (action < 0)
        return banyan_fail(err, BANYAN_ILLEGAL, "'%s' is not possible after the last bid", text);
    *out = (banyan_action)action;
    return BANYAN_OK;
}

static int liars_format(const struct banyan_game *game, const void *at, char *out, size_t size)
{
    const struct liars_state *state = at;
    char said[16 * LIARS_WORD] = "", word[LIARS_WORD];
    for (int bid = 0; bid < liars_bids(game); ++bid)
        if (state->bids >> bid & 1) {
            liars_action_format(game, at, 0, (banyan_action)bid, word, sizeof word);
            strcat(strcat(said, " "), word);
        }
    return snprintf(out, size, "%d %d%s%s", state->die[0], state->die[1], said,
                    state->called ? " liar" : "");
}

/* Reads the bids and "liar" of a state's text, words separated by blanks. */
static enum banyan_status liars_read(const struct banyan_game *game, struct liars_state *state,
                                     const char *text, struct banyan_error *err)
{
    char word[LIARS_WORD];
    int length;
    bool known;
    for (; *text; text += length) {
        int action = -1;
        if (sscanf(text, " %31[^ ]%n", word, &length) == 1 && !state->called)
            action = liars_find(game, state, word, &known);
        if (action < 0)
            return banyan_fail(err, BANYAN_INVALID, "'%.40s' cannot be said here", text);
        liars_say(game, state, action);
    }
    return BANYAN_OK;
}

static enum banyan_status liars_init(const struct banyan_game *game, void *at, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err)
{
    struct liars_state state = {.bids = 0};
    struct banyan_rng fixed;
    int die[2], length = 0;
    banyan_rng_seed(&fixed, 1);
    if (!rng)
        rng = &fixed;
    if (!setup || !*setup) {
        state.die[0] = liars_roll(game, rng);
        state.die[1] = liars_roll(game, rng);
    } else {
        int sides = liars_sides(game);
        if (sscanf(setup, "%1d %1d%n", &die[0], &die[1], &length) != 2 || die[0] < 1 ||
            die[1] < 1 || die[0] > sides || die[1] > sides)
            return banyan_fail(err, BANYAN_INVALID, "'%.40s' does not begin with two dice, 1 to %d",
                               setup, sides);
        state.die[0] = (uint8_t)die[0];
        state.die[1] = (uint8_t)die[1];
        enum banyan_status status = liars_read(game, &state, setup + length, err);
        if (status != BANYAN_OK)
            return status;
    }
    memcpy(at, &state, sizeof state);
    return BANYAN_OK;
}

/* --- the tables --- */

static int liars_three = 3, liars_six = 6;

#define LIARS_GAME(NAME, TITLE, SIDES, CTX)                                                     \
    {                                                                                           \
        .struct_size = sizeof(struct banyan_game), .ctx = &(CTX), .name = NAME, .title = TITLE, \
        .players = 2, .state_size = sizeof(struct liars_state), .action_bytes = 1,              \
        .max_legal = LIARS_DICE * (SIDES), .max_plies = LIARS_DICE * (SIDES) + 1,               \
        .return_min = -1, .return_max = 1, .traits = BANYAN_ZERO_SUM | BANYAN_HIDDEN,           \
        .init = liars_init, .movers = liars_movers, .legal = liars_legal, .apply = liars_apply, \
        .returns = liars_returns, .key = liars_key, .format = liars_format,                     \
        .action_format = liars_action_format, .action_parse = liars_action_parse,               \
        .determinize = liars_determinize                                                        \
    }

static const struct banyan_game liars_dice = LIARS_GAME("liars-dice", "Liar's dice", 6, liars_six),
                                liars_dice_3 = LIARS_GAME("liars-dice-3", "Liar's dice (3 sides)",
                                                          3, liars_three);

BANYAN_PLUGIN(&liars_dice, &liars_dice_3);
