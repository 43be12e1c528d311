/* Othello against published and independently computed figures, and its instruction sets against
 * each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <banyan/game.h>

#include "games/othello/othello.h"
#include "games/othello/table.h"

#include "othello_perft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZE_8, SIZE_6, SIZE_4 };

/* The optimal game of Takizawa, "Othello is Solved" (2023): 60 moves, no pass, 32-32. */
#define PERFECT_GAME                                                                               \
    "F5D6C3D3C4F4F6F3E6E7D7C5B6D8C6C7D2B5A5A6A7G5E3B4C8G6G4C2E8D1F7E2G3H4F1E1F2G1B1F8G8B3H3B2H5B7" \
    "A3A4A1A2C1H2H1G2B8A8G7H8H7H6"

static const struct banyan_game *best(int size)
{
    return othello_variant_at(size, othello_level());
}

static struct othello_state position(const struct banyan_game *game, const char *setup)
{
    struct othello_state state;
    struct banyan_error err = {.message = ""};
    if (game->init(game, &state, setup, NULL, &err) != BANYAN_OK)
        fail_msg("%s: %s", setup, err.message);
    return state;
}

static struct othello_state after(const struct banyan_game *game, struct othello_state state,
                                  banyan_action action)
{
    game->apply(game, &state, (banyan_action[2]){action, action}, NULL);
    return state;
}

static void check_perft(const struct banyan_game *game, const uint64_t table[][2], int depths)
{
    struct othello_state start = position(game, NULL);
    for (int depth = 1; depth <= depths; ++depth) {
        uint64_t ended = 0;
        assert_int_equal(perft(game, &start, depth, &ended), table[depth - 1][0]);
        assert_int_equal(ended, table[depth - 1][1]);
    }
}

static const uint64_t perft_8[9][2] = {{4, 0},    {12, 0},    {56, 0},     {244, 0},    {1396, 0},
                                       {8200, 0}, {55092, 0}, {390216, 0}, {3005288, 0}};

static void test_perft_8x8(void **unused)
{
    (void)unused;
    check_perft(best(SIZE_8), perft_8, 9);
}

static void test_perft_8x8_portable(void **unused)
{
    (void)unused;
    check_perft(othello_variant_at(SIZE_8, OTHELLO_PORTABLE), perft_8, 8);
}

static void test_perft_6x6(void **unused)
{
    (void)unused;
    static const uint64_t table[9][2] = {{4, 0},    {12, 0},    {56, 0},     {244, 0},    {1364, 0},
                                         {7604, 0}, {47740, 0}, {308716, 0}, {2114912, 0}};
    check_perft(best(SIZE_6), table, 9);
}

static void test_perft_4x4(void **unused)
{
    (void)unused;
    static const uint64_t table[13][2] = {
        {4, 0},    {12, 0},     {44, 0},      {128, 0},     {424, 0},      {1256, 0},     {3624, 0},
        {9112, 4}, {20032, 12}, {36412, 128}, {50268, 436}, {55112, 2324}, {31396, 28168}};
    check_perft(best(SIZE_4), table, 13);
}

/* Disc difference under perfect play for the side to move; empty squares count for neither side. */
static int negamax(const struct banyan_game *game, struct othello_state state, int alpha, int beta)
{
    if (!game->movers(game, &state))
        return board_difference(othello_board(&state));
    banyan_action actions[60];
    int count = game->legal(game, &state, othello_mover(&state), actions);
    for (int i = 0; i < count && alpha < beta; ++i) {
        int value = -negamax(game, after(game, state, actions[i]), -beta, -alpha);
        alpha = value > alpha ? value : alpha;
    }
    return alpha;
}

static void test_value_of_4x4(void **unused)
{
    (void)unused;
    assert_int_equal(negamax(best(SIZE_4), position(best(SIZE_4), NULL), -64, 64), -8);
}

