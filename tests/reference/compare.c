/* Runs a comparison: both searches get the same calls and the same leaf values. */
#include "reference/compare.h"

#include "base/movers.h"
#include "base/rng.h"
#include "reference/pair.h"

#include <stdio.h>
#include <stdlib.h>

/* --- what the kernel chose --- */

static void hear(void *ctx, const struct banyan_search_trace *trace)
{
    struct told *told = ctx;
    if (trace->event > BANYAN_TRACE_EXPAND)
        return;
    if (told->count == told->size) {
        told->size = told->size ? 2 * told->size : 256;
        told->choices = realloc(told->choices, (size_t)told->size * sizeof *told->choices);
    }
    told->choices[told->count++] =
        (struct plain_told){.player = trace->player, .action = trace->rows[trace->chosen].action};
}

static void tell(struct pair *pair, int i)
{
    pair->plains[i]->told = pair->told[i].choices;
    pair->plains[i]->told_count = pair->told[i].count;
    pair->plains[i]->told_next = 0;
}

/* Chooses the i-th tree of an ensemble as the one to compare. */
static void look_at(struct pair *pair, int i)
{
    pair->kernel = i ? pair->whole->parallel.members[i - 1] : pair->whole;
    pair->plain = pair->plains[i];
}

/* Adds to the message what the reference knows, edge by edge, of the node at which both searches
 * chose differently. */
static void describe_node(const struct pair *pair, const struct plain_node *node)
{
    char *text = pair->comparison->message;
    size_t at = strlen(text), size = sizeof pair->comparison->message;
    for (int i = 0; i < node->count && at < size; ++i) {
        const struct plain_edge *edge = node->edges[i];
        struct plain_bounds bounds = plain_edge_bounds(edge);
        at += (size_t)snprintf(
            text + at, size - at,
            "\n  %s %llu: %llu visits, %llu in flight, sum %.9g, prior %.9g, bounds %g..%g",
            edge->tried ? "action" : "untried", (unsigned long long)edge->action,
            (unsigned long long)plain_edge_visits(edge), (unsigned long long)edge->in_flight,
            plain_edge_sum(edge), (double)edge->prior, (double)bounds.lo, (double)bounds.hi);
    }
}

static void compare_choices(struct pair *pair)
{
    const struct plain_node *node = pair->plain->disputed;
    if (!node || !pair->same)
        return;
    compare_differ(pair, "a choice", (double)pair->plain->kernel_choice,
                   (double)pair->plain->own_choice);
    describe_node(pair, node);
}

/* --- a full tree --- */

/* The pair whose kernel may compact its tree in this simulation; the wrapper below has no other
 * way to get it. */
static struct pair *watched;

/* Wraps the rules of the game: a simulation begins with a call of them, and at that moment the
 * wrapper sees which nodes a compaction has removed. */
static unsigned watch_movers(const struct banyan_game *game, const void *state)
{
    struct pair *pair = watched;
    if (pair && pair->kernel->tree.compactions != pair->compactions) {
        pair->compactions = pair->kernel->tree.compactions;
        compare_forget(pair);
    }
    return random_game_movers(game, state);
}

/* --- ask and tell --- */

static void swap_leaves(struct banyan_leaf *a, struct banyan_leaf *b)
{
    struct banyan_leaf leaf = *a;
    *a = *b;
    *b = leaf;
}

/* Gives values to the waiting leaves, in any order, and perhaps not to all of them. */
static int give_back(struct pair *pair, struct banyan_leaf *kernel, struct banyan_leaf *plain,
                     int n, bool all)
{
    for (int i = n; i > 1; --i) {
        uint32_t j = rng_below(&pair->rng, (uint32_t)i);
        swap_leaves(&kernel[i - 1], &kernel[j]);
        swap_leaves(&plain[i - 1], &plain[j]);
    }
    int back = all ? n : (int)rng_below(&pair->rng, (uint32_t)n + 1);
    banyan_search_update(pair->kernel, kernel + n - back, back);
    plain_update(pair->plain, plain + n - back, back);
    return n - back;
}

/* Runs `wanted` more simulations in both searches; *out: the number of leaves that wait for
 * values. */
