/* Plans to hit opponents: blocks, blitzes and fouls; and what an assist to a block is worth. */
#include "games/bloodbowl/players/bot_plans.h"

#include <string.h>

/* --- blocks --- */

/* Points if this opponent is knocked down. */
static float plans_victim(const struct plans *p, int victim)
{
    const struct bot_view *view = p->view;
    int square = view->s->player[victim].square;
    const struct bot_points *points = view->points;
    float sum = points->knock + points->knock_armour * (float)(10 - view->s->player[victim].av);
    if (view->carrier == victim)
        return sum + points->knock_carrier;
    if (view->ball != BB_NOWHERE && bb_distance(square, view->ball) <= 2)
        sum += p->field.possession == BOT_BALL_OURS ? points->knock_near_ours : points->knock_near;
    if (p->field.centre != BB_NOWHERE && bb_distance(square, p->field.centre) <= 2)
        sum += points->knock_near_way;
    return sum;
}

static float plans_shove(const struct plans *p, int player, int victim)
{
    const struct bot_view *view = p->view;
    if (view->carrier != victim)
        return view->points->shove;
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
    struct bot_odds odds = bot_block(view, p->player, victim, stand, start == BB_DO_START_BLITZ, 0);
    const struct bot_points *points = view->points;
    float price = p->price + (view->carrier == p->player ? points->lost_ball : points->fall);
    float gain = odds.down * plans_victim(p, victim) +
                 odds.push * plans_shove(p, p->player, victim) - odds.turnover * price;
    if (start == BB_DO_START_BLITZ && view->carrier != p->player)
        gain += points->blitz_square *
                (bot_field_points(&p->field, p->player, stand) -
                 bot_field_points(&p->field, p->player, view->s->player[p->player].square));
    if (start == BB_DO_START_BLITZ && view->carrier == p->player)
        gain += points->carrier_run * (odds.down + odds.push) * plans_run_after(p, stand, victim);
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

void plans_block(struct plans *p)
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

void plans_blitz(struct plans *p)
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

/* --- fouls --- */

/* Probability to roll this number or more with two dice. */
static float plans_two_dice(int target)
{
    static const uint8_t of_36[14] = {36, 36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1, 0};
    return of_36[target < 0 ? 0 : target > 13 ? 13 : target] / 36.0f;
}

static void plans_foul_from(struct plans *p, int victim, int stand)
{
    const struct bb_state *s = p->view->s;
    const struct bot_points *points = p->view->points;
    const struct bot_label *label = &p->reach.label[p->reach.best[stand]];
    struct bb_assists assists = bb_assists(s, p->player, victim, stand, true);
    float hurt = plans_two_dice(s->player[victim].av + 1 - assists.own + assists.against);
    float gain = hurt * points->foul * plans_victim(p, victim) - points->sent_off / 6;
    gain += points->blitz_square *
            (bot_field_points(&p->field, p->player, stand) -
             bot_field_points(&p->field, p->player, s->player[p->player].square));
    if (gain > p->least)
        plans_offer(p, BB_DO_START_FOUL, stand, s->player[victim].square,
                    plans_insured(p, label->chance), gain);
}

static void plans_foul_one(struct plans *p, int victim)
{
    int at = p->view->s->player[victim].square;
    for (unsigned k = 0; k < 8; ++k) {
        int stand = at + bb_d8(p->view->s, k);
        if (p->reach.best[stand] >= 0 && stand != p->view->ball)
            plans_foul_from(p, victim, stand);
    }
}

void plans_foul(struct plans *p)
{
    const struct bb_state *s = p->view->s;
    p->first = p->out->count;
    if (p->view->points->foul <= 0 || p->player == p->view->carrier || !plans_may(p, BB_TURN_FOUL))
        return;
    int square = s->player[p->player].square, far = bb_ma(s, p->player) + 2;
    for (int i = bb_first(p->view->opponent); i < bb_end(s, p->view->opponent); ++i)
        if (bb_on_pitch(s, i) && !bb_is(s, i, BB_UP) &&
            bb_distance(square, s->player[i].square) <= far)
            plans_foul_one(p, i);
}

/* --- assists --- */

/* Points of a block with this number of assists more than now; a block that loses is not made. */
static float plans_with(const struct plans *p, int blocker, int victim, int more)
{
    const struct bot_points *points = p->view->points;
    struct bot_odds odds =
        bot_block(p->view, blocker, victim, p->view->s->player[blocker].square, false, more);
    float gain = odds.down * plans_victim(p, victim) + odds.push * points->shove -
                 odds.turnover * (p->price + points->fall);
    return gain > 0 ? gain : 0;
}

static void plans_raise(struct bot_assist *assist, int blocker, float points)
{
    if (points > assist->points) {
        if (assist->blocker != blocker)
            assist->second = assist->points;
        assist->points = points;
        assist->blocker = (uint8_t)blocker;
    } else if (assist->blocker != blocker && points > assist->second) {
        assist->second = points;
    }
}

/* A free square next to the victim gains what one assist more is worth, the square of a team-mate
 * who assists what one less costs.  A player whom another opponent marks does not assist. */
static void plans_assist(struct plans *p, int blocker, int victim)
{
    const struct bot_view *view = p->view;
    const struct bb_state *s = view->s;
    float now = plans_with(p, blocker, victim, 0), share = view->points->assist;
    float gain = share * (plans_with(p, blocker, victim, 1) - now);
    float loss = share * (now - plans_with(p, blocker, victim, -1));
    for (unsigned k = 0; k < 8; ++k) {
        int to = s->player[victim].square + bb_d8(s, k), there = bb_at(s, to);
        if (there == blocker || bb_out(s, to) || view->zones[view->opponent][to] > 1)
            continue;
        if (there == BB_NONE)
            plans_raise(&p->field.assist[to], blocker, gain);
        else if (bb_team_of(there) == view->team && bb_is(s, there, BB_UP))
            plans_raise(&p->field.assist[to], blocker, loss);
    }
}

static void plans_assists_of(struct plans *p, int blocker)
{
    const struct bb_state *s = p->view->s;
    for (unsigned k = 0; k < 8; ++k) {
        int victim = bb_at(s, s->player[blocker].square + bb_d8(s, k));
        if (victim != BB_NONE && bb_team_of(victim) == p->view->opponent && bb_is(s, victim, BB_UP))
            plans_assist(p, blocker, victim);
    }
}

void plans_assists(struct plans *p)
{
    const struct bb_state *s = p->view->s;
    if (p->turn->bits & BB_TURN_IS_BLITZ || p->view->points->assist <= 0)
        return;
    for (int i = bb_first(p->view->team); i < bb_end(s, p->view->team); ++i)
        if (bb_on_pitch(s, i) && bb_is(s, i, BB_UP) && !bb_is(s, i, BB_USED | BB_STUNNED) &&
            i != p->view->carrier)
            plans_assists_of(p, i);
}