static void test_perfect_game_is_a_draw(void **unused)
{
    (void)unused;
    const struct banyan_game *game = best(SIZE_8);
    struct othello_state state = position(game, "moves:" PERFECT_GAME);
    float values[2];
    assert_int_equal(game->movers(game, &state), 0);
    assert_int_equal(bits_count64(state.own), 32);
    assert_int_equal(bits_count64(state.other), 32);
    game->returns(game, &state, values);
    assert_true(values[0] == 0 && values[1] == 0);
}

/* Mean -0.0503 with standard error 0.0005 over 3.88 million games of another program; one result
 * has a standard deviation of 0.978. */
static void test_random_play_has_the_known_mean(void **unused)
{
    (void)unused;
    enum { GAMES = 150000 };
    const struct banyan_game *game = best(SIZE_8);
    struct othello_state start = position(game, NULL);
    struct banyan_rng rng;
    double sum = 0, squares = 0, discs = 0;
    banyan_rng_seed(&rng, 1);
    for (int i = 0; i < GAMES; ++i) {
        struct othello_state state = start;
        float values[2];
        game->rollout(game, &state, 0, game->max_plies, &rng);
        assert_int_equal(game->movers(game, &state), 0);
        game->returns(game, &state, values);
        assert_true(values[0] == -values[1]);
        sum += values[0];
        squares += values[0] * values[0];
        discs += bits_count64(state.own | state.other) - 4;
    }
    double deviation = sqrt(squares / GAMES - sum / GAMES * sum / GAMES);
    assert_true(fabs(deviation - 0.978) < 0.01);
    assert_true(fabs(sum / GAMES + 0.0503) < 3 * sqrt(0.978 * 0.978 / GAMES + 0.0005 * 0.0005));
    assert_true(fabs(discs / GAMES - 59.967) < 0.01);
}

/* Compares two sets of functions: legal actions, one ply and the rest of the game, from equal
 * dice. */
static void compare(const struct banyan_game *a, const struct banyan_game *b,
                    struct othello_state state, const struct banyan_rng *rng)
{
    banyan_action legal_a[60], legal_b[60];
    struct banyan_rng rng_a = *rng, rng_b = *rng;
    int player = othello_mover(&state), count = a->legal(a, &state, player, legal_a);
    assert_int_equal(b->legal(b, &state, player, legal_b), count);
    assert_memory_equal(legal_a, legal_b, (size_t)count * sizeof *legal_a);
    banyan_action action = legal_a[banyan_rng_below(&rng_a, (uint32_t)count)];
    struct othello_state next_a = after(a, state, action), next_b = after(b, state, action);
    assert_memory_equal(&next_a, &next_b, sizeof next_a);
    a->rollout(a, &state, 0, 1, &rng_b);
    assert_memory_equal(&state, &next_a, sizeof state);
}

/* legal_count_after() of a level must count what legal() names two plies on. */
static void check_two_plies(const struct banyan_game *game, int games)
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 8);
    while (games--) {
        struct othello_state state = position(game, NULL);
        for (; game->movers(game, &state); game->rollout(game, &state, 0, 1, &rng)) {
            int said_ended = -1;
            uint64_t ended = 0, count = perft(game, &state, 2, &ended);
            assert_int_equal(
                game->legal_count_after(game, &state, othello_mover(&state), &said_ended), count);
            assert_int_equal(said_ended, ended);
        }
    }
}

static void test_two_plies_at_once(void **unused)
{
    (void)unused;
    for (int level = 0; level <= (int)othello_level(); ++level)
        for (int size = SIZE_8; size <= SIZE_4; ++size)
            check_two_plies(othello_variant_at(size, (enum othello_level)level), 2000);
}