static void ask(struct pair *pair, struct banyan_leaf *kernel, struct banyan_leaf *plain, int *out,
                int wanted)
{
    struct banyan_evaluator *evaluator = pair->kernel->evaluator;
    pair->told[0].count = 0;
    pair->compactions = pair->kernel->tree.compactions;
    watched = pair->drawing->fills ? pair : NULL;
    int found = banyan_search_select(pair->kernel, kernel + *out, wanted);
    watched = NULL;
    pair->plain->full = pair->kernel->root.is_full;
    tell(pair, 0);
    int same = plain_select(pair->plain, plain + *out, wanted);
    compare_choices(pair);
    compare_expect(pair, "leaves found", found, same);
    for (int i = *out; i < *out + found && pair->same; ++i)
        compare_expect(pair, "a leaf's state", 0,
                       memcmp(kernel[i].state, plain[i].state, sizeof pair->state) != 0);
    if (!pair->same)
        return;
    evaluator->evaluate(evaluator->ctx, kernel + *out, found, NULL);
    evaluator->evaluate(evaluator->ctx, plain + *out, found, NULL);
    *out += found;
}

static void ask_and_tell(struct pair *pair)
{
    const struct drawing *drawing = pair->drawing;
    struct banyan_leaf kernel[PAIR_BATCH], plain[PAIR_BATCH];
    int out = 0, batch = drawing->options.batch;
    for (int done = 0; done < pair->simulations && pair->same;) {
        int wanted = batch == 1 ? 1 : 1 + (int)rng_below(&pair->rng, (uint32_t)batch);
        ask(pair, kernel, plain, &out, wanted);
        done += wanted;
        if (!pair->same)
            return;
        bool all = batch == 1 || (done >= pair->simulations && !drawing->leaves_out);
        out = give_back(pair, kernel, plain, out, all);
        if (done < 20)
            compare_trees(pair);
    }
    compare_trees(pair);
}

/* --- a whole run --- */

/* Whether the kernel has proven other bounds for the root's actions than these rows have. */
static bool has_proven_more(const struct pair *pair, const struct banyan_search_move *rows,
                            int count)
{
    struct banyan_search_move now[PLAIN_ACTIONS];
    int later = plain_root_moves(pair->plains, 1, pair->kernel->root.viewer, now);
    for (int i = 0; i < later; ++i)
        for (int j = 0; j < count; ++j)
            if (now[i].action == rows[j].action &&
                (now[i].lo > rows[j].lo || now[i].hi < rows[j].hi))
                return true;
    return false;
}

/* A run that ended early chose the action that it would have chosen at the end, unless the
 * solver proves something in between, which an early end cannot foresee. */
static void compare_early(struct pair *pair, uint64_t done)
{
    const struct drawing *drawing = pair->drawing;
    struct banyan_search_move row, rows[PLAIN_ACTIONS];
    bool drawn = drawing->options.final == BANYAN_FINAL_SAMPLE ||
                 drawing->options.final == BANYAN_FINAL_AVERAGE;
    bool proven = pair->whole->solver && search_proven(&pair->whole->root.bounds);
    int player = pair->kernel->root.viewer;
    if (drawn || (int64_t)done >= pair->simulations || proven)
        return; /* of several proven actions of equal value any may be chosen */
    banyan_search_choose(pair->whole, player, &row, NULL);
    int count = plain_root_moves(pair->plains, 1, player, rows);
    pair->plain->told = NULL;
    pair->plain->told_count = 0;
    plain_simulate(pair->plain, pair->simulations, pair->simulations);
    if (!has_proven_more(pair, rows, count))
        compare_expect(pair, "the choice of a run that ended early", (double)row.action,
                       (double)plain_choose(pair->plains, 1, player));
}

/* Calls the drawing's evaluator, but ends the run at the leaf at which the drawing says so. */
static enum banyan_status evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                   struct banyan_error *err)
{
    struct pair *pair = ctx;
    const struct draw_evaluator *drawn = &pair->drawing->evaluator;
    if (pair->ends_in > 0 && (pair->ends_in -= n) <= 0) {
        if (pair->drawing->fails)
            return banyan_fail(err, BANYAN_IO, "the end");
        banyan_flag_set(&pair->stop);
    }
    return drawn->evaluator.evaluate((void *)drawn, leaves, n, err);
}

static void own_priors(void *ctx, const void *state, int player, const banyan_action *actions,
                       int n, float *out)
{
    const struct pair *pair = ctx;
    const struct banyan_evaluator *drawn = &pair->drawing->evaluator.evaluator;
    drawn->priors(drawn->ctx, state, player, actions, n, out);
}

