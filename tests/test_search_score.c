/* score-weight: the lead in points beside who won, by hand, in a game of two plies. */
#include "searching.h"

#include "search/search.h"

#include <math.h>

/* --- a game: player 0 takes a lead, then player 1 has one action, and the game is over --- */

enum { LEADS = 3 };

static const float leads[LEADS] = {5, 30, -8};

struct leading {
    int lead, plies;
};

static enum banyan_status leading_init(const struct banyan_game *game, void *state,
                                       const char *setup, struct banyan_rng *rng,
                                       struct banyan_error *err)
{
    (void)setup, (void)rng, (void)err;
    memset(state, 0, game->state_size);
    return BANYAN_OK;
}

static unsigned leading_movers(const struct banyan_game *game, const void *at)
{
    const struct leading *state = at;
    return state->plies == 2 ? 0 : 1u << state->plies;
}

static int leading_legal(const struct banyan_game *game, const void *state, int player,
                         banyan_action *out)
{
    (void)state;
    for (int i = 0; i < LEADS; ++i)
        out[i] = (banyan_action)i;
    return player == 0 ? LEADS : 1;
}

static void leading_apply(const struct banyan_game *game, void *at, const banyan_action joint[],
                          struct banyan_dice *dice)
{
    struct leading *state = at;
    (void)dice;
    if (state->plies++ == 0)
        state->lead = (int)joint[0];
}

static void leading_returns(const struct banyan_game *game, const void *at, float *out)
{
    const struct leading *state = at;
    out[0] = leads[state->lead] > 0 ? 1 : -1;
    out[1] = 0 - out[0];
}

static void leading_points(const struct banyan_game *game, const void *at, float *out)
{
    const struct leading *state = at;
    out[0] = 20 + leads[state->lead];
    out[1] = 20;
}

static uint64_t leading_key(const struct banyan_game *game, const void *at, int viewer)
{
    const struct leading *state = at;
    (void)viewer;
    return (uint64_t)(3 * state->lead + state->plies + 1) * 0x9e3779b97f4a7c15u;
}

static const struct banyan_game leading = {.struct_size = sizeof(struct banyan_game),
                                           .name = "leading",
                                           .title = "Leading",
                                           .players = 2,
                                           .state_size = sizeof(struct leading),
                                           .action_bytes = 1,
                                           .action_count = LEADS,
                                           .max_legal = LEADS,
                                           .max_plies = 2,
                                           .return_min = -1,
                                           .return_max = 1,
                                           .traits = BANYAN_ZERO_SUM,
                                           .init = leading_init,
                                           .movers = leading_movers,
                                           .legal = leading_legal,
                                           .apply = leading_apply,
                                           .returns = leading_returns,
                                           .points = leading_points,
                                           .key = leading_key};

/* --- */

