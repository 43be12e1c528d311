/* Runs a search in slices.  To go back, it runs the search again with fewer simulations. */
#include "web/analysis.h"

#include "base/clock.h"
#include "base/movers.h"
#include "players/program/offers.h"
#include "records/transcript.h"
#include "web/describe.h"
#include "json/result.h"
#include "json/show.h"

#include <stdlib.h>
#include <string.h>

enum { ANALYSIS_FIRST_SLICE = 64, ANALYSIS_BEST = 512 };

static const char *analysis_default(const char *text, const char *otherwise)
{
    return text && *text ? text : otherwise;
}

/* --- open --- */

/* Makes the state that the question's texts describe. */
static enum banyan_status analysis_make_state(struct analysis *analysis,
                                              const struct analysis_question *question,
                                              struct banyan_error *err)
{
    const struct banyan_game *game = analysis->game;
    struct banyan_rng rng;
    uint64_t steps = 0;
    /* the same stream as `banyan search`, so that equal seeds deal equal cards */
    banyan_rng_seed(&rng, banyan_rng_child(analysis->options.seed, "position", 0));
    enum banyan_status status =
        game->init(game, analysis->state, analysis_default(question->position, NULL), &rng, err);
    if (status == BANYAN_OK && analysis_default(question->moves, NULL))
        status = transcript_play(game, analysis->state, question->moves, &rng, &steps, err);
    return status;
}

/* Sets the searched state: a copy of state, or (NULL) the position that the question describes. */
static enum banyan_status analysis_place(struct analysis *analysis,
                                         const struct analysis_question *question,
                                         const void *state, struct banyan_error *err)
{
    const struct banyan_game *game = analysis->game;
    enum banyan_status status = BANYAN_OK;
    analysis->state = calloc(1, game->state_size);
    if (!analysis->state)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state of %s", game->name);
    if (state)
        memcpy(analysis->state, state, game->state_size);
    else
        status = analysis_make_state(analysis, question, err);
    if (status == BANYAN_OK && game->movers(game, analysis->state) == 0)
        status =
            banyan_fail(err, BANYAN_INVALID, "the game is over here: there is nothing to search");
    return status;
}

