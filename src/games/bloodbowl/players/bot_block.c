/* The probabilities of a block's results, with a team reroll if there is one. */
#include "games/bloodbowl/players/bot.h"
#include "games/bloodbowl/rules.h"

enum bot_result { RESULT_TURNOVER, RESULT_TRADE, RESULT_NOTHING, RESULT_PUSH, RESULT_DOWN };

/* The result of a face.  Results are ordered from the worst to the best for the attacker;
 * RESULT_TRADE: both fall. */
static enum bot_result block_result(const struct bb_state *s, int attacker, int defender, int face)
{
    bool safe = bb_skilled(s, attacker, BB_SKILL_BLOCK),
         firm = bb_skilled(s, defender, BB_SKILL_BLOCK);
    switch (face) {
    case 1:
        return RESULT_TURNOVER;
    case 2:
        if (safe)
            return firm ? RESULT_NOTHING : RESULT_DOWN;
        return firm ? RESULT_TURNOVER : RESULT_TRADE;
    case 4:
        return bb_skilled(s, defender, BB_SKILL_DODGE) && !bb_skilled(s, attacker, BB_SKILL_TACKLE)
                   ? RESULT_PUSH
                   : RESULT_DOWN;
    case 5:
        return RESULT_DOWN;
    default:
        return RESULT_PUSH;
    }
}

int bot_face(const struct bb_state *s, int attacker, int defender, int face)
{
    static const int8_t worth[] = {[RESULT_TURNOVER] = 0,
                                   [RESULT_TRADE] = 15,
                                   [RESULT_NOTHING] = 40,
                                   [RESULT_PUSH] = 50,
                                   [RESULT_DOWN] = 90};
    int value = worth[block_result(s, attacker, defender, face)];
    return face == 5 ? value + 5 : value; /* the pushed player also moves */
}

/* The probability of each result when the chooser takes the best of the dice; negative dice: the
 * defender's coach takes the worst.  one: the probabilities for a single die. */
static void block_spread(const float one[5], int dice, float out[5])
{
    int n = dice < 0 ? -dice : dice;
    float below = 0, before = 0;
    for (int r = 0; r < 5; ++r) {
        below += one[r]; /* probability of results up to r on one die */
        float now = dice > 0 ? below : 1 - below, power = 1;
        for (int i = 0; i < n; ++i)
            power *= now;
        float up_to = dice > 0 ? power : 1 - power;
        out[r] = up_to - before;
        before = up_to;
    }
}

/* The dice with more assists; negative: the defender's coach chooses. */
static int block_dice(const struct bb_state *s, int attacker, int defender, int square, bool blitz,
                      int more)
{
    if (more == 0)
        return bb_block_dice(s, attacker, defender, square, blitz, false);
    struct bb_assists assists = bb_assists(s, attacker, defender, square, false);
    int own = assists.own + more + s->player[attacker].st;
    own += blitz && bb_skilled(s, attacker, BB_SKILL_HORNS);
    return bb_dice_of(own, assists.against + s->player[defender].st);
}

struct bot_odds bot_block(const struct bot_view *view, int attacker, int defender, int square,
                          bool blitz, int more)
{
    const struct bb_state *s = view->s;
    float one[5] = {0}, all[5];
    for (int face = 1; face <= 6; ++face)
        one[block_result(s, attacker, defender, face)] += 1 / 6.0f;
    block_spread(one, block_dice(s, attacker, defender, square, blitz, more), all);
    struct bot_odds odds = {.down = all[RESULT_DOWN] + all[RESULT_TRADE],
                            .push = all[RESULT_PUSH],
                            .turnover = all[RESULT_TURNOVER] + all[RESULT_TRADE]};
    if (view->reroll) { /* a reroll for a result that ends the turn */
        odds.down = all[RESULT_DOWN] + odds.turnover * odds.down;
        odds.push += odds.turnover * odds.push;
        odds.turnover *= odds.turnover;
    }
    return odds;
}
