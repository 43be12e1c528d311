/* Rules that exist twice, in a short form for plain nodes and in a general one, make the same
 * choices to the last tie.  A caller that asks a search with batch=2 for one leaf at a time gets
 * the simulations of batch=1, by the form for visits in flight or by the general one. */
#include "searching.h"

#include "search/search.h"

#include <banyan/tree.h>

#include <math.h>

enum { SIMULATIONS = 1500, BATCH_MOST = 16 };

/* An evaluator of few different values, so that many scores are equal. */
static enum banyan_status evaluate_coarsely(void *ctx, struct banyan_leaf *leaves, int n,
                                            struct banyan_error *err)
{
    (void)ctx, (void)err;
    for (int i = 0; i < n; ++i) {
        uint64_t key = leaves[i].game->key(leaves[i].game, leaves[i].state, 0);
        leaves[i].values[0] = (float)(key % 3) - 1;
        leaves[i].values[1] = -leaves[i].values[0];
    }
    return BANYAN_OK;
}

/* UCB1 as a rule of the caller's own. */
static void own_scores(void *ctx, const struct banyan_rule_node *node, double *out)
{
    (void)ctx;
    for (int i = 0; i < node->count; ++i)
        out[i] = node->edges[i].mean + node->sqrt_ln_visits * node->inverse_sqrt[i];
}

static const struct banyan_rule own_rule = {.struct_size = sizeof(struct banyan_rule),
                                            .name = "own",
                                            .scores = own_scores,
                                            .wants_inverse_sqrt = true,
                                            .reentrant = true};

/* Makes the search, which takes the general form of UCB1 where general is true. */
static void make_twin(struct searching *s, const char *game, const char *options, int batch,
                      bool general)
{
    bool own = strncmp(options, "own", 3) == 0;
    searching_open(s, game, NULL, own ? options + 4 : options, "uniform");
    banyan_search_destroy(s->search);
    s->options.batch = batch;
    s->options.own_rule = own ? &own_rule : NULL;
    s->evaluator.wants_actions = false;
    s->evaluator.evaluate = evaluate_coarsely;
    searching_check(s,
                    banyan_search_create(&s->search, s->game, &s->options, &s->evaluator, &s->err));
    searching_check(s, banyan_search_set_root(s->search, s->state, -1, &s->err));
    if (general && s->search->rule == &select_ucb1_in_flight)
        s->search->rule = &select_ucb1;
}

/* Asks for so many leaves at a time until all simulations are done. */
static void run_twin(struct searching *s, int leaves_at_once)
{
    struct banyan_leaf leaves[BATCH_MOST];
    banyan_search_plan(s->search, SIMULATIONS, true);
    for (int i = 0; i < SIMULATIONS; i += leaves_at_once) {
        int n = banyan_search_select(s->search, leaves, leaves_at_once);
        searching_check(s, s->evaluator.evaluate(s->evaluator.ctx, leaves, n, &s->err));
        banyan_search_update(s->search, leaves, n);
    }
}

/* The scores that the rows of the root tell are those of the rule, by hand. */
static void check_scores(const struct searching *s)
{
    struct banyan_search_move rows[64];
    struct banyan_tree_node info;
    int count = banyan_search_root_moves(s->search, 0, rows, 64);
    banyan_tree_node(s->search, banyan_tree_root(s->search, 0, 0), &info, sizeof info);
    for (int i = 0; i < count; ++i) {
        double right = rows[i].mean + sqrt(log((double)info.visits) / (double)rows[i].visits);
        if (rows[i].visits && rows[i].lo < rows[i].hi && !(fabs(rows[i].score - right) < 1e-6))
            fail_msg("a score of %g, not %g", rows[i].score, right);
    }
}

static const char *const games[] = {"othello", "tictactoe", "connect4", "hex-5x5"};

static void check_equal(const struct searching *one, const struct searching *two,
                        const char *options)
{
    assert_int_equal(one->search->simulations, two->search->simulations);
    if (banyan_search_signature(one->search) != banyan_search_signature(two->search))
        fail_msg("%s, %s: another tree", one->game->name, options);
}

static void short_forms_choose_the_same(void **unused)
{
    static const char *const options[] = {
        "solver=off", "solver=on",      "rule=gumbel,solver=off", "rule=gumbel,solver=on",
        "rule=puct",  "own,solver=off", "own,solver=on",          "own,decisive=off"};
    (void)unused;
    for (size_t g = 0; g < sizeof games / sizeof *games; ++g) {
        for (size_t o = 0; o < sizeof options / sizeof *options; ++o) {
            struct searching one, two;
            make_twin(&one, games[g], options[o], 1, false);
            make_twin(&two, games[g], options[o], 2, true);
            run_twin(&one, 1);
            run_twin(&two, 1);
            check_equal(&one, &two, options[o]);
            if (strncmp(options[o], "own", 3) == 0) {
                check_scores(&one);
                check_scores(&two);
            }
            searching_close(&one);
            searching_close(&two);
        }
    }
}

/* With many visits in flight, first visits of edges among them, and visits that a proof ends. */
static void the_form_for_visits_in_flight_chooses_the_same(void **unused)
{
    static const char *const options[] = {"solver=off", "solver=on", "decisive=off,memory=1M"};
    (void)unused;
    for (size_t g = 0; g < sizeof games / sizeof *games; ++g) {
        for (size_t o = 0; o < sizeof options / sizeof *options; ++o) {
            struct searching one, two;
            make_twin(&one, games[g], options[o], BATCH_MOST, false);
            make_twin(&two, games[g], options[o], BATCH_MOST, true);
            assert_ptr_equal(one.search->rule, &select_ucb1_in_flight);
            run_twin(&one, BATCH_MOST);
            run_twin(&two, BATCH_MOST);
            check_equal(&one, &two, options[o]);
            searching_close(&one);
            searching_close(&two);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_forms_choose_the_same),
        cmocka_unit_test(the_form_for_visits_in_flight_chooses_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
