/* Sequential halving until a flag is set, and the early end of a run.  By time: test_search_clock. */
#include "search_stopping.h"

#include "search/search.h"

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

/* A run until a flag is set: halving begins again with twice as many simulations, so no action
 * is ignored for ever. */
static void halving_without_a_limit_begins_again(void **unused)
{
    (void)unused;
    struct searching s;
    struct stopping stopping = {.at = 40000};
    struct banyan_evaluator evaluator = stopping_evaluator(&stopping);
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

/* --- the choice in the middle of a round --- */

/* The best score of the actions that halving considered last: if some of them have one visit more, the others
 * count, too.  alive: how many are considered; most: the visits of the most visited. */
static double best_considered(const struct banyan_search_move *rows, int count, int alive)
{
    uint64_t most = rows[0].visits;
    int ahead = 0;
    double best = -INFINITY;
    while (ahead < count && rows[ahead].visits == most)
        ++ahead;
    uint64_t least = ahead < alive && most > 1 ? most - 1 : most;
    for (int i = 0; i < count; ++i)
        if (rows[i].visits >= least)
            best = fmax(best, rows[i].score);
    return best;
}

/* Two phases share 96 or 16 simulations: four actions have an eighth of them each, then two of these a quarter more.
 * After every simulation the choice is one of those considered. */
static void a_choice_within_a_round_is_of_all_considered(void **unused)
{
    int others = 0;
    (void)unused;
    for (int seed = 1; seed <= 200; ++seed) {
        struct searching s;
        struct banyan_leaf leaf;
        struct banyan_search_move rows[9], chosen;
        char options[64];
        int planned = seed <= 20 ? 96 : 16;
        snprintf(options, sizeof options, "rule=gumbel,gumbel-actions=4,solver=off,seed=%d", seed);
        searching_open(&s, "connect4", NULL, options, "rollout");
        banyan_search_plan(s.search, planned, true);
        for (int made = 0; made <= planned; ++made) {
            int n = banyan_search_select(s.search, &leaf, 1); /* 0: a game ended in the tree */
            searching_check(&s, s.evaluator.evaluate(s.evaluator.ctx, &leaf, n, &s.err));
            banyan_search_update(s.search, &leaf, n);
            int count = banyan_search_root_moves(s.search, 0, rows, 9);
            if (made == 0) /* the root alone */
                continue;
            searching_check(&s, banyan_search_choose(s.search, 0, &chosen, &s.err));
            if (chosen.score != best_considered(rows, count, made <= planned / 2 ? 4 : 2))
                fail_msg("seed %d, %d simulations: %g was chosen", seed, made, chosen.score);
            others += chosen.visits < rows[0].visits;
        }
        searching_close(&s);
    }
    if (others <= 30)
        fail_msg("%d choices of actions with fewer visits", others);
}

/* The root's noise is drawn once: nodes below with as many actions do not change it. */
static void the_noise_of_a_root_stays(void **unused)
{
    (void)unused;
    struct searching s;
    double noise;
    searching_open(&s, "pig", NULL, "rule=gumbel", "rollout");
    assert_int_equal(s.game->max_legal, 2);
    searching_run(&s, 3);
    assert_int_equal(s.search->gumbel->noise_count, 1); /* at first there is nothing to hold */
    noise = s.search->gumbel->noise[0];
    searching_run(&s, 2000);
    assert_true(s.search->gumbel->noise[0] == noise);
    searching_close(&s);
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
                 {"final=sample,temperature=0.00099", false, true}, /* counts as 0 */
                 {"final=sample,temperature=0.001", true, false},
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
        cmocka_unit_test(halving_without_a_limit_begins_again),
        cmocka_unit_test(luck_does_not_depend_on_the_schedule),
        cmocka_unit_test(the_noise_of_a_root_stays),
        cmocka_unit_test(a_choice_within_a_round_is_of_all_considered),
        cmocka_unit_test(an_early_end_does_not_change_the_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
