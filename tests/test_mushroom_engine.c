/* The alpha-beta search of the mushroom game: correct results on small boards, positions with
 * known answers, the clock. */
#include "games/mushroom/engine.h"
#include "games/mushroom/table.h"

#include <banyan/exact.h>
#include <banyan/player.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
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

static struct engine *make(bool full_width)
{
    struct engine *engine;
    struct engine_options options;
    engine_options_default(full_width, &options);
    options.table_bytes = (size_t)4 << 20;
    assert_int_equal(engine_create(&engine, &options, NULL), BANYAN_OK);
    return engine;
}

static int sign(double x)
{
    return (x > 0) - (x < 0);
}

/* Loads a small board twice: with holes around it, and as a game of its own. */
struct small {
    struct mushroom_state holes;
    unsigned char own[1024];
};

static void plant(struct small *small, int rows, int columns, int digits, struct banyan_rng *rng)
{
    char wide[256] = "", narrow[256] = "";
    for (int r = 0; r < 10; ++r) {
        strcat(wide, r ? "/" : "");
        strcat(narrow, r && r < rows ? "/" : "");
        for (int c = 0; c < 17; ++c) {
            bool inside = r < rows && c < columns;
            char digit[2] = {'0', 0};
            if (inside)
                digit[0] = (char)('1' + (int)banyan_rng_below(rng, (uint32_t)digits));
            strcat(wide, digit);
            strcat(narrow, inside ? digit : "");
        }
    }
    assert_int_equal(mushroom_init(NULL, &small->holes, wide, NULL, NULL), BANYAN_OK);
    assert_int_equal(find("mushroom-n2")->init(find("mushroom-n2"), small->own, narrow, NULL, NULL),
                     BANYAN_OK);
}

/* The result for the side to move, by the engine and by exhaustive search of another
 * implementation. */
static void test_small_boards(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("mushroom-n2");
    struct engine *engines[2] = {make(false), make(true)};
    static const struct engine_limits ways[2] = {{.depth = 0}, {.depth = ENGINE_MAX_DEPTH}};
    struct banyan_rng rng;
    int boards = 0, decided = 0, solved = 0;
    banyan_rng_seed(&rng, 11);
    while (boards < 500) {
        struct banyan_exact *exact;
        struct small small;
        double values[2];
        int rows = 3 + (int)banyan_rng_below(&rng, 2), columns = 4 + (int)banyan_rng_below(&rng, 3);
        plant(&small, rows, columns, 5 + (int)banyan_rng_below(&rng, 5), &rng);
        assert_int_equal(banyan_exact_create(&exact, game, (size_t)8 << 20, NULL), BANYAN_OK);
        if (banyan_exact_value(exact, small.own, values, NULL) == BANYAN_OK) {
            /* with the default options, and without the solver of endings */
            for (int i = 0; i < 4; ++i) {
                struct engine_result result;
                engine_clear(engines[i % 2]);
                engine_think(engines[i % 2], &small.holes, &ways[i / 2], &result);
                assert_true(result.exact);
                if (sign(result.value) != sign(values[0]))
                    fail_msg("board %d: %d, exhaustive %g", boards, result.value, values[0]);
                solved += result.exact;
            }
            decided += sign(values[0]) != 0;
            ++boards;
        }
        banyan_exact_destroy(exact);
    }
    assert_int_equal(solved, 2000);
    assert_true(decided > 100 && decided < 500); /* some are decided, others are draws */
    engine_destroy(engines[0]);
    engine_destroy(engines[1]);
}

