/* implicit-minimax: the heuristic's minimax values by hand, in a small binary tree. */
#include "searching.h"

#include "search/search.h"

#include <math.h>

/* --- a game: place i leads to 2 i + 1 and 2 i + 2; places from 15 on are ends --- */

enum { TREE_ENDS = 15, TREE_PLACES = 31 };

static const float estimates[TREE_PLACES] = {
    0, 0.2f, 0.4f, 0.8f, -0.2f, -0.6f, 0.1f, 0.3f, -0.3f, 0.5f, -0.5f,
};

static enum banyan_status places_init(const struct banyan_game *game, void *state,
                                      const char *setup, struct banyan_rng *rng,
                                      struct banyan_error *err)
{
    (void)setup, (void)rng, (void)err;
    memset(state, 0, game->state_size);
    return BANYAN_OK;
}

static int place_of(const void *state)
{
    return *(const int *)state;
}

static unsigned places_movers(const struct banyan_game *game, const void *state)
{
    int depth = 0;
    for (int place = place_of(state); place > 0; place = (place - 1) / 2)
        ++depth;
    return place_of(state) >= TREE_ENDS ? 0 : 1u << depth % 2;
}

static int places_legal(const struct banyan_game *game, const void *state, int player,
                        banyan_action *out)
{
    (void)state, (void)player;
    out[0] = 0;
    out[1] = 1;
    return 2;
}

static void places_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                         struct banyan_dice *dice)
{
    int mover = places_movers(game, state) == 2;
    (void)dice;
    *(int *)state = 2 * place_of(state) + 1 + (int)joint[mover];
}

/* Player 0 wins at ends of even number. */
static void places_returns(const struct banyan_game *game, const void *state, float *out)
{
    out[0] = place_of(state) % 2 ? -1 : 1;
    out[1] = 0 - out[0];
}

static uint64_t places_key(const struct banyan_game *game, const void *state, int viewer)
{
    (void)viewer;
    return (uint64_t)(place_of(state) + 1) * 0x9e3779b97f4a7c15u;
}

static float places_heuristic(const struct banyan_game *game, const void *state, int player)
{
    float value = estimates[place_of(state)];
    return player == 0 ? value : -value;
}

static const struct banyan_game places = {.struct_size = sizeof(struct banyan_game),
                                          .name = "places",
                                          .title = "Places",
                                          .players = 2,
                                          .state_size = sizeof(int),
                                          .action_bytes = 1,
                                          .max_legal = 2,
                                          .max_plies = 4,
                                          .return_min = -1,
                                          .return_max = 1,
                                          .traits = BANYAN_ZERO_SUM,
                                          .init = places_init,
                                          .movers = places_movers,
                                          .legal = places_legal,
                                          .apply = places_apply,
                                          .returns = places_returns,
                                          .key = places_key,
                                          .heuristic = places_heuristic};

