/* The player "agent": its settings, and a search for each decision. */
#include "games/pokemon/players/agent.h"
#include "games/pokemon/players/points.h"
#include "games/pokemon/pokemon.h"

#include "base/options.h"

#include <banyan/evaluator.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGENT_OPTIONS_MAX = 96, AGENT_TIME_MS = 100 /* if no limit is given */ };

struct agent_settings {
    struct banyan_search_options search; /* the first member, so that the offsets of its option
                                          * table are valid here */
    int64_t simulations;
    double time_ms;
    bool early;
    char evaluator[AGENT_TEXT];
};

static_assert(offsetof(struct agent_settings, search) == 0, "shared offsets");

struct agent {
    const struct banyan_game *game;
    struct agent_settings settings;
    struct banyan_evaluator evaluator;
    struct banyan_search *search;
    struct pokemon at; /* the state at the root of the tree */
    int seat;
};

#define AT(member) offsetof(struct agent_settings, member)
static const struct banyan_option agent_own[] = {
    {"simulations", BANYAN_OPTION_INT64, AT(simulations), 0, 1e15, NULL, 0,
     "simulations per decision; 0: no limit"},
    {"time", BANYAN_OPTION_TIME, AT(time_ms), 0, 1e9, NULL, 0, "time per decision; 0: no limit"},
    {"early", BANYAN_OPTION_BOOL, AT(early), 0, 0, NULL, 0,
     "stop as soon as the rest of the search cannot change the choice"},
    {"evaluator", BANYAN_OPTION_TEXT, AT(evaluator), 0, 0, NULL,
     sizeof(((struct agent_settings *)0)->evaluator), "evaluator of leaves"},
    {0},
};
#undef AT

void agent_search_default(struct banyan_search_options *options)
{
    banyan_search_options_default(options);
    options->rule = BANYAN_RULE_PUCT;
    options->cpuct = 0.8;
    options->expand_visits = 2;
    options->worlds = 100;
    options->world_baseline = true;
    options->rare_share = true;
    options->memory_bytes = (uint64_t)128 << 20;
}

/* Adds points to the evaluator's text. */
static enum banyan_status agent_points(char *evaluator, const char *points,
                                       struct banyan_error *err)
{
    char text[AGENT_TEXT];
    if (strcmp(evaluator, AGENT_EVALUATOR) != 0)
        return banyan_fail(err, BANYAN_INVALID,
                           "'%.60s' needs evaluator=" AGENT_EVALUATOR ", not evaluator=%.60s",
                           points, evaluator);
    int length = snprintf(text, sizeof text, AGENT_EVALUATOR ":%s", points);
    if (length >= (int)sizeof text)
        return banyan_fail(err, BANYAN_INVALID, "options that are too long: '%.60s...'", points);
    memcpy(evaluator, text, sizeof text);
    return BANYAN_OK;
}

/* An option that is in no table, but looks like one of points: the error is about those. */
static void agent_unknown(const struct banyan_option *table, const char *others,
                          struct banyan_error *err)
{
    char known[AGENT_TEXT], unknown[AGENT_TEXT];
    struct points points;
    if (options_split(table, others, known, unknown, AGENT_TEXT, NULL) == BANYAN_OK &&
        (strncmp(unknown, "value-", 6) == 0 || strncmp(unknown, "prior-", 6) == 0))
        points_parse(&points, unknown, err);
}

enum banyan_status agent_options(const struct banyan_option *table, void *settings,
                                 char evaluator[AGENT_TEXT], const char *args,
                                 struct banyan_error *err)
{
    char points[AGENT_TEXT], others[AGENT_TEXT];
    enum banyan_status status =
        options_split(points_options(), args, points, others, AGENT_TEXT, err);
    if (status == BANYAN_OK)
        status = banyan_options_parse(table, settings, others, err);
    if (status == BANYAN_NOT_FOUND)
        agent_unknown(table, others, err);
    return status == BANYAN_OK && *points ? agent_points(evaluator, points, err) : status;
}

static enum banyan_status agent_parse(const char *args, struct agent_settings *settings,
                                      struct banyan_error *err)
{
    struct banyan_option table[AGENT_OPTIONS_MAX];
    size_t count = 0;
    for (const struct banyan_option *option = banyan_search_option_table(); option->name; ++option)
        table[count++] = *option;
    assert(count + sizeof agent_own / sizeof *agent_own <= AGENT_OPTIONS_MAX);
    memcpy(table + count, agent_own, sizeof agent_own);
    memset(settings, 0, sizeof *settings);
    agent_search_default(&settings->search);
    memcpy(settings->evaluator, AGENT_EVALUATOR, sizeof AGENT_EVALUATOR);
    return agent_options(table, settings, settings->evaluator, args, err);
}

static enum banyan_status agent_root(struct agent *agent, const void *state,
                                     struct banyan_error *err)
{
    memcpy(&agent->at, state, sizeof agent->at);
    if (!turn_movers(state))
        return BANYAN_OK;
    return banyan_search_set_root(agent->search, state, agent->seat, err);
}

