/* The final choice where the solver has proven something. */
#include "final_trees.h"

#include <math.h>

/* --- rows made by hand: returns of -100..100 --- */

static int choose(const char *options, const struct banyan_search_move *rows, int count)
{
    struct searching s;
    searching_open(&s, "tree-zero", NULL, options, "rollout");
    int chosen = search_final_best(s.search, rows, count);
    searching_close(&s);
    return chosen;
}

#define ROW(n, q, low, high)                                                              \
    {                                                                                     \
        .visits = (n), .mean = (q), .prior = NAN, .lo = (low), .hi = (high), .score = NAN \
    }

static const char *const every_rule[] = {"final=max", "final=robust", "final=max-robust",
                                         "final=secure", "final=sample,temperature=0"};

/* Properties of the choice under every final rule. */
static void a_proven_action_counts_with_its_value(void **unused)
{
    (void)unused;
    const struct {
        const char *what;
        struct banyan_search_move rows[3];
        int count, chosen;
    } cases[] = {
        {"worth at least 40 over a proven 2", {ROW(90, 2, 2, 2), ROW(9, 45, 40, 100)}, 2, 1},
        {"a mean of 45 over a proven 2", {ROW(90, 2, 2, 2), ROW(90, 45, -100, 100)}, 2, 1},
        {"a proven -1 over a poor -90", {ROW(90, -90, -100, 100), ROW(9, -1, -1, -1)}, 2, 1},
        {"a proven -50 over the unvisited", {ROW(9, -50, -50, -50), ROW(0, NAN, -100, 100)}, 2, 0},
        {"the unvisited over a proven loss",
         {ROW(90, -100, -100, -100), ROW(0, NAN, -100, 100)},
         2,
         1},
        {"a proven win over most visits", {ROW(90, 99, -100, 100), ROW(1, 100, 100, 100)}, 2, 1},
        {"a proven 30 over a mean that its bound cuts to 20",
         {ROW(900, 80, -100, 20), ROW(1, 30, 30, 30)},
         2,
         1},
        {"a proven 30 over a mean of 80 that its bound cuts to 35",
         {ROW(900, 80, -100, 35), ROW(1, 30, 30, 30)},
         2,
         0},
        {"a bound lifts a mean", {ROW(900, -80, 10, 100), ROW(900, 5, 5, 5)}, 2, 0},
        {"what may be better, of equals", {ROW(90, 30, 30, 30), ROW(90, 30, -100, 100)}, 2, 1},
        {"the better of two proven",
         {ROW(90, 10, 10, 10), ROW(5, 12, 12, 12), ROW(50, 0, -100, 11)},
         3,
         1},
    };
    for (size_t r = 0; r < sizeof every_rule / sizeof *every_rule; ++r) {
        for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
            int chosen = choose(every_rule[r], cases[i].rows, cases[i].count);
            if (chosen != cases[i].chosen)
                fail_msg("%s: %s: chose row %d", every_rule[r], cases[i].what, chosen);
        }
    }
}

/* The rule ranks the unproven actions; the best of them is compared with the best proven value. */
static void the_rule_ranks_open_actions(void **unused)
{
    (void)unused;
    const struct banyan_search_move rows[] = {ROW(500, 0, 0, 0), ROW(300, 10, -100, 100),
                                              ROW(200, 50, -100, 100), ROW(3, 90, -100, 100),
                                              ROW(1, 95, -100, -5)};
    assert_int_equal(choose("final=robust", rows, 5), 1);
    assert_int_equal(choose("final=max", rows, 5), 3);
    assert_int_equal(choose("final=secure,secure-z=1", rows, 5), 2);
    assert_int_equal(choose("final=max-robust,w1=1,w2=0", rows, 5), 3);
    assert_int_equal(choose("final=max-robust,w1=0,w2=1", rows, 5), 1);
}

/* Visits count for a proven action too, as long as its value is at least the
 * mean of the root. */
static void visits_stand_unless_the_proof_disappoints(void **unused)
{
    (void)unused;
    const struct banyan_search_move draw[] = {ROW(80, 1, 2, 2), ROW(15, 5, -100, 100),
                                              ROW(5, -40, -100, 100)};
    const struct banyan_search_move poor[] = {ROW(80, 30, 2, 2), ROW(15, 5, -100, 100),
                                              ROW(5, -40, -100, 100)};
    const struct banyan_search_move rare[] = {ROW(15, 5, -100, 100), ROW(14, 2, 2, 2)};
    assert_int_equal(choose("final=robust", draw, 3), 0);
    assert_int_equal(choose("final=robust", poor, 3), 1);
    assert_int_equal(choose("final=robust", rare, 2), 0);
    assert_int_equal(choose("final=max", draw, 3), 1);
    assert_int_equal(choose("final=max", poor, 3), 1);
}

