/* Statistics after 2^32 visits, which is more than 32 bits can count. */
#include "searching.h"

#include "search/search.h"

#include <math.h>

/* The tests begin this many visits below 2^32. */
enum { ALMOST = 100 };

/* Makes the root's node as it is after 2^32 - ALMOST simulations: every edge keeps its mean and
 * its share of the visits. */
static struct tree_node *grown_old(struct searching *s, int player)
{
    struct banyan_search *search = s->search;
    const struct tree_layout *layout = &search->tree.layout;
    struct tree_node *node = search_root_node(search, player);
    assert_non_null(node);
    struct tree_edge *edges = tree_edges(&search->tree, node);
    uint32_t most = 0;
    for (int i = 0; i < node->tried; ++i)
        most = edges[i].visits > most ? edges[i].visits : most;
    double factor = (double)(UINT32_MAX - ALMOST) / most;
    for (int i = 0; i < node->tried; ++i) {
        double *squares = tree_column_or_null(&search->tree, node, TREE_SQUARES);
        double *vector = tree_column_or_null(&search->tree, node, TREE_VECTOR);
        edges[i].visits = (uint32_t)(edges[i].visits * factor);
        if (squares)
            squares[i] *= factor;
        for (int p = 0; vector && p < layout->players; ++p)
            vector[i * layout->players + p] *= factor;
    }
    node->visits = UINT32_MAX - ALMOST;
    search->root.edges[search->trees > 1 ? player : 0].visits = UINT32_MAX - ALMOST;
    if (layout->keyed) {
        uint32_t ref = search->root.edges[search->trees > 1 ? player : 0].child;
        tree_outcome(&search->tree, ref)->visits = UINT32_MAX - ALMOST;
    }
    return node;
}

static void a_full_count_keeps_its_means(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {"tictactoe", "solver=off"},
        {"tictactoe", "solver=off,children-first=off"},
        {"tictactoe", "rule=ucb1-tuned,solver=off"},
        {"connect4", "rule=puct,solver=off,batch=4"},
        {"connect4", "rule=gumbel,solver=off"},
        {"pig", "exploration=0.2"},
        {"pig-3", "rule=ucb1"},
        {"kuhn", "rule=regret"},
        {"matrix", "rule=regret"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        struct searching s;
        searching_open(&s, cases[c][0], NULL, cases[c][1], "rollout");
        searching_run(&s, 3000);
        struct tree_node *node = grown_old(&s, s.search->root.viewer);
        struct banyan_search_move before[16], after[16];
        int player = s.search->root.viewer, tried = node->tried;
        int count = banyan_search_root_moves(s.search, player, before, 16);
        searching_run(&s, 20 * ALMOST);
        assert_int_equal(banyan_search_root_moves(s.search, player, after, 16), count);
        assert_int_equal(node->tried, tried);
        if (node->visits < UINT32_MAX - 1)
            fail_msg("%s %s: the root has %u visits", cases[c][0], cases[c][1], node->visits);
        for (int i = 0; i < count; ++i) {
            int old = 0;
            while (before[old].action != after[i].action)
                ++old;
            if (after[i].visits < before[old].visits)
                fail_msg("%s %s: %llu visits became %llu", cases[c][0], cases[c][1],
                         (unsigned long long)before[old].visits,
                         (unsigned long long)after[i].visits);
            if (after[i].visits && !(fabs(after[i].mean - before[old].mean) < 1e-4))
                fail_msg("%s %s: the mean %f became %f", cases[c][0], cases[c][1], before[old].mean,
                         after[i].mean);
            assert_true(!after[i].visits || isfinite(after[i].score));
        }
        searching_close(&s);
    }
}

/* The mean of a full edge still moves towards new returns, as a mean of 2^32 visits does: here
 * one action is left, and X wins by it. */
static void a_full_edge_goes_on_learning(void **unused)
{
    (void)unused;
    enum { RUNS = 1000000 };
    struct searching s;
    searching_open(&s, "tictactoe", "xox/oox/ox. x", "solver=off,reuse=off", "rollout");
    searching_run(&s, 1000);
    struct tree_node *node = grown_old(&s, 0);
    struct tree_edge *edge = &tree_edges(&s.search->tree, node)[0];
    assert_int_equal(node->count, 1);
    edge->visits = UINT32_MAX;
    edge->mean = 0.25;
    searching_run(&s, RUNS);
    double share = exp(-(double)RUNS / UINT32_MAX);
    assert_int_equal(edge->visits, UINT32_MAX);
    assert_true(fabs(edge->mean - (0.25 * share + 1 - share)) < 1e-9);
    searching_close(&s);
}

/* The trees of an ensemble have more visits together than one number can hold. */
static void an_ensemble_tells_what_can_be_told(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tictactoe", NULL, "solver=off,ensemble=2", "rollout");
    searching_run(&s, 2000);
    grown_old(&s, 0);
    struct searching other = s;
    other.search = s.search->parallel.members[0];
    grown_old(&other, 0);
    struct banyan_search_move rows[9];
    assert_int_equal(banyan_search_root_moves(s.search, 0, rows, 9), 9);
    assert_int_equal(rows[0].visits, UINT32_MAX);
    assert_true(fabs(rows[0].mean) <= 1);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_count_keeps_its_means),
        cmocka_unit_test(a_full_edge_goes_on_learning),
        cmocka_unit_test(an_ensemble_tells_what_can_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
