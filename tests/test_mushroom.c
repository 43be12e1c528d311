/* The mushroom game: worked examples, recorded games, and the move generators compared with the
 * written rules. */
#include "games/mushroom/general.h"
#include "games/mushroom/table.h"
#include "mushroom_naive.h"
#include "records/records.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char example[] =
    "52466443835422223/13254826938785712/87598398564241564/72722154162442227/43968227685821641/"
    "27727492381231148/56138649164249527/36281415328768234/62682694189422313/62269566965435457";

/* The first two rows of the board of seed 1. */
#define SEED_ONE "67944785384655426/87811523157196644/"

#ifndef POSITIONS
#define POSITIONS 30000
#endif

static const struct banyan_game *find(const char *name)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(name, &game, NULL), BANYAN_OK);
    return game;
}

static void play(const struct banyan_game *game, struct mushroom_state *state, const char *text)
{
    banyan_action joint[2];
    struct banyan_error err = {.message = ""};
    if (game->action_parse(game, state, state->mover, text, &joint[0], &err) != BANYAN_OK)
        fail_msg("%s: %s", text, err.message);
    joint[1] = joint[0];
    game->apply(game, state, joint, NULL);
}

static void test_numbering(void **unused)
{
    (void)unused;
    int action = 0;
    for (int r1 = 0; r1 < 10; ++r1)
        for (int c1 = 0; c1 < 17; ++c1)
            for (int r2 = r1; r2 < 10; ++r2)
                for (int c2 = c1; c2 < 17; ++c2) {
                    struct rectangle x = {(uint8_t)r1, (uint8_t)c1, (uint8_t)r2, (uint8_t)c2};
                    struct cells inside = rectangle_cells(x);
                    assert_int_equal(cells_count(inside), (r2 - r1 + 1) * (c2 - c1 + 1));
                    assert_true(cells_has(&inside, 18 * r1 + c1));
                    assert_true(cells_has(&inside, 18 * r2 + c2));
                    if (r1 == r2 && c1 == c2)
                        continue;
                    assert_int_equal(rectangle_action(x), action);
                    struct rectangle back = rectangle_of(action++);
                    assert_memory_equal(&back, &x, sizeof x);
                }
    assert_int_equal(action, BOARD_RECTANGLES);
}

/* The official example: 4 : 5 after two rectangles and two passes. */
static void test_example(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("mushroom");
    struct mushroom_state state;
    banyan_action legal[BOARD_MAX_LEGAL + 1];
    float returns[2];
    assert_int_equal(game->init(game, &state, example, NULL, NULL), BANYAN_OK);
    assert_int_equal(game->legal(game, &state, 0, legal), 69);
    play(game, &state, "0 11 0 14");
    assert_int_equal(state.last, 1311);
    assert_int_equal(game->legal(game, &state, 1, legal), 69);
    play(game, &state, "1,13,5,13");
    assert_int_equal(state.last, 2802);
    assert_int_equal(game->legal(game, &state, 0, legal), 65);
    play(game, &state, "pass");
    assert_int_equal(game->movers(game, &state), 2);
    play(game, &state, "-1 -1 -1 -1");
    assert_int_equal(game->movers(game, &state), 0);
    assert_int_equal(cells_count(state.owned[0]), 4);
    assert_int_equal(cells_count(state.owned[1]), 5);
    game->returns(game, &state, returns);
    assert_true(returns[0] == -1 && returns[1] == 1);
}

/* SECOND takes back FIRST's cells, and more. */
static void test_stealing(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("mushroom");
    struct mushroom_state state;
    assert_int_equal(game->init(game, &state, example, NULL, NULL), BANYAN_OK);
    play(game, &state, "0,11,0,14");
    play(game, &state, "0,9,0,15");
    assert_int_equal(cells_count(state.owned[0]), 0);
    assert_int_equal(cells_count(state.owned[1]), 7);
}

static void test_verdicts(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"0,0,0,1", "sum"},      {"2,0,1,3", "range"},  {"0,3,0,17", "range"},
        {"-1,-1,-1,0", "range"}, {"0,13,1,15", "side"}, {"1,13,1,16", "side"},
        {"2,10,2,13", "side"},   {"3,10,3,13", "side"}, {"4,13,4,15", "side"},
    };
    const struct banyan_game *game = find("mushroom");
    struct mushroom_state state;
    assert_int_equal(game->init(game, &state, example, NULL, NULL), BANYAN_OK);
    play(game, &state, "0,11,0,14");
    play(game, &state, "1,13,5,13");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        banyan_action action;
        struct banyan_error err = {.message = ""};
        assert_int_equal(game->action_parse(game, &state, 0, cases[i].text, &action, &err),
                         BANYAN_ILLEGAL);
        if (!strstr(err.message, cases[i].why))
            fail_msg("%s: %s", cases[i].text, err.message);
    }
}