/* An action that was never tried is not chosen over one that was, however poor. */
static void what_was_tried_goes_first(void **unused)
{
    (void)unused;
    const struct banyan_search_move rows[] = {ROW(5, -95, -100, 100), ROW(0, NAN, -100, 100)};
    const struct banyan_search_move other[] = {ROW(0, NAN, -100, 100), ROW(5, -95, -100, 100)};
    for (size_t r = 0; r < sizeof every_rule / sizeof *every_rule; ++r) {
        assert_int_equal(choose(every_rule[r], rows, 2), 0);
        assert_int_equal(choose(every_rule[r], other, 2), 1);
    }
}

/* Where no strategy was summed yet, all actions are equally likely. */
static void without_an_average_all_are_equally_likely(void **unused)
{
    (void)unused;
    struct searching s;
    int drawn[3] = {0};
    searching_open(&s, "rps", NULL, "rule=regret,final=average", "rollout");
    searching_run(&s, 100);
    const struct tree_node *node = search_root_node(s.search, 0);
    double *sums = tree_column(&s.search->tree, node, TREE_STRATEGY);
    assert_int_equal(node->tried, 3);
    memset(sums, 0, 3 * sizeof *sums);
    for (int i = 0; i < 3000; ++i)
        ++drawn[searching_choice(&s, 0) % 3];
    for (int i = 0; i < 3; ++i)
        assert_in_range(drawn[i], 850, 1150); /* 1000, standard deviation 26 */
    searching_close(&s);
}

/* --- random trees --- */

static void print_gains(const char *options, int rule, const struct final_tree_sums *sums)
{
    print_message("%-32s %-26s", options, final_tree_rules[rule].name);
    for (int b = 0; b < FINAL_TREE_BUDGETS; ++b)
        print_message(" %6.2f", (sums->value[1][rule][b] - sums->value[0][rule][b]) / sums->trees);
    print_message("\n");
}

/* 500 to 2,000 trees of scores, 10 to 1,000 simulations: with every final rule the chosen action is
 * on average worth no less with the solver than without, and it is never proven to be worse than
 * another. */
static void the_solver_makes_no_choice_worse(void **unused)
{
    (void)unused;
    static struct final_tree_sums sums;
    const struct {
        const char *options;
        int trees;
    } searches[] = {{"", 2000},           {"rule=ucb1-tuned", 1000},           {"rule=puct", 1000},
                    {"rule=gumbel", 500}, {"exploration=0.3,ensemble=2", 500}, {"batch=4", 500}};
    for (size_t i = 0; i < sizeof searches / sizeof *searches; ++i) {
        final_trees(&sums, searches[i].options, searches[i].trees);
        if (sums.dominated)
            fail_msg("%s: %d choices are certainly no better than another action",
                     searches[i].options, sums.dominated);
        for (int r = 0; r < FINAL_TREE_RULES; ++r) {
            double gain = 0;
            print_gains(searches[i].options, r, &sums);
            for (int b = 0; b < FINAL_TREE_BUDGETS; ++b)
                gain += sums.value[1][r][b] - sums.value[0][r][b];
            if (gain < 0)
                fail_msg("%s, %s: the solver costs %g a choice", searches[i].options,
                         final_tree_rules[r].name, -gain / sums.trees / FINAL_TREE_BUDGETS);
        }
    }
}

/* Two players on one side do not minimise each other's return, so nothing is proven. */
static void friends_prove_nothing(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_move rows[9];
    searching_open(&s, "tictactoe", "moves:b2 a1 a2 c2 a3", "opponents=coalition,side0=0,side1=0",
                   "rollout");
    searching_run(&s, 3000);
    int count = banyan_search_root_moves(s.search, 1, rows, 9);
    for (int i = 0; i < count; ++i)
        assert_true(rows[i].lo == -1 && rows[i].hi == 1);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_proven_action_counts_with_its_value),
        cmocka_unit_test(the_rule_ranks_open_actions),
        cmocka_unit_test(visits_stand_unless_the_proof_disappoints),
        cmocka_unit_test(what_was_tried_goes_first),
        cmocka_unit_test(without_an_average_all_are_equally_likely),
        cmocka_unit_test(friends_prove_nothing),
        cmocka_unit_test(the_solver_makes_no_choice_worse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
