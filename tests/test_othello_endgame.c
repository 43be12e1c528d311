/* The endgame solver against published results, against a slow solver of this file that shares no
 * code with it, and against itself in other settings. */
#include "base/clock.h"
#include "base/rng.h"
#include "games/othello/endgame.h"
#include "games/othello/endgame_search.h"
#include "games/othello/othello.h"
#include "othello_fforum.h"

#include <banyan/search.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* --- a slow solver: a square is a char, rays are walked --- */

struct slow_board {
    char cell[64]; /* 'x' side to move, 'o' the other, '.' empty, '#' outside the board */
};

static struct slow_board slow_from(struct board board, uint64_t area)
{
    struct slow_board slow;
    for (int i = 0; i < 64; ++i)
        slow.cell[i] = !(area >> i & 1)         ? '#'
                       : (board.own >> i & 1)   ? 'x'
                       : (board.other >> i & 1) ? 'o'
                                                : '.';
    return slow;
}

/* Places a disc of the side to move and turns the discs that it flips; returns how many. */
static int slow_place(struct slow_board *slow, int square)
{
    int turned = 0;
    for (int dr = -1; dr <= 1; ++dr)
        for (int dc = -1; dc <= 1; ++dc) {
            int r = square / 8 + dr, c = square % 8 + dc, run = 0;
            if (!dr && !dc)
                continue;
            for (; r >= 0 && r < 8 && c >= 0 && c < 8 && slow->cell[8 * r + c] == 'o'; ++run)
                r += dr, c += dc;
            if (r < 0 || r > 7 || c < 0 || c > 7 || slow->cell[8 * r + c] != 'x')
                continue;
            for (turned += run; run > 0; --run)
                slow->cell[8 * (r - run * dr) + c - run * dc] = 'x';
        }
    if (turned)
        slow->cell[square] = 'x';
    return turned;
}

static void slow_swap(struct slow_board *slow)
{
    for (int i = 0; i < 64; ++i)
        if (slow->cell[i] == 'x' || slow->cell[i] == 'o')
            slow->cell[i] = slow->cell[i] == 'x' ? 'o' : 'x';
}

static int slow_final(const struct slow_board *slow)
{
    int lead = 0, empty = 0;
    for (int i = 0; i < 64; ++i) {
        lead += (slow->cell[i] == 'x') - (slow->cell[i] == 'o');
        empty += slow->cell[i] == '.';
    }
    return lead + (lead > 0 ? empty : lead < 0 ? -empty : 0);
}

static int slow_score(const struct slow_board *slow, int alpha, int beta, bool passed)
{
    int best = -100;
    for (int square = 0; square < 64 && best < beta; ++square) {
        struct slow_board next = *slow;
        if (slow->cell[square] != '.' || !slow_place(&next, square))
            continue;
        slow_swap(&next);
        int score = -slow_score(&next, -beta, best > alpha ? -best : -alpha, false);
        best = score > best ? score : best;
    }
    if (best > -100)
        return best;
    if (passed)
        return slow_final(slow);
    struct slow_board next = *slow;
    slow_swap(&next);
    return -slow_score(&next, -beta, -alpha, true);
}

static uint64_t slow_best(const struct slow_board *slow, int best)
{
    uint64_t set = 0;
    for (int square = 0; square < 64; ++square) {
        struct slow_board next = *slow;
        if (slow->cell[square] != '.' || !slow_place(&next, square))
            continue;
        slow_swap(&next);
        if (-slow_score(&next, -best - 1, -best + 1, false) == best)
            set |= (uint64_t)1 << square;
    }
    return set;
}

/* --- positions --- */

