/* Observations of all games: every game says what its numbers mean, and JSON says the same. */
#include <banyan/observe.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct banyan_game *find(const char *name)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    return game;
}

/* What viewer sees of a position, as JSON. */
static void check_json(const char *name, const char *setup, int viewer, const char *expected)
{
    const struct banyan_game *game = find(name);
    float numbers[256];
    char text[4096];
    void *state = calloc(1, game->state_size);
    assert_int_equal(game->init(game, state, setup, NULL, NULL), BANYAN_OK);
    assert_true(banyan_observation_size(game) <= 256);
    banyan_observe(game, state, viewer, numbers);
    int length = banyan_observation_json(game, numbers, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(text));
    memset(text, 'x', sizeof text);
    assert_int_equal(banyan_observation_json(game, numbers, text, 5), strlen(expected));
    assert_int_equal(strlen(text), 4);
    assert_memory_equal(text, expected, 4);
    free(state);
}

static void test_json(void **unused)
{
    (void)unused;
    check_json("kuhn", "deal=QK check bet", 0, "{\"card\":[0,1,0],\"plies\":[-1,1,0]}");
    check_json("kuhn", "deal=QK check bet", 1, "{\"card\":[0,0,1],\"plies\":[-1,1,0]}");
    check_json("pig", "scores=10,25 turn=4", 1,
               "{\"scores\":[0.25,0.1],\"turn\":0.04,\"mover\":[0,1]}");
    check_json("connect4", "", 0,
               "{\"own\":[[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],"
               "[0,0,0,0,0,0,0],[0,0,0,0,0,0,0]],"
               "\"other\":[[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],[0,0,0,0,0,0,0],"
               "[0,0,0,0,0,0,0],[0,0,0,0,0,0,0]],"
               "\"to-move\":[[1,1,1,1,1,1,1],[1,1,1,1,1,1,1],[1,1,1,1,1,1,1],[1,1,1,1,1,1,1],"
               "[1,1,1,1,1,1,1],[1,1,1,1,1,1,1]]}");
}

static void test_every_game_shows_itself(void **unused)
{
    (void)unused;
    for (int g = 0; banyan_game_at(g); ++g) {
        const struct banyan_game *game = banyan_game_at(g);
        if (!game->features || banyan_observation_size(game) == 0)
            fail_msg("%s does not say what an observation shows", game->name);
    }
}

static const char *colour(int value)
{
    return value ? "red" : "none";
}

/* A game of which two numbers are written by hand. */
static void two_numbers(const struct banyan_game *game, const void *state, int viewer, float *out)
{
    (void)game;
    const float *numbers = state;
    out[0] = viewer == 0 ? numbers[0] : (float)BANYAN_UNKNOWN;
    out[1] = numbers[1];
}

static void test_words_and_unknown_numbers(void **unused)
{
    (void)unused;
    const struct banyan_feature features[] = {{.name = "colour",
                                               .help = "?",
                                               .kind = BANYAN_FEATURE_ID,
                                               .shape = {1, 1, 1},
                                               .max = 1,
                                               .hidden = true,
                                               .word = colour},
                                              {.name = "share",
                                               .help = "?",
                                               .kind = BANYAN_FEATURE_REAL,
                                               .shape = {1, 1, 1},
                                               .min = -1,
                                               .max = 1},
                                              {0}};
    const struct banyan_game game = {
        .struct_size = sizeof game, .players = 2, .features = features, .observe = two_numbers};
    const float state[] = {1, -1};
    struct banyan_feature feature;
    float out[2];
    char text[128];
    assert_int_equal(banyan_observation_size(&game), 2);
    assert_int_equal(banyan_observation_feature(&game, 1, &feature), 1);
    assert_string_equal(feature.name, "share");
    assert_int_equal(banyan_observation_feature(&game, 2, &feature), -1);
    banyan_observe(&game, state, 0, out);
    banyan_observation_json(&game, out, text, sizeof text);
    assert_string_equal(text, "{\"colour\":\"red\",\"share\":-1}");
    banyan_observe(&game, state, 1, out);
    banyan_observation_json(&game, out, text, sizeof text);
    assert_string_equal(text, "{\"colour\":null,\"share\":-1}");
    /* large numbers are numbers of JSON, too, also where no word can have them */
    static const float large[] = {1e13f, -3e38f, 9e12f, -1e20f};
    for (size_t i = 0; i < sizeof large / sizeof *large; ++i) {
        char expected[128];
        snprintf(expected, sizeof expected, "{\"colour\":%.0f,\"share\":%.0f}", (double)2e18f,
                 (double)large[i]);
        banyan_observation_json(&game, (const float[]){2e18f, large[i]}, text, sizeof text);
        assert_string_equal(text, expected);
    }
}

/* A game that only has planes shows them; one that has nothing shows nothing. */
static void test_games_without_features(void **unused)
{
    (void)unused;
    struct banyan_game game = *find("connect4");
    struct banyan_feature feature;
    game.features = NULL;
    assert_int_equal(banyan_observation_feature(&game, 0, &feature), 0);
    assert_string_equal(feature.name, "planes");
    assert_int_equal(feature.shape[2], 7);
    assert_int_equal(banyan_observation_size(&game), 3 * 6 * 7);
    game.encode = NULL;
    assert_int_equal(banyan_observation_size(&game), 0);
}

static void test_policy_actions(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("othello");
    banyan_action legal[64], action = 0;
    void *state = calloc(1, game->state_size);
    assert_int_equal(game->init(game, state, "", NULL, NULL), BANYAN_OK);
    assert_true(banyan_policy_action(game, state, 0, 19, legal, &action)); /* d3 */
    assert_int_equal(game->policy_index(game, state, 0, action), 19);
    assert_false(banyan_policy_action(game, state, 0, 0, legal, &action));
    assert_false(banyan_policy_action(game, state, 0, -1, legal, &action));
    assert_false(banyan_policy_action(game, state, 0, INT64_MAX, legal, &action));
    free(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_every_game_shows_itself),
        cmocka_unit_test(test_words_and_unknown_numbers),
        cmocka_unit_test(test_games_without_features),
        cmocka_unit_test(test_policy_actions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
