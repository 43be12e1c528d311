/* Lists the plans of a turn.  A plan is one activation with its probability of success and its
 * points: the gain, less what a turnover would cost. */
#include "games/bloodbowl/players/bot.h"
#include "games/bloodbowl/players/bot_field.h"
#include "games/bloodbowl/rules.h"

#include <string.h>

/* State while the plans of one player are collected. */
struct plans {
    const struct bot_view *view;
    struct bot_field field;
    const struct bb_frame *turn;
    struct bot_reach reach; /* squares in reach of the player */
    struct bot_plans *out;
    int player, each;
    int first;   /* index of the first plan of this kind and player */
    float price; /* points that a turnover costs */
    float least; /* plans with less gain are left out */
    bool all;
};

static void plans_add(struct plans *p, const struct bot_plan *plan)
{
    struct bot_plans *out = p->out;
    int at = out->count, worst = p->first;
    for (int i = p->first + 1; i < out->count; ++i)
        if (out->plan[i].points < out->plan[worst].points)
            worst = i;
    if (out->count - p->first >= p->each || out->count >= BOT_PLANS - 1) {
        if (out->count == p->first || out->plan[worst].points >= plan->points)
            return;
        at = worst;
    } else {
        ++out->count;
    }
    out->plan[at] = *plan;
}

/* Adds a plan; gain: points if all goes well.  A turnover costs p->price. */
static void plans_offer(struct plans *p, int start, int stand, int target, float chance, float gain)
{
    struct bot_plan plan = {.start = (uint8_t)start,
                            .player = (uint8_t)p->player,
                            .stand = (uint16_t)stand,
                            .target = (uint16_t)target,
                            .chance = chance,
                            .points = chance * gain - (1 - chance) * p->price};
    plans_add(p, &plan);
}

/* The probability with the team's reroll, if there is one. */
static float plans_insured(const struct plans *p, float chance)
{
    return p->view->reroll ? chance * (2 - chance) : chance;
}

static bool plans_may(const struct plans *p, unsigned resource)
{
    return p->turn->bits & resource && !bb_is(p->view->s, p->player, BB_ROOTED);
}

/* --- moving --- */

static float plans_stand_up(const struct plans *p)
{
    return bb_is(p->view->s, p->player, BB_UP) ? 0 : 3;
}

/* The label (its index) of the safest square of the end zone in reach; -1: there is none. */
static int plans_run_in(const struct plans *p)
{
    int best = -1;
    for (int i = 1; i < p->reach.count; ++i)
        if (bot_far(p->view->s, p->view->team, p->reach.label[i].square) == 0 &&
            (best < 0 || p->reach.label[i].chance > p->reach.label[best].chance))
            best = i;
    return best;
}

static void plans_carry(struct plans *p, int index, float gain)
{
    const struct bot_label *label = &p->reach.label[index];
    float chance = plans_insured(p, label->chance);
    plans_add(p, &(struct bot_plan){.start = BB_DO_START_MOVE,
                                    .player = (uint8_t)p->player,
                                    .stand = label->square,
                                    .target = BB_NOWHERE,
                                    .stays = p->all,
                                    .chance = chance,
                                    .points = chance * gain - (1 - chance) * p->price});
}

static void plans_move_carrier(struct plans *p, float stay)
{
    int home = plans_run_in(p);
    for (int i = 0; i < p->reach.count; ++i) {
        const struct bot_label *label = &p->reach.label[i];
        if (p->reach.best[label->square] != i || (i == 0 && plans_stand_up(p) == 0))
            continue;
        if (i != home && bot_far(p->view->s, p->view->team, label->square) == 0)
            continue; /* all touchdowns have the same value */
        float gain = bot_carrier_points(p->view, p->player, label->square) - stay;
        if (gain + plans_stand_up(p) > p->least)
            plans_carry(p, i, gain + plans_stand_up(p));
    }
}

/* Points if this player picks up the ball. */
static float plans_pickup(const struct plans *p, const struct bot_label *label)
{
    const struct bot_view *view = p->view;
    int left = bb_ma(view->s, p->player) + 2 - label->moves;
    int far = bot_far(view->s, view->team, label->square);
    if (far <= left)
        return 60;
    float points = 24 + bot_carrier_points(view, p->player, label->square) * 0.25f;
    return points + 0.6f * (float)left;
}