static enum banyan_status agent_open(void *ctx, const void *state, int seat, uint64_t seed,
                                     struct banyan_error *err)
{
    struct agent *agent = ctx;
    struct banyan_search_options options = agent->settings.search;
    options.seed = banyan_rng_child(seed, "agent", options.seed);
    agent->seat = seat;
    banyan_search_destroy(agent->search);
    agent->search = NULL;
    enum banyan_status status =
        banyan_search_create(&agent->search, agent->game, &options, &agent->evaluator, err);
    return status == BANYAN_OK ? agent_root(agent, state, err) : status;
}

static enum banyan_status agent_observe(void *ctx, const void *before, const banyan_action joint[],
                                        const void *after, struct banyan_error *err)
{
    struct agent *agent = ctx;
    if (memcmp(&agent->at, before, sizeof agent->at) != 0 || !turn_movers(after))
        return agent_root(agent, after, err);
    memcpy(&agent->at, after, sizeof agent->at);
    banyan_search_advance(agent->search, joint, after);
    return BANYAN_OK;
}

/* Each decision gets a 40th of the time left on the clock and 0.7 of the increment.  If no more than the
 * increment is left (a time for each decision), all of it may be used. */
static struct banyan_search_limits agent_limits(const struct agent *agent,
                                                const struct banyan_player_clock *clock)
{
    const struct agent_settings *settings = &agent->settings;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = settings->simulations,
                                          .time_ms = settings->time_ms,
                                          .early = settings->early,
                                          .stop = clock ? clock->stop : NULL};
    double left = clock ? clock->left_ms[agent->seat] : -1;
    if (left >= 0) {
        double budget = left > clock->increment_ms ? left / 40 + 0.7 * clock->increment_ms : left;
        if (limits.time_ms <= 0 || budget < limits.time_ms)
            limits.time_ms = budget > 0.1 ? budget : 0.1; /* 0 would mean no limit */
    } else if (limits.time_ms <= 0 && !limits.simulations) {
        limits.time_ms = AGENT_TIME_MS;
    }
    return limits;
}

static enum banyan_status agent_think(struct agent *agent, const void *state,
                                      const struct banyan_player_clock *clock,
                                      struct banyan_player_move *out, struct banyan_error *err)
{
    struct banyan_search_limits limits = agent_limits(agent, clock);
    struct banyan_search_stats before, after;
    struct banyan_search_move chosen;
    enum banyan_status status = BANYAN_OK;
    if (memcmp(&agent->at, state, sizeof agent->at) != 0)
        status = agent_root(agent, state, err);
    banyan_search_stats(agent->search, &before, sizeof before);
    if (status == BANYAN_OK)
        status = banyan_search_run(agent->search, &limits, err);
    if (status == BANYAN_OK)
        status = banyan_search_choose(agent->search, agent->seat, &chosen, err);
    if (status != BANYAN_OK)
        return status;
    banyan_search_stats(agent->search, &after, sizeof after);
    out->action = chosen.action;
    out->value = chosen.mean;
    out->visits = chosen.visits;
    out->simulations = after.simulations - before.simulations;
    out->elapsed_ms = after.elapsed_ms;
    return BANYAN_OK;
}

static enum banyan_status agent_choose(void *ctx, const void *state,
                                       const struct banyan_player_clock *clock,
                                       struct banyan_player_move *out, struct banyan_error *err)
{
    struct agent *agent = ctx;
    banyan_action legal[16];
    *out = (struct banyan_player_move){.value = (double)NAN};
    if (legal_actions(state, agent->seat, legal) > 1)
        return agent_think(agent, state, clock, out, err);
    out->action = legal[0];
    return BANYAN_OK;
}

static void agent_close(void *ctx)
{
    struct agent *agent = ctx;
    banyan_search_destroy(agent->search);
    if (agent->evaluator.evaluate)
        banyan_evaluator_close(&agent->evaluator);
    free(agent);
}

enum banyan_status agent_create(const struct banyan_game *game, const char *args,
                                const struct banyan_offer *offers, uint64_t seed,
                                struct banyan_player *out, struct banyan_error *err)
{
    struct agent *agent = calloc(1, sizeof *agent);
    if (!agent)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'agent'");
    (void)seed; /* open sets the random stream for every game */
    agent->game = game;
    enum banyan_status status = agent_parse(args, &agent->settings, err);
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(game, agent->settings.evaluator, offers, &agent->evaluator,
                                         err);
    if (status == BANYAN_OK) /* reports errors in the settings before a game starts */
        status = banyan_search_create(&agent->search, game, &agent->settings.search,
                                      &agent->evaluator, err);
    if (status != BANYAN_OK) {
        agent_close(agent);
        return status;
    }
    *out = (struct banyan_player){.struct_size = sizeof(struct banyan_player),
                                  .ctx = agent,
                                  .open = agent_open,
                                  .choose = agent_choose,
                                  .observe = agent_observe,
                                  .close = agent_close};
    return BANYAN_OK;
}
