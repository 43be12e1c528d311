/* The search in games with chance, hidden cards and simultaneous moves. */
#include "searching.h"

#include "nashconv.h"

/* --- pig: published values (test_pig.c computes them again by value iteration) --- */

static void pig_converges(const char *setup, const char *options, int64_t simulations, double win)
{
    struct searching s;
    float values[2];
    searching_open(&s, "pig", setup, options, "rollout");
    searching_run(&s, simulations);
    banyan_search_root_values(s.search, values);
    double found = (values[0] + 1) / 2; /* returns are +1 and -1 */
    if (found < win - 0.005 || found > win + 0.005)
        fail_msg("%s: %.5f instead of %.5f", setup, found, win);
    searching_close(&s);
}

static void pig_has_its_published_values(void **unused)
{
    (void)unused;
    pig_converges("target=10", "exploration=0.2", 500000, 0.70942);
    pig_converges("target=20", "exploration=0.2,memory=512M", 3000000, 0.61556);
    pig_converges("target=20", "exploration=0.2,transpositions=on", 1000000, 0.61556);
}

static void three_players_share_what_there_is(void **unused)
{
    (void)unused;
    struct searching s;
    float values[3];
    searching_open(&s, "pig-3", "target=10", "", "rollout");
    searching_run(&s, 20000);
    banyan_search_root_values(s.search, values);
    assert_true(values[0] + values[1] + values[2] < 1e-5);
    assert_true(values[0] + values[1] + values[2] > -1e-5);
    /* the player who begins has an advantage */
    assert_true(values[0] > values[1] && values[1] > values[2]);
    searching_close(&s);
}

/* Whole games in which players 0 and 1 maximise their sum: this pays for both together, and what
 * one of them gains the other may lose. */
static void a_coalition_shares_what_there_is(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_rng rng;
    struct banyan_dice dice;
    float values[3];
    banyan_rng_seed(&rng, 23);
    banyan_dice_drawn(&dice, &rng);
    searching_open(&s, "pig-3", "target=10", "opponents=coalition,side0=0,side1=0,side2=1",
                   "rollout");
    for (int game = 0; game < 20; ++game) {
        searching_check(&s, s.game->init(s.game, s.state, "target=10", &rng, &s.err));
        unsigned movers;
        while ((movers = s.game->movers(s.game, s.state)) != 0) {
            banyan_action joint[3];
            int mover = movers == 4 ? 2 : (int)movers - 1;
            searching_check(&s, banyan_search_set_root(s.search, s.state, -1, &s.err));
            searching_run(&s, 300);
            banyan_search_root_values(s.search, values);
            assert_true(values[0] + values[1] + values[2] < 1e-5);
            assert_true(values[0] + values[1] + values[2] > -1e-5);
            joint[mover] = searching_choice(&s, mover);
            s.game->apply(s.game, s.state, joint, &dice);
        }
        s.game->returns(s.game, s.state, values);
        assert_true(values[0] + values[1] + values[2] == 0);
    }
    searching_close(&s);
}

/* --- equilibria --- */

/* The search's average strategies, in the form that nashconv.h takes. */
static void average_strategy(void *ctx, const struct banyan_game *game, const void *state,
                             int player, const banyan_action *actions, int n, double *out)
{
    banyan_action known[NASHCONV_ACTIONS];
    double shares[NASHCONV_ACTIONS];
    int count = banyan_search_average_strategy(ctx, state, player, known, shares, NASHCONV_ACTIONS);
    (void)game;
    for (int i = 0; i < n; ++i) {
        out[i] = count ? 0 : 1.0 / n;
        for (int j = 0; j < count; ++j)
            if (known[j] == actions[i])
                out[i] = shares[j];
    }
}

static double exploitability(struct searching *s, const struct nashconv_start *starts, int count)
{
    struct nashconv nc = {.game = s->game,
                          .starts = starts,
                          .count = count,
                          .strategy = average_strategy,
                          .ctx = s->search};
    return nashconv(&nc) / 2;
}

static void regret_matching_solves_matrix_games(void **unused)
{
    (void)unused;
    const char *const games[][2] = {
        {"rps", NULL}, {"matrix", NULL}, {"matrix", "3 -1 0;-2 4 1;0 1 -1"}};
    for (int i = 0; i < 3; ++i) {
        struct searching s;
        searching_open(&s, games[i][0], games[i][1], "rule=regret", "rollout");
        searching_run(&s, 3000000);
        struct nashconv_start start = {s.state, 1};
        double found = exploitability(&s, &start, 1);
        if (found > 0.01)
            fail_msg("%s: NashConv/2 = %f", games[i][0], found);
        searching_close(&s);
    }
}

static void matrix_game_mixes_as_the_formula_says(void **unused)
{
    (void)unused;
    struct searching s;
    banyan_action actions[8];
    double shares[8];
    searching_open(&s, "matrix", NULL, "rule=regret", "rollout"); /* [[2,-1],[-1,1]] */
    searching_run(&s, 300000);
    for (int player = 0; player < 2; ++player) {
        assert_int_equal(banyan_search_average_strategy(s.search, NULL, player, actions, shares, 8),
                         2);
        for (int i = 0; i < 2; ++i) {
            double expected = actions[i] == 0 ? 0.4 : 0.6;
            assert_true(shares[i] > expected - 0.02 && shares[i] < expected + 0.02);
        }
    }
    searching_close(&s);
}