static void begin_run(struct pair *pair)
{
    pair->ends_in = pair->drawing->ends_at;
    banyan_flag_clear(&pair->stop);
}

static void run(struct pair *pair)
{
    const struct drawing *drawing = pair->drawing;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = pair->simulations,
                                          .time_ms = drawing->has_time ? 1e9 : 0,
                                          .stop = &pair->stop,
                                          .early = drawing->early};
    struct banyan_error err = {.message = ""};
    for (int i = 0; i < pair->searches; ++i)
        pair->told[i].count = 0;
    begin_run(pair);
    enum banyan_status status = banyan_search_run(pair->whole, &limits, &err), same = BANYAN_OK;
    for (int i = 0; i < pair->searches; ++i)
        tell(pair, i);
    begin_run(pair);
    uint64_t done = pair->whole->simulations;
    if (drawing->early) {
        plain_plan(pair->plain, pair->simulations, drawing->explores);
        plain_simulate(pair->plain, pair->simulations, (int64_t)done);
    } else {
        same = plain_run(pair->plains, pair->searches, pair->simulations);
    }
    pair->ends_in = 0;
    compare_expect(pair, "the status of a run", status, same);
    if (status == BANYAN_IO)
        compare_expect(pair, "the evaluator's own error", 0, strcmp(err.message, "the end"));
    for (int i = 0; i < pair->searches && pair->same; ++i) {
        look_at(pair, i);
        compare_choices(pair);
        if (pair->same)
            compare_trees(pair);
    }
    look_at(pair, 0);
}

static void simulate(struct pair *pair)
{
    const struct drawing *drawing = pair->drawing;
    if (drawing->planned || !drawing->explores) {
        int64_t planned = drawing->planned ? pair->simulations : 0;
        for (int i = 0; i < pair->searches; ++i) {
            look_at(pair, i);
            banyan_search_plan(pair->kernel, planned, drawing->explores);
            plain_plan(pair->plain, planned, drawing->explores);
        }
        look_at(pair, 0);
    }
    if (drawing->by_run)
        run(pair);
    else
        ask_and_tell(pair);
    pair->comparison->simulations += (uint64_t)pair->simulations;
}

/* --- what is read at the root --- */

static void compare_rows(struct pair *pair, int player)
{
    struct banyan_search_move kernel[64], plain[64];
    int count = banyan_search_root_moves(pair->whole, player, kernel, 64);
    compare_expect(pair, "root actions", count,
                   plain_root_moves(pair->plains, pair->searches, player, plain));
    for (int i = 0; i < count && pair->same; ++i) {
        compare_expect(pair, "a row's action", (double)kernel[i].action, (double)plain[i].action);
        compare_expect(pair, "a row's visits", (double)kernel[i].visits, (double)plain[i].visits);
        if (pair->searches == 1)
            compare_expect_near(pair, "a row's prior", (double)kernel[i].prior,
                                (double)plain[i].prior);
        compare_expect_near(pair, "a row's mean", kernel[i].mean, plain[i].mean);
        compare_expect(pair, "a row's lower bound", (double)kernel[i].lo, (double)plain[i].lo);
        compare_expect(pair, "a row's upper bound", (double)kernel[i].hi, (double)plain[i].hi);
    }
}

static void compare_values(struct pair *pair)
{
    float kernel[BANYAN_MAX_PLAYERS], plain[BANYAN_MAX_PLAYERS];
    banyan_search_root_values(pair->whole, kernel);
    plain_root_values(pair->plains, pair->searches, plain);
    for (int p = 0; p < pair->drawing->game.players; ++p)
        compare_expect_near(pair, "the root's value", (double)kernel[p], (double)plain[p]);
}

static void compare_choice(struct pair *pair, int player)
{
    struct banyan_search_move row;
    if (banyan_search_choose(pair->whole, player, &row, NULL) != BANYAN_OK) {
        compare_expect(pair, "no simulation has been made from this root", 0,
                       (double)pair->plain->simulated);
        return; /* all simulations wait for leaf values */
    }
    struct plain_told told = {.player = player, .action = row.action};
    pair->plain->told = &told;
    pair->plain->told_count = 1;
    pair->plain->told_next = 0;
    compare_expect(pair, "the final choice", (double)row.action,
                   (double)plain_choose(pair->plains, pair->searches, player));
    pair->plain->told = NULL;
    pair->plain->told_count = 0;
}

