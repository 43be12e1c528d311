/* The player "agent": a search chooses plans and the answers to questions about blocks; the script
 * answers everything smaller. */
#include "games/bloodbowl/players/agent.h"
#include "games/bloodbowl/players/eval.h"
#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/table.h"

#include <banyan/options.h>
#include <banyan/search.h>

#include <stdlib.h>
#include <string.h>

enum { AGENT_SIMULATIONS = 400 /* for a plan, if neither time nor simulations are limited */ };

enum agent_rule { AGENT_PUCT, AGENT_UCB1 };
static const char *const agent_rules[] = {"puct", "ucb1", NULL};

struct agent_settings {
    struct agent_model model;
    int rule, turns;
    int64_t simulations;
    double time_ms, cpuct, fpu, exploration, widen, caution, bank, ask;
};

struct agent {
    struct agent_settings settings;
    struct banyan_evaluator evaluator;
    struct banyan_search *search;  /* chooses plans */
    struct banyan_search *answers; /* chooses answers to questions within a block: agent_asks() */
    double saved_ms;               /* unused time, including the time of the present decision */
    struct bb_state at;            /* the state at the root of the tree */
    banyan_action chosen;          /* the action that was played there; 0: none */
    struct bot_plan plan;
    bool planned;
    int seat;
};

#define AT(member) offsetof(struct agent_settings, member)
static const struct banyan_option agent_table[] = {
    {"rule", BANYAN_OPTION_CHOICE, AT(rule), 0, 0, agent_rules, 0, "selection rule"},
    {"turns", BANYAN_OPTION_INT, AT(turns), 1, 8, NULL, 0,
     "team turns that the search looks ahead, the present one included"},
    {"simulations", BANYAN_OPTION_INT64, AT(simulations), 0, 1e12, NULL, 0,
     "simulations per plan; 0: no limit (400 if no time and no clock limits the search)"},
    {"time", BANYAN_OPTION_TIME, AT(time_ms), 0, 1e9, NULL, 0,
     "time per decision; time that small decisions do not use is saved for plans; 0: no limit"},
    {"bank", BANYAN_OPTION_REAL, AT(bank), 0, 1000, NULL, 0,
     "most time that may be saved, as a multiple of `time`"},
    {"ask", BANYAN_OPTION_REAL, AT(ask), 0, 1, NULL, 0,
     "share of the time and simulations of a plan that a decision within a block gets; 0: the "
     "script decides"},
    {"trust", BANYAN_OPTION_REAL, AT(model.trust), 0, 0.99, NULL, 0,
     "prior of the plan that the script would choose"},
    {"caution", BANYAN_OPTION_REAL, AT(caution), 0, 100, NULL, 0,
     "final choice: highest mean - caution / sqrt(visits); 0: most visits"},
    {"fpu", BANYAN_OPTION_REAL, AT(fpu), -10, 10, NULL, 0,
     "PUCT: first-play urgency, as the search option fpu"},
    {"cpuct", BANYAN_OPTION_REAL, AT(cpuct), 0, 1000, NULL, 0, "PUCT: exploration constant"},
    {"exploration", BANYAN_OPTION_REAL, AT(exploration), 0, 1000, NULL, 0,
     "UCB1: exploration constant"},
    {"widen", BANYAN_OPTION_REAL, AT(widen), 0, 1000, NULL, 0,
     "UCB1: progressive widening, at most widen * sqrt(visits) children; 0: all"},
    {"finish", BANYAN_OPTION_INT, AT(model.finish), 0, 32, NULL, 0,
     "team turns that the script plays before a leaf is evaluated"},
    {0},
};
#undef AT

static struct banyan_search_options agent_options(const struct agent_settings *settings,
                                                  uint64_t seed)
{
    struct banyan_search_options options;
    banyan_search_options_default(&options);
    options.rule = settings->rule == AGENT_PUCT ? BANYAN_RULE_PUCT : BANYAN_RULE_UCB1;
    options.cpuct = settings->cpuct;
    options.exploration = settings->exploration;
    options.fpu = settings->fpu;
    if (settings->caution > 0) {
        options.final = BANYAN_FINAL_SECURE;
        options.secure_z = settings->caution;
    }
    if (settings->rule == AGENT_UCB1) {
        options.widen_factor = settings->widen;
        options.progressive_bias = 0.5;
        options.expand_visits = 1;
    }
    options.order = BANYAN_ORDER_FIRST;
    options.memory_bytes = (uint64_t)64 << 20;
    options.seed = seed;
    return options;
}