static void compare_levels(int size, enum othello_level level, long positions)
{
    const struct banyan_game *a = othello_variant_at(size, OTHELLO_PORTABLE);
    const struct banyan_game *b = othello_variant_at(size, level);
    struct othello_state start = position(a, NULL);
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 7);
    while (positions > 0) {
        struct othello_state state = start;
        for (; a->movers(a, &state); --positions) {
            struct othello_state twin = state;
            compare(a, b, state, &rng);
            struct banyan_rng twin_rng = rng;
            a->rollout(a, &state, 0, 1, &rng);
            b->rollout(b, &twin, 0, 1, &twin_rng);
            assert_memory_equal(&state, &twin, sizeof state);
            assert_memory_equal(&rng, &twin_rng, sizeof rng);
        }
        struct othello_state whole = start, twin = start;
        struct banyan_rng twin_rng = rng;
        a->rollout(a, &whole, 0, 1000, &rng);
        b->rollout(b, &twin, 0, 1000, &twin_rng);
        assert_memory_equal(&whole, &twin, sizeof whole);
        assert_memory_equal(&rng, &twin_rng, sizeof rng);
    }
}

static void test_levels_agree(void **unused)
{
    (void)unused;
    for (int level = 1; level <= (int)othello_level(); ++level) {
        compare_levels(SIZE_8, (enum othello_level)level, 1000000);
        compare_levels(SIZE_6, (enum othello_level)level, 100000);
        compare_levels(SIZE_4, (enum othello_level)level, 100000);
    }
}

static void test_texts_round_trip(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 3);
    for (int n = 0; n < 3000; ++n) {
        const struct banyan_game *game = best(n % 3);
        struct othello_state state = position(game, NULL), back;
        game->rollout(game, &state, 0, (int)banyan_rng_below(&rng, 70), &rng);
        char text[128];
        assert_true(game->format(game, &state, text, sizeof text) < (int)sizeof text);
        back = position(game, text);
        assert_memory_equal(&back, &state, sizeof state);
        if (!game->movers(game, &state))
            continue;
        banyan_action actions[60], action;
        int player = othello_mover(&state), count = game->legal(game, &state, player, actions);
        for (int i = 0; i < count; ++i) {
            game->action_format(game, &state, player, actions[i], text, sizeof text);
            assert_int_equal(game->action_parse(game, &state, player, text, &action, NULL),
                             BANYAN_OK);
            assert_int_equal(action, actions[i]);
        }
    }
}

static void test_start_position(void **unused)
{
    (void)unused;
    char text[128];
    struct othello_state state = position(best(SIZE_8), "");
    best(SIZE_8)->format(best(SIZE_8), &state, text, sizeof text);
    assert_string_equal(text, "---------------------------OX------XO--------------------------- X");
    banyan_action action;
    assert_int_equal(best(SIZE_8)->action_parse(best(SIZE_8), &state, 0, "d3", &action, NULL),
                     BANYAN_OK);
    assert_int_equal(action, 19);
    state = position(best(SIZE_6), "");
    best(SIZE_6)->format(best(SIZE_6), &state, text, sizeof text);
    assert_string_equal(text, "--------------OX----XO-------------- X");
    assert_int_equal(best(SIZE_6)->action_parse(best(SIZE_6), &state, 0, "c2", &action, NULL),
                     BANYAN_OK);
    assert_int_equal(best(SIZE_6)->policy_index(best(SIZE_6), &state, 0, action), 8);
    state = position(best(SIZE_4), "");
    best(SIZE_4)->draw(best(SIZE_4), &state, -1, text, sizeof text);
    assert_string_equal(text, "  a b c d\n"
                              "1 . * . .\n"
                              "2 * O X .\n"
                              "3 . X O *\n"
                              "4 . . * .\n"
                              "X 2, O 2: X to move\n");
}

/* The shortest games last nine moves. */
#define WIPEOUT "moves:e6f4e3f6g5d6e7f5c5"