/* Boards drawn by a seed are those of the reference generator. */
static void test_seed(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("mushroom");
    struct mushroom_state state;
    char text[BANYAN_TEXT_MAX];
    assert_int_equal(game->init(game, &state, "seed=1", NULL, NULL), BANYAN_OK);
    game->format(game, &state, text, sizeof text);
    assert_memory_equal(text, SEED_ONE, sizeof SEED_ONE - 1);
}

static void verify(const char *file)
{
    char path[512];
    struct banyan_error err = {.message = ""};
    struct records_report report = {.out = stderr, .shown = 20};
    snprintf(path, sizeof path, "%s/mushroom/%s", TEST_DATA, file);
    if (records_verify(find("mushroom"), NULL, path, &report, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    assert_true(report.games > 0 && report.steps > 50);
    assert_int_equal(report.differences, 0);
}

static void test_records(void **unused)
{
    (void)unused;
    verify("games.jsonl");
    verify("full.jsonl");
    verify("verdicts.jsonl");
    verify("perft.jsonl");
}

/* A record that is wrong in one place is reported. */
static void test_records_differ(void **unused)
{
    (void)unused;
    static const char record[] =
        "{\"id\":\"x\",\"values\":[\"55000000000000000\","
        "\"00000000000000000\",\"00000000000000000\",\"00000000000000000\","
        "\"00000000000000000\",\"00000000000000000\",\"00000000000000000\","
        "\"00000000000000000\",\"00000000000000000\","
        "\"00000000000000000\"],\"to_move\":\"F\",\"passes\":0,"
        "\"perft\":[2,3,2,0]}";
    struct records_source *source;
    struct records_report report = {.games = 0};
    assert_int_equal(records_open_memory("memory", record, sizeof record - 1, &source, NULL),
                     BANYAN_OK);
    const struct records_format *format = NULL;
    for (int i = 0; (format = records_format_at(i)) && strcmp(format->name, "mushroom") != 0; ++i)
        ;
    assert_non_null(format);
    assert_int_equal(format->read(find("mushroom"), source, &report, NULL), BANYAN_OK);
    records_close(source);
    assert_int_equal(report.steps, 4);
    /* the record says 3 for two plies, but there are 2 lines */
    assert_int_equal(report.differences, 1);
}

/* --- the generators --- */

static int order(const void *a, const void *b)
{
    const banyan_action *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Draws a board of one of several kinds: official, small digits, mostly holes, patterns. */
static void random_board(const struct banyan_game *game, int kind, struct banyan_rng *rng,
                         struct mushroom_state *state)
{
    char text[BANYAN_TEXT_MAX];
    size_t length = 0;
    for (int i = 0; i < 170; ++i) {
        int r = i / 17, c = i % 17, digit = 1 + (int)banyan_rng_below(rng, 9);
        switch (kind) {
        case 1:
            digit = 1 + digit % 5;
            break;
        case 2: /* a small board, or a narrow one */
            digit = r < 4 && c < 6 ? digit : 0;
            break;
        case 3:
            digit = banyan_rng_below(rng, 4) ? 0 : digit;
            break;
        case 4:
            digit = 1;
            break;
        case 5:
            digit = (r + c) % 2 ? 1 : 9;
            break;
        default:
            break;
        }
        text[length++] = (char)('0' + digit);
        if (c == 16)
            text[length++] = r == 9 ? 0 : '/';
    }
    assert_int_equal(game->init(game, state, text, NULL, NULL), BANYAN_OK);
}

static void compare(const struct mushroom_state *state, enum mushroom_level best)
{
    banyan_action naive[BOARD_MAX_LEGAL], ours[BOARD_MAX_LEGAL + 1], first[BOARD_MAX_LEGAL + 1];
    int count = naive_legal(state, naive);
    for (int level = 0; level <= (int)best; ++level) {
        const struct banyan_game *game = mushroom_at((enum mushroom_level)level);
        assert_int_equal(game->legal(game, state, state->mover, ours), count + 1);
        if (level == 0)
            memcpy(first, ours, sizeof ours);
        else
            assert_memory_equal(first, ours,
                                ((size_t)count + 1) * sizeof *ours); /* same order in both */
        assert_int_equal(ours[count], BOARD_PASS);
        qsort(ours, (size_t)count, sizeof *ours, order);
        assert_memory_equal(ours, naive, (size_t)count * sizeof *ours);
    }
}

/* All instruction levels compute the same state after an action, and the same playout from the
 * same stream. */
static void compare_play(const struct mushroom_state *state, enum mushroom_level best,
                         banyan_action action, uint64_t seed)
{
    struct mushroom_state first[4] = {*state, *state, *state, *state};
    for (int level = 0; level <= (int)best; ++level) {
        const struct banyan_game *game = mushroom_at((enum mushroom_level)level);
        banyan_action joint[2] = {action, action};
        struct mushroom_state next[4] = {*state, *state, *state, *state};
        game->apply(game, &next[0], joint, NULL);
        for (int policy = 0; policy < 3; ++policy) {
            struct banyan_rng rng;
            banyan_rng_seed(&rng, seed);
            game->rollout(game, &next[1 + policy], policy, game->max_plies, &rng);
        }
        if (level == 0)
            memcpy(first, next, sizeof next);
        assert_memory_equal(first, next, sizeof next);
    }
}

static void test_generators(void **unused)
{
    (void)unused;
    enum mushroom_level best = mushroom_level();
    struct banyan_rng rng;
    long positions = 0;
    banyan_rng_seed(&rng, 5);
    for (int game_number = 0; positions < POSITIONS; ++game_number) {
        struct mushroom_state state;
        banyan_action legal[BOARD_MAX_LEGAL + 1], joint[2];
        const struct banyan_game *game = mushroom_at(best);
        random_board(game, game_number % 8, &rng, &state);
        for (int plies = 0; game->movers(game, &state); ++plies, ++positions) {
            compare(&state, best);
            int count = game->legal(game, &state, state.mover, legal);
            joint[0] = legal[banyan_rng_below(&rng, (uint32_t)count)];
            joint[1] = joint[0];
            if (positions % 16 == 0)
                compare_play(&state, best, joint[0], (uint64_t)positions);
            game->apply(game, &state, joint, NULL);
        }
    }
}

/* Playouts draw each of n choices equally often: the sum of (found - expected)^2 / expected has
 * mean n - 1 and variance 2 (n - 1); a sum more than five deviations above the mean fails. */
static void uniform(const struct banyan_game *game, const struct mushroom_state *state, int policy,
                    struct banyan_rng *rng)
{
    enum { EACH = 400 };
    static int found[BOARD_RECTANGLES + 1];
    banyan_action legal[BOARD_MAX_LEGAL + 1];
    int n = game->legal(game, state, state->mover, legal) - (policy == 1);
    double sum = 0;
    memset(found, 0, sizeof found);
    for (int i = 0; i < EACH * n; ++i) {
        struct mushroom_state next = *state;
        game->rollout(game, &next, policy, 1, rng);
        ++found[next.last];
    }
    int drawn = 0;
    for (int i = 0; i < n; ++i) {
        double off = found[legal[i]] - EACH;
        sum += off * off / EACH;
        drawn += found[legal[i]];
    }
    assert_int_equal(drawn, EACH * n); /* only actions of the list were drawn */
    double above = sum - (n - 1);
    if (above > 0 && above * above > 25 * 2.0 * (n - 1))
        fail_msg("%d choices: %g", n, sum);
}

static void test_uniform(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 11);
    for (int level = 0; level <= (int)mushroom_level(); ++level) {
        const struct banyan_game *game = mushroom_at((enum mushroom_level)level);
        for (int plies = 0; plies <= 36; plies += 6) {
            struct mushroom_state state;
            /* all digits are 1: hundreds of rectangles */
            random_board(game, plies == 12 ? 4 : 0, &rng, &state);
            game->rollout(game, &state, 1, plies, &rng);
            for (int policy = 0; policy < 2; ++policy)
                uniform(game, &state, policy, &rng);
        }
    }
}

/* --- values --- */

/* The result is within bounds() of every earlier position; at the end both bounds are the result,
 * and sometimes before. */
static void test_bounds(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("mushroom");
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 9);
    int certain = 0;
    for (int i = 0; i < 200; ++i) {
        struct mushroom_state state;
        float lo[200], hi[200], returns[2];
        int plies = 0;
        random_board(game, i % 4, &rng, &state);
        for (; game->movers(game, &state); ++plies) {
            game->bounds(game, &state, 0, &lo[plies], &hi[plies]);
            /* the rollout passes only if there is no rectangle */
            game->rollout(game, &state, 1, 1, &rng);
        }
        game->returns(game, &state, returns);
        game->bounds(game, &state, 0, &lo[plies], &hi[plies]);
        assert_true(lo[plies] == returns[0] && hi[plies] == returns[0]);
        for (int k = 0; k < plies; ++k) {
            assert_true(lo[k] <= returns[0] && returns[0] <= hi[k]);
            certain += lo[k] == hi[k];
        }
    }
    assert_true(certain > 100);
}

/* What player can be sure of: the difference of safe cells, if all cells that may change go to the other side. */
static void naive_bounds(const struct mushroom_state *state, int player, float *lo, float *hi)
{
    bool open[10][17];
    int loose = naive_open(state, open), lead = 0;
    for (int i = 0; i < 170; ++i) {
        int cell = 18 * (i / 17) + i % 17;
        if (!open[i / 17][i % 17])
            lead +=
                cells_has(&state->owned[player], cell) - cells_has(&state->owned[1 - player], cell);
    }
    *lo = (float)((lead - loose > 0) - (lead - loose < 0));
    *hi = (float)((lead + loose > 0) - (lead + loose < 0));
}

/* The second player mostly passes, so that leads are large enough to be safe. */
static void bounds_are_those_of_all_safe_cells(void **unused)
{
    enum { FULL = 125 }; /* with more mushrooms there are no bounds */
    (void)unused;
    const struct banyan_game *game = find("mushroom");
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 10);
    int sure = 0;
    for (int i = 0; i < 40; ++i) {
        struct mushroom_state state;
        random_board(game, i % 4, &rng, &state);
        for (unsigned movers; (movers = game->movers(game, &state)) != 0;) {
            float lo, hi, right_lo, right_hi;
            game->bounds(game, &state, i % 2, &lo, &hi);
            naive_bounds(&state, i % 2, &right_lo, &right_hi);
            if (cells_count(state.live) <= FULL && (lo != right_lo || hi != right_hi))
                fail_msg("game %d: %g to %g, not %g to %g", i, (double)lo, (double)hi,
                         (double)right_lo, (double)right_hi);
            sure += lo > -1 || hi < 1;
            if (movers == 2 && state.passes == 0 && banyan_rng_below(&rng, 4))
                play(game, &state, "pass");
            else
                game->rollout(game, &state, 1, 1, &rng);
        }
    }
    assert_true(sure > 60);
}

