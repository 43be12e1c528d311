/* 2048 of examples/, an outside game with dice: slides by hand, and how much a search is worth. */
#include "../examples/2048.c"

#include <banyan/check.h>
#include <banyan/player.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void test_keeps_the_contract(void **unused)
{
    (void)unused;
    struct banyan_error err;
    if (banyan_game_check(&slide_game, NULL, NULL, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
}

static void test_lines(void **unused)
{
    (void)unused;
    static const struct {
        uint8_t before[SIDE], after[SIDE];
        uint32_t points;
    } rows[] = {{{1, 1, 0, 0}, {2, 0, 0, 0}, 4}, {{1, 1, 1, 1}, {2, 2, 0, 0}, 8},
                {{2, 1, 1, 0}, {2, 2, 0, 0}, 4}, {{0, 0, 0, 3}, {3, 0, 0, 0}, 0},
                {{1, 0, 0, 1}, {2, 0, 0, 0}, 4}, {{1, 1, 1, 0}, {2, 1, 0, 0}, 4},
                {{1, 2, 1, 2}, {1, 2, 1, 2}, 0}, {{9, 9, 0, 10}, {10, 10, 0, 0}, 1024}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        uint8_t line[SIDE];
        memcpy(line, rows[i].before, SIDE);
        assert_int_equal(slide_line(line), rows[i].points);
        assert_memory_equal(line, rows[i].after, SIDE);
    }
}

/* A slide "down", and the tile that appears after it: in any of the 14 empty cells, a 4 in one of
 * ten cases. */
static void test_slides(void **unused)
{
    (void)unused;
    struct slide_state state, next;
    static const uint8_t down[CELLS] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0};
    const char *start = "1,0,0,0,0,0,0,0,1,0,0,0,0,1,0,0 0";
    assert_int_equal(slide_game.init(&slide_game, &state, start, NULL, NULL), BANYAN_OK);
    next = state;
    assert_true(slide_all(&next, SLIDE_DOWN));
    assert_memory_equal(next.cell, down, CELLS);
    assert_int_equal(next.points, 4);
    struct banyan_dice dice;
    banyan_dice_enumerated(&dice, NULL, 0);
    double fours = 0;
    int outcomes = 0;
    do {
        next = state;
        slide_game.apply(&slide_game, &next, &(banyan_action){SLIDE_DOWN}, &dice);
        ++outcomes;
        for (int i = 0; i < CELLS; ++i)
            fours += next.cell[i] == 2 && down[i] == 0 ? dice.probability : 0;
    } while (banyan_dice_advance(&dice));
    assert_int_equal(outcomes, 2 * 14);
    assert_true(fours > 0.1 - 1e-9 && fours < 0.1 + 1e-9);
}

/* Mean points of games that player plays. */
static double mean_points(const char *text, int games)
{
    struct banyan_player player;
    struct banyan_error err;
    double sum = 0;
    if (banyan_player_create(&slide_game, text, NULL, 1, &player, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    for (int g = 0; g < games; ++g) {
        struct slide_state state;
        struct banyan_rng rng;
        struct banyan_dice dice;
        struct banyan_player_move move;
        banyan_rng_seed(&rng, banyan_rng_child(1, "game", (uint64_t)g));
        banyan_dice_drawn(&dice, &rng);
        slide_game.init(&slide_game, &state, NULL, &rng, NULL);
        assert_int_equal(player.open(player.ctx, &state, 0, (uint64_t)g, &err), BANYAN_OK);
        while (slide_movers(&slide_game, &state)) {
            assert_int_equal(player.choose(player.ctx, &state, NULL, &move, &err), BANYAN_OK);
            slide_game.apply(&slide_game, &state, &move.action, &dice);
        }
        sum += state.points;
    }
    banyan_player_close(&player);
    return sum / games;
}

static void test_search_beats_luck(void **unused)
{
    (void)unused;
    double luck = mean_points("random", 400);
    double search = mean_points("mcts:simulations=20,exploration=0.05", 3);
    printf("random %.0f points, 20 simulations %.0f\n", luck, search);
    assert_true(luck > 950 && luck < 1250); /* known: about 1100, standard error 30 */
    assert_true(search > 4 * luck);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keeps_the_contract),
                                       cmocka_unit_test(test_lines), cmocka_unit_test(test_slides),
                                       cmocka_unit_test(test_search_beats_luck)};
    return cmocka_run_group_tests_name("2048, outside", tests, NULL, NULL);
}
