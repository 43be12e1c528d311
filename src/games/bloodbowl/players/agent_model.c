/* The game that the player "agent" searches: an action is a whole plan of one Blood Bowl player. */
#include "base/rng.h"
#include "games/bloodbowl/players/agent.h"
#include "games/bloodbowl/players/eval.h"
#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/table.h"

#include <string.h>

enum {
    MODEL_EACH = 3,     /* plans for each kind and player; more when few players can still act */
    MODEL_MANY = 12,    /* plans when only one player can still act */
    MODEL_LEGAL = 40,   /* most actions: the best plans of all players and END_TURN */
    MODEL_ANSWERS = 400 /* most answers of the script between two plans */
};

/* spare[0]: team turns until the end, the present one included.  spare[1]: 1 + the team whose turn
 * is in progress, or 0.  spare[2]: 1 + the number of this turn, the half, and whether the turn is a
 * Blitz or Quick Snap.  When spare[1] or spare[2] changes, a turn has ended. */

static uint8_t model_clock(const struct bb_state *s)
{
    const struct bb_frame *turn = bb_turn_frame(s);
    return (uint8_t)(turn ? (turn->number + 1) | s->half << 5 |
                                (turn->bits & (BB_TURN_IS_BLITZ | BB_TURN_IS_QUICK_SNAP) ? 128 : 0)
                          : 255);
}

static uint8_t model_side(const struct bb_state *s)
{
    const struct bb_frame *turn = bb_turn_frame(s);
    return (uint8_t)(turn ? turn->team + 1 : 0);
}

void agent_root(struct bb_state *s, int turns)
{
    s->spare[0] = (uint8_t)turns;
    s->spare[1] = model_side(s);
    s->spare[2] = model_clock(s);
}

/* Stores the plan for a question that comes in the middle of it, in spare bytes of players 0 and 1.
 */
void agent_keep(struct bb_state *s, const struct bot_plan *plan)
{
    uint32_t kept = plan ? plan->start | (uint32_t)plan->stand << 6 | (uint32_t)plan->target << 16 |
                               (uint32_t)plan->stays << 26
                         : 0;
    s->player[0].spare[0] = (uint8_t)kept;
    s->player[0].spare[1] = (uint8_t)(kept >> 8);
    s->player[1].spare[0] = (uint8_t)(kept >> 16);
    s->player[1].spare[1] = (uint8_t)(kept >> 24);
}

static struct bot_plan model_kept(const struct bb_state *s)
{
    uint32_t kept = s->player[0].spare[0] | (uint32_t)s->player[0].spare[1] << 8 |
                    (uint32_t)s->player[1].spare[0] << 16 | (uint32_t)s->player[1].spare[1] << 24;
    return (struct bot_plan){.start = kept & 63,
                             .player = kept ? s->active : BB_NONE,
                             .stand = kept >> 6 & 1023,
                             .target = kept >> 16 & 1023,
                             .stays = kept >> 26 & 1,
                             .chance = 1};
}

/* Counts down when a turn has ended. */
static void model_tick(struct bb_state *s)
{
    if (s->spare[0] == 0 || (s->spare[1] == model_side(s) && s->spare[2] == model_clock(s)))
        return;
    agent_root(s, s->spare[0] - 1);
    if (!bb_turn_frame(s) || !s->ball_out)
        s->spare[0] = 0; /* after a touchdown or half time the search does not look further */
}

/* --- actions: the fields of a plan, lowest bits first: start 6 bits, player 6, stand 10,
 * target 10, points 12, chance 7, stays 1; then picked 1: the plan that the script chooses --- */

static banyan_action model_pack(const struct bot_plan *plan, bool picked)
{
    float points = plan->points < -100 ? -100 : plan->points > 155 ? 155 : plan->points;
    return (banyan_action)plan->start | (banyan_action)(plan->player & 63) << 6 |
           (banyan_action)plan->stand << 12 | (banyan_action)plan->target << 22 |
           (banyan_action)(unsigned)((points + 100) * 8) << 32 |
           (banyan_action)(unsigned)(plan->chance * 127) << 44 | (banyan_action)plan->stays << 51 |
           (banyan_action)picked << 52;
}

