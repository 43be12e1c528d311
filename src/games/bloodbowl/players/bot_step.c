/* Plays a plan: finds the next action of the active player. */
#include "games/bloodbowl/players/bot_step.h"
#include "games/bloodbowl/rules.h"

static struct bb_action step_bare(int type)
{
    return (struct bb_action){.type = (uint8_t)type, .player = BB_NONE, .square = BB_NOWHERE};
}

static struct bb_action step_at(int type, int square)
{
    return (struct bb_action){.type = (uint8_t)type, .player = BB_NONE, .square = (uint16_t)square};
}

struct bb_action bot_begin(const struct bot_plan *plan)
{
    struct bb_action a = step_bare(plan->start);
    a.player = plan->player;
    return a;
}

/* The move to a square: the whole path (whole), otherwise its first step. */
static struct bb_action step_walk(const struct bot_view *view, const struct bot_reach *reach,
                                  int square, bool whole)
{
    struct bb_action a = step_bare(BB_DO_MOVE);
    const struct bb_state *s = view->s;
    uint64_t path;
    int length = bot_way(view, reach, square, &path);
    int player = s->frame[s->depth - 1].player;
    if (!whole && !s->paths)
        return step_at(BB_DO_MOVE, s->player[player].square + bb_d8(s, path & 7));
    a.length = (uint8_t)(whole ? length : 1);
    a.path = whole ? path : path & 7;
    a.square = (uint16_t)square;
    return a;
}

/* Writes the plan's BLOCK, HANDOFF, PASS or FOUL; false: there is none, or it is done or impossible. */
static bool step_act(const struct bb_state *s, const struct bb_frame *f,
                     const struct bot_plan *plan, struct bb_action *out)
{
    static const uint8_t act[BB_ACTIONS] = {[BB_DO_START_BLOCK] = BB_DO_BLOCK,
                                            [BB_DO_START_BLITZ] = BB_DO_BLOCK,
                                            [BB_DO_START_HANDOFF] = BB_DO_HANDOFF,
                                            [BB_DO_START_PASS] = BB_DO_PASS,
                                            [BB_DO_START_FOUL] = BB_DO_FOUL};
    if (plan->target == BB_NOWHERE || !act[plan->start])
        return false;
    int from = s->player[f->player].square, there = bb_at(s, plan->target);
    int team = bb_team_of(f->player);
    if (there == BB_NONE)
        return false;
    *out = step_at(act[plan->start], plan->target);
    switch (act[plan->start]) {
    case BB_DO_BLOCK:
        return !bb_is(s, f->player, BB_HAS_BLOCKED) && bb_adjacent(from, plan->target) &&
               bb_team_of(there) != team && bb_is(s, there, BB_UP) &&
               (f->procedure == BB_BLOCK_ACTION || bb_moves_left(s, f->player, true) > 0);
    case BB_DO_HANDOFF:
        return bb_carries(s, f->player) && bb_adjacent(from, plan->target) &&
               bb_team_of(there) == team && bb_can_catch(s, there);
    case BB_DO_FOUL:
        return bb_adjacent(from, plan->target) && bb_team_of(there) != team &&
               !bb_is(s, there, BB_UP);
    default:
        return bb_carries(s, f->player);
    }
}

/* Whether to go on after the plan: to run with the ball, or to fetch it. */
static bool step_more(const struct bot_view *view, const struct bot_reach *reach, int player,
                      int *to)
{
    const struct bb_state *s = view->s;
    float chance, points;
    if (bb_carries(s, player)) {
        *to = bot_run(view, player, reach, &chance, &points);
        return *to != BB_NOWHERE &&
               (chance > view->points->run_on || bot_far(s, view->team, *to) == 0);
    }
    *to = view->ball; /* a turnover costs little if this is the last player to act */
    return s->ball_out && s->ball_on_ground && !s->ball_carried &&
           bot_chance(reach, *to) > (view->idle > 1 ? 0.45f : 0.15f);
}

/* Whether the plan's square is still worth moving to. */
static bool step_towards(const struct bot_reach *reach, const struct bot_plan *plan, int from)
{
    float chance = bot_chance(reach, plan->stand);
    return plan->stand != from && chance > 0 && chance >= plan->chance * 0.4f;
}

static bool step_done(const struct bb_state *s, const struct bot_plan *plan, int player)
{
    return !plan || plan->player != player ||
           (plan->start == BB_DO_START_BLITZ && bb_is(s, player, BB_HAS_BLOCKED));
}

bool bot_there(const struct bb_state *s, const struct bot_plan *plan)
{
    return plan->start == BB_DO_START_MOVE && plan->player < BB_PLAYERS &&
           plan->stand == s->player[plan->player].square && bb_is(s, plan->player, BB_UP);
}

/* Whether the player can still move, and has the ball or is near a ball on the ground. */
static bool step_may_go_on(const struct bb_state *s, int player)
{
    bool lies = s->ball_out && s->ball_on_ground && !s->ball_carried;
    int left = bb_moves_left(s, player, true);
    return bb_is(s, player, BB_UP) && left > 0 &&
           (bb_carries(s, player) ||
            (lies && bb_distance(s->player[player].square, s->ball) <= left));
}

struct bb_action bot_activation(const struct bot_points *points, const struct bb_state *s,
                                const struct bot_plan *plan, bool whole)
{
    const struct bb_frame *f = &s->frame[s->depth - 1];
    struct bot_view view;
    struct bot_reach reach;
    struct bb_action act;
    int player = f->player, from = s->player[player].square, to;
    bool done = step_done(s, plan, player) || bot_there(s, plan);
    if (f->procedure == BB_BLOCK_ACTION)
        return !done && step_act(s, f, plan, &act) ? act : step_bare(BB_DO_END_PLAYER_TURN);
    if (bb_quick_snap(s))
        return step_bare(BB_DO_END_PLAYER_TURN);
    if (plan && plan->player == player && plan->stays && bot_there(s, plan))
        return step_bare(BB_DO_END_PLAYER_TURN);
    if (!bb_is(s, player, BB_UP) && !done)
        return step_bare(BB_DO_STAND_UP);
    if (!done && (plan->stand == from || plan->start == BB_DO_START_PASS) &&
        step_act(s, f, plan, &act))
        return act;
    if (done && !step_may_go_on(s, player))
        return step_bare(BB_DO_END_PLAYER_TURN);
    bot_look(&view, points, s, bb_team_of(player));
    bot_find(&view, player, &reach);
    if (!done && step_towards(&reach, plan, from))
        return step_walk(&view, &reach, plan->stand, whole);
    if (bb_is(s, player, BB_UP) && step_more(&view, &reach, player, &to) && to != from)
        return step_walk(&view, &reach, to, whole);
    return step_bare(BB_DO_END_PLAYER_TURN);
}