static void compare_root(struct pair *pair)
{
    const struct banyan_game *game = &pair->drawing->game;
    compare_values(pair);
    compare_statistics(pair);
    for (int p = 0; p < game->players && pair->same; ++p) {
        if (!(game->movers(game, &pair->state) >> p & 1))
            continue;
        compare_rows(pair, p);
        compare_average(pair, p);
        compare_choice(pair, p);
    }
    int first = pair->kernel->trees > 1 ? pair->kernel->root.viewer
                                        : movers_first(game->movers(game, &pair->state));
    compare_variation(pair, first);
    if (!pair->drawing->fills && pair->drawing->seed % 4 == 0 && pair->same) {
        compare_lines(pair);
        compare_pictures(pair);
        compare_drawn(pair);
    }
    if (pair->same)
        compare_decided(pair);
    if (pair->drawing->early && pair->same)
        compare_early(pair, pair->whole->simulations);
}

/* --- limits of the root --- */

/* Draws a limit for one player. */
static struct plain_limit draw_limit(struct pair *pair, int player)
{
    const struct banyan_game *game = &pair->drawing->game;
    banyan_action legal[RANDOM_GAME_LEGAL];
    struct banyan_rng rng;
    banyan_rng_seed(&rng, banyan_rng_child(pair->drawing->seed, "limit", (uint64_t)player));
    int count = game->legal(game, &pair->state, player, legal);
    struct plain_limit limit = {.avoids = count > 1 && rng_below(&rng, 2)};
    for (int i = 0; i < count; ++i)
        if (limit.count < count - limit.avoids && rng_below(&rng, 2))
            limit.actions[limit.count++] = legal[i];
    return limit;
}

/* Lets players choose some of their actions only, before the first simulation. */
static void restrict_root(struct pair *pair)
{
    const struct banyan_game *game = &pair->drawing->game;
    unsigned movers = game->movers(game, &pair->state);
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        struct plain_limit limit = draw_limit(pair, p);
        compare_expect(pair, "the status of a limit", BANYAN_OK,
                       (limit.avoids ? banyan_search_avoid : banyan_search_allow)(
                           pair->whole, p, limit.actions, limit.count, NULL));
        for (int i = 0; i < pair->searches; ++i)
            pair->plains[i]->limits[p] = limit;
    }
}

/* --- from root to root --- */

/* Adds a random line of an opening book. */
static void add_line(struct pair *pair)
{
    const struct banyan_game *game = &pair->drawing->game;
    banyan_action line[16], actions[RANDOM_GAME_LEGAL], joint[BANYAN_MAX_PLAYERS];
    struct random_game_state state = pair->state;
    float values[BANYAN_MAX_PLAYERS];
    int length = 0, most = 1 + (int)rng_below(&pair->rng, 4);
    for (unsigned movers; length < most && (movers = game->movers(game, &state)) != 0; ++length) {
        int mover = movers & 1 ? 0 : 1, count = game->legal(game, &state, mover, actions);
        line[length] = joint[mover] = actions[rng_below(&pair->rng, (uint32_t)count)];
        game->apply(game, &state, joint, NULL);
    }
    random_game_values(&pair->drawing->rules, banyan_rng_next(&pair->rng), values);
    uint32_t visits = rng_below(&pair->rng, 3) ? rng_below(&pair->rng, 30) : 0;
    for (int i = 0; i < pair->searches; ++i)
        plain_add_line(pair->plains[i], line, length, visits, (double)values[0]);
    struct banyan_error err;
    if (banyan_search_add_line(pair->whole, line, length, visits, (double)values[0], &err) !=
        BANYAN_OK)
        compare_differ(pair, err.message, 0, 0);
}

static void read_book(struct pair *pair)
{
    for (int i = 0; i < pair->drawing->lines; ++i)
        add_line(pair);
    for (int i = 0; i < pair->searches && pair->same && pair->drawing->lines; ++i) {
        look_at(pair, i);
        compare_trees(pair);
    }
    look_at(pair, 0);
    if (pair->drawing->lines && pair->same)
        compare_values(pair);
}