static float model_points(banyan_action action)
{
    return (float)(action >> 32 & 4095) / 8 - 100;
}

static bool model_picked(banyan_action action)
{
    return action >> 52 & 1;
}

struct bot_plan agent_plan(banyan_action action)
{
    struct bot_plan plan = {.start = action & 63,
                            .player = action >> 6 & 63,
                            .stand = action >> 12 & 1023,
                            .target = action >> 22 & 1023,
                            .stays = action >> 51 & 1,
                            .points = model_points(action),
                            .chance = (float)(action >> 44 & 127) / 127};
    if (plan.player == 63)
        plan.player = BB_NONE;
    return plan;
}

/* --- rules --- */

static int model_team(const struct bb_state *s)
{
    return s->spare[0] ? bb_asked(s) : BB_NOBODY;
}

static unsigned model_movers(const struct banyan_game *game, const void *state)
{
    int team = model_team(state);
    return team == BB_NOBODY ? 0 : 1u << team;
}

/* Moves the best plans to the front; returns how many are kept. */
static int model_best(struct bot_plan *plan, int n, int most)
{
    for (int i = 1; i < n; ++i) {
        struct bot_plan moved = plan[i];
        int at = i;
        for (; at > 0 && plan[at - 1].points < moved.points; --at)
            plan[at] = plan[at - 1];
        plan[at] = moved;
    }
    return n < most ? n : most;
}

/* --- questions: one action of Blood Bowl, then the script again --- */

#define MODEL_ANSWER ((banyan_action)1 << 63)
#define MODEL_OWN    ((banyan_action)1 << 62) /* marks the script's own answer */

bool agent_asks(const struct bb_state *s)
{
    int procedure = bb_asked(s) == BB_NOBODY ? BB_TURN : s->frame[s->depth - 1].procedure;
    return procedure == BB_BLOCK || procedure == BB_PUSH || procedure == BB_FOLLOW_UP;
}

banyan_action agent_answer(banyan_action action)
{
    return action & ~(MODEL_ANSWER | MODEL_OWN);
}

static int model_answers(const struct bb_state *s, banyan_action *out)
{
    banyan_action legal[BB_MAX_LEGAL];
    struct bb_action answer = bot_answer(&bot_usual, s, NULL, true);
    banyan_action own = bb_action_pack(&answer);
    int n = bb_legal(s, legal);
    n = n < MODEL_LEGAL ? n : MODEL_LEGAL;
    for (int i = 0; i < n; ++i)
        out[i] = legal[i] | MODEL_ANSWER | (legal[i] == own ? MODEL_OWN : 0);
    return n;
}

static int model_legal(const struct banyan_game *game, const void *state, int player,
                       banyan_action *out)
{
    struct bot_view view;
    struct bot_plans plans;
    int n = 0;
    if (!bot_plans_now(state))
        return model_answers(state, out);
    bot_look(&view, &bot_usual, state, player);
    int each = view.idle ? MODEL_MANY / view.idle : MODEL_EACH;
    bot_list(&view, each > MODEL_EACH ? each : MODEL_EACH, true, &plans);
    struct bot_plan picked = *bot_pick(&view, &plans);
    struct bot_plan end = plans.plan[plans.count - 1];
    out[n++] = model_pack(&picked, true);
    int good = model_best(plans.plan, plans.count - 1, MODEL_LEGAL - 2);
    for (int i = 0; i < good; ++i) {
        banyan_action action = model_pack(&plans.plan[i], false);
        if (plans.plan[i].player != picked.player || plans.plan[i].start != picked.start ||
            plans.plan[i].stand != picked.stand || plans.plan[i].target != picked.target)
            out[n++] = action;
    }
    if (picked.start != BB_DO_END_TURN)
        out[n++] = model_pack(&end, false);
    return n;
}

