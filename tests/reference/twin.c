/* Fingerprints of trees: those of two searches that did the same are equal, and if any number of a
 * tree changes, its fingerprint changes. */
#include "reference/pair.h"

#include "base/rng.h"

/* Checks that the fingerprint has changed with a number: a node's visits, or an edge's visits,
 * mean or outcome. */
static void expect_noticed(struct pair *pair, const char *what, uint64_t before)
{
    compare_expect(pair, what, banyan_search_signature(pair->whole) != before, 1);
}

static void change_edge(struct pair *pair, struct tree *tree, struct tree_node *node, int index,
                        uint64_t before)
{
    struct tree_edge *edge = &tree_edges(tree, node)[index];
    double mean = edge->mean;
    ++edge->visits;
    expect_noticed(pair, "another edge's visits change the fingerprint", before);
    --edge->visits;
    edge->mean = mean + 1;
    if (edge->visits)
        expect_noticed(pair, "another mean of an edge changes the fingerprint", before);
    edge->mean = mean;
    if (!tree->layout.keyed || tree->table || !edge->child)
        return; /* with transpositions nodes count, however they are reached */
    struct tree_outcome *outcome = tree_outcome(tree, edge->child);
    ++outcome->visits;
    expect_noticed(pair, "another outcome's visits change the fingerprint", before);
    --outcome->visits;
}

/* Changes each number of a node on a random way down, and back. */
static void change_below(struct pair *pair, struct banyan_rng *rng, uint64_t before)
{
    struct tree *tree = &pair->kernel->tree;
    uint32_t t = rng_below(rng, (uint32_t)pair->kernel->trees);
    uint32_t ref = pair->kernel->root.edges[t].child;
    for (int depth = 0; ref && depth < 20; ++depth) {
        ref = tree->layout.keyed ? tree_outcome(tree, ref)->node : ref;
        if (!ref || !tree_node(tree, ref)->tried)
            return;
        struct tree_node *node = tree_node(tree, ref);
        int index = (int)rng_below(rng, node->tried);
        ++node->visits;
        expect_noticed(pair, "another node's visits change the fingerprint", before);
        --node->visits;
        change_edge(pair, tree, node, index, before);
        ref = tree_edges(tree, node)[index].child;
    }
}

/* The same search over again, for as many simulations as one batch makes. */
void compare_twin(struct pair *pair)
{
    const struct drawing *drawing = pair->drawing;
    struct banyan_search_limits limits = {.struct_size = sizeof limits,
                                          .simulations = drawing->simulations};
    struct banyan_search *twins[2] = {NULL, NULL}, *whole = pair->whole, *kernel = pair->kernel;
    uint64_t signatures[2];
    struct banyan_rng rng;
    banyan_rng_seed(&rng, banyan_rng_child(drawing->seed, "twin", 0));
    for (int i = 0; i < 2; ++i) {
        struct banyan_evaluator *evaluator = &pair->evaluator;
        compare_expect(
            pair, "the status of a twin", BANYAN_OK,
            banyan_search_create(&twins[i], &drawing->game, &drawing->options, evaluator, NULL));
        if (!twins[i])
            break;
        banyan_search_set_root(twins[i], &pair->state, drawing->viewer, NULL);
        banyan_search_run(twins[i], &limits, NULL);
        signatures[i] = banyan_search_signature(twins[i]);
    }
    if (twins[0] && twins[1]) {
        compare_expect(pair, "the fingerprints of two equal searches",
                       signatures[0] == signatures[1], 1);
        for (int i = 0; i <= twins[0]->parallel.member_count && pair->same; ++i) {
            pair->whole = twins[0];
            pair->kernel = i ? twins[0]->parallel.members[i - 1] : twins[0];
            change_below(pair, &rng, signatures[0]);
        }
        compare_expect(pair, "the fingerprint before",
                       banyan_search_signature(twins[0]) == signatures[0], 1);
    }
    pair->whole = whole;
    pair->kernel = kernel;
    banyan_search_destroy(twins[0]);
    banyan_search_destroy(twins[1]);
}
