/* Compares the library's tree with that of the reference, node by node. */
#include "reference/pair.h"

#include <stdio.h>

/* Notes the first difference. */
void compare_differ(struct pair *pair, const char *what, double kernel, double plain)
{
    if (!pair->same)
        return;
    pair->same = false;
    snprintf(pair->comparison->message, sizeof pair->comparison->message,
             "%s: kernel %.12g, reference %.12g", what, kernel, plain);
}

void compare_expect(struct pair *pair, const char *what, double kernel, double plain)
{
    if (kernel != plain && !(isnan(kernel) && isnan(plain)))
        compare_differ(pair, what, kernel, plain);
}

/* Checks that two sums of the same numbers, perhaps added in another order, are equal but for
 * rounding. */
void compare_expect_near(struct pair *pair, const char *what, double kernel, double plain)
{
    if (!(fabs(kernel - plain) <= 1e-9 * (1 + fabs(plain))) && !(isnan(kernel) && isnan(plain)))
        compare_differ(pair, what, kernel, plain);
}

/* With transpositions several edges may lead to a node; it is compared once. */
static bool met_before(const struct pair *pair, struct plain_node *node)
{
    bool met = node->round == pair->plain->round;
    node->round = pair->plain->round;
    return met;
}

/* --- the trees --- */

static void compare_node(struct pair *pair, uint32_t ref, struct plain_node *node);

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
    compare_expect(pair, "an outcome is there", 1, plain != NULL);
    if (!plain)
        return;
    ++*count;
    compare_expect(pair, "an outcome's visits", kernel->visits, (double)plain->arrivals);
    compare_expect(pair, "an outcome has a node", kernel->node != 0, plain->node != NULL);
    if (pair->same && kernel->node)
        compare_node(pair, kernel->node, plain->node);
    compare_outcomes(pair, kernel->left, edge, count);
    compare_outcomes(pair, kernel->right, edge, count);
}

/* Compares what is below an edge. */
static void compare_child(struct pair *pair, uint32_t child, const struct plain_edge *edge)
{
    int kernel = 0, plain = 0;
    if (pair->kernel->tree.layout.keyed) {
        compare_outcomes(pair, child, edge, &kernel);
        for (const struct plain_outcome *o = edge->outcomes; o; o = o->next)
            ++plain;
        compare_expect(pair, "an edge's outcomes", kernel, plain);
        return;
    }
    struct plain_node *node = edge->outcomes ? edge->outcomes->node : NULL;
    compare_expect(pair, "an edge has a node", child != 0, node != NULL);
    if (pair->same && child)
        compare_node(pair, child, node);
}

static void compare_edge(struct pair *pair, const struct tree_node *kernel, int index,
                         const struct plain_edge *edge)
{
    struct banyan_search *search = pair->kernel;
    const struct tree_layout *layout = &search->tree.layout;
    const struct tree_edge *own = &tree_edges(&search->tree, kernel)[index];
    compare_expect(pair, "an edge's visits", own->visits, (double)plain_edge_visits(edge));
    compare_expect_near(pair, "an edge's sum", tree_edge_sum(own), plain_edge_sum(edge));
    if (tree_has(&search->tree, TREE_IN_FLIGHT))
        compare_expect(pair, "an edge's visits in flight",
                       ((uint32_t *)tree_column(&search->tree, kernel, TREE_IN_FLIGHT))[index],
                       (double)edge->in_flight);
    if (tree_has(&search->tree, TREE_BOUNDS)) {
        struct tree_bounds *bounds = search_edge_bounds(search, (struct tree_node *)kernel, index);
        struct plain_bounds plain = plain_edge_bounds(edge);
        compare_expect(pair, "an edge's lower bound", (double)bounds->lo, (double)plain.lo);
        compare_expect(pair, "an edge's upper bound", (double)bounds->hi, (double)plain.hi);
    }
    int players = tree_has(&search->tree, TREE_VECTOR) ? layout->players : 0;
    for (int p = 0; p < players; ++p) {
        double sum = 0;
        for (const struct plain_result *i = edge->back.first; i; i = i->next)
            sum += (double)i->visits * (double)i->values[p];
        const double *vector = tree_column(&search->tree, kernel, TREE_VECTOR);
        compare_expect_near(pair, "an edge's sum by player", vector[index * layout->players + p],
                            sum);
    }
    compare_child(pair, own->child, edge);
}