static void plans_move_other(struct plans *p, float stay)
{
    const struct bb_state *s = p->view->s;
    bool lies = s->ball_out && s->ball_on_ground && !s->ball_carried;
    for (int i = 0; i < p->reach.count; ++i) {
        const struct bot_label *label = &p->reach.label[i];
        if (p->reach.best[label->square] != i || (i == 0 && plans_stand_up(p) == 0))
            continue;
        float gain = lies && label->square == s->ball
                         ? plans_pickup(p, label)
                         : bot_field_points(&p->field, p->player, label->square) - stay -
                               0.02f * (float)label->moves;
        gain += plans_stand_up(p);
        if (gain > p->least)
            plans_offer(p, BB_DO_START_MOVE, label->square, BB_NOWHERE,
                        plans_insured(p, label->chance), gain);
    }
}

static void plans_move(struct plans *p)
{
    const struct bot_view *view = p->view;
    int square = view->s->player[p->player].square;
    if (bb_is(view->s, p->player, BB_ROOTED))
        return;
    p->first = p->out->count;
    if (view->carrier == p->player)
        plans_move_carrier(p, bot_carrier_points(view, p->player, square));
    else
        plans_move_other(p, bot_field_points(&p->field, p->player, square));
}

/* --- blocks --- */

/* Points if this opponent is knocked down. */
static float plans_victim(const struct plans *p, int victim)
{
    const struct bot_view *view = p->view;
    int square = view->s->player[victim].square;
    float points = 5 + 0.7f * (float)(10 - view->s->player[victim].av);
    if (view->carrier == victim)
        return points + 32;
    if (view->ball != BB_NOWHERE && bb_distance(square, view->ball) <= 2)
        points += p->field.possession == BOT_BALL_OURS ? 5 : 3;
    if (p->field.centre != BB_NOWHERE && bb_distance(square, p->field.centre) <= 2)
        points += 2;
    return points;
}

static float plans_shove(const struct plans *p, int player, int victim)
{
    const struct bot_view *view = p->view;
    if (view->carrier != victim)
        return 0.8f;
    return bb_skilled(view->s, player, BB_SKILL_STRIP_BALL) ? 20 : 2;
}

/* Points for a ball carrier who can run on after the block, with a dodge if other opponents mark
 * them: a large share of a touchdown's points, or those of a shorter run. */
static float plans_run_after(const struct plans *p, int stand, int victim)
{
    const struct bot_view *view = p->view;
    const struct bb_state *s = view->s;
    int ma = bb_ma(s, p->player), left = ma + 2 - p->reach.label[p->reach.best[stand]].moves - 1;
    int far = bot_far(s, view->team, stand);
    int zones = view->zones[view->opponent][stand] - bb_adjacent(stand, s->player[victim].square);
    float free = zones > 0 ? bot_d6(bb_agility(s->player[p->player].ag) - 1) : 1;
    if (far <= left)
        return free *
               (far <= left - 2 ? 0.9f
                : far < left    ? 0.75f
                                : 0.6f) *
               (BOT_TOUCHDOWN - bot_carrier_points(view, p->player, stand));
    return left > 2 ? free * 50 * (float)(left - 2) / (float)(bb_variant(s)->width - 3) : 0;
}

/* Points for a blitzer who can fetch the ball after the opponent is knocked down. */
static float plans_fetch_after(const struct plans *p, int stand, int victim)
{
    const struct bb_state *s = p->view->s;
    bool lies = s->ball_out && s->ball_on_ground && !s->ball_carried;
    int index = p->reach.best[stand], far = lies ? bb_distance(stand, s->ball) : 99;
    if (far + p->reach.label[index].moves + 1 > bb_ma(s, p->player))
        return 0;
    int zones =
        p->view->zones[p->view->opponent][s->ball] - bb_adjacent(s->ball, s->player[victim].square);
    float chance = bot_d6(bb_agility(s->player[p->player].ag) - 1 + zones);
    return chance * plans_pickup(
                        p, &(struct bot_label){.square = s->ball, .moves = (uint8_t)(far + 2)}) -
           (1 - chance) * p->price;
}

