/* Pig against its known solution (Neller and Presser 2004). Value iteration here uses none of
 * the game's code, and the game's own rules are checked against its values state by state. */
#include "games/pig/pig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIMAL = 0 }; /* OPTIMAL: play by the table; another number: hold at so many points */

/* win[me][other][turn total]: probability that the player on turn wins; all three < target */
struct solution {
    int target;
    double *win;
};

static double *at(const struct solution *s, int me, int other, int turn)
{
    return &s->win[(me * s->target + other) * s->target + turn];
}

static double rolled(const struct solution *s, int me, int other, int turn)
{
    double sum = 1 - *at(s, other, me, 0);
    for (int face = 2; face <= 6; ++face)
        sum += me + turn + face >= s->target ? 1 : *at(s, me, other, turn + face);
    return sum / 6;
}

static double better(const struct solution *s, int me, int other, int turn, int hold_at)
{
    if (turn == 0)
        return rolled(s, me, other, 0);
    double hold = 1 - *at(s, other, me + turn, 0);
    if (hold_at != OPTIMAL)
        return turn >= hold_at ? hold : rolled(s, me, other, turn);
    return fmax(hold, rolled(s, me, other, turn));
}

/* Sweeps all states of one pair of scores until the values stay the same; they depend only on
 * higher scores and on the reversed pair. */
static void settle(struct solution *s, int a, int b, int hold_at)
{
    double change;
    do {
        change = 0;
        for (int side = 0; side < 2; ++side) {
            int me = side ? b : a, other = side ? a : b;
            for (int turn = s->target - me - 1; turn >= 0; --turn) {
                double value = better(s, me, other, turn, hold_at);
                change = fmax(change, fabs(value - *at(s, me, other, turn)));
                *at(s, me, other, turn) = value;
            }
        }
    } while (change > 1e-12);
}

static struct solution solve(int target, int hold_at)
{
    struct solution s = {.target = target,
                         .win = calloc((size_t)(target * target * target), sizeof(double))};
    assert_non_null(s.win);
    for (int sum = 2 * target - 2; sum >= 0; --sum)
        for (int a = 0; a < target && a <= sum; ++a)
            if (sum - a < target && a <= sum - a)
                settle(&s, a, sum - a, hold_at);
    return s;
}

static void test_published_values(void **unused)
{
    (void)unused;
    static const struct {
        int target, hold_at;
        double win;
    } rows[] = {{10, OPTIMAL, 0.70942},  {20, OPTIMAL, 0.61556}, {50, OPTIMAL, 0.54615},
                {100, OPTIMAL, 0.53059}, {50, 20, 0.55556},      {100, 20, 0.53470}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct solution s = solve(rows[i].target, rows[i].hold_at);
        if (fabs(*at(&s, 0, 0, 0) - rows[i].win) > 1e-5)
            fail_msg("target %d: %.6f, published %.5f", rows[i].target, *at(&s, 0, 0, 0),
                     rows[i].win);
        free(s.win);
    }
}

/* Probability that player 0 wins from a state of the game. */
static double look_up(const struct solution *s, const struct pig *pig)
{
    const struct banyan_game *game = pig_variant(0);
    if (game->movers(game, pig) == 0) {
        float returns[2];
        game->returns(game, pig, returns);
        return (returns[0] + 1) / 2;
    }
    int me = pig->mover;
    double win = *at(s, pig->score[me], pig->score[!me], pig->turn);
    return me == 0 ? win : 1 - win;
}

static double expectation(const struct solution *s, const struct pig *pig, banyan_action action)
{
    const struct banyan_game *game = pig_variant(0);
    banyan_action joint[2] = {action, action};
    struct banyan_dice dice;
    double sum = 0;
    banyan_dice_enumerated(&dice, NULL, 0);
    do {
        struct pig next = *pig;
        game->apply(game, &next, joint, &dice);
        sum += dice.probability * look_up(s, &next);
    } while (banyan_dice_advance(&dice));
    return sum;
}

/* Bellman's equation holds in every state with the successors that the game's rules give. */
static void test_rules_agree_with_values(void **unused)
{
    (void)unused;
    const struct banyan_game *game = pig_variant(0);
    struct solution s = solve(20, OPTIMAL);
    struct pig pig = {.target = 20, .horizon = PIG_MAX_PLIES, .players = 2};
    int states = 0;
    for (int me = 0; me < 20; ++me)
        for (int other = 0; other < 20; ++other)
            for (int turn = 0; turn + me < 20; turn += turn ? 1 : 2) {
                pig.score[0] = (uint16_t)me;
                pig.score[1] = (uint16_t)other;
                pig.turn = (uint16_t)turn;
                banyan_action legal[2];
                int n = game->legal(game, &pig, 0, legal);
                double best = expectation(&s, &pig, legal[0]);
                for (int i = 1; i < n; ++i)
                    best = fmax(best, expectation(&s, &pig, legal[i]));
                assert_true(fabs(best - *at(&s, me, other, turn)) < 1e-9);
                ++states;
            }
    assert_true(states > 3000);
    free(s.win);
}

