/* Selection rules and final choices, and mistakes that published tutorials make. */
#include "searching.h"

#include "search/search.h"

#include <math.h>
#include <stdio.h>

/* --- bandits: a tree of one node --- */

struct regret_sum {
    double sum, squares, best_share;
};

static struct regret_sum play_bandits(const char *setup, const char *options, const double *arms,
                                      int count, int runs, int64_t pulls)
{
    struct regret_sum total = {0};
    struct searching s;
    searching_open(&s, "bandit", setup, options, "rollout");
    for (int run = 0; run < runs; ++run) {
        double regret = 0, best = arms[0];
        searching_check(&s, banyan_search_set_root(s.search, s.state, 0, &s.err));
        searching_run(&s, pulls + 1); /* the first simulation ends at the root */
        for (int i = 0; i < count; ++i) {
            char name[16];
            snprintf(name, sizeof name, "%d", i + 1);
            struct banyan_search_move row = searching_row(&s, 0, name);
            regret += (best - arms[i]) * (double)row.visits;
            if (i == 0)
                total.best_share += (double)row.visits / (double)pulls / runs;
        }
        total.sum += regret;
        total.squares += regret * regret;
    }
    searching_close(&s);
    return total;
}

/* Results of 200 runs of 10,000 pulls: cumulative regret and its standard error, computed
 * independently. */
static void bandits_regret_what_the_table_says(void **unused)
{
    (void)unused;
    const struct {
        const char *setup, *rule;
        double arms[10];
        int count;
        double regret, error, share;
    } rows[] = {
        {"0.9 0.6", "ucb1", {0.9, 0.6}, 2, 46.5, 0.8, 0.984},
        {"0.9 0.6", "ucb1-tuned", {0.9, 0.6}, 2, 7.0, 0.4, 0.998},
        {"0.9 0.8", "ucb1", {0.9, 0.8}, 2, 85.6, 1.1, 0.914},
        {"0.9 0.8", "ucb1-tuned", {0.9, 0.8}, 2, 18.3, 1.1, 0.982},
        {"0.55 0.45", "ucb1", {0.55, 0.45}, 2, 89.3, 1.5, 0.911},
        {"0.55 0.45", "ucb1-tuned", {0.55, 0.45}, 2, 19.8, 2.0, 0.980},
        {"0.9 0.6 0.6 0.6 0.6 0.6 0.6 0.6 0.6 0.6",
         "ucb1",
         {0.9, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6},
         10,
         413,
         2.4,
         0.862},
        {"0.9 0.6 0.6 0.6 0.6 0.6 0.6 0.6 0.6 0.6",
         "ucb1-tuned",
         {0.9, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6},
         10,
         62.2,
         1.0,
         0.979},
    };
    enum { RUNS = 200 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char options[96];
        snprintf(options, sizeof options, "rule=%s,exploration=0.70710678118654752,seed=%d",
                 rows[i].rule, (int)i + 1);
        struct regret_sum got =
            play_bandits(rows[i].setup, options, rows[i].arms, rows[i].count, RUNS, 10000);
        double mean = got.sum / RUNS, variance = got.squares / RUNS - mean * mean;
        double error = sqrt(variance / RUNS + rows[i].error * rows[i].error);
        print_message("%-12s %-10.10s regret %6.1f +- %.1f (table %5.1f +- %.1f), best arm %.3f\n",
                      rows[i].rule, rows[i].setup, mean, sqrt(variance / RUNS), rows[i].regret,
                      rows[i].error, got.best_share);
        assert_true(fabs(mean - rows[i].regret) < 3 * error);
        assert_true(fabs(got.best_share - rows[i].share) < 0.01);
    }
}

/* --- the worked example: means, expansion on the second visit, first child first --- */

static void worked_example_of_the_first_iterations(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tree", "(1 S1:(1 S3:[0] S4:[0]) S2:(1 S5:[0] S6:[0]))",
                   "raw-rewards,order=first,solver=off,exploration=1", "script:0 20 10 0");
    float value;
    const struct {
        double root;
        uint32_t n1, n2;
        double mean1, mean2;
    } after[] = {{0, 0, 0, 0, 0}, {10, 1, 0, 20, 0}, {10, 1, 1, 20, 10}, {7.5, 2, 1, 10, 10}};
    for (int i = 0; i < 4; ++i) {
        searching_run(&s, 1);
        banyan_search_root_values(s.search, &value);
        assert_float_equal(value, after[i].root, 1e-6);
        if (i == 0)
            continue;
        struct banyan_search_move first = searching_row(&s, 0, "S1"),
                                  second = searching_row(&s, 0, "S2");
        assert_int_equal(first.visits, after[i].n1);
        assert_int_equal(second.visits, after[i].n2);
        assert_float_equal(first.mean, after[i].mean1, 1e-6);
        if (after[i].n2)
            assert_float_equal(second.mean, after[i].mean2, 1e-6);
    }
    searching_close(&s);
}

