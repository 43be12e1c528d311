/* What several threads leave in one tree: run under ThreadSanitizer too. */
#include "searching.h"

#include "search/search.h"

#include <math.h>
#include <stdio.h>

/* --- what must hold at every node --- */

struct found {
    uint64_t nodes;
    const struct tree *tree;
};

static void check_below(struct found *found, uint32_t ref)
{
    const struct tree_node *node = tree_node(found->tree, ref);
    const struct tree_edge *edges = tree_edges(found->tree, node);
    const uint32_t *in_flight = tree_column_or_null(found->tree, node, TREE_IN_FLIGHT);
    uint64_t visits = 0;
    ++found->nodes;
    assert_int_equal(node->in_flight, 0);
    assert_int_equal(node->forward, TREE_LOOSE); /* nobody holds it, and it is no private copy */
    assert_int_equal(node->flags & TREE_PENDING, 0);
    for (int i = 0; i < node->tried; ++i) {
        assert_true(!in_flight || !in_flight[i]);
        visits += edges[i].visits;
        if (edges[i].child)
            check_below(found, edges[i].child);
    }
    assert_in_range(visits, 0, node->visits);
}

/* The root's edges have all simulations but the few that ended at the root, with all their values: no
 * visit of a private copy was lost. */
static void check_root(const struct searching *s, uint64_t simulations)
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

static uint64_t check_tree(const struct searching *s, uint64_t simulations)
{
    struct found found = {.tree = &s->search->tree};
    check_root(s, simulations);
    check_below(&found, s->search->root.edges[0].child);
    assert_int_equal(s->search->tree.nodes, found.nodes);
    return found.nodes;
}

/* --- runs --- */

static void threads_build_one_tree(void **unused)
{
    (void)unused;
    enum { SIMULATIONS = 20000 };
    const struct {
        const char *game, *options, *evaluator;
    } cases[] = {{"othello", "solver=off", "rollout"},
                 {"othello", "solver=on", "rollout"},
                 {"othello", "solver=off,batch=4", "rollout"},
                 {"othello", "rule=ucb1-tuned,solver=off", "rollout"},
                 {"othello", "rule=puct,solver=off", "heuristic"},
                 {"connect4", "rule=puct,noise-weight=0.25,solver=off", "rollout"},
                 {"tictactoe", "solver=off", "rollout"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct searching one, four;
        char options[128];
        searching_open(&one, cases[i].game, NULL, cases[i].options, cases[i].evaluator);
        searching_run(&one, SIMULATIONS);
        snprintf(options, sizeof options, "%s,threads=4", cases[i].options);
        searching_open(&four, cases[i].game, NULL, options, cases[i].evaluator);
        assert_non_null(four.search->parallel.workers);
        searching_run(&four, SIMULATIONS / 2);
        check_tree(&four, SIMULATIONS / 2);
        searching_run(&four, SIMULATIONS / 2); /* goes on in the same tree */
        uint64_t nodes = check_tree(&four, SIMULATIONS);
        assert_true((double)nodes <= 1.1 * (double)check_tree(&one, SIMULATIONS));
        searching_close(&one);
        searching_close(&four);
    }
}

/* Threads prove the value of tic-tac-toe, the same as one. */
static void threads_prove_together(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "solver=on,threads=4", "rollout");
    searching_run(&s, 200000);
    assert_true(search_proven(&s.search->root.bounds));
    assert_true(s.search->root.bounds.lo == 0);
    assert_in_range(s.search->simulations, 1000, 100000);
    searching_close(&s);
}

/* The tree is compacted again and again while four threads search it. */
static void a_small_tree_is_compacted_often(void **unused)
{
    (void)unused;
    const char *const options[] = {"threads=4,solver=off,memory=384K",
                                   "threads=4,solver=on,memory=384K",
                                   "threads=4,rule=puct,batch=2,solver=off,memory=512K"};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct searching s;
        struct banyan_search_stats stats = {.compactions = 0};
        uint64_t simulations = 0;
        searching_open(&s, "othello", NULL, options[i], "rollout");
        while (stats.compactions < 20 && simulations < 400000) {
            searching_run(&s, 5000);
            simulations += 5000;
            banyan_search_stats(s.search, &stats, sizeof stats);
            check_tree(&s, simulations);
        }
        assert_in_range(stats.compactions, 20, 1000000);
        assert_true(stats.bytes_used <= s.options.memory_bytes);
        assert_true(stats.bytes_allocated <= s.options.memory_bytes);
        searching_close(&s);
    }
}

/* Dice, hidden cards, transpositions: threads take turns. */
static void other_trees_are_searched_in_turns(void **unused)
{
    (void)unused;
    const struct {
        const char *game, *options, *evaluator;
        int simulations;
    } cases[] = {{"mushroom", "memory=2M", "heuristic", 20000},
                 {"pig", "memory=2M", "rollout", 20000},
                 {"kuhn", "rule=regret", "rollout", 5000},
                 {"tictactoe", "transpositions=on", "rollout", 20000},
                 {"othello", "implicit-minimax=0.4", "rollout", 20000},
                 {"pokemon", "memory=2M", "heuristic", 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct searching s;
        char options[128];
        snprintf(options, sizeof options, "%s,threads=4", cases[i].options);
        searching_open(&s, cases[i].game, NULL, options, cases[i].evaluator);
        searching_run(&s, cases[i].simulations);
        assert_int_equal(s.search->simulations, cases[i].simulations);
        assert_int_equal(s.search->flights.waiting, 0);
        searching_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_build_one_tree),
        cmocka_unit_test(threads_prove_together),
        cmocka_unit_test(a_small_tree_is_compacted_often),
        cmocka_unit_test(other_trees_are_searched_in_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
