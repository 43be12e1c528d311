/* The search against the whole game tree of tic-tac-toe (exact.h). */
#include "searching.h"

#include <banyan/exact.h>

#include <stdio.h>

enum { STATES_MAX = 6000, NONTERMINAL = 4520 };

struct reached {
    unsigned char state[8];
};

/* Collects all reachable states, each once; returns their number. */
static int reach_all(const struct banyan_game *game, struct reached *out)
{
    int count = 1;
    struct banyan_error err;
    memset(out[0].state, 0, sizeof out[0].state);
    assert_int_equal(game->init(game, out[0].state, NULL, NULL, &err), BANYAN_OK);
    for (int i = 0; i < count; ++i) {
        unsigned movers = game->movers(game, out[i].state);
        banyan_action legal[9], joint[2];
        int mover = (int)(movers >> 1),
            n = movers ? game->legal(game, out[i].state, mover, legal) : 0;
        for (int a = 0; a < n; ++a) {
            struct reached next = out[i];
            joint[mover] = legal[a];
            game->apply(game, next.state, joint, NULL);
            int j = 0;
            while (j < count && memcmp(out[j].state, next.state, sizeof next.state) != 0)
                ++j;
            if (j == count)
                out[count++] = next;
        }
    }
    return count;
}

/* Searches every state by 1,000 simulations and returns how often the chosen action is not optimal.
 * *all: number of states in which some action is not optimal. */
static int count_lost(const char *options, const char *evaluator, int *all)
{
    static struct reached states[STATES_MAX];
    struct searching s;
    struct banyan_exact *exact;
    searching_open(&s, "tictactoe", NULL, options, evaluator);
    searching_check(&s, banyan_exact_create(&exact, s.game, 64u << 20, &s.err));
    int count = reach_all(s.game, states), lost = 0;
    assert_int_equal(count, 5478);
    for (int i = 0; i < count; ++i) {
        unsigned movers = s.game->movers(s.game, states[i].state);
        if (!movers)
            continue;
        struct banyan_exact_action rows[9];
        int n, mover = (int)(movers >> 1);
        searching_check(&s, banyan_search_set_root(s.search, states[i].state, -1, &s.err));
        searching_run(&s, 1000);
        banyan_action action = searching_choice(&s, mover);
        searching_check(&s, banyan_exact_actions(exact, states[i].state, rows, &n, &s.err));
        for (int a = 0; a < n; ++a)
            lost += rows[a].action == action && !rows[a].optimal;
        ++*all;
    }
    banyan_exact_destroy(exact);
    searching_close(&s);
    return lost;
}

/* The default search with any seed: of 90,400 decisions at most one may lose value. */
static void default_keeps_the_value_of_every_state(void **unused)
{
    (void)unused;
    int all = 0, lost = 0;
    for (int seed = 1; seed <= 20; ++seed) {
        char options[32];
        snprintf(options, sizeof options, "seed=%d", seed);
        lost += count_lost(options, "rollout", &all);
    }
    assert_int_equal(all, 20 * NONTERMINAL);
    print_message("%d of %d decisions lose value\n", lost, all);
    assert_true(lost <= 1);
}

/* Every rule uses proven values, so it hardly ever chooses an action that is not optimal. */
static void every_rule_respects_proofs(void **unused)
{
    (void)unused;
    const char *const options[] = {"rule=ucb1-tuned", "rule=puct", "rule=gumbel"};
    for (int i = 0; i < 3; ++i) {
        int all = 0, lost = count_lost(options[i], "rollout", &all);
        print_message("%s: %d of %d decisions lose value\n", options[i], lost, all);
        assert_true(lost <= all / 1000);
    }
}

/* A search that runs until the root is proven finds the exact value of every state. */
static void solver_proves_every_state(void **unused)
{
    (void)unused;
    static struct reached states[STATES_MAX];
    struct searching s;
    struct banyan_exact *exact;
    searching_open(&s, "tictactoe", NULL, "seed=9", "rollout");
    searching_check(&s, banyan_exact_create(&exact, s.game, 64u << 20, &s.err));
    int count = reach_all(s.game, states), proven = 0;
    for (int i = 0; i < count; ++i) {
        unsigned movers = s.game->movers(s.game, states[i].state);
        if (!movers)
            continue;
        struct banyan_search_move choice;
        double values[2];
        int mover = (int)(movers >> 1);
        searching_check(&s, banyan_search_set_root(s.search, states[i].state, -1, &s.err));
        searching_run(&s, 200000); /* the search ends when the root is proven */
        searching_check(&s, banyan_search_choose(s.search, mover, &choice, &s.err));
        searching_check(&s, banyan_exact_value(exact, states[i].state, values, &s.err));
        proven += choice.lo == choice.hi && choice.lo == (float)values[mover];
    }
    assert_int_equal(proven, NONTERMINAL);
    banyan_exact_destroy(exact);
    searching_close(&s);
}

