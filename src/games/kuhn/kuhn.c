/* Kuhn poker: rules, texts and the table of its functions. */
#include "games/kuhn/kuhn.h"

#include <banyan/observe.h>

#include "base/rng.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const char kuhn_cards[] = "JQK";

/* Whether ply number index was a bet or a call. */
static bool kuhn_bet_at(const struct kuhn *kuhn, int index)
{
    return index >= 0 && (kuhn->bets >> index & 1);
}

/* Whether the mover must answer a bet, by a fold or a call. */
static bool kuhn_facing_bet(const struct kuhn *kuhn)
{
    return kuhn_bet_at(kuhn, kuhn->plies - 1);
}

static bool kuhn_over(const struct kuhn *kuhn)
{
    bool check_bet = kuhn->bets == 2;
    return kuhn->plies == 3 || (kuhn->plies == 2 && !check_bet);
}

/* Whether the last action was a fold. */
static bool kuhn_folded(const struct kuhn *kuhn)
{
    return kuhn_over(kuhn) && kuhn_bet_at(kuhn, kuhn->plies - 2) &&
           !kuhn_bet_at(kuhn, kuhn->plies - 1);
}

static bool kuhn_shown(const struct kuhn *kuhn)
{
    return kuhn_over(kuhn) && !kuhn_folded(kuhn);
}

static void kuhn_act(struct kuhn *kuhn, int action)
{
    kuhn->bets = (uint8_t)(kuhn->bets | action << kuhn->plies);
    ++kuhn->plies;
}

/* Draws one of the two cards that are not `card`. */
static uint8_t kuhn_other_card(uint8_t card, struct banyan_rng *rng)
{
    return (uint8_t)((card + 1 + rng_below(rng, 2)) % KUHN_CARDS);
}

static const char *kuhn_name(const struct kuhn *kuhn, int action)
{
    static const char *const names[2][2] = {{"check", "bet"}, {"fold", "call"}};
    return names[kuhn_facing_bet(kuhn)][action];
}

/* --- setup --- */

static bool kuhn_read_card(struct text_reader *reader, uint8_t *card)
{
    for (int i = 0; i < KUHN_CARDS; ++i) {
        char name[2] = {kuhn_cards[i], 0};
        if (text_take(reader, name)) {
            *card = (uint8_t)i;
            return true;
        }
    }
    return false;
}

static enum banyan_status kuhn_read_plies(struct kuhn *kuhn, struct text_reader *reader,
                                          struct banyan_error *err)
{
    while (!text_end(reader)) {
        char word[8] = "";
        struct text_place place = text_where(reader);
        text_word(reader, word, sizeof word);
        bool bet = strcmp(word, kuhn_name(kuhn, KUHN_BET)) == 0;
        if (kuhn_over(kuhn))
            return banyan_fail(err, BANYAN_INVALID, "kuhn, %s: the game ended before '%s'",
                               place.text, word);
        if (!bet && strcmp(word, kuhn_name(kuhn, KUHN_PASS)) != 0)
            return banyan_fail(err, BANYAN_INVALID, "kuhn, %s: expected '%s' or '%s'", place.text,
                               kuhn_name(kuhn, KUHN_PASS), kuhn_name(kuhn, KUHN_BET));
        kuhn_act(kuhn, bet);
    }
    return BANYAN_OK;
}

static void kuhn_deal(struct kuhn *kuhn, struct banyan_rng *rng)
{
    struct banyan_rng fixed;
    if (!rng) {
        banyan_rng_seed(&fixed, banyan_rng_child(0, "kuhn", 0));
        rng = &fixed;
    }
    kuhn->card[0] = (uint8_t)rng_below(rng, KUHN_CARDS);
    kuhn->card[1] = kuhn_other_card(kuhn->card[0], rng);
}

