/* The player "scripted": it chooses the best plan, plays it, and answers all other questions. */
#include "games/bloodbowl/players/bot.h"
#include "games/bloodbowl/players/agent.h"
#include "games/bloodbowl/players/eval.h"
#include "games/bloodbowl/players/tutorial.h"
#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/table.h"

#include <stdlib.h>

struct bot {
    struct bot_plan plan; /* the plan of the active player */
    bool planned;
    struct bot_points points;
};

enum { BOT_EACH = 2 }; /* plans compared for each kind and player */

struct bb_action bot_next(const struct bot_points *points, const struct bb_state *s,
                          struct bot_plan *plan, bool *planned)
{
    *planned = *planned && (plan->stays || !bot_there(s, plan));
    if (!bot_plans_now(s))
        return bot_answer(points, s, *planned ? plan : NULL, false);
    struct bot_view view;
    struct bot_plans plans;
    bot_look(&view, points, s, bb_asked(s));
    bot_list(&view, BOT_EACH, false, &plans);
    *plan = *bot_pick(&view, &plans);
    *planned = plan->player != BB_NONE;
    return bot_begin(plan);
}

bool bot_legal(const struct bb_state *s, banyan_action *action)
{
    banyan_action legal[BB_MAX_LEGAL], fallback;
    int n = bb_legal(s, legal);
    fallback = legal[n - 1];
    for (int i = 0; i < n; ++i) {
        if (legal[i] == *action)
            return true;
        int type = legal[i] & 63;
        if (type == BB_DO_END_PLAYER_TURN || type == BB_DO_END_SETUP)
            fallback = legal[i];
    }
    *action = fallback;
    return false;
}

void bot_rollout(struct bb_state *s, int max_plies, struct banyan_dice *dice)
{
    struct bot_plan plan[2];
    bool planned[2] = {false, false};
    for (int team; max_plies > 0 && (team = bb_asked(s)) != BB_NOBODY; --max_plies) {
        struct bb_action a = bot_next(&bot_usual, s, &plan[team], &planned[team]);
        if (s->frame[s->depth - 1].procedure == BB_SETUP) { /* somebody else may have begun the
                                                             * set-up */
            banyan_action packed = bb_action_pack(&a);
            bot_legal(s, &packed);
            a = bb_action_unpack(s, packed);
        }
        bb_apply(s, &a, dice);
    }
}

static enum banyan_status bot_open(void *ctx, const void *state, int seat, uint64_t seed,
                                   struct banyan_error *err)
{
    struct bot *bot = ctx;
    (void)state, (void)seat, (void)seed, (void)err;
    bot->planned = false;
    return BANYAN_OK;
}

static enum banyan_status bot_choose(void *ctx, const void *state,
                                     const struct banyan_player_clock *clock,
                                     struct banyan_player_move *out, struct banyan_error *err)
{
    struct bot *bot = ctx;
    (void)clock, (void)err;
    struct bb_action a = bot_next(&bot->points, state, &bot->plan, &bot->planned);
    *out = (struct banyan_player_move){.action = bb_action_pack(&a),
                                       .value = (double)bb_value(state, bb_asked(state))};
    bot_legal(state, &out->action);
    return BANYAN_OK;
}

static enum banyan_status bot_player(const struct banyan_game *game, const char *args,
                                     const struct banyan_offer *offers, uint64_t seed,
                                     struct banyan_player *out, struct banyan_error *err)
{
    (void)game, (void)seed;
    struct bot_points points;
    enum banyan_status status = bot_points_parse(&points, args, err);
    if (status != BANYAN_OK)
        return status;
    struct bot *bot = calloc(1, sizeof *bot);
    if (!bot)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'scripted'");
    bot->points = points;
    *out = (struct banyan_player){.struct_size = sizeof(struct banyan_player),
                                  .ctx = bot,
                                  .open = bot_open,
                                  .choose = bot_choose,
                                  .close = free};
    return BANYAN_OK;
}

const struct banyan_offer bb_offers[] = {
    {"agent", "time=100ms,turns=2,rule=puct",
     "a search whose actions are whole plans of the script", NULL, agent_player},
    {"tutorial", "simulations=1000,rollout=off,order=first,hash=never,value=published",
     "botbowl's published MCTS; options correct its defects", NULL, tutorial_player},
    {"scripted", "foul=0.415,knock=4.82,turnover=14.7",
     "a script: cage, screen, blitz the carrier, score; its options say what is worth how much",
     NULL, bot_player},
    {0},
};
