/* The temperature of priors: in the tree, at the root, with the game's and an evaluator's priors. */
#include "shares.h"

#include <math.h>
#include <stdio.h>

/* The priors of the root's actions in the order of legal(). */
static void priors_of(struct searching *s, int player, double *out, int count)
{
    struct banyan_search_move rows[9];
    banyan_action legal[9];
    assert_int_equal(s->game->legal(s->game, s->state, player, legal), count);
    assert_int_equal(banyan_search_root_moves(s->search, player, rows, 9), count);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < count; ++k)
            if (rows[k].action == legal[i])
                out[i] = (double)rows[k].prior;
}

static void shares_become_powers(void **unused)
{
    static const struct {
        const char *options;
        double priors[3];
    } rows[] = {
        {"", {0.6, 0.3, 0.1}},
        {"prior-temperature=2", {0.472734, 0.334273, 0.192993}},
        {"prior-temperature=0.5", {0.782609, 0.195652, 0.021739}},
        {"root-prior-temperature=2", {0.472734, 0.334273, 0.192993}},
        {"prior-temperature=2,root-prior-temperature=0.5", {0.6, 0.3, 0.1}},
        {"prior-temperature=0.01", {1, 0, 0}},
        {"prior-temperature=100", {0.336097, 0.333775, 0.330128}},
    };
    (void)unused;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r)
        for (int gumbel = 0; gumbel < 2; ++gumbel) {
            struct searching s;
            char options[128];
            double priors[3];
            snprintf(options, sizeof options, "solver=off,decisive=off,rule=%s%s%s",
                     gumbel ? "gumbel" : "puct", *rows[r].options ? "," : "", rows[r].options);
            open_position(&s, THREE_LEFT, options);
            searching_run(&s, 2);
            priors_of(&s, 0, priors, 3);
            for (int i = 0; i < 3; ++i)
                if (fabs(priors[i] - rows[r].priors[i]) > 2e-6)
                    fail_msg("%s: prior %d is %.7f, not %.7f", options, i, priors[i],
                             rows[r].priors[i]);
            searching_close(&s);
        }
}

/* root-prior-temperature changes no priors below the root; a node gets it when it has become the
 * root. */
static void the_root_is_heated_when_it_becomes_the_root(void **unused)
{
    struct searching s;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0}, legal[9];
    double priors[3];
    (void)unused;
    open_position(&s, FOUR_LEFT, "solver=off,decisive=off,rule=puct,root-prior-temperature=0.5");
    searching_run(&s, 60);
    assert_int_equal(s.game->legal(s.game, s.state, 1, legal), 4);
    joint[1] = legal[0];
    s.game->apply(s.game, s.state, joint, NULL);
    assert_true(banyan_search_advance(s.search, joint, s.state));
    priors_of(&s, 0, priors, 3);
    assert_true(fabs(priors[0] - 0.6) < 1e-6);
    searching_run(&s, 1);
    priors_of(&s, 0, priors, 3);
    assert_true(fabs(priors[0] - 0.782609) < 1e-6);
    searching_run(&s, 5);
    priors_of(&s, 0, priors, 3);
    assert_true(fabs(priors[0] - 0.782609) < 1e-6);
    searching_close(&s);
}

static void priors_of_ones_own_stay(void **unused)
{
    const float own[] = {0.6f, 0.3f, 0.1f};
    struct searching s;
    banyan_action legal[9];
    double priors[3];
    (void)unused;
    open_position(&s, THREE_LEFT,
                  "solver=off,decisive=off,rule=puct,prior-temperature=3,root-prior-temperature=3");
    s.game->legal(s.game, s.state, 0, legal);
    searching_check(&s, banyan_search_set_root_priors(s.search, 0, legal, own, 3, &s.err));
    searching_run(&s, 3);
    priors_of(&s, 0, priors, 3);
    for (int i = 0; i < 3; ++i)
        assert_true(fabs(priors[i] - (double)own[i]) < 1e-6);
    searching_close(&s);
}

/* The visits follow: with sharp priors and no values the first action gets nearly all. */
static void visits_follow(void **unused)
{
    static const struct {
        const char *options;
        uint64_t least, most;
    } rows[] = {{"prior-temperature=1", 55, 65},
                {"prior-temperature=0.25", 90, 100},
                {"root-prior-temperature=50", 32, 36}};
    (void)unused;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        struct searching s;
        struct banyan_search_move moves[9];
        char options[128];
        snprintf(options, sizeof options, "solver=off,decisive=off,rule=puct,fpu=0,cpuct=100,%s",
                 rows[r].options);
        open_position(&s, THREE_LEFT, options);
        searching_run(&s, 101);
        banyan_search_root_moves(s.search, 0, moves, 9);
        if (moves[0].visits < rows[r].least || moves[0].visits > rows[r].most)
            fail_msg("%s: %d visits", rows[r].options, (int)moves[0].visits);
        searching_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_become_powers),
        cmocka_unit_test(the_root_is_heated_when_it_becomes_the_root),
        cmocka_unit_test(priors_of_ones_own_stay),
        cmocka_unit_test(visits_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
