/* The search of the library beside the reference. */
#include "reference/compare.h"

#include "base/rng.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>

enum { BATCH_MAX = 16, TOLD_MAX = 4096 };

struct pair {
    const struct drawing *drawing;
    struct comparison *comparison;
    struct banyan_search *kernel;
    struct plain *plain;
    struct banyan_rng rng; /* of what is asked of both */
    struct random_game_state state;
    struct plain_told told[TOLD_MAX];
    int told_count;
    bool same;
};

/* Notes the first difference. */
static void differ(struct pair *pair, const char *what, double kernel, double plain)
{
    if (!pair->same)
        return;
    pair->same = false;
    snprintf(pair->comparison->message, sizeof pair->comparison->message,
             "%s: kernel %.12g, reference %.12g", what, kernel, plain);
}

static void expect(struct pair *pair, const char *what, double kernel, double plain)
{
    if (kernel != plain && !(isnan(kernel) && isnan(plain)))
        differ(pair, what, kernel, plain);
}

/* Sums of the same numbers, perhaps in another order. */
static void expect_near(struct pair *pair, const char *what, double kernel, double plain)
{
    if (!(fabs(kernel - plain) <= 1e-9 * (1 + fabs(plain))) && !(isnan(kernel) && isnan(plain)))
        differ(pair, what, kernel, plain);
}

/* --- the trees --- */

static void compare_node(struct pair *pair, uint32_t ref, const struct plain_node *node);

static void compare_outcomes(struct pair *pair, uint32_t ref, const struct plain_edge *edge,
                             int *count)
{
    if (!ref)
        return;
    const struct tree *tree = &pair->kernel->tree;
    const struct tree_outcome *kernel = tree_outcome(tree, ref);
    const struct plain_outcome *plain = edge->outcomes;
    while (plain && plain->key != kernel->key)
        plain = plain->next;
    expect(pair, "an outcome is there", 1, plain != NULL);
    if (!plain)
        return;
    ++*count;
    expect(pair, "an outcome's visits", kernel->visits, (double)plain->arrivals);
    expect(pair, "an outcome has a node", kernel->node != 0, plain->node != NULL);
    if (pair->same && kernel->node)
        compare_node(pair, kernel->node, plain->node);
    compare_outcomes(pair, kernel->left, edge, count);
    compare_outcomes(pair, kernel->right, edge, count);
}

/* What hangs below an edge. */
static void compare_child(struct pair *pair, uint32_t child, const struct plain_edge *edge)
{
    int kernel = 0, plain = 0;
    if (pair->kernel->tree.layout.keyed) {
        compare_outcomes(pair, child, edge, &kernel);
        for (const struct plain_outcome *o = edge->outcomes; o; o = o->next)
            ++plain;
        expect(pair, "an edge's outcomes", kernel, plain);
        return;
    }
    const struct plain_node *node = edge->outcomes ? edge->outcomes->node : NULL;
    expect(pair, "an edge has a node", child != 0, node != NULL);
    if (pair->same && child)
        compare_node(pair, child, node);
}

static void compare_edge(struct pair *pair, const struct tree_node *kernel, int index,
                         const struct plain_edge *edge)
{
    struct banyan_search *search = pair->kernel;
    const struct tree_layout *layout = &search->tree.layout;
    const struct tree_edge *own = &tree_edges(&search->tree, kernel)[index];
    expect(pair, "an edge's visits", own->visits, (double)plain_edge_visits(edge));
    expect_near(pair, "an edge's sum", own->sum, plain_edge_sum(edge));
    if (layout->in_flight)
        expect(pair, "an edge's visits in flight",
               ((uint32_t *)tree_column(&search->tree, kernel, layout->in_flight))[index],
               (double)edge->in_flight);
    if (layout->bounds && !search->waiting) {
        struct tree_bounds *bounds = search_edge_bounds(search, (struct tree_node *)kernel, index);
        struct plain_bounds plain = plain_edge_bounds(edge);
        expect(pair, "an edge's lower bound", (double)bounds->lo, (double)plain.lo);
        expect(pair, "an edge's upper bound", (double)bounds->hi, (double)plain.hi);
    }
    for (int p = 0; layout->vector && p < layout->players; ++p) {
        double sum = 0;
        for (const struct plain_result *i = edge->back.first; i; i = i->next)
            sum += (double)i->values[p];
        const double *vector = tree_column(&search->tree, kernel, layout->vector);
        expect_near(pair, "an edge's sum by player", vector[index * layout->players + p], sum);
    }
    compare_child(pair, own->child, edge);
}

