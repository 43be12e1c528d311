/* Written trees: the language, its errors, and values found by plain recursion. */
#include "games/tree/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct banyan_game *find(const char *name)
{
    const struct banyan_game *game = NULL;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    return game;
}

static void start(const struct banyan_game *game, const char *setup, struct tree *tree)
{
    struct banyan_error err = {.message = ""};
    if (game->init(game, tree, setup, NULL, &err) != BANYAN_OK)
        fail_msg("%s: %s", setup, err.message);
}

static void test_language(void **unused)
{
    (void)unused;
    static const char *const rows[][3] = {
        {"tree", "[1]", "players=1 [1]"},
        {"tree-2", "players=2(1 a:[-0.5 2.25]b:[100 -100])",
         "players=2 (1 a:[-0.5 2.25] b:[100 -100])"},
        {"tree-zero", "(2 yes:[3] no:[-0.07 .07])", "players=2 (2 yes:[3 -3] no:[-0.07 0.07])"},
        {"tree-3", " ( 3\n{1 2 3} # estimate\n a*0.25 : [0 0 0] b*2:[1 1 1]) ",
         "players=3 (3 {1 2 3} a*0.25:[0 0 0] b*2:[1 1 1])"},
        {"tree", "(1 a:(chance 1:[0] 2:[1] 1:(1 b:[2] c:[3])) d:[4]) at a/3/c",
         "players=1 (1 a:(chance 1:[0] 2:[1] 1:(1 b:[2] c:[3])) d:[4]) at a/3/c"},
        {"tree", "(1 a:(chance 0.25:[0] .5:[1] 0.250000:[2])) at a/2",
         "players=1 (1 a:(chance 0.25:[0] 0.5:[1] 0.25:[2])) at a/2"},
        {"tree-4", "(4 x-1:[0 0 0 0] x+1:(1 y:[1 2 3 4])) at x+1",
         "players=4 (4 x-1:[0 0 0 0] x+1:(1 y:[1 2 3 4])) at x+1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const struct banyan_game *game = find(rows[i][0]);
        char text[BANYAN_TEXT_MAX];
        struct tree tree, again;
        start(game, rows[i][1], &tree);
        int length = game->format(game, &tree, text, sizeof text);
        assert_int_equal(length, strlen(text));
        assert_string_equal(text, rows[i][2]);
        start(game, text, &again);
        assert_memory_equal(&tree, &again, sizeof tree);
    }
}

static void test_errors(void **unused)
{
    (void)unused;
    static const char *const rows[][3] = {
        {"tree-2", "x", "column 1: expected '(' or '['"},
        {"tree-2", "(3 a:[0 0])", "column 2: expected the number of the mover or 'chance'"},
        {"tree-2", "(1 a:[0 0]", "column 11: expected a label"},
        {"tree-2", "(1)", "column 3: expected a label"},
        {"tree-2", "(1 a[0 0])", "column 5: expected ':' after the label"},
        {"tree-2", "(1 a:[0])", "column 8: expected a payoff"},
        {"tree-2", "(1 a:[0 101])", "column 9: expected a payoff"},
        {"tree-2", "(1 a:[0 0.001])", "column 9: expected a payoff"},
        {"tree-2", "(1 a:[0 0 0])", "column 11: expected ']'"},
        {"tree-2", "(1 a:[0 0] a:[1 1])", "column 13: expected a label that no other branch"},
        {"tree-2", "(1 a:\n [0 0]\n b:x)", "line 3, column 4: expected '(' or '['"},
        {"tree-2", "(1 a:[0 0]) at b", "column 17: expected a step"},
        {"tree-2", "(1 a:[0 0]) at a/b", "column 19: expected a step"},
        {"tree-2", "(1 a:[0 0]) a", "column 13: expected 'at' and a path"},
        {"tree-2", "(1 a:(chance 1:[0 0])) at a", "column 28: expected a path that ends"},
        {"tree-2", "(chance 1:[0 0])", "column 17: expected a path that ends"},
        {"tree-2", "(1 a:(chance 0.5:[0 0] 0.4:[1 1]))", "column 34: expected probabilities"},
        {"tree-2", "(1 a:(chance 0.5:[0 0] 1:[1 1]))", "expected probabilities"},
        {"tree-2", "(1 a:(chance 1:(chance 1:[1 1])))",
         "column 32: expected no chance node directly"},
        {"tree-2", "(1 a:(chance 1001:[0 0]))", "column 14: expected a probability"},
        {"tree-2", "(1 a*1:[0 0] b:[0 0])", "expected priors on all branches"},
        {"tree-2", "(1 a*0:[0 0])", "column 6: expected a prior"},
        {"tree-2", "players=3 [0 0 0]", "for 3 players, this game for 2"},
        {"tree-2", "players=9 [0 0 0]", "column 9: expected 1..4"},
        {"tree-zero", "(1 a:[1 1])", "column 10: expected payoffs that sum to 0"},
        {"tree-2", "(1 toolonglabel:[0 0])", "column 4: expected a label"},
        {"tree-2", "file:/no/such/tree", "cannot open '/no/such/tree': No such file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct tree tree;
        struct banyan_error err = {.message = ""};
        enum banyan_status status =
            find(rows[i][0])->init(find(rows[i][0]), &tree, rows[i][1], NULL, &err);
        if (status == BANYAN_OK || err.status != status || !strstr(err.message, rows[i][2]))
            fail_msg("'%s' said '%s', not '%s'", rows[i][1], err.message, rows[i][2]);
    }
}

/* "(1 a:(1 a: ... [0]))": so many decisions deep. */
static void chain(char *text, const char *label, int depth)
{
    *text = 0;
    for (int i = 0; i < depth; ++i)
        text += sprintf(text, "(1 %s:", label);
    text += sprintf(text, "[0]");
    for (int i = 0; i < depth; ++i)
        text += sprintf(text, ")");
}

static void test_limits(void **unused)
{
    (void)unused;
    char text[BANYAN_TEXT_MAX];
    struct tree tree;
    struct banyan_error err;
    const struct banyan_game *game = find("tree");
    chain(text, "abcdefghi", TREE_NODES - 1);
    start(game, text, &tree);
    chain(text, "a", TREE_NODES);
    assert_int_equal(game->init(game, &tree, text, NULL, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "170 nodes"));
    char *end = text + sprintf(text, "(1");
    for (int i = 0; i <= TREE_BRANCHES; ++i)
        end += sprintf(end, " b%d:[0]", i);
    sprintf(end, ")");
    assert_int_equal(game->init(game, &tree, text, NULL, &err), BANYAN_INVALID);
    assert_non_null(strstr(err.message, "32 branches"));
}

/* Even the longest text of a position at the deepest place fits. */
static void test_text_fits(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("tree-4");
    static char text[4 * BANYAN_TEXT_MAX];
    int fitted = 0;
    for (int ends = 1; ends < TREE_NODES; ++ends) {
        char *end = text;
        int inner = (ends + 29) / 30; /* a ladder of nodes with up to 31 branches each */
        for (int i = 0, left = ends; i < inner; ++i) {
            end += sprintf(end, "(1 {-99.99 -99.99 -99.99 -99.99}");
            for (int b = 0; b < 30 && left > 0; ++b, --left)
                end += sprintf(end, " branch-%02d*0.1234:[-99.99 -99.99 -99.99 -99.99]", b);
            end += sprintf(end, i + 1 < inner ? " branch-xx*0.1234:" : "");
        }
        for (int i = 0; i < inner; ++i)
            end += sprintf(end, ")");
        struct tree tree;
        if (game->init(game, &tree, text, NULL, NULL) != BANYAN_OK)
            continue;
        ++fitted;
        for (int at = 0; at < tree.nodes; ++at) {
            tree.at = (uint8_t)at;
            assert_true(game->format(game, &tree, NULL, 0) < BANYAN_TEXT_MAX);
            assert_true(game->draw(game, &tree, -1, NULL, 0) < BANYAN_TEXT_MAX);
        }
    }
    assert_true(fitted > 100);
}

/* --- values by plain recursion over the public interface --- */

enum model { MAXN, PARANOID, COALITION };

/* The number that the mover maximises in `value`, by player 1's model of the others. */
static double wish(enum model model, int mover, const double *value)
{
    if (model == PARANOID)
        return mover == 0 ? value[0] : -value[0];
    if (model == COALITION && mover < 2)
        return (value[0] + value[1]) / 2;
    return value[mover];
}

static int solve(const struct banyan_game *game, const struct tree *tree, enum model model,
                 double *value);

static void expect(const struct banyan_game *game, const struct tree *tree, enum model model,
                   int mover, banyan_action action, double *value)
{
    struct banyan_dice dice;
    banyan_dice_enumerated(&dice, NULL, 0);
    memset(value, 0, sizeof(double) * TREE_PLAYERS);
    do {
        struct tree next = *tree;
        banyan_action joint[TREE_PLAYERS] = {0};
        double below[TREE_PLAYERS];
        joint[mover] = action;
        game->apply(game, &next, joint, &dice);
        double p = dice.probability;
        solve(game, &next, model, below);
        for (int i = 0; i < game->players; ++i)
            value[i] += p * below[i];
    } while (banyan_dice_advance(&dice));
}

/* Returns the best action, the first one of equal ones. */
static int solve(const struct banyan_game *game, const struct tree *tree, enum model model,
                 double *value)
{
    unsigned movers = game->movers(game, tree);
    if (movers == 0) {
        float returns[TREE_PLAYERS];
        game->returns(game, tree, returns);
        for (int i = 0; i < game->players; ++i)
            value[i] = returns[i];
        return -1;
    }
    int mover = 0, best = -1;
    while (movers != 1u << mover)
        ++mover;
    banyan_action actions[TREE_BRANCHES];
    int n = game->legal(game, tree, mover, actions);
    for (int i = 0; i < n; ++i) {
        double option[TREE_PLAYERS];
        expect(game, tree, model, mover, actions[i], option);
        if (best < 0 || wish(model, mover, option) > wish(model, mover, value)) {
            memcpy(value, option, sizeof option);
            best = i;
        }
    }
    return best;
}

static void test_values(void **unused)
{
    (void)unused;
    static const struct {
        const char *game, *setup;
        enum model model;
        const char *best;
        double value; /* expected return of player 1 */
    } rows[] = {
        {"tree-3", "file:" TEST_DATA "/tree/three.tree", MAXN, "a", 6},
        {"tree-3", "file:" TEST_DATA "/tree/three.tree", PARANOID, "b", 3},
        {"tree-3", "file:" TEST_DATA "/tree/three.tree", COALITION, "c", 0},
        {"tree-3", "", MAXN, "a", 6},
        {"tree-2", "file:" TEST_DATA "/tree/trap.tree", MAXN, "win", 100},
        {"tree-zero", "file:" TEST_DATA "/tree/trap.tree", PARANOID, "win", 100},
        {"tree-zero", "file:" TEST_DATA "/tree/trap-draw.tree", MAXN, "solid", 0},
        {"tree", "file:" TEST_DATA "/tree/gamble.tree", MAXN, "fair", 11},
        {"tree", "file:" TEST_DATA "/tree/first-iterations.tree", MAXN, "s1", 0},
        {"tree-zero", "file:" TEST_DATA "/tree/priors.tree", MAXN, "good", 0},
        {"tree-zero", NULL, MAXN, "a", 3},
        {"tree", NULL, MAXN, "a", 20},
        {"tree-2", NULL, MAXN, "b", 2},
        {"tree-4", NULL, MAXN, "stop", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const struct banyan_game *game = find(rows[i].game);
        struct tree tree;
        double value[TREE_PLAYERS] = {0};
        char label[16];
        start(game, rows[i].setup, &tree);
        int best = solve(game, &tree, rows[i].model, value);
        game->action_format(game, &tree, 0, (banyan_action)best, label, sizeof label);
        assert_string_equal(label, rows[i].best);
        assert_true(fabs(value[0] - rows[i].value) < 1e-9);
    }
}

static void test_estimates_and_priors(void **unused)
{
    (void)unused;
    struct tree tree;
    banyan_action actions[TREE_BRANCHES];
    float priors[TREE_BRANCHES];
    start(find("tree"), "file:" TEST_DATA "/tree/first-iterations.tree", &tree);
    banyan_action joint[1] = {1};
    find("tree")->apply(find("tree"), &tree, joint, NULL);
    assert_true(find("tree")->heuristic(find("tree"), &tree, 0) == 10);
    start(find("tree-zero"), "file:" TEST_DATA "/tree/priors.tree", &tree);
    int n = find("tree-zero")->legal(find("tree-zero"), &tree, 0, actions);
    find("tree-zero")->priors(find("tree-zero"), &tree, 0, actions, n, priors);
    assert_true(fabsf(priors[0] - 0.9f) < 1e-6f && fabsf(priors[2] - 0.001f) < 1e-6f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_language), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_limits),   cmocka_unit_test(test_text_fits),
        cmocka_unit_test(test_values),   cmocka_unit_test(test_estimates_and_priors),
    };
    return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