/* A position of random play with so many empty squares; the side to move may have to pass. */
static struct board random_position(struct banyan_rng *rng, uint64_t area, int empties)
{
    for (;;) {
        struct board board = {.own = 0x0000000810000000, .other = 0x0000001008000000};
        while (bits_count64(board_empty(board, area)) > empties) {
            uint64_t moves = board_legal(board, area);
            if (!moves) {
                board = board_pass(board);
                moves = board_legal(board, area);
            }
            if (!moves)
                break;
            for (uint32_t skip = rng_below(rng, (uint32_t)bits_count64(moves)); skip; --skip)
                moves &= moves - 1;
            board = board_play(board, moves & (0 - moves));
        }
        if (bits_count64(board_empty(board, area)) == empties)
            return board;
    }
}

static struct endgame_solver *make_solver(size_t size_bytes, uint64_t area)
{
    struct endgame_solver *solver;
    assert_int_equal(endgame_create(size_bytes, area, &solver, NULL), BANYAN_OK);
    return solver;
}

/* --- tests --- */

static void test_fforum_1_to_19(void **state)
{
    (void)state;
    struct endgame_solver *solver = make_solver(ENDGAME_DEFAULT_BYTES, BOARD_AREA_8);
    struct fforum_position position;
    int solved = 0;
    FILE *file = fopen(TEST_DATA "/othello/fforum.tsv", "r");
    assert_non_null(file);
    while (fforum_next(file, &position) && position.id <= 19) {
        struct endgame_result result;
        assert_int_equal(bits_count64(board_empty(position.board, BOARD_AREA_8)), position.empties);
        assert_int_equal(endgame_solve(solver, position.board, NULL, &result), BANYAN_OK);
        assert_int_equal(result.score, position.score);
        assert_int_equal(result.best, position.best);
        ++solved;
    }
    assert_int_equal(solved, 19);
    fclose(file);
    endgame_destroy(solver);
}

static void check_against_slow(struct endgame_solver *solver, struct board board, uint64_t area)
{
    struct slow_board slow = slow_from(board, area);
    int score = slow_score(&slow, -64, 64, false);
    struct endgame_result result;
    assert_int_equal(endgame_solve(solver, board, NULL, &result), BANYAN_OK);
    assert_int_equal(result.score, score);
    assert_int_equal(result.best, slow_best(&slow, score));
    assert_int_equal(endgame_score(solver, board, NULL, &result), BANYAN_OK);
    assert_int_equal(result.score, score);
    uint64_t best = board_legal(board, area) ? slow_best(&slow, score) : 0;
    assert_int_equal(result.best & ~best, 0);
    assert_int_equal(result.best == 0, best == 0);
    endgame_clear(solver);
    assert_int_equal(endgame_outcome(solver, board, NULL, &result), BANYAN_OK);
    assert_int_equal(result.score, (score > 0) - (score < 0));
}

/* A small table, so that entries are also replaced. */
static void test_random_positions(void **state)
{
    (void)state;
    static const uint64_t areas[3] = {BOARD_AREA_8, BOARD_AREA_6, BOARD_AREA_4};
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1883);
    for (int a = 0; a < 3; ++a) {
        struct endgame_solver *solver = make_solver(ENDGAME_MIN_BYTES, areas[a]);
        for (int empties = 0; empties <= 9; ++empties)
            for (int i = 0; i < (empties < 8 ? 100 : 10); ++i)
                check_against_slow(solver, random_position(&rng, areas[a], empties), areas[a]);
        endgame_destroy(solver);
    }
}

/* The whole game on 4x4: the second player wins by 11 to 3, and two squares stay empty. */
static void test_whole_4x4(void **state)
{
    (void)state;
    struct endgame_solver *solver = make_solver(ENDGAME_MIN_BYTES, BOARD_AREA_4);
    struct board start = {.own = 0x0000000810000000, .other = 0x0000001008000000};
    struct endgame_result result;
    assert_int_equal(endgame_solve(solver, start, NULL, &result), BANYAN_OK);
    assert_int_equal(result.score, -10);
    /* by symmetry all four moves are best */
    assert_int_equal(result.best, board_legal(start, BOARD_AREA_4));
    endgame_destroy(solver);
}

/* More empty squares than the slow solver can solve: the modes for exact score, outcome and
 * single best move agree, and a very small table only changes the time. */