/* A game ends after two passes, however full the board is: then its result is certain, and its picture
 * says so. */
static void test_two_passes(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("mushroom");
    static const char *const says[] = {"</tspan></text>", "</tspan>, a pass</text>",
                                       "</tspan>, over</text>"};
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 4);
    struct mushroom_state state;
    memset(&state, 0, sizeof state);
    assert_int_equal(game->init(game, &state, NULL, &rng, NULL), BANYAN_OK);
    for (int passes = 0; passes <= 2; ++passes) {
        static char picture[1 << 18];
        float lo, hi;
        for (int player = 0; player < 2; ++player) {
            game->bounds(game, &state, player, &lo, &hi);
            assert_true(lo == (passes == 2 ? 0.0f : -1.0f) && hi == (passes == 2 ? 0.0f : 1.0f));
        }
        assert_true(game->svg(game, &state, -1, picture, sizeof picture) < (int)sizeof picture);
        assert_non_null(strstr(picture, says[passes]));
        assert_int_equal(game->movers(game, &state) == 0, passes == 2);
        if (passes < 2)
            play(game, &state, "pass");
    }
}

/* Whether the rectangle may be taken: its mushrooms add up to 10, and each of its sides has one. */
static bool may_take(const struct general_state *state, int r1, int c1, int r2, int c2)
{
    int sum = 0, sides[4] = {0};
    for (int r = r1; r <= r2; ++r)
        for (int c = c1; c <= c2; ++c) {
            int value = state->cell[r * state->columns + c];
            value = value < GENERAL_OWNED ? value : 0;
            sum += value;
            sides[0] += r == r1 ? value : 0;
            sides[1] += r == r2 ? value : 0;
            sides[2] += c == c1 ? value : 0;
            sides[3] += c == c2 ? value : 0;
        }
    return sum == 10 && sides[0] && sides[1] && sides[2] && sides[3];
}

