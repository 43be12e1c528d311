/* Selection rules against values computed by hand: the arithmetic is in the comments, and the
 * formulas are those of the papers that they name.
 *
 * All trees are of the game `tree`, whose returns are -100..100: a payoff of v is the reward
 * q = (v + 100) / 200. */
#include "searching.h"

#include "search/search.h"

#include <math.h>
#include <stdio.h>

/* Scores are computed from priors that are floats: seven digits. */
static void check_near(double got, double expected)
{
    if (!(fabs(got - expected) < 2e-6))
        fail_msg("%.9f instead of %.9f", got, expected);
}

static uint64_t visits_of(struct searching *s, const char *label)
{
    return searching_row(s, 0, label).visits;
}

/* Runs one simulation and returns the label (one letter) of the action that it visited; 0: none. */
static char next_visit(struct searching *s, const char *labels)
{
    uint64_t before[16];
    for (int i = 0; labels[i]; ++i)
        before[i] = visits_of(s, (char[2]){labels[i], 0});
    searching_run(s, 1);
    for (int i = 0; labels[i]; ++i)
        if (visits_of(s, (char[2]){labels[i], 0}) != before[i])
            return labels[i];
    return 0;
}

/* The first simulation makes the root; each one after it visits the action that `order` names. */
static void check_order(struct searching *s, const char *labels, const char *order)
{
    searching_run(s, 1);
    for (int i = 0; order[i]; ++i) {
        char got = next_visit(s, labels);
        if (got != order[i])
            fail_msg("simulation %d went to %c, not to %c", i + 2, got ? got : '-', order[i]);
    }
}

#define TREE_ABC "(1 A*0.5:[-60] B*0.3:[60] C*0.2:[0])" /* q: 0.2, 0.8, 0.5 */

/* Silver et al. 2017: Q + c P sqrt(N) / (1 + n), with c = 1; first-play urgency as in Leela Chess
 * Zero: mean of the visited - fpu sqrt(their priors), fpu = 0.2.  N counts the simulation that made
 * the root.
 *
 *   N=1  nothing visited, mean 0.5:       A 0.5 + 0.5 = 1      B 0.5 + 0.3     C 0.5 + 0.2      -> A
 *   N=2  mean 0.2, urgency 0.2 - 0.2 sqrt 0.5 = 0.058579, sqrt 2 = 1.414214:
 *        A 0.2 + 1.414214*0.5/2 = 0.5536  B 0.0586 + 0.4243 = 0.4828  C 0.0586 + 0.2828         -> A
 *   N=3  A 0.2 + 1.732051*0.5/3 = 0.4887  B 0.0586 + 0.5196 = 0.5782  C 0.0586 + 0.3464         -> B
 *   N=4  mean (0.2+0.2+0.8)/3 = 0.4, urgency 0.4 - 0.2 sqrt 0.8 = 0.221115:
 *        A 0.2 + 2*0.5/3 = 0.533333       B 0.8 + 2*0.3/2 = 1.1       C 0.2211 + 0.4 = 0.6211   -> B
 *   N=5  mean (0.4+1.6)/4 = 0.5, urgency 0.321115, sqrt 5 = 2.236068:
 *        A 0.2 + 0.3727 = 0.5727          B 0.8 + 0.6708/3 = 1.0236   C 0.3211 + 0.4472 = 0.7683 -> B
 */
static void puct_by_hand(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tree", TREE_ABC, "rule=puct,cpuct=1,fpu=0.2,solver=off", "heuristic");
    check_order(&s, "ABC", "AAB");
    check_near(searching_row(&s, 0, "A").score, 0.2 + 2 * 0.5 / 3);
    check_near(searching_row(&s, 0, "B").score, 0.8 + 2 * 0.3 / 2);
    check_near(searching_row(&s, 0, "B").mean, 60);
    assert_int_equal(next_visit(&s, "ABC"), 'B');
    assert_int_equal(next_visit(&s, "ABC"), 'B');
    searching_close(&s);
}