static void test_passes(void **unused)
{
    (void)unused;
    const struct banyan_game *game = best(SIZE_8);
    banyan_action actions[60], action;
    static const char *const names[] = {"pass", "PASS", "ps", "--", "pa"};
    struct othello_state state =
        position(game, "XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXOO- O");
    assert_int_equal(game->movers(game, &state), 2);
    assert_int_equal(game->legal(game, &state, 1, actions), 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        assert_int_equal(game->action_parse(game, &state, 1, names[i], &action, NULL), BANYAN_OK);
        assert_int_equal(action, OTHELLO_PASS);
    }
    assert_int_equal(game->policy_index(game, &state, 0, OTHELLO_PASS), 64);
    assert_int_equal(game->action_parse(game, &state, 1, "h8", &action, NULL), BANYAN_ILLEGAL);
    state = after(game, state, OTHELLO_PASS);
    assert_int_equal(game->movers(game, &state), 1);
    state = after(game, state, 63);
    assert_int_equal(game->movers(game, &state), 0);
    assert_int_equal(bits_count64(state.own | state.other), 64);
}

static void test_wipeout_ends_the_game(void **unused)
{
    (void)unused;
    const struct banyan_game *game = best(SIZE_8);
    struct othello_state state = position(game, WIPEOUT);
    float values[2];
    assert_int_equal(game->movers(game, &state), 0);
    assert_int_equal(state.own, 0);
    game->returns(game, &state, values);
    assert_true(values[0] == 1 && values[1] == -1);
}

static void test_bad_texts_say_why(void **unused)
{
    (void)unused;
    static const struct {
        int size;
        const char *setup, *reason;
    } bad[] = {
        {SIZE_8, "---------------------------OX------XO---------------------------",
         "side to move"},
        {SIZE_8, "---------------------------OX------XO--------------------------- Q", "'Q'"},
        {SIZE_8, "---------------------------OX------XO--------------------------- X!", "'X!'"},
        {SIZE_8, "---------------------------OX------XO-------------------------- X",
         "side to move"},
        {SIZE_8, "---------------------------OX------XO-------------------------",
         "has 62 squares"},
        {SIZE_8, "---------------------------OX------X---------------------------- X", "centre"},
        {SIZE_8, "--?", "'?'"},
        {SIZE_6, "--------------OX----XO-------------- ", "side to move"},
        {SIZE_4, "------OX-XO----- X", "centre"},
        {SIZE_8, "moves:z9", "'z9' is not a square: write a1 to h8"},
        {SIZE_6, "moves:g1", "'g1' is not a square: write a1 to f6"},
        {SIZE_8, "moves:d3d3", "d3 is occupied"},
        {SIZE_8, "moves:d3a1", "a1 turns no disc for white"},
        {SIZE_8, "moves:pass", "black may not pass"},
        {SIZE_8, WIPEOUT "a1", "a1: the game is over"},
        {SIZE_8, "moves:d", "'d' is not a square"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct othello_state state;
        struct banyan_error err = {.message = ""};
        assert_int_not_equal(
            best(bad[i].size)->init(best(bad[i].size), &state, bad[i].setup, NULL, &err),
            BANYAN_OK);
        if (!strstr(err.message, bad[i].reason))
            fail_msg("\"%s\" was refused with: %s", bad[i].setup, err.message);
    }
}

/* Each line of the suite: id, board, side to move, empty squares, score, best moves. */
static void test_fforum_positions(void **unused)
{
    (void)unused;
    const struct banyan_game *game = best(SIZE_8);
    FILE *file = fopen(TEST_DATA "/othello/fforum.tsv", "r");
    assert_non_null(file);
    char line[256], board[80], side, moves[80];
    int id, empty, score, count = 0;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%d %64s %c %d %d %79[^\n]", &id, board, &side, &empty, &score, moves) !=
            6)
            continue;
        char setup[96], text[96];
        snprintf(setup, sizeof setup, "%s %c", board, side);
        struct othello_state state = position(game, setup);
        assert_int_equal(bits_count64(~(state.own | state.other)), empty);
        game->format(game, &state, text, sizeof text);
        assert_string_equal(text, setup);
        for (char *move = strtok(moves, " "); move; move = strtok(NULL, " ")) {
            banyan_action action;
            assert_int_equal(game->action_parse(game, &state, side == 'O', move, &action, NULL),
                             BANYAN_OK);
        }
        ++count;
    }
    fclose(file);
    assert_int_equal(count, 79);
}