static const struct plain_edge *find_edge(const struct plain_node *node, banyan_action action)
{
    for (int i = 0; i < node->count; ++i)
        if (node->edges[i]->action == action)
            return node->edges[i];
    return NULL;
}

static void compare_regrets(struct pair *pair, const struct tree_node *kernel,
                            const struct plain_node *node)
{
    const struct tree *tree = &pair->kernel->tree;
    double regrets[64], average[64], total = 0;
    const double *regret = tree_column(tree, kernel, tree->layout.regret);
    const double *strategy = tree_column(tree, kernel, tree->layout.strategy);
    plain_regrets(node, regrets);
    plain_average_strategy(node, average);
    for (int i = 0; i < kernel->tried; ++i)
        total += strategy[i];
    for (int i = 0; i < kernel->tried && pair->same; ++i) {
        const struct plain_edge *edge = find_edge(node, tree_action(tree, kernel, i));
        expect_near(pair, "an edge's regret", regret[i], regrets[edge->id]);
        expect_near(pair, "an edge's average strategy",
                    total > 0 ? strategy[i] / total : 1.0 / kernel->count, average[edge->id]);
    }
}

static void compare_node(struct pair *pair, uint32_t ref, const struct plain_node *node)
{
    const struct tree *tree = &pair->kernel->tree;
    const struct tree_node *kernel = tree_node(tree, ref);
    int tried = 0;
    for (int i = 0; i < node->count; ++i)
        tried += node->edges[i]->tried;
    ++pair->comparison->nodes;
    expect(pair, "a node's mover", kernel->mover, node->mover);
    expect(pair, "a node's actions", kernel->count, node->count);
    expect(pair, "a node's tried actions", kernel->tried, tried);
    expect(pair, "a node's visits", kernel->visits, (double)plain_node_visits(node));
    expect(pair, "a node's visits in flight", kernel->in_flight, (double)node->in_flight);
    expect(pair, "a node waits for priors", (kernel->flags & TREE_PENDING) != 0, node->waiting);
    for (int i = 0; i < kernel->count && pair->same; ++i) {
        const struct plain_edge *edge = find_edge(node, tree_action(tree, kernel, i));
        expect(pair, "an action is there", 1, edge != NULL);
        if (!edge)
            return;
        expect(pair, "an action was tried", i < kernel->tried, edge->tried);
        if (tree->layout.prior_bytes && !node->waiting)
            expect_near(pair, "a prior", (double)tree_priors(tree, kernel)[i], (double)edge->prior);
        if (tree->layout.missed_bytes)
            expect(pair, "an action's missed visits", tree_missed(tree, kernel)[i],
                   (double)edge->missed);
        if (i < kernel->tried)
            compare_edge(pair, kernel, i, edge);
    }
    if (tree->layout.regret && pair->same)
        compare_regrets(pair, kernel, node);
}

static void compare_trees(struct pair *pair)
{
    struct banyan_search *search = pair->kernel;
    for (int t = 0; t < search->trees && pair->same; ++t)
        compare_child(pair, search->root[t].child, &pair->plain->root[t]);
    if (search->solver && !search->waiting && pair->same) {
        struct plain_bounds plain = plain_root_bounds(pair->plain);
        expect(pair, "the root's lower bound", (double)search->root_bounds.lo, (double)plain.lo);
        expect(pair, "the root's upper bound", (double)search->root_bounds.hi, (double)plain.hi);
    }
}

/* --- simulations --- */