static void test_rollout_policy_hold20(void **unused)
{
    (void)unused;
    const struct banyan_game *game = pig_variant(0);
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 20);
    int won = 0, games = 20000;
    assert_string_equal(game->rollout_policies[1], "hold20");
    for (int i = 0; i < games; ++i) {
        struct pig pig;
        float returns[2];
        assert_int_equal(game->init(game, &pig, NULL, NULL, NULL), BANYAN_OK);
        game->rollout(game, &pig, 1, game->max_plies, &rng);
        game->returns(game, &pig, returns);
        won += returns[0] > 0;
        assert_true(pig.ply < game->max_plies / 2); /* the limit of plies is far away */
    }
    assert_true(fabs((double)won / games - 0.53470) < 4 * 0.0036);
}

static void test_horizon_is_a_draw(void **unused)
{
    (void)unused;
    const struct banyan_game *game = pig_variant(1);
    struct pig pig;
    float returns[3];
    assert_int_equal(game->init(game, &pig,
                                "target=20 horizon=30 scores=3,19,0 turn=4 player=3 ply=29", NULL,
                                NULL),
                     BANYAN_OK);
    banyan_action joint[3] = {PIG_ROLL, PIG_ROLL, PIG_HOLD};
    game->apply(game, &pig, joint, NULL);
    assert_int_equal(pig.score[2], 4);
    assert_int_equal(game->movers(game, &pig), 0);
    game->returns(game, &pig, returns);
    assert_true(returns[0] == 0 && returns[1] == 0 && returns[2] == 0);
}

static void test_three_players_sum_to_zero(void **unused)
{
    (void)unused;
    const struct banyan_game *game = pig_variant(1);
    struct pig pig;
    float returns[3];
    assert_int_equal(game->init(game, &pig, "target=20 scores=3,20,0 player=2", NULL, NULL),
                     BANYAN_OK);
    assert_int_equal(game->movers(game, &pig), 0);
    game->returns(game, &pig, returns);
    assert_true(returns[0] == -0.5f && returns[1] == 1 && returns[2] == -0.5f);
}

/* Positions with equal scores are one position, at whichever ply they arise. */
static void test_key_leaves_the_ply_out(void **unused)
{
    (void)unused;
    const struct banyan_game *game = pig_variant(0);
    struct pig sooner, later, other;
    assert_int_equal(game->init(game, &sooner, "scores=5,6 turn=4 ply=9", NULL, NULL), BANYAN_OK);
    assert_int_equal(game->init(game, &later, "scores=5,6 turn=4 ply=50", NULL, NULL), BANYAN_OK);
    assert_int_equal(game->init(game, &other, "scores=6,5 turn=4 ply=9", NULL, NULL), BANYAN_OK);
    assert_true(game->key(game, &sooner, 0) == game->key(game, &later, 1));
    assert_true(game->key(game, &sooner, 0) != game->key(game, &other, 0));
}

static void test_errors(void **unused)
{
    (void)unused;
    static const char *const rows[][2] = {
        {"points=3", "column 1: expected target="},
        {"target=1", "column 8: expected a target of 2..1000"},
        {"target=20 scores=3", "column 19: expected one score per player"},
        {"target=20 scores=20,0 player=2", "player 1 has won"},
        {"target=20 scores=15,0 turn=5", "reaches the target: add the turn total"},
        {"turn=1", "a turn total is never 1"},
        {"player=3", "column 8: expected the number of a player"},
        {"horizon=10 ply=11", "after the horizon"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct pig pig;
        struct banyan_error err = {.message = ""};
        assert_int_equal(pig_variant(0)->init(pig_variant(0), &pig, rows[i][0], NULL, &err),
                         BANYAN_INVALID);
        if (!strstr(err.message, rows[i][1]))
            fail_msg("'%s' said '%s'", rows[i][0], err.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_values),
        cmocka_unit_test(test_rules_agree_with_values),
        cmocka_unit_test(test_rollout_policy_hold20),
        cmocka_unit_test(test_horizon_is_a_draw),
        cmocka_unit_test(test_three_players_sum_to_zero),
        cmocka_unit_test(test_key_leaves_the_ply_out),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests_name("pig", tests, NULL, NULL);
}
