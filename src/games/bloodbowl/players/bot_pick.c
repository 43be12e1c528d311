/* Chooses the plan that the script plays. */
#include "games/bloodbowl/players/bot.h"
#include "games/bloodbowl/rules.h"

/* Plans of which a turn needs only one: a blitz, a foul, and fetching the ball. */
enum { ONCE_NOT, ONCE_BLITZ, ONCE_FOUL, ONCE_FETCH, ONCE_KINDS };

static int plans_once(const struct bot_view *view, const struct bot_plan *plan)
{
    if (plan->start == BB_DO_START_BLITZ)
        return ONCE_BLITZ;
    if (plan->start == BB_DO_START_FOUL)
        return ONCE_FOUL;
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
    if (plan->chance > view->points->sure || (plan->player == view->carrier && plan->points >= 50))
        return true;
    return plan->start == BB_DO_START_BLITZ && view->carrier != BB_NONE && plan->chance > 0.88f &&
           plan->target == view->ball;
}

/* The points of a plan among those of its class. */
static float plans_order(const struct bot_view *view, const struct bot_plan *plan)
{
    const struct bot_points *points = view->points;
    float order = plan->points + (plan->player == view->carrier ? points->carrier_first : 0);
    switch (plan->start) {
    case BB_DO_START_BLOCK:
        return order + points->block_first;
    case BB_DO_START_BLITZ:
        return order + points->blitz_first;
    case BB_DO_START_FOUL:
        return order + points->foul_first;
    default:
        return order;
    }
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
        if (!*class || plans_order(view, plan) > plans_order(view, *class))
            *class = plan;
    }
    if (first)
        return first;
    return bold ? bold : &plans->plan[plans->count - 1];
}