static void hear(void *ctx, const struct banyan_trace *trace)
{
    struct pair *pair = ctx;
    if (trace->event > BANYAN_TRACE_EXPAND || pair->told_count == TOLD_MAX)
        return;
    pair->told[pair->told_count++] =
        (struct plain_told){.player = trace->player, .action = trace->rows[trace->chosen].action};
}

static void swap_leaves(struct banyan_leaf *a, struct banyan_leaf *b)
{
    struct banyan_leaf leaf = *a;
    *a = *b;
    *b = leaf;
}

/* Leaves go back in any order, and perhaps not all. */
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

/* The node of a choice that differs, edge by edge. */
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
    int last = pair->told_count - 1;
    if (!node || !pair->same)
        return;
    differ(pair, "a choice", last < 0 ? NAN : (double)pair->told[last].action,
           (double)pair->plain->own_choice);
    describe_node(pair, node);
}

/* The reference hears what the kernel chose. */
static void tell(struct pair *pair)
{
    pair->plain->told = pair->told;
    pair->plain->told_count = pair->told_count;
    pair->plain->told_next = 0;
}

static void ask(struct pair *pair, struct banyan_leaf *kernel, struct banyan_leaf *plain, int *out,
                int wanted)
{
    struct banyan_evaluator *evaluator = pair->kernel->evaluator;
    pair->told_count = 0;
    int found = banyan_search_select(pair->kernel, kernel + *out, wanted);
    tell(pair);
    int same = plain_select(pair->plain, plain + *out, wanted);
    compare_choices(pair);
    expect(pair, "leaves found", found, same);
    for (int i = *out; i < *out + found && pair->same; ++i)
        expect(pair, "a leaf's state", 0,
               memcmp(kernel[i].state, plain[i].state, sizeof pair->state) != 0);
    if (!pair->same)
        return;
    evaluator->evaluate(evaluator->ctx, kernel + *out, found, NULL);
    evaluator->evaluate(evaluator->ctx, plain + *out, found, NULL);
    *out += found;
}

static void simulate(struct pair *pair)
{
    const struct drawing *drawing = pair->drawing;
    struct banyan_leaf kernel[BATCH_MAX], plain[BATCH_MAX];
    int out = 0, batch = drawing->options.batch;
    if (drawing->planned || !drawing->explores) {
        int64_t planned = drawing->planned ? drawing->simulations : 0;
        banyan_search_plan(pair->kernel, planned, drawing->explores);
        plain_plan(pair->plain, planned, drawing->explores);
    }
    for (int done = 0; done < drawing->simulations && pair->same;) {
        int wanted = batch == 1 ? 1 : 1 + (int)rng_below(&pair->rng, (uint32_t)batch);
        ask(pair, kernel, plain, &out, wanted);
        done += wanted;
        if (!pair->same)
            return;
        out = give_back(pair, kernel, plain, out, batch == 1 || done >= drawing->simulations);
        if (done < 20)
            compare_trees(pair);
    }
    compare_trees(pair);
    pair->comparison->simulations += (uint64_t)drawing->simulations;
}

/* --- what is read at the root --- */

static void compare_rows(struct pair *pair, int player)
{
    struct banyan_root_move kernel[64], plain[64];
    int count = banyan_search_root_moves(pair->kernel, player, kernel, 64);
    expect(pair, "root actions", count, plain_root_moves(&pair->plain, 1, player, plain));
    for (int i = 0; i < count && pair->same; ++i) {
        expect(pair, "a row's action", (double)kernel[i].action, (double)plain[i].action);
        expect(pair, "a row's visits", kernel[i].visits, plain[i].visits);
        expect_near(pair, "a row's mean", kernel[i].mean, plain[i].mean);
        expect(pair, "a row's lower bound", (double)kernel[i].lo, (double)plain[i].lo);
        expect(pair, "a row's upper bound", (double)kernel[i].hi, (double)plain[i].hi);
    }
}