/* When the engine has proven a result, it gets that result against any play of the other side. */
static void test_keeps_its_word(void **unused)
{
    (void)unused;
    struct engine *engine = make(false);
    struct engine_limits limits = {.depth = ENGINE_MAX_DEPTH};
    const struct banyan_game *game = find("mushroom");
    struct banyan_rng rng;
    int wins = 0;
    banyan_rng_seed(&rng, 12);
    for (int i = 0; i < 200; ++i) {
        struct small small;
        struct engine_result first, result;
        float returns[2];
        plant(&small, 4, 6, 9, &rng);
        engine_clear(engine);
        engine_think(engine, &small.holes, &limits, &first);
        for (int ply = 0; game->movers(game, &small.holes); ++ply) {
            banyan_action legal[BOARD_MAX_LEGAL + 1], joint[2];
            int count = game->legal(game, &small.holes, small.holes.mover, legal);
            joint[0] = legal[banyan_rng_below(&rng, (uint32_t)count)];
            if (ply % 2 == 0) {
                engine_think(engine, &small.holes, &limits, &result);
                joint[0] = (banyan_action)result.action;
            }
            joint[1] = joint[0];
            game->apply(game, &small.holes, joint, NULL);
        }
        game->returns(game, &small.holes, returns);
        assert_true(sign(returns[0]) >= sign(first.value));
        wins += first.value > 0;
    }
    assert_true(wins > 50);
    engine_destroy(engine);
}

/* All instruction sets search the same tree. */
static void test_levels_agree(void **unused)
{
    (void)unused;
    typedef void think_fn(struct engine *, const struct mushroom_state *, struct engine_result *);
    think_fn *thinks[MUSHROOM_LEVELS] = {engine_think_portable};
    int levels = 1;
#if defined(__x86_64__)
    thinks[1] = engine_think_avx2;
    thinks[2] = engine_think_avx512;
    levels = (int)mushroom_level() + 1;
#endif
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 4);
    for (int i = 0; i < 12; ++i) {
        struct mushroom_state state;
        struct engine_result first = {.action = 0};
        assert_int_equal(mushroom_init(NULL, &state, NULL, &rng, NULL), BANYAN_OK);
        find("mushroom")->rollout(find("mushroom"), &state, 2, 3 * i, &rng);
        for (int level = 0; level < levels && state.passes < 2; ++level) {
            struct engine *engine = make(i % 2);
            struct engine_limits limits = {.nodes = 3000};
            struct engine_result result;
            engine_start(engine, &limits);
            thinks[level](engine, &state, &result);
            if (level == 0)
                first = result;
            assert_int_equal(result.action, first.action);
            assert_int_equal(result.value, first.value);
            assert_int_equal(result.nodes, first.nodes);
            engine_destroy(engine);
        }
    }
}

/* --- positions with known answers: tests/data/mushroom/positions.txt --- */

/* "win pass | draw 0,0,0,1 | loss -": the result of the side to move, and one action or "-" that
 * keeps it; then the position. */
static void check_position(struct engine *engine, char *line, int number)
{
    const struct banyan_game *game = find("mushroom");
    struct engine_limits limits = {.depth = ENGINE_MAX_DEPTH};
    char result[8], move[24], text[24];
    int at = 0;
    struct mushroom_state state;
    struct engine_result found;
    struct banyan_error err = {.message = ""};
    if (sscanf(line, "%7s %23s %n", result, move, &at) != 2 ||
        game->init(game, &state, line + at, NULL, &err) != BANYAN_OK)
        fail_msg("line %d: %s", number, err.message);
    engine_clear(engine);
    engine_think(engine, &state, &limits, &found);
    int expected = strcmp(result, "win") == 0 ? 1 : strcmp(result, "draw") == 0 ? 0 : -1;
    if (!found.exact || sign(found.value) != expected)
        fail_msg("line %d: found %d, known: %s", number, found.value, result);
    game->action_format(game, &state, state.mover, (banyan_action)found.action, text, sizeof text);
    if (strcmp(move, "-") != 0 && strcmp(move, text) != 0)
        fail_msg("line %d: plays %s, only %s is right", number, text, move);
}

static void test_positions(void **unused)
{
    (void)unused;
    struct engine *engines[2] = {make(false), make(true)};
    char line[1024];
    int count = 0;
    FILE *file = fopen(TEST_DATA "/mushroom/positions.txt", "r");
    assert_non_null(file);
    for (int number = 1; fgets(line, sizeof line, file); ++number) {
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == '#')
            continue;
        check_position(engines[0], line, number);
        check_position(engines[1], line, number);
        ++count;
    }
    fclose(file);
    assert_true(count >= 40);
    engine_destroy(engines[0]);
    engine_destroy(engines[1]);
}

