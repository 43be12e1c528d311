/* Computes the damage of an attack: every amount with its probability, by the rules. */
#include "games/pokemon/calc.h"

#include "games/pokemon/battle.h"

#include <banyan/rng.h>

#include <string.h>

/* Uses the move as in a turn, but without the effects that may stop the user. */
static void calc_use(struct battle *b, int user, int move, bool max)
{
    struct battle_move *base = &b->moves[b->move_count++];
    use_fill(base, move);
    int target = base->target == TARGET_FOE || base->target == TARGET_FOE_SIDE ? !user : user;
    base->becomes_max = max;
    if (max)
        target = dex_moves[move].category == CATEGORY_STATUS ? user : !user;
    b->move = base;
    b->user = user;
    b->target = target;
    use_move(b, base, user, target, 0);
}

static bool calc_was_critical(const struct battle *b)
{
    for (int i = 0; i < b->move_count; ++i)
        if (b->moves[i].is_critical)
            return true;
    return false;
}

static void calc_add(struct calc *out, int damage, bool crit, double chance)
{
    int i = 0;
    while (i < out->count &&
           (out->amounts[i].crit != crit ? !out->amounts[i].crit : out->amounts[i].damage < damage))
        ++i;
    out->hits += damage ? chance : 0;
    if (i < out->count && out->amounts[i].crit == crit && out->amounts[i].damage == damage) {
        out->amounts[i].chance += chance;
        return;
    }
    if (out->count == CALC_AMOUNTS) { /* counts it as the next larger amount */
        out->amounts[i < out->count ? i : out->count - 1].chance += chance;
        return;
    }
    memmove(&out->amounts[i + 1], &out->amounts[i],
            (size_t)(out->count - i) * sizeof out->amounts[0]);
    out->amounts[i] = (struct calc_amount){damage, crit, chance};
    ++out->count;
}

/* hp and maximum hp are multiplied by this, so that no damage exceeds hp.  Damage that is a share
 * of hp is computed without it. */
enum { CALC_SCALE = 8 };

static bool calc_by_hp(int move)
{
    return move == MOVE_SUPERFANG || move == MOVE_NATURESMADNESS;
}

/* One attack. */
struct calc_use {
    const struct pokemon *s;
    int user, move;
    bool max;
};

/* Plays one outcome of the dice and adds the damage to out. */
static void calc_once(const struct calc_use *use, struct banyan_dice *dice, struct calc *out,
                      double share)
{
    struct pokemon copy = *use->s;
    int user = use->user, move = use->move;
    struct battle b;
    battle_open(&b, &copy, dice);
    stats_update_speeds(&b);
    struct pokemon_mon *target = mon_of(&b, !user);
    if (!calc_by_hp(move)) {
        target->hp = (uint16_t)(target->hp * CALC_SCALE);
        target->max_hp = (uint16_t)(target->max_hp * CALC_SCALE);
    }
    int before = target->hp;
    calc_use(&b, user, move, use->max);
    bool crit = calc_was_critical(&b);
    int damage = before - target->hp;
    calc_add(out, damage > 0 ? damage : 0, crit && damage > 0,
             dice->mode == BANYAN_DICE_ENUMERATED ? dice->probability : share);
}

/* Gives the dice that do not change the damage one face, as far as possible. */
static const uint8_t calc_coarse[DIE_COUNT] = {
    [DIE_HITS] = 1,           [DIE_SLEEP] = 1,        [DIE_CONFUSION_TURNS] = 1,
    [DIE_LOCKED] = 1,         [DIE_TRAP] = 1,         [DIE_EFFECT_SPORE] = 1,
    [DIE_DRAG] = 1,           [DIE_SLEEP_TALK] = 1,   [DIE_PICK_STATUS] = 1,
    [DIE_GMAX] = 1,           [DIE_ORDER_ACTION] = 1, [DIE_ORDER_SWITCH] = 1,
    [DIE_ORDER_RESIDUAL] = 1, [DIE_ORDER_WEATHER] = 1};

/* Plays all outcomes; returns false when there are too many. */
static bool calc_enumerate(const struct calc_use *use, struct calc *out)
{
    struct banyan_dice dice;
    int ways = 0;
    banyan_dice_enumerated(&dice, calc_coarse, DIE_COUNT);
    do
        calc_once(use, &dice, out, 0);
    while (++ways < CALC_WAYS && banyan_dice_advance(&dice));
    return ways < CALC_WAYS && !dice.failed;
}

void calc_attack(const struct pokemon *s, int user, int move, bool max, struct calc *out)
{
    struct banyan_dice dice;
    const struct dex_move *row = &dex_moves[move];
    const struct calc_use use = {s, user, move, max};
    const struct pokemon_mon *target = &s->sides[!user].mons[s->sides[!user].order[0]];
    memset(out, 0, sizeof *out);
    out->hp = target->hp;
    out->max_hp = target->max_hp;
    if ((row->hits[1] <= 1 || max) && calc_enumerate(&use, out))
        return;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    banyan_dice_drawn(&dice, &rng);
    out->count = 0;
    out->hits = 0;
    out->sampled = true;
    for (int i = 0; i < CALC_SAMPLES; ++i)
        calc_once(&use, &dice, out, 1.0 / CALC_SAMPLES);
}

double calc_knock_out(const struct calc *calc, int n)
{
    double left[4096] = {0}, sum = 0;
    int hp = calc->hp < 4095 ? calc->hp : 4095;
    left[hp] = 1;
    for (int k = 0; k < n; ++k) {
        double next[4096] = {0};
        next[0] = left[0];
        for (int at = 1; at <= hp; ++at)
            for (int i = 0; left[at] > 0 && i < calc->count; ++i) {
                int rest = at - calc->amounts[i].damage;
                next[rest > 0 ? rest : 0] += left[at] * calc->amounts[i].chance;
            }
        memcpy(left, next, sizeof left);
    }
    sum = left[0];
    return sum > 1 ? 1 : sum;
}

bool calc_range(const struct calc *calc, bool crit, int *least, int *most)
{
    bool found = false;
    for (int i = 0; i < calc->count; ++i) {
        const struct calc_amount *amount = &calc->amounts[i];
        if (amount->crit != crit || !amount->damage)
            continue;
        *least = found ? *least : amount->damage;
        *most = amount->damage;
        found = true;
    }
    return found;
}