/* First-play urgency alone.  P: A 0.6, B 0.4; q of A 0.5, c = 0.5.  With N=4 after A A A:
 *   A 0.5 + 0.5*2*0.6/4 = 0.65;  B 0.5 - fpu sqrt 0.6 + 0.5*2*0.4 = 0.9 - 0.774597 fpu
 * so that B is next when fpu < 0.25 / 0.774597 = 0.322749.  Before that, with the same rule:
 *   N=2  A 0.5 + 0.5*1.414214*0.6/2 = 0.7121;  B 0.7828 - 0.774597 fpu: B when fpu < 0.0913
 *   N=3  A 0.5 + 0.5*1.732051*0.6/3 = 0.6732;  B 0.8464 - 0.774597 fpu: B when fpu < 0.2236 */
static void first_play_urgency_by_hand(void **unused)
{
    (void)unused;
    const struct {
        const char *options, *order;
    } cases[] = {{"rule=puct,cpuct=0.5,fpu=0.091,solver=off", "AB"},
                 {"rule=puct,cpuct=0.5,fpu=0.092,solver=off", "AAB"},
                 {"rule=puct,cpuct=0.5,fpu=0.223,solver=off", "AAB"},
                 {"rule=puct,cpuct=0.5,fpu=0.224,solver=off", "AAAB"},
                 {"rule=puct,cpuct=0.5,fpu=0.322,solver=off", "AAAB"},
                 {"rule=puct,cpuct=0.5,fpu=0.323,solver=off", "AAAA"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct searching s;
        searching_open(&s, "tree", "(1 A*0.6:[0] B*0.4:[0])", cases[i].options, "heuristic");
        check_order(&s, "AB", cases[i].order);
        searching_close(&s);
    }
}

/* Silver et al. 2018, supplement: c(N) = c + ln((N + base + 1) / base); c = 1, base = 10.
 *   N=2  c = 1 + ln 1.3 = 1.262364:  A 0.2 + 0.4463 = 0.6463   B 0.0586 + 0.5356 = 0.5942   -> A
 *   N=3  c = 1 + ln 1.4 = 1.336472:  A 0.2 + 0.3858 = 0.5858   B 0.0586 + 0.6945 = 0.7530   -> B
 *   N=4  c = 1 + ln 1.5 = 1.405465:  A 0.2 + 1.405465*2*0.5/3 = 0.668488
 *                                    B 0.8 + 1.405465*2*0.3/2 = 1.221640 */
static void puct_grows_by_the_logarithm(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tree", TREE_ABC, "rule=puct,cpuct=1,fpu=0.2,puct-log-base=10,solver=off",
                   "heuristic");
    check_order(&s, "ABC", "AAB");
    check_near(searching_row(&s, 0, "A").score, 0.668488);
    check_near(searching_row(&s, 0, "B").score, 1.221640);
    searching_close(&s);
}

/* Wu 2019, section 3.2: a visited child of the root gets n >= sqrt(2 P N) visits.  P: A 0.88,
 * B 0.12; q: 0.8 and 0; c = 1, fpu = 0.
 *   B is visited first when 0.8 + sqrt(N)*0.12 > 0.8 + sqrt(N)*0.88/(n_A + 1), that is n_A + 1 >
 *   7.33: n_A = 7, N = 8.
 *   The visit after n of them is forced when n < sqrt(0.24 N), N > n^2/0.24: after 1 at once (N > 4.2),
 *   after 2 at N = 17 (16.67), after 3 at N = 38 (37.5), after 4 at N = 67 (66.67).
 * N is the number of simulations before, so the visits of B come with simulations 9, 10, 18, 39, 68. */
static void forced_playouts_by_hand(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tree", "(1 A*0.88:[60] B*0.12:[-100])",
                   "rule=puct,cpuct=1,fpu=0,forced-playouts,solver=off", "heuristic");
    const int at[] = {9, 10, 18, 39, 68};
    uint64_t expected = 0;
    for (int simulation = 1; simulation <= 70; ++simulation) {
        searching_run(&s, 1);
        expected += expected < 5 && simulation == at[expected];
        if (visits_of(&s, "B") != expected)
            fail_msg("after %d simulations B has %d visits, not %d", simulation,
                     (int)visits_of(&s, "B"), (int)expected);
    }
    searching_close(&s);
}

