/* Selection rules of your own (banyan/rule.h): what they see, and that the search follows them. */
#include "base/numeric.h"
#include "searching.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

/* Opens a search with the rule in place of rule=ucb1. */
static enum banyan_status open_own(struct searching *s, const char *game, const char *options,
                                   const struct banyan_rule *rule)
{
    searching_open(s, game, NULL, options, "rollout");
    banyan_search_destroy(s->search);
    s->search = NULL;
    s->options.own_rule = rule;
    enum banyan_status status =
        banyan_search_create(&s->search, s->game, &s->options, &s->evaluator, &s->err);
    if (status == BANYAN_OK)
        searching_check(s, banyan_search_set_root(s->search, s->state, -1, &s->err));
    return status;
}

static uint64_t signature(const char *game, const char *options, const struct banyan_rule *rule)
{
    struct searching s;
    searching_check(&s, open_own(&s, game, options, rule));
    searching_run(&s, 3000);
    uint64_t result = banyan_search_signature(s.search);
    searching_close(&s);
    return result;
}

/* What a rule has seen of the roots: how often sqrt_ln_visits was wrong, and how many 1/sqrt(visits) were
 * rounded to floats and to doubles. */
struct roots {
    atomic_int wrong, edges, floats, doubles; /* an ensemble has two threads */
};

static void ucb1_scores(void *ctx, const struct banyan_rule_node *node, double *out)
{
    struct roots *roots = ctx;
    double ln = node->visits > 1 ? banyan_ln(node->visits) : 0;
    roots->wrong += node->sqrt_ln_visits != sqrt(ln) || !node->inverse_sqrt;
    for (int i = 0; i < node->count; ++i) {
        double root = node->sqrt_ln_visits, exact = sqrt(1.0 / node->edges[i].visits);
        if (node->chances)
            root = node->chances[i] > 1 ? sqrt(banyan_ln(node->chances[i])) : 0;
        roots->floats += node->inverse_sqrt[i] == (double)(float)exact;
        roots->doubles += node->inverse_sqrt[i] == exact;
        ++roots->edges;
        out[i] = node->edges[i].mean + node->reward_width * root * node->inverse_sqrt[i];
    }
}