/* Every rectangle of a board of any size, by the rule itself; played on, until many cells are taken. */
static void test_other_boards(void **unused)
{
    (void)unused;
    static const char *const setups[] = {"size=16x32 seed=1 digits=9", "size=1x32 seed=2 digits=5",
                                         "size=16x1 seed=3 digits=9", "size=5x7 seed=4 digits=3"};
    static banyan_action legal[GENERAL_MAX_LEGAL + 1];
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    for (int i = 0; i < 4; ++i) {
        const struct banyan_game *game = find(i % 2 ? "mushroom-n3" : "mushroom-n2");
        struct general_state state;
        assert_int_equal(game->init(game, &state, setups[i], &rng, NULL), BANYAN_OK);
        for (int ply = 0; ply < 12 && game->movers(game, &state); ++ply) {
            int count = game->legal(game, &state, state.mover, legal), expected = 0, found = 0;
            for (int r1 = 0; r1 < state.rows; ++r1)
                for (int c1 = 0; c1 < state.columns; ++c1)
                    for (int r2 = r1; r2 < state.rows && r2 < r1 + 10; ++r2)
                        for (int c2 = c1; c2 < state.columns && c2 < c1 + 10; ++c2)
                            expected += may_take(&state, r1, c1, r2, c2);
            for (int k = 0; k < count - 1; ++k) {
                struct general_rectangle x = general_rectangle_of(legal[k]);
                found += x.r2 < x.r1 + 10 && x.c2 < x.c1 + 10;
                assert_true(may_take(&state, x.r1, x.c1, x.r2, x.c2));
            }
            assert_int_equal(legal[count - 1], GENERAL_PASS);
            assert_int_equal(found, expected);
            banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
            joint[state.mover] = legal[banyan_rng_below(&rng, (uint32_t)count)];
            game->apply(game, &state, joint, NULL);
        }
    }
}

