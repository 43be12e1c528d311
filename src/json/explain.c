/* Gathers what a search reports of each simulation as JSON. */
#include "json/explain.h"

#include "base/movers.h"
#include "json/result.h"
#include "json/rollout.h"
#include "json/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXPLAIN_NAME = 64, EXPLAIN_STEPS = 256, EXPLAIN_DRAWING = 8 << 10 };

/* --- the formula --- */

double explain_range(const struct banyan_game *game, const struct banyan_search_options *options)
{
    return options->raw_rewards ? 1 : (double)game->return_max - (double)game->return_min;
}

double explain_factor(const struct banyan_game *game, const struct banyan_search_options *options)
{
    return 2 * options->exploration * explain_range(game, options);
}

double explain_textbook_factor(const struct banyan_game *game,
                               const struct banyan_search_options *options)
{
    return sqrt(2) * explain_range(game, options);
}

int explain_textbook_choice(const struct banyan_game *game,
                            const struct banyan_search_options *options,
                            const struct banyan_search_trace *trace)
{
    double factor = explain_textbook_factor(game, options), highest = -INFINITY;
    int choice = -1;
    if (options->rule != BANYAN_RULE_UCB1 || trace->parent_visits <= 1)
        return -1;
    for (int i = 0; i < trace->count; ++i) {
        const struct banyan_search_move *row = &trace->rows[i];
        if (row->visits == 0 || isnan(row->mean))
            return -1;
        double score = row->mean + factor * sqrt(log(trace->parent_visits) / (double)row->visits);
        if (score > highest) {
            highest = score;
            choice = i;
        }
    }
    return choice;
}

/* --- one simulation --- */

/* A choice on the path from the root; players who move at the same time make one each at the same depth. */
struct explain_step {
    int depth, player;
    char action[EXPLAIN_NAME];
};

struct explain_run {
    const struct explain_source *source;
    json_t *events; /* of the present simulation */
    struct explain_step steps[EXPLAIN_STEPS];
    int step_count;
    double value_sum[BANYAN_MAX_PLAYERS]; /* of all simulations */
    uint64_t value_count;
};

/* ["d3", "c5"]: the way to the node at depth; simultaneous actions are joined by '|'. */
static json_t *explain_path(const struct explain_run *run, int depth)
{
    json_t *out = json_array();
    for (int i = 0; i < run->step_count && run->steps[i].depth < depth; ++i) {
        const struct explain_step *step = &run->steps[i];
        size_t last = json_array_size(out);
        if (i > 0 && run->steps[i - 1].depth == step->depth) {
            json_t *joined = json_sprintf("%s|%s", json_string_value(json_array_get(out, last - 1)),
                                          step->action);
            json_array_set_new(out, last - 1, joined);
        } else {
            json_array_append_new(out, json_string(step->action));
        }
    }
    return out;
}

/* A picture as viewer sees it (-1: everything); null: none is wanted, or the game has none. */
static json_t *explain_drawing(const struct explain_run *run, const void *state, int viewer)
{
    const struct banyan_game *game = run->source->game;
    char text[EXPLAIN_DRAWING];
    if (!run->source->draws || !game->draw ||
        game->draw(game, state, viewer, text, sizeof text) >= EXPLAIN_DRAWING)
        return json_null();
    return json_string(text);
}

/* One row: the mean, what the score adds to it ("term", "rest"), the score.  PUCT compares means scaled to 0..1. */
static json_t *explain_row(const struct explain_run *run, const struct banyan_search_trace *trace,
                           const struct banyan_search_move *row)
{
    const struct explain_source *source = run->source;
    char name[EXPLAIN_NAME];
    double low = source->options->raw_rewards ? 0 : (double)source->game->return_min;
    double mean = source->options->rule == BANYAN_RULE_PUCT
                      ? (row->mean - low) / explain_range(source->game, source->options)
                      : row->mean;
    double term = row->score - mean, rest = 0;
    if (source->options->rule == BANYAN_RULE_UCB1 && row->visits && trace->parent_visits > 0) {
        term = trace->parent_visits > 1 ? explain_factor(source->game, source->options) *
                                              sqrt(log(trace->parent_visits) / (double)row->visits)
                                        : 0;
        rest = row->score - mean - term;
    }
    if (row->visits == 0)
        mean = term = NAN;
    show_action(source->game, trace->state, trace->player, row->action, name, sizeof name);
    return json_pack("{s:s, s:I, s:o, s:o, s:o, s:o, s:o}", "action", name, "visits",
                     (json_int_t)row->visits, "mean", show_number(mean), "term", show_number(term),
                     "rest", show_number(rest), "score", show_number(row->score), "prior",
                     show_number((double)row->prior));
}