static enum banyan_status agent_open(void *ctx, const void *state, int seat, uint64_t seed,
                                     struct banyan_error *err)
{
    struct agent *agent = ctx;
    const struct bb_state *s = state;
    agent->seat = seat;
    struct banyan_search_options options =
        agent_options(&agent->settings, banyan_rng_child(seed, "agent", 0));
    banyan_search_destroy(agent->search);
    banyan_search_destroy(agent->answers);
    agent->search = agent->answers = NULL;
    agent->chosen = 0;
    agent->saved_ms = 0;
    agent->planned = false;
    enum banyan_status status = banyan_search_create(&agent->search, agent_game(s->variant),
                                                     &options, &agent->evaluator, err);
    options.memory_bytes /= 4;
    options.final = BANYAN_FINAL_SECURE;
    options.secure_z = 1; /* prefers the script's answer, which has most of the visits */
    return status == BANYAN_OK ? banyan_search_create(&agent->answers, agent_game(s->variant),
                                                      &options, &agent->evaluator, err)
                               : status;
}

/* Keeps the tree when the state is later in the same turn, otherwise starts a new one. */
static enum banyan_status agent_set_root(struct agent *agent, const struct bb_state *s,
                                         struct banyan_error *err)
{
    struct bb_state root = *s;
    bool same = agent->chosen && s->spare[0] == 0 && bb_turn_frame(s) &&
                agent->at.spare[1] == bb_turn_frame(s)->team + 1;
    agent_root(&root, agent->settings.turns);
    same = same && root.spare[2] == agent->at.spare[2];
    agent->at = root;
    if (same) {
        banyan_action joint[2] = {agent->chosen, agent->chosen};
        if (banyan_search_advance(agent->search, joint, &root))
            return BANYAN_OK;
    }
    return banyan_search_set_root(agent->search, &root, bb_asked(s), err);
}

/* A decision may use its own time and half of what earlier ones have saved.  A clock for the whole
 * game allows at most a hundredth of the time left and 0.7 of the increment, or 0.8 of the time
 * left if that is not more than one increment.  Without any limit there are AGENT_SIMULATIONS. */
static struct banyan_search_limits agent_limits(const struct agent *agent,
                                                const struct banyan_player_clock *clock)
{
    const struct agent_settings *settings = &agent->settings;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = settings->simulations,
                                          .time_ms = settings->time_ms,
                                          .early = true,
                                          .stop = clock ? clock->stop : NULL};
    limits.time_ms += 0.5 * (agent->saved_ms - settings->time_ms);
    double left = clock ? clock->left_ms[agent->seat] : -1;
    if (left < 0) {
        if (settings->time_ms <= 0 && settings->simulations == 0)
            limits.simulations = AGENT_SIMULATIONS;
        return limits;
    }
    double budget =
        left > clock->increment_ms ? left / 100 + 0.7 * clock->increment_ms : 0.8 * left;
    if (limits.time_ms <= 0 || budget < limits.time_ms)
        limits.time_ms = budget > 0.1 ? budget : 0.1;
    return limits;
}

/* Adds the time of one decision to the saved time, up to the limit. */
static void agent_credit_time(struct agent *agent)
{
    double time = agent->settings.time_ms;
    agent->saved_ms += time;
    if (agent->saved_ms > (agent->settings.bank + 1) * time)
        agent->saved_ms = (agent->settings.bank + 1) * time;
}

static void agent_debit_time(struct agent *agent, const struct banyan_search *search)
{
    struct banyan_search_stats stats;
    banyan_search_stats(search, &stats, sizeof stats);
    agent->saved_ms -= stats.elapsed_ms;
    if (agent->saved_ms < 0)
        agent->saved_ms = 0; /* a busy machine can make a search take longer than planned */
}

static enum banyan_status agent_think(struct agent *agent, const struct bb_state *s,
                                      const struct banyan_player_clock *clock,
                                      struct banyan_player_move *out, struct banyan_error *err)
{
    struct banyan_search_limits limits = agent_limits(agent, clock);
    struct banyan_search_move move;
    banyan_action actions[64];
    enum banyan_status status = BANYAN_OK;
    int team = bb_asked(s);
    struct bb_state root = *s;
    agent_root(&root, agent->settings.turns);
    if (agent_game(s->variant)->legal(agent_game(s->variant), &root, team, actions) == 1) {
        agent->chosen = 0;
        agent->plan = agent_plan(actions[0]);
        return BANYAN_OK;
    }
    if ((status = agent_set_root(agent, s, err)) == BANYAN_OK)
        status = banyan_search_run(agent->search, &limits, err);
    if (status == BANYAN_OK)
        status = banyan_search_choose(agent->search, team, &move, err);
    if (status != BANYAN_OK)
        return status;
    struct banyan_search_stats stats;
    banyan_search_stats(agent->search, &stats, sizeof stats);
    agent_debit_time(agent, agent->search);
    agent->chosen = move.action;
    agent->plan = agent_plan(move.action);
    out->value = move.mean;
    out->simulations = stats.simulations;
    out->visits = move.visits;
    return BANYAN_OK;
}