/* --- the clock --- */

/* Time is never used up, however long the game lasts, and no move before the last ones is made without any. */
static void test_budget(void **unused)
{
    (void)unused;
    struct engine_limits limits;
    double left = 10000;
    for (int move = 0; move < 60; ++move) { /* far more moves than a game has */
        engine_budget(left, 10000, &limits);
        engine_share(&limits, move < 20 ? 60 - 2 * move : 20);
        assert_true(limits.hard_ms > 0 && limits.soft_ms < limits.hard_ms);
        assert_true(move > 20 || (limits.depth == 0 && limits.soft_ms > 50));
        left -= move < 20 ? limits.soft_ms : limits.hard_ms;
    }
    assert_true(left > 300 && left < 400);
    engine_budget(0, 10000, &limits);
    engine_share(&limits, 60);
    assert_true(limits.depth > 0 && limits.hard_ms < 1);
    limits = (struct engine_limits){.nodes = 7}; /* without a clock nothing is shared */
    engine_share(&limits, 60);
    assert_true(limits.nodes == 7 && limits.depth == 0 && limits.hard_ms <= 0);
}

/* A move of a long game gets a larger part of it, since its result is proven in fewer moves. */
static void test_share(void **unused)
{
    (void)unused;
    static const struct {
        double game_ms;
        int rectangles;
        double soft_ms, hard_ms;
    } rows[] = {{200, 40, 11.6, 41.3},   /* 12.1 moves */
                {10000, 68, 436, 1558},  /* 16.0 moves, not 21.1 */
                {10000, 8, 2800, 4000}}; /* 2.5 moves; at most 0.4 of all */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct engine_limits limits = {.game_ms = rows[i].game_ms};
        engine_share(&limits, rows[i].rectangles);
        assert_true(fabs(limits.soft_ms / rows[i].soft_ms - 1) < 0.01);
        assert_true(fabs(limits.hard_ms / rows[i].hard_ms - 1) < 0.01);
        assert_true(fabs(limits.solve_ms / rows[i].game_ms - 0.3) < 0.001);
    }
}

/* How long a move is looked at: the depths of a search with the best actions a, b, c. */
static void test_patience(void **unused)
{
    (void)unused;
    static const struct {
        char action;
        int cells;
        double factor;
    } rows[] = {{'a', 5, 1},   {'a', 1, 1},   {'a', 5, 0.6},
                {'a', 0, 0.6}, /* a cell less is nothing */
                {'b', 5, 1.5}, {'b', 0, 1},   {'b', 5, 1},
                {'b', 2, 0.6}, {'b', 3, 1.5}, /* two cells less than two depths before */
                {'b', 4, 0.6}, {'c', 9, 1.5}, {'a', 9, 1.5}};
    struct engine_course course = {{-ENGINE_WIN, -ENGINE_WIN}, 0};
    char before = 'a';
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        double factor =
            engine_patience(&course, rows[i].action == before, rows[i].cells * ENGINE_CELL);
        if (fabs(factor - rows[i].factor) > 1e-9)
            fail_msg("depth %zu: %g", i + 1, factor);
        before = rows[i].action;
    }
}

/* The search is the same tree as before: the sums of its positions and values.  If it changes on purpose, put the new
 * sums here, and measure its strength again (docs/results.md). */
static void test_same_trees(void **unused)
{
    (void)unused;
    static const struct {
        bool full_width;
        int depth;
        long long nodes, values;
    } rows[] = {{false, 7, 286028, 74177}, {true, 4, 18095, 57348}};
    for (int i = 0; i < 2; ++i) {
        struct engine *engine = make(rows[i].full_width);
        struct engine_limits limits = {.depth = rows[i].depth};
        struct banyan_rng rng;
        long long nodes = 0, values = 0;
        banyan_rng_seed(&rng, 15);
        for (int k = 0; k < 12; ++k) {
            struct mushroom_state state;
            struct engine_result result;
            assert_int_equal(mushroom_init(NULL, &state, NULL, &rng, NULL), BANYAN_OK);
            find("mushroom")->rollout(find("mushroom"), &state, 2, 6 + 2 * k, &rng);
            engine_clear(engine);
            engine_think(engine, &state, &limits, &result);
            nodes += (long long)result.nodes;
            values += (k + 1) * result.value + result.action;
        }
        if (nodes != rows[i].nodes || values != rows[i].values)
            fail_msg("depth %d: %lld positions, %lld", rows[i].depth, nodes, values);
        engine_destroy(engine);
    }
}

