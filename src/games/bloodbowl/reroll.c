/* A failed test and its rerolls (docs/games/bloodbowl-rules.md, "Rerolls"): the skill, Pro, and the
 * team's reroll with Loner. */
#include "games/bloodbowl/rules.h"

enum { REROLL_SKILL, REROLL_PRO, REROLL_TEAM };

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

/* The skill that rerolls this roll, if the roller has it and it is not used up; otherwise -1
 * (docs/games/bloodbowl-rules.md, "Rerolls"). */
static int reroll_skill(const struct bb_state *s, const struct bb_frame *f, int roller)
{
    static const struct {
        uint8_t procedure, skill, once; /* once: the skill works once a turn, enum bb_used_skill */
    } rows[] = {
        {BB_DODGE, BB_SKILL_DODGE, BB_USED_DODGE}, {BB_GFI, BB_SKILL_SURE_FEET, BB_USED_SURE_FEET},
        {BB_PASS_ATTEMPT, BB_SKILL_PASS, 0},       {BB_CATCH, BB_SKILL_CATCH, 0},
        {BB_INTERCEPT, BB_SKILL_CATCH, 0},         {BB_PICKUP, BB_SKILL_SURE_HANDS, 0}};
    size_t i = 0;
    while (i < sizeof rows / sizeof *rows && rows[i].procedure != f->procedure)
        ++i;
    if (i == sizeof rows / sizeof *rows ||
        !bb_can_use(s, roller, (enum bb_skill)rows[i].skill, (enum bb_used_skill)rows[i].once))
        return -1;
    if (f->procedure == BB_DODGE && bb_opponents_with(s, roller, BB_SKILL_TACKLE, true))
        return -1;
    if (f->procedure == BB_INTERCEPT && roller != f->player)
        return -1; /* the passer's Safe Throw */
    return rows[i].skill;
}

static void reroll_use_skill(struct bb_state *s, int roller, int skill)
{
    if (skill == BB_SKILL_DODGE)
        s->player[roller].used |= BB_USED_DODGE;
    else if (skill == BB_SKILL_SURE_FEET)
        s->player[roller].used |= BB_USED_SURE_FEET;
}

/* What to ask next, the cheapest reroll first; -1: nothing is left. */
static int reroll_phase(const struct bb_state *s, int roller, int after)
{
    if (after < REROLL_PRO && reroll_pro_may(s, roller))
        return REROLL_PRO;
    return after < REROLL_TEAM && reroll_team_may(s, bb_team_of(roller)) ? REROLL_TEAM : -1;
}

enum bb_result bb_ask_reroll(struct bb_play *p, struct bb_frame *f, int roller)
{
    if (f->bits & BB_REROLLED)
        return BB_FAILURE;
    int skill = reroll_skill(p->s, f, roller), phase = REROLL_SKILL;
    if (skill >= 0 && bb_quirk(p->s, BB_QUIRK_AUTO_SKILL)) {
        reroll_use_skill(p->s, roller, skill);
        f->bits |= BB_REROLLED | BB_ROLLED | BB_GRANTED;
        return BB_PENDING;
    }
    if (skill < 0)
        phase = reroll_phase(p->s, roller, REROLL_SKILL);
    if (phase < 0)
        return BB_FAILURE;
    f->bits |= BB_ROLLED;
    struct bb_frame *reroll = bb_run_for(p, BB_REROLL, roller);
    reroll->phase = (uint8_t)phase;
    reroll->extra = (uint8_t)(skill < 0 ? 0 : skill);
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

/* Carries out the coach's answer about a skill: that of the roll, or Pro. */
static bool reroll_by_skill(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    if (a->type != BB_DO_USE_SKILL) {
        int next = reroll_phase(p->s, f->player, f->phase);
        if (next >= 0)
            f->phase = (uint8_t)next;
        return next < 0;
    }
    if (f->phase == REROLL_SKILL) {
        reroll_use_skill(p->s, f->player, f->extra);
        reroll_grant(f);
        return true;
    }
    p->s->player[f->player].used |= BB_USED_PRO;
    if (banyan_dice_test(p->dice, BB_DIE_PRO, 6, 4))
        reroll_grant(f);
    return true;
}

/* In botbowl the coach who will choose the block die may decline a reroll by choosing a die
 * (docs/games/bloodbowl-rules.md, "Rerolls"). */
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
    if (f->phase != REROLL_TEAM)
        return reroll_by_skill(p, f, a);
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
    if (f->phase != REROLL_TEAM) {
        int skill = f->phase == REROLL_PRO ? BB_SKILL_PRO : f->extra;
        bb_offer_skill(out, (enum bb_skill)skill, team, BB_NONE);
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