static void compare_regrets(struct pair *pair, const struct tree_node *kernel,
                            struct plain_node *node)
{
    const struct tree *tree = &pair->kernel->tree;
    double regrets[64], average[64], total = 0;
    const double *regret = tree_column(tree, kernel, TREE_REGRET);
    const double *strategy = tree_column(tree, kernel, TREE_STRATEGY);
    plain_regrets(node, regrets);
    plain_average_strategy(node, average);
    for (int i = 0; i < kernel->tried; ++i)
        total += strategy[i];
    for (int i = 0; i < kernel->tried && pair->same; ++i) {
        const struct plain_edge *edge = plain_find_edge(node, tree_action(tree, kernel, i));
        compare_expect_near(pair, "an edge's regret", regret[i], regrets[edge->id]);
        compare_expect_near(pair, "an edge's average strategy",
                            total > 0 ? strategy[i] / total : 1.0 / kernel->count,
                            average[edge->id]);
    }
}

static void compare_node(struct pair *pair, uint32_t ref, struct plain_node *node)
{
    const struct tree *tree = &pair->kernel->tree;
    const struct tree_node *kernel = tree_node(tree, ref);
    int tried = 0;
    if (met_before(pair, node))
        return;
    for (int i = 0; i < node->count; ++i)
        tried += node->edges[i]->tried;
    ++pair->comparison->nodes;
    compare_expect(pair, "a node's mover", kernel->mover, node->mover);
    compare_expect(pair, "a node's actions", kernel->count, node->count);
    compare_expect(pair, "a node's tried actions", kernel->tried, tried);
    compare_expect(pair, "a node's visits", kernel->visits, (double)plain_node_visits(node));
    compare_expect(pair, "a node's visits in flight", kernel->in_flight, (double)node->in_flight);
    compare_expect(pair, "a node waits for priors", (kernel->flags & TREE_PENDING) != 0,
                   node->waiting);
    for (int i = 0; i < kernel->count && pair->same; ++i) {
        const struct plain_edge *edge = plain_find_edge(node, tree_action(tree, kernel, i));
        compare_expect(pair, "an action is there", 1, edge != NULL);
        if (!edge)
            return;
        compare_expect(pair, "an action was tried", i < kernel->tried, edge->tried);
        if (tree_has(tree, TREE_PRIORS) && !node->waiting)
            compare_expect_near(pair, "a prior", (double)tree_priors(tree, kernel)[i],
                                (double)edge->prior);
        if (tree_has(tree, TREE_LEGAL))
            compare_expect(pair, "an action's missed visits", tree_missed(tree, kernel, i),
                           (double)edge->missed);
        if (i < kernel->tried)
            compare_edge(pair, kernel, i, edge);
    }
    if (tree_has(tree, TREE_REGRET) && pair->same)
        compare_regrets(pair, kernel, node);
}

void compare_trees(struct pair *pair)
{
    uint64_t through = 0;
    for (const struct plain_result *i = pair->plain->through_root.first; i; i = i->next)
        through += i->visits;
    if (!pair->plain->keyed)
        compare_expect(pair, "visits above the root", pair->kernel->root.edges[0].visits,
                       (double)through);
    compare_expect(pair, "visits of the root", (double)pair->kernel->root.visits, (double)through);
    struct banyan_search *search = pair->kernel;
    ++pair->plain->round;
    compare_expect(pair, "random numbers are at the same place", 0,
                   memcmp(&search->rng, &pair->plain->rng, sizeof search->rng) != 0);
    for (int t = 0; t < search->trees && pair->same; ++t)
        compare_child(pair, search->root.edges[t].child, &pair->plain->root[t]);
    if (search->solver && pair->same) {
        struct plain_bounds plain = plain_root_bounds(pair->plain);
        compare_expect(pair, "the root's lower bound", (double)search->root.bounds.lo,
                       (double)plain.lo);
        compare_expect(pair, "the root's upper bound", (double)search->root.bounds.hi,
                       (double)plain.hi);
    }
}

/* --- counts --- */

struct counts {
    uint64_t nodes, edges, outcomes, simulations, decisions;
    int deepest;
};

static void count_below(const struct plain_edge *edge, struct counts *counts);

static void count_node(struct plain_node *node, struct counts *counts)
{
    ++counts->nodes;
    for (int i = 0; i < node->count; ++i) {
        counts->edges += node->edges[i]->tried;
        count_below(node->edges[i], counts);
    }
}

