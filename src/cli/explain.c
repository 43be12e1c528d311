/* banyan explain: every simulation step by step, with the numbers in the formulas.
 *
 * The search reports through banyan_search_set_trace; this file turns the reports
 * into text.  A node is called by the actions that lead to it: "root", "root d3".
 */
#include "json/explain.h"
#include "cli/cli.h"
#include "cli/result.h"
#include "cli/searcher.h"
#include "cli/show.h"
#include "json/rollout.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXPLAIN_MAX_STEPS = 256,
    EXPLAIN_TEXT = 64,
    EXPLAIN_USES = 2,      /* by default stops after this many choices by the formula */
    EXPLAIN_BEGINNING = 3, /* iterations shown before the formula is used */
    EXPLAIN_JSON_SIMULATIONS = 10,
    EXPLAIN_MOST = 5000 /* most iterations until the formula is used */
};

/* A choice on the path from the root; of players who move at the same time, each has a step of the
 * same depth. */
struct explain_step {
    int depth, player;
    char action[EXPLAIN_TEXT];
};

struct explain {
    struct searcher searcher;
    int64_t iterations;
    int top;         /* rows shown per node */
    bool tree_only;  /* --quiet: no steps */
    bool json;       /* --json: all of it as one object */
    bool to_formula; /* no number was given: until the formula has chosen EXPLAIN_USES times */
    FILE *out;       /* where the present iteration is written */
    const struct explain_preset *preset;

    /* the present simulation */
    struct explain_step steps[EXPLAIN_MAX_STEPS];
    int step_count;
    bool formula_used;
    double value_sum[BANYAN_MAX_PLAYERS]; /* of all simulations */
    uint64_t value_count;
};

/* --- named examples --- */

struct explain_preset {
    const char *name, *game, *setup, *evaluator, *options, *help;
    int64_t iterations;
};

/* The first iterations of a well-known worked example: one player, values 0, 20 and 10 from the
 * first three simulations, unvisited children from left to right, a node made on its second visit.
 */
static const struct explain_preset explain_presets[] = {
    {"example", "tree", "(1 S1:(1 S3:[0] S4:[0]) S2:(1 S5:[0] S6:[0]))", "script:0 20 10",
     "rule=ucb1,exploration=1,raw-rewards,order=first,children-first,expand-visits=2",
     "the first four iterations of UCT by hand: one player, values 0, 20, 10", 4},
    {NULL, NULL, NULL, NULL, NULL, NULL, 0}};