/* Chooses one action of Blood Bowl in the middle of a plan. */
static enum banyan_status agent_ask(struct agent *agent, const struct bb_state *s,
                                    const struct banyan_player_clock *clock, struct bb_action *out,
                                    struct banyan_error *err)
{
    struct banyan_search_limits limits = agent_limits(agent, clock);
    struct banyan_search_move move;
    struct bb_state root = *s;
    agent_root(&root, agent->settings.turns);
    agent_keep(&root, agent->planned && s->current == agent->seat ? &agent->plan : NULL);
    limits.time_ms *= agent->settings.ask;
    if (limits.simulations)
        limits.simulations = 1 + (int64_t)((double)limits.simulations * agent->settings.ask);
    enum banyan_status status = banyan_search_set_root(agent->answers, &root, bb_asked(s), err);
    if (status == BANYAN_OK)
        status = banyan_search_run(agent->answers, &limits, err);
    if (status == BANYAN_OK)
        status = banyan_search_choose(agent->answers, bb_asked(s), &move, err);
    if (status == BANYAN_OK)
        *out = bb_action_unpack(s, agent_answer(move.action));
    return status;
}

static enum banyan_status agent_choose(void *ctx, const void *state,
                                       const struct banyan_player_clock *clock,
                                       struct banyan_player_move *out, struct banyan_error *err)
{
    struct agent *agent = ctx;
    const struct bb_state *s = state;
    banyan_action legal[BB_MAX_LEGAL];
    struct bb_action a;
    *out = (struct banyan_player_move){.value = (double)bb_value(s, bb_asked(s))};
    agent_credit_time(agent);
    agent->planned = agent->planned && (agent->plan.stays || !bot_there(s, &agent->plan));
    if (bot_plans_now(s)) {
        enum banyan_status status = agent_think(agent, s, clock, out, err);
        if (status != BANYAN_OK)
            return status;
        agent->planned = agent->plan.player != BB_NONE;
        a = bot_begin(&agent->plan);
    } else if (agent->settings.ask > 0 && agent_asks(s) && bb_legal(s, legal) > 1) {
        enum banyan_status status = agent_ask(agent, s, clock, &a, err);
        if (status != BANYAN_OK)
            return status;
        agent_debit_time(agent, agent->answers);
    } else {
        a = bot_answer(&bot_usual, s, agent->planned ? &agent->plan : NULL, false);
    }
    out->action = bb_action_pack(&a);
    bot_legal(s, &out->action);
    return BANYAN_OK;
}

static void agent_close(void *ctx)
{
    struct agent *agent = ctx;
    banyan_search_destroy(agent->search);
    banyan_search_destroy(agent->answers);
    free(agent);
}

enum banyan_status agent_player(const struct banyan_game *game, const char *args,
                                const struct banyan_offer *offers, uint64_t seed,
                                struct banyan_player *out, struct banyan_error *err)
{
    (void)game, (void)seed;
    struct agent *agent = calloc(1, sizeof *agent);
    if (!agent)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'agent'");
    agent->settings = (struct agent_settings){.model = {.finish = 1, .trust = 0.7},
                                              .rule = AGENT_PUCT,
                                              .turns = 2,
                                              .cpuct = 0.6,
                                              .fpu = 0.05,
                                              .exploration = 0.2,
                                              .widen = 2,
                                              .caution = 0.3,
                                              .bank = 8,
                                              .ask = 0.5};
    enum banyan_status status = banyan_options_parse(agent_table, &agent->settings, args, err);
    if (status != BANYAN_OK) {
        agent_close(agent);
        return status;
    }
    agent_evaluator(&agent->settings.model, &agent->evaluator);
    *out = (struct banyan_player){.struct_size = sizeof(struct banyan_player),
                                  .ctx = agent,
                                  .open = agent_open,
                                  .choose = agent_choose,
                                  .close = agent_close};
    return BANYAN_OK;
}
