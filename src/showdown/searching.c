/* Searches for one decision, with states drawn from a belief. */
#include "showdown/searching.h"

#include "base/clock.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEARCHING_OPTIONS_MAX = 128 };

#define AT(member) offsetof(struct searching_settings, member)

static const struct banyan_option searching_own_table[] = {
    {"simulations", BANYAN_OPTION_INT64, AT(simulations), 0, 1e12, NULL, 0,
     "simulations per decision; 0: as many as the time allows"},
    {"evaluator", BANYAN_OPTION_TEXT, AT(evaluator), 0, 0, NULL, AGENT_TEXT, "evaluator of leaves"},
};

static_assert(offsetof(struct searching_settings, search) == 0, "shared offsets");

static void searching_table(struct banyan_option joined[SEARCHING_OPTIONS_MAX])
{
    int count = 0, own = (int)(sizeof searching_own_table / sizeof *searching_own_table);
    for (const struct banyan_option *option = banyan_search_option_table(); option->name; ++option)
        joined[count++] = *option;
    assert(count + own < SEARCHING_OPTIONS_MAX);
    memcpy(joined + count, searching_own_table, sizeof searching_own_table);
    joined[count + own] = (struct banyan_option){.name = NULL};
}

static void searching_default(struct searching_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    agent_search_default(&settings->search); /* the only place that sets these defaults */
    memcpy(settings->evaluator, AGENT_EVALUATOR, sizeof AGENT_EVALUATOR);
}

int searching_help(char *out, size_t size)
{
    struct banyan_option table[SEARCHING_OPTIONS_MAX];
    struct searching_settings settings;
    searching_table(table);
    searching_default(&settings);
    return banyan_options_help(table, &settings, out, size);
}

enum banyan_status searching_open(struct searching *searching, const char *settings,
                                  struct banyan_error *err)
{
    struct banyan_option table[SEARCHING_OPTIONS_MAX];
    memset(searching, 0, sizeof *searching);
    searching_table(table);
    if (strlen(settings) >= sizeof searching->text)
        return banyan_fail(err, BANYAN_INVALID, "options that are too long: '%.60s...'", settings);
    snprintf(searching->text, sizeof searching->text, "%s", settings);
    searching_default(&searching->settings);
    enum banyan_status status =
        agent_options(table, &searching->settings, searching->settings.evaluator, settings, err);
    if (status == BANYAN_OK)
        status = banyan_game_find("pokemon", &searching->game, err);
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(searching->game, searching->settings.evaluator, NULL,
                                         &searching->evaluator, err);
    return status;
}

void searching_close(struct searching *searching)
{
    if (searching->evaluator.evaluate)
        banyan_evaluator_close(&searching->evaluator);
    memset(&searching->evaluator, 0, sizeof searching->evaluator);
}

static void searching_sample(void *ctx, const void *root, int viewer, void *out,
                             struct banyan_rng *rng)
{
    (void)viewer;
    belief_draw(ctx, root, out, rng);
}

static enum banyan_status searching_tell(struct searching *searching, struct banyan_search *search,
                                         const struct searching_task *task,
                                         struct banyan_error *err)
{
    int viewer = task->belief->viewer;
    struct banyan_search_move chosen;
    enum banyan_status status = banyan_search_choose(search, viewer, &chosen, err);
    if (status != BANYAN_OK)
        return status;
    searching->chosen = chosen.action;
    searching->value = chosen.mean;
    searching->row_count =
        banyan_search_root_moves(search, viewer, searching->rows, SEARCHING_ACTIONS);
    if (searching->row_count > SEARCHING_ACTIONS)
        searching->row_count = SEARCHING_ACTIONS;
    banyan_search_stats(search, &searching->stats, sizeof searching->stats);
    const struct expected_question question = {.search = search,
                                               .game = searching->game,
                                               .root = task->root,
                                               .belief = task->belief,
                                               .keys = searching->settings.search.keys,
                                               .chosen = searching->chosen,
                                               .seed = task->seed};
    expected_find(&question, &searching->expected);
    return BANYAN_OK;
}

enum banyan_status searching_run(struct searching *searching, const struct searching_task *task,
                                 struct banyan_error *err)
{
    const struct belief *belief = task->belief;
    double time_ms = task->time_ms;
    int64_t simulations = task->simulations;
    struct banyan_search_options options = searching->settings.search;
    struct banyan_search *search = NULL;
    double start_ms = clock_now_ms();
    options.seed = banyan_rng_child(task->seed, "search", options.seed);
    options.sampler = (struct banyan_search_sampler){(void *)(uintptr_t)belief, searching_sample};
    if (!simulations)
        simulations = searching->settings.simulations;
    enum banyan_status status =
        banyan_search_create(&search, searching->game, &options, &searching->evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_set_root(search, task->root, belief->viewer, err);
    searching->prepare_ms = clock_now_ms() - start_ms;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = simulations};
    if (!searching->settings.simulations && time_ms > 0)
        limits.time_ms =
            time_ms > searching->prepare_ms + 0.2 ? time_ms - searching->prepare_ms : 0.2;
    if (status == BANYAN_OK)
        status = banyan_search_run(search, &limits, err);
    if (status == BANYAN_OK)
        status = searching_tell(searching, search, task, err);
    banyan_search_destroy(search);
    return status;
}