static const struct explain_preset *explain_find_preset(const char *name)
{
    for (const struct explain_preset *p = explain_presets; p->name; ++p)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

/* --- arguments --- */

enum { EXPLAIN_ITERATIONS = 'i', EXPLAIN_TOP = 'k', EXPLAIN_QUIET = 'q', EXPLAIN_JSON = 'j' };

static const struct argp_option explain_options[] = {
    {"iterations", EXPLAIN_ITERATIONS, "N", 0,
     "Explain N simulations; default: until the formula has chosen between visited actions twice",
     0},
    {"top", EXPLAIN_TOP, "K", 0, "Show at most K actions of a node, and the chosen one; default 12",
     0},
    {"json", EXPLAIN_JSON, NULL, 0, "Print JSON (docs/json.md), of 10 simulations by default", 0},
    {"quiet", EXPLAIN_QUIET, NULL, 0,
     "Print one line of results after each simulation, and the tree", 0},
    {0}};

static void explain_game(struct explain *explain, const struct argp_state *state, const char *name)
{
    struct searcher *searcher = &explain->searcher;
    explain->preset = explain_find_preset(name);
    if (!explain->preset) {
        searcher->position.game = cli_game(state, name);
        return;
    }
    if (searcher->position.setup || strcmp(searcher->evaluator_text, "rollout") != 0)
        cli_usage(state,
                  "'%s' has a position and an evaluator: leave out --position and --evaluator",
                  name);
    searcher->position.game = cli_game(state, explain->preset->game);
    searcher->position.setup = explain->preset->setup;
    searcher->evaluator_text = explain->preset->evaluator;
    struct banyan_error err;
    if (banyan_options_parse(banyan_search_option_table(), &searcher->options,
                             explain->preset->options, &err) != BANYAN_OK)
        cli_usage(state, "%s", err.message);
}

static error_t explain_option(int key, char *arg, struct argp_state *state)
{
    struct explain *explain = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &explain->searcher;
        return 0;
    case EXPLAIN_ITERATIONS:
        explain->iterations = cli_integer(state, "--iterations", arg, 1, 1000000);
        return 0;
    case EXPLAIN_TOP:
        explain->top = (int)cli_integer(state, "--top", arg, 1, 100000);
        return 0;
    case EXPLAIN_JSON:
        explain->json = true;
        return 0;
    case EXPLAIN_QUIET:
        explain->tree_only = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            cli_too_many(state, arg);
        explain_game(explain, state, arg);
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 1)
            cli_usage(state, "needs a GAME, or 'example'; `banyan list` names the games");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* --- one event --- */

/* "root d3 c5": the node at depth. */
static void explain_node(const struct explain *explain, int depth, char *out, size_t size)
{
    size_t length = (size_t)snprintf(out, size, "root");
    for (int i = 0; i < explain->step_count && length < size; ++i) {
        const struct explain_step *step = &explain->steps[i];
        bool joined = i > 0 && explain->steps[i - 1].depth == step->depth;
        if (step->depth < depth)
            length += (size_t)snprintf(out + length, size - length, "%s%s", joined ? "|" : " ",
                                       step->action);
    }
}

static void explain_step(struct explain *explain, const struct banyan_search_trace *trace)
{
    if (explain->step_count == EXPLAIN_MAX_STEPS || trace->chosen < 0)
        return;
    struct explain_step *step = &explain->steps[explain->step_count++];
    step->depth = trace->depth;
    step->player = trace->player;
    show_action(explain->searcher.game, trace->state, trace->player,
                trace->rows[trace->chosen].action, step->action, sizeof step->action);
}

/* Writes the formula of UCB1 with its numbers, and after it what the solver or GRAVE adds to the
 * score. */
static void explain_ucb_score(const struct explain *explain, double n,
                              const struct banyan_search_move *row)
{
    double factor = explain_factor(explain->searcher.game, &explain->searcher.options);
    double term = n > 1 ? factor * sqrt(log(n) / (double)row->visits) : 0;
    double rest = row->score - row->mean - term;
    fprintf(explain->out, "%.4f + %.4f * sqrt(ln %.0f / %" PRIu64 ") = %.4f", row->mean, factor, n,
            row->visits, row->mean + term);
    if (fabs(rest) > 1e-6 * (1 + fabs(row->score)))
        fprintf(explain->out, " %+.4f = %.4f", rest, row->score);
}

/* PUCT compares rewards: means from 0 to 1. */
static void explain_puct_score(const struct explain *explain, const struct banyan_search_move *row)
{
    double low =
        explain->searcher.options.raw_rewards ? 0 : (double)explain->searcher.game->return_min;
    double reward =
        (row->mean - low) / explain_range(explain->searcher.game, &explain->searcher.options);
    fprintf(explain->out, "%.4f + %.4f = %.4f, n_j = %" PRIu64, reward, row->score - reward,
            row->score, row->visits);
}

/* The score of one row with its numbers put in. */
static void explain_score(const struct explain *explain, const struct banyan_search_trace *trace,
                          const struct banyan_search_move *row)
{
    if (row->visits == 0 || isnan(row->mean)) {
        fprintf(explain->out, "not visited");
        if (!isnan(row->score))
            fprintf(explain->out, ", score %.4f", row->score);
        return;
    }
    if (explain->searcher.options.rule == BANYAN_RULE_UCB1)
        explain_ucb_score(explain, trace->parent_visits, row);
    else if (explain->searcher.options.rule == BANYAN_RULE_PUCT)
        explain_puct_score(explain, row);
    else
        fprintf(explain->out, "mean %.4f, n_j = %" PRIu64 ", score %.4f", row->mean, row->visits,
                row->score);
    if (!isnan(row->prior))
        fprintf(explain->out, ", P = %.4f", (double)row->prior);
}

/* Writes the first `top` rows, in the order in which actions are tried, and always the chosen one. */
static void explain_rows(const struct explain *explain, const struct banyan_search_trace *trace)
{
    const struct banyan_game *game = explain->searcher.game;
    int hidden = 0;
    for (int i = 0; i < trace->count; ++i) {
        char text[EXPLAIN_TEXT];
        bool chosen = i == trace->chosen;
        if (i >= explain->top && !chosen) {
            ++hidden;
            continue;
        }
        show_action(game, trace->state, trace->player, trace->rows[i].action, text, sizeof text);
        fprintf(explain->out, "      %-8s ", text);
        explain_score(explain, trace, &trace->rows[i]);
        fprintf(explain->out, "%s\n", chosen ? "   <- chosen" : "");
    }
    if (hidden)
        fprintf(explain->out, "      ... %d more\n", hidden);
}

static void explain_textbook(const struct explain *explain, const struct banyan_search_trace *trace)
{
    char text[EXPLAIN_TEXT];
    int choice = explain_textbook_choice(explain->searcher.game, &explain->searcher.options, trace);
    if (choice < 0)
        return;
    show_action(explain->searcher.game, trace->state, trace->player, trace->rows[choice].action,
                text, sizeof text);
    const struct banyan_search_move *row = &trace->rows[choice];
    double factor = explain_textbook_factor(explain->searcher.game, &explain->searcher.options);
    fprintf(explain->out,
            "      with the textbook's C: %s, %.4f + %.4f * sqrt(ln %.0f / %" PRIu64 ") = %.4f%s\n",
            text, row->mean, factor, trace->parent_visits, row->visits,
            row->mean + factor * sqrt(log(trace->parent_visits) / (double)row->visits),
            choice == trace->chosen ? ": the same choice" : ": another choice");
}

static void explain_select(struct explain *explain, const struct banyan_search_trace *trace)
{
    char name[512];
    explain_node(explain, trace->depth, name, sizeof name);
    fprintf(explain->out, "  select    %s (n = %.0f), %s\n", name, trace->parent_visits,
            banyan_game_player_name(explain->searcher.game, trace->player));
    explain_rows(explain, trace);
    explain_textbook(explain, trace);
}

static void explain_expand(const struct explain *explain, const struct banyan_search_trace *trace)
{
    char name[512];
    explain_node(explain, trace->depth, name, sizeof name);
    fprintf(explain->out, "  expand    %s (n = %.0f), %s:", name, trace->parent_visits,
            banyan_game_player_name(explain->searcher.game, trace->player));
    for (int i = 0; i < trace->count; ++i) {
        char text[EXPLAIN_TEXT];
        if (i >= explain->top && i != trace->chosen)
            continue;
        fprintf(explain->out, " %s%s",
                show_action(explain->searcher.game, trace->state, trace->player,
                            trace->rows[i].action, text, sizeof text),
                i == trace->chosen      ? " <- new"
                : trace->rows[i].visits ? " (visited)"
                                        : "");
    }
    fprintf(explain->out, "%s\n", trace->count > explain->top ? " ..." : "");
}

static void explain_simulate(struct explain *explain, const struct banyan_search_trace *trace)
{
    char name[512];
    explain_node(explain, trace->depth, name, sizeof name);
    ++explain->value_count;
    for (int p = 0; p < explain->searcher.game->players; ++p)
        explain->value_sum[p] += trace->values[p];
    if (explain->tree_only)
        return;
    fprintf(explain->out, "  simulate  %s: result", name);
    for (int p = 0; p < explain->searcher.game->players; ++p)
        fprintf(explain->out, "%s %s %+g", p ? "," : "",
                banyan_game_player_name(explain->searcher.game, p), (double)trace->values[p] + 0.0);
    fputc('\n', explain->out);
}

/* The step of player at depth; NULL: none. */
static const struct explain_step *explain_find_step(const struct explain *explain, int depth,
                                                    int player)
{
    for (int i = 0; i < explain->step_count; ++i)
        if (explain->steps[i].depth == depth && explain->steps[i].player == player)
            return &explain->steps[i];
    return NULL;
}

static void explain_backup(const struct explain *explain, const struct banyan_search_trace *trace)
{
    char name[512];
    const struct explain_step *step = explain_find_step(explain, trace->depth, trace->player);
    if (trace->chosen < 0 || !step)
        return;
    const struct banyan_search_move *row = &trace->rows[trace->chosen];
    explain_node(explain, trace->depth, name, sizeof name);
    fprintf(explain->out, "  backup    %s %s: n = %" PRIu64 ", mean = %.4f\n", name, step->action,
            row->visits, row->mean);
}

static void explain_event(void *ctx, const struct banyan_search_trace *trace)
{
    struct explain *explain = ctx;
    switch (trace->event) {
    case BANYAN_TRACE_SELECT:
    case BANYAN_TRACE_EXPAND:
        explain->formula_used |= trace->event == BANYAN_TRACE_SELECT;
        if (!explain->tree_only && trace->event == BANYAN_TRACE_SELECT)
            explain_select(explain, trace);
        else if (!explain->tree_only)
            explain_expand(explain, trace);
        explain_step(explain, trace);
        break;
    case BANYAN_TRACE_SIMULATE:
        explain_simulate(explain, trace);
        break;
    case BANYAN_TRACE_BACKUP:
        if (!explain->tree_only)
            explain_backup(explain, trace);
        break;
    }
}

/* --- the command --- */

/* "after 3: root n = 3, mean 10 | S1 1, 20 | S2 1, 10": the root as it is now. */
static void explain_after(const struct explain *explain, uint64_t iteration)
{
    const struct searcher *s = &explain->searcher;
    unsigned movers = s->game->movers(s->game, s->state);
    for (int p = 0; p < s->game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        struct result_row_list list = result_rows(s->game, s->search, p);
        int tried = 0;
        fprintf(explain->out, "  after %" PRIu64 ":  root n = %" PRIu64 ", mean %g", iteration,
                explain->value_count, explain->value_sum[p] / (double)explain->value_count);
        if (movers & (movers - 1))
            fprintf(explain->out, ", %s", banyan_game_player_name(s->game, p));
        for (int i = 0; i < list.count && i < explain->top; ++i) {
            char text[EXPLAIN_TEXT];
            const struct banyan_search_move *row = &list.rows[i];
            show_action(s->game, s->state, p, row->action, text, sizeof text);
            if (row->visits)
                fprintf(explain->out, " | %s: n = %" PRIu64 ", mean %g", text, row->visits,
                        row->mean);
            tried += row->visits > 0;
        }
        if (tried < list.count && list.count <= explain->top)
            fprintf(explain->out, " | %d not tried yet", list.count - tried);
        fprintf(explain->out, "%s\n", list.count > explain->top ? " | ..." : "");
        free(list.rows);
    }
}

/* --- the iterations --- */

/* Writes the moves of the random game, if the states show which moves were played. */
static void explain_rollout(const struct explain *explain, const struct banyan_leaf *leaf,
                            struct banyan_rng before)
{
    json_t *moves = rollout_json(leaf, before, false), *move;
    size_t i;
    if (json_is_array(moves))
        fprintf(explain->out, "  play on   at random:");
    json_array_foreach(moves, i, move)
    {
        int player = (int)json_integer_value(json_object_get(move, "player"));
        fprintf(explain->out, " %s %s", banyan_game_player_name(leaf->game, player),
                json_string_value(json_object_get(move, "action")));
    }
    if (json_is_array(moves))
        fprintf(explain->out, "%s\n", json_array_size(moves) == ROLLOUT_MOVES ? " ..." : "");
    json_decref(moves);
}

static enum banyan_status explain_one(struct explain *explain, int64_t iteration,
                                      struct banyan_error *err)
{
    struct searcher *s = &explain->searcher;
    struct banyan_leaf leaf;
    explain->step_count = 0;
    explain->formula_used = false;
    if (!explain->tree_only)
        fprintf(explain->out, "iteration %" PRId64 "\n", iteration);
    if (banyan_search_select(s->search, &leaf, 1) == 1) {
        struct banyan_rng before = *leaf.rng;
        enum banyan_status status = s->evaluator.evaluate(s->evaluator.ctx, &leaf, 1, err);
        if (status != BANYAN_OK)
            return status;
        if (iteration == 1 && !explain->tree_only && strcmp(s->evaluator_text, "rollout") == 0)
            explain_rollout(explain, &leaf, before);
        banyan_search_update(s->search, &leaf, 1);
    }
    explain_after(explain, (uint64_t)iteration);
    return BANYAN_OK;
}

/* Writes every iteration. */
static enum banyan_status explain_iterate(struct explain *explain, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    explain->out = stdout;
    for (int64_t i = 1; i <= explain->iterations && status == BANYAN_OK; ++i)
        status = explain_one(explain, i, err);
    return status;
}

/* Writes the first iterations and those in which the formula chooses; the ones between only try every action
 * once. */
static enum banyan_status explain_to_formula(struct explain *explain, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    int64_t left_out = 0;
    for (int64_t i = 1, uses = 0; uses < EXPLAIN_USES && i <= EXPLAIN_MOST && status == BANYAN_OK;
         ++i) {
        char *text = NULL;
        size_t size;
        explain->out = open_memstream(&text, &size);
        if (!explain->out)
            return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the text of an iteration");
        status = explain_one(explain, i, err);
        fclose(explain->out);
        uses += explain->formula_used;
        bool shown = i <= EXPLAIN_BEGINNING || explain->formula_used;
        if (shown && left_out)
            printf("iterations %" PRId64 " to %" PRId64 " try every other action once (-i %" PRId64
                   " shows them)\n",
                   i - left_out, i - 1, i);
        left_out = shown ? 0 : left_out + 1;
        if (shown)
            fputs(text, stdout);
        free(text);
    }
    return status;
}

/* Prints what the numbers below mean. */
static void explain_legend(const struct explain *explain)
{
    const struct searcher *s = &explain->searcher;
    const char *ties = s->options.order == BANYAN_ORDER_FIRST ? "the first action" : "random order";
    printf("n: number of simulations that passed a position; n_j: of those that took one of its "
           "actions\n"
           "mean: average of their results for the side that chooses, from %g to %g\n",
           (double)s->game->return_min, (double)s->game->return_max);
    if (s->options.rule == BANYAN_RULE_UCB1)
        printf("score = mean + C * sqrt(ln n / n_j), C = %.4f; ties: %s\n"
               "the textbook's UCB1 (Auer et al. 2002) has C = %.4f, which is exploration=%.4f; "
               "ours is %g\n",
               explain_factor(explain->searcher.game, &explain->searcher.options), ties,
               explain_textbook_factor(explain->searcher.game, &explain->searcher.options),
               sqrt(0.5), s->options.exploration);
    if (s->options.rule == BANYAN_RULE_PUCT)
        printf("score = reward + c * P * sqrt(n) / (1 + n_j): reward is the mean scaled to the "
               "range 0..1, P is the prior, c = %g (cpuct)\n",
               s->options.cpuct);
    putchar('\n');
}

/* Prints the simulations as one JSON object. */
static enum banyan_status explain_run_json(struct explain *explain, struct banyan_error *err)
{
    struct searcher *s = &explain->searcher;
    const struct explain_source source = {.game = s->game,
                                          .search = s->search,
                                          .evaluator = &s->evaluator,
                                          .options = &s->options,
                                          .state = s->state,
                                          .top = explain->top,
                                          .plays_rollouts =
                                              strcmp(s->evaluator_text, "rollout") == 0};
    json_t *out;
    int64_t n = explain->to_formula ? EXPLAIN_JSON_SIMULATIONS : explain->iterations;
    enum banyan_status status = explain_json(&source, n, &out, err);
    if (status == BANYAN_OK)
        show_json(out);
    return status;
}

static enum banyan_status explain_run(struct explain *explain, struct banyan_error *err)
{
    static const struct banyan_search_tree_view view = {
        .format = BANYAN_TREE_TEXT, .min_visits = 1, .max_children = 0, .depth = 0};
    struct searcher *s = &explain->searcher;
    printf("%s\n", s->game->title);
    show_board(s->game, s->state, searcher_eyes(s), stdout);
    explain_legend(explain);
    explain->value_count = explain_before(s->game, s->search, s->state, explain->value_sum);
    banyan_search_set_trace(s->search, explain_event, explain);
    enum banyan_status status =
        explain->to_formula ? explain_to_formula(explain, err) : explain_iterate(explain, err);
    if (status != BANYAN_OK)
        return status;
    printf("\nthe tree\n");
    return banyan_search_write_tree(s->search, &view, show_write, stdout, err);
}

int cli_explain(int argc, char **argv)
{
    struct explain explain = {.iterations = 0, .top = 12};
    struct searcher *searcher = &explain.searcher;
    struct banyan_error err;
    searcher_init(searcher, 10);
    const struct argp_child children[] = {{&searcher->argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        explain_options,
        explain_option,
        "GAME|example",
        "Explains every simulation of a search: selection with the scores of the rule, expansion, "
        "the "
        "value of the leaf, backup, and at the end the tree.\v"
        "`banyan explain example` prints four iterations of UCT that can be followed by hand: one "
        "player, leaf values 0, 20 and 10, the first child first, a node made on its second visit.",
        children,
        NULL,
        NULL};
    cli_parse(&argp, argc, argv, &explain);
    if (explain.iterations == 0)
        explain.iterations = searcher->limits.simulations > 0 ? searcher->limits.simulations
                             : explain.preset                 ? explain.preset->iterations
                                                              : 0;
    explain.to_formula = explain.iterations == 0;
    searcher->options.batch = 1;
    searcher->options.threads = 1;
    searcher->options.ensemble = 1;
    if (searcher_open(searcher, &err) != BANYAN_OK) {
        searcher_close(searcher);
        return cli_fail(argv[0], CLI_USAGE, &err);
    }
    enum banyan_status status =
        explain.json ? explain_run_json(&explain, &err) : explain_run(&explain, &err);
    int code = status == BANYAN_OK ? CLI_OK : cli_fail(argv[0], CLI_FAILURE, &err);
    searcher_close(searcher);
    return code;
}
