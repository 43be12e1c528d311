/* Sequential halving by time and until a flag is set, and the early end of a run. */
#include "search_stopping.h"

#include <math.h>
#include <stdio.h>

/* --- sequential halving without a number of simulations --- */

/* The visits of the root's `count` actions, in ascending order; returns their sum. */
static uint64_t root_visits(const struct searching *s, uint64_t visits[], int count)
{
    struct banyan_search_move rows[9];
    uint64_t sum = 0;
    assert_int_equal(banyan_search_root_moves(s->search, 0, rows, 9), count);
    for (int i = 0; i < count; ++i)
        sum += visits[i] = rows[count - 1 - i].visits;
    return sum;
}

/* A run with a limit of time: nine actions, then four, then two are considered, and each of the
 * four phases has a fair share of the simulations. */
static void halving_by_time_uses_all_of_it(void **unused)
{
    (void)unused;
    static const int alive[4] = {9, 4, 2, 2}, drops[3] = {0, 5, 7};
    struct searching s;
    uint64_t visits[9];
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .time_ms = 300};
    searching_open(&s, "tictactoe", NULL, "rule=gumbel,solver=off", "rollout");
    searching_check(&s, banyan_search_run(s.search, &limits, &s.err));
    double all = (double)root_visits(&s, visits, 9);
    assert_true(visits[4] - visits[0] <= 1); /* the five actions that dropped out first */
    for (int phase = 0; phase < 2; ++phase) {
        uint64_t before = phase ? visits[drops[phase] - 1] : 0;
        double share = (double)(visits[drops[phase]] - before) * alive[phase] / all;
        if (share < 0.1 || share > 0.5) /* 0.25 in a run with a number of simulations */
            fail_msg("phase %d has %.3f of %.0f simulations", phase, share, all);
    }
    assert_true((double)(visits[7] - visits[6]) * 2 / all > 0.2); /* the last two phases */
    searching_close(&s);
}

/* A run until a flag is set: halving begins again with twice as many simulations, so no action
 * is ignored for ever. */
static void halving_without_a_limit_begins_again(void **unused)
{
    (void)unused;
    struct searching s;
    struct stopping stopping = {.at = 40000};
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = "stopping",
                                         .ctx = &stopping,
                                         .reentrant = true,
                                         .evaluate = stopping_evaluate};
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .stop = &stopping.stop};
    uint64_t visits[7];
    open_with(&s, "connect4", "rule=gumbel,solver=off", &evaluator);
    banyan_search_run(s.search, &limits, NULL);
    uint64_t all = root_visits(&s, visits, 7);
    /* the first seven actions share a third of the simulations */
    assert_true(visits[0] * 50 > all);
    assert_true(visits[6] * 7 > all);
    searching_close(&s);
}

/* Simulates one at a time, and records the mean of each action (by number) after so many visits. */
enum { LUCK_VISITS = 300 };

static void simulate_as_planned(int64_t planned, int simulations, double means[9][LUCK_VISITS])
{
    struct searching s;
    struct banyan_leaf leaf;
    struct banyan_search_move rows[9];
    searching_open(&s, "tictactoe", NULL, "rule=gumbel,solver=off", "rollout");
    banyan_search_plan(s.search, planned, true);
    for (int i = 0; i < simulations; ++i) {
        if (banyan_search_select(s.search, &leaf, 1) == 1) {
            searching_check(&s, s.evaluator.evaluate(s.evaluator.ctx, &leaf, 1, &s.err));
            banyan_search_update(s.search, &leaf, 1);
        }
        int count = banyan_search_root_moves(s.search, 0, rows, 9);
        for (int r = 0; r < count; ++r)
            if (rows[r].visits && rows[r].visits < LUCK_VISITS)
                means[rows[r].action][rows[r].visits] = rows[r].mean;
    }
    searching_close(&s);
}

/* What happens below an action of the root depends on its own visits only, so another schedule
 * gives the same results for equal visits. */
static void luck_does_not_depend_on_the_schedule(void **unused)
{
    (void)unused;
    static double even[9][LUCK_VISITS], halved[9][LUCK_VISITS];
    int compared = 0;
    for (int action = 0; action < 9; ++action)
        for (int visits = 0; visits < LUCK_VISITS; ++visits)
            even[action][visits] = halved[action][visits] = (double)NAN;
    simulate_as_planned(1000000, 1500, even); /* all actions in turn */
    simulate_as_planned(360, 360, halved);
    for (int action = 0; action < 9; ++action)
        for (int visits = 1; visits < LUCK_VISITS; ++visits)
            if (!isnan(even[action][visits]) && !isnan(halved[action][visits])) {
                assert_true(even[action][visits] == halved[action][visits]);
                ++compared;
            }
    assert_in_range(compared, 350, 360);
}

/* --- an early end --- */

/* The action chosen after so many simulations, with or without an early end. */
static banyan_action early_choice(const char *options, bool early, uint64_t *made)
{
    struct searching s;
    struct banyan_search_limits limits = {
        .struct_size = sizeof(struct banyan_search_limits), .simulations = 400, .early = early};
    struct banyan_search_stats stats;
    searching_open(&s, "tictactoe", "moves:a1 c2", options, "rollout");
    searching_check(&s, banyan_search_run(s.search, &limits, &s.err));
    banyan_search_stats(s.search, &stats, sizeof stats);
    banyan_action chosen = searching_choice(&s, 0);
    *made = stats.simulations;
    searching_close(&s);
    return chosen;
}

/* With every final rule, an early end does not change the choice; and runs do end early where
 * the choice is certain. */
static void an_early_end_does_not_change_the_choice(void **unused)
{
    (void)unused;
    static const struct {
        const char *options;
        bool drawn, ends; /* drawn: the choice is random; ends: some run of 400 simulations ends
                             early */
    } cases[] = {{"final=robust", false, true},
                 {"final=max", false, false},
                 {"final=max-robust,w1=0.2", false, true},
                 {"final=secure", false, false},
                 {"final=sample", true, false},
                 {"final=sample,temperature=0", false, true},
                 {"final=average,rule=regret", true, false},
                 {"final=max-robust,agree=on", true, false},
                 {"rule=gumbel,gumbel-actions=3", false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bool ended = false;
        for (int seed = 1; seed <= 40; ++seed) {
            char options[120];
            uint64_t made, all;
            snprintf(options, sizeof options, "solver=off,exploration=0.3,seed=%d,%s", seed,
                     cases[i].options);
            banyan_action chosen = early_choice(options, true, &made);
            if (early_choice(options, false, &all) != chosen)
                fail_msg("%s: another choice after %d of %d simulations", options, (int)made,
                         (int)all);
            ended = ended || made < all;
        }
        if (ended && cases[i].drawn)
            fail_msg("%s: ended early", cases[i].options);
        if (!ended && cases[i].ends)
            fail_msg("%s: never ended early", cases[i].options);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halving_by_time_uses_all_of_it),
        cmocka_unit_test(halving_without_a_limit_begins_again),
        cmocka_unit_test(luck_does_not_depend_on_the_schedule),
        cmocka_unit_test(an_early_end_does_not_change_the_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