/* Coulom 2007: at most factor * N^power children, and one at least.
 *   factor 1, power 0.5: child k + 1 when k < sqrt N: N = 1, 2, 5, 10, 17
 *   factor 2, power 0.25: when k < 2 N^0.25, N > (k/2)^4: N = 1, 1 -> 2, 2 -> 3, 6 (5.06), 17 (16)
 * The third column is the simulation: N + 1. */
static void widening_by_hand(void **unused)
{
    (void)unused;
    const struct {
        const char *options;
        int at[5];
    } cases[] = {{"widen-factor=1,widen-power=0.5,solver=off", {2, 3, 6, 11, 18}},
                 {"widen-factor=2,widen-power=0.25,solver=off", {2, 3, 4, 7, 18}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        struct searching s;
        struct banyan_search_move rows[8];
        searching_open(&s, "tree", "(1 A:[0] B:[0] C:[0] D:[0] E:[0] F:[0])", cases[c].options,
                       "heuristic");
        int children = 0;
        for (int simulation = 1; simulation <= 20; ++simulation) {
            searching_run(&s, 1);
            children += children < 5 && simulation == cases[c].at[children];
            int visited = 0, count = banyan_search_root_moves(s.search, 0, rows, 8);
            for (int i = 0; i < count; ++i)
                visited += rows[i].visits > 0;
            if (visited != children)
                fail_msg("%s: %d children after %d simulations, not %d", cases[c].options, visited,
                         simulation, children);
        }
        searching_close(&s);
    }
}

/* --- noise --- */

static void noisy_open(struct searching *s, double weight, double alpha, int seed)
{
    char options[128];
    snprintf(options, sizeof options, "rule=puct,solver=off,noise-weight=%g,noise-alpha=%g,seed=%d",
             weight, alpha, seed);
    searching_open(s, "tree", "(1 A*0.4:[0] B*0.3:[0] C*0.2:[0] D*0.1:[0])", options, "heuristic");
}

/* Priors of a new root. */
static void noisy_priors(struct searching *s, float *out)
{
    static const char *const labels[] = {"A", "B", "C", "D"};
    searching_check(s, banyan_search_set_root(s->search, s->state, -1, &s->err));
    searching_run(s, 2); /* the first simulation makes the root, the second adds the noise */
    for (int i = 0; i < 4; ++i)
        out[i] = searching_row(s, 0, labels[i]).prior;
}

/* Silver et al. 2017: (1 - w) P + w d.  The same seed draws the same d, so w = 1 shows d itself. */
static void noise_has_its_weight(void **unused)
{
    (void)unused;
    static const float prior[] = {0.4f, 0.3f, 0.2f, 0.1f};
    for (int seed = 1; seed <= 20; ++seed) {
        struct searching all, quarter;
        float noise[4], mixed[4], sum = 0;
        noisy_open(&all, 1, 0.5, seed);
        noisy_open(&quarter, 0.25, 0.5, seed);
        noisy_priors(&all, noise);
        noisy_priors(&quarter, mixed);
        for (int i = 0; i < 4; ++i) {
            sum += noise[i];
            check_near(mixed[i], 0.75f * prior[i] + 0.25f * noise[i]);
        }
        check_near(sum, 1);
        searching_close(&all);
        searching_close(&quarter);
    }
}

/* Dirichlet(alpha) of K = 4: mean 1/4; variance (1/4)(3/4)/(4 alpha + 1): alpha 0.5: 0.1875/3 =
 * 0.0625; alpha 2: 0.1875/9 = 0.020833.  4,000 draws: the mean's error is sqrt(0.0625/4000) = 0.004,
 * the variance's below 0.0015 (its fourth moment is below 3 times its square). */
static void noise_has_the_moments_of_dirichlet(void **unused)
{
    (void)unused;
    const double alphas[] = {0.5, 2}, variances[] = {0.0625, 0.1875 / 9};
    for (int c = 0; c < 2; ++c) {
        struct searching s;
        double sum = 0, squares = 0;
        noisy_open(&s, 1, alphas[c], 1);
        for (int i = 0; i < 4000; ++i) {
            float noise[4];
            noisy_priors(&s, noise);
            sum += (double)noise[0];
            squares += (double)noise[0] * noise[0];
        }
        searching_close(&s);
        double mean = sum / 4000, variance = squares / 4000 - mean * mean;
        assert_true(fabs(mean - 0.25) < 4 * 0.004);
        assert_true(fabs(variance - variances[c]) < 0.07 * variances[c] + 0.001);
    }
}

/* --- Gumbel: Danihelka et al. 2022 --- */

/* Figure 1 and Karnin et al. 2013: log2(16) = 4 phases; phase with m alive: floor(200 / (4 m)) visits
 * each.  m=16: 3 each (48 used), m=8: 6 (96), m=4: 12 (144), m=2: 25 (194); the 6 that are left go to
 * the two alive, 3 each.  So the visits are
 *   2 x (3+6+12+25+3 = 49), 2 x (3+6+12 = 21), 4 x (3+6 = 9), 8 x 3;  98 + 42 + 36 + 24 = 200.
 * With sigma(q) = (50 + max n) 40 q and q that differ by 1/16 or more, 125 a step, noise decides
 * nothing: the order is that of the payoffs. */
static void gumbel_halves_by_hand(void **unused)
{
    (void)unused;
    static const char tree[] = "(1 A:[-94] B:[-81] C:[-69] D:[-56] E:[-44] F:[-31] G:[-19] H:[-6] "
                               "I:[6] J:[19] K:[31] L:[44]"
                               " M:[56] N:[69] O:[81] P:[94])";
    struct searching s;
    searching_open(&s, "tree", tree, "rule=gumbel,gumbel-actions=16,gumbel-scale=40,solver=off",
                   "heuristic");
    searching_run(&s, 1);
    searching_run(&s, 200);
    for (char label = 'A'; label <= 'P'; ++label) {
        uint64_t visits = visits_of(&s, (char[2]){label, 0});
        int expected = label >= 'O' ? 49 : label >= 'M' ? 21 : label >= 'I' ? 9 : 3;
        if (visits != (uint64_t)expected)
            fail_msg("%c has %d visits, not %d", label, (int)visits, expected);
    }
    searching_close(&s);
}

/* Equation 8: sigma(q) = (c_visit + max n) c_scale q; the root's score is g + logit + sigma(q).
 * After 8 simulations over 2 actions each has 4: c_visit 10, c_scale 0.5: (10 + 4) 0.5 = 7; q of A is
 * 0.25, of B 0.75.  So score(A) - g(A) - ln 0.8 = 1.75, score(B) - g(B) - ln 0.2 = 5.25. */
static void gumbel_sigma_by_hand(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tree", "(1 A*0.8:[-50] B*0.2:[50])",
                   "rule=gumbel,gumbel-actions=2,gumbel-visit=10,gumbel-scale=0.5,solver=off",
                   "heuristic");
    searching_run(&s, 1);
    searching_run(&s, 8);
    const struct tree_node *root = search_root_node(s.search, 0);
    for (int i = 0; i < 2; ++i) {
        bool is_a = tree_action(&s.search->tree, root, i) == searching_row(&s, 0, "A").action;
        struct banyan_search_move row = searching_row(&s, 0, is_a ? "A" : "B");
        assert_int_equal(row.visits, 4);
        check_near(row.score - s.search->gumbel->noise[i],
                   is_a ? log(0.8) + 1.75 : log(0.2) + 5.25);
    }
    searching_close(&s);
}