static void leads_by_hand(void **unused)
{
    (void)unused;
    static const struct {
        int lead;
        struct banyan_score score;
        double value;
    } rows[] = {{0, {0.2, 5}, 0.8 + 0.2 * 0.5},
                {1, {0.2, 10}, 0.8 + 0.2 * 0.75},
                {2, {0.5, 8}, -0.5 - 0.5 * 0.5},
                {1, {1, 30}, 0.5},
                {2, {0.25, 24}, -0.75 - 0.25 / 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct leading end = {rows[i].lead, 2};
        float values[2];
        banyan_score_returns(&leading, &rows[i].score, &end, values);
        assert_true(fabs((double)values[0] - rows[i].value) < 2e-5);
        assert_true(values[1] == -values[0]);
        banyan_score_returns(&leading, NULL, &end, values);
        assert_true(values[0] == (rows[i].lead == 2 ? -1 : 1));
    }
}

/* In a range of returns from 0 to 1 no lead at all counts as its middle. */
static void other_ranges_have_other_middles(void **unused)
{
    (void)unused;
    struct banyan_game shares = leading;
    struct leading end = {1, 2};
    struct banyan_score score = {.weight = 0.4, .scale = 90};
    float values[2];
    shares.return_min = 0;
    banyan_score_returns(&shares, &score, &end, values);
    assert_true(fabs((double)values[0] - (0.6 + 0.4 * (0.5 + 0.5 * 0.25))) < 2e-5);
    assert_true(fabs((double)values[1] - (-0.6 + 0.4 * (0.5 - 0.5 * 0.25))) < 2e-5);
}

static void open_leading(struct searching *s, const char *options, const char *evaluator)
{
    memset(s, 0, sizeof *s);
    s->game = &leading;
    s->state = calloc(1, sizeof(struct leading));
    assert_non_null(s->state);
    banyan_search_options_default(&s->options);
    searching_check(
        s, banyan_options_parse(banyan_search_option_table(), &s->options, options, &s->err));
    searching_check(s, banyan_evaluator_create(&leading, evaluator, NULL, &s->evaluator, &s->err));
    searching_check(
        s, banyan_search_create(&s->search, &leading, &s->options, &s->evaluator, &s->err));
    searching_check(s, banyan_search_set_root(s->search, s->state, -1, &s->err));
}

/* The first simulations end by playouts, later ones in the tree. */
static void all_ends_have_their_scores(void **unused)
{
    (void)unused;
    static const char *const evaluators[] = {"rollout", "mast"};
    static const double values[LEADS] = {0.7 + 0.3 / 2, 0.7 + 0.3 * 6 / 7, -0.7 - 0.3 * 8 / 13};
    for (int e = 0; e < 2; ++e)
        for (int simulations = 4; simulations <= 400; simulations *= 100) {
            struct searching s;
            struct banyan_search_move rows[LEADS];
            open_leading(&s, "score-weight=0.3,score-scale=5", evaluators[e]);
            searching_run(&s, simulations);
            assert_int_equal(banyan_search_root_moves(s.search, 0, rows, LEADS), LEADS);
            for (int i = 0; i < LEADS; ++i)
                assert_true(fabs(rows[i].mean - values[rows[i].action]) < 2e-5);
            searching_close(&s);
        }
}

static void a_higher_win_is_chosen(void **unused)
{
    (void)unused;
    struct searching s;
    open_leading(&s, "order=first", "rollout");
    searching_run(&s, 300);
    assert_true(s.search->solver);
    assert_int_equal(searching_choice(&s, 0), 0); /* a win is a win */
    searching_close(&s);
    open_leading(&s, "order=first,score-weight=0.2", "rollout");
    searching_run(&s, 300);
    assert_false(s.search->solver); /* it would prove returns */
    assert_int_equal(searching_choice(&s, 0), 1);
    searching_close(&s);
}

static void expect_refusal(const struct banyan_game *game, const char *text, const char *why)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator;
    struct banyan_search *search = NULL;
    struct banyan_error err = {.message = ""};
    banyan_search_options_default(&options);
    assert_int_equal(banyan_options_parse(banyan_search_option_table(), &options, text, NULL),
                     BANYAN_OK);
    assert_int_equal(banyan_evaluator_create(game, "rollout", NULL, &evaluator, NULL), BANYAN_OK);
    assert_int_equal(banyan_search_create(&search, game, &options, &evaluator, &err),
                     BANYAN_UNSUPPORTED);
    assert_null(search);
    assert_string_equal(err.message, why);
    banyan_evaluator_close(&evaluator);
}

static void what_has_no_points_is_refused(void **unused)
{
    (void)unused;
    struct banyan_game one = leading;
    const struct banyan_game *tictactoe = NULL;
    one.players = 1;
    assert_int_equal(banyan_game_find("tictactoe", &tictactoe, NULL), BANYAN_OK);
    expect_refusal(tictactoe, "score-weight=0.1",
                   "score-weight is for games of two players with points, not for tictactoe");
    expect_refusal(&one, "score-weight=0.1",
                   "score-weight is for games of two players with points, not for leading");
    expect_refusal(&leading, "score-weight=0.1,solver=on",
                   "solver=on does not go with score-weight: use solver=auto or off");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leads_by_hand), cmocka_unit_test(other_ranges_have_other_middles),
        cmocka_unit_test(all_ends_have_their_scores), cmocka_unit_test(a_higher_win_is_chosen),
        cmocka_unit_test(what_has_no_points_is_refused)};
    return cmocka_run_group_tests_name("score-weight", tests, NULL, NULL);
}