static enum banyan_status kuhn_init(const struct banyan_game *game, void *state, const char *setup,
                                    struct banyan_rng *rng, struct banyan_error *err)
{
    struct kuhn *kuhn = state;
    struct text_reader reader;
    memset(kuhn, 0, sizeof *kuhn);
    text_open(&reader, setup ? setup : "");
    if (text_end(&reader)) {
        kuhn_deal(kuhn, rng);
        return BANYAN_OK;
    }
    text_take(&reader, "deal=");
    for (int p = 0; p < 2; ++p)
        if (!kuhn_read_card(&reader, &kuhn->card[p]))
            return banyan_fail(err, BANYAN_INVALID, "kuhn, %s: expected a card, J, Q or K",
                               text_where(&reader).text);
    if (kuhn->card[0] == kuhn->card[1])
        return banyan_fail(err, BANYAN_INVALID, "kuhn: both players cannot hold %c",
                           kuhn_cards[kuhn->card[0]]);
    return kuhn_read_plies(kuhn, &reader, err);
}

/* --- rules --- */

static unsigned kuhn_movers(const struct banyan_game *game, const void *state)
{
    const struct kuhn *kuhn = state;
    return kuhn_over(kuhn) ? 0 : 1u << kuhn->plies % 2;
}

static int kuhn_legal(const struct banyan_game *game, const void *state, int player,
                      banyan_action *out)
{
    (void)state, (void)player;
    out[0] = KUHN_PASS;
    out[1] = KUHN_BET;
    return 2;
}

static void kuhn_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                       struct banyan_dice *dice)
{
    (void)dice;
    struct kuhn *kuhn = state;
    kuhn_act(kuhn, (int)joint[kuhn->plies % 2]);
}

static void kuhn_returns(const struct banyan_game *game, const void *state, float *out)
{
    const struct kuhn *kuhn = state;
    int winner = kuhn->card[1] > kuhn->card[0];
    if (kuhn_folded(kuhn))
        winner = kuhn->plies % 2; /* the player who did not fold */
    float stake = kuhn_shown(kuhn) && kuhn->bets ? 2 : 1;
    out[winner] = stake;
    out[!winner] = -stake;
}

/* The key depends on the viewer's card and the actions so far; on the other card only after a
 * showdown. */
static uint64_t kuhn_key(const struct banyan_game *game, const void *state, int viewer)
{
    const struct kuhn *kuhn = state;
    uint64_t other = kuhn_shown(kuhn) ? kuhn->card[!viewer] : KUHN_CARDS;
    uint64_t seen = (uint64_t)viewer | (uint64_t)kuhn->card[viewer] << 8 | other << 16 |
                    (uint64_t)kuhn->plies << 24 | (uint64_t)kuhn->bets << 32;
    return rng_mix(rng_mix(seen + 1));
}

static int kuhn_format(const struct banyan_game *game, const void *state, char *out, size_t size)
{
    const struct kuhn *kuhn = state;
    struct kuhn past = {.card = {kuhn->card[0], kuhn->card[1]}};
    struct text writer = text_start(out, size);
    text_add(&writer, "deal=%c%c", kuhn_cards[kuhn->card[0]], kuhn_cards[kuhn->card[1]]);
    for (int i = 0; i < kuhn->plies; ++i) {
        int action = kuhn_bet_at(kuhn, i);
        text_add(&writer, " %s", kuhn_name(&past, action));
        kuhn_act(&past, action);
    }
    return (int)writer.length;
}

static int kuhn_action_format(const struct banyan_game *game, const void *state, int player,
                              banyan_action action, char *out, size_t size)
{
    (void)player;
    return snprintf(out, size, "%s", kuhn_name(state, (int)action));
}

static enum banyan_status kuhn_action_parse(const struct banyan_game *game, const void *state,
                                            int player, const char *text, banyan_action *out,
                                            struct banyan_error *err)
{
    const struct kuhn *kuhn = state;
    if (kuhn_movers(game, kuhn) != 1u << player)
        return banyan_fail(err, BANYAN_ILLEGAL, "it is not player %d's turn", player + 1);
    for (int action = KUHN_PASS; action <= KUHN_BET; ++action)
        if (strcmp(text, kuhn_name(kuhn, action)) == 0) {
            *out = (banyan_action)action;
            return BANYAN_OK;
        }
    return banyan_fail(err, BANYAN_INVALID, "'%s' is neither '%s' nor '%s'", text,
                       kuhn_name(kuhn, KUHN_PASS), kuhn_name(kuhn, KUHN_BET));
}