static void plans_hit(struct plans *p, int start, int victim, int stand, float way)
{
    const struct bot_view *view = p->view;
    struct bot_odds odds = bot_block(view, p->player, victim, stand, start == BB_DO_START_BLITZ);
    float price = p->price + (view->carrier == p->player ? BOT_LOST_BALL : 2);
    float gain = odds.down * plans_victim(p, victim) +
                 odds.push * plans_shove(p, p->player, victim) - odds.turnover * price;
    if (start == BB_DO_START_BLITZ && view->carrier != p->player)
        gain += 0.5f * (bot_field_points(&p->field, p->player, stand) -
                        bot_field_points(&p->field, p->player, view->s->player[p->player].square));
    if (start == BB_DO_START_BLITZ && view->carrier == p->player)
        gain += (odds.down + odds.push) * plans_run_after(p, stand, victim);
    else if (start == BB_DO_START_BLITZ)
        gain += odds.down * plans_fetch_after(p, stand, victim);
    if (gain <= p->least)
        return;
    struct bot_plan plan = {.start = (uint8_t)start,
                            .player = (uint8_t)p->player,
                            .stand = (uint16_t)stand,
                            .target = view->s->player[victim].square,
                            .chance = way * (1 - odds.turnover),
                            .points = way * gain - (1 - way) * p->price};
    plans_add(p, &plan);
}

static void plans_block(struct plans *p)
{
    const struct bb_state *s = p->view->s;
    int square = s->player[p->player].square;
    p->first = p->out->count;
    if (p->turn->bits & BB_TURN_IS_BLITZ || !bb_is(s, p->player, BB_UP))
        return;
    for (unsigned k = 0; k < 8; ++k) {
        int victim = bb_at(s, square + bb_d8(s, k));
        if (victim != BB_NONE && bb_team_of(victim) == p->view->opponent && bb_is(s, victim, BB_UP))
            plans_hit(p, BB_DO_START_BLOCK, victim, square, 1);
    }
}

/* Whether to list a blitz from the player's own square.  A block does the same, unless the player
 * moves on after it.  The script itself does not use such a blitz (p->all is false). */
static bool plans_blitz_here(const struct plans *p, int victim)
{
    const struct bb_state *s = p->view->s;
    int square = s->player[p->player].square;
    bool lies = s->ball_out && s->ball_on_ground && !s->ball_carried;
    return p->all && (p->view->carrier == p->player || p->view->carrier == victim ||
                      (lies && plans_fetch_after(p, square, victim) > 0));
}

static void plans_blitz_one(struct plans *p, int victim)
{
    const struct bb_state *s = p->view->s;
    const struct bb_player *who = &s->player[p->player];
    int at = s->player[victim].square, ma = bb_ma(s, p->player);
    for (unsigned k = 0; k < 8; ++k) {
        int stand = at + bb_d8(s, k), index = p->reach.best[stand];
        bool here = stand == who->square && bb_is(s, p->player, BB_UP);
        if (index < 0 || (here ? !plans_blitz_here(p, victim) : stand == p->view->ball))
            continue;
        const struct bot_label *label = &p->reach.label[index];
        if (label->moves + 1 > ma + bb_gfis(s, p->player))
            continue;
        float way = label->chance * (label->moves >= ma ? 5 / 6.0f : 1);
        plans_hit(p, BB_DO_START_BLITZ, victim, stand, plans_insured(p, way));
    }
}

static void plans_blitz(struct plans *p)
{
    const struct bb_state *s = p->view->s;
    int square = s->player[p->player].square;
    p->first = p->out->count;
    if (!plans_may(p, BB_TURN_BLITZ))
        return;
    int far = bb_ma(s, p->player) + 2;
    for (int i = bb_first(p->view->opponent); i < bb_end(s, p->view->opponent); ++i)
        if (bb_on_pitch(s, i) && bb_is(s, i, BB_UP) &&
            bb_distance(square, s->player[i].square) <= far)
            plans_blitz_one(p, i);
}

/* --- handing off and passing --- */

/* Probability that a team-mate scores in this turn with the ball, and the points gained otherwise.
 */