/* Plays the first action of a plan; then the script answers until somebody must choose a plan. */
static void model_play(struct bb_state *s, struct bb_action a, const struct bot_plan *plan,
                       struct banyan_dice *dice)
{
    int team = s->current;
    for (int i = 0;; ++i) {
        bb_apply(s, &a, dice);
        model_tick(s);
        int asked = bb_asked(s);
        if (asked == BB_NOBODY || s->spare[0] == 0 || bot_plans_now(s))
            return;
        if (i >= MODEL_ANSWERS) {
            s->spare[0] = 0;
            return;
        }
        a = bot_answer(&bot_usual, s, asked == team ? plan : NULL, true);
    }
}

static void model_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                        struct banyan_dice *dice)
{
    struct bb_state *s = state;
    banyan_action action = joint[bb_asked(s)];
    if (action & MODEL_ANSWER) {
        struct bot_plan kept = model_kept(s);
        model_play(s, bb_action_unpack(s, agent_answer(action)), &kept, dice);
        return;
    }
    struct bot_plan plan = agent_plan(action);
    model_play(s, bot_begin(&plan), &plan, dice);
}

static void model_returns(const struct banyan_game *game, const void *state, float *out)
{
    out[BB_HOME] = bb_value(state, BB_HOME);
    out[BB_AWAY] = -out[BB_HOME];
}

static uint64_t model_mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9fb21c651e98df25u;
    return hash ^ hash >> 32;
}

/* Depends on the square of every player and the flags of those on the pitch, the scores, turns and
 * rerolls, the ball, and the actions still available. */
static uint64_t model_key(const struct banyan_game *game, const void *state, int viewer)
{
    const struct bb_state *s = state;
    uint64_t hash = 0x2545f4914f6cdd1du;
    (void)viewer;
    for (int team = BB_HOME; team <= BB_AWAY; ++team) {
        const struct bb_team *t = &s->team[team];
        for (int i = bb_first(team); i < bb_end(s, team); ++i) {
            const struct bb_player *who = &s->player[i];
            hash = model_mix(hash, (uint64_t)who->square << 16 |
                                       (bb_on_pitch(s, i) ? (uint64_t)who->flags : 0));
        }
        hash = model_mix(hash, (uint64_t)t->score << 16 | (uint64_t)t->turn << 8 | t->rerolls |
                                   (uint64_t)t->reroll_used << 24);
    }
    const struct bb_frame *turn = bb_turn_frame(s);
    hash =
        model_mix(hash, (uint64_t)s->ball | (uint64_t)s->ball_carried << 16 |
                            (uint64_t)s->ball_out << 17 | (uint64_t)s->ball_on_ground << 18 |
                            (uint64_t)s->half << 20 | (uint64_t)s->spare[0] << 24 |
                            (uint64_t)(turn ? turn->bits : 0) << 32 | (uint64_t)s->current << 48);
    return rng_mix(hash);
}

/* --- setups and texts, which this game does not have --- */

static enum banyan_status model_init(const struct banyan_game *game, void *state, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err)
{
    (void)state, (void)setup, (void)rng;
    return banyan_fail(err, BANYAN_UNSUPPORTED,
                       "the game of plans has no setups: it starts from a state of Blood Bowl");
}

static int model_format(const struct banyan_game *game, const void *state, char *out, size_t size)
{
    (void)state;
    if (size)
        *out = 0;
    return 0;
}

static int model_action_format(const struct banyan_game *game, const void *state, int player,
                               banyan_action action, char *out, size_t size)
{
    (void)state, (void)player, (void)action;
    return model_format(game, state, out, size);
}

static enum banyan_status model_action_parse(const struct banyan_game *game, const void *state,
                                             int player, const char *text, banyan_action *out,
                                             struct banyan_error *err)
{
    (void)state, (void)player, (void)text, (void)out;
    return banyan_fail(err, BANYAN_UNSUPPORTED, "plans cannot be read from text");
}

/* --- values and priors --- */

