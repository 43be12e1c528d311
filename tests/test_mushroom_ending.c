/* The solver of endings compared with the alpha-beta search, and its instruction sets compared
 * with each other. */
#include "games/mushroom/ending.h"
#include "games/mushroom/engine.h"
#include "games/mushroom/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The legal rectangles as the game lists them. */
static void list(const struct mushroom_state *state, struct windows_list *out)
{
    banyan_action legal[BOARD_MAX_LEGAL + 1];
    out->count = mushroom_at(mushroom_level())
                     ->legal(mushroom_at(mushroom_level()), state, state->mover, legal) -
                 1;
    for (int i = 0; i < out->count; ++i) {
        struct rectangle x = rectangle_of((int)legal[i]);
        out->cell[i] = (uint8_t)(BOARD_STRIDE * x.r1 + x.c1);
        out->down[i] = (uint8_t)(x.r2 - x.r1);
        out->width[i] = (uint8_t)(x.c2 - x.c1);
    }
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static bool solve(struct ending *ending, const struct mushroom_state *state,
                  struct ending_result *out)
{
    struct ending_limits limits = {.sets = ENDING_SETS, .nodes = 3000000};
    return ending_solve(ending, state, list, &limits, out);
}

/* Plays at random until few rectangles are left, and checks all positions from there on. */
static void test_equals_search(void **unused)
{
    (void)unused;
    const struct banyan_game *game = mushroom_at(mushroom_level());
    struct ending *ending;
    struct engine *engine;
    struct engine_options options;
    struct banyan_rng rng;
    int compared = 0, drawn = 0;
    engine_options_default(true, &options); /* full width, and without the solver of endings */
    options.table_bytes = (size_t)16 << 20;
    assert_int_equal(ending_create(&ending, NULL), BANYAN_OK);
    assert_int_equal(engine_create(&engine, &options, NULL), BANYAN_OK);
    assert_null(engine->ending);
    banyan_rng_seed(&rng, 3);
    while (compared < 400) {
        struct mushroom_state state;
        struct ending_result end;
        struct engine_result result;
        struct engine_limits limits = {.nodes = 60000};
        struct windows_list legal;
        assert_int_equal(mushroom_init(game, &state, NULL, &rng, NULL), BANYAN_OK);
        engine_clear(engine);
        for (; game->movers(game, &state); game->rollout(game, &state, 0, 1, &rng)) {
            list(&state, &legal);
            if (legal.count == 0 || legal.count > 9 || !solve(ending, &state, &end))
                continue;
            engine_think(engine, &state, &limits, &result);
            if (!result.exact)
                continue;
            assert_int_equal(end.value, sign(result.value));
            ++compared;
            drawn += end.value == 0;
        }
    }
    assert_true(drawn > 5);
    ending_destroy(ending);
    engine_destroy(engine);
}

/* The action that the solver returns keeps the result. */
static void test_action_keeps(void **unused)
{
    (void)unused;
    const struct banyan_game *game = mushroom_at(mushroom_level());
    struct ending *ending;
    struct banyan_rng rng;
    int kept = 0;
    assert_int_equal(ending_create(&ending, NULL), BANYAN_OK);
    banyan_rng_seed(&rng, 8);
    while (kept < 300) {
        struct mushroom_state state;
        struct ending_result before, after;
        struct windows_list legal;
        assert_int_equal(mushroom_init(game, &state, NULL, &rng, NULL), BANYAN_OK);
        do
            game->rollout(game, &state, 1, 1, &rng), list(&state, &legal);
        while (legal.count > 8);
        while (legal.count > 0 && game->movers(game, &state) && solve(ending, &state, &before)) {
            banyan_action joint[2] = {(banyan_action)before.action, (banyan_action)before.action};
            int mover = state.mover, last;
            game->apply(game, &state, joint, NULL);
            list(&state, &legal);
            if (state.passes >= 2 || legal.count == 0)
                last = -sign(mushroom_difference(&state, mover));
            else if (solve(ending, &state, &after))
                last = after.value;
            else
                break;
            assert_int_equal(last, -before.value);
            ++kept;
        }
    }
    ending_destroy(ending);
}

/* "win POSITION": positions of strong games with ten rectangles or fewer. */
static void test_positions(void **unused)
{
    (void)unused;
    struct ending *ending;
    char line[1024], result[8];
    int count = 0;
    FILE *file = fopen(TEST_DATA "/mushroom/endings.txt", "r");
    assert_non_null(file);
    assert_int_equal(ending_create(&ending, NULL), BANYAN_OK);
    for (int number = 1; fgets(line, sizeof line, file); ++number) {
        struct mushroom_state state;
        struct ending_result end;
        int at = 0;
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == '#')
            continue;
        assert_int_equal(sscanf(line, "%7s %n", result, &at), 1);
        assert_int_equal(mushroom_init(NULL, &state, line + at, NULL, NULL), BANYAN_OK);
        ending_clear(ending);
        if (!solve(ending, &state, &end))
            fail_msg("line %d is not solved", number);
        assert_string_equal(end.value > 0 ? "win" : end.value < 0 ? "loss" : "draw", result);
        ++count;
    }
    fclose(file);
    assert_true(count >= 40);
    ending_destroy(ending);
}