/* A search whose root was searched before as a child of another root and has `kept` simulations
 * from there; after it its only action is played. */
static void open_kept(struct searching *s, const char *tree, int gumbel_actions, int seed, int kept)
{
    char options[128];
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    snprintf(options, sizeof options,
             "rule=gumbel,solver=off,expand-visits=1,gumbel-actions=%d,seed=%d", gumbel_actions,
             seed);
    searching_open(s, "tree", tree, options, "heuristic");
    searching_run(s, kept);
    s->game->apply(s->game, s->state, joint, NULL);
    assert_true(banyan_search_advance(s->search, joint, s->state));
}

/* Algorithm 2 with one action considered: it is the one of highest g + logit, and is played,
 * however many visits the other actions have kept from the decision before.  All payoffs are equal,
 * so the inside shared out 1000 visits by the priors: A has 600.  The Gumbel-max trick: A is played
 * with probability 0.6; of 300 games in 180 +- 4 * sqrt(300 * 0.6 * 0.4) = 34. */
static void kept_visits_do_not_choose(void **unused)
{
    (void)unused;
    const double priors[] = {0.6, 0.2, 0.15, 0.05};
    int chosen_a = 0;
    for (int seed = 1; seed <= 300; ++seed) {
        struct searching s;
        open_kept(&s, "(1 Z:(1 A*0.6:[7] B*0.2:[7] C*0.15:[7] D*0.05:[7]))", 1, seed, 1000);
        assert_in_range(visits_of(&s, "A"), 590, 610);
        searching_run(&s, 20);
        const struct tree_node *root = search_root_node(s.search, 0);
        banyan_action best = 0;
        double best_score = -INFINITY;
        for (int i = 0; i < 4; ++i) {
            banyan_action action = tree_action(&s.search->tree, root, i);
            double score = s.search->gumbel->noise[i] + log(priors[action]);
            best = score > best_score ? action : best;
            best_score = fmax(score, best_score);
        }
        banyan_action chosen = searching_choice(&s, 0);
        if (chosen != best)
            fail_msg("seed %d: %c is played, but %c was considered", seed, 'A' + (int)chosen,
                     'A' + (int)best);
        chosen_a += chosen == 0;
        searching_close(&s);
    }
    assert_in_range(chosen_a, 180 - 34, 180 + 34);
}