/* Cells that are owned are A, B and so on: as many as there are players. */
static void test_owners(void **unused)
{
    (void)unused;
    static const char *const names[] = {"mushroom-n2", "mushroom-n3", "mushroom-n4"};
    for (int n = 0; n < 3; ++n)
        for (char owner = 'A'; owner <= 'F'; ++owner) {
            struct general_state state;
            char text[16];
            snprintf(text, sizeof text, "12%c/3.4", owner);
            enum banyan_status status =
                find(names[n])->init(find(names[n]), &state, text, NULL, NULL);
            assert_int_equal(status, owner < 'C' + n ? BANYAN_OK : BANYAN_INVALID);
        }
}

/* The published value, and priors in proportion to captured cells. */
static void test_heuristic(void **unused)
{
    (void)unused;
    const struct banyan_game *game = find("mushroom");
    struct mushroom_state state;
    banyan_action legal[BOARD_MAX_LEGAL + 1];
    float priors[BOARD_MAX_LEGAL + 1], sum = 0;
    assert_int_equal(game->init(game, &state, example, NULL, NULL), BANYAN_OK);
    play(game, &state, "0,11,0,14");
    play(game, &state, "1,13,5,13");
    assert_true(game->heuristic(game, &state, 0) == -1.0f / 10 &&
                game->heuristic(game, &state, 1) == 0.1f);
    int count = game->legal(game, &state, 0, legal), steal = -1;
    game->priors(game, &state, 0, legal, count, priors);
    for (int i = 0; i < count; ++i) {
        if (legal[i] == (banyan_action)rectangle_action((struct rectangle){3, 11, 3, 14}))
            steal = i; /* three free cells and one of the opponent's */
        sum += priors[i];
    }
    assert_true(sum > 0.999f && sum < 1.001f && steal >= 0);
    assert_true(priors[steal] > 9.99f * priors[count - 1] &&
                priors[steal] < 10.01f * priors[count - 1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbering),      cmocka_unit_test(test_example),
        cmocka_unit_test(test_stealing),       cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_seed),           cmocka_unit_test(test_records),
        cmocka_unit_test(test_records_differ), cmocka_unit_test(test_generators),
        cmocka_unit_test(test_bounds),         cmocka_unit_test(bounds_are_those_of_all_safe_cells),
        cmocka_unit_test(test_two_passes),     cmocka_unit_test(test_other_boards),
        cmocka_unit_test(test_owners),         cmocka_unit_test(test_heuristic),
        cmocka_unit_test(test_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