/* Endings with up to 13 rectangles: most of them take few positions, since they have several parts.  The whole board at
 * once took more than 100,000 positions in 43 of the 60. */
static void test_late(void **unused)
{
    (void)unused;
    struct ending_limits limits = {.sets = ENDING_SETS, .nodes = 100000};
    struct ending *ending;
    char line[1024], result[8];
    int solved = 0, count = 0;
    FILE *file = fopen(TEST_DATA "/mushroom/late.txt", "r");
    assert_non_null(file);
    assert_int_equal(ending_create(&ending, NULL), BANYAN_OK);
    while (fgets(line, sizeof line, file)) {
        struct mushroom_state state;
        struct ending_result end;
        int at = 0;
        line[strcspn(line, "\n")] = 0;
        if (*line == '#')
            continue;
        assert_int_equal(sscanf(line, "%7s %n", result, &at), 1);
        assert_int_equal(mushroom_init(NULL, &state, line + at, NULL, NULL), BANYAN_OK);
        ending_clear(ending);
        ++count;
        if (!ending_solve(ending, &state, list, &limits, &end))
            continue;
        assert_string_equal(end.value > 0 ? "win" : end.value < 0 ? "loss" : "draw", result);
        ++solved;
    }
    fclose(file);
    assert_int_equal(count, 60);
    assert_in_range(solved, 36, 60);
    ending_destroy(ending);
}

/* If a limit is too small, the solver says so, and its next solve is not affected. */
static void test_limits(void **unused)
{
    (void)unused;
    struct ending *ending;
    struct mushroom_state state;
    struct ending_result end;
    struct banyan_rng rng;
    struct windows_list legal;
    assert_int_equal(ending_create(&ending, NULL), BANYAN_OK);
    banyan_rng_seed(&rng, 5);
    assert_int_equal(mushroom_init(NULL, &state, NULL, &rng, NULL), BANYAN_OK);
    do
        mushroom_at(mushroom_level())->rollout(mushroom_at(mushroom_level()), &state, 1, 1, &rng),
            list(&state, &legal);
    while (legal.count > 7);
    struct ending_limits few = {.sets = 3, .nodes = 1000}, short_of = {.sets = 10000, .nodes = 2};
    assert_false(ending_solve(ending, &state, list, &few, &end));
    assert_false(ending_solve(ending, &state, list, &short_of, &end));
    assert_true(solve(ending, &state, &end));
    ending_destroy(ending);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_search), cmocka_unit_test(test_action_keeps),
        cmocka_unit_test(test_positions),     cmocka_unit_test(test_late),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
