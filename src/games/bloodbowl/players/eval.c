/* The value of a position.
 *
 *    what comes next in this half      what the game is worth then
 *    the owner scores       p1    *    lead + 1, the other receives
 *    the other scores       p2    *    lead - 1, the owner receives
 *    nobody does            p0    *    lead at half time
 *
 * The probabilities come from a logistic model of eval_features.c, fitted to games of the script
 * (tools/bloodbowl-eval).  A lead is worth z / sqrt(1 + z^2) with z = the expected final lead,
 * including the kick-offs to come, divided by its standard deviation.
 */
#include "games/bloodbowl/players/eval.h"
#include "base/numeric.h"
#include "games/bloodbowl/players/eval_features.h"
#include "games/bloodbowl/rules.h"

#include <math.h>

struct chances {
    float owner, other; /* probability of scoring next */
};

static struct chances eval_next(const struct eval_weights *w, enum eval_mode mode, const float *x)
{
    double odds[2];
    for (int k = 0; k < 2; ++k) {
        float sum = 0;
        for (int i = 0; i < EVAL_FEATURES; ++i)
            sum += w->next[mode][k][i] * x[i];
        odds[k] = numeric_exp((double)sum);
    }
    double all = 1 + odds[0] + odds[1];
    return (struct chances){(float)(odds[0] / all), (float)(odds[1] / all)};
}

/* The state of a game between two touchdowns, as one team sees it. */
struct standing {
    int lead, mine, theirs; /* lead in touchdowns; turns left in this half */
    int receives;           /* who receives next in this half: 1 this team, -1 the other, 0
                             * nobody */
    int later;              /* who receives first in half 2, as above; 0: half 2 has begun */
    int turns;              /* turns in a half */
    float squads;           /* players of this team minus the other's, as in struct eval_view */
};

/* The probability that the receivers score next, minus that of the kickers. */
static float eval_receive(const struct eval_weights *w, int receivers, int kickers, float squads)
{
    float x[EVAL_FEATURES];
    eval_look_at_kick(receivers, kickers, squads, x);
    struct chances next = eval_next(w, EVAL_KICK, x);
    return next.owner - next.other;
}

static float eval_standing(const struct eval_weights *w, const struct standing *at)
{
    float sum = (float)at->lead;
    float turns = 0.5f * (float)(at->mine + at->theirs);
    if (at->receives > 0)
        sum += eval_receive(w, at->mine, at->theirs, at->squads);
    if (at->receives < 0)
        sum -= eval_receive(w, at->theirs, at->mine, -at->squads);
    if (at->later) {
        sum +=
            (float)at->later * eval_receive(w, at->turns, at->turns, (float)at->later * at->squads);
        turns += (float)at->turns;
    }
    if (turns <= 0)
        return (float)((at->lead > 0) - (at->lead < 0));
    float z = sum / sqrtf(w->spread[0] + w->spread[1] * turns);
    return z / sqrtf(1 + z * z);
}

static int eval_later(const struct bb_state *s, int team)
{
    return s->half == 1 ? (s->kick_first == team ? 1 : -1) : 0;
}

static int eval_left(int turns)
{
    return turns > 0 ? turns : 0;
}

/* The value for the owner. */
static float eval_position(const struct bb_state *s, const struct eval_view *view)
{
    const struct eval_weights *w = &eval_weights[s->variant];
    int owner = view->owner, other = bb_opponent(owner), needed = (int)view->needed;
    struct chances next = eval_next(w, view->mode, view->x);
    struct standing now = {.lead = s->team[owner].score - s->team[other].score,
                           .later = eval_later(s, owner),
                           .turns = bb_variant(s)->turns,
                           .squads = view->squads};
    struct standing scored = now, conceded = now;
    ++scored.lead;
    scored.receives = -1;
    scored.mine = eval_left(view->turns[owner] - needed);
    scored.theirs = eval_left(view->turns[other] - needed + (view->mode == EVAL_CARRIED));
    --conceded.lead;
    conceded.receives = 1;
    conceded.mine = eval_left(view->turns[owner] - 3);
    conceded.theirs = eval_left(view->turns[other] - 3);
    return next.owner * eval_standing(w, &scored) + next.other * eval_standing(w, &conceded) +
           (1 - next.owner - next.other) * eval_standing(w, &now);
}

float bb_value(const struct bb_state *s, int team)
{
    struct eval_view view;
    int lead = s->team[team].score - s->team[bb_opponent(team)].score;
    if (s->over)
        return (float)((lead > 0) - (lead < 0));
    if (!eval_look(s, &view))
        return 0;
    float value = eval_position(s, &view);
    return view.owner == team ? value : -value;
}