/* Where lines meet again, a node counts once. */
static void count_below(const struct plain_edge *edge, struct counts *counts)
{
    for (const struct plain_outcome *i = edge->outcomes; i; i = i->next) {
        ++counts->outcomes;
        if (i->node && i->node->round != i->node->search->round) {
            i->node->round = i->node->search->round;
            count_node(i->node, counts);
        }
    }
}

void compare_statistics(struct pair *pair)
{
    struct banyan_search_stats kernel;
    struct counts plain = {0};
    for (int s = 0; s < pair->searches; ++s) {
        struct plain *r = pair->plains[s];
        ++r->round;
        for (int t = 0; t < r->trees; ++t)
            count_below(&r->root[t], &plain);
        plain.simulations += (uint64_t)r->simulated;
        plain.decisions += (uint64_t)r->decisions;
        plain.deepest = r->deepest > plain.deepest ? r->deepest : plain.deepest;
    }
    banyan_search_stats(pair->whole, &kernel, sizeof kernel);
    compare_expect(pair, "simulations", (double)kernel.simulations, (double)plain.simulations);
    compare_expect(pair, "nodes", (double)kernel.nodes, (double)plain.nodes);
    compare_expect(pair, "edges", (double)kernel.edges, (double)plain.edges);
    if (pair->plain->keyed)
        compare_expect(pair, "outcomes", (double)kernel.outcomes, (double)plain.outcomes);
    compare_expect(pair, "bytes beyond the limit",
                   kernel.bytes_allocated > pair->drawing->options.memory_bytes, 0);
    compare_expect(pair, "bytes that are used beyond those that there are",
                   kernel.bytes_used > kernel.bytes_allocated, 0);
    compare_expect(pair, "bytes are used by nodes, edges and outcomes",
                   kernel.bytes_used >= 16 * (plain.nodes + plain.edges), 1);
    compare_expect(pair, "the deepest simulation", kernel.max_depth, plain.deepest);
    if (plain.simulations)
        compare_expect_near(pair, "the mean depth", kernel.mean_depth,
                            (double)plain.decisions / (double)plain.simulations);
}

/* --- a full tree --- */

/* Whether the kernel still has an outcome, and its node. */
static bool find_outcome(const struct pair *pair, uint32_t child,
                         const struct plain_outcome *outcome, uint32_t *node)
{
    const struct tree *tree = &pair->kernel->tree;
    *node = child;
    if (!tree->layout.keyed)
        return true;
    uint32_t ref = tree_look_outcome(tree, child, outcome->key);
    *node = ref ? tree_outcome(tree, ref)->node : 0;
    return ref != 0;
}

static void forget_node(struct pair *pair, uint32_t ref, struct plain_node *node,
                        struct kept *kept);

static void forget_below(struct pair *pair, uint32_t child, struct plain_edge *edge,
                         struct kept *kept)
{
    for (struct plain_outcome *outcome = edge->outcomes, *next; outcome; outcome = next) {
        uint32_t ref;
        bool there = find_outcome(pair, child, outcome, &ref);
        next = outcome->next;
        if (!outcome->node && there)
            continue;
        uint64_t visits = there ? plain_node_visits(outcome->node) : outcome->arrivals;
        if (there && ref) {
            kept->least = visits < kept->least ? visits : kept->least;
            forget_node(pair, ref, outcome->node, kept);
        } else {
            kept->most_dropped = visits > kept->most_dropped ? visits : kept->most_dropped;
            plain_forget_below(edge, outcome, !there);
        }
    }
}

static void forget_node(struct pair *pair, uint32_t ref, struct plain_node *node, struct kept *kept)
{
    const struct tree *tree = &pair->kernel->tree;
    const struct tree_node *kernel = tree_node(tree, ref);
    if (met_before(pair, node))
        return;
    for (int i = 0; i < kernel->tried; ++i)
        forget_below(pair, tree_edges(tree, kernel)[i].child,
                     plain_find_edge(node, tree_action(tree, kernel, i)), kept);
}

void compare_forget(struct pair *pair)
{
    struct kept kept = {.least = UINT64_MAX};
    ++pair->plain->round;
    for (int t = 0; t < pair->kernel->trees; ++t)
        forget_below(pair, pair->kernel->root.edges[t].child, &pair->plain->root[t], &kept);
    plain_list_nodes(pair->plain);
    if (kept.most_dropped > kept.least)
        compare_differ(pair, "a node was kept that has fewer visits than one that was not",
                       (double)kept.least, (double)kept.most_dropped);
}