/* Makes the search anew, without any simulation. */
static enum banyan_status analysis_begin(struct analysis *analysis, struct banyan_error *err)
{
    if (analysis->search)
        banyan_search_destroy(analysis->search);
    banyan_evaluator_close(&analysis->evaluator); /* an evaluator that learns must forget, too */
    analysis->search = NULL;
    analysis->done = 0;
    analysis->wall_ms = analysis->cpu_ms = 0;
    analysis->slice = ANALYSIS_FIRST_SLICE;
    enum banyan_status status = banyan_evaluator_create(analysis->game, analysis->evaluator_text,
                                                        program_offers, &analysis->evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_create(&analysis->search, analysis->game, &analysis->options,
                                      &analysis->evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_set_root(analysis->search, analysis->state, analysis->viewer, err);
    return status;
}

static enum banyan_status analysis_read(struct analysis *analysis,
                                        const struct analysis_question *question, const void *state,
                                        struct banyan_error *err)
{
    banyan_search_options_default(&analysis->options);
    enum banyan_status status = banyan_game_find(question->game, &analysis->game, err);
    if (status == BANYAN_OK)
        status = banyan_options_parse(banyan_search_option_table(), &analysis->options,
                                      analysis_default(question->options, ""), err);
    if (status == BANYAN_OK)
        status = analysis_place(analysis, question, state, err);
    analysis->evaluator_text = strdup(analysis_default(question->evaluator, "rollout"));
    if (status == BANYAN_OK && !analysis->evaluator_text)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a search");
    return status;
}

enum banyan_status analysis_open_at(struct analysis *analysis,
                                    const struct analysis_question *question, const void *state,
                                    int viewer, struct banyan_error *err)
{
    analysis_close(analysis);
    analysis->viewer = viewer;
    enum banyan_status status = analysis_read(analysis, question, state, err);
    if (status == BANYAN_OK)
        status = analysis_begin(analysis, err);
    if (status != BANYAN_OK)
        analysis_close(analysis);
    return status;
}

enum banyan_status analysis_open(struct analysis *analysis,
                                 const struct analysis_question *question, struct banyan_error *err)
{
    return analysis_open_at(analysis, question, NULL, -1, err);
}

void analysis_close(struct analysis *analysis)
{
    if (analysis->search)
        banyan_search_destroy(analysis->search);
    banyan_evaluator_close(&analysis->evaluator);
    free(analysis->evaluator_text);
    free(analysis->state);
    memset(analysis, 0, offsetof(struct analysis, stop)); /* other threads may set the flag */
}

/* --- run --- */

/* Whether the search must run at once.  Sequential halving divides the simulations of a run among
 * its phases, and agree=on makes a run longer by a share of its length: both need the total in
 * advance. */
static bool analysis_is_indivisible(const struct banyan_search_options *options)
{
    return options->rule == BANYAN_RULE_GUMBEL ||
           (options->final == BANYAN_FINAL_MAX_ROBUST && options->final_agree);
}

/* Whether going on from here to target makes the same tree as a search that runs to target at
 * once. */
static bool analysis_leads_to(const struct analysis *analysis, int64_t target)
{
    return target == analysis->done || analysis->done == 0 ||
           (target > analysis->done && !analysis_is_indivisible(&analysis->options));
}

enum banyan_status analysis_aim(struct analysis *analysis, int64_t target, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    if (!analysis->search)
        return banyan_fail(err, BANYAN_INVALID, "no search is open");
    if (!analysis_leads_to(analysis, target))
        status = analysis_begin(analysis, err);
    if (status != BANYAN_OK) {
        analysis_close(analysis);
        return status;
    }
    analysis->target = target;
    return BANYAN_OK;
}

/* Doubles or halves the next slice, to come near ANALYSIS_SLICE_MS. */
static void analysis_adapt(struct analysis *analysis, double spent_ms)
{
    if (spent_ms < ANALYSIS_SLICE_MS / 2.0)
        analysis->slice *= 2;
    else if (spent_ms > ANALYSIS_SLICE_MS * 1.5 && analysis->slice > 1)
        analysis->slice /= 2;
}

enum banyan_status analysis_slice(struct analysis *analysis, struct banyan_error *err)
{
    struct banyan_search_stats before, after;
    int64_t left = analysis->target - analysis->done;
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .stop = &analysis->stop};
    bool whole = analysis_is_indivisible(&analysis->options);
    limits.simulations = whole || left < analysis->slice ? left : analysis->slice;
    banyan_search_stats(analysis->search, &before, sizeof before);
    double begin_ms = clock_now_ms(), begin_cpu_ms = clock_read_ms(CLOCK_THREAD_CPUTIME_ID);
    enum banyan_status status = banyan_search_run(analysis->search, &limits, err);
    double spent_ms = clock_now_ms() - begin_ms;
    analysis->wall_ms += spent_ms;
    analysis->cpu_ms += clock_read_ms(CLOCK_THREAD_CPUTIME_ID) - begin_cpu_ms;
    banyan_search_stats(analysis->search, &after, sizeof after);
    analysis->done += (int64_t)(after.simulations - before.simulations);
    analysis_adapt(analysis, spent_ms);
    if (status == BANYAN_INTERRUPTED)
        return BANYAN_OK;
    bool early = after.simulations - before.simulations < (uint64_t)limits.simulations;
    if (status != BANYAN_OK || early || whole) /* early: the result is proven */
        analysis->target = analysis->done;
    return status;
}

/* --- look --- */

int analysis_viewer(const struct analysis *analysis)
{
    const struct banyan_game *game = analysis->game;
    if (analysis->viewer >= 0)
        return analysis->viewer;
    return game->traits & BANYAN_HIDDEN ? movers_first(game->movers(game, analysis->state)) : -1;
}

/* Whether every mover has an action in the tree; otherwise the final choice would be random. */
static bool analysis_has_moves(const struct analysis *analysis)
{
    const struct banyan_game *game = analysis->game;
    unsigned movers = game->movers(game, analysis->state);
    struct banyan_search_move row;
    for (int p = 0; p < game->players; ++p)
        if (movers >> p & 1 && banyan_search_root_moves(analysis->search, p, &row, 1) == 0)
            return false;
    return true;
}

/* The final choice; null if it is random, because drawing it would change the search, which may go
 * on. */
static json_t *analysis_best(const struct analysis *analysis)
{
    char best[ANALYSIS_BEST];
    enum banyan_search_final final = analysis->options.final;
    if (!analysis_has_moves(analysis) || final == BANYAN_FINAL_SAMPLE ||
        final == BANYAN_FINAL_AVERAGE ||
        result_format_best(analysis->game, analysis->search, analysis->state, best, sizeof best,
                           NULL) != BANYAN_OK)
        return json_null();
    return json_string(best);
}

json_t *analysis_root(const struct analysis *analysis)
{
    struct banyan_search_stats stats;
    int threads = analysis->options.threads * analysis->options.ensemble;
    const struct result_effort effort = {.threads = threads, .cpu_ms = analysis->cpu_ms};
    banyan_search_stats(analysis->search, &stats, sizeof stats);
    stats.elapsed_ms = analysis->wall_ms;
    return json_pack(
        "{s:I, s:I, s:b, s:f, s:f, s:o, s:o, s:o, s:o, s:I, s:i, s:f, s:I, s:I}", "simulations",
        (json_int_t)analysis->done, "target", (json_int_t)analysis->target, "running",
        analysis_is_running(analysis), "elapsed_ms", analysis->wall_ms, "simulations_per_s",
        result_rate(&stats, &effort), "best", analysis_best(analysis), "root",
        result_rows_json(analysis->game, analysis->search, analysis->state), "pv",
        result_pv_json(analysis->game, analysis->search, analysis->state), "values",
        result_values_json(analysis->game, analysis->search), "nodes", (json_int_t)stats.nodes,
        "max_depth", stats.max_depth, "mean_depth", stats.mean_depth, "bytes_used",
        (json_int_t)stats.bytes_used, "compactions", (json_int_t)stats.compactions);
}

/* Plays one action of the line; false: text is no action here. */
static bool analysis_play(const struct banyan_game *game, void *state, const char *text)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_error err;
    unsigned movers = game->movers(game, state);
    int player = movers_first(movers);
    if (!text || !movers ||
        game->action_parse(game, state, player, text, &joint[player], &err) != BANYAN_OK)
        return false;
    game->apply(game, state, joint, NULL);
    return true;
}

json_t *analysis_line(const struct analysis *analysis)
{
    const struct banyan_game *game = analysis->game;
    json_t *out = json_array(), *line, *action;
    size_t i;
    if (!analysis->search || game->traits & (BANYAN_CHANCE | BANYAN_HIDDEN | BANYAN_SIMULTANEOUS))
        return out;
    void *state = malloc(game->state_size);
    line = result_pv_json(game, analysis->search, analysis->state);
    if (state)
        memcpy(state, analysis->state, game->state_size);
    json_array_foreach(line, i, action)
    {
        const char *text = json_string_value(action);
        if (!state || i == ANALYSIS_LINE || !analysis_play(game, state, text))
            break;
        json_array_append_new(out, json_pack("{s:s, s:o}", "action", text, "position",
                                             describe_position(game, state, -1, 0)));
    }
    free(state);
    json_decref(line);
    return out;
}