/* --- final choice (root rows made by hand) --- */

static int choose(const char *options, const struct banyan_search_move *rows, int count)
{
    struct searching s;
    searching_open(&s, "tictactoe", NULL, options, "rollout");
    int chosen = search_final_best(s.search, rows, count);
    searching_close(&s);
    return chosen;
}

#define ROW(n, q, low, high)                                                              \
    {                                                                                     \
        .visits = (n), .mean = (q), .prior = NAN, .lo = (low), .hi = (high), .score = NAN \
    }

static void final_choice_respects_proofs(void **unused)
{
    (void)unused;
    const struct {
        const char *what;
        struct banyan_search_move rows[3];
        int count, chosen;
    } cases[] = {
        {"a proven win over most visits", {ROW(90, 0.9, -1, 1), ROW(2, 1, 1, 1)}, 2, 1},
        {"the better proven value", {ROW(90, 0, 0, 0), ROW(2, 1, 1, 1)}, 2, 1},
        {"a proven draw over a proven loss", {ROW(90, -1, -1, -1), ROW(2, 0, 0, 0)}, 2, 1},
        {"promise with most visits over a proven draw",
         {ROW(90, 0.5, -1, 1), ROW(20, 0, 0, 0)},
         2,
         0},
        {"a proven draw over a poor prospect", {ROW(90, -0.2, -1, 1), ROW(20, 0, 0, 0)}, 2, 1},
        {"the unproven over a proven loss", {ROW(90, -1, -1, -1), ROW(1, -0.9, -1, 1)}, 2, 1},
        {"the unvisited over a proven loss", {ROW(90, -1, -1, -1), ROW(0, NAN, -1, 1)}, 2, 1},
        {"the loss that cost most visits", {ROW(5, -1, -1, -1), ROW(9, -1, -1, -1)}, 2, 1},
        {"bounds that exclude each other",
         {ROW(90, 0.1, -1, 0), ROW(5, 0.1, 0, 1), ROW(70, 0.2, -1, 0)},
         3,
         1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int chosen = choose("", cases[i].rows, cases[i].count);
        if (chosen != cases[i].chosen)
            fail_msg("%s: chose row %d", cases[i].what, chosen);
    }
}

static void final_rules_differ_as_described(void **unused)
{
    (void)unused;
    const struct banyan_search_move rows[] = {ROW(1000, 0.10, -1, 1), ROW(400, 0.30, -1, 1),
                                              ROW(2, 0.90, -1, 1)};
    assert_int_equal(choose("final=robust", rows, 3), 0);
    assert_int_equal(choose("final=max", rows, 3), 2);
    assert_int_equal(choose("final=secure,secure-z=1", rows, 3), 1);
    assert_int_equal(choose("final=max-robust,w1=1,w2=0", rows, 3), 2);
    assert_int_equal(choose("final=max-robust,w1=0,w2=1", rows, 3), 0);
    assert_int_equal(choose("final=sample,temperature=0", rows, 3), 0);
}

/* --- defects of published tutorials, each with the test that it would fail --- */

/* A wrong sign on paths of odd or even length would show here: the mean must show a win in one
 * ply for either side. */
static void the_sign_is_right_for_both_movers(void **unused)
{
    (void)unused;
    const char *const cases[][2] = {{"moves:a1 b1 a2 b2", "a3"}, {"moves:c3 a1 b1 a2 b2", "a3"}};
    for (int i = 0; i < 2; ++i) {
        struct searching s;
        searching_open(&s, "tictactoe", cases[i][0], "solver=off", "rollout");
        searching_run(&s, 400);
        struct banyan_search_move row = searching_row(&s, i, cases[i][1]);
        banyan_action action = searching_choice(&s, i);
        assert_true(row.mean == 1);
        assert_int_equal(action, row.action);
        searching_close(&s);
    }
}

/* The same test two plies deep, where a sign that is flipped from the leaf upward would be
 * wrong: the other side's win must lower the mean. */
static void threats_are_met_by_both_movers(void **unused)
{
    (void)unused;
    const char *const cases[][2] = {{"moves:b2 a1 b1", "b3"}, {"moves:a3 b2 c2 b1", "b3"}};
    for (int i = 0; i < 2; ++i) {
        struct searching s;
        searching_open(&s, "tictactoe", cases[i][0], "solver=off", "rollout");
        int mover = (int)(s.game->movers(s.game, s.state) >> 1);
        assert_int_equal(mover, 1 - i);
        searching_run(&s, 1000);
        struct banyan_search_move block = searching_row(&s, mover, cases[i][1]), rows[9];
        int count = banyan_search_root_moves(s.search, mover, rows, 9);
        for (int r = 0; r < count; ++r)
            assert_true(rows[r].action == block.action ||
                        (rows[r].mean < block.mean && rows[r].visits < block.visits));
        searching_close(&s);
    }
}

/* If children got the actions of their parent, or the opponent never moved, all actions would
 * look alike. */
static void visits_differ_between_children(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_move rows[9];
    searching_open(&s, "tictactoe", NULL, "solver=off", "rollout");
    searching_run(&s, 100);
    int count = banyan_search_root_moves(s.search, 0, rows, 9);
    assert_int_equal(count, 9);
    assert_true(rows[0].visits > rows[8].visits + 2);
    searching_close(&s);
}

/* PUCT with +infinity for unvisited children would ignore the prior until each child was tried. */
static void a_low_prior_child_stays_unvisited(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_move rows[64];
    searching_open(&s, "othello", NULL, "rule=puct", "heuristic");
    searching_run(&s, 1); /* this simulation makes the root */
    struct tree_node *root = search_root_node(s.search, 0);
    float *priors = tree_priors(&s.search->tree, root);
    for (int i = 0; i < root->count; ++i)
        priors[i] = i == 0 ? 0.97f : 0.01f;
    searching_run(&s, 15);
    int count = banyan_search_root_moves(s.search, 0, rows, 64);
    assert_true(count > 2);
    assert_int_equal(rows[count - 1].visits, 0);
    assert_true(rows[0].visits >= 12);
    searching_close(&s);
}

/* Evaluations one at a time, or a cache that is emptied each time, would be mistakes: a batch
 * must reach the evaluator as a batch. */
struct counting {
    int calls, leaves, most;
};

static enum banyan_status count_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                         struct banyan_error *err)
{
    struct counting *counting = ctx;
    (void)err;
    ++counting->calls;
    counting->leaves += n;
    counting->most = n > counting->most ? n : counting->most;
    for (int i = 0; i < n; ++i)
        for (int p = 0; p < 2; ++p)
            leaves[i].values[p] = 0;
    return BANYAN_OK;
}

