/* Results relative to the mean of their world. */
#include "hands.h"

#include "search/search.h"

#include <math.h>
#include <stdio.h>

/* Player 1 wins with an ace, which three hands of four have, and loses without, whatever anybody does.  With an ace
 * there is one action more. */
enum { STAY = 1, ACE = 2 };

static int ace_legal(const struct banyan_game *game, const void *state, int player,
                     banyan_action *out)
{
    const struct hands *hands = state;
    for (int i = 0; i < 2; ++i)
        out[i] = (banyan_action)(player == 0 ? i : STAY + i);
    return player == 0 || hands->hand ? 2 : 1;
}

static void ace_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                      struct banyan_dice *dice)
{
    (void)joint, (void)dice;
    ++((struct hands *)state)->round;
}

static void ace_returns(const struct banyan_game *game, const void *state, float *out)
{
    out[1] = ((const struct hands *)state)->hand ? 1 : -1;
    out[0] = -out[1];
}

static struct banyan_game ace_game(void)
{
    struct banyan_game game = hands_game(4, 2);
    game.legal = ace_legal;
    game.apply = ace_apply;
    game.returns = ace_returns;
    return game;
}

static struct banyan_search_move row_of(const struct searching *s, int player, banyan_action action)
{
    struct banyan_search_move rows[4];
    int count = banyan_search_root_moves(s->search, player, rows, 4);
    for (int i = 0; i < count; ++i)
        if (rows[i].action == action)
            return rows[i];
    fail_msg("the root has no action %d", (int)action);
    return rows[0];
}

/* The share of the worlds with the ace in which it is played. */
static double ace_share(const struct searching *s)
{
    const struct tree_node *node = search_root_node(s->search, 1);
    double ace = (double)row_of(s, 1, ACE).visits, stay = (double)row_of(s, 1, STAY).visits;
    for (int i = 0; i < node->count; ++i)
        if (tree_action(&s->search->tree, node, i) == ACE)
            return ace / (ace + stay - (double)tree_missed(&s->search->tree, node, i));
    return 0;
}

/* The ace wins in all worlds that have it, and so does staying there, which loses in the other worlds.  Two actions
 * of equal means get half of the visits each, and a quarter of them all stay, so the ace is played in two of
 * three. */
static void actions_of_some_worlds_are_compared_there(void **unused)
{
    (void)unused;
    const struct banyan_game game = ace_game();
    const char *const rules[] = {"rule=ucb1,exploration=2", "rule=puct,cpuct=4"};
    for (int r = 0; r < 2; ++r)
        for (int on = 0; on < 2; ++on) {
            struct searching s;
            char options[128];
            snprintf(options, sizeof options, "%s,worlds=40,availability=on,world-baseline=%s",
                     rules[r], on ? "on" : "off");
            hands_open(&s, &game, options);
            searching_run(&s, 20000);
            double share = ace_share(&s);
            if (on ? fabs(share - 2.0 / 3) > 0.1 : share < 0.9)
                fail_msg("%s: the ace is played in %.3f of its worlds", options, share);
            searching_close(&s);
        }
}

/* The value of the root is that of the results themselves. */
static void expect_worth(const struct searching *s, double value)
{
    const struct search_worth *all = &s->search->root.worths[s->options.worlds];
    if (fabs(all->sum[0] / all->count - value) > 1e-6)
        fail_msg("the root is worth %g, its worlds %g", value, all->sum[0] / all->count);
}

/* Nobody's actions matter: what is left of the difference of their means is the luck of the first simulations, when
 * no world was known. */
static void luck_of_the_worlds_is_taken_out(void **unused)
{
    (void)unused;
    const struct banyan_game game = ace_game();
    double apart[2] = {0, 0};
    for (int on = 0; on < 2; ++on)
        for (int seed = 1; seed <= 20; ++seed) {
            struct searching s;
            float values[2];
            char options[128];
            snprintf(options, sizeof options,
                     "rule=ucb1,exploration=5,worlds=40,seed=%d,world-baseline=%s", seed,
                     on ? "on" : "off");
            hands_open(&s, &game, options);
            searching_run(&s, 4000);
            apart[on] += fabs(row_of(&s, 0, 0).mean - row_of(&s, 0, 1).mean) / 20;
            banyan_search_root_values(s.search, values);
            if (on)
                expect_worth(&s, (double)values[0]);
            searching_close(&s);
        }
    if (apart[0] < 4 * apart[1] || apart[1] > 0.01)
        fail_msg("equal actions are %.4f apart, without baselines %.4f", apart[1], apart[0]);
}

/* One world is the mean of all, and a state of its own has none. */
static void changes_nothing_without_several_worlds(void **unused)
{
    (void)unused;
    const char *const rows[][2] = {{"kuhn", "worlds=1"},
                                   {"kuhn", "worlds=0"},
                                   {"kuhn", "worlds=1,rule=puct,batch=3"},
                                   {"othello", "worlds=5"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        uint64_t signatures[2];
        for (int on = 0; on < 2; ++on) {
            struct searching s;
            char options[128];
            snprintf(options, sizeof options, "%s,world-baseline=%s", rows[i][1],
                     on ? "on" : "off");
            searching_open(&s, rows[i][0], NULL, options, "rollout");
            searching_run(&s, 2000);
            signatures[on] = banyan_search_signature(s.search);
            searching_close(&s);
        }
        if (signatures[0] != signatures[1])
            fail_msg("%s with %s: another tree", rows[i][0], rows[i][1]);
    }
}

static void expect_counted(const struct searching *s, uint64_t simulations, const char *when)
{
    const struct search_worth *worths = s->search->root.worths;
    int worlds = s->options.worlds;
    double count = 0, sum = 0;
    for (int i = 0; i < worlds; ++i) {
        count += worths[i].count;
        sum += worths[i].sum[0];
    }
    if (count != (double)simulations || worths[worlds].count != count)
        fail_msg("%s: %g simulations in the worlds, %g in all, not %llu", when, count,
                 worths[worlds].count, (unsigned long long)simulations);
    assert_true(sum == worths[worlds].sum[0]);
}

/* Every simulation counts once in its world, whoever makes it and however often the search goes on; the worlds of
 * another root begin with nothing. */
static void simulations_count_in_their_worlds(void **unused)
{
    (void)unused;
    const struct banyan_game game = ace_game();
    const char *const rows[] = {"worlds=7", "worlds=7,batch=4", "worlds=7,threads=3"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct searching s;
        char options[128];
        snprintf(options, sizeof options, "%s,world-baseline=on", rows[i]);
        hands_open(&s, &game, options);
        searching_run(&s, 1000);
        expect_counted(&s, 1000, options);
        searching_run(&s, 500);
        expect_counted(&s, 1500, options);
        searching_check(&s, banyan_search_set_root(s.search, s.state, 0, &s.err));
        expect_counted(&s, 0, options);
        searching_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actions_of_some_worlds_are_compared_there),
        cmocka_unit_test(luck_of_the_worlds_is_taken_out),
        cmocka_unit_test(changes_nothing_without_several_worlds),
        cmocka_unit_test(simulations_count_in_their_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