static void test_questions_agree(void **state)
{
    (void)state;
    struct endgame_solver *small = make_solver(ENDGAME_MIN_BYTES, BOARD_AREA_8);
    struct endgame_solver *large = make_solver(8 << 20, BOARD_AREA_8);
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1971);
    for (int i = 0; i < 120; ++i) {
        struct board board = random_position(&rng, BOARD_AREA_8, 10 + i % 5);
        struct endgame_result exact, score, outcome, again;
        assert_int_equal(endgame_solve(large, board, NULL, &exact), BANYAN_OK);
        assert_int_equal(endgame_solve(small, board, NULL, &again), BANYAN_OK);
        endgame_clear(large);
        assert_int_equal(endgame_outcome(large, board, NULL, &outcome), BANYAN_OK);
        assert_int_equal(endgame_score(large, board, NULL, &score), BANYAN_OK);
        assert_int_equal(again.score, exact.score);
        assert_int_equal(again.best, exact.best);
        assert_int_equal(outcome.score, (exact.score > 0) - (exact.score < 0));
        assert_int_equal(score.score, exact.score);
        assert_int_equal(score.best & ~exact.best, 0);
        assert_true(bits_count64(score.best) == (exact.best != 0));
    }
    endgame_destroy(small);
    endgame_destroy(large);
}

/* The two builds of the search visit the same tree. */
static void test_variants_agree(void **state)
{
    (void)state;
    struct endgame_solver *portable = make_solver(4 << 20, BOARD_AREA_8);
    struct endgame_solver *chosen = make_solver(4 << 20, BOARD_AREA_8);
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 2023);
    portable->search = endgame_search;
    portable->estimate = endgame_estimate;
    for (int i = 0; i < 60; ++i) {
        struct board board = random_position(&rng, BOARD_AREA_8, 1 + i % 15);
        struct endgame_result a, b;
        assert_int_equal(endgame_solve(portable, board, NULL, &a), BANYAN_OK);
        assert_int_equal(endgame_solve(chosen, board, NULL, &b), BANYAN_OK);
        assert_int_equal(a.score, b.score);
        assert_int_equal(a.best, b.best);
        assert_int_equal(a.nodes, b.nodes);
    }
    endgame_destroy(portable);
    endgame_destroy(chosen);
}

static void test_limits(void **state)
{
    (void)state;
    struct endgame_solver *solver = make_solver(1 << 20, BOARD_AREA_8);
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 7);
    struct board board = random_position(&rng, BOARD_AREA_8, 16);
    struct endgame_result full, limited;
    banyan_flag stop = {1};
    struct endgame_limits limits = {.stop = &stop};
    assert_int_equal(endgame_solve(solver, board, &limits, &limited), BANYAN_INTERRUPTED);
    assert_true(limited.nodes < 100000);
    banyan_flag_clear(&stop);
    endgame_clear(solver);
    assert_int_equal(endgame_solve(solver, board, &limits, &full), BANYAN_OK);
    endgame_clear(solver);
    limits.max_nodes = full.nodes / 2;
    assert_int_equal(endgame_solve(solver, board, &limits, &limited), BANYAN_INTERRUPTED);
    assert_true(limited.nodes < full.nodes);
    /* What was stored before the limit is correct: the second attempt gives the same result. */
    assert_int_equal(endgame_solve(solver, board, NULL, &limited), BANYAN_OK);
    assert_int_equal(limited.score, full.score);
    assert_int_equal(limited.best, full.best);
    endgame_clear(solver);
    assert_int_equal(endgame_solve(solver, board, NULL, &limited), BANYAN_OK);
    assert_int_equal(limited.nodes, full.nodes);
    endgame_destroy(solver);
}