static const char *const kuhn_deals[] = {"deal=KQ", "deal=KJ", "deal=QK",
                                         "deal=QJ", "deal=JK", "deal=JQ"};

struct kuhn {
    const struct banyan_game *game;
};

/* Draws all cards anew, the viewer's card too. */
static void kuhn_sample(void *ctx, const void *root, int viewer, void *out, struct banyan_rng *rng)
{
    const struct kuhn *kuhn = ctx;
    struct banyan_error err;
    (void)root;
    (void)viewer;
    kuhn->game->init(kuhn->game, out, kuhn_deals[banyan_rng_below(rng, 6)], NULL, &err);
}

static double kuhn_exploitability(const char *options, bool walk, bool own_sampler,
                                  int64_t simulations)
{
    struct searching s;
    struct kuhn kuhn;
    unsigned char states[6][64];
    struct nashconv_start starts[6];
    searching_open(&s, "kuhn", NULL, options, "rollout");
    kuhn.game = s.game;
    if (own_sampler)
        s.options.sampler = (struct banyan_search_sampler){.ctx = &kuhn, .sample = kuhn_sample};
    banyan_search_destroy(s.search);
    searching_check(&s, banyan_search_create(&s.search, s.game, &s.options, &s.evaluator, &s.err));
    searching_check(&s, banyan_search_set_root(s.search, s.state, 0, &s.err));
    if (walk)
        searching_check(&s, banyan_search_walk(s.search, simulations, NULL, &s.err));
    else
        searching_run(&s, simulations);
    for (int i = 0; i < 6; ++i) {
        searching_check(&s, s.game->init(s.game, states[i], kuhn_deals[i], NULL, &s.err));
        starts[i] = (struct nashconv_start){states[i], 1.0 / 6};
    }
    double found = exploitability(&s, starts, 6);
    searching_close(&s);
    return found;
}

static void regret_matching_solves_kuhn_poker(void **unused)
{
    (void)unused;
    for (int own_sampler = 0; own_sampler < 2; ++own_sampler) {
        double walked = kuhn_exploitability("rule=regret", true, own_sampler, 100000);
        double descended = kuhn_exploitability("rule=regret", false, own_sampler, 2000000);
        print_message("kuhn, NashConv/2: walk of 100,000 %.4f, descent of 2,000,000 %.4f\n", walked,
                      descended);
        assert_true(walked <= 0.01);
        assert_true(descended <= 0.01);
    }
}

/* The strategy of decoupled UCT in state: the visits of a search for that player. */
static void visited_strategy(void *ctx, const struct banyan_game *game, const void *state,
                             int player, const banyan_action *actions, int n, double *out)
{
    struct searching *s = ctx;
    struct banyan_search_move rows[NASHCONV_ACTIONS];
    double all = 0;
    (void)game;
    searching_check(s, banyan_search_set_root(s->search, state, player, &s->err));
    searching_run(s, 10000);
    int count = banyan_search_root_moves(s->search, player, rows, NASHCONV_ACTIONS);
    for (int r = 0; r < count; ++r)
        all += (double)rows[r].visits;
    for (int i = 0; i < n; ++i)
        for (int r = 0; r < count; ++r)
            if (rows[r].action == actions[i])
                out[i] = (double)rows[r].visits / all;
}

/* Decoupled UCT is known not to converge to equilibria. It must give valid strategies; their
 * exploitability is printed. */
static void decoupled_uct_is_reported(void **unused)
{
    (void)unused;
    const char *const games[][2] = {
        {"rps", NULL}, {"matrix", NULL}, {"matrix", "3 -1 0;-2 4 1;0 1 -1"}, {"kuhn", NULL}};
    for (int i = 0; i < 4; ++i) {
        struct searching s;
        unsigned char states[6][64];
        struct nashconv_start starts[6] = {{states[0], 1}};
        int count = strcmp(games[i][0], "kuhn") == 0 ? 6 : 1;
        searching_open(&s, games[i][0], games[i][1], "", "rollout");
        memcpy(states[0], s.state, s.game->state_size);
        for (int d = 0; d < count && count > 1; ++d) {
            searching_check(&s, s.game->init(s.game, states[d], kuhn_deals[d], NULL, &s.err));
            starts[d] = (struct nashconv_start){states[d], 1.0 / 6};
        }
        struct nashconv nc = {.game = s.game,
                              .starts = starts,
                              .count = count,
                              .strategy = visited_strategy,
                              .ctx = &s};
        double found = nashconv(&nc) / 2;
        print_message("%s %s: NashConv/2 of decoupled UCT %.4f\n", games[i][0],
                      games[i][1] ? games[i][1] : "", found);
        assert_true(found >= -1e-9 && found < s.game->return_max - s.game->return_min);
        searching_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pig_has_its_published_values),
        cmocka_unit_test(three_players_share_what_there_is),
        cmocka_unit_test(a_coalition_shares_what_there_is),
        cmocka_unit_test(regret_matching_solves_matrix_games),
        cmocka_unit_test(matrix_game_mixes_as_the_formula_says),
        cmocka_unit_test(regret_matching_solves_kuhn_poker),
        cmocka_unit_test(decoupled_uct_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