static void the_same_tree_as_ucb1(void **unused)
{
    (void)unused;
    static const struct {
        const char *game, *options;
        bool plain; /* the search keeps 1/sqrt(visits), as floats */
    } rows[] = {
        {"tictactoe", "", false},
        {"tictactoe", "solver=off", true},
        {"breakthrough", "memory=300K", false},
        {"connect4", "batch=8", false},
        {"connect4", "solver=off,memory=300K", true},
        {"othello", "widen-factor=2,ensemble=2", false},
        {"hex-5x5", "transpositions", true},
        {"pig", "", true},
        {"tree-3", "opponents=paranoid", true},
        {"kuhn", "", false},
        {"kuhn", "availability=off,keys=full", false},
        {"rps", "", true},
        {"pokemon", "worlds=2", false},
        {"bloodbowl-1", "", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct roots roots = {0};
        struct banyan_rule rule = {.struct_size = sizeof rule,
                                   .name = "own",
                                   .ctx = &roots,
                                   .scores = ucb1_scores,
                                   .wants_inverse_sqrt = true,
                                   .reentrant = strstr(rows[i].options, "ensemble")};
        uint64_t own = signature(rows[i].game, rows[i].options, &rule);
        if (own != signature(rows[i].game, rows[i].options, NULL))
            fail_msg("another tree in %s with %s", rows[i].game, rows[i].options);
        assert_int_equal(roots.wrong, 0);
        assert_int_equal(rows[i].plain ? roots.floats : roots.doubles, roots.edges);
    }
}

static void simple_scores(void *ctx, const struct banyan_rule_node *node, double *out)
{
    (void)ctx;
    for (int i = 0; i < node->count; ++i)
        out[i] = node->edges[i].mean + node->sqrt_ln_visits * sqrt(1.0 / node->edges[i].visits);
}

/* Bytes of the tree of 2,000 simulations of Connect Four with a solver. */
static uint64_t bytes_used(bool wants_inverse_sqrt)
{
    struct banyan_rule rule = {.struct_size = sizeof rule,
                               .name = "simple",
                               .scores = simple_scores,
                               .wants_inverse_sqrt = wants_inverse_sqrt};
    struct searching s;
    struct banyan_search_stats stats;
    searching_check(&s, open_own(&s, "connect4", "", &rule));
    searching_run(&s, 2000);
    banyan_search_stats(s.search, &stats, sizeof stats);
    searching_close(&s);
    return stats.bytes_used;
}

/* With a solver the roots are computed when the rule is asked, and take no room in the tree. */
static void roots_take_no_room_with_a_solver(void **unused)
{
    (void)unused;
    assert_int_equal(bytes_used(true), bytes_used(false));
}

/* Never tries a second action, and notes what it has seen. */
struct seen {
    int most, untried, roots;
    float least_prior;
    double most_variance;
};

static void stay_scores(void *ctx, const struct banyan_rule_node *node, double *out)
{
    struct seen *seen = ctx;
    seen->most = node->count > seen->most ? node->count : seen->most;
    seen->roots += node->inverse_sqrt ? 1 : 0;
    for (int i = 0; i < node->count; ++i) {
        out[i] = 0;
        if (node->variances && node->variances[i] > seen->most_variance)
            seen->most_variance = node->variances[i];
        if (node->priors && node->priors[i] < seen->least_prior)
            seen->least_prior = node->priors[i];
    }
    if (node->has_untried) {
        out[node->count] = -1;
        seen->untried += node->mean >= -1 && node->mean <= 1;
    }
}

static void an_untried_action_competes(void **unused)
{
    struct seen seen = {.least_prior = 1};
    struct banyan_rule rule = {.struct_size = sizeof rule,
                               .name = "stay",
                               .ctx = &seen,
                               .scores = stay_scores,
                               .wants_priors = true,
                               .wants_variances = true,
                               .scores_untried = true};
    struct searching s;
    struct banyan_search_stats stats;
    (void)unused;
    searching_check(&s, open_own(&s, "tictactoe", "solver=off", &rule));
    searching_run(&s, 500);
    banyan_search_stats(s.search, &stats, sizeof stats);
    assert_int_equal(seen.most, 1);
    assert_true(seen.untried > 100);
    assert_int_equal(seen.roots, 0); /* the rule did not ask for them */
    assert_true(stats.edges <= 9);
    assert_true(seen.least_prior > 0.1f && seen.least_prior < 0.2f); /* 1/9 at the root */
    assert_true(seen.most_variance > 0.3 && seen.most_variance <= 1);
    searching_close(&s);
}

static double normal(struct banyan_rng *rng)
{
    double sum = -6;
    for (int i = 0; i < 12; ++i)
        sum += banyan_rng_unit(rng);
    return sum;
}

static void thompson_scores(void *ctx, const struct banyan_rule_node *node, double *out)
{
    (void)ctx;
    for (int i = 0; i < node->count; ++i)
        out[i] = node->edges[i].mean +
                 node->reward_width * sqrt(0.25 / node->edges[i].visits) * normal(node->rng);
}

/* A rule that draws random numbers finds the best arm; the same seed gives the same tree, and rows
 * that are read between runs change nothing. */
static void a_rule_may_draw(void **unused)
{
    struct banyan_rule rule = {
        .struct_size = sizeof rule, .name = "thompson", .scores = thompson_scores};
    (void)unused;
    uint64_t first = signature("bandit", "seed=5", &rule);
    assert_true(first == signature("bandit", "seed=5", &rule));
    assert_true(first != signature("bandit", "seed=6", &rule));
    struct searching s;
    struct banyan_search_move rows[16];
    searching_check(&s, open_own(&s, "bandit", "seed=5", &rule));
    for (int i = 0; i < 30; ++i) {
        searching_run(&s, 100);
        assert_true(banyan_search_root_moves(s.search, 0, rows, 16) > 1);
    }
    assert_true(first == banyan_search_signature(s.search));
    assert_true(rows[0].visits > 1500);
    searching_close(&s);
}

static void expect_refused(const char *options, const struct banyan_rule *rule,
                           enum banyan_status status, const char *message)
{
    struct searching s;
    assert_int_equal(open_own(&s, "tictactoe", options, rule), status);
    if (!strstr(s.err.message, message))
        fail_msg("'%s' does not say '%s'", s.err.message, message);
    searching_close(&s);
}

static void what_cannot_be_is_refused(void **unused)
{
    const struct banyan_rule rule = {
        .struct_size = sizeof rule, .name = "thompson", .scores = thompson_scores};
    const struct banyan_rule none = {.struct_size = sizeof none};
    struct banyan_rule sizeless = rule;
    sizeless.struct_size = 0;
    (void)unused;
    expect_refused("rule=puct", &rule, BANYAN_UNSUPPORTED,
                   "'thompson' takes the place of rule=ucb1");
    expect_refused("threads=2", &rule, BANYAN_UNSUPPORTED, "'thompson' serves one thread");
    expect_refused("ensemble=2", &rule, BANYAN_UNSUPPORTED, "'thompson' serves one thread");
    expect_refused("", &none, BANYAN_INVALID, "no function scores");
    expect_refused("", &sizeless, BANYAN_INVALID, "banyan_rule");
}

static void logarithms_and_powers(void **unused)
{
    (void)unused;
    assert_true(fabs(banyan_ln(2) - 0.69314718055994531) < 1e-15);
    assert_true(fabs(banyan_exp(1) - 2.7182818284590452) < 1e-14);
    assert_true(banyan_exp(-701) == 0);
}

static void tables_of_counts(void **unused)
{
    (void)unused;
    assert_true(numeric_sqrt_ln(0) == 0);
    for (uint32_t n = 1; n < 2 * NUMERIC_COUNTS; ++n) {
        assert_true(numeric_inverse_sqrt(n) == sqrt(1.0 / n));
        assert_true(numeric_sqrt_ln(n) == (n > 1 ? sqrt(numeric_ln(n)) : 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_tree_as_ucb1),
        cmocka_unit_test(roots_take_no_room_with_a_solver),
        cmocka_unit_test(an_untried_action_competes),
        cmocka_unit_test(a_rule_may_draw),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(logarithms_and_powers),
        cmocka_unit_test(tables_of_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