static void leaves_come_in_batches(void **unused)
{
    (void)unused;
    struct counting counting = {0};
    struct searching s;
    searching_open(&s, "othello", NULL, "batch=8", "rollout");
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = "count",
                                         .ctx = &counting,
                                         .evaluate = count_evaluate,
                                         .reentrant = true};
    banyan_search_destroy(s.search);
    searching_check(&s, banyan_search_create(&s.search, s.game, &s.options, &evaluator, &s.err));
    searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
    searching_run(&s, 4000);
    assert_int_equal(counting.leaves, 4000);
    assert_int_equal(counting.most, 8);
    assert_true(counting.calls < 600);
    searching_close(&s);
}

/* A cache that is emptied after every evaluation is useless: the script would return 1, 2, 3, 4. */
static void a_cache_remembers(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_rng rng;
    searching_open(&s, "othello", NULL, "", "cache:size=64,script:0.1 0.2 0.3 0.4");
    banyan_rng_seed(&rng, 1);
    const char *const setups[] = {"moves:d3", "moves:d3 c3", "moves:d3", "moves:d3 c3"};
    for (int i = 0; i < 4; ++i) {
        searching_check(&s, s.game->init(s.game, s.state, setups[i], NULL, &s.err));
        struct banyan_leaf leaf = {.game = s.game,
                                   .state = s.state,
                                   .movers = s.game->movers(s.game, s.state),
                                   .rng = &rng};
        searching_check(&s, s.evaluator.evaluate(s.evaluator.ctx, &leaf, 1, &s.err));
        assert_true(leaf.values[0] == (i % 2 ? 0.2f : 0.1f));
    }
    searching_close(&s);
}

/* An evaluation of the true state would use the other player's card: the evaluated state must be
 * drawn from all that the viewer holds possible. */
struct looking {
    int kings, queens;
};

static enum banyan_status look_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                        struct banyan_error *err)
{
    struct looking *looking = ctx;
    (void)err;
    for (int i = 0; i < n; ++i) {
        char text[64];
        leaves[i].game->format(leaves[i].game, leaves[i].state, text, sizeof text);
        looking->kings += strstr(text, "JK") != NULL;
        looking->queens += strstr(text, "JQ") != NULL;
        leaves[i].values[0] = leaves[i].values[1] = 0;
    }
    return BANYAN_OK;
}

