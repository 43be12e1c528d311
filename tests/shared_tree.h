/* What must hold at every node of a tree that several threads have searched, once they have ended. */
#ifndef TESTS_SHARED_TREE_H
#define TESTS_SHARED_TREE_H

#include "searching.h"

#include "search/search.h"

#include <math.h>

enum { TREE_THREADS = 4 }; /* of the tests' searches, at most */

struct found {
    uint64_t nodes, edges, outcomes;
    const struct tree *tree;
};

static inline void check_child(struct found *found, uint32_t child);

/* The edges have the best values of the nodes below them. */
static inline void check_implicit(const struct tree *tree, const struct tree_node *node)
{
    const float *values = tree_column_or_null(tree, node, TREE_IMPLICIT);
    for (int i = 0; values && i < node->tried; ++i) {
        const struct tree_edge *edge = &tree_edges(tree, node)[i];
        const struct tree_node *child = edge->child ? tree_node(tree, edge->child) : NULL;
        const float *below = child ? tree_column_or_null(tree, child, TREE_IMPLICIT) : NULL;
        float best = NAN;
        assert_false(edge->visits && isnan(values[i]));
        for (int k = 0; child && k < child->tried; ++k)
            if (tree_edges(tree, child)[k].visits &&
                !(child->mover == 0 ? below[k] <= best : below[k] >= best))
                best = below[k];
        assert_true(isnan(best) || values[i] == best);
    }
}

/* No action was visited more often than it could be chosen. */
static inline void check_legal(const struct tree *tree, const struct tree_node *node)
{
    for (int i = 0; tree_has(tree, TREE_LEGAL) && i < node->count; ++i) {
        uint32_t visits = i < node->tried ? tree_edges(tree, node)[i].visits : 0;
        assert_in_range(tree_missed(tree, node, i), 0, node->visits - visits);
    }
}

/* The columns of 1/sqrt(visits) agree with the visits of their edges. */
static inline void check_roots(const struct tree *tree, const struct tree_node *node)
{
    const float *explore = tree_column_or_null(tree, node, TREE_EXPLORE);
    const double *roots = tree_column_or_null(tree, node, TREE_ROOTS);
    for (int i = 0; i < node->tried; ++i) {
        double visits = tree_edges(tree, node)[i].visits;
        assert_true(!explore || visits <= 0 || fabs((double)explore[i] * sqrt(visits) - 1) < 1e-6);
        assert_true(!roots || visits <= 0 || fabs(roots[i] * sqrt(visits) - 1) < 1e-6);
    }
}

static inline void check_below(struct found *found, uint32_t ref)
{
    const struct tree_node *node = tree_node(found->tree, ref);
    const struct tree_edge *edges = tree_edges(found->tree, node);
    const uint32_t *in_flight = tree_column_or_null(found->tree, node, TREE_IN_FLIGHT);
    uint64_t visits = 0;
    ++found->nodes;
    found->edges += node->tried;
    check_implicit(found->tree, node);
    check_legal(found->tree, node);
    check_roots(found->tree, node);
    assert_int_equal(node->in_flight, 0);
    assert_int_equal(node->forward, TREE_LOOSE); /* nobody holds it, and it is no private copy */
    assert_int_equal(node->flags & TREE_PENDING, 0);
    for (int i = 0; i < node->tried; ++i) {
        assert_true(!in_flight || !in_flight[i]);
        visits += edges[i].visits;
        check_child(found, edges[i].child);
    }
    assert_in_range(visits, 0, node->visits);
}

/* What is below an edge: a node, or the outcomes of an action in the order of their keys. */
static inline void check_child(struct found *found, uint32_t child)
{
    if (child && !found->tree->layout.keyed) {
        check_below(found, child);
    } else if (child) {
        const struct tree_outcome *outcome = tree_outcome(found->tree, child);
        assert_true(!outcome->left || tree_outcome(found->tree, outcome->left)->key < outcome->key);
        assert_true(!outcome->right ||
                    tree_outcome(found->tree, outcome->right)->key > outcome->key);
        ++found->outcomes;
        if (outcome->node) {
            const struct tree_node *node = tree_node(found->tree, outcome->node);
            assert_true(node->key == outcome->key);
            /* threads stop counting in an outcome when it has its node, which begins with that count */
            if (found->tree->layout.nodes_count) {
                assert_in_range(outcome->visits, 0, node->visits + TREE_THREADS);
                assert_in_range(tree_arrivals(found->tree, outcome), node->visits, UINT32_MAX);
            }
            check_below(found, outcome->node);
        }
        check_child(found, outcome->left);
        check_child(found, outcome->right);
    }
}

/* The root's edges have all simulations but the few that ended at the root, with all their values: no
 * visit of a private copy was lost. */
static inline void check_root(const struct searching *s, uint64_t simulations)
{
    const struct banyan_search *search = s->search;
    const struct tree_node *node = tree_node(&search->tree, search->root.edges[0].child);
    uint64_t visits = 0;
    double sum = 0;
    for (int i = 0; i < node->tried; ++i) {
        visits += tree_edges(&search->tree, node)[i].visits;
        sum += tree_edge_sum(&tree_edges(&search->tree, node)[i]);
    }
    assert_int_equal(search->simulations, simulations);
    assert_int_equal(search->root.visits, simulations);
    assert_int_equal(search->flights.waiting, 0);
    assert_in_range(visits, simulations - 2, simulations);
    assert_true(fabs(sum - search->root.sum[node->mover]) <= (double)(simulations - visits) + 1e-6);
}

static inline uint64_t check_tree(const struct searching *s, uint64_t simulations)
{
    struct found found = {.tree = &s->search->tree};
    check_root(s, simulations);
    check_below(&found, s->search->root.edges[0].child);
    assert_int_equal(s->search->tree.nodes, found.nodes);
    assert_int_equal(s->search->tree.edges, found.edges);
    return found.nodes;
}

/* Trees with outcomes: visits of the root's edges are those of all its information sets. */
static inline uint64_t check_keyed(const struct searching *s, uint64_t simulations)
{
    const struct banyan_search *search = s->search;
    struct found found = {.tree = &search->tree};
    assert_int_equal(search->simulations, simulations);
    assert_int_equal(search->root.visits, simulations);
    assert_int_equal(search->flights.waiting, 0);
    for (int t = 0; t < search->trees; ++t)
        check_child(&found, search->root.edges[t].child);
    assert_int_equal(search->tree.nodes, found.nodes);
    assert_int_equal(search->tree.edges, found.edges);
    assert_int_equal(search->tree.outcomes, found.outcomes);
    return found.nodes;
}

#endif