static struct banyan_search *opened(struct banyan_evaluator *evaluator, const char *text)
{
    struct banyan_search_options options;
    struct banyan_search *search;
    struct banyan_error err = {.message = ""};
    int start = 0;
    *evaluator = (struct banyan_evaluator){.struct_size = sizeof *evaluator};
    banyan_search_options_default(&options);
    assert_int_equal(banyan_options_parse(banyan_search_option_table(), &options, text, NULL),
                     BANYAN_OK);
    assert_int_equal(banyan_evaluator_create(&places, "uniform", NULL, evaluator, NULL), BANYAN_OK);
    if (banyan_search_create(&search, &places, &options, evaluator, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_int_equal(banyan_search_set_root(search, &start, -1, NULL), BANYAN_OK);
    return search;
}

static void simulate(struct banyan_search *search, int simulations)
{
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = simulations};
    assert_int_equal(banyan_search_run(search, &limits, NULL), BANYAN_OK);
}

static double score_of(const struct banyan_search *search, banyan_action action)
{
    struct banyan_search_move rows[2];
    int count = banyan_search_root_moves(search, 0, rows, 2);
    for (int i = 0; i < count; ++i)
        if (rows[i].action == action)
            return rows[i].score;
    fail_msg("no row");
    return 0;
}

static void check_scores(const struct banyan_search *search, double left, double right)
{
    assert_true(fabs(score_of(search, 0) - left) < 1e-6);
    assert_true(fabs(score_of(search, 1) - right) < 1e-6);
}

/* All means are 0 and the weight is 1/2, so a score is half of the minimax value. */
static const char *const half =
    "implicit-minimax=0.5,exploration=0,order=first,solver=off,decisive=off";

static void values_by_hand(void **unused)
{
    (void)unused;
    struct banyan_evaluator evaluator;
    struct banyan_search *search = opened(&evaluator, half);
    simulate(search, 3); /* the root, place 1, place 2 */
    check_scores(search, 0.1, 0.2);
    simulate(search, 1); /* place 5: -0.6 */
    check_scores(search, 0.1, -0.3);
    simulate(search, 1); /* place 3: 0.8 */
    check_scores(search, 0.4, -0.3);
    simulate(search, 1); /* place 4: -0.2, which player 1 prefers */
    check_scores(search, -0.1, -0.3);
    simulate(search, 1); /* place 9 below 4, where player 0 chooses: min(0.8, 0.5) */
    check_scores(search, 0.25, -0.3);
    banyan_search_destroy(search);
    banyan_evaluator_close(&evaluator);
}

/* When all is visited, the value is that of the game: every player 1 of the last ply, who chooses
 * an odd end, wins. */
static void values_become_those_of_the_game(void **unused)
{
    (void)unused;
    struct banyan_evaluator evaluator;
    struct banyan_search *search =
        opened(&evaluator, "implicit-minimax=1,exploration=1000000,solver=off,decisive=off");
    simulate(search, 300);
    struct tree_node *root = search_root_node(search, 0);
    for (int i = 0; i < root->tried; ++i)
        assert_true(*search_edge_implicit(search, root, i) == -1);
    banyan_search_destroy(search);
    banyan_evaluator_close(&evaluator);
}

/* The mover's side of a value: what is good for player 0 is bad for player 1. */
static void rules_see_the_movers_value(void **unused)
{
    (void)unused;
    struct searching s;
    static const char *const rules[] = {"ucb1", "ucb1-tuned", "puct"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i) {
        char options[96] = "implicit-minimax=1,solver=off,rule=";
        strcat(options, rules[i]);
        searching_open(&s, "breakthrough",
                       "bbbb..../......../......../......../......../......../......../wwwwwwww w",
                       options, "uniform");
        searching_run(&s, 500);
        struct banyan_search_move row;
        searching_check(&s, banyan_search_choose(s.search, 1, &row, &s.err));
        assert_true(row.score > 0.3); /* white has twice as many pieces */
        searching_close(&s);
    }
}

static void what_does_not_go_together_is_refused(void **unused)
{
    (void)unused;
    static const char *const games[] = {"hex", "pig", "kuhn", "mushroom-n3"};
    static const char *const causes[] = {"hex has no heuristic", "pig has dice",
                                         "kuhn has no heuristic",
                                         "mushroom-n3 has more than two players"};
    for (size_t i = 0; i < sizeof games / sizeof *games; ++i) {
        const struct banyan_game *game;
        struct banyan_search_options options;
        struct banyan_search *search;
        struct banyan_evaluator evaluator = {.struct_size = sizeof evaluator};
        struct banyan_error err = {.message = ""};
        assert_int_equal(banyan_game_find(games[i], &game, NULL), BANYAN_OK);
        banyan_search_options_default(&options);
        options.implicit_minimax = 0.3;
        assert_int_equal(banyan_evaluator_create(game, "uniform", NULL, &evaluator, NULL),
                         BANYAN_OK);
        assert_int_equal(banyan_search_create(&search, game, &options, &evaluator, &err),
                         BANYAN_UNSUPPORTED);
        assert_non_null(strstr(err.message, "implicit-minimax is for games with a heuristic"));
        assert_non_null(strstr(err.message, causes[i]));
        banyan_evaluator_close(&evaluator);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_hand),
        cmocka_unit_test(values_become_those_of_the_game),
        cmocka_unit_test(rules_see_the_movers_value),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