/* The same with 4 of 8 considered and 24 simulations, in two phases: 4 x 3 and 2 x 6.  The two that got 9
 * of them are those considered last; after 23 simulations one of them has 8.  Of these two the one of the
 * higher score g + logit + sigma(q) is played. */
static void the_last_considered_is_played(void **unused)
{
    (void)unused;
    static const char tree[] =
        "(1 Z:(1 A*0.3:[-20] B*0.2:[10] C*0.1:[30] D*0.1:[20] E*0.1:[0] F*0.1:[25]"
        " G*0.05:[40] H*0.05:[15]))";
    for (int seed = 1; seed <= 400; ++seed) {
        struct searching s;
        uint64_t before[8];
        int considered = 0, simulations = 24 - seed % 2;
        double best_score = -INFINITY;
        banyan_action best = 0;
        open_kept(&s, tree, 4, seed, 5 * seed);
        for (int i = 0; i < 8; ++i)
            before[i] = visits_of(&s, (char[2]){(char)('A' + i), 0});
        searching_run(&s, simulations);
        for (int i = 0; i < 8; ++i) {
            struct banyan_search_move row = searching_row(&s, 0, (char[2]){(char)('A' + i), 0});
            if (row.visits - before[i] < 8)
                continue;
            ++considered;
            best = row.score > best_score ? row.action : best;
            best_score = fmax(row.score, best_score);
        }
        assert_int_equal(considered, 2);
        banyan_action chosen = searching_choice(&s, 0);
        if (chosen != best)
            fail_msg("seed %d: %c is played, not %c", seed, 'A' + (int)chosen, 'A' + (int)best);
        searching_close(&s);
    }
}

/* Inside the tree, equation 14: the action of highest pi'(a) - n(a) / (1 + N), where pi' is the
 * softmax of logit + sigma(q), unvisited actions with the node's mean.  c_visit 0, c_scale 1; P: C 0.6,
 * D 0.4; q: 0.25 and 0.75; the root has one action.  N counts the simulation that made the node.
 *   N=1  nothing visited: C 0.6 > D 0.4                                                          -> C
 *   N=2  sigma 1 q, D has the mean 0.25: pi' = P: C 0.6 - 1/3 < D 0.4                            -> D
 *   N=3  C 0.6 e^0.25 = 0.770415, D 0.4 e^0.75 = 0.846800: pi' 0.476384, 0.523616;
 *        C 0.476384 - 1/4 = 0.2264 < D 0.523616 - 1/4 = 0.2736                                   -> D
 *   N=4  sigma 2 q: C 0.6 e^0.5 = 0.989233, D 0.4 e^1.5 = 1.792676: pi' 0.355592, 0.644408;
 *        C 0.355592 - 1/5 = 0.1556 < D 0.644408 - 2/5 = 0.2444                                   -> D
 *   N=5  sigma 3 q: C 0.6 e^0.75 = 1.2702, D 0.4 e^2.25 = 3.795094: pi' 0.250771, 0.749229;
 *        C 0.250771 - 1/6 = 0.0841 < D 0.749229 - 3/6 = 0.2492                                   -> D
 *   N=6  sigma 4 q: C 0.6 e^1 = 1.630969, D 0.4 e^3 = 8.034215: pi' 0.168748, 0.831252;
 *        C 0.168748 - 1/7 = 0.0259 < D 0.831252 - 4/7 = 0.2598                                   -> D
 */