static void kuhn_determinize(const struct banyan_game *game, void *state, int viewer,
                             struct banyan_rng *rng)
{
    struct kuhn *kuhn = state;
    if (!kuhn_shown(kuhn))
        kuhn->card[!viewer] = kuhn_other_card(kuhn->card[viewer], rng);
}

/* --- encoding and pictures --- */

/* Three planes for the viewer's card, then one per ply: 1 for a bet or call, -1 for a check or
 * fold, 0 before that ply. */
static void kuhn_encode(const struct banyan_game *game, const void *state, int viewer,
                        float *planes)
{
    const struct kuhn *kuhn = state;
    for (int card = 0; card < KUHN_CARDS; ++card)
        planes[card] = kuhn->card[viewer] == card;
    for (int i = 0; i < KUHN_PLIES; ++i)
        planes[KUHN_CARDS + i] = i >= kuhn->plies ? 0 : kuhn_bet_at(kuhn, i) ? 1 : -1;
}

static int kuhn_policy_index(const struct banyan_game *game, const void *state, int player,
                             banyan_action action)
{
    (void)state;
    return (int)action;
}

static int kuhn_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                     size_t size)
{
    const struct kuhn *kuhn = state;
    struct text writer = text_start(out, size);
    for (int p = 0; p < 2; ++p) {
        bool seen = viewer < 0 || viewer == p || kuhn_shown(kuhn);
        text_add(&writer, "player %d [%c]", p + 1, seen ? kuhn_cards[kuhn->card[p]] : '?');
        struct kuhn past = {.plies = 0};
        for (int i = 0; i < kuhn->plies; ++i) {
            int action = kuhn_bet_at(kuhn, i);
            if (i % 2 == p)
                text_add(&writer, " %s", kuhn_name(&past, action));
            kuhn_act(&past, action);
        }
        text_add(&writer, "\n");
    }
    return (int)writer.length;
}

static const struct banyan_feature kuhn_features[] = {
    {.name = "card",
     .help = "1 for the viewer's card: J, Q, K",
     .shape = {KUHN_CARDS, 1, 1},
     .max = 1},
    {.name = "plies",
     .help = "each ply: 1 bet or call, -1 check or fold, 0 not yet played",
     .kind = BANYAN_FEATURE_COUNT,
     .shape = {KUHN_PLIES, 1, 1},
     .min = -1,
     .max = 1},
    {0}};

static const struct banyan_game kuhn_game = {
    .struct_size = sizeof(struct banyan_game),
    .name = "kuhn",
    .title = "Kuhn poker",
    .players = 2,
    .state_size = sizeof(struct kuhn),
    .action_bytes = 1,
    .max_legal = 2,
    .max_plies = KUHN_PLIES,
    .return_min = -2,
    .return_max = 2,
    .policy_size = 2,
    .planes = {KUHN_CARDS + KUHN_PLIES, 1, 1},
    .traits = BANYAN_HIDDEN | BANYAN_ZERO_SUM,
    .init = kuhn_init,
    .movers = kuhn_movers,
    .legal = kuhn_legal,
    .apply = kuhn_apply,
    .returns = kuhn_returns,
    .key = kuhn_key,
    .format = kuhn_format,
    .action_format = kuhn_action_format,
    .action_parse = kuhn_action_parse,
    .determinize = kuhn_determinize,
    .encode = kuhn_encode,
    .features = kuhn_features,
    .policy_index = kuhn_policy_index,
    .draw = kuhn_draw,
    .best = "mcts:rule=regret,final=average",
    .levels = (const char *const[]){"best", NULL}, /* the cards decide most deals */
};

const struct banyan_game *kuhn_variant(int index)
{
    return index == 0 ? &kuhn_game : NULL;
}