/* An attempt to solve the end that fails leaves a search without time limits as it is. */
static void test_failed_ending(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("mushroom");
    static banyan_action actions[BOARD_MAX_LEGAL + 1];
    struct engine *engine = make(false);
    struct engine_limits limits = {.nodes = 20000, .solve_ms = 1e-6};
    struct banyan_rng rng;
    int tried = 0;
    banyan_rng_seed(&rng, 8);
    while (tried < 20) {
        struct mushroom_state state;
        struct engine_result result;
        assert_int_equal(mushroom_init(NULL, &state, NULL, &rng, NULL), BANYAN_OK);
        int legal = game->legal(game, &state, 0, actions);
        while (legal - 1 > ENDING_RECTANGLES) {
            banyan_action joint[2] = {actions[0], actions[0]};
            game->apply(game, &state, joint, NULL);
            legal = game->legal(game, &state, state.mover, actions);
        }
        if (legal - 1 < 8)
            continue;
        engine_clear(engine);
        engine_think(engine, &state, &limits, &result);
        assert_true(result.exact || result.nodes >= limits.nodes);
        ++tried;
    }
    engine_destroy(engine);
}

/* The settings that docs/games/mushroom.md gives for `tournament` and for `alphabeta`, in sixteenths. */
static void test_settings(void **unused)
{
    struct engine_options selective, full;
    (void)unused;
    engine_options_default(false, &selective);
    engine_options_default(true, &full);
    assert_int_equal(selective.tempo, 8);
    assert_int_equal(selective.tilt, 6);
    assert_int_equal(selective.look, 2);
    assert_true(selective.selective && selective.endings);
    assert_int_equal(full.tempo, 16);
    assert_int_equal(full.tilt, 0);
    assert_int_equal(full.look, 0);
    assert_false(full.selective || full.endings);
    assert_int_equal(full.table_bytes, 64 << 20);
}

/* The players of this game exist, and play a game to its end by the rules. */
static void test_players(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("mushroom");
    static const char *const texts[2] = {"tournament:nodes=500,memory=1M",
                                         "alphabeta:nodes=500,memory=1M"};
    struct banyan_player players[2];
    struct mushroom_state state;
    for (int i = 0; i < 2; ++i)
        assert_int_equal(banyan_player_create(game, texts[i], NULL, 1, &players[i], NULL),
                         BANYAN_OK);
    assert_int_equal(game->init(game, &state, "seed=3", NULL, NULL), BANYAN_OK);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(players[i].open(players[i].ctx, &state, i, 1, NULL), BANYAN_OK);
    int plies = 0;
    for (; game->movers(game, &state); ++plies) {
        banyan_action legal[BOARD_MAX_LEGAL + 1], joint[2];
        struct banyan_player_move move;
        struct banyan_player *player = &players[state.mover];
        bool known = false;
        assert_int_equal(player->choose(player->ctx, &state, NULL, &move, NULL), BANYAN_OK);
        int count = game->legal(game, &state, state.mover, legal);
        for (int i = 0; i < count; ++i)
            known |= legal[i] == move.action;
        assert_true(known);
        joint[0] = joint[1] = move.action;
        game->apply(game, &state, joint, NULL);
    }
    assert_true(plies > 20);
    banyan_player_close(&players[0]);
    banyan_player_close(&players[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_boards),  cmocka_unit_test(test_keeps_its_word),
        cmocka_unit_test(test_levels_agree),  cmocka_unit_test(test_positions),
        cmocka_unit_test(test_budget),        cmocka_unit_test(test_players),
        cmocka_unit_test(test_failed_ending), cmocka_unit_test(test_settings),
        cmocka_unit_test(test_share),         cmocka_unit_test(test_patience),
        cmocka_unit_test(test_same_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