static void gumbel_inside_by_hand(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tree", "(1 A:(1 C*0.6:[-50] D*0.4:[50]))",
                   "rule=gumbel,gumbel-visit=0,gumbel-scale=1,expand-visits=1,solver=off",
                   "heuristic");
    const double sums[] = {0, 0, -50, 0, 50, 100, 150, 200};
    searching_run(&s, 1);
    for (int i = 1; i < 8; ++i) {
        searching_run(&s, 1);
        struct banyan_search_move row = searching_row(&s, 0, "A");
        assert_int_equal(row.visits, i);
        if (fabs(row.mean * i - sums[i]) > 1e-6)
            fail_msg("after %d visits of A their sum is %g, not %g", i, row.mean * i, sums[i]);
    }
    searching_close(&s);
}

/* The rule below the root by its formula: pi'(a) - N(a) / (1 + N), where pi' is the softmax of
 * ln P(a) + sigma(q(a)), and q of an action without visits is the mean of its node. */
static void improved_lags(const struct banyan_search_options *options,
                          const struct banyan_game *game, const struct banyan_search_trace *trace,
                          double *lags)
{
    double low = game->return_min, width = game->return_max - low;
    const struct banyan_search_move *rows = trace->rows;
    double all = 0, sum = 0, most = 0, top = -INFINITY, weights = 0;
    for (int i = 0; i < trace->count; ++i) {
        all += (double)rows[i].visits;
        sum += rows[i].visits ? rows[i].mean * (double)rows[i].visits : 0;
        most = fmax(most, (double)rows[i].visits);
    }
    for (int i = 0; i < trace->count; ++i) {
        double q = rows[i].visits ? rows[i].mean : sum / all;
        lags[i] = log((double)rows[i].prior) +
                  (options->gumbel_visit + most) * options->gumbel_scale * (q - low) / width;
        top = fmax(top, lags[i]);
    }
    for (int i = 0; i < trace->count; ++i)
        weights += exp(lags[i] - top);
    for (int i = 0; i < trace->count; ++i)
        lags[i] = exp(lags[i] - top) / weights - (double)rows[i].visits / (1 + all);
}

struct inside_seen {
    const struct banyan_game *game;
    const struct banyan_search_options *options;
    int choices, of_many; /* many: two actions or more have 1 % of the policy */
};

static void inside_check(void *ctx, const struct banyan_search_trace *trace)
{
    struct inside_seen *seen = ctx;
    double lags[64], best = -INFINITY;
    bool selects = trace->event == BANYAN_TRACE_SELECT || trace->event == BANYAN_TRACE_EXPAND;
    if (!selects || trace->depth == 0 || trace->count < 2 || trace->parent_visits < 3)
        return;
    uint64_t all = 0, likely = 0;
    for (int i = 0; i < trace->count; ++i)
        all += trace->rows[i].visits;
    if (all == 0)
        return;
    improved_lags(seen->options, seen->game, trace, lags);
    for (int i = 0; i < trace->count; ++i) {
        best = fmax(best, lags[i]);
        likely += lags[i] + (double)trace->rows[i].visits / (1 + (double)all) > 0.01;
    }
    if (lags[trace->chosen] < best - 1e-9)
        fail_msg("depth %d, %d visits: the action chosen lags by %.12g, another one by %.12g",
                 trace->depth, (int)all, lags[trace->chosen], best);
    ++seen->choices;
    seen->of_many += likely > 1;
}

/* Every choice below the root: with values that differ by much and by little, and with an action that has
 * 0.7 % of the policy, which must get its visits. */
