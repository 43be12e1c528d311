/* The evaluators that every game has, against values computed by hand. */
#include <banyan/evaluator.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A position with its evaluator, both made from texts. */
struct asked {
    const struct banyan_game *game;
    struct banyan_evaluator evaluator;
    struct banyan_rng rng;
    struct banyan_leaf leaf;
    unsigned char *state;
    banyan_action legal[64];
    float priors[64];
};

static void asked_open(struct asked *a, const char *game, const char *setup, const char *evaluator)
{
    struct banyan_error err = {.message = ""};
    memset(a, 0, sizeof *a);
    banyan_rng_seed(&a->rng, 1);
    assert_int_equal(banyan_game_find(game, &a->game, NULL), BANYAN_OK);
    if (banyan_evaluator_create(a->game, evaluator, NULL, &a->evaluator, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    a->state = calloc(1, a->game->state_size);
    if (a->game->init(a->game, a->state, setup, &a->rng, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    int mover = a->game->movers(a->game, a->state) == 1 ? 0 : 1;
    a->leaf = (struct banyan_leaf){.game = a->game,
                                   .state = a->state,
                                   .movers = a->game->movers(a->game, a->state),
                                   .rng = &a->rng};
    a->leaf.actions[mover] = a->legal;
    a->leaf.count[mover] = a->game->legal(a->game, a->state, mover, a->legal);
    a->leaf.priors[mover] = a->priors;
}

static void asked_close(struct asked *a)
{
    banyan_evaluator_close(&a->evaluator);
    free(a->state);
}

/* Player 0's value of the position. */
static double asked_value(struct asked *a)
{
    struct banyan_error err = {.message = ""};
    if (a->evaluator.evaluate(a->evaluator.ctx, &a->leaf, 1, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return (double)a->leaf.values[0];
}

static void check_value(const char *game, const char *setup, const char *evaluator, double expected)
{
    struct asked a;
    asked_open(&a, game, setup, evaluator);
    double value = asked_value(&a);
    if (fabs(value - expected) > 1e-5)
        fail_msg("%s: %g, not %g", evaluator, value, expected);
    asked_close(&a);
}

/* The middle of the range: of -100..100 it is 0, of 0..1 it is 0.5; priors 1 in 3. */
static void uniform_by_hand(void **unused)
{
    (void)unused;
    struct asked a;
    asked_open(&a, "tree", "(1 A:[5] B:[6] C:[7])", "uniform");
    assert_true(a.evaluator.wants_actions);
    assert_true(asked_value(&a) == 0);
    for (int i = 0; i < 3; ++i)
        assert_true(fabsf(a.priors[i] - 1.0f / 3) < 1e-6f);
    assert_true(a.priors[3] == 0);
    asked_close(&a);
    check_value("bandit", "0.9 0.6", "uniform", 0.5);
}

/* The other players share the rest of the constant sum, which is 0 here: with 3 players, 6 for
 * one leaves -3 for each of the others. */
static void script_by_hand(void **unused)
{
    (void)unused;
    const double expected[] = {6, -2.5, 4, 4, 4};
    struct asked a;
    asked_open(&a, "tree-3", "(1 A:[1 2 3])", "script:6 -2.5 4");
    for (int i = 0; i < 5; ++i) {
        assert_true(asked_value(&a) == expected[i]);
        assert_true(a.leaf.values[1] == -expected[i] / 2);
        assert_true(a.leaf.values[2] == -expected[i] / 2);
    }
    asked_close(&a);
    asked_open(&a, "tree-zero", "(1 A:[1])", "script:6");
    assert_true(asked_value(&a) == 6 && a.leaf.values[1] == -6);
    asked_close(&a);
}

/* weight * A + (1 - weight) * B: 0.25*4 - 0.75*8 = -5; by default (4 - 8)/2 = -2; also where only one
 * of them writes priors, whichever stands first: 0.25*0 + 0.75*8 = 6, 0.25*8 + 0.75*0 = 2. */
static void mixtures_by_hand(void **unused)
{
    (void)unused;
    static const char tree[] = "(1 A:[5] B:[6])";
    check_value("tree", tree, "mixture:weight=0.25,script:4|script:-8", -5);
    check_value("tree", tree, "mixture:script:4|script:-8", -2);
    check_value("tree", tree, "mixture:weight=0,script:4|script:-8", -8);
    check_value("tree", tree, "mixture:weight=1,script:4|script:-8", 4);
    check_value("tree", tree, "mixture:weight=0.25,uniform|script:8", 6);
    check_value("tree", tree, "mixture:weight=0.25,script:8|uniform", 2);
    /* 0.5*16 + 0.5*(0.25*4 + 0.75*0) = 8.5 */
    check_value("tree", tree, "mixture:script:16|mixture:weight=0.25,script:4|uniform", 8.5);
    struct asked a;
    for (int i = 0; i < 2; ++i) {
        asked_open(&a, "tree", tree, i ? "mixture:uniform|script:8" : "mixture:script:8|uniform");
        assert_true(a.evaluator.wants_actions);
        asked_value(&a);
        assert_true(a.priors[0] == 0.5f && a.priors[1] == 0.5f);
        asked_close(&a);
    }
}

/* There is one way to the end, which gives 50; the position on the way has the estimate 7. */
static void rollouts_by_hand(void **unused)
{
    (void)unused;
    static const char chain[] = "(1 a:(1 {7} b:[50]))";
    check_value("tree", chain, "rollout", 50);
    check_value("tree", chain, "rollout:cutoff=1", 7);
    check_value("tree", chain, "rollout:cutoff=2", 50);
    check_value("tree", chain, "rollout:count=3", 50);
    /* three of four end with 100: the mean of 1,600 is 75 +- 4 * 43.3/40 */
    struct asked a;
    asked_open(&a, "tree", "(1 a:[0] b:[100] c:[100] d:[100])", "rollout:count=1600");
    assert_true(fabs(asked_value(&a) - 75) < 4.4);
    asked_close(&a);
}

/* --- the cache --- */

/* Evaluates the positions after these first actions in one batch; values[i]: player 0's value. */
static void ask_together(struct asked *a, const char *labels, double *values)
{
    struct banyan_leaf leaves[8];
    unsigned char *states = calloc(8, a->game->state_size);
    int n = (int)strlen(labels);
    for (int i = 0; i < n; ++i) {
        unsigned char *state = states + (size_t)i * a->game->state_size;
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        memcpy(state, a->state, a->game->state_size);
        assert_int_equal(
            a->game->action_parse(a->game, state, 0, (char[2]){labels[i], 0}, &joint[0], NULL),
            BANYAN_OK);
        a->game->apply(a->game, state, joint, NULL);
        leaves[i] = (struct banyan_leaf){.game = a->game,
                                         .state = state,
                                         .movers = a->game->movers(a->game, state),
                                         .rng = &a->rng};
    }
    assert_int_equal(a->evaluator.evaluate(a->evaluator.ctx, leaves, n, NULL), BANYAN_OK);
    for (int i = 0; i < n; ++i)
        values[i] = (double)leaves[i].values[0];
    free(states);
}

/* The evaluator `script` gives its next number at every call, so the numbers show which of the four
 * positions A, B, C, D the cache asked for. */
static void the_cache_by_hand(void **unused)
{
    (void)unused;
    static const char tree[] = "(1 A:(1 x:[1] y:[2]) B:(1 x:[3] y:[4]) C:(1 x:[5] y:[6]) "
                               "D:(1 x:[7] y:[8]))";
    struct asked a;
    double v[8];
    asked_open(&a, "tree", tree, "cache:size=1024,script:1 2 3 4 5 6 7 8 9");
    ask_together(&a, "AB", v);
    assert_true(v[0] == 1 && v[1] == 2);
    ask_together(&a, "BCAD", v); /* B known, C new, A known, D new */
    assert_true(v[0] == 2 && v[1] == 3 && v[2] == 1 && v[3] == 4);
    ask_together(&a, "DCBA", v);
    assert_true(v[0] == 4 && v[1] == 3 && v[2] == 2 && v[3] == 1);
    asked_close(&a);
    /* a cache with one place: each new position replaces the last */
    asked_open(&a, "tree", tree, "cache:size=1,script:1 2 3 4 5 6 7 8 9");
    ask_together(&a, "A", v);
    ask_together(&a, "A", v + 1);
    ask_together(&a, "B", v + 2);
    ask_together(&a, "A", v + 3);
    assert_true(v[0] == 1 && v[1] == 1 && v[2] == 2 && v[3] == 3);
    asked_close(&a);
}

/* The cache also returns priors: those of `uniform` are 1/2 each. */
static void the_cache_keeps_priors(void **unused)
{
    (void)unused;
    struct asked a;
    asked_open(&a, "tree", "(1 A:[5] B:[6])", "cache:size=16,mixture:script:1 2 3|uniform");
    assert_true(a.evaluator.wants_actions);
    for (int i = 0; i < 2; ++i) {
        a.priors[0] = a.priors[1] = 9;
        assert_true(asked_value(&a) == 0.5); /* (1 + 0)/2, in both orders */
        assert_true(a.priors[0] == 0.5f && a.priors[1] == 0.5f && a.priors[2] == 0);
    }
    asked_close(&a);
}

#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"
#define ONES \
    "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "

static void what_is_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *says;
    } cases[] = {{"nobody", "uniform, rollout, mast, heuristic, mixture, cache, script"},
                 {"uniform:1", "no options"},
                 {"heuristic:1", "no options"},
                 {"script", "numbers"},
                 {"script:1 x", "not 'x'"},
                 {"mixture:script:1", "A|B"},
                 {"mixture:weight=2,script:1|script:2", "weight"},
                 {"rollout:count=0", "count"},
                 {"rollout:policy=none", "random"},
                 {"cache:size=0,uniform", "size"},
                 {"cache:size=" ZEROS "9,uniform", "'size=000000000000000...' is too long"},
                 {"mixture:weight=0.5" ZEROS "x,uniform|uniform", "at most 63 bytes"},
                 {"mixture:script:" ONES ONES ONES "x|uniform", "at most 255 bytes"}};
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find("tree", &game, NULL), BANYAN_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct banyan_evaluator evaluator;
        struct banyan_error err = {.message = ""};
        assert_int_not_equal(banyan_evaluator_create(game, cases[i].text, NULL, &evaluator, &err),
                             BANYAN_OK);
        if (!strstr(err.message, cases[i].says))
            fail_msg("%s: '%s' lacks '%s'", cases[i].text, err.message, cases[i].says);
    }
    struct banyan_game mute = *game;
    struct banyan_evaluator evaluator;
    mute.heuristic = NULL;
    assert_int_equal(banyan_evaluator_create(&mute, "heuristic", NULL, &evaluator, NULL),
                     BANYAN_UNSUPPORTED);
    assert_int_equal(banyan_evaluator_create(&mute, "rollout:cutoff=1", NULL, &evaluator, NULL),
                     BANYAN_UNSUPPORTED);
    mute.state_size = 8193;
    assert_int_equal(banyan_evaluator_create(&mute, "rollout", NULL, &evaluator, NULL),
                     BANYAN_UNSUPPORTED);
}

/* An error within an evaluator has the same status where another evaluator contains it. */
static void faults_within_are_told(void **unused)
{
    static const struct {
        const char *text;
        enum banyan_status status;
    } rows[] = {{"nobody", BANYAN_NOT_FOUND},
                {"cache:size=8,nobody", BANYAN_NOT_FOUND},
                {"mixture:weight=0.5,nobody|uniform", BANYAN_NOT_FOUND},
                {"mixture:weight=0.5,uniform|nobody", BANYAN_NOT_FOUND},
                {"rollout:count=x", BANYAN_INVALID},
                {"cache:size=8,rollout:count=x", BANYAN_INVALID},
                {"mixture:weight=0.5,uniform|rollout:count=x", BANYAN_INVALID}};
    (void)unused;
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find("tictactoe", &game, NULL), BANYAN_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct banyan_evaluator evaluator;
        struct banyan_error err = {.message = ""};
        enum banyan_status status =
            banyan_evaluator_create(game, rows[i].text, NULL, &evaluator, &err);
        if (status != rows[i].status || !err.message[0])
            fail_msg("%s: status %d, not %d: %s", rows[i].text, (int)status, (int)rows[i].status,
                     err.message);
    }
}

/* --- games of many actions --- */

/* One choice: the lower half of the actions loses, the upper half wins. */
static unsigned wide_movers(const struct banyan_game *game, const void *state)
{
    (void)game;
    return *(const uint16_t *)state == 0;
}

static int wide_legal(const struct banyan_game *game, const void *state, int player,
                      banyan_action *out)
{
    (void)state, (void)player;
    for (int i = 0; i < game->max_legal; ++i)
        out[i] = (banyan_action)i;
    return game->max_legal;
}

static void wide_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                       struct banyan_dice *dice)
{
    (void)game, (void)dice;
    *(uint16_t *)state = (uint16_t)(joint[0] + 1);
}

static void wide_returns(const struct banyan_game *game, const void *state, float *out)
{
    *out = 2 * (*(const uint16_t *)state - 1) < game->max_legal ? -1 : 1;
}

/* A rollout chooses among all actions, however many there are. */
static void rollouts_of_many_actions(void **unused)
{
    (void)unused;
    for (int actions = 510; actions <= 514; ++actions) {
        const struct banyan_game game = {.struct_size = sizeof game,
                                         .name = "wide",
                                         .players = 1,
                                         .state_size = sizeof(uint16_t),
                                         .max_legal = actions,
                                         .max_plies = 1,
                                         .return_min = -1,
                                         .return_max = 1,
                                         .action_bytes = 2,
                                         .movers = wide_movers,
                                         .legal = wide_legal,
                                         .apply = wide_apply,
                                         .returns = wide_returns};
        struct banyan_rng rng;
        bool chosen[514] = {false};
        int missing = 0;
        float value, sum = 0;
        banyan_rng_seed(&rng, (uint64_t)actions);
        for (int i = 0; i < 10 * actions; ++i) {
            uint16_t state = 0;
            banyan_game_rollout(&game, &state, 0, 10, &rng);
            assert_in_range(state, 1, actions);
            chosen[state - 1] = true;
            wide_returns(&game, &state, &value);
            sum += value;
        }
        for (int i = 0; i < actions; ++i)
            missing += !chosen[i];
        assert_true(missing < 5); /* each is missed with probability e^-10 */
        assert_true(fabsf(sum) < 5 * sqrtf(10.0f * (float)actions));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_within_are_told), cmocka_unit_test(rollouts_of_many_actions),
        cmocka_unit_test(uniform_by_hand),        cmocka_unit_test(script_by_hand),
        cmocka_unit_test(mixtures_by_hand),       cmocka_unit_test(rollouts_by_hand),
        cmocka_unit_test(the_cache_by_hand),      cmocka_unit_test(the_cache_keeps_priors),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
