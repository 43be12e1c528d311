/* One test, one way to reroll it (spec 14): the skill, Pro, the team's reroll with Loner. */
#include "games/bloodbowl/rules.h"

enum { REROLL_START, REROLL_PRO, REROLL_TEAM };

static bool reroll_team_may(const struct bb_state *s, int team)
{
    const struct bb_team *t = &s->team[team];
    const struct bb_frame *turn = bb_turn_frame(s);
    return !t->reroll_used && t->rerolls > 0 && s->current == team && turn &&
           !(turn->bits & BB_TURN_IS_QUICK_SNAP);
}

static bool reroll_pro_may(const struct bb_state *s, int player)
{
    return bb_can_use(s, player, BB_SKILL_PRO, BB_USED_PRO) && s->current == bb_team_of(player);
}

/* Uses the skill that rerolls this roll, if the roller has one (spec 14.1). */
static bool reroll_by_skill(struct bb_state *s, const struct bb_frame *f, int roller)
{
    switch (f->procedure) {
    case BB_DODGE:
        if (!bb_can_use(s, roller, BB_SKILL_DODGE, BB_USED_DODGE) ||
            bb_opponents_with(s, roller, BB_SKILL_TACKLE, true))
            return false;
        s->player[roller].used |= BB_USED_DODGE;
        return true;
    case BB_GFI:
        if (!bb_can_use(s, roller, BB_SKILL_SURE_FEET, BB_USED_SURE_FEET))
            return false;
        s->player[roller].used |= BB_USED_SURE_FEET;
        return true;
    case BB_PASS_ATTEMPT:
        return bb_skilled(s, roller, BB_SKILL_PASS);
    case BB_CATCH:
        return bb_skilled(s, roller, BB_SKILL_CATCH);
    case BB_INTERCEPT: /* the interceptor's roll, not the passer's Safe Throw */
        return roller == f->player && bb_skilled(s, roller, BB_SKILL_CATCH);
    case BB_PICKUP:
        return bb_skilled(s, roller, BB_SKILL_SURE_HANDS);
    default:
        return false;
    }
}

enum bb_result bb_ask_reroll(struct bb_play *p, struct bb_frame *f, int roller)
{
    if (f->bits & BB_REROLLED)
        return BB_FAILURE;
    if (reroll_by_skill(p->s, f, roller)) {
        f->bits |= BB_REROLLED | BB_ROLLED | BB_GRANTED;
        return BB_PENDING;
    }
    if (!reroll_team_may(p->s, bb_team_of(roller)) && !reroll_pro_may(p->s, roller))
        return BB_FAILURE;
    f->bits |= BB_ROLLED;
    struct bb_frame *reroll = bb_run_for(p, BB_REROLL, roller);
    reroll->phase = reroll_pro_may(p->s, roller) ? REROLL_PRO : REROLL_TEAM;
    return BB_PENDING;
}

bool bb_rerolling(struct bb_frame *f)
{
    bool granted = f->bits & BB_GRANTED;
    f->bits &= (uint16_t) ~(BB_ROLLED | BB_GRANTED);
    return granted;
}

enum bb_result bb_test(struct bb_play *p, struct bb_frame *f, enum bb_die die, int roller,
                       int target, int modifier)
{
    if (f->bits & BB_ROLLED && !bb_rerolling(f))
        return BB_FAILURE;
    if (banyan_dice_test(p->dice, (int)die, 6, bb_clamp(target - modifier)))
        return BB_SUCCESS;
    return bb_ask_reroll(p, f, roller);
}

/* --- the question --- */

int bb_reroll_asks(const struct bb_state *s, const struct bb_frame *f)
{
    (void)s;
    return bb_team_of(f->player);
}

static void reroll_grant(struct bb_frame *f)
{
    bb_below(f)->bits |= BB_GRANTED | BB_REROLLED;
}

static bool reroll_pro(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    bool team = reroll_team_may(p->s, bb_team_of(f->player));
    f->phase = REROLL_TEAM;
    if (a->type != BB_DO_USE_SKILL)
        return !team;
    p->s->player[f->player].used |= BB_USED_PRO;
    if (banyan_dice_test(p->dice, BB_DIE_PRO, 6, 4))
        reroll_grant(f);
    return true;
}

/* botbowl lets the coach who will choose the block die anyway decline by choosing it (spec 14). */
static bool reroll_by_choosing(struct bb_frame *f, const struct bb_action *a)
{
    if (a->type < BB_DO_SELECT_ATTACKER_DOWN || a->type > BB_DO_SELECT_DEFENDER_DOWN)
        return false;
    bb_below(f)->extra = a->type;
    return true;
}

bool bb_reroll_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_team *team = &p->s->team[bb_team_of(f->player)];
    if (reroll_by_choosing(f, a))
        return true;
    if (f->phase == REROLL_PRO && a->type != BB_DO_USE_REROLL && a->type != BB_DO_DONT_USE_REROLL)
        return reroll_pro(p, f, a);
    if (a->type != BB_DO_USE_REROLL)
        return true;
    --team->rerolls;
    team->reroll_used = 1;
    if (!bb_skilled(p->s, f->player, BB_SKILL_LONER) ||
        banyan_dice_test(p->dice, BB_DIE_LONER, 6, 4))
        reroll_grant(f);
    return true;
}

void bb_reroll_choices(const struct bb_state *s, const struct bb_frame *f, struct bb_choices *out)
{
    const struct bb_frame *rolled = f - 1;
    int team = bb_team_of(f->player);
    if (f->phase == REROLL_PRO) {
        bb_offer_skill(out, BB_SKILL_PRO, team, BB_NONE);
        return;
    }
    bool block = rolled->procedure == BB_BLOCK && s->team[team].human;
    bool own_choice = block && rolled->team == team;
    bb_offer(out, BB_DO_USE_REROLL, team);
    if (!own_choice)
        bb_offer(out, BB_DO_DONT_USE_REROLL, team);
    if (block)
        bb_offer_block_dice(rolled, out, rolled->team, !own_choice);
}