/* Half of the prior goes to the script's own answer, the other half is shared equally by all. */
static void model_answer_priors(const banyan_action *actions, int n, float *out)
{
    for (int i = 0; i < n; ++i)
        out[i] = (actions[i] & MODEL_OWN ? 0.5f : 0) + 0.5f / (float)n;
}

static void model_priors(const banyan_action *actions, int n, float trust, float *out)
{
    if (n && actions[0] & MODEL_ANSWER) {
        model_answer_priors(actions, n, out);
        return;
    }
    float best = 0, sum = 0;
    for (int i = 0; i < n; ++i)
        if (model_points(actions[i]) > best)
            best = model_points(actions[i]);
    float width = best > 30 ? best : 30;
    for (int i = 0; i < n; ++i) {
        float near = 1 - (best - model_points(actions[i])) / width;
        out[i] = 0.04f + (near > 0 ? 0.4f * near * near : 0);
        if (model_picked(actions[i]))
            sum -= out[i];
        sum += out[i];
    }
    for (int i = 0; i < n; ++i)
        out[i] = n == 1 ? 1 : model_picked(actions[i]) ? trust : out[i] * (1 - trust) / sum;
}

/* The script plays for some team turns, the present one included, or to the end of the drive. */
static void model_finish(struct bb_state *s, int turns, struct banyan_rng *rng)
{
    struct banyan_dice dice;
    struct bot_view view;
    struct bot_plans plans;
    banyan_dice_drawn(&dice, rng);
    agent_root(s, turns);
    if (!bot_plans_now(s)) {
        struct bot_plan kept = model_kept(s);
        model_play(s, bot_answer(&bot_usual, s, bb_asked(s) == s->current ? &kept : NULL, true),
                   &kept, &dice);
    }
    while (model_team(s) != BB_NOBODY) {
        bot_look(&view, &bot_usual, s, bb_asked(s));
        bot_list(&view, 1, false, &plans);
        struct bot_plan plan = *bot_pick(&view, &plans);
        model_play(s, bot_begin(&plan), &plan, &dice);
    }
}

static enum banyan_status model_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                         struct banyan_error *err)
{
    const struct agent_model *model = ctx;
    (void)err;
    for (int i = 0; i < n; ++i) {
        struct banyan_leaf *leaf = &leaves[i];
        const struct bb_state *s = leaf->state;
        struct bb_state copy;
        if (model->finish) {
            copy = *s;
            model_finish(&copy, model->finish, leaf->rng);
            s = &copy;
        }
        leaf->values[BB_HOME] = bb_value(s, BB_HOME);
        leaf->values[BB_AWAY] = -leaf->values[BB_HOME];
        for (int p = 0; p < 2; ++p)
            if (leaf->movers >> p & 1)
                model_priors(leaf->actions[p], leaf->count[p], (float)model->trust,
                             leaf->priors[p]);
    }
    return BANYAN_OK;
}

void agent_evaluator(const struct agent_model *model, struct banyan_evaluator *out)
{
    *out = (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "plans",
                                     .wants_actions = true,
                                     .reentrant = true,
                                     .ctx = (void *)(uintptr_t)model,
                                     .evaluate = model_evaluate};
}

static const struct banyan_game model_table = {
    .struct_size = sizeof(struct banyan_game),
    .name = "bloodbowl-plans",
    .title = "Blood Bowl by plans",
    .players = 2,
    .state_size = sizeof(struct bb_state),
    .action_bytes = 8,
    .max_legal = MODEL_LEGAL,
    .max_plies = 4096,
    .return_min = -1,
    .return_max = 1,
    .traits = BANYAN_CHANCE | BANYAN_ZERO_SUM,
    .init = model_init,
    .movers = model_movers,
    .legal = model_legal,
    .apply = model_apply,
    .returns = model_returns,
    .key = model_key,
    .format = model_format,
    .action_format = model_action_format,
    .action_parse = model_action_parse,
};

const struct banyan_game *agent_game(int variant)
{
    (void)variant;
    return &model_table;
}