/* Bounds that decide the game must be kept to its end, and must appear before its end. */
static void test_bounds_hold(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 5);
    int early = 0;
    for (int n = 0; n < 6000; ++n) {
        const struct banyan_game *game = best(n % 3);
        struct othello_state state = position(game, NULL);
        float lo = -1, hi = 1, values[2];
        while (game->movers(game, &state)) {
            float next_lo, next_hi, other_lo, other_hi;
            game->bounds(game, &state, 0, &next_lo, &next_hi);
            game->bounds(game, &state, 1, &other_lo, &other_hi);
            assert_true(next_lo == -other_hi && next_hi == -other_lo);
            assert_true(next_lo >= lo && next_hi <= hi);
            lo = next_lo;
            hi = next_hi;
            game->rollout(game, &state, 0, 1, &rng);
        }
        early += lo == hi;
        game->returns(game, &state, values);
        assert_true(lo <= values[0] && values[0] <= hi);
        game->bounds(game, &state, 1, &lo, &hi);
        assert_true(lo == values[1] && hi == values[1]);
    }
    assert_true(early > 1000);
}

static banyan_action greedy(const struct banyan_game *game, const struct othello_state *state)
{
    banyan_action actions[60];
    float priors[60], sum = 0;
    int player = othello_mover(state), best_at = 0,
        count = game->legal(game, state, player, actions);
    game->priors(game, state, player, actions, count, priors);
    for (int i = 0; i < count; ++i) {
        sum += priors[i];
        best_at = priors[i] > priors[best_at] ? i : best_at;
    }
    assert_true(fabsf(sum - 1) < 1e-5f);
    return actions[best_at];
}

/* With a search one ply deep, the estimate must win by far against random play from either side. */
static void test_heuristic_beats_random_play(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 6);
    for (int size = 0; size < 2; ++size) {
        const struct banyan_game *game = best(size);
        double sum = 0;
        for (int n = 0; n < 1000; ++n) {
            struct othello_state state = position(game, NULL);
            float values[2];
            while (game->movers(game, &state)) {
                float value = game->heuristic(game, &state, 0);
                assert_true(-1 <= value && value <= 1 &&
                            value == -game->heuristic(game, &state, 1));
                if (othello_mover(&state) == n % 2)
                    state = after(game, state, greedy(game, &state));
                else
                    game->rollout(game, &state, 0, 1, &rng);
            }
            game->returns(game, &state, values);
            sum += values[n % 2];
        }
        assert_true(sum > 900 - 100 * size);
    }
}

/* Images of a position under a symmetry have the same game, up to that symmetry. */
static void test_symmetries(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 8);
    for (int n = 0; n < 2000; ++n) {
        const struct banyan_game *game = best(n % 3);
        struct othello_state state = position(game, NULL), image, next_image, mirrored;
        game->rollout(game, &state, 0, (int)banyan_rng_below(&rng, 50), &rng);
        if (!game->movers(game, &state))
            continue;
        banyan_action actions[60];
        int player = othello_mover(&state), count = game->legal(game, &state, player, actions);
        banyan_action action = actions[banyan_rng_below(&rng, (uint32_t)count)];
        struct othello_state next = after(game, state, action);
        for (int k = 0; k < game->symmetries; ++k) {
            game->symmetry(game, &state, k, &image);
            struct othello_state moved =
                after(game, image, game->symmetry_action(game, &state, k, action));
            game->symmetry(game, &next, k, &next_image);
            assert_memory_equal(&moved, &next_image, sizeof moved);
            assert_true(game->heuristic(game, &image, player) ==
                        game->heuristic(game, &state, player));
        }
        game->mirror(game, &state, &mirrored);
        assert_int_equal(game->movers(game, &mirrored), 2u >> player);
        assert_true(game->heuristic(game, &mirrored, 1 - player) ==
                    game->heuristic(game, &state, player));
        assert_int_not_equal(game->key(game, &mirrored, 0), game->key(game, &state, 0));
    }
}

