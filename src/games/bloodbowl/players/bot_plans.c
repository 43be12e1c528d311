/* Lists the plans of a turn.  A plan is one activation with its probability of success and its
 * points: the gain, less what a turnover would cost. */
#include "games/bloodbowl/players/bot_plans.h"

#include <string.h>

/* --- collecting --- */

void plans_add(struct plans *p, const struct bot_plan *plan)
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

void plans_offer(struct plans *p, int start, int stand, int target, float chance, float gain)
{
    struct bot_plan plan = {.start = (uint8_t)start,
                            .player = (uint8_t)p->player,
                            .stand = (uint16_t)stand,
                            .target = (uint16_t)target,
                            .chance = chance,
                            .points = chance * gain - (1 - chance) * p->price};
    plans_add(p, &plan);
}

float plans_insured(const struct plans *p, float chance)
{
    return p->view->reroll ? chance * (1 + p->view->points->reroll_share * (1 - chance)) : chance;
}

bool plans_may(const struct plans *p, unsigned resource)
{
    return p->turn->bits & resource && !bb_is(p->view->s, p->player, BB_ROOTED);
}

/* --- moving --- */

static float plans_stand_up(const struct plans *p)
{
    return bb_is(p->view->s, p->player, BB_UP) ? 0 : p->view->points->stand_up;
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

float plans_pickup(const struct plans *p, const struct bot_label *label)
{
    const struct bot_view *view = p->view;
    const struct bot_points *points = view->points;
    int left = bb_ma(view->s, p->player) + 2 - label->moves;
    int far = bot_far(view->s, view->team, label->square);
    if (far <= left)
        return points->fetch_score;
    return points->fetch +
           points->fetch_square * bot_carrier_points(view, p->player, label->square) +
           points->fetch_step * (float)left;
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
                               p->view->points->step * (float)label->moves;
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
                            .points = chance * points - (1 - chance) * p->view->points->lost_ball};
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
    const struct bot_points *points = view->points;
    float price = points->turnover + points->turnover_idle * (float)view->idle;
    bool ours = view->carrier != BB_NONE && bb_team_of(view->carrier) == view->team;
    return price + (ours && !bb_is(view->s, view->carrier, BB_USED) ? points->turnover_carrier : 0);
}

void bot_list(const struct bot_view *view, int each, bool all, struct bot_plans *out)
{
    const struct bb_state *s = view->s;
    struct plans p = {.view = view,
                      .turn = bb_turn_frame(s),
                      .out = out,
                      .each = each,
                      .all = all,
                      .least = all ? -20 : view->points->least};
    out->count = 0;
    p.price = plans_price(view);
    if (!(p.turn->bits & BB_TURN_IS_QUICK_SNAP)) {
        bot_field_open(&p.field, view);
        plans_assists(&p);
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
            plans_foul(&p);
        }
    }
    out->plan[out->count++] = (struct bot_plan){.start = BB_DO_END_TURN,
                                                .player = BB_NONE,
                                                .stand = BB_NOWHERE,
                                                .target = BB_NOWHERE,
                                                .chance = 1};
}