/* Proven bounds never contradict the exact value. */
static void bounds_contain_the_exact_value(void **unused)
{
    (void)unused;
    static struct reached states[STATES_MAX];
    struct searching s;
    struct banyan_exact *exact;
    searching_open(&s, "tictactoe", NULL, "seed=6", "rollout");
    searching_check(&s, banyan_exact_create(&exact, s.game, 64u << 20, &s.err));
    int count = reach_all(s.game, states), proven = 0;
    for (int i = 0; i < count; i += 3) {
        unsigned movers = s.game->movers(s.game, states[i].state);
        if (!movers)
            continue;
        struct banyan_exact_action exacts[9];
        struct banyan_search_move rows[9];
        int n, mover = (int)(movers >> 1);
        searching_check(&s, banyan_search_set_root(s.search, states[i].state, -1, &s.err));
        searching_run(&s, 300);
        searching_check(&s, banyan_exact_actions(exact, states[i].state, exacts, &n, &s.err));
        int known = banyan_search_root_moves(s.search, mover, rows, 9);
        for (int r = 0; r < known; ++r)
            for (int a = 0; a < n; ++a)
                if (rows[r].action == exacts[a].action) {
                    assert_true(rows[r].lo <= exacts[a].value && exacts[a].value <= rows[r].hi);
                    proven += rows[r].lo == rows[r].hi;
                }
    }
    assert_true(proven > 1000);
    banyan_exact_destroy(exact);
    searching_close(&s);
}

/* Plays one game of the search, which has this seat, against an opponent who draws uniformly among
 * the optimal actions; gives the search's return. */
static float play_perfect(struct searching *s, struct banyan_exact *exact, int seat,
                          struct banyan_rng *rng)
{
    unsigned movers;
    float returns[2];
    searching_check(s, s->game->init(s->game, s->state, NULL, NULL, &s->err));
    while ((movers = s->game->movers(s->game, s->state)) != 0) {
        banyan_action joint[2];
        int mover = (int)(movers >> 1);
        if (mover == seat) {
            searching_check(s, banyan_search_set_root(s->search, s->state, -1, &s->err));
            searching_run(s, 1000);
            joint[mover] = searching_choice(s, mover);
        } else {
            struct banyan_exact_action rows[9];
            int n, best = 0;
            searching_check(s, banyan_exact_actions(exact, s->state, rows, &n, &s->err));
            for (int i = 0; i < n; ++i)
                if (rows[i].optimal)
                    rows[best++] = rows[i];
            joint[mover] = rows[banyan_rng_below(rng, (uint32_t)best)].action;
        }
        s->game->apply(s->game, s->state, joint, NULL);
    }
    s->game->returns(s->game, s->state, returns);
    return returns[seat];
}

static void plain_uct_hardly_ever_loses_to_perfect_play(void **unused)
{
    (void)unused;
    struct searching s;
    struct banyan_exact *exact;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 11);
    searching_open(&s, "tictactoe", NULL, "solver=off,seed=7", "rollout");
    searching_check(&s, banyan_exact_create(&exact, s.game, 64u << 20, &s.err));
    int losses = 0;
    for (int game = 0; game < 1000; ++game)
        losses += play_perfect(&s, exact, game & 1, &rng) < 0;
    print_message("%d of 1000 games lost\n", losses);
    assert_true(losses <= 5);
    banyan_exact_destroy(exact);
    searching_close(&s);
}

/* Flat Monte Carlo, which samples each action of one level by random play, must find the exact
 * means. */
static void flat_monte_carlo_finds_the_means(void **unused)
{
    (void)unused;
    struct searching s;
    searching_open(&s, "tictactoe", NULL,
                   "solver=off,exploration=1000,expand-visits=1000000,prebuild-depth=1", "rollout");
    searching_run(&s, 900000);
    const struct {
        const char *action;
        double mean;
    } expected[] = {{"b2", 0.5}, {"a1", 12.0 / 35}, {"b1", 0.2}};
    for (int i = 0; i < 3; ++i) {
        struct banyan_search_move row = searching_row(&s, 0, expected[i].action);
        assert_in_range(row.visits, 90000, 110000);
        /* a return has a variance below 1: three standard errors of 100,000 */
        assert_true(row.mean > expected[i].mean - 0.0095 && row.mean < expected[i].mean + 0.0095);
    }
    searching_close(&s);
}

/* With the solver: the root positions of OpenSpiel's tests, written in our texts. */
static void known_positions_are_proven(void **unused)
{
    (void)unused;
    const struct {
        const char *moves, *answers;
        float value;
    } cases[] = {
        {"moves:b2 a1 c3", "a3 c1", 0},
        {"moves:b2 a1 c3 b1 c1", "a2 a3 b3 c2", -1},
        {"moves:b1 c3", "c1", 1},
    };
    for (int i = 0; i < 3; ++i) {
        struct searching s;
        char text[16];
        searching_open(&s, "tictactoe", cases[i].moves, "", "rollout");
        searching_run(&s, 10000);
        int mover = (int)(s.game->movers(s.game, s.state) >> 1);
        struct banyan_search_move row;
        searching_check(&s, banyan_search_choose(s.search, mover, &row, &s.err));
        s.game->action_format(s.game, s.state, mover, row.action, text, sizeof text);
        if (i != 2)
            assert_non_null(strstr(cases[i].answers, text));
        assert_true(row.lo == row.hi && row.lo == cases[i].value);
        searching_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_keeps_the_value_of_every_state),
        cmocka_unit_test(every_rule_respects_proofs),
        cmocka_unit_test(solver_proves_every_state),
        cmocka_unit_test(bounds_contain_the_exact_value),
        cmocka_unit_test(plain_uct_hardly_ever_loses_to_perfect_play),
        cmocka_unit_test(flat_monte_carlo_finds_the_means),
        cmocka_unit_test(known_positions_are_proven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