static bool next_move(struct pair *pair)
{
    const struct banyan_game *game = &pair->drawing->game;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0}, actions[RANDOM_GAME_LEGAL];
    struct banyan_dice dice;
    unsigned movers = game->movers(game, &pair->state);
    banyan_dice_drawn(&dice, &pair->rng);
    for (int p = 0; p < game->players; ++p)
        if (movers >> p & 1)
            joint[p] = actions[rng_below(&pair->rng,
                                         (uint32_t)game->legal(game, &pair->state, p, actions))];
    game->apply(game, &pair->state, joint, &dice);
    if (!game->movers(game, &pair->state))
        return false;
    bool kernel = banyan_search_advance(pair->whole, joint, &pair->state);
    bool plain = false;
    for (int i = 0; i < pair->searches; ++i) {
        plain |= plain_advance(pair->plains[i], joint, &pair->state);
        look_at(pair, i);
        if (pair->drawing->fills)
            compare_forget(pair);
    }
    look_at(pair, 0);
    compare_expect(pair, "a tree was kept", kernel, plain);
    compare_values(pair);
    return pair->same;
}

static enum banyan_status open_pair(struct pair *pair)
{
    const struct drawing *drawing = pair->drawing;
    struct banyan_search_options own = drawing->options;
    struct banyan_search_options same;
    struct banyan_error err;
    enum banyan_status status = BANYAN_INVALID;
    if (options_by_text(&own, &same, &err))
        status = banyan_search_create(&pair->whole, &pair->game, &same, &pair->evaluator, &err);
    if (status != BANYAN_OK) {
        compare_differ(pair, err.message, 0, 0);
        return status;
    }
    banyan_search_set_root(pair->whole, &pair->state, drawing->viewer, NULL);
    pair->searches = own.ensemble;
    for (int i = 0; i < pair->searches; ++i) {
        if (i)
            own.seed = banyan_rng_child(drawing->options.seed, "ensemble", (uint64_t)i);
        pair->plains[i] = plain_create(&drawing->game, &own, &pair->evaluator);
        pair->plains[i]->stop = &pair->stop;
        plain_set_root(pair->plains[i], &pair->state, drawing->viewer);
        look_at(pair, i);
        banyan_search_set_trace(pair->kernel, hear, &pair->told[i]);
    }
    look_at(pair, 0);
    return status;
}

static void close_pair(struct pair *pair)
{
    for (int i = 0; i < pair->searches; ++i) {
        pair->comparison->choices += pair->plains[i]->choices;
        pair->comparison->ties += pair->plains[i]->ties;
        plain_destroy(pair->plains[i]);
        free(pair->told[i].choices);
    }
    banyan_search_destroy(pair->whole);
}

bool compare_drawing(const struct drawing *drawing, struct comparison *comparison)
{
    struct pair pair = {.drawing = drawing,
                        .comparison = comparison,
                        .game = drawing->game,
                        .state = drawing->start,
                        .same = true};
    pair.evaluator = drawing->evaluator.evaluator;
    pair.evaluator.ctx = &pair;
    pair.evaluator.evaluate = evaluate;
    pair.evaluator.priors = pair.evaluator.priors ? own_priors : NULL;
    pair.game.movers = watch_movers;
    banyan_rng_seed(&pair.rng, banyan_rng_child(drawing->seed, "comparison", 0));
    banyan_rng_seed(&pair.imagined, drawing->seed);
    if (open_pair(&pair) != BANYAN_OK)
        return false;
    read_book(&pair);
    if (drawing->limited)
        restrict_root(&pair);
    if (drawing->seed % 4 == 1)
        compare_exact(&pair);
    if (drawing->seed % 4 == 2) {
        compare_evaluator(&pair);
        compare_endless(&pair);
    }
    if (drawing->seed % 4 == 3)
        compare_walk(&pair);
    if (drawing->seed % 8 == 6 && !drawing->fills)
        compare_twin(&pair);
    if (drawing->seed % 16 == 5)
        compare_refusals(&pair);
    for (int move = 0; move <= drawing->moves && pair.same; ++move) {
        if (move && !next_move(&pair))
            break;
        pair.simulations = move ? drawing->later : drawing->simulations;
        simulate(&pair);
        if (pair.same)
            compare_root(&pair);
        if (drawing->early)
            break;
    }
    close_pair(&pair);
    return pair.same;
}