static float plans_mate(const struct plans *p, int mate, float *gain)
{
    const struct bot_view *view = p->view;
    const struct bb_state *s = view->s;
    int square = s->player[mate].square, far = bot_far(s, view->team, square);
    *gain = bot_carrier_points(view, mate, square) -
            bot_carrier_points(view, p->player, s->player[p->player].square);
    if (far == 0)
        return 1;
    if (bb_is(s, mate, BB_USED) || far > bb_ma(s, mate) + 2)
        return 0;
    float chance = far > bb_ma(s, mate) + 1 ? 25 / 36.0f : far > bb_ma(s, mate) ? 5 / 6.0f : 1;
    return view->zones[view->opponent][square] ? chance * 0.6f : chance * 0.95f;
}

static float plans_catch(const struct plans *p, int mate, unsigned bits)
{
    const struct bb_state *s = p->view->s;
    float chance = bot_d6(bb_agility(s->player[mate].ag) - bb_catch_modifier(s, mate, bits, false));
    return bb_skilled(s, mate, BB_SKILL_CATCH) ? chance * (2 - chance) : chance;
}

static void plans_give(struct plans *p, int start, int stand, int mate, float chance)
{
    float gain, scores = plans_mate(p, mate, &gain);
    float points = scores * BOT_TOUCHDOWN * 0.9f + (1 - scores) * gain;
    if (points <= 5)
        return;
    struct bot_plan plan = {.start = (uint8_t)start,
                            .player = (uint8_t)p->player,
                            .stand = (uint16_t)stand,
                            .target = p->view->s->player[mate].square,
                            .chance = chance,
                            .points = chance * points - (1 - chance) * BOT_LOST_BALL};
    if (plan.points > 0)
        plans_add(p, &plan);
}

static void plans_hand_off(struct plans *p, int mate)
{
    const struct bb_state *s = p->view->s;
    int at = s->player[mate].square;
    float caught = plans_catch(p, mate, BB_CATCH_HANDOFF);
    for (unsigned k = 0; k < 8; ++k) {
        float way = bot_chance(&p->reach, at + bb_d8(s, k));
        if (way > 0)
            plans_give(p, BB_DO_START_HANDOFF, at + bb_d8(s, k), mate,
                       plans_insured(p, way * caught));
    }
}

static void plans_pass(struct plans *p, int mate)
{
    const struct bb_state *s = p->view->s;
    uint8_t thieves[BB_TEAM_MAX];
    int from = s->player[p->player].square, to = s->player[mate].square;
    int range = bb_pass_range(from, to);
    if (range > (s->weather == BB_BLIZZARD ? 2 : 4) || !bb_is(s, p->player, BB_UP))
        return;
    float chance =
        bot_d6(bb_agility(s->player[p->player].ag) - bb_pass_modifier(s, p->player, range, false));
    if (bb_skilled(s, p->player, BB_SKILL_PASS))
        chance *= 2 - chance;
    if (bb_interceptors(s, from, to, p->view->opponent, thieves))
        chance *= 0.8f;
    plans_give(p, BB_DO_START_PASS, from, mate,
               plans_insured(p, chance * plans_catch(p, mate, BB_CATCH_ACCURATE)));
}

static void plans_share(struct plans *p)
{
    const struct bb_state *s = p->view->s;
    if (p->view->carrier != p->player)
        return;
    p->first = p->out->count;
    for (int i = bb_first(p->view->team); i < bb_end(s, p->view->team); ++i) {
        if (i == p->player || !bb_on_pitch(s, i) || !bb_can_catch(s, i))
            continue;
        if (plans_may(p, BB_TURN_HANDOFF))
            plans_hand_off(p, i);
        if (plans_may(p, BB_TURN_PASS))
            plans_pass(p, i);
    }
}

/* --- all plans --- */

/* Points that a turnover costs now: for players who have not acted, and for a carrier who has not.
 */
static float plans_price(const struct bot_view *view)
{
    float price = 4 + 0.8f * (float)view->idle;
    bool ours = view->carrier != BB_NONE && bb_team_of(view->carrier) == view->team;
    return price + (ours && !bb_is(view->s, view->carrier, BB_USED) ? 3 : 0);
}