static void test_too_small(void **state)
{
    (void)state;
    struct endgame_solver *solver;
    struct banyan_error err;
    assert_int_equal(endgame_create(1000, BOARD_AREA_8, &solver, &err), BANYAN_INVALID);
    assert_null(solver);
    assert_non_null(strstr(err.message, "1000"));
    assert_int_equal(endgame_create(ENDGAME_MIN_BYTES - 1, BOARD_AREA_8, &solver, &err),
                     BANYAN_INVALID);
    assert_int_equal(endgame_create(ENDGAME_MIN_BYTES, BOARD_AREA_8, &solver, &err), BANYAN_OK);
    endgame_destroy(solver);
}

/* The evaluator: solved and other leaves in one batch, values by player, priors if they are
 * asked for. */
static void test_evaluator(void **state)
{
    (void)state;
    enum { LEAVES = 24, FEW = 7 };
    const struct banyan_game *game;
    struct banyan_evaluator evaluator;
    struct banyan_rng rng;
    struct othello_state states[LEAVES];
    struct banyan_leaf leaves[LEAVES];
    banyan_action actions[LEAVES][64];
    float priors[LEAVES][64];
    banyan_rng_seed(&rng, 42);
    assert_int_equal(banyan_game_find("othello", &game, NULL), BANYAN_OK);
    assert_int_equal(banyan_evaluator_create(game, "endgame:empties=7,memory=1M,then=heuristic",
                                             NULL, &evaluator, NULL),
                     BANYAN_OK);
    for (int i = 0; i < LEAVES; ++i) {
        do {
            game->init(game, &states[i], NULL, NULL, NULL);
            game->rollout(game, &states[i], 0, 51 + i % 6, &rng);
        } while (!game->movers(game, &states[i]));
        int mover = othello_mover(&states[i]);
        leaves[i] = (struct banyan_leaf){.game = game,
                                         .state = &states[i],
                                         .movers = game->movers(game, &states[i]),
                                         .rng = &rng};
        leaves[i].actions[mover] = actions[i];
        leaves[i].count[mover] = game->legal(game, &states[i], mover, actions[i]);
        leaves[i].priors[mover] = priors[i];
    }
    assert_int_equal(evaluator.evaluate(evaluator.ctx, leaves, LEAVES, NULL), BANYAN_OK);
    int solved = 0;
    for (int i = 0; i < LEAVES; ++i) {
        struct board board = othello_board(&states[i]);
        int mover = othello_mover(&states[i]);
        float sum = 0;
        assert_int_equal(leaves[i].exact, bits_count64(board_empty(board, BOARD_AREA_8)) <= FEW);
        assert_true(leaves[i].values[0] == -leaves[i].values[1]);
        for (int k = 0; evaluator.wants_actions && k < leaves[i].count[mover]; ++k)
            sum += priors[i][k];
        assert_true(!evaluator.wants_actions || (sum > 0.999f && sum < 1.001f));
        if (!leaves[i].exact)
            continue;
        struct slow_board slow = slow_from(board, BOARD_AREA_8);
        int score = slow_score(&slow, -64, 64, false);
        assert_true(leaves[i].values[mover] == (float)((score > 0) - (score < 0)));
        ++solved;
    }
    assert_in_range(solved, 4, LEAVES - 4);
    banyan_evaluator_close(&evaluator);
    assert_int_equal(banyan_evaluator_create(game, "endgame:empties=99", NULL, &evaluator, NULL),
                     BANYAN_INVALID);
}

/* --- a solve of many minutes ends when the search that asked must --- */

/* In milliseconds of processor time, since a busy machine may give none for seconds. */

enum { LONG_EMPTIES = 30, PATIENCE_MS = 5000 };

struct long_search {
    const struct banyan_game *game;
    struct banyan_evaluator evaluator;
    struct banyan_search *search;
    struct othello_state state;
};