static void hidden_cards_are_drawn(void **unused)
{
    (void)unused;
    struct looking looking = {0};
    struct searching s;
    searching_open(&s, "kuhn", "deal=JK", "", "rollout");
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = "look",
                                         .ctx = &looking,
                                         .evaluate = look_evaluate,
                                         .reentrant = true};
    s.options.expand_visits = 1000000; /* every simulation ends at the root */
    banyan_search_destroy(s.search);
    searching_check(&s, banyan_search_create(&s.search, s.game, &s.options, &evaluator, &s.err));
    searching_check(&s, banyan_search_set_root(s.search, s.state, 0, &s.err));
    searching_run(&s, 1000);
    assert_int_equal(looking.kings + looking.queens, 1000);
    assert_in_range(looking.kings, 400, 600);
    searching_close(&s);
}

/* Children that are tried from left to right would favour one side of a board. */
static void unvisited_children_have_no_order(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_move rows[9];
    unsigned first = 0;
    for (int seed = 1; seed <= 60; ++seed) {
        char options[32];
        snprintf(options, sizeof options, "solver=off,seed=%d", seed);
        searching_open(&s, "tictactoe", NULL, options, "rollout");
        searching_run(&s, 2); /* the root, and one child */
        assert_int_equal(banyan_search_root_moves(s.search, 0, rows, 9), 9);
        assert_int_equal(rows[0].visits, 1);
        first |= 1u << rows[0].action;
        searching_close(&s);
    }
    assert_int_equal(first, 0x1ff);
}

/* A position and its mirror image with exchanged colours have the same search. */
static void exchanged_colours_have_equal_scores(void **unused)
{
    (void)unused;
    const char *const options[] = {"order=first", "order=first,rule=puct",
                                   "order=first,rule=ucb1-tuned"};
    for (int i = 0; i < 3; ++i) {
        struct searching a, b;
        searching_open(&a, "othello", "moves:d3 c5 f6", options[i], "heuristic");
        searching_open(&b, "othello", NULL, options[i], "heuristic");
        a.game->mirror(a.game, a.state, b.state);
        searching_check(&b, banyan_search_set_root(b.search, b.state, -1, &b.err));
        searching_run(&a, 2000);
        searching_run(&b, 2000);
        struct banyan_search_move rows_a[64], rows_b[64];
        int mover_a = (int)(a.game->movers(a.game, a.state) >> 1);
        int count = banyan_search_root_moves(a.search, mover_a, rows_a, 64);
        assert_int_equal(banyan_search_root_moves(b.search, 1 - mover_a, rows_b, 64), count);
        for (int j = 0; j < count; ++j) {
            assert_int_equal(rows_a[j].visits, rows_b[j].visits);
            assert_true(rows_a[j].mean == rows_b[j].mean ||
                        (isnan(rows_a[j].mean) && isnan(rows_b[j].mean)));
        }
        searching_close(&a);
        searching_close(&b);
    }
}

/* Gumbel: with 16 simulations all actions that are left after a halving have equal visits. */
static void gumbel_halves_its_candidates(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_search_move rows[9];
    searching_open(&s, "tictactoe", NULL, "rule=gumbel,gumbel-actions=4,solver=off", "rollout");
    searching_run(&s, 1);
    searching_run(&s, 16);
    int count = banyan_search_root_moves(s.search, 0, rows, 9), visited = 0;
    for (int i = 0; i < count; ++i)
        visited += rows[i].visits > 0;
    assert_int_equal(visited, 4);
    /* two rounds: 2 visits for each of 4, then 4 more for each of 2 */
    assert_int_equal(rows[0].visits, rows[1].visits);
    assert_int_equal(rows[0].visits, 6);
    assert_int_equal(rows[2].visits, 2);
    /* the next round counts its own visits only: again 2 actions get 6 more, and 2 get 2 */
    struct banyan_search_move again[9];
    searching_run(&s, 16);
    assert_int_equal(banyan_search_root_moves(s.search, 0, again, 9), count);
    int more[7] = {0};
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < count; ++k)
            if (again[i].action == rows[k].action && again[i].visits - rows[k].visits < 7)
                ++more[again[i].visits - rows[k].visits];
    assert_int_equal(more[6], 2);
    assert_int_equal(more[2], 2);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bandits_regret_what_the_table_says),
        cmocka_unit_test(worked_example_of_the_first_iterations),
        cmocka_unit_test(final_choice_respects_proofs),
        cmocka_unit_test(final_rules_differ_as_described),
        cmocka_unit_test(the_sign_is_right_for_both_movers),
        cmocka_unit_test(threats_are_met_by_both_movers),
        cmocka_unit_test(visits_differ_between_children),
        cmocka_unit_test(a_low_prior_child_stays_unvisited),
        cmocka_unit_test(leaves_come_in_batches),
        cmocka_unit_test(a_cache_remembers),
        cmocka_unit_test(hidden_cards_are_drawn),
        cmocka_unit_test(unvisited_children_have_no_order),
        cmocka_unit_test(exchanged_colours_have_equal_scores),
        cmocka_unit_test(gumbel_halves_its_candidates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