/* The rows that are shown: the first ones, and the chosen one. */
static json_t *explain_rows(const struct explain_run *run, const struct banyan_search_trace *trace)
{
    json_t *out = json_array();
    for (int i = 0; i < trace->count; ++i)
        if (i < run->source->top || i == trace->chosen) {
            json_t *row = explain_row(run, trace, &trace->rows[i]);
            if (i == trace->chosen)
                json_object_set_new(row, "chosen", json_true());
            json_array_append_new(out, row);
        }
    return out;
}

/* The choice of the textbook's C, with its numbers; null: the formula is not used. */
static json_t *explain_textbook(const struct explain_run *run,
                                const struct banyan_search_trace *trace)
{
    const struct explain_source *source = run->source;
    char name[EXPLAIN_NAME];
    int choice = explain_textbook_choice(source->game, source->options, trace);
    if (choice < 0)
        return json_null();
    const struct banyan_search_move *row = &trace->rows[choice];
    double term = explain_textbook_factor(source->game, source->options) *
                  sqrt(log(trace->parent_visits) / (double)row->visits);
    show_action(source->game, trace->state, trace->player, row->action, name, sizeof name);
    return json_pack("{s:s, s:I, s:f, s:f, s:f, s:b}", "action", name, "visits",
                     (json_int_t)row->visits, "mean", row->mean, "term", term, "score",
                     row->mean + term, "same", choice == trace->chosen);
}

static void explain_choice(struct explain_run *run, const struct banyan_search_trace *trace,
                           const char *event)
{
    const struct explain_source *source = run->source;
    int viewer = source->game->traits & BANYAN_HIDDEN ? trace->player : -1;
    json_t *out = json_pack("{s:s, s:o, s:i, s:f, s:o, s:i, s:o}", "event", event, "path",
                            explain_path(run, trace->depth), "player", trace->player, "n",
                            trace->parent_visits, "rows", explain_rows(run, trace), "count",
                            trace->count, "drawing", explain_drawing(run, trace->state, viewer));
    if (trace->event == BANYAN_TRACE_SELECT)
        json_object_set_new(out, "textbook", explain_textbook(run, trace));
    json_array_append_new(run->events, out);
    if (run->step_count == EXPLAIN_STEPS || trace->chosen < 0)
        return;
    struct explain_step *step = &run->steps[run->step_count++];
    step->depth = trace->depth;
    step->player = trace->player;
    show_action(source->game, trace->state, trace->player, trace->rows[trace->chosen].action,
                step->action, sizeof step->action);
}

static json_t *explain_values(const struct explain_run *run, const float *values)
{
    json_t *out = json_array();
    for (int p = 0; p < run->source->game->players; ++p)
        json_array_append_new(out, json_real((double)values[p] + 0.0));
    return out;
}

static void explain_simulate(struct explain_run *run, const struct banyan_search_trace *trace)
{
    ++run->value_count;
    for (int p = 0; p < run->source->game->players; ++p)
        run->value_sum[p] += (double)trace->values[p];
    json_array_append_new(run->events, json_pack("{s:s, s:o, s:o, s:o}", "event", "simulate",
                                                 "path", explain_path(run, trace->depth), "values",
                                                 explain_values(run, trace->values), "drawing",
                                                 explain_drawing(run, trace->state, -1)));
}

/* The step of player at depth; NULL: none. */
static const struct explain_step *explain_find_step(const struct explain_run *run, int depth,
                                                    int player)
{
    for (int i = 0; i < run->step_count; ++i)
        if (run->steps[i].depth == depth && run->steps[i].player == player)
            return &run->steps[i];
    return NULL;
}

static void explain_backup(struct explain_run *run, const struct banyan_search_trace *trace)
{
    const struct explain_step *step = explain_find_step(run, trace->depth, trace->player);
    if (trace->chosen < 0 || !step)
        return;
    const struct banyan_search_move *row = &trace->rows[trace->chosen];
    json_array_append_new(run->events,
                          json_pack("{s:s, s:o, s:i, s:s, s:I, s:o}", "event", "backup", "path",
                                    explain_path(run, step->depth), "player", step->player,
                                    "action", step->action, "visits", (json_int_t)row->visits,
                                    "mean", show_number(row->mean)));
}

static void explain_event(void *ctx, const struct banyan_search_trace *trace)
{
    struct explain_run *run = ctx;
    if (trace->event == BANYAN_TRACE_SELECT || trace->event == BANYAN_TRACE_EXPAND)
        explain_choice(run, trace, trace->event == BANYAN_TRACE_SELECT ? "select" : "expand");
    else if (trace->event == BANYAN_TRACE_SIMULATE)
        explain_simulate(run, trace);
    else
        explain_backup(run, trace);
}