static void compare_values(struct pair *pair)
{
    float kernel[BANYAN_MAX_PLAYERS], plain[BANYAN_MAX_PLAYERS];
    banyan_search_root_values(pair->kernel, kernel);
    plain_root_values(pair->plain, plain);
    for (int p = 0; p < pair->drawing->game.players; ++p)
        expect_near(pair, "the root's value", (double)kernel[p], (double)plain[p]);
}

static void compare_choice(struct pair *pair, int player)
{
    struct banyan_root_move row;
    banyan_search_choose(pair->kernel, player, &row, NULL);
    pair->told[0] = (struct plain_told){.player = player, .action = row.action};
    pair->told_count = 1;
    tell(pair);
    expect(pair, "the final choice", (double)row.action,
           (double)plain_choose(&pair->plain, 1, player));
}

static void compare_root(struct pair *pair)
{
    const struct banyan_game *game = &pair->drawing->game;
    compare_values(pair);
    for (int p = 0; p < game->players && pair->same; ++p) {
        if (!(game->movers(&pair->state) >> p & 1))
            continue;
        compare_rows(pair, p);
        compare_choice(pair, p);
    }
}

static bool next_move(struct pair *pair)
{
    const struct banyan_game *game = &pair->drawing->game;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0}, actions[RANDOM_GAME_LEGAL];
    struct banyan_dice dice;
    unsigned movers = game->movers(&pair->state);
    banyan_dice_drawn(&dice, &pair->rng);
    for (int p = 0; p < game->players; ++p)
        if (movers >> p & 1)
            joint[p] =
                actions[rng_below(&pair->rng, (uint32_t)game->legal(&pair->state, p, actions))];
    game->apply(&pair->state, joint, &dice);
    if (!game->movers(&pair->state))
        return false;
    bool kernel = banyan_search_advance(pair->kernel, joint, &pair->state);
    expect(pair, "the tree was kept", kernel, plain_advance(pair->plain, joint, &pair->state));
    return pair->same;
}

bool compare_drawing(const struct drawing *drawing, struct comparison *comparison)
{
    struct banyan_error err;
    struct pair *pair = calloc(1, sizeof *pair);
    struct banyan_evaluator evaluator = drawing->evaluator.evaluator;
    evaluator.ctx = (void *)&drawing->evaluator;
    pair->drawing = drawing;
    pair->comparison = comparison;
    pair->same = true;
    pair->state = drawing->start;
    banyan_rng_seed(&pair->rng, banyan_rng_child(drawing->seed, "comparison", 0));
    if (banyan_search_create(&pair->kernel, &drawing->game, &drawing->options, &evaluator, &err) !=
        BANYAN_OK) {
        snprintf(comparison->message, sizeof comparison->message, "create: %s", err.message);
        free(pair);
        return false;
    }
    pair->plain = plain_create(&drawing->game, &drawing->options, &evaluator);
    banyan_search_set_trace(pair->kernel, hear, pair);
    banyan_search_set_root(pair->kernel, &pair->state, drawing->viewer, NULL);
    plain_set_root(pair->plain, &pair->state, drawing->viewer);
    for (int move = 0; move <= drawing->moves && pair->same; ++move) {
        if (move && !next_move(pair))
            break;
        simulate(pair);
        if (pair->same)
            compare_root(pair);
    }
    comparison->choices += pair->plain->choices;
    comparison->ties += pair->plain->ties;
    bool same = pair->same;
    banyan_search_destroy(pair->kernel);
    plain_destroy(pair->plain);
    free(pair);
    return same;
}

bool compare_many(uint64_t first, uint64_t count, draw_table table, struct comparison *comparison)
{
    for (uint64_t seed = first; seed < first + count; ++seed) {
        struct drawing drawing;
        draw(seed, &drawing);
        draw_count(&drawing, table);
        if (compare_drawing(&drawing, comparison))
            continue;
        size_t used = strlen(comparison->message);
        snprintf(comparison->message + used, sizeof comparison->message - used, "\n");
        draw_describe(&drawing, comparison->message + used + 1,
                      sizeof comparison->message - used - 1);
        return false;
    }
    return true;
}