static void gumbel_inside_by_formula(void **unused)
{
    (void)unused;
    static const char *const searches[][4] = {
        {"othello", NULL, "gumbel-scale=1", "rollout"},
        {"othello", NULL, "gumbel-scale=0.1", "rollout"},
        {"othello", NULL, "gumbel-scale=0.01,expand-visits=1", "rollout"},
        {"tree", "(1 A:(1 C*0.5:[100] D*0.5:[0]))", "gumbel-visit=100000,gumbel-scale=1e-4",
         "heuristic"},
    };
    struct inside_seen seen = {.choices = 0};
    for (int i = 0; i < 4; ++i) {
        struct searching s;
        char options[100];
        snprintf(options, sizeof options, "rule=gumbel,solver=off,%s", searches[i][2]);
        searching_open(&s, searches[i][0], searches[i][1], options, searches[i][3]);
        seen.game = s.game;
        seen.options = &s.options;
        banyan_search_set_trace(s.search, inside_check, &seen);
        searching_run(&s, 4000);
        searching_close(&s);
    }
    assert_in_range(seen.of_many, 10000, seen.choices - 10000);
}

/* --- what a search counts --- */

/* Two actions, each tried once first.  The 1st simulation makes the root; each later one
 * computes scores for the actions that were tried: 0, 1, 2, 2, 2 of them. */
static void scores_are_counted(void **unused)
{
    (void)unused;
    const uint64_t terms[] = {0, 0, 1, 3, 5, 7};
    struct banyan_search_profile profile;
    struct searching s;
    searching_open(&s, "tree", "(1 A:[0] B:[0])", "profile,solver=off,order=first", "heuristic");
    for (int i = 0; i < 6; ++i) {
        searching_run(&s, 1);
        banyan_search_profile(s.search, &profile, sizeof profile);
        assert_int_equal(profile.ucb_terms, terms[i]);
        assert_int_equal(profile.applies, i);
    }
    searching_close(&s);
}

/* While a root waits for its evaluator, its priors are unknown. */
static void priors_that_are_not_written_are_none(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_leaf leaf;
    searching_open(&s, "tictactoe", NULL, "rule=puct", "uniform");
    assert_int_equal(banyan_search_select(s.search, &leaf, 1), 1);
    assert_true(isnan(searching_row(&s, 0, "b2").prior));
    s.evaluator.evaluate(s.evaluator.ctx, &leaf, 1, NULL);
    banyan_search_update(s.search, &leaf, 1);
    assert_true(fabsf(searching_row(&s, 0, "b2").prior - 1.0f / 9) < 1e-6f);
    searching_close(&s);
}

/* Without any value yet a node is worth the middle of the range: an action in flight as much as one without visits, so
 * that with the exploration alone to tell them apart the next leaf is another action's. */
static void leaves_without_values_differ(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_leaf leaves[9];
    struct banyan_search_move rows[9];
    searching_open(&s, "tictactoe", NULL,
                   "rule=puct,fpu=0,cpuct=0.01,batch=9,solver=off,decisive=off", "uniform");
    searching_run(&s, 1); /* makes the root's node */
    int n = banyan_search_select(s.search, leaves, 9);
    assert_int_equal(n, 9);
    searching_check(&s, s.evaluator.evaluate(s.evaluator.ctx, leaves, n, &s.err));
    banyan_search_update(s.search, leaves, n);
    assert_int_equal(banyan_search_root_moves(s.search, 0, rows, 9), 9);
    for (int i = 0; i < 9; ++i)
        assert_int_equal(rows[i].visits, 1);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puct_by_hand),
        cmocka_unit_test(first_play_urgency_by_hand),
        cmocka_unit_test(leaves_without_values_differ),
        cmocka_unit_test(puct_grows_by_the_logarithm),
        cmocka_unit_test(forced_playouts_by_hand),
        cmocka_unit_test(widening_by_hand),
        cmocka_unit_test(noise_has_its_weight),
        cmocka_unit_test(noise_has_the_moments_of_dirichlet),
        cmocka_unit_test(gumbel_halves_by_hand),
        cmocka_unit_test(gumbel_sigma_by_hand),
        cmocka_unit_test(gumbel_inside_by_hand),
        cmocka_unit_test(gumbel_inside_by_formula),
        cmocka_unit_test(kept_visits_do_not_choose),
        cmocka_unit_test(the_last_considered_is_played),
        cmocka_unit_test(scores_are_counted),
        cmocka_unit_test(priors_that_are_not_written_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