/* --- all simulations --- */

uint64_t explain_before(const struct banyan_game *game, const struct banyan_search *search,
                        const void *state, double sums[BANYAN_MAX_PLAYERS])
{
    float values[BANYAN_MAX_PLAYERS];
    uint64_t count = 0;
    struct result_row_list list =
        result_rows(game, search, movers_first(game->movers(game, state)));
    for (int i = 0; i < list.count; ++i)
        count += list.rows[i].visits;
    free(list.rows);
    banyan_search_root_values(search, values);
    for (int p = 0; p < game->players; ++p)
        sums[p] = count ? (double)values[p] * (double)count : 0;
    return count;
}

/* The root as it is now: for each mover the mean of all results, and the moves. */
static json_t *explain_after(const struct explain_run *run)
{
    const struct explain_source *source = run->source;
    unsigned movers = source->game->movers(source->game, source->state);
    json_t *out = json_array();
    for (int p = 0; p < source->game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        struct result_row_list list = result_rows(source->game, source->search, p);
        json_t *moves = json_array();
        int tried = 0;
        for (int i = 0; i < list.count; ++i) {
            char name[EXPLAIN_NAME];
            tried += list.rows[i].visits > 0;
            if (i >= source->top || !list.rows[i].visits)
                continue;
            show_action(source->game, source->state, p, list.rows[i].action, name, sizeof name);
            json_array_append_new(moves, json_pack("{s:s, s:I, s:o}", "action", name, "visits",
                                                   (json_int_t)list.rows[i].visits, "mean",
                                                   show_number(list.rows[i].mean)));
        }
        json_array_append_new(out,
                              json_pack("{s:i, s:I, s:o, s:o, s:i}", "player", p, "n",
                                        (json_int_t)run->value_count, "mean",
                                        show_number(run->value_sum[p] / (double)run->value_count),
                                        "moves", moves, "untried", list.count - tried));
        free(list.rows);
    }
    return out;
}

static enum banyan_status explain_one(struct explain_run *run, int64_t number, json_t *out,
                                      struct banyan_error *err)
{
    const struct explain_source *source = run->source;
    struct banyan_leaf leaf;
    enum banyan_status status = BANYAN_OK;
    json_t *rollout = json_null();
    run->events = json_array();
    run->step_count = 0;
    if (banyan_search_select(source->search, &leaf, 1) == 1) {
        struct banyan_rng before = *leaf.rng;
        status = source->evaluator->evaluate(source->evaluator->ctx, &leaf, 1, err);
        if (status == BANYAN_OK && source->plays_rollouts)
            rollout = rollout_json(&leaf, before, source->draws);
        if (status == BANYAN_OK)
            banyan_search_update(source->search, &leaf, 1);
    }
    json_array_append_new(out, json_pack("{s:I, s:o, s:o, s:o}", "simulation", (json_int_t)number,
                                         "events", run->events, "rollout", rollout, "after",
                                         explain_after(run)));
    return status;
}

static json_t *explain_head(const struct explain_source *source)
{
    const struct banyan_search_options *options = source->options;
    static const char *const rules[] = {[BANYAN_RULE_UCB1] = "ucb1", [BANYAN_RULE_PUCT] = "puct"};
    bool named = options->rule == BANYAN_RULE_UCB1 || options->rule == BANYAN_RULE_PUCT;
    return json_pack(
        "{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "game", source->game->name, "rule",
        named ? rules[options->rule] : "other", "c", explain_factor(source->game, options),
        "textbook_c", explain_textbook_factor(source->game, options), "exploration",
        options->exploration, "cpuct", options->cpuct, "return_min",
        (double)source->game->return_min, "return_max", (double)source->game->return_max);
}

enum banyan_status explain_json(const struct explain_source *source, int64_t n, json_t **out,
                                struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    struct explain_run *run = calloc(1, sizeof *run);
    if (!run)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the steps of a search");
    json_t *simulations = json_array();
    run->source = source;
    run->value_count = explain_before(source->game, source->search, source->state, run->value_sum);
    banyan_search_set_trace(source->search, explain_event, run);
    for (int64_t i = 1; i <= n && status == BANYAN_OK; ++i)
        status = explain_one(run, i, simulations, err);
    banyan_search_set_trace(source->search, NULL, NULL);
    free(run);
    if (status != BANYAN_OK) {
        json_decref(simulations);
        return status;
    }
    *out = explain_head(source);
    json_object_set_new(*out, "simulations", simulations);
    return BANYAN_OK;
}
