/* Trees in which positions meet: on a ladder both steps lead to the next rung, so the ways double with each rung. */
#include "searching.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* --- the game: one player climbs the ladder, by the left or the right foot --- */

enum { LADDER_RUNGS = 60 };

static unsigned ladder_movers(const struct banyan_game *game, const void *state)
{
    (void)game;
    return *(const uint8_t *)state < LADDER_RUNGS;
}

static int ladder_legal(const struct banyan_game *game, const void *state, int player,
                        banyan_action *out)
{
    (void)game;
    (void)state;
    (void)player;
    out[0] = 0;
    out[1] = 1;
    return 2;
}

static void ladder_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                         struct banyan_dice *dice)
{
    (void)game;
    (void)joint;
    (void)dice;
    ++*(uint8_t *)state;
}

static void ladder_returns(const struct banyan_game *game, const void *state, float *out)
{
    (void)game;
    (void)state;
    out[0] = 1;
}

static uint64_t ladder_key(const struct banyan_game *game, const void *state, int viewer)
{
    (void)game;
    (void)viewer;
    return banyan_rng_child(*(const uint8_t *)state, "ladder", 0);
}

static int ladder_action(const struct banyan_game *game, const void *state, int player,
                         banyan_action action, char *out, size_t size)
{
    (void)game;
    (void)state;
    (void)player;
    return snprintf(out, size, "%s", action ? "right" : "left");
}

static const struct banyan_game ladder = {.struct_size = sizeof(struct banyan_game),
                                          .name = "ladder",
                                          .title = "Ladder",
                                          .players = 1,
                                          .state_size = 1,
                                          .action_bytes = 1,
                                          .max_legal = 2,
                                          .max_plies = LADDER_RUNGS,
                                          .return_min = 0,
                                          .return_max = 1,
                                          .movers = ladder_movers,
                                          .legal = ladder_legal,
                                          .apply = ladder_apply,
                                          .returns = ladder_returns,
                                          .key = ladder_key,
                                          .action_format = ladder_action};

static void ladder_climb(struct searching *s, const struct banyan_game *game)
{
    uint8_t rung = 0;
    *s = (struct searching){.game = game};
    banyan_search_options_default(&s->options);
    s->options.transpositions = true;
    if (game->players == 2)
        s->options.rule = BANYAN_RULE_REGRET;
    searching_check(s, banyan_evaluator_create(s->game, "rollout", NULL, &s->evaluator, &s->err));
    searching_check(s,
                    banyan_search_create(&s->search, s->game, &s->options, &s->evaluator, &s->err));
    searching_check(s, banyan_search_set_root(s->search, &rung, -1, &s->err));
    searching_run(s, 1000);
}

static bool count_lines(void *ctx, const char *text, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        *(int *)ctx += text[i] == '\n';
    return true;
}

static enum banyan_status look(struct searching *s, int depth, uint64_t min_visits, int *lines)
{
    struct banyan_search_tree_view view = {
        .format = BANYAN_TREE_TEXT, .depth = depth, .min_visits = min_visits};
    *lines = 0;
    return banyan_search_write_tree(s->search, &view, count_lines, lines, &s->err);
}

/* --- views --- */

/* The whole view would have two lines for each of 2^60 ways. */
static void a_long_view_is_refused(void **unused)
{
    (void)unused;
    struct searching s;
    int lines;
    ladder_climb(&s, &ladder);
    assert_int_equal(look(&s, 0, 0, &lines), BANYAN_INVALID);
    assert_string_equal(
        s.err.message,
        "with transpositions, the view has more than 1048576 lines; show less of the tree "
        "(depth, min-visits, max-children)");
    assert_int_equal(lines, 0);
    searching_close(&s);
}

static void a_part_is_shown(void **unused)
{
    (void)unused;
    struct searching s;
    int lines, one;
    ladder_climb(&s, &ladder);
    searching_check(&s, look(&s, 1, 0, &one));
    searching_check(&s, look(&s, 10, 0, &lines));
    assert_int_equal(one, 3);               /* the root and two actions */
    assert_int_equal(lines, (2 << 10) - 1); /* each action has a line of its own with its node */
    searching_close(&s);
}

/* --- strategies: two climb side by side, one step each --- */

static unsigned pair_movers(const struct banyan_game *game, const void *state)
{
    return ladder_movers(game, state) ? 3 : 0;
}

static void pair_returns(const struct banyan_game *game, const void *state, float *out)
{
    (void)game;
    (void)state;
    out[0] = out[1] = 0;
}

static uint64_t pair_key(const struct banyan_game *game, const void *state, int viewer)
{
    (void)game;
    return banyan_rng_child(*(const uint8_t *)state, "pair", (uint64_t)viewer);
}

/* A rung that no simulation has reached: looking for it must not take all 2^60 ways. */
static void a_strategy_that_is_not_there(void **unused)
{
    (void)unused;
    struct banyan_game pair = ladder;
    struct searching s;
    banyan_action actions[2];
    double shares[2];
    uint8_t rung = LADDER_RUNGS - 1, above = LADDER_RUNGS + 1;
    pair.players = 2;
    pair.traits = BANYAN_SIMULTANEOUS | BANYAN_ZERO_SUM;
    pair.movers = pair_movers;
    pair.returns = pair_returns;
    pair.key = pair_key;
    pair.return_min = -1;
    ladder_climb(&s, &pair);
    assert_int_equal(banyan_search_average_strategy(s.search, &rung, 0, actions, shares, 2), 2);
    assert_true(fabs(shares[0] + shares[1] - 1) < 1e-9);
    alarm(60);
    assert_int_equal(banyan_search_average_strategy(s.search, &above, 0, actions, shares, 2), 0);
    alarm(0);
    searching_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_view_is_refused),
        cmocka_unit_test(a_part_is_shown),
        cmocka_unit_test(a_strategy_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