static void long_open(struct long_search *s, const char *options_text)
{
    struct banyan_search_options options;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 11);
    assert_int_equal(banyan_game_find("othello", &s->game, NULL), BANYAN_OK);
    assert_int_equal(banyan_evaluator_create(s->game, "endgame:empties=30,memory=1M,then=heuristic",
                                             NULL, &s->evaluator, NULL),
                     BANYAN_OK);
    banyan_search_options_default(&options);
    assert_int_equal(
        banyan_options_parse(banyan_search_option_table(), &options, options_text, NULL),
        BANYAN_OK);
    assert_int_equal(banyan_search_create(&s->search, s->game, &options, &s->evaluator, NULL),
                     BANYAN_OK);
    do {
        s->game->init(s->game, &s->state, NULL, NULL, NULL);
        s->game->rollout(s->game, &s->state, 0, 60 - LONG_EMPTIES, &rng);
    } while (bits_count64(board_empty(othello_board(&s->state), BOARD_AREA_8)) != LONG_EMPTIES);
    assert_int_equal(banyan_search_set_root(s->search, &s->state, -1, NULL), BANYAN_OK);
}

static void long_close(struct long_search *s)
{
    banyan_search_destroy(s->search);
    banyan_evaluator_close(&s->evaluator);
}

static void *raise_soon(void *flag)
{
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    banyan_flag_set(flag);
    return NULL;
}

static void test_a_long_solve_ends_in_time(void **state)
{
    (void)state;
    const char *const options[] = {"", "batch=4", "rule=gumbel"};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct long_search s;
        struct banyan_search_move chosen;
        struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                              .time_ms = 100};
        double begin = clock_process_ms();
        long_open(&s, options[i]);
        assert_int_equal(banyan_search_run(s.search, &limits, NULL), BANYAN_OK);
        assert_true(clock_process_ms() - begin < PATIENCE_MS);
        assert_int_equal(banyan_search_choose(s.search, othello_mover(&s.state), &chosen, NULL),
                         BANYAN_OK);
        long_close(&s);
    }
}

static void test_a_long_solve_ends_by_the_flag(void **state)
{
    (void)state;
    const char *const options[] = {"", "batch=4"};
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        struct long_search s;
        pthread_t thread;
        banyan_flag stop = {0};
        struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                              .simulations = 1000000000,
                                              .stop = &stop};
        long_open(&s, options[i]);
        double begin = clock_process_ms();
        assert_int_equal(pthread_create(&thread, NULL, raise_soon, &stop), 0);
        assert_int_equal(banyan_search_run(s.search, &limits, NULL), BANYAN_INTERRUPTED);
        assert_true(clock_process_ms() - begin < PATIENCE_MS);
        pthread_join(thread, NULL);
        long_close(&s);
    }
}

/* Positions that are no longer solved get the value of the evaluator `then`, and do not count as
 * proven. */
static void test_a_stopped_solve_is_an_estimate(void **state)
{
    (void)state;
    struct long_search s;
    banyan_flag stop = {1};
    long_open(&s, "");
    int mover = othello_mover(&s.state);
    struct banyan_leaf leaf = {
        .game = s.game, .state = &s.state, .movers = 1u << mover, .stop = &stop};
    assert_int_equal(s.evaluator.evaluate(s.evaluator.ctx, &leaf, 1, NULL), BANYAN_OK);
    assert_false(leaf.exact);
    assert_true(leaf.values[mover] == s.game->heuristic(s.game, &s.state, mover));
    leaf.stop = NULL;
    leaf.deadline_ms = clock_now_ms() + 20;
    leaf.values[mover] = -7;
    assert_int_equal(s.evaluator.evaluate(s.evaluator.ctx, &leaf, 1, NULL), BANYAN_OK);
    assert_false(leaf.exact);
    assert_true(leaf.values[mover] == s.game->heuristic(s.game, &s.state, mover));
    long_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fforum_1_to_19),
        cmocka_unit_test(test_random_positions),
        cmocka_unit_test(test_whole_4x4),
        cmocka_unit_test(test_questions_agree),
        cmocka_unit_test(test_variants_agree),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_too_small),
        cmocka_unit_test(test_evaluator),
        cmocka_unit_test(test_a_stopped_solve_is_an_estimate),
        cmocka_unit_test(test_a_long_solve_ends_in_time),
        cmocka_unit_test(test_a_long_solve_ends_by_the_flag),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