void bot_list(const struct bot_view *view, int each, bool all, struct bot_plans *out)
{
    const struct bb_state *s = view->s;
    struct plans p = {.view = view,
                      .turn = bb_turn_frame(s),
                      .out = out,
                      .each = each,
                      .all = all,
                      .least = all ? -20 : 0.5f};
    out->count = 0;
    p.price = plans_price(view);
    if (!(p.turn->bits & BB_TURN_IS_QUICK_SNAP)) {
        bot_field_open(&p.field, view);
        for (int i = bb_first(view->team); i < bb_end(s, view->team); ++i) {
            if (!bb_on_pitch(s, i) || bb_is(s, i, BB_USED | BB_STUNNED))
                continue;
            if (p.turn->bits & BB_TURN_IS_BLITZ && view->zones[view->opponent][s->player[i].square])
                continue;
            p.player = i;
            bot_find(view, i, &p.reach);
            plans_move(&p);
            plans_block(&p);
            plans_blitz(&p);
            plans_share(&p);
        }
    }
    out->plan[out->count++] = (struct bot_plan){.start = BB_DO_END_TURN,
                                                .player = BB_NONE,
                                                .stand = BB_NOWHERE,
                                                .target = BB_NOWHERE,
                                                .chance = 1};
}

/* Plans of which a turn needs only one: a blitz, and fetching the ball. */
enum { ONCE_NOT, ONCE_BLITZ, ONCE_FETCH, ONCE_KINDS };

static int plans_once(const struct bot_view *view, const struct bot_plan *plan)
{
    if (plan->start == BB_DO_START_BLITZ)
        return ONCE_BLITZ;
    return plan->start == BB_DO_START_MOVE && view->carrier == BB_NONE && plan->stand == view->ball
               ? ONCE_FETCH
               : ONCE_NOT;
}

struct choice {
    const struct bot_view *view;
    const struct bot_plan *once[ONCE_KINDS]; /* the best plan of each kind */
    float best[BB_PLAYERS];                  /* points of each player's best plan */
};

static bool plans_counts(const struct choice *c, const struct bot_plan *plan)
{
    int once = plans_once(c->view, plan);
    return plan->player != BB_NONE && plan->points > 0 &&
           (once == ONCE_NOT || c->once[once] == plan);
}

static void plans_compare(struct choice *c, const struct bot_plans *plans)
{
    for (int i = 0; i < plans->count; ++i) {
        const struct bot_plan *plan = &plans->plan[i], **once;
        once = &c->once[plans_once(c->view, plan)];
        if (!*once || plan->points > (*once)->points)
            *once = plan;
    }
    for (int i = 0; i < plans->count; ++i) {
        const struct bot_plan *plan = &plans->plan[i];
        if (plans_counts(c, plan) && plan->points > c->best[plan->player])
            c->best[plan->player] = plan->points;
    }
}

/* Plans to play before the risky ones: plans that almost never fail, the carrier's plans worth 50
 * points or more, above all the run to the end zone, and the blitz on the opponent's carrier,
 * because others may then fetch the ball. */
static bool plans_first(const struct bot_view *view, const struct bot_plan *plan)
{
    if (plan->chance > 0.98f || (plan->player == view->carrier && plan->points >= 50))
        return true;
    return plan->start == BB_DO_START_BLITZ && view->carrier != BB_NONE && plan->chance > 0.88f &&
           plan->target == view->ball;
}

/* Chooses a plan.  A player who has a good risky plan is not moved away first by a plan without
 * risk. */
const struct bot_plan *bot_pick(const struct bot_view *view, const struct bot_plans *plans)
{
    const struct bot_plan *first = NULL, *bold = NULL;
    struct choice c = {.view = view};
    plans_compare(&c, plans);
    for (int i = 0; i < plans->count; ++i) {
        const struct bot_plan *plan = &plans->plan[i];
        if (!plans_counts(&c, plan) || plan->points < c.best[plan->player])
            continue;
        const struct bot_plan **class = plans_first(view, plan) ? &first : &bold;
        if (!*class || plan->points > (*class)->points)
            *class = plan;
    }
    if (first)
        return first;
    return bold ? bold : &plans->plan[plans->count - 1];
}