static void test_planes_and_targets(void **unused)
{
    (void)unused;
    const struct banyan_game *game = best(SIZE_4);
    struct othello_state state = position(game, "XXXO/OXX-/OXOO/--O- O");
    float planes[3][16], score, ownership[16], points[2];
    game->encode(game, &state, 1, &planes[0][0]);
    for (int i = 0; i < 16; ++i) {
        assert_true(planes[0][i] == (float)("XXXOOXX-OXOO--O-"[i] == 'O'));
        assert_true(planes[1][i] == (float)("XXXOOXX-OXOO--O-"[i] == 'X'));
    }
    banyan_action actions[60];
    int count = game->legal(game, &state, 1, actions);
    float sum = 0;
    for (int i = 0; i < 16; ++i)
        sum += planes[2][i];
    assert_true(sum == (float)count);
    for (int i = 0; i < count; ++i)
        assert_true(planes[2][game->policy_index(game, &state, 0, actions[i])] == 1);
    game->encode(game, &state, 0, &planes[0][0]);
    assert_true(planes[2][game->policy_index(game, &state, 0, actions[0])] == -1);
    game->targets(game, &state, 0, &score, ownership);
    assert_true(score == 0.0f && ownership[0] == 1 && ownership[3] == -1 && ownership[7] == 0);
    state = position(game, "XXXO/OXX-/OXXX/--O- O"); /* 8 X and 4 O of 16 squares */
    game->targets(game, &state, 0, &score, ownership);
    assert_true(score == 0.25f);
    game->targets(game, &state, 1, &score, ownership);
    assert_true(score == -0.25f && ownership[0] == -1 && ownership[3] == 1);
    game->points(game, &state, points);
    assert_true(points[0] == 8 && points[1] == 4);
}

/* Text shows the discs as X and O, a picture as black and white; the captions say it so. */
static void test_captions_name_the_sides(void **unused)
{
    (void)unused;
    static const struct {
        const char *setup, *text, *picture;
    } rows[] = {
        {"", "X 2, O 2: X to move", ">black 2, white 2: black to move<"},
        {"moves:f5", "X 4, O 1: O to move", ">black 4, white 1: white to move<"},
        {WIPEOUT, "X 13, O 0: X has won", ">black 13, white 0: black has won<"},
    };
    char text[BANYAN_TEXT_MAX];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct othello_state state = position(best(SIZE_8), rows[i].setup);
        best(SIZE_8)->draw(best(SIZE_8), &state, -1, text, sizeof text);
        assert_non_null(strstr(text, rows[i].text));
        best(SIZE_8)->svg(best(SIZE_8), &state, -1, text, sizeof text);
        assert_non_null(strstr(text, rows[i].picture));
    }
}

static void test_pictures_fit(void **unused)
{
    (void)unused;
    struct othello_state state = position(best(SIZE_8), NULL);
    char text[BANYAN_TEXT_MAX];
    int length = best(SIZE_8)->svg(best(SIZE_8), &state, -1, text, sizeof text);
    assert_true(length < BANYAN_TEXT_MAX);
    assert_int_equal(strlen(text), length);
    assert_non_null(strstr(text, "</svg>"));
    assert_int_equal(best(SIZE_8)->draw(best(SIZE_8), &state, -1, NULL, 0),
                     best(SIZE_8)->draw(best(SIZE_8), &state, -1, text, sizeof text));
}

/* A list of moves may leave passes out: a square that only the next mover can take says that there was one. */
static void test_passes_may_be_left_out(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    int passes = 0;
    banyan_rng_seed(&rng, 7);
    for (int number = 0; number < 200; ++number) {
        const struct banyan_game *game = best(number % 2 ? SIZE_6 : SIZE_8);
        struct othello_state state = position(game, NULL);
        char text[256] = "moves:";
        for (unsigned movers; (movers = game->movers(game, &state));) {
            banyan_action legal[64];
            int count = game->legal(game, &state, movers == 2, legal);
            banyan_action action = legal[banyan_rng_below(&rng, (uint32_t)count)];
            passes += action == OTHELLO_PASS;
            if (action != OTHELLO_PASS)
                game->action_format(game, &state, movers == 2, action, text + strlen(text), 8);
            state = after(game, state, action);
            struct othello_state again = position(game, text);
            if (action != OTHELLO_PASS)
                assert_memory_equal(&again, &state, sizeof state);
        }
    }
    assert_true(passes > 20);
}

/* Squares lie side by side from (20, 20) on, 40 wide: below the middle of their letter, beside their number. */
static void test_squares_of_a_picture(void **unused)
{
    (void)unused;
    for (int size = SIZE_8; size <= SIZE_6; ++size) {
        struct othello_state state = position(best(size), NULL);
        int n = size == SIZE_8 ? 8 : 6, squares = 0;
        char text[BANYAN_TEXT_MAX], part[80];
        best(size)->svg(best(size), &state, -1, text, sizeof text);
        for (int row = 0; row < n; ++row) {
            for (int column = 0; column < n; ++column) {
                snprintf(part, sizeof part, "<rect class=\"square\" x=\"%d\" y=\"%d\" width=\"40\"",
                         20 + 40 * column, 20 + 40 * row);
                assert_non_null(strstr(text, part));
            }
        }
        int letters = 0, x, y;
        char letter;
        for (const char *at = text; (at = strstr(at, "<text ")); ++at)
            if (sscanf(at, "<text x=\"%d\" y=\"%d\">%c<", &x, &y, &letter) == 3 && y < 20) {
                assert_int_equal(letter, 'a' + letters);
                assert_int_equal(x, 40 + 40 * letters++);
            }
        assert_int_equal(letters, n);
        for (const char *at = text; (at = strstr(at, "<rect ")); ++at)
            ++squares;
        assert_int_equal(squares, n * n);
        /* white on d4 and e5 of eight: d is the fourth column */
        snprintf(part, sizeof part, "<circle class=\"white\" cx=\"%d\" cy=\"%d\" r=\"16\"/>",
                 20 * n, 20 * n);
        assert_non_null(strstr(text, part));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_position),
        cmocka_unit_test(test_perft_8x8),
        cmocka_unit_test(test_perft_8x8_portable),
        cmocka_unit_test(test_perft_6x6),
        cmocka_unit_test(test_perft_4x4),
        cmocka_unit_test(test_value_of_4x4),
        cmocka_unit_test(test_perfect_game_is_a_draw),
        cmocka_unit_test(test_random_play_has_the_known_mean),
        cmocka_unit_test(test_two_plies_at_once),
        cmocka_unit_test(test_levels_agree),
        cmocka_unit_test(test_texts_round_trip),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_wipeout_ends_the_game),
        cmocka_unit_test(test_bad_texts_say_why),
        cmocka_unit_test(test_fforum_positions),
        cmocka_unit_test(test_bounds_hold),
        cmocka_unit_test(test_heuristic_beats_random_play),
        cmocka_unit_test(test_symmetries),
        cmocka_unit_test(test_planes_and_targets),
        cmocka_unit_test(test_captions_name_the_sides),
        cmocka_unit_test(test_pictures_fit),
        cmocka_unit_test(test_passes_may_be_left_out),
        cmocka_unit_test(test_squares_of_a_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
